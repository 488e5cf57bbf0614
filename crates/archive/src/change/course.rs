//! Long work on another thread, of which whoever waits hears, and which it may stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use crate::error::ArchiveError;
use crate::import::ImportWatch;
use crate::store::POLL;

/// How far the work is, and whether it is to end.
#[derive(Debug, Default)]
pub(crate) struct Course {
    games: AtomicU64,
    stop: AtomicBool,
}

impl Course {
    /// An error if the work is to end.
    pub(crate) fn go_on(&self) -> Result<(), ArchiveError> {
        if self.stop.load(Ordering::Relaxed) { Err(ArchiveError::Stopped) } else { Ok(()) }
    }

    /// How many games are done.
    pub(crate) fn games(&self) -> u64 {
        self.games.load(Ordering::Relaxed)
    }

    /// So many more games are done.
    pub(crate) fn add(&self, games: u64) {
        self.games.fetch_add(games, Ordering::Relaxed);
    }

    /// So many games are done in all.
    pub(crate) fn set(&self, games: u64) {
        self.games.store(games, Ordering::Relaxed);
    }
}

/// Does some work on another thread, while `watch` hears of it.
pub(crate) fn watched<T: Send>(
    watch: &mut dyn ImportWatch,
    work: impl FnOnce(&Course) -> Result<T, ArchiveError> + Send,
) -> Result<T, ArchiveError> {
    let course = Course::default();
    thread::scope(|scope| {
        let work = scope.spawn(|| work(&course));
        while !work.is_finished() {
            thread::sleep(POLL);
            if watch.tick(course.games()).is_break() {
                course.stop.store(true, Ordering::Relaxed);
            }
        }
        work.join().unwrap_or(Err(ArchiveError::ThreadLost))
    })
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    /// Stops what it watches when it hears of so many games.
    struct Until(u64);

    impl ImportWatch for Until {
        fn tick(&mut self, games: u64) -> ControlFlow<()> {
            if games >= self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }

    #[test]
    fn work_is_watched_and_stopped() {
        let stopped = watched::<()>(&mut Until(7), |course| {
            course.add(3);
            course.add(4);
            loop {
                course.go_on()?;
                thread::yield_now();
            }
        });
        assert!(matches!(stopped, Err(ArchiveError::Stopped)), "{stopped:?}");
        assert_eq!(watched(&mut Until(7), |course| Ok(course.games())).expect("done"), 0);
    }

    #[test]
    fn a_panic_is_an_error() {
        let lost = watched::<()>(&mut (), |_| panic!("on purpose"));
        assert!(matches!(lost, Err(ArchiveError::ThreadLost)), "{lost:?}");
    }
}
