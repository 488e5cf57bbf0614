//! The files that are named on the command line, and those in the folders that are.

use crate::output::Advised;
use anyhow::{Context, anyhow, bail};
use halfmove_game::Input;
use halfmove_game::codec::file::MAGIC;
use std::collections::HashSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Files to read, each once.
pub(crate) struct Files {
    pub(crate) paths: Vec<PathBuf>,
    /// Files that were named again, by the same path or another one.
    pub(crate) repeated: Vec<PathBuf>,
}

/// Standard input.
pub(super) const STDIN: &str = "-";

impl Files {
    /// The named files, and the PGN files in the named folders.
    pub(crate) fn find(named: &[PathBuf]) -> anyhow::Result<Self> {
        let mut search = Search::default();
        for path in named {
            if path.is_dir() {
                let before = search.found;
                search
                    .folder(path)
                    .with_context(|| format!("cannot read the folder {}", path.display()))?;
                if search.found == before {
                    bail!(
                        "{}: no PGN files in this folder (*.pgn, also .zst, .gz, .bz2)",
                        path.display()
                    );
                }
            } else {
                search.file(path);
            }
        }
        Ok(Self { paths: search.paths, repeated: search.repeated })
    }

    /// Opens each file for a moment, so that a mistake in the last one shows before the first is
    /// read. Returns the length of all files, if it is known.
    pub(crate) fn check(&self) -> anyhow::Result<Option<u64>> {
        let mut total = Some(0);
        for path in &self.paths {
            let length = match fs::metadata(path) {
                // A pipe can be opened only once.
                Ok(file) if !file.is_file() && !file.is_dir() => None,
                _ if path == Path::new(STDIN) => None,
                _ => {
                    refuse_coded(path)?;
                    Input::open(path)?.total()
                }
            };
            total = total.zip(length).map(|(total, length)| total + length);
        }
        Ok(total)
    }
}

/// Refuses a file of coded games, in which the reader of PGN would find tags and nonsense. Standard input can be read
/// only once and is not looked at.
pub(crate) fn refuse_coded(path: &Path) -> anyhow::Result<()> {
    if !fs::metadata(path).is_ok_and(|data| data.is_file()) {
        return Ok(());
    }
    let mut head = [0; MAGIC.len()];
    // A file that cannot be read is reported when its games are.
    let is_read = Input::open(path).is_ok_and(|mut input| input.read_exact(&mut head).is_ok());
    if !is_read || head != MAGIC {
        return Ok(());
    }
    let name = path.display();
    let error = anyhow!("{name}: these are coded games, expected PGN");
    Err(Advised::new(error, format!("`halfmove decode {name}` turns them into PGN")).into())
}

#[derive(Default)]
struct Search {
    paths: Vec<PathBuf>,
    repeated: Vec<PathBuf>,
    /// All PGN files, repeated ones too.
    found: usize,
    /// What has been taken, under its canonical name: links can make a file or folder appear again.
    seen: HashSet<PathBuf>,
}

impl Search {
    fn file(&mut self, path: &Path) {
        self.found += 1;
        // What does not exist is reported when it is opened.
        let canonical = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if self.seen.insert(canonical) {
            self.paths.push(path.to_owned());
        } else {
            self.repeated.push(path.to_owned());
        }
    }

    fn folder(&mut self, folder: &Path) -> std::io::Result<()> {
        // Depth first, in the order of the names; a stack rather than recursion, however deep they are.
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
            // A pipe might never end. A link that leads nowhere is an error that is told later.
            let is_file = |path: &Path| fs::metadata(path).map_or(true, |data| data.is_file());
            entries.retain(|path| path.is_dir() || is_pgn(path) && is_file(path));
            entries.sort();
            waiting.extend(entries.into_iter().rev());
        }
        Ok(())
    }
}

fn is_pgn(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let unpacked = [".zst", ".gz", ".bz2"].iter().find_map(|end| name.strip_suffix(end));
    unpacked.unwrap_or(&name).ends_with(".pgn")
}
