//! The files named on the command line, and those in the named folders.

use crate::command::pack::is_packed;
use crate::output::{Advised, counted};
use crate::quote;
use anyhow::{Context, anyhow};
use halfmove_archive::LichessRows;
use halfmove_codecs::file::MAGIC;
use halfmove_codecs::pack;
use halfmove_game::Input;
use std::collections::{HashSet, VecDeque};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Files to read, each once.
pub(crate) struct Files {
    pub(crate) paths: Vec<PathBuf>,
    /// Files that were named again, by the same path or another one.
    pub(crate) repeated: Vec<PathBuf>,
    /// Files in the folders that may hold games, but in formats that cannot be read.
    pub(crate) passed_over: Vec<PathBuf>,
}

/// Standard input.
pub(crate) const STDIN: &str = "-";

impl Files {
    /// The named files, and the PGN files in the named folders.
    pub(crate) fn find(named: &[PathBuf]) -> anyhow::Result<Self> {
        let mut search = Search::default();
        for path in named {
            if path != Path::new(STDIN) && path.is_dir() {
                let before = search.found;
                search
                    .folder(path)
                    .with_context(|| format!("cannot read the folder {}", path.display()))?;
                if search.found == before {
                    return Err(nothing_in(path, &search.passed_over));
                }
            } else {
                search.file(path);
            }
        }
        let Search { paths, repeated, passed_over, .. } = search;
        Ok(Self { paths, repeated, passed_over })
    }

    /// The warning about files that were passed over.
    pub(crate) fn passed_over(&self) -> Option<String> {
        let first = self.passed_over.first()?.display();
        let others = self.passed_over.len() as u64 - 1;
        let others = match others {
            0 => String::new(),
            others => format!(" and {} more", counted(others, "file")),
        };
        Some(format!("warning: {first}{others} passed over: {UNPACK}"))
    }

    /// Opens each file briefly, so that an error in the last one is reported before the first is read.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        for path in &self.paths {
            match fs::metadata(path) {
                // A pipe can be opened only once.
                Ok(file) if !file.is_file() && !file.is_dir() => {}
                _ if path == Path::new(STDIN) || is_packed(path) => {}
                _ if is_parquet(path) => {
                    LichessRows::open(path)?;
                }
                _ => {
                    refuse_coded(path)?;
                    Input::open(path)?;
                }
            }
        }
        Ok(())
    }
}

/// The advice for a file in a format that cannot be read.
const UNPACK: &str = "only *.pgn is read, also .zst, .gz or .bz2; unpack such files first";

/// The error for a folder without PGN files.
fn nothing_in(folder: &Path, passed_over: &[PathBuf]) -> anyhow::Error {
    let name = folder.display();
    if folder.join("_delta_log").is_dir() {
        let error = anyhow!("{name}: this folder is an archive, expected PGN files");
        let hint = format!("halfmove export {} writes its games as PGN", quote::path(folder));
        return Advised::new(error, hint).into();
    }
    let error = anyhow!("{name}: no PGN files in this folder (*.pgn, also .zst, .gz, .bz2)");
    let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
    if entries.any(|entry| is_parquet(&entry.path())) {
        let folder = quote::path(folder);
        let hint = format!(
            "Parquet files are named one by one: halfmove import ARCHIVE {folder}/*.parquet"
        );
        return Advised::new(error, hint).into();
    }
    match passed_over.iter().find(|path| path.starts_with(folder)) {
        Some(path) => {
            Advised::new(error, format!("{} was passed over: {UNPACK}", path.display())).into()
        }
        None => error,
    }
}

/// Refuses files that are not PGN: coded games and binary files. Standard input can be read only once, and is not checked.
pub(crate) fn refuse_coded(path: &Path) -> anyhow::Result<()> {
    if path == Path::new(STDIN) || !fs::metadata(path).is_ok_and(|data| data.is_file()) {
        return Ok(());
    }
    if is_parquet(path) {
        let error = anyhow!("{}: is a Parquet file, expected PGN", path.display());
        let path = quote::path(path);
        let hint = format!("if its games are from Lichess: halfmove import ARCHIVE {path}");
        return Err(Advised::new(error, hint).into());
    }
    let mut head = Vec::new();
    // A file that cannot be read is reported when its games are read.
    let input = Input::open(path);
    if !input.is_ok_and(|input| input.take(512).read_to_end(&mut head).is_ok()) {
        return Ok(());
    }
    let name = path.display();
    if head.starts_with(&MAGIC) {
        let error = anyhow!("{name}: these are coded games, expected PGN");
        let hint = format!("`halfmove decode {}` turns them into PGN", quote::path(path));
        return Err(Advised::new(error, hint).into());
    }
    if head.starts_with(&pack::MAGIC) {
        let error = anyhow!("{name}: these are packed games, expected PGN");
        let path = quote::path(path);
        let hint = format!(
            "`halfmove decode {path}` turns them into PGN, halfmove import ARCHIVE {path} imports them"
        );
        return Err(Advised::new(error, hint).into());
    }
    let what = match &head[..] {
        [b'S', b'Q', b'L', b'i', b't', b'e', b' ', ..] => "an SQLite database",
        [0x7f, b'E', b'L', b'F', ..] | [b'M', b'Z', ..] if head.contains(&0) => "a program",
        // No text begins like this, in any encoding.
        _ if head.iter().take(64).filter(|byte| **byte == 0).count() > 1 => "a binary file",
        _ => return Ok(()),
    };
    Err(anyhow!("{name}: is {what}, expected PGN"))
}

/// The first bytes of a Parquet file.
const PARQUET: &[u8] = b"PAR1";

/// Returns true if a file begins as a Parquet file does. A file that cannot be read does not.
pub(crate) fn is_parquet(path: &Path) -> bool {
    let mut head = [0; PARQUET.len()];
    let is_file = path.metadata().is_ok_and(|data| data.is_file());
    is_file
        && File::open(path).is_ok_and(|mut file| file.read_exact(&mut head).is_ok())
        && head == PARQUET
}

/// The maximum number of entries that [`holds_pgn`] looks at.
const MAX_ENTRIES: usize = 10_000;

/// Returns true if there is a PGN file among the first entries of a folder and of the folders in it.
pub(crate) fn holds_pgn(folder: &Path) -> bool {
    let mut seen = 0;
    let mut waiting = VecDeque::from([folder.to_owned()]);
    while let Some(folder) = waiting.pop_front() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            seen += 1;
            if seen > MAX_ENTRIES {
                return false;
            }
            let path = entry.path();
            match path.metadata() {
                Ok(data) if data.is_dir() => waiting.push_back(path),
                Ok(data) if data.is_file() && is_pgn(&path) => return true,
                _ => {}
            }
        }
    }
    false
}

#[derive(Default)]
struct Search {
    paths: Vec<PathBuf>,
    repeated: Vec<PathBuf>,
    /// All PGN files, repeated ones too.
    found: usize,
    passed_over: Vec<PathBuf>,
    /// The canonical paths of all files and folders so far, since links can make one appear again.
    seen: HashSet<PathBuf>,
}

impl Search {
    fn file(&mut self, path: &Path) {
        self.found += 1;
        // A missing file is reported when it is opened.
        let canonical = if path == Path::new(STDIN) {
            path.to_owned()
        } else {
            path.canonicalize().unwrap_or_else(|_| path.to_owned())
        };
        if self.seen.insert(canonical) {
            self.paths.push(path.to_owned());
        } else {
            self.repeated.push(path.to_owned());
        }
    }

    fn folder(&mut self, folder: &Path) -> std::io::Result<()> {
        // Depth first, in the order of the names; with a stack, since folders may be nested deeply.
        let mut waiting = vec![folder.to_owned()];
        while let Some(path) = waiting.pop() {
            if !path.is_dir() {
                self.file(&path);
                continue;
            }
            // A folder that links to one above it would never end.
            if !self.seen.insert(path.canonicalize()?) {
                continue;
            }
            let mut entries = fs::read_dir(&path)?
                .map(|entry| Ok(entry?.path()))
                .collect::<std::io::Result<Vec<PathBuf>>>()?;
            // A pipe might never end. A dangling link is reported later.
            let is_file = |path: &Path| fs::metadata(path).map_or(true, |data| data.is_file());
            entries.sort();
            let foreign = entries.iter().filter(|path| may_hold_games(path) && is_file(path));
            self.passed_over.extend(foreign.cloned());
            entries.retain(|path| path.is_dir() || is_pgn(path) && is_file(path));
            waiting.extend(entries.into_iter().rev());
        }
        Ok(())
    }
}

/// Returns true if the name is that of a compressed file or a database that cannot be read.
fn may_hold_games(path: &Path) -> bool {
    let end = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let packed = ["zip", "xz", "7z", "rar", "lz4", "br", "tar", "tgz", "lzma"];
    let kept = ["cbv", "cbh", "si4", "si5", "scid", "pgi", "2cbh"];
    packed.contains(&end.as_str()) || kept.contains(&end.as_str())
}

pub(crate) fn is_pgn(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let unpacked = [".zst", ".gz", ".bz2"].iter().find_map(|end| name.strip_suffix(end));
    unpacked.unwrap_or(&name).ends_with(".pgn")
}
