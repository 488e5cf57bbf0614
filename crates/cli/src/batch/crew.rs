//! Several threads that work on numbered games; the results come back in order.

use super::Piece;
use crate::interrupt::Interrupt;
use anyhow::anyhow;
use halfmove_engine::Signals;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The maximum number of games under way for each thread: games that wait for a thread, and finished games that wait for a long
/// game before them.
const UNDER_WAY: u64 = 32;

/// The interval between checks for an interrupt.
const PATIENCE: Duration = Duration::from_millis(50);

/// Takes the results, each with the position of its game in the source.
type Take<'a> = &'a mut dyn FnMut(u64, Piece) -> anyhow::Result<()>;

/// A result; `None` if the work was stopped, an error if it failed or the thread panicked.
type Made = thread::Result<anyhow::Result<Option<Piece>>>;

/// Hands out games.
pub(crate) struct Feed<'a, 'b, J> {
    jobs: Sender<(u64, J)>,
    made: Receiver<(u64, Made)>,
    interrupt: &'a Interrupt,
    take: Take<'b>,
    /// The number of games that were done in earlier runs.
    skip: u64,
    /// The number of the next game to hand out; `written` is that of the next result.
    next: u64,
    written: u64,
    most: u64,
    /// Results that came early; `positions` has the places in the source of the games under way.
    early: BTreeMap<u64, Piece>,
    positions: BTreeMap<u64, u64>,
}

/// Works on all games that `feed` hands out, except the first `skip`.
pub(super) fn in_order<J: Send, S>(
    threads: usize,
    skip: u64,
    interrupt: &Interrupt,
    make: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, J, &Signals) -> anyhow::Result<Option<Piece>> + Sync,
    feed: impl FnOnce(&mut Feed<'_, '_, J>) -> anyhow::Result<()>,
    take: Take<'_>,
) -> anyhow::Result<()> {
    let signals = Signals::default();
    let (jobs, waiting) = mpsc::channel::<(u64, J)>();
    let waiting = Mutex::new(waiting);
    let (send, made) = mpsc::channel();
    thread::scope(|scope| {
        for number in 0..threads {
            let (send, waiting, signals) = (send.clone(), &waiting, &signals);
            let (make, work) = (&make, &work);
            let run = move || {
                let mut state = make();
                loop {
                    let job = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((number, job)) = job else { return };
                    let made = catch_unwind(AssertUnwindSafe(|| work(&mut state, job, signals)));
                    if send.send((number, made)).is_err() {
                        return;
                    }
                }
            };
            let named = thread::Builder::new().name("halfmove-search".to_owned());
            match named.spawn_scoped(scope, run) {
                // Fewer threads do the same work.
                Err(error) if number == 0 => {
                    return Err(anyhow!("cannot start a thread: {error}"));
                }
                Err(_) => break,
                Ok(_) => {}
            }
        }
        drop(send);
        let mut all = Feed {
            jobs,
            made,
            interrupt,
            take,
            skip,
            next: 0,
            written: skip,
            most: UNDER_WAY * threads as u64,
            early: BTreeMap::new(),
            positions: BTreeMap::new(),
        };
        let fed = feed(&mut all);
        let done = fed.and_then(|()| all.finish());
        if done.is_err() {
            signals.stop();
        }
        // The threads end when nothing more can come.
        drop(all);
        done
    })
}

impl<J> Feed<'_, '_, J> {
    /// Returns true if the next game was done in an earlier run; then [`pass`](Self::pass) can replace [`push`](Self::push).
    pub(crate) fn was_done(&self) -> bool {
        self.next < self.skip
    }

    /// Skips a game that was done in an earlier run.
    pub(crate) fn pass(&mut self) -> anyhow::Result<()> {
        self.next += 1;
        self.look()
    }

    /// Hands out a game. `position` is the progress in the source after it. Blocks while enough games are under way.
    pub(crate) fn push(&mut self, job: J, position: u64) -> anyhow::Result<()> {
        if self.was_done() {
            return self.pass();
        }
        while self.next - self.written >= self.most {
            self.receive()?;
        }
        self.look()?;
        self.positions.insert(self.next, position);
        self.jobs.send((self.next, job)).map_err(|_| lost())?;
        self.next += 1;
        Ok(())
    }

    /// The number of games handed out, including those of earlier runs.
    pub(crate) fn games(&self) -> u64 {
        self.next
    }

    /// Waits for all games.
    fn finish(&mut self) -> anyhow::Result<()> {
        while self.written < self.next {
            self.receive()?;
        }
        Ok(())
    }

    /// Takes the results that are ready and checks for an interrupt, without blocking.
    fn look(&mut self) -> anyhow::Result<()> {
        while let Ok((number, made)) = self.made.try_recv() {
            self.note(number, made)?;
        }
        self.check()
    }

    fn check(&self) -> anyhow::Result<()> {
        match self.interrupt.check() {
            Some(interrupted) => Err(interrupted.into()),
            None => Ok(()),
        }
    }

    /// Waits for a result.
    fn receive(&mut self) -> anyhow::Result<()> {
        loop {
            match self.made.recv_timeout(PATIENCE) {
                Ok((number, made)) => return self.note(number, made),
                Err(RecvTimeoutError::Timeout) => self.check()?,
                Err(RecvTimeoutError::Disconnected) => return Err(lost()),
            }
        }
    }

    /// Stores a result, and passes on all results that are next.
    fn note(&mut self, number: u64, made: Made) -> anyhow::Result<()> {
        let piece = made.map_err(|_| lost())??.ok_or_else(lost)?;
        self.early.insert(number, piece);
        while let Some(piece) = self.early.remove(&self.written) {
            let position = self.positions.remove(&self.written).unwrap_or(0);
            (self.take)(position, piece)?;
            self.written += 1;
        }
        Ok(())
    }
}

fn lost() -> anyhow::Error {
    anyhow!("a thread panicked, which is a bug in halfmove")
}
