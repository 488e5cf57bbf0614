//! Openings by random moves that a shallow search finds balanced.
//!
//! No two of them are the same position, nor the same with colors swapped. The score of the search depends on the version
//! of the engine: to play the same openings later, save them.

use super::{Opening, OpeningsError, Random};
use halfmove_engine::{Limits, Memory, Opening as Walk, Search, Value};
use halfmove_rules::{AnyPosition, Variant};
use std::collections::HashSet;

/// The transposition table of the search. A new one is allocated for each opening, so a small one is faster.
const HASH_MIB: usize = 1;

/// The number of consecutive rejected attempts after which the search for openings ends. Not tuned.
const MAX_ATTEMPTS: u32 = 2_000;

/// The kind of random openings.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::arena) struct Recipe {
    /// Random half-moves.
    pub(in crate::arena) plies: u32,
    /// The largest score, in centipawns.
    pub(in crate::arena) bound: i32,
    /// The depth of the search that evaluates them.
    pub(in crate::arena) depth: u32,
}

#[derive(Debug)]
pub(in crate::arena) struct Generator {
    recipe: Recipe,
    variant: Variant,
    random: Random,
    seen: HashSet<u64>,
}

impl Generator {
    pub(super) fn new(recipe: Recipe, variant: Variant, random: Random) -> Self {
        Self { recipe, variant, random, seen: HashSet::new() }
    }

    /// Starts again, with other random numbers.
    pub(super) fn restart(&mut self, random: Random) {
        self.random = random;
        self.seen.clear();
    }

    /// A random position; `None` if it is unsuitable as an opening.
    fn attempt(&mut self) -> Option<AnyPosition> {
        let start = Walk::at_start(self.variant, &mut self.random);
        let walk = start.with_random_moves(self.recipe.plies as usize, &mut self.random)?;
        let (key, position) = (walk.key(), walk.position);
        if position.outcome().is_some() || self.seen.contains(&key) {
            return None;
        }
        let limits = Limits { depth: Some(self.recipe.depth), ..Limits::default() };
        // A new table each time, so that no opening depends on those before.
        let memory = Memory::new(HASH_MIB);
        let answer = Search::new(&memory).run_any(&position, &[], &limits, &mut |_| {});
        let balanced =
            matches!(answer.value, Value::Centipawns(number) if number.abs() <= self.recipe.bound);
        (balanced && self.seen.insert(key)).then_some(position)
    }

    pub(super) fn next(&mut self) -> Result<Opening, OpeningsError> {
        for _ in 0..MAX_ATTEMPTS {
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
