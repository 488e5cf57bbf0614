//! Progress reports of changes, and requests to stop them.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use halfmove_game::pgn::{Counts, PgnError, Skip};

use crate::error::ArchiveError;
use crate::snapshot::{Lock, POLL, lock};

/// A game of an import that already exists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportDuplicate {
    /// The number of the input that it came from, from 0; `None` if it was pushed.
    pub input: Option<usize>,
    /// Its number among the games of that input, from 1; games of unsupported variants are not counted.
    pub number: u64,
    /// Its id; `None` if it was left out.
    pub id: Option<i64>,
    /// The id of the game that existed before.
    pub original: i64,
    /// The place of that game if it is from the same import: the number of its input, and its number in that input.
    pub place: Option<(Option<usize>, u64)>,
    /// True if the game has a fault.
    pub is_faulty: bool,
}

/// Receives the progress of an import or another change, in the order of the inputs and games, and may stop it. `()`
/// ignores it.
///
/// All methods are called on the thread of the caller.
///
/// ```
/// use std::ops::ControlFlow;
/// use halfmove_archive::{ArchiveError, ChangeWatch, Importer};
/// use halfmove_game::pgn::PgnError;
///
/// /// Accepts no faulty game.
/// struct Strict(Option<String>);
///
/// impl ChangeWatch for Strict {
///     fn faulty(&mut self, _input: usize, error: &PgnError) -> ControlFlow<()> {
///         self.0 = Some(error.to_string());
///         ControlFlow::Break(())
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let folder = tempfile::tempdir()?;
/// let mut importer = Importer::open(folder.path().join("games"))?;
/// let mut strict = Strict(None);
/// let text = "1. e4 e5 2. Ke3 *".as_bytes();
/// let stopped = importer.read_pgn([Ok(text)], &mut strict);
/// assert!(matches!(stopped, Err(ArchiveError::Stopped)));
/// assert!(strict.0.is_some_and(|fault| fault.starts_with("game 1, line 1, column 13")));
/// # Ok(())
/// # }
/// ```
pub trait ChangeWatch {
    /// Reports a game that is kept only up to a fault. `input` counts from 0.
    fn faulty(&mut self, input: usize, error: &PgnError) -> ControlFlow<()> {
        let _ = (input, error);
        ControlFlow::Continue(())
    }

    /// Reports a game in a row of [`read_lichess`](crate::Importer::read_lichess) that is kept only up to a fault, or
    /// that cannot be stored. `row` counts from 1.
    fn faulty_row(&mut self, input: usize, row: u64, fault: &str) -> ControlFlow<()> {
        let _ = (input, row, fault);
        ControlFlow::Continue(())
    }

    /// Reports a game that is skipped.
    fn skipped(&mut self, input: usize, skip: &Skip) -> ControlFlow<()> {
        let _ = (input, skip);
        ControlFlow::Continue(())
    }

    /// Reports a game that is already in the archive, or occurred earlier in the import; called during the commit, if
    /// the importer [checks for duplicates](crate::Importer::on_duplicates).
    fn duplicate(&mut self, duplicate: &ImportDuplicate) {
        let _ = duplicate;
    }

    /// Reports that an input has been read to its end; `counts` are its contents.
    fn end_of_input(&mut self, input: usize, counts: &Counts) {
        let _ = (input, counts);
    }

    /// Called several times per second, with the number of games so far.
    fn tick(&mut self, games: u64) -> ControlFlow<()> {
        let _ = games;
        ControlFlow::Continue(())
    }

    /// Called repeatedly while the commit waits for another change; `since` is the waiting time so far.
    fn waiting(&mut self, since: Duration) {
        let _ = since;
    }
}

impl ChangeWatch for () {}

/// Waits for the lock of the archive in a folder.
pub(crate) fn lock_watched(
    folder: &Path,
    watch: &mut dyn ChangeWatch,
    games: u64,
) -> Result<Lock, ArchiveError> {
    let begun = Instant::now();
    lock(folder, || {
        std::thread::sleep(POLL);
        watch.waiting(begun.elapsed());
        if watch.tick(games).is_break() { Err(ArchiveError::Stopped) } else { Ok(()) }
    })
}
