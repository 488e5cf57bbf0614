//! The strength of two engines, estimated from a match.
//!
//! Games come in pairs: the same opening, with colors swapped. The points of a pair (0, ½, 1, 1½ or 2) vary less than
//! those of two independent games, so all errors are computed from pairs.
//!
//! - Elo: the difference that corresponds to this score on the logistic curve; 400 points are odds of ten to one.
//! - Normalized Elo: the distance of the mean from a half in standard deviations of a game's score, times 800 / ln 10.
//!   It determines the number of games needed to detect a difference, independently of the share of draws.
//! - LOS, the likelihood of superiority: the probability that the first engine is the stronger one, given only these
//!   results.
//!
//! # Source
//! Michel Van den Bergh, *Normalized Elo* and *Comments on normalized Elo* (2020).

use std::f64::consts::LN_10;

/// 95 % of a normal distribution lie within this many standard deviations.
const Z95: f64 = 1.959_963_984_540_054;

/// Normalized Elo of one standard deviation of a game.
pub(crate) const NORMAL: f64 = 800.0 / LN_10;

/// The results of a match, from the first engine's side.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The games that it won.
    pub wins: u64,
    /// The games that it lost.
    pub losses: u64,
    /// The games that were drawn.
    pub draws: u64,
    /// Pairs of games, by twice their points: 0, ½, 1, 1½ and 2.
    pub pairs: [u64; 5],
}

impl Tally {
    /// The number of games.
    pub const fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Adds a game with this many half points.
    ///
    /// # Panics
    /// If there are more than two.
    pub fn add_game(&mut self, half_points: usize) {
        *[&mut self.losses, &mut self.draws, &mut self.wins][half_points] += 1;
    }

    /// Adds a pair, whose games have been added, with this many half points.
    ///
    /// # Panics
    /// If there are more than four.
    pub fn add_pair(&mut self, half_points: usize) {
        self.pairs[half_points] += 1;
    }

    /// The share of the points, from 0 to 1; `None` if there are no games.
    pub fn score(&self) -> Option<f64> {
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        (self.games() > 0).then(|| points / self.games() as f64)
    }

    /// The strength that the pairs suggest; `None` as long as all pairs have the same points.
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::of(self.pairs)
    }
}

/// An estimate and its 95 % confidence interval.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Interval {
    /// The number.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Half of its width.
    pub const fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// The difference in strength that pairs of games suggest.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The difference in Elo. An end may be infinite.
    pub elo: Interval,
    /// The difference in normalized Elo.
    pub normalized: Interval,
    /// The likelihood of superiority, from 0 to 1.
    pub superiority: f64,
}

/// The points per game of a pair.
pub(crate) const POINTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

pub(crate) fn mean_and_variance(chances: [f64; 5]) -> (f64, f64) {
    let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
        POINTS.iter().zip(chances).map(|(points, chance)| of(*points) * chance).sum()
    };
    let mean = sum(&|points| points);
    (mean, sum(&|points| (points - mean).powi(2)))
}

impl Estimate {
    /// `None` as long as all pairs had the same points.
    fn of(pairs: [u64; 5]) -> Option<Self> {
        let count: u64 = pairs.iter().sum();
        let chances = pairs.map(|number| number as f64 / count.max(1) as f64);
        let (mean, variance) = mean_and_variance(chances);
        if variance < 1e-12 {
            return None;
        }
        let error = (variance / count as f64).sqrt();
        let interval = |of: &dyn Fn(f64) -> f64| Interval {
            value: of(mean),
            low: of(mean - Z95 * error),
            high: of(mean + Z95 * error),
        };
        // A pair's mean varies half as much as a game's score.
        let deviation = (2.0 * variance).sqrt();
        Some(Self {
            elo: interval(&elo),
            normalized: interval(&|score| (score - 0.5) / deviation * NORMAL),
            superiority: normal((mean - 0.5) / error),
        })
    }
}

/// The difference in Elo that gives this score; infinite for all points and for none.
fn elo(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The share of a normal distribution below `x`, to seven digits.
///
/// # Source
/// Abramowitz and Stegun, *Handbook of Mathematical Functions* (1964), 7.1.26.
fn normal(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let factors = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let tail = factors.into_iter().fold(0.0, |sum, factor| (sum + factor) * t) * (-z * z).exp();
    if x < 0.0 { tail / 2.0 } else { 1.0 - tail / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, within: f64) {
        assert!((a - b).abs() <= within, "{a} is not {b}");
    }

    /// Figures that fastchess 1.x publishes in its tests, by pairs with 0, ½, 1, 1½ and 2 points.
    #[test]
    fn estimates_are_those_of_fastchess() {
        for (pairs, normalized, error, elo, elo_error, superiority) in [
            ([34, 54, 63, 64, 75], 57.94, 28.28, 55.58, 27.65, 1.0),
            ([332, 433, 498, 333, 334], -9.17, 10.96, -8.64, 10.33, 0.0505),
            ([7895, 8757, 5685, 568, 9999], -19.01, 2.65, -21.04, 2.95, 0.0),
        ] {
            let estimate = Estimate::of(pairs).unwrap();
            close(estimate.normalized.value, normalized, 0.006);
            close(estimate.normalized.error(), error, 0.006);
            close(estimate.elo.value, elo, 0.006);
            close(estimate.elo.error(), elo_error, 0.006);
            close(estimate.superiority, superiority, 0.0001);
        }
    }

    #[test]
    fn matches_without_variety_say_nothing() {
        assert_eq!(Tally::default().estimate(), None);
        assert_eq!(Tally::default().score(), None);
        let mut tally = Tally::default();
        for _ in 0..4 {
            tally.add_game(1);
        }
        tally.add_pair(2);
        tally.add_pair(2);
        assert_eq!((tally.estimate(), tally.score()), (None, Some(0.5)));
        for _ in 0..3 {
            tally.add_pair(4);
        }
        assert!(tally.estimate().unwrap().elo.high.is_infinite());
    }

    #[test]
    fn the_normal_distribution_is_that_of_the_tables() {
        for (x, share) in [(0.0, 0.5), (1.0, 0.841_344_7), (-1.959_964, 0.025), (3.0, 0.998_650_1)]
        {
            close(normal(x), share, 2e-7);
        }
    }
}
