//! The match: workers that play pairs of games in parallel, and their results.

use super::game::{self, Record, Terms};
use super::log::Log;
use super::openings::{Openings, OpeningsError};
use super::player::{Engine, Fault, Patience, Player};
use halfmove_lab::{Decision, Sprt, Tally};
use halfmove_rules::{Color, Variant};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;
use thiserror::Error;

/// The definition of a match.
#[derive(Clone, Debug)]
pub(super) struct Contest {
    pub(super) engines: [Engine; 2],
    pub(super) variant: Variant,
    pub(super) pairs: u64,
    pub(super) concurrency: usize,
    pub(super) terms: Terms,
    pub(super) patience: Patience,
    pub(super) sprt: Option<Sprt>,
}

/// A match that could not be played.
#[derive(Debug, Error)]
pub(super) enum ContestError {
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    #[error("{name} {fault}")]
    Engine { name: String, fault: Fault },
    #[error("{0}")]
    Write(std::io::Error),
}

/// A game of the match.
#[derive(Clone, Debug)]
pub(super) struct Finished {
    /// The number of the pair, from 0.
    pub(super) pair: u64,
    /// True for the second game of a pair, in which the first engine has Black.
    pub(super) second: bool,
    pub(super) record: Record,
}

impl Finished {
    /// The number of the game: that of its pair, a dot, and 1 or 2.
    pub(super) fn round(&self) -> String {
        round(self.pair, self.second)
    }

    /// The first engine's color.
    pub(super) fn color(&self) -> Color {
        if self.second { Color::Black } else { Color::White }
    }

    /// The first engine's half points.
    pub(super) fn half_points(&self) -> usize {
        match self.record.ending.winner() {
            None => 1,
            Some(winner) if winner == self.color() => 2,
            Some(_) => 0,
        }
    }
}

fn round(pair: u64, second: bool) -> String {
    format!("{}.{}", pair + 1, 1 + u8::from(second))
}

/// The moves and faults of an engine so far.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(super) struct Work {
    pub(super) moves: u64,
    pub(super) time: Duration,
    pub(super) nodes: u64,
    /// The time of the moves for which a number of nodes is known.
    pub(super) time_of_nodes: Duration,
    pub(super) depths: u64,
    pub(super) moves_with_depth: u64,
    pub(super) bad_lines: u64,
    pub(super) losses_on_time: u64,
    pub(super) illegal_moves: u64,
    pub(super) crashes: u64,
}

/// The score of the match so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Standings {
    pub(super) tally: Tally,
    /// The first engine's results with White.
    pub(super) with_white: Tally,
    pub(super) endings: BTreeMap<String, u64>,
    pub(super) work: [Work; 2],
    pub(super) plies: u64,
    /// The first engine's half points in pairs of which only one game is over.
    half_pairs: BTreeMap<u64, usize>,
}

impl Standings {
    fn add(&mut self, finished: &Finished) {
        let points = finished.half_points();
        self.tally.add_game(points);
        if !finished.second {
            self.with_white.add_game(points);
        }
        match self.half_pairs.remove(&finished.pair) {
            Some(other) => self.tally.add_pair(points + other),
            None => {
                self.half_pairs.insert(finished.pair, points);
            }
        }
        let record = &finished.record;
        *self.endings.entry(record.ending.kind()).or_default() += 1;
        self.plies += record.moves.len() as u64;
        let engine_of = |color: Color| usize::from(color != finished.color());
        for (color, bad) in [Color::White, Color::Black].into_iter().zip(record.bad_lines) {
            self.work[engine_of(color)].bad_lines += u64::from(bad);
        }
        let book = record.moves.len() - record.played.len();
        let mut mover = record.start.side_to_move();
        if book % 2 == 1 {
            mover = !mover;
        }
        for played in &record.played {
            let work = &mut self.work[engine_of(mover)];
            work.moves += 1;
            work.time += played.elapsed;
            if let Some(nodes) = played.thought.nodes {
                work.nodes += nodes;
                work.time_of_nodes += played.elapsed;
            }
            if let Some(depth) = played.thought.depth {
                work.depths += u64::from(depth);
                work.moves_with_depth += 1;
            }
            mover = !mover;
        }
        if let super::referee::Ending::Fault { color, fault, .. } = &record.ending {
            let work = &mut self.work[engine_of(*color)];
            match fault {
                Fault::Time(_) => work.losses_on_time += 1,
                Fault::Illegal(_) | Fault::Claim(_) => work.illegal_moves += 1,
                Fault::Crashed(_) | Fault::Silent(_) | Fault::NoStart(_) => work.crashes += 1,
                Fault::Resigned | Fault::Stopped => {}
            }
        }
    }
}

/// The end of a match.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// All games were played.
    Played,
    Decided(Decision),
    Interrupted,
}

/// Plays a match. `report` is called after each game; its error ends the match.
pub(super) fn run(
    contest: &Contest,
    openings: &mut Openings,
    log: Option<&Arc<Log>>,
    interrupted: &AtomicBool,
    mut report: impl FnMut(&Finished, &Standings) -> std::io::Result<()>,
) -> Result<(Standings, Stop), ContestError> {
    let stop = AtomicBool::new(false);
    let mut standings = Standings::default();
    let mut ended = Stop::Played;
    let mut failure = None;
    let queue = Mutex::new((0, openings));
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..contest.concurrency {
            let (queue, stop, sender) = (&queue, &stop, sender.clone());
            scope.spawn(move || {
                if let Err(error) = work(contest, queue, log, stop, &sender) {
                    let _ = sender.send(Err(error));
                }
            });
        }
        drop(sender);
        loop {
            let result = results.recv_timeout(Duration::from_millis(100));
            if interrupted.load(Ordering::Relaxed) && !stop.swap(true, Ordering::Relaxed) {
                ended = Stop::Interrupted;
            }
            let result = match result {
                Ok(result) => result,
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => continue,
            };
            // Games that end after the match are not part of it.
            if stop.load(Ordering::Relaxed) {
                continue;
            }
            match result {
                Ok(finished) => {
                    standings.add(&finished);
                    if let Err(error) = report(&finished, &standings) {
                        failure = Some(ContestError::Write(error));
                        stop.store(true, Ordering::Relaxed);
                    }
                    let decision =
                        contest.sprt.and_then(|sprt| sprt.decision(standings.tally.pairs));
                    if let Some(decision) = decision {
                        ended = Stop::Decided(decision);
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                Err(error) => {
                    failure = Some(error);
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
    });
    match failure {
        Some(failure) => Err(failure),
        None => Ok((standings, ended)),
    }
}

/// Plays one pair after the other, until there are no more or the match is stopped.
fn work(
    contest: &Contest,
    queue: &Mutex<(u64, &mut Openings)>,
    log: Option<&Arc<Log>>,
    stop: &AtomicBool,
    sender: &mpsc::Sender<Result<Finished, ContestError>>,
) -> Result<(), ContestError> {
    let player = |engine| Player::new(engine, contest.variant, contest.patience, stop, log);
    let [first, second] = &contest.engines;
    let (mut first, mut second) = (player(first), player(second));
    for (player, engine) in [&mut first, &mut second].into_iter().zip(&contest.engines) {
        // An engine that never starts would lose all games, whatever its strength.
        match player.start() {
            Ok(()) => {}
            Err(Fault::Stopped) => return Ok(()),
            Err(fault) => return Err(ContestError::Engine { name: engine.name.clone(), fault }),
        }
    }
    let limits = [contest.engines[0].limit, contest.engines[1].limit];
    while !stop.load(Ordering::Relaxed) {
        let (pair, opening) = {
            let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
            let pair = queue.0;
            if pair == contest.pairs {
                break;
            }
            queue.0 += 1;
            (pair, queue.1.next()?)
        };
        for swapped in [false, true] {
            let (players, limits) = if swapped {
                ([&mut second, &mut first], [limits[1], limits[0]])
            } else {
                ([&mut first, &mut second], limits)
            };
            let round = round(pair, swapped);
            let Some(record) = game::play(players, limits, &opening, contest.terms, &round) else {
                return Ok(());
            };
            let finished = Finished { pair, second: swapped, record };
            if sender.send(Ok(finished)).is_err() {
                return Ok(());
            }
        }
    }
    first.end();
    second.end();
    Ok(())
}
