//! Games of the engine against itself.
//!
//! Each game begins with some random moves, as long as the position stays balanced, and goes on with searches of so many
//! nodes. It ends by the rules, by a mate that the search has found, or early if it is decided: six plies in a row beyond
//! [`WON`], or from ply 100 on twenty in a row within [`DRAWN`]. No count may be running for that, because then the end is
//! near and what matters is whether it comes in time.
//!
//! The same arguments give the same games, with any number of threads.
//!
//! Quiet positions become [samples](Sample): no check, no mate in sight, and the move to come neither captures nor promotes.

use super::Sample;
use crate::board::mix;
use crate::{Answer, Evaluator, KeyedMakruk, Limits, Memory, Search, SearchBoard, Value};
use halfmove_rules::{AnyPosition, Chess, Color, History, Move, Variant};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

/// Centipawns of a decided game.
const WON: i32 = 1_500;
/// Centipawns of a game that leads nowhere.
const DRAWN: i32 = 12;
/// A start is balanced up to so many centipawns.
const BALANCED: i32 = 120;
/// Beyond, a position teaches nothing.
const TOO_FAR: i32 = 1_200;
/// After so many openings of which none is balanced, a game begins at the start position.
const MOST_TRIES: u32 = 200;
/// The longest game.
const MOST_PLIES: usize = 500;

/// What games to play.
///
/// ```
/// use halfmove_engine::training::Datagen;
/// use halfmove_rules::Variant;
///
/// let games = Datagen { games: 2, nodes: 50, ..Datagen::new(Variant::Chess) };
/// let (mut once, mut again) = (Vec::new(), Vec::new());
/// let summary = games.run(&mut once)?;
/// Datagen { threads: 2, ..games }.run(&mut again)?;
/// assert_eq!(summary.games, 2);
/// assert!(!once.is_empty() && once == again);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Datagen {
    /// The game.
    pub variant: Variant,
    /// How many games.
    pub games: u32,
    /// Nodes for each move.
    pub nodes: u64,
    /// Random moves at the start; half of the games have one more.
    pub random_plies: u32,
    /// Threads; they do not change the result.
    pub threads: usize,
    /// Another seed, other games.
    pub seed: u64,
    /// Whether the hand-made evaluation is asked also where there is a net.
    pub by_hand: bool,
}

/// What came of them.
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

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mix(self.0) % end as u64) as usize
    }
}

struct Played {
    samples: Vec<Sample>,
    plies: u64,
    winner: Option<Color>,
}

impl Datagen {
    /// A thousand games with 2,000 nodes a move.
    pub const fn new(variant: Variant) -> Self {
        Self {
            variant,
            games: 1_000,
            nodes: 2_000,
            random_plies: 8,
            threads: 1,
            seed: 1,
            by_hand: false,
        }
    }

    /// Plays the games and writes their samples, a line each, in the order of the games, each game at once: where writing
    /// ends, the samples of whole games are there.
    pub fn run(&self, out: &mut impl Write) -> io::Result<DatagenSummary> {
        let next = AtomicU32::new(0);
        let (send, receive) = mpsc::sync_channel(64);
        let mut summary = DatagenSummary::default();
        thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, self.games.max(1) as usize) {
                let (send, next) = (send.clone(), &next);
                scope.spawn(move || {
                    let memory = Memory::new(4);
                    loop {
                        let number = next.fetch_add(1, Relaxed);
                        if number >= self.games {
                            return;
                        }
                        memory.clear();
                        // Nobody listens any more if writing failed.
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
                }
            }
            out.flush()?;
            Ok(summary)
        })
    }

    fn play(&self, number: u32, memory: &Memory) -> Played {
        let mut random = Random(mix(self.seed) ^ mix(u64::from(number) << 32));
        let opened = (0..MOST_TRIES).find_map(|_| self.open(&mut random, memory));
        let mut game = opened.unwrap_or_else(|| Game::start(AnyPosition::start(self.variant)));
        let mut played = Played { samples: Vec::new(), plies: 0, winner: None };
        let (mut won, mut drawn) = (0, 0);
        for ply in 0..MOST_PLIES {
            if let Some(outcome) = game.history.outcome().or_else(|| game.history.claim()) {
                played.winner = outcome.winner();
                break;
            }
            let (answer, is_quiet) = game.search(self, memory);
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
            if won >= 6 {
                played.winner = Some(if for_white > 0 { Color::White } else { Color::Black });
                break;
            }
            if ply >= 100 && drawn >= 20 {
                break;
            }
            if is_quiet && for_white.abs() <= TOO_FAR {
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

    /// Random moves to a balanced position, if they lead to one.
    fn open(&self, random: &mut Random, memory: &Memory) -> Option<Game> {
        let shuffled = (self.variant == Variant::Chess960)
            .then(|| Chess::chess960(random.below(960) as u16))
            .flatten()
            .map(|chess| AnyPosition::Chess(chess.into_chess960()));
        let mut game = Game::start(shuffled.unwrap_or_else(|| AnyPosition::start(self.variant)));
        for _ in 0..self.random_plies as usize + random.below(2) {
            let mut moves: Vec<_> = game.history.position().legal_moves().into_iter().collect();
            moves.sort();
            if moves.is_empty() {
                return None;
            }
            game.play(moves[random.below(moves.len())]);
        }
        if game.history.outcome().is_some() {
            return None;
        }
        let (answer, _) = game.search(self, memory);
        let balanced = |value| matches!(value, Value::Centipawns(cp) if cp.abs() <= BALANCED);
        balanced(answer.value).then_some(game)
    }
}

/// A game in progress, with what a search needs of it.
struct Game {
    history: History<AnyPosition>,
    /// The keys of the positions before.
    earlier: Vec<u64>,
}

impl Game {
    fn start(position: AnyPosition) -> Self {
        Self { history: History::new(position), earlier: Vec::new() }
    }

    fn play(&mut self, mv: Move) {
        self.earlier.push(match self.history.position() {
            AnyPosition::Chess(chess) => SearchBoard::key(chess),
            AnyPosition::Makruk(makruk) => makruk.zobrist().0,
        });
        self.history.play_unchecked(mv);
    }

    /// The best move, and whether position and move are quiet.
    fn search(&self, how: &Datagen, memory: &Memory) -> (Answer, bool) {
        match self.history.position() {
            AnyPosition::Chess(chess) => search(chess, &self.earlier, how, memory),
            AnyPosition::Makruk(makruk) => {
                search(&KeyedMakruk::new(makruk.clone()), &self.earlier, how, memory)
            }
        }
    }
}

fn search<B: SearchBoard>(
    board: &B,
    earlier: &[u64],
    how: &Datagen,
    memory: &Memory,
) -> (Answer, bool) {
    let limits = Limits { nodes: Some(how.nodes), ..Limits::default() };
    let evaluator = if how.by_hand { Evaluator::Hand } else { Evaluator::BuiltIn };
    let search = Search::new(memory).with_evaluator(evaluator);
    let answer = search.run(board, earlier, &limits, &mut |_| {});
    let is_quiet =
        |mv: Move| !board.is_check() && !board.is_capture(mv) && mv.promotion().is_none();
    let quiet = answer.best.is_some_and(is_quiet);
    (answer, quiet)
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
