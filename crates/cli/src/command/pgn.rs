//! `halfmove pgn`: works on PGN files without an archive.

pub(crate) mod check;
mod draw;
pub(crate) mod normalize;
mod rejects;
pub(crate) mod stats;
pub(crate) mod summary;
mod tape;
mod texts;

use super::import::files::{self, refuse_coded};
use crate::Done;
use crate::args::PgnVerb;
use crate::output::{self, input_name};
use crate::progress::Progress;
use anyhow::anyhow;
use halfmove_game::Input;
use halfmove_game::pgn::Reader;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
pub(super) use tape::{Tape, Taped};
pub(super) use texts::decoded;

/// The progress bar is updated after this many games.
const GAMES_PER_TICK: u64 = 512;

pub(crate) fn run(verb: PgnVerb) -> anyhow::Result<Done> {
    match verb {
        PgnVerb::Check(args) => check::run(args),
        PgnVerb::Stats(args) => stats::run(args),
        PgnVerb::Normalize(args) => normalize::run(args),
    }
}

/// Files that are read in order. A file that cannot be read is reported, and the others are still read.
pub(super) struct Files {
    pub(super) paths: Vec<PathBuf>,
    progress: Progress,
    pub(super) games: u64,
    /// The files that could be opened.
    opened: u64,
    pub(super) failed: bool,
    /// The files that could not be read.
    failures: Vec<PathBuf>,
    /// True if the first error ends the work.
    pub(super) strict: bool,
}

/// A file that is being read.
pub(super) struct Opened<'a, R = Reader<Taped<Input>>> {
    pub(super) reader: R,
    tape: Tape,
    progress: &'a Progress,
    /// The bytes of the files before, and those of this one that are read.
    bytes_before: u64,
    consumed: Arc<AtomicU64>,
    /// All games so far.
    games: u64,
}

impl<R> Opened<'_, R> {
    /// Counts a game.
    pub(super) fn tick(&mut self) {
        self.games += 1;
        if self.games.is_multiple_of(GAMES_PER_TICK) {
            self.show();
        }
    }

    /// Prints an error without the progress bar in the way.
    pub(super) fn report(&self, error: &anyhow::Error) {
        self.progress.suspend(|| output::report(error));
    }

    fn show(&self) {
        let bytes = self.bytes_before + self.consumed.load(Ordering::Relaxed);
        self.progress.show(bytes, self.games);
    }
}

/// The message for a file without games.
pub(super) fn no_games(path: &Path, bytes: u64) -> String {
    let why = if bytes == 0 { "the file is empty" } else { "this does not look like PGN" };
    format!("{}: no games, {why}", input_name(path))
}

/// The message for several files without games.
pub(super) const NONE: &str = "no games in these files";

impl Files {
    pub(super) fn new(named: &[PathBuf]) -> anyhow::Result<Self> {
        let found = files::Files::find(named)?;
        found.passed_over().into_iter().for_each(output::note);
        let paths = found.paths;
        let total = paths.iter().map(|path| length(path)).sum();
        let progress = Progress::new(total, "game");
        Ok(Self {
            paths,
            progress,
            games: 0,
            opened: 0,
            failed: false,
            failures: Vec::new(),
            strict: false,
        })
    }

    /// The files and folders as they were named; if some could not be read, the other files.
    pub(super) fn usable(&self, named: &[PathBuf]) -> Vec<PathBuf> {
        if self.failures.is_empty() {
            return named.to_vec();
        }
        self.paths.iter().filter(|path| !self.failures.contains(path)).cloned().collect()
    }

    /// Calls `read`, which returns the number of games, with each file. As in an import, a file without games is an error only if no
    /// other file has games. An error of the output ([`Unwritable`](output::Unwritable)) ends the work.
    fn for_each(
        &mut self,
        read: impl FnMut(&Path, &mut Opened<'_>) -> anyhow::Result<u64>,
    ) -> anyhow::Result<()> {
        self.for_each_with(Reader::new, read)
    }

    /// Like [`for_each`](Self::for_each), with a reader of the caller's choice.
    pub(super) fn for_each_with<R>(
        &mut self,
        reader: impl Fn(Taped<Input>) -> R,
        mut read: impl FnMut(&Path, &mut Opened<'_, R>) -> anyhow::Result<u64>,
    ) -> anyhow::Result<()> {
        let mut has_games = false;
        for path in &self.paths {
            let input = refuse_coded(path).and_then(|()| Ok(Input::open(path)?));
            let input = match input {
                Ok(input) => input,
                Err(error) if self.strict => return Err(error),
                Err(error) => {
                    self.progress.suspend(|| output::report(&error));
                    self.failed = true;
                    self.failures.push(path.clone());
                    continue;
                }
            };
            self.opened += 1;
            let tape = Tape::default();
            let mut opened = Opened {
                consumed: input.consumed(),
                reader: reader(Taped::new(input, tape.clone())),
                tape,
                progress: &self.progress,
                bytes_before: self.progress.position(),
                games: self.games,
            };
            let read = read(path, &mut opened).and_then(|games| {
                has_games |= games > 0;
                let nothing = || no_games(path, opened.tape.line_ends().bytes);
                match (games, self.paths.len()) {
                    (0, 1) => Err(anyhow!(nothing())),
                    (0, _) => {
                        let warning = format!("warning: {}", nothing());
                        opened.progress.suspend(|| output::note(warning));
                        Ok(())
                    }
                    _ => Ok(()),
                }
            });
            opened.show();
            self.games = opened.games;
            match read {
                Ok(()) => {}
                Err(error) if self.strict || output::is_unwritable(&error) => {
                    self.progress.finish();
                    return Err(error);
                }
                Err(error) => {
                    self.progress.suspend(|| output::report(&error));
                    self.failed = true;
                    self.failures.push(path.clone());
                }
            }
        }
        self.progress.finish();
        if !has_games && !self.failed {
            let error = anyhow!(NONE);
            if self.strict {
                return Err(error);
            }
            output::report(&error);
            self.failed = true;
        }
        Ok(())
    }
}

/// The length of a file; `None` for a pipe or a device.
fn length(path: &Path) -> Option<u64> {
    std::fs::metadata(path).ok().filter(|data| data.is_file()).map(|data| data.len())
}

/// Faults by kind, the most frequent first: `illegal move 2, missing result 1`.
fn by_kind<'a>(faults: impl IntoIterator<Item = (&'a &'static str, &'a u64)>) -> String {
    let mut kinds: Vec<_> = faults.into_iter().collect();
    kinds.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), **name));
    let words = |name: &str| name.replace('_', " ");
    let kinds: Vec<String> = kinds
        .into_iter()
        .map(|(name, count)| format!("{} {}", words(name), output::grouped(*count)))
        .collect();
    kinds.join(", ")
}
