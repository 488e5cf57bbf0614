//! Reports of an import and of other changes, and requests to stop them.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use halfmove_game::pgn::{Counts, PgnError, Skip};

use crate::error::ArchiveError;
use crate::snapshot::{Lock, POLL, lock};

/// A game of an import that there is already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportDuplicate {
    /// The number of the input that it came from, from 0; `None` if it was pushed.
    pub input: Option<usize>,
    /// Its number among the games of that input, from 1; games of variants that cannot be played are not counted.
    pub number: u64,
    /// Its id; `None` if it was left out.
    pub id: Option<i64>,
    /// The id of the game that was there before.
    pub original: i64,
    /// Where that one was, if it is from the same import: the number of its input, and its number among the games there.
    pub place: Option<(Option<usize>, u64)>,
    /// True if the game has a fault.
    pub is_faulty: bool,
}

/// Hears how an import or another change goes, in the order of the inputs and games, and may stop it. `()` hears nothing.
///
/// All methods are called on the thread that makes the change.
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
    /// A game is kept only up to a fault. `input` counts from 0.
    fn faulty(&mut self, input: usize, error: &PgnError) -> ControlFlow<()> {
        let _ = (input, error);
        ControlFlow::Continue(())
    }

    /// A game is skipped.
    fn skipped(&mut self, input: usize, skip: &Skip) -> ControlFlow<()> {
        let _ = (input, skip);
        ControlFlow::Continue(())
    }

    /// A game is in the archive already, or came earlier in the import; called during the commit, if the importer [looks for such
    /// games](crate::Importer::on_duplicates).
    fn duplicate(&mut self, duplicate: &ImportDuplicate) {
        let _ = duplicate;
    }

    /// An input has been read to its end; `counts` is what was in it.
    fn end_of_input(&mut self, input: usize, counts: &Counts) {
        let _ = (input, counts);
    }

    /// Is called several times a second, with the number of games so far.
    fn tick(&mut self, games: u64) -> ControlFlow<()> {
        let _ = games;
        ControlFlow::Continue(())
    }

    /// The commit has been waiting for another change for so long. Is called again and again.
    fn waiting(&mut self, since: Duration) {
        let _ = since;
    }
}

impl ChangeWatch for () {}

/// Waits until no other program changes the archive in a folder.
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
