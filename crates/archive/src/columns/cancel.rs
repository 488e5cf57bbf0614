//! Ending work that nobody waits for any longer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::error::ArchiveError;
use crate::store::Archive;

/// Asked by whoever works, told by whoever waited.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stop {
    is_told: Arc<AtomicBool>,
    /// How much work all clones of an archive have begun.
    begun: Arc<AtomicU64>,
}

impl Stop {
    /// An error if nobody waits any longer.
    pub(crate) fn check(&self) -> Result<(), ArchiveError> {
        match self.is_told.load(Ordering::Relaxed) {
            true => Err(ArchiveError::Stopped),
            false => Ok(()),
        }
    }

    /// Counts a row group.
    pub(super) fn begin(&self) {
        self.begun.fetch_add(1, Ordering::Relaxed);
    }
}

/// Held by whoever waits.
pub(crate) struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.is_told.store(true, Ordering::Relaxed);
    }
}

impl Archive {
    /// A clone whose work ends soon after the guard is gone.
    pub(crate) fn stoppable(&self) -> (Self, StopOnDrop) {
        let stop = Stop { is_told: Arc::default(), begun: Arc::clone(&self.stop.begun) };
        let mut archive = self.clone();
        archive.stop = stop.clone();
        (archive, StopOnDrop(stop))
    }

    /// How many row groups searches have worked on, with this value and its clones: for tests.
    #[doc(hidden)]
    pub fn groups_searched(&self) -> u64 {
        self.stop.begun.load(Ordering::Relaxed)
    }
}
