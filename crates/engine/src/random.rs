//! Random numbers, the same for the same seed on every machine, so that openings, games and nets are reproducible.
//!
//! # Source
//! Guy Steele, Doug Lea and Christine Flood, *Fast splittable pseudorandom number generators* (2014): SplitMix64.

use crate::board::mix;

/// The step of the state: 2⁶⁴ divided by the golden ratio.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The random number generator SplitMix64.
///
/// ```
/// use halfmove_engine::Random;
///
/// let mut random = Random::new(0);
/// assert_eq!(random.number(), 0xe220_a839_7b1d_cdaf);
/// assert!((0..100).all(|_| random.below(6) < 6));
/// ```
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates a generator with a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Creates a generator that begins one number earlier, with the scrambled seed itself. Existing nets were trained
    /// with it.
    pub const fn one_earlier(seed: u64) -> Self {
        Self(seed.wrapping_sub(STEP))
    }

    /// The next number.
    pub const fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// The next number modulo `end`; 0 if `end` is 0. The bias toward small numbers is negligible for the lengths of
    /// lists.
    pub fn below(&mut self, end: usize) -> usize {
        (self.number() % end.max(1) as u64) as usize
    }

    /// Shuffles a list; all orders are equally likely.
    ///
    /// # Source
    /// Richard Durstenfeld, "Algorithm 235: Random permutation", Communications of the ACM 7 (1964).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}

impl Iterator for Random {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        Some(self.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of Sebastiano Vigna's `splitmix64.c`.
    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let first: Vec<u64> = Random::new(1_234_567).take(5).collect();
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(first, expected);
        assert!(Random::one_earlier(1_234_567).skip(1).take(5).eq(first));
    }
}
