//! Random openings: other games each time, and chances for both sides.
//!
//! Some random moves lead to a position. A short search tells whether it is balanced; one that has been there before, also with
//! colors swapped, is passed over. The same seed gives the same openings.

use crate::board::mix;
use crate::{Limits, Memory, Search, Value};
use halfmove_rules::{AnyPosition, Chess, Move, Variant};
use std::collections::HashSet;

/// Nodes of the search that tells whether an opening is balanced.
const NODES: u64 = 1_000;

/// Up to so many centipawns.
const BALANCED: i32 = 100;

/// After so many openings in a row that are of no use, there are none left.
const PATIENCE: u32 = 1_000;

/// A start, the moves from there, and where they lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Where the game starts: the usual start, in Chess960 any of its 960.
    pub start: AnyPosition,
    /// The random moves.
    pub moves: Vec<Move>,
    /// The position after them.
    pub position: AnyPosition,
}

/// Openings of a game, one after another, no two of which lead to the same position, nor to that
/// with colors swapped. They end when no more are found.
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

/// SplitMix64.
#[derive(Debug)]
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mix(self.0) % end.max(1) as u64) as usize
    }
}

impl Openings {
    /// Openings of eight half-moves.
    pub fn new(variant: Variant, seed: u64) -> Self {
        let random = Random(mix(seed));
        Self { variant, plies: 8, random, seen: HashSet::new(), memory: Memory::new(1) }
    }

    /// Openings of so many half-moves.
    #[must_use]
    pub fn with_plies(self, plies: usize) -> Self {
        Self { plies, ..self }
    }

    /// Random moves from the start, unless they end the game.
    fn walk(&mut self) -> Option<Opening> {
        let start = match self.variant {
            Variant::Chess960 => {
                // Every number below 960 is a start.
                let number = self.random.below(960) as u16;
                AnyPosition::Chess(Chess::chess960(number)?.into_chess960())
            }
            variant => AnyPosition::start(variant),
        };
        let (mut position, mut moves) = (start.clone(), Vec::with_capacity(self.plies));
        for _ in 0..self.plies {
            let mut legal: Vec<Move> = position.legal_moves().into_iter().collect();
            legal.sort_unstable();
            let mv = *legal.get(self.random.below(legal.len()))?;
            position.play_unchecked(mv);
            moves.push(mv);
        }
        position.outcome().is_none().then_some(Opening { start, moves, position })
    }

    fn is_balanced(&self, opening: &Opening) -> bool {
        self.memory.forget_game(Some(&opening.start));
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
            let opening = self.walk()?;
            let position = &opening.position;
            let key = position.zobrist().0.min(position.flipped().zobrist().0);
            let is_new = self.seen.insert(key);
            (is_new && self.is_balanced(&opening)).then_some(opening)
        })
    }
}
