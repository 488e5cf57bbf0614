//! Several threads that work on numbered games; what they make of them comes back in order.

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

/// So many games for each thread are under way at most: those that wait for a thread, and those that wait for a long game before
/// them.
const UNDER_WAY: u64 = 32;

/// How often to look whether the user wants to stop.
const PATIENCE: Duration = Duration::from_millis(50);

/// Takes the results, each with the position of its game in the source.
type Take<'a> = &'a mut dyn FnMut(u64, Piece) -> anyhow::Result<()>;

/// A result; `None` if it was stopped, an error if the thread was lost.
type Made = thread::Result<Option<Piece>>;

/// Hands out games.
pub(crate) struct Feed<'a, 'b, J> {
    jobs: Sender<(u64, J)>,
    made: Receiver<(u64, Made)>,
    interrupt: &'a Interrupt,
    take: Take<'b>,
    /// How many games were done before.
    skip: u64,
    /// The number of the next game that is handed out, and that of the next result.
    next: u64,
    written: u64,
    most: u64,
    /// Results that came early, and the positions of the games that are under way.
    early: BTreeMap<u64, Piece>,
    positions: BTreeMap<u64, u64>,
}

/// Works on all games that `feed` hands out, except the first `skip`.
pub(super) fn in_order<J: Send, S>(
    threads: usize,
    skip: u64,
    interrupt: &Interrupt,
    make: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, J, &Signals) -> Option<Piece> + Sync,
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
                // Fewer threads do the same.
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
    /// Whether the next game was done before, so that [`pass`](Self::pass) can take the place of [`push`](Self::push).
    pub(crate) fn was_done(&self) -> bool {
        self.next < self.skip
    }

    /// A game that was done before.
    pub(crate) fn pass(&mut self) -> anyhow::Result<()> {
        self.next += 1;
        self.look()
    }

    /// A game, and how far the source has come with it. Waits while there is enough to do.
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

    /// How many games have been handed out, those that were done before among them.
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

    /// Takes what has come, and looks whether to stop, without waiting.
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

    /// A result has come: passes on all that are next.
    fn note(&mut self, number: u64, made: Made) -> anyhow::Result<()> {
        let piece = made.map_err(|_| lost())?.ok_or_else(lost)?;
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
    anyhow!("a thread has failed, which is a mistake of this program")
}
