//! Openings by random moves, if a shallow search of our own finds them balanced.
//!
//! No two of them are the same position, nor the same with colors swapped. What the search says depends on the version
//! of the engine: to play the same openings later, save them.

use super::{Opening, OpeningsError, Random};
use halfmove_engine::{Answer, KeyedMakruk, Limits, Memory, Search, SearchBoard, Value};
use halfmove_rules::{AnyPosition, Chess, Variant};
use std::collections::HashSet;

/// The table of the search that judges.
const HASH_MIB: usize = 1;

/// After so many rejected attempts in a row there is nothing more to find.
const MOST_ATTEMPTS: u32 = 2_000;

/// How to make openings.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::arena) struct Recipe {
    /// Random half-moves.
    pub(in crate::arena) plies: u32,
    /// The largest score, in centipawns.
    pub(in crate::arena) bound: i32,
    /// The depth of the search that judges.
    pub(in crate::arena) depth: u32,
}

#[derive(Debug)]
pub(in crate::arena) struct Generator {
    recipe: Recipe,
    variant: Variant,
    random: Random,
    seen: HashSet<u64>,
}

fn judge(board: &impl SearchBoard, depth: u32) -> Answer {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    // A new table each time, so that no opening depends on those before.
    Search::new(&Memory::new(HASH_MIB)).run(board, &[], &limits, &mut |_| {})
}

impl Generator {
    pub(super) fn new(recipe: Recipe, variant: Variant, random: Random) -> Self {
        Self { recipe, variant, random, seen: HashSet::new() }
    }

    fn start(&mut self) -> AnyPosition {
        let shuffled = (self.variant == Variant::Chess960)
            .then(|| Chess::chess960(self.random.below(960) as u16))
            .flatten();
        shuffled.map_or_else(|| AnyPosition::start(self.variant), AnyPosition::from)
    }

    /// A random position, if it is one to play from.
    fn attempt(&mut self) -> Option<AnyPosition> {
        let mut position = self.start();
        for _ in 0..self.recipe.plies {
            let mut moves: Vec<_> = position.legal_moves().into_iter().collect();
            if moves.is_empty() {
                return None;
            }
            // Their order is not specified.
            moves.sort();
            position.play_unchecked(moves[self.random.below(moves.len())]);
        }
        let key = position.zobrist().0.min(position.flipped().zobrist().0);
        if position.outcome().is_some() || self.seen.contains(&key) {
            return None;
        }
        let answer = match &position {
            AnyPosition::Chess(chess) => judge(chess, self.recipe.depth),
            AnyPosition::Makruk(makruk) => {
                judge(&KeyedMakruk::new(makruk.clone()), self.recipe.depth)
            }
        };
        let balanced =
            matches!(answer.value, Value::Centipawns(number) if number.abs() <= self.recipe.bound);
        (balanced && self.seen.insert(key)).then_some(position)
    }

    pub(super) fn next(&mut self) -> Result<Opening, OpeningsError> {
        for _ in 0..MOST_ATTEMPTS {
            if let Some(start) = self.attempt() {
                return Ok(Opening { start, moves: Vec::new() });
            }
        }
        let Recipe { plies, bound, .. } = self.recipe;
        Err(OpeningsError::TooFew { found: self.seen.len(), plies, bound })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECIPE: Recipe = Recipe { plies: 6, bound: 120, depth: 2 };

    fn make(variant: Variant, seed: u64, count: usize) -> Vec<AnyPosition> {
        let mut generator = Generator::new(RECIPE, variant, Random::new(seed));
        (0..count).map(|_| generator.next().expect("an opening").start).collect()
    }

    #[test]
    fn openings_depend_on_the_seed_alone() {
        for variant in Variant::ALL {
            let openings = make(variant, 7, 12);
            assert_eq!(openings, make(variant, 7, 12));
            assert_ne!(openings, make(variant, 8, 12));
            for position in &openings {
                assert_eq!(position.variant(), variant);
                assert_eq!(position.ply(), RECIPE.plies);
            }
        }
    }

    #[test]
    fn no_opening_comes_twice_with_colors_swapped_or_not() {
        // One half-move of chess: 20 positions, of which few are worth less than 30 centipawns.
        let recipe = Recipe { plies: 1, bound: 1_000, depth: 1 };
        let mut generator = Generator::new(recipe, Variant::Chess, Random::new(1));
        let mut seen = HashSet::new();
        let error = loop {
            match generator.next() {
                Ok(opening) => assert!(seen.insert(opening.start.to_string())),
                Err(error) => break error,
            }
        };
        assert_eq!(seen.len(), 20);
        assert!(error.to_string().starts_with("only 20 different openings of 1 plies"), "{error}");

        let mut chess = Generator::new(RECIPE, Variant::Chess, Random::new(1));
        let start = chess.next().expect("an opening").start;
        let mut again = Generator::new(RECIPE, Variant::Chess, Random::new(1));
        again.seen.insert(start.flipped().zobrist().0.min(start.zobrist().0));
        assert_ne!(again.next().expect("an opening").start, start);
    }
}
