//! Games of the engine against itself.
//!
//! Each game begins with some random moves, repeated until they lead to a balanced position, and continues with
//! searches of a fixed number of nodes. It ends by the rules, when the search finds a mate, or early if it is decided:
//! [`WON_PLIES`] in a row beyond [`WON`], or, from ply [`DRAWN_FROM`] on, [`DRAWN_PLIES`] in a row within [`DRAWN`].
//! Games are not ended early during a count of Makruk, because the result then depends on whether mate comes in time. A
//! game that reaches [`MAX_PLIES`] is a draw. Plies are counted from the first search on.
//!
//! The same arguments give the same games, with any number of threads.
//!
//! Quiet positions become [samples](Sample): no check, no mate score, and the best move is neither a capture nor a
//! promotion.

use super::Sample;
use halfmove_engine::{
    Evaluator, Limits, Memory, Opening, Random, Search, SearchResult, Value, key_of,
};
use halfmove_rules::{AnyPosition, Color, History, Move, Variant};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

/// A lead in centipawns that decides a game if it lasts: three rooks, or a queen and a rook. Not tuned.
const WON: i32 = 1_500;
/// The number of plies for which it has to last: three moves of each side, so that no exchange is unfinished. Not
/// tuned.
const WON_PLIES: u32 = 6;
/// The largest lead, in centipawns, in a drawn game. Not tuned.
const DRAWN: i32 = 12;
/// The number of plies for which the lead has to stay within it: ten moves of each side. Not tuned.
const DRAWN_PLIES: u32 = 20;
/// The ply from which on games are drawn in this way; before it, most of the material is still on the board. Not tuned.
const DRAWN_FROM: usize = 100;
/// The largest score of a balanced position, in centipawns: about a pawn. Not tuned.
const BALANCED: i32 = 120;
/// The largest score of a sample, in centipawns. Beyond it, the curve for scores is nearly flat; here it gives odds of
/// 1,000 to 1.
const TOO_FAR: i32 = 1_200;
/// The number of unbalanced openings after which a game begins at the standard starting position: after many random
/// moves, few positions are balanced. Not tuned.
const MAX_TRIES: u32 = 200;
/// The maximum length of a game: repeated shuffling teaches little. Not tuned.
const MAX_PLIES: usize = 500;
/// The transposition table of each thread. A search of some thousand nodes does not fill it. Not tuned.
const HASH_MIB: usize = 4;
/// The number of finished games that may wait to be written before the threads block. Not tuned.
const MAX_WAITING: usize = 64;

/// The options of a run of datagen.
///
/// ```
/// use halfmove_lab::training::Datagen;
/// use halfmove_rules::Variant;
///
/// let games = Datagen { games: 2, nodes: 50, ..Datagen::new(Variant::Chess) };
/// let (mut once, mut again) = (Vec::new(), Vec::new());
/// let mut samples = Vec::new();
/// let summary = games.run(&mut once, &mut |so_far| samples.push(so_far.samples))?;
/// Datagen { threads: 2, ..games }.run(&mut again, &mut |_| {})?;
/// assert_eq!((summary.games, samples.len()), (2, 2));
/// assert_eq!(samples.last(), Some(&summary.samples));
/// assert!(!once.is_empty() && once == again);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Datagen {
    /// The game.
    pub variant: Variant,
    /// The number of games.
    pub games: u32,
    /// Nodes for each move.
    pub nodes: u64,
    /// Random moves at the start; half of the games have one more.
    pub random_plies: u32,
    /// Threads; they do not change the result.
    pub threads: usize,
    /// The random seed.
    pub seed: u64,
    /// Use the hand-crafted evaluation even where there is a net.
    pub hand_crafted: bool,
}

/// The games that were played.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct DatagenSummary {
    /// Games.
    pub games: u32,
    /// Won by White, drawn, won by Black.
    pub results: [u32; 3],
    /// Half-moves, without the random ones.
    pub plies: u64,
    /// Samples.
    pub samples: u64,
}

struct Played {
    samples: Vec<Sample>,
    plies: u64,
    winner: Option<Color>,
}

impl Datagen {
    /// A thousand games with 2,000 nodes per move.
    pub const fn new(variant: Variant) -> Self {
        Self {
            variant,
            games: 1_000,
            nodes: 2_000,
            random_plies: 8,
            threads: 1,
            seed: 1,
            hand_crafted: false,
        }
    }

    /// Plays the games and writes their samples, one per line, in the order of the games. Each game is written at once,
    /// so that after an interruption there are only whole games. After each game, `report` is called with the summary
    /// so far.
    pub fn run(
        &self,
        out: &mut impl Write,
        report: &mut dyn FnMut(DatagenSummary),
    ) -> io::Result<DatagenSummary> {
        let next = AtomicU32::new(0);
        let (send, receive) = mpsc::sync_channel(MAX_WAITING);
        let mut summary = DatagenSummary::default();
        thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, self.games.max(1) as usize) {
                let (send, next) = (send.clone(), &next);
                scope.spawn(move || {
                    let memory = Memory::new(HASH_MIB);
                    loop {
                        let number = next.fetch_add(1, Relaxed);
                        if number >= self.games {
                            return;
                        }
                        memory.clear();
                        // The receiver has been dropped if writing failed.
                        if send.send((number, self.play(number, &memory))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(send);
            let mut waiting = BTreeMap::new();
            for (number, game) in receive {
                waiting.insert(number, game);
                while let Some(game) = waiting.remove(&summary.games) {
                    summary.add(&game);
                    let lines: String =
                        game.samples.iter().map(|sample| format!("{sample}\n")).collect();
                    out.write_all(lines.as_bytes())?;
                    report(summary);
                }
            }
            out.flush()?;
            Ok(summary)
        })
    }

    fn play(&self, number: u32, memory: &Memory) -> Played {
        let scrambled = |number| Random::one_earlier(number).number();
        let mut random = Random::new(scrambled(self.seed) ^ scrambled(u64::from(number) << 32));
        let opened = (0..MAX_TRIES).find_map(|_| self.open(&mut random, memory));
        let mut game = opened.unwrap_or_else(|| Game::new(AnyPosition::start(self.variant)));
        let mut played = Played { samples: Vec::new(), plies: 0, winner: None };
        let (mut won, mut drawn) = (0, 0);
        for ply in 0..MAX_PLIES {
            if let Some(outcome) = game.history.outcome().or_else(|| game.history.claim()) {
                played.winner = outcome.winner();
                break;
            }
            let answer = game.search(self, memory);
            let Some(mv) = answer.best else { break };
            let position = game.history.position();
            let us = position.side_to_move();
            let for_white = match (answer.value, us) {
                (Value::Mate(moves), _) => {
                    played.winner = Some(if moves > 0 { us } else { !us });
                    break;
                }
                (Value::Centipawns(centipawns), Color::White) => centipawns,
                (Value::Centipawns(centipawns), Color::Black) => -centipawns,
            };
            let counting = position.as_makruk().is_some_and(|makruk| makruk.counting().is_some());
            won = if for_white.abs() >= WON && !counting { won + 1 } else { 0 };
            drawn = if for_white.abs() <= DRAWN && !counting { drawn + 1 } else { 0 };
            if won >= WON_PLIES {
                played.winner = Some(if for_white > 0 { Color::White } else { Color::Black });
                break;
            }
            if ply >= DRAWN_FROM && drawn >= DRAWN_PLIES {
                break;
            }
            if is_quiet(position, mv) && for_white.abs() <= TOO_FAR {
                let position = position.clone();
                played.samples.push(Sample { position, centipawns: for_white, points: 0.5 });
            }
            played.plies += 1;
            game.play(mv);
        }
        let points = match played.winner {
            Some(Color::White) => 1.0,
            Some(Color::Black) => 0.0,
            None => 0.5,
        };
        played.samples.iter_mut().for_each(|sample| sample.points = points);
        played
    }

    /// Plays random moves. Returns the position if it is balanced.
    fn open(&self, random: &mut Random, memory: &Memory) -> Option<Game> {
        let start = Opening::at_start(self.variant, random);
        let plies = self.random_plies as usize + random.below(2);
        let opening = start.with_random_moves(plies, random)?;
        let mut game = Game::new(opening.start);
        opening.moves.into_iter().for_each(|mv| game.play(mv));
        if game.history.outcome().is_some() {
            return None;
        }
        let balanced = |value| matches!(value, Value::Centipawns(cp) if cp.abs() <= BALANCED);
        balanced(game.search(self, memory).value).then_some(game)
    }
}

/// A game in progress, with the data needed for a search.
struct Game {
    history: History<AnyPosition>,
    /// The keys of the positions before.
    earlier: Vec<u64>,
}

impl Game {
    fn new(start: AnyPosition) -> Self {
        Self { history: History::new(start), earlier: Vec::new() }
    }

    fn play(&mut self, mv: Move) {
        self.earlier.push(key_of(self.history.position()));
        self.history.play_unchecked(mv);
    }

    fn search(&self, how: &Datagen, memory: &Memory) -> SearchResult {
        let limits = Limits { nodes: Some(how.nodes), ..Limits::default() };
        let evaluator = if how.hand_crafted { Evaluator::HandCrafted } else { Evaluator::BuiltIn };
        let search = Search::new(memory).with_evaluator(evaluator);
        search.run_any(self.history.position(), &self.earlier, &limits, &mut |_| {})
    }
}

/// Returns `true` if a position is quiet, and so is its best move.
fn is_quiet(position: &AnyPosition, best: Move) -> bool {
    !position.is_check() && !position.is_capture(best) && best.promotion().is_none()
}

impl DatagenSummary {
    fn add(&mut self, game: &Played) {
        self.games += 1;
        self.plies += game.plies;
        self.samples += game.samples.len() as u64;
        let result = match game.winner {
            Some(Color::White) => 0,
            None => 1,
            Some(Color::Black) => 2,
        };
        self.results[result] += 1;
    }
}

impl fmt::Display for DatagenSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, results: [white, drawn, black], plies, samples } = self;
        write!(
            f,
            "{games} games, {plies} half-moves: White won {white}, Black {black}, drawn {drawn}. \
             {samples} samples."
        )
    }
}
