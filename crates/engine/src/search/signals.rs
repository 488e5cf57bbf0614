//! Signals from other threads to a search: stop, or the expected move has been played.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Tells a search to stop, or that its time begins.
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
    /// Set while the opponent is thinking: time does not count yet.
    pondering: AtomicBool,
    /// When time began to count, in microseconds; 0 for the start of the search.
    hit_us: AtomicU64,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Signals {
    /// For a search in the opponent's time.
    pub fn pondering() -> Self {
        Self { pondering: AtomicBool::new(true), ..Self::default() }
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.change(|| self.stopped.store(true, Relaxed));
    }

    /// The opponent has played the expected move: from `now` on, the search uses its own time. Only the first time counts,
    /// and only for a search in the opponent's time.
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

    /// True once the search has to stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    pub(super) fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// When time began to count, for a search that started at `start`.
    pub(super) fn start(&self, start: Duration) -> Duration {
        start.max(Duration::from_micros(self.hit_us.load(Relaxed)))
    }

    /// Waits until the search may answer: until it is stopped, or neither infinite nor pondering.
    pub(crate) fn wait(&self, infinite: bool) {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() && (infinite || self.is_pondering()) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
