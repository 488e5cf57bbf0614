//! The frequencies of the symbols at a half-move, from integer scores to integer frequencies.

use super::range::{Span, TOTAL};

/// The number of units of a score in one natural logarithm.
pub(super) const UNIT: i32 = 128;

/// The symbol of the end of the game.
pub(super) const END: usize = 0;

/// The symbol of a null move.
pub(super) const NULL: usize = 1;

/// The symbol of the first legal move; those of the others follow.
pub(super) const FIRST_MOVE: usize = 2;

/// The frequency of a null move.
const NULL_FREQUENCY: u32 = 4;

/// e^(-1 / 128) in 2⁻³².
const FACTOR: u64 = 4_261_543_595;

/// 2²⁴ · e^(-i / 128), rounded down from step to step.
const EXPONENTIALS: [u32; 2_048] = {
    let mut table = [0; 2_048];
    let mut value = 1u64 << 56;
    let mut at = 0;
    while at < table.len() {
        table[at] = (value >> 32) as u32;
        value = ((value as u128 * FACTOR as u128) >> 32) as u64;
        at += 1;
    }
    table
};

/// The frequencies of the end of the game and of the moves; a null move is between them.
#[derive(Debug, Default)]
pub(super) struct Distribution {
    pub(super) scores: Vec<i32>,
    frequencies: Vec<u32>,
}

impl Distribution {
    /// Makes the frequencies of the scores: that of the end, then those of the moves.
    pub(super) fn make(&mut self) {
        let best = self.scores.iter().copied().max().unwrap_or(0);
        self.frequencies.clear();
        let exponential = |score: &i32| {
            let below = usize::try_from(best - score).unwrap_or(usize::MAX);
            EXPONENTIALS.get(below).copied().unwrap_or(0)
        };
        self.frequencies.extend(self.scores.iter().map(exponential));
        let sum: u64 = self.frequencies.iter().map(|one| u64::from(*one)).sum();
        // Each has 1 at least; a position has at most 218 moves in chess, and 704 in any game.
        let shared = u64::from(TOTAL - NULL_FREQUENCY) - self.frequencies.len() as u64;
        let share = (shared << 32) / sum.max(1);
        let mut rest = TOTAL - NULL_FREQUENCY;
        for frequency in &mut self.frequencies {
            *frequency = 1 + ((u64::from(*frequency) * share) >> 32) as u32;
            rest -= *frequency;
        }
        // What is lost by rounding goes to the first of the best.
        if let Some(at) = self.scores.iter().position(|score| *score == best) {
            self.frequencies[at] += rest;
        }
    }

    /// The frequencies of the end and of the moves.
    pub(super) fn frequencies(&self) -> &[u32] {
        &self.frequencies
    }

    /// The span of a symbol.
    pub(super) fn span(&self, symbol: usize) -> Span {
        let end = self.frequencies[0];
        let first = end + NULL_FREQUENCY;
        match symbol {
            END => Span { start: 0, frequency: end },
            NULL => Span { start: end, frequency: NULL_FREQUENCY },
            _ => {
                let (before, rest) = self.frequencies[1..].split_at(symbol - FIRST_MOVE);
                Span { start: first + before.iter().sum::<u32>(), frequency: rest[0] }
            }
        }
    }

    /// The symbol at a place among the frequencies, and its span.
    pub(super) fn symbol(&self, target: u32) -> (usize, Span) {
        let end = self.frequencies[0];
        let mut start = end + NULL_FREQUENCY;
        if target >= start {
            for (at, &frequency) in self.frequencies[1..].iter().enumerate() {
                if target < start + frequency {
                    return (FIRST_MOVE + at, Span { start, frequency });
                }
                start += frequency;
            }
        }
        // The frequencies add up to all, so a larger target does not occur.
        let symbol = if target < end { END } else { NULL };
        (symbol, self.span(symbol))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials() {
        for (at, found) in EXPONENTIALS.iter().enumerate() {
            let expected = (-(at as f64) / f64::from(UNIT)).exp() * f64::from(1 << 24);
            assert!((f64::from(*found) - expected).abs() < 1.5, "{at}: {found}, {expected}");
        }
    }

    #[test]
    fn frequencies_fill_the_whole() {
        for scores in [vec![0], vec![5; 705], vec![-3_000, 0, 700, 700, 90], vec![i32::MIN / 4, 1]]
        {
            let mut distribution = Distribution { scores, frequencies: Vec::new() };
            distribution.make();
            let mut start = 0;
            for symbol in 0..=distribution.scores.len() {
                let span = distribution.span(symbol);
                assert_eq!(span.start, start);
                assert!(span.frequency > 0);
                for target in [start, start + span.frequency - 1] {
                    assert_eq!(distribution.symbol(target), (symbol, span));
                }
                start += span.frequency;
            }
            assert_eq!(start, TOTAL);
        }
    }
}
