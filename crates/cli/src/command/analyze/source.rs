//! Games to analyze: those of files, or of an archive.

use crate::archive::{self, Selection, Spellings};
use crate::batch::Feed;
use crate::command::decode;
use crate::command::import::files::Files;
use crate::command::pgn::{NONE, Tape, Taped, decoded, no_games};
use crate::novelty::Beside;
use crate::output::{self, Advised, input_name};
use anyhow::{Context, anyhow, bail};
use halfmove_archive::{Archive, ContentSum, Filter, is_url};
use halfmove_codecs::file::MAGIC;
use halfmove_game::pgn::{GameReader, Reading};
use halfmove_game::{Game, Input};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// A game to search.
pub(super) struct Job {
    pub(super) game: Game,
    /// Its id in the archive.
    pub(super) id: Option<i64>,
    /// Its text in a file, with a blank line at the end.
    pub(super) raw: Option<String>,
    /// True if the engine cannot play it: it is of another variant, or from an invalid start.
    pub(super) is_other: bool,
    /// True if its moves end at an error.
    pub(super) is_faulty: bool,
}

pub(super) enum Source {
    Files(Vec<PathBuf>),
    Archive {
        path: PathBuf,
        archive: Box<Archive>,
        filter: Box<Filter>,
        /// The conditions as they were typed.
        conditions: String,
    },
}

impl Source {
    pub(super) fn open(named: &[PathBuf], conditions: Selection) -> anyhow::Result<Self> {
        let is_archive = |path: &&PathBuf| is_url(path) || path.join("_delta_log").is_dir();
        if let Some(path) = named.iter().find(is_archive) {
            if named.len() > 1 {
                let name = path.display();
                bail!("{name}: this is an archive, expected nothing else beside it");
            }
            let archive = Box::new(archive::open(path)?);
            let typed = match conditions.is_empty() {
                true => String::new(),
                false => format!(" {conditions:?}"),
            };
            let filter = Box::new(conditions.on(&archive)?);
            Spellings::noted(&archive, &filter)?;
            return Ok(Self::Archive { path: path.clone(), archive, filter, conditions: typed });
        }
        if !conditions.is_empty() {
            let error = anyhow!("filters choose games of an archive, and these are files");
            let hint = "to make an archive of them: halfmove import ARCHIVE FILE…";
            return Err(Advised::new(error, hint).into());
        }
        let files = Files::find(named)?;
        files.passed_over().into_iter().for_each(output::note);
        // An error in the last file is reported before the first is read.
        for path in files.paths.iter().filter(|path| !is_pipe(path)) {
            is_coded(path)?;
        }
        Ok(Self::Files(files.paths))
    }

    /// The files that are read, or the folder of the archive.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        match self {
            Self::Files(paths) => paths.clone(),
            Self::Archive { path, .. } => vec![path.clone()],
        }
    }

    /// A short name of the source.
    pub(super) fn name(&self) -> String {
        let paths = self.paths();
        let name = |path: &PathBuf| match path.file_name() {
            Some(name) => name.to_string_lossy().into_owned(),
            None => path.display().to_string(),
        };
        match &paths[..] {
            [path] => name(path),
            [first, others @ ..] => format!("{} and {} more", name(first), others.len()),
            [] => String::new(),
        }
    }

    /// The archive to compare the games with for their novelties.
    pub(super) fn beside(
        &self,
        is_own: bool,
        against: Option<&Path>,
    ) -> anyhow::Result<Option<Beside>> {
        match (self, against) {
            (_, Some(path)) => Ok(Some(Beside::other(path)?)),
            (_, None) if !is_own => Ok(None),
            (Self::Archive { archive, .. }, None) => Ok(Some(Beside::own(archive))),
            (Self::Files(_), None) => {
                let error = anyhow!("--novelty compares games of an archive, and these are files");
                Err(Advised::new(error, "to compare them with an archive: --against ARCHIVE")
                    .into())
            }
        }
    }

    /// The length of the source in the units of [`Feed::push`]: bytes, or games.
    pub(super) fn total(&self) -> anyhow::Result<Option<u64>> {
        match self {
            Self::Files(paths) => {
                let length = |path: &PathBuf| {
                    fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|data| data.len())
                };
                Ok(paths.iter().map(length).sum())
            }
            Self::Archive { archive, filter, .. } if filter.is_empty() => Ok(Some(archive.len())),
            Self::Archive { archive, filter, .. } => Ok(Some(archive.count(filter)?)),
        }
    }

    /// A value that identifies the games of the source.
    pub(super) fn mark(&self) -> anyhow::Result<Value> {
        match self {
            Self::Files(paths) => {
                let mark = |path: &PathBuf| {
                    if is_pipe(path) {
                        return Ok(json!(input_name(path)));
                    }
                    let cannot = || format!("cannot read {}", path.display());
                    let sum = ContentSum::of(File::open(path).with_context(cannot)?);
                    Ok(json!(sum.with_context(cannot)?.to_string()))
                };
                Ok(Value::Array(paths.iter().map(mark).collect::<anyhow::Result<_>>()?))
            }
            Self::Archive { path, archive, conditions, .. } => {
                let path = path.canonicalize().unwrap_or_else(|_| path.clone());
                let version = archive.version();
                Ok(json!(format!("{} version {version}{conditions}", path.display())))
            }
        }
    }

    /// Hands out all games.
    pub(super) fn feed(&self, feed: &mut Feed<'_, '_, Job>) -> anyhow::Result<()> {
        match self {
            Self::Files(paths) => {
                let mut before = 0;
                for path in paths {
                    let first = feed.games();
                    let bytes = file(path, before, feed)?;
                    before += bytes;
                    if feed.games() > first {
                        continue;
                    }
                    let what = no_games(path, bytes);
                    // As in an import, one file without games does not stop the others.
                    match paths.len() {
                        1 => bail!(what),
                        _ => output::note(format_args!("warning: {what}")),
                    }
                }
                if feed.games() == 0 {
                    bail!(NONE);
                }
                Ok(())
            }
            Self::Archive { archive, filter, .. } => {
                for stored in archive.games(filter)? {
                    let stored = stored?;
                    let is_faulty = stored.fault.is_some();
                    let (game, id) = (stored.game, Some(stored.id));
                    let job = Job { game, id, raw: None, is_other: false, is_faulty };
                    feed.push(job, feed.games() + 1)?;
                }
                Ok(())
            }
        }
    }

    /// Prints notes on names that no player has, with similar names.
    pub(super) fn note_near_names(&self) -> anyhow::Result<()> {
        match self {
            Self::Files(_) => Ok(()),
            Self::Archive { archive, filter, .. } => Ok(archive::note_near_names(archive, filter)?),
        }
    }
}

/// Returns true if the path can be read only once.
fn is_pipe(path: &Path) -> bool {
    path == Path::new("-") || fs::metadata(path).is_ok_and(|data| !data.is_file())
}

/// Returns true if a file holds coded games. A file that holds neither coded games nor text is an error.
fn is_coded(path: &Path) -> anyhow::Result<bool> {
    let mut head = Vec::new();
    Input::open(path)?
        .take(MAGIC.len() as u64)
        .read_to_end(&mut head)
        .with_context(|| format!("cannot read {}", path.display()))?;
    if head == MAGIC {
        return Ok(true);
    }
    crate::command::import::files::refuse_coded(path)?;
    Ok(false)
}

/// The text of a game without the lines around it, with a blank line at its end.
fn separate(text: &[u8]) -> String {
    let text = decoded(text);
    let text = text.trim_start_matches('\u{feff}').trim_matches(['\n', '\r', ' ', '\t']);
    format!("{text}\n\n")
}

/// Hands out the games of a file. `before` is the length of the files before it. Returns the length of the file.
fn file(path: &Path, before: u64, feed: &mut Feed<'_, '_, Job>) -> anyhow::Result<u64> {
    let is_coded = !is_pipe(path) && is_coded(path)?;
    let input = Input::open(path)?;
    let consumed = input.consumed();
    let position = || before + consumed.load(Ordering::Relaxed);
    if is_coded {
        let damaged = || input_name(path);
        let mut reader = decode::open(path, input)?;
        while let Some(stored) = reader.next().with_context(damaged)? {
            let game = stored.game().with_context(damaged)?;
            let job = Job { game, id: None, raw: None, is_other: false, is_faulty: false };
            feed.push(job, position())?;
        }
    } else {
        let tape = Tape::default();
        let mut reader = GameReader::new(Taped::new(input, tape.clone()));
        let mut game = Game::default();
        let mut from = 0;
        while let Some(reading) = reader.read(&mut game)? {
            let until = reader.offset();
            if feed.was_done() {
                feed.pass()?;
            } else {
                let is_other = matches!(reading, Reading::Skipped(_));
                let is_faulty = matches!(reading, Reading::Faulty(_));
                let game = std::mem::take(&mut game);
                let raw = tape.text(from, Some(until)).map(|text| separate(&text));
                feed.push(Job { game, id: None, raw, is_other, is_faulty }, position())?;
            }
            tape.forget(until);
            from = until;
        }
    }
    Ok(consumed.load(Ordering::Relaxed))
}
