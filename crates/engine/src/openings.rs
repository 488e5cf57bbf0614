//! Random, balanced openings.
//!
//! Random moves lead to a position, and a short search decides if it is balanced. A position that has occurred before,
//! even with colors swapped, is skipped. The same seed gives the same openings.

use crate::board::mix;
use crate::{Limits, Memory, Random, Search, Value};
use halfmove_rules::{AnyPosition, Chess, Move, Variant};
use std::collections::HashSet;

/// The number of nodes of the search that decides if an opening is balanced. Not tuned.
const NODES: u64 = 1_000;

/// The largest score of a balanced opening, in centipawns: a pawn. Not tuned.
const BALANCED: i32 = 100;

/// The maximum number of consecutive attempts without a new opening, after which the openings end. Not tuned.
const PATIENCE: u32 = 1_000;

/// A start position, the moves from there, and the resulting position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The start position of the game; in Chess960, one of the 960.
    pub start: AnyPosition,
    /// The random moves.
    pub moves: Vec<Move>,
    /// The position after them.
    pub position: AnyPosition,
}

impl Opening {
    /// The start position of a game, without moves. In Chess960 it is a random one of the 960.
    ///
    /// ```
    /// use halfmove_engine::{Opening, Random};
    /// use halfmove_rules::Variant;
    ///
    /// let mut random = Random::new(7);
    /// let start = Opening::at_start(Variant::Chess960, &mut random);
    /// let opening = start.with_random_moves(6, &mut random).expect("no mate so soon");
    /// assert_eq!(opening.position.ply(), 6);
    /// ```
    pub fn at_start(variant: Variant, random: &mut Random) -> Self {
        let drawn = match variant {
            Variant::Chess960 => Chess::chess960(random.below(960) as u16),
            _ => None,
        };
        let start = match drawn {
            Some(chess) => AnyPosition::Chess(chess),
            None => AnyPosition::start(variant),
        };
        Self { position: start.clone(), start, moves: Vec::new() }
    }

    /// Adds `plies` random legal moves; `None` if there are no legal moves before that. The position may be a draw or
    /// mate.
    #[must_use]
    pub fn with_random_moves(mut self, plies: usize, random: &mut Random) -> Option<Self> {
        for _ in 0..plies {
            let mut legal: Vec<Move> = self.position.legal_moves().into_iter().collect();
            if legal.is_empty() {
                return None;
            }
            // The order of legal moves is not specified.
            legal.sort_unstable();
            let mv = legal[random.below(legal.len())];
            self.position.play_unchecked(mv);
            self.moves.push(mv);
        }
        Some(self)
    }

    /// A key of the position, the same with colors swapped.
    pub fn key(&self) -> u64 {
        self.position.zobrist().0.min(self.position.flipped().zobrist().0)
    }
}

/// An iterator over openings of a game. No two lead to the same position, even with colors swapped. It ends when no
/// more are found.
///
/// ```
/// use halfmove_engine::Openings;
/// use halfmove_rules::Variant;
///
/// let some: Vec<_> = Openings::new(Variant::Makruk, 7).take(3).collect();
/// assert!(some.iter().all(|opening| opening.moves.len() == 8));
/// assert_eq!(some, Openings::new(Variant::Makruk, 7).take(3).collect::<Vec<_>>());
/// assert_ne!(some, Openings::new(Variant::Makruk, 8).take(3).collect::<Vec<_>>());
/// ```
#[derive(Debug)]
pub struct Openings {
    variant: Variant,
    plies: usize,
    random: Random,
    seen: HashSet<u64>,
    memory: Memory,
}

impl Openings {
    /// Openings of eight half-moves.
    pub fn new(variant: Variant, seed: u64) -> Self {
        // A different sequence from that of an arena with the same seed.
        let random = Random::new(mix(seed));
        Self { variant, plies: 8, random, seen: HashSet::new(), memory: Memory::new(1) }
    }

    /// Openings of `plies` half-moves.
    #[must_use]
    pub fn with_plies(self, plies: usize) -> Self {
        Self { plies, ..self }
    }

    /// Plays random moves from the start; `None` if they end the game.
    fn attempt(&mut self) -> Option<Opening> {
        let start = Opening::at_start(self.variant, &mut self.random);
        let Some(opening) = start.with_random_moves(self.plies, &mut self.random) else {
            // A number is drawn even without a legal move, so that a seed keeps giving the same openings.
            let _ = self.random.number();
            return None;
        };
        opening.position.outcome().is_none().then_some(opening)
    }

    fn is_balanced(&self, opening: &Opening) -> bool {
        self.memory.clear();
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let answer =
            Search::new(&self.memory).run_any(&opening.position, &[], &limits, &mut |_| {});
        matches!(answer.value, Value::Centipawns(number) if number.abs() <= BALANCED)
    }
}

impl Iterator for Openings {
    type Item = Opening;

    fn next(&mut self) -> Option<Opening> {
        (0..PATIENCE).find_map(|_| {
            let opening = self.attempt()?;
            let is_new = self.seen.insert(opening.key());
            (is_new && self.is_balanced(&opening)).then_some(opening)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A seed must keep giving the same moves: saved openings, games and samples refer to it.
    #[test]
    fn a_seed_gives_the_moves_that_it_always_gave() {
        let expected = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR g2g4 e7e5 a2a3 g8e7 f1g2 c7c5",
            "nqrkbbnr/pppppppp/8/8/8/8/PPPPPPPP/NQRKBBNR d2d3 d7d5 e1c3 c7c6 c3a5 b8c7",
            "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR h1h2 c6c5 b3b4 b8c6 a3a4 c6b8",
            "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR h1h2 c6c5 b3b4 b8c6 a3a4 c6b8",
            "rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR h1h2 c6c5 b3b4 b8c6 a3a4 c6b8",
        ];
        for (variant, line) in Variant::ALL.into_iter().zip(expected) {
            let mut random = Random::new(5);
            let start = Opening::at_start(variant, &mut random);
            let opening = start.with_random_moves(6, &mut random).expect("an opening");
            let moves: Vec<_> = opening.moves.iter().map(ToString::to_string).collect();
            let placement = opening.start.to_string();
            let placement = placement.split(' ').next().expect("a FEN");
            assert_eq!(format!("{placement} {}", moves.join(" ")), line);
            assert_eq!(opening.start.variant(), variant);
        }
    }

    #[test]
    fn no_move_follows_mate() {
        let mut random = Random::new(1);
        let position = AnyPosition::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Variant::Chess);
        let start = position.expect("a position");
        let mate = Opening { position: start.clone(), start, moves: Vec::new() };
        assert_eq!(mate.clone().with_random_moves(0, &mut random), Some(mate.clone()));
        assert_eq!(mate.with_random_moves(1, &mut random), None);
        // It draws no number.
        assert_eq!(random.number(), Random::new(1).number());
    }
}
