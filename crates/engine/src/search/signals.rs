//! Signals from other threads to a search: stop, and ponder hit.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Stops a search, or starts its clock after a ponder hit.
///
/// ```
/// use halfmove_engine::Signals;
/// let signals = Signals::pondering();
/// signals.stop();
/// assert!(signals.is_stopped());
/// ```
#[derive(Debug, Default)]
pub struct Signals {
    stopped: AtomicBool,
    /// Set while pondering: the time does not count yet.
    pondering: AtomicBool,
    /// The time of the ponder hit, in microseconds; 0 if there was none.
    hit_us: AtomicU64,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Signals {
    /// Creates signals for a search in the opponent's time.
    pub fn pondering() -> Self {
        Self { pondering: AtomicBool::new(true), ..Self::default() }
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.change(|| self.stopped.store(true, Relaxed));
    }

    /// Reports that the opponent has played the expected move: from `now` on, the search uses its own time. Only the
    /// first call has an effect, and only on a search in the opponent's time.
    pub fn ponder_hit(&self, now: Duration) {
        if !self.is_pondering() {
            return;
        }
        self.hit_us.store(u64::try_from(now.as_micros()).unwrap_or(u64::MAX), Relaxed);
        self.change(|| self.pondering.store(false, Relaxed));
    }

    fn change(&self, change: impl FnOnce()) {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        change();
        drop(guard);
        self.changed.notify_all();
    }

    /// Returns true once the search has to stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    pub(super) fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// The time from which the search's own time counts, for a search that started at `start`.
    pub(super) fn start(&self, start: Duration) -> Duration {
        start.max(Duration::from_micros(self.hit_us.load(Relaxed)))
    }

    /// Waits until the search may return its result: until it is stopped, or is neither infinite nor pondering.
    pub(crate) fn wait(&self, infinite: bool) {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() && (infinite || self.is_pondering()) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
