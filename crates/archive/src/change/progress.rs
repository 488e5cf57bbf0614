//! Progress and cancellation of work on another thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use super::watch::ChangeWatch;
use crate::error::ArchiveError;
use crate::snapshot::POLL;

/// The number of games done, and a request to stop.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    games: AtomicU64,
    stop: AtomicBool,
}

impl Progress {
    /// Returns an error if the work is to stop.
    pub(crate) fn check(&self) -> Result<(), ArchiveError> {
        if self.stop.load(Ordering::Relaxed) { Err(ArchiveError::Stopped) } else { Ok(()) }
    }

    /// The number of games done.
    pub(crate) fn games(&self) -> u64 {
        self.games.load(Ordering::Relaxed)
    }

    /// Adds to the number of games done.
    pub(crate) fn add(&self, games: u64) {
        self.games.fetch_add(games, Ordering::Relaxed);
    }

    /// Sets the number of games done.
    pub(crate) fn set(&self, games: u64) {
        self.games.store(games, Ordering::Relaxed);
    }
}

/// Runs a function on another thread, and reports its progress to `watch`.
pub(crate) fn watched<T: Send>(
    watch: &mut dyn ChangeWatch,
    work: impl FnOnce(&Progress) -> Result<T, ArchiveError> + Send,
) -> Result<T, ArchiveError> {
    let progress = Progress::default();
    let (mut work, mut result) = (Some(work), None);
    watch_thread(watch, &progress, &mut || result = work.take().map(|work| work(&progress)));
    // Nothing, if the thread panicked.
    result.unwrap_or(Err(ArchiveError::ThreadLost))
}

/// Not generic, so that threads are compiled once.
fn watch_thread(watch: &mut dyn ChangeWatch, progress: &Progress, work: &mut (dyn FnMut() + Send)) {
    thread::scope(|scope| {
        let work = scope.spawn(work);
        while !work.is_finished() {
            thread::sleep(POLL);
            if watch.tick(progress.games()).is_break() {
                progress.stop.store(true, Ordering::Relaxed);
            }
        }
        // A panic leaves no result behind.
        let _ = work.join();
    });
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    /// Stops the work once this number of games is reported.
    struct Until(u64);

    impl ChangeWatch for Until {
        fn tick(&mut self, games: u64) -> ControlFlow<()> {
            if games >= self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }

    #[test]
    fn work_is_watched_and_stopped() {
        let stopped = watched::<()>(&mut Until(7), |progress| {
            progress.add(3);
            progress.add(4);
            loop {
                progress.check()?;
                thread::yield_now();
            }
        });
        assert!(matches!(stopped, Err(ArchiveError::Stopped)), "{stopped:?}");
        assert_eq!(watched(&mut Until(7), |progress| Ok(progress.games())).expect("done"), 0);
    }

    #[test]
    fn a_panic_is_an_error() {
        let lost = watched::<()>(&mut (), |_| panic!("on purpose"));
        assert!(matches!(lost, Err(ArchiveError::ThreadLost)), "{lost:?}");
    }
}
