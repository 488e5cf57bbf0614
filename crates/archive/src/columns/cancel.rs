//! Cancellation tokens.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::ArchiveError;

/// A cancellation token. Clones share their state: after one is cancelled, work with any clone ends soon with
/// [`ArchiveError::Stopped`].
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use halfmove_archive::{Archive, ArchiveError, CancelToken, Filter};
///
/// # let folder = tempfile::tempdir()?;
/// # let archive = Archive::create(folder.path().join("games"))?;
/// # let mut importer = archive.importer();
/// # importer.push(&halfmove_game::Game::default(), None)?;
/// # importer.commit()?;
/// # let archive = archive.refresh()?;
/// let token = CancelToken::default();
/// let archive = archive.with_cancel(&token);
/// assert_eq!(archive.search(&Filter::default(), 10)?.count, 1);
/// // From another thread, a signal handler, …
/// token.cancel();
/// assert!(matches!(archive.search(&Filter::default(), 10), Err(ArchiveError::Stopped)));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct CancelToken {
    cancelled: Arc<AtomicBool>,
    /// The parent token, whose cancellation also cancels this one.
    parent: Option<Arc<CancelToken>>,
}

impl CancelToken {
    /// Cancels the work.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Returns a child token, which is cancelled with this one or separately.
    ///
    /// ```
    /// let token = halfmove_archive::CancelToken::default();
    /// let (one, other) = (token.child(), token.child());
    /// one.cancel();
    /// assert!(one.is_cancelled() && !token.is_cancelled());
    /// token.cancel();
    /// assert!(other.is_cancelled());
    /// ```
    #[must_use]
    pub fn child(&self) -> Self {
        Self { cancelled: Arc::default(), parent: Some(Arc::new(self.clone())) }
    }

    /// Returns true if the work was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
            || self.parent.as_ref().is_some_and(|parent| parent.is_cancelled())
    }

    /// Returns an error if the work was cancelled.
    pub(crate) fn check(&self) -> Result<(), ArchiveError> {
        if self.is_cancelled() { Err(ArchiveError::Stopped) } else { Ok(()) }
    }
}
