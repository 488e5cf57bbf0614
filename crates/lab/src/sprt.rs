//! The sequential probability ratio test: a match that ends as soon as one of two hypotheses is accepted.
//!
//! Hypothesis H0 is that the first engine is better by `elo0`, H1 that it is better by `elo1`, in normalized Elo. After
//! each pair of games, the log-likelihood ratio (LLR) of H1 and H0 is computed from all results. Once it leaves the
//! bounds, the match ends. If the true difference is `elo0`, the test passes with probability `alpha`; if it is `elo1`,
//! the test fails with probability `beta`.
//!
//! The likelihood of a hypothesis is the maximum over all distributions of pairs with this difference. It is found by
//! iteration: given the mean and the deviation of the current distribution, the next one follows from the root of an
//! equation in one unknown.
//!
//! # Source
//! Michel Van den Bergh, *Comments on normalized Elo* (2020), section 4; fishtest and fastchess compute the same.

use crate::statistics::{NORMAL, POINTS, mean_and_variance};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A sequential test: its hypotheses, and its error probabilities.
///
/// ```
/// use halfmove_lab::{Decision, Sprt};
///
/// let test: Sprt = "elo0=0,elo1=30".parse()?;
/// // Pairs with 0, ½, 1, 1½ and 2 points.
/// assert_eq!(test.decision([10, 40, 100, 40, 10]), None);
/// assert_eq!(test.decision([10, 40, 100, 90, 10]), Some(Decision::Passed));
/// assert_eq!(test.decision([10, 90, 100, 40, 10]), Some(Decision::Failed));
/// # Ok::<(), halfmove_lab::SprtError>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Sprt {
    /// The smaller difference (H0), in normalized Elo.
    pub elo0: f64,
    /// The larger difference (H1), in normalized Elo.
    pub elo1: f64,
    /// The probability to pass if the difference is `elo0`.
    pub alpha: f64,
    /// The probability to fail if the difference is `elo1`.
    pub beta: f64,
}

/// The outcome of a test.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// H1 is accepted: better by `elo1`.
    Passed,
    /// H0 is accepted: better by `elo0` only.
    Failed,
}

/// The count for results that have not occurred, so that their probability is not 0.
const NEVER: f64 = 1e-3;

/// The largest difference. Beyond it, the iteration, which starts from a uniform distribution, does not converge.
const MAX_ELO: f64 = 200.0;

impl Sprt {
    /// The log-likelihood ratios at which the test fails and passes.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio after these pairs, by twice their points.
    pub fn ratio(&self, pairs: [u64; 5]) -> f64 {
        let counts = pairs.map(|number| if number == 0 { NEVER } else { number as f64 });
        let total: f64 = counts.iter().sum();
        let chances = counts.map(|count| count / total);
        // A pair's mean varies half as much as a game's score.
        let claim = |elo: f64| most_likely(chances, elo / NORMAL * std::f64::consts::SQRT_2);
        let (first, second) = (claim(self.elo0), claim(self.elo1));
        let each = (0..5).map(|i| counts[i] * (second[i] / first[i]).ln());
        each.sum()
    }

    /// The outcome after these pairs, by twice their points; `None` as long as it is open.
    pub fn decision(&self, pairs: [u64; 5]) -> Option<Decision> {
        if pairs.iter().sum::<u64>() == 0 {
            return None;
        }
        let (low, high) = self.bounds();
        let ratio = self.ratio(pairs);
        if ratio >= high {
            Some(Decision::Passed)
        } else if ratio <= low {
            Some(Decision::Failed)
        } else {
            None
        }
    }
}

/// The maximum-likelihood distribution among those whose mean is `deviations` standard deviations above one half.
fn most_likely(chances: [f64; 5], deviations: f64) -> [f64; 5] {
    let mut guess = [0.2; 5];
    for _ in 0..100 {
        let (mean, variance) = mean_and_variance(guess);
        let deviation = variance.sqrt();
        let slopes = POINTS.map(|points| {
            let z = (points - mean) / deviation;
            points - 0.5 - deviations * deviation * (1.0 + z * z) / 2.0
        });
        let factor = root(chances, slopes);
        let next: [f64; 5] = std::array::from_fn(|i| chances[i] / (1.0 + factor * slopes[i]));
        let change = (0..5).map(|i| (next[i] - guess[i]).abs()).fold(0.0, f64::max);
        guess = next;
        if change < 1e-9 {
            break;
        }
    }
    guess
}

/// The root of the sum of `chance × slope / (1 + x × slope)`, which falls from +∞ to −∞ between the poles.
fn root(chances: [f64; 5], slopes: [f64; 5]) -> f64 {
    let (least, most) = slopes
        .iter()
        .fold((0.0_f64, 0.0_f64), |(least, most), slope| (least.min(*slope), most.max(*slope)));
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        let sum: f64 = chances
            .iter()
            .zip(slopes)
            .map(|(chance, slope)| chance * slope / (1.0 + middle * slope))
            .sum();
        if middle <= low || middle >= high {
            break;
        }
        if sum > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// A fault in the text of a test.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SprtError {
    /// A part that is not one of the four.
    #[error("\"{0}\", expected elo0=, elo1=, alpha= or beta=")]
    Unknown(String),
    /// A part whose value is not a number.
    #[error("{name}: \"{value}\", expected a number")]
    Number {
        /// The part.
        name: String,
        /// Its value.
        value: String,
    },
    /// `elo0` or `elo1` is missing.
    #[error("expected elo0 and elo1, as in elo0=0,elo1=30")]
    Missing,
    /// `elo0` or `elo1` is too large.
    #[error("expected elo0 and elo1 from -{MAX_ELO} to {MAX_ELO}")]
    Range,
    /// `elo0` is not below `elo1`.
    #[error("elo0 is {elo0} and elo1 is {elo1}, expected elo0 below elo1")]
    Order {
        /// `elo0`, as text.
        elo0: String,
        /// `elo1`, as text.
        elo1: String,
    },
    /// `alpha` or `beta` is out of range.
    #[error("expected alpha and beta above 0, and their sum below 1")]
    Chances,
}

impl FromStr for Sprt {
    type Err = SprtError;

    /// Reads `elo0=0,elo1=30,alpha=0.05,beta=0.05`; the last two may be left out.
    fn from_str(text: &str) -> Result<Self, SprtError> {
        let (mut elo0, mut elo1, mut alpha, mut beta) = (None, None, Some(0.05), Some(0.05));
        for pair in text.split(',') {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let slot = match name.trim() {
                "elo0" => &mut elo0,
                "elo1" => &mut elo1,
                "alpha" => &mut alpha,
                "beta" => &mut beta,
                _ => return Err(SprtError::Unknown(pair.to_owned())),
            };
            *slot = value.trim().parse().ok().filter(|number: &f64| number.is_finite());
            if slot.is_none() {
                return Err(SprtError::Number { name: name.into(), value: value.into() });
            }
        }
        let (Some(elo0), Some(elo1), Some(alpha), Some(beta)) = (elo0, elo1, alpha, beta) else {
            return Err(SprtError::Missing);
        };
        if elo0.abs().max(elo1.abs()) > MAX_ELO {
            return Err(SprtError::Range);
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0: elo0.to_string(), elo1: elo1.to_string() });
        }
        if alpha <= 0.0 || beta <= 0.0 || alpha + beta >= 1.0 {
            return Err(SprtError::Chances);
        }
        Ok(Self { elo0, elo1, alpha, beta })
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo0, elo1, alpha, beta } = self;
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfmove_engine::Random;

    /// A number from 0 up to 1.
    fn unit(random: &mut Random) -> f64 {
        (random.number() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    /// Figures that fastchess publishes in its tests, which allow one percent.
    #[test]
    fn ratios_are_those_of_fastchess() {
        for (pairs, elo0, elo1, expected) in [
            ([365, 16618, 36229, 16974, 390], 0.0, 2.0, 2.25),
            ([127, 4883, 10712, 5150, 104], -1.75, 0.25, 3.01),
            ([0, 0, 0, 0, 5550], 0.0, 5.0, 111.82),
        ] {
            let ratio = sprt(elo0, elo1).ratio(pairs);
            assert!((ratio / expected - 1.0).abs() < 0.01, "{ratio} is not {expected}");
        }
    }

    #[test]
    fn the_ratio_of_swapped_engines_is_the_opposite() {
        let pairs = [12, 40, 77, 52, 19];
        let mut swapped = pairs;
        swapped.reverse();
        let sum = sprt(0.0, 30.0).ratio(pairs) + sprt(-30.0, 0.0).ratio(swapped);
        assert!(sum.abs() < 1e-6, "{sum}");
        assert_eq!(sprt(0.0, 30.0).decision([0; 5]), None);
    }

    #[test]
    fn matches_of_one_kind_of_pair_have_a_ratio() {
        for which in 0..5 {
            for count in [1, 8, 500] {
                let mut pairs = [0; 5];
                pairs[which] = count;
                for (elo0, elo1) in [(-MAX_ELO, MAX_ELO), (0.0, 150.0), (-1.0, 1.0)] {
                    let ratio = sprt(elo0, elo1).ratio(pairs);
                    assert!(ratio.is_finite(), "{pairs:?} [{elo0}, {elo1}]");
                    assert!(which == 2 || (ratio > 0.0) == (which > 2), "{pairs:?}: {ratio}");
                }
            }
        }
        // Each pair is won: the probability of that is ½ if there is no difference, and about ½ (1 + t / √(1 + t²)) if
        // the mean is t deviations higher.
        let t = 150.0 / NORMAL * std::f64::consts::SQRT_2;
        let expected = 100.0 * (1.0 + t / (1.0 + t * t).sqrt()).ln();
        let ratio = sprt(0.0, 150.0).ratio([0, 0, 0, 0, 100]);
        assert!((ratio / expected - 1.0).abs() < 0.01, "{ratio} is not {expected}");
    }

    /// The number of passed tests, in matches whose pairs have these probabilities.
    fn passes(sprt: Sprt, chances: [f64; 5], matches: u64) -> (u64, f64) {
        let (mut passed, mut played) = (0, 0);
        for seed in 0..matches {
            let mut random = Random::new(seed);
            let mut pairs = [0; 5];
            let decision = loop {
                let mut left = unit(&mut random);
                let which = chances.iter().position(|chance| {
                    left -= chance;
                    left < 0.0
                });
                pairs[which.unwrap_or(4)] += 1;
                played += 1;
                // Looking after every eighth pair is as good, and faster.
                if pairs.iter().sum::<u64>() % 8 == 0
                    && let Some(decision) = sprt.decision(pairs)
                {
                    break decision;
                }
            };
            passed += u64::from(decision == Decision::Passed);
        }
        (passed, played as f64 / matches as f64)
    }

    /// The probabilities of pairs with this difference in normalized Elo.
    fn engines(elo: f64) -> [f64; 5] {
        most_likely([0.05, 0.2, 0.45, 0.22, 0.08], elo / NORMAL * std::f64::consts::SQRT_2)
    }

    #[test]
    fn simulated_matches_end_with_the_right_errors() {
        let (mean, variance) = mean_and_variance(engines(50.0));
        assert!(((mean - 0.5) / (2.0 * variance).sqrt() * NORMAL - 50.0).abs() < 1e-3);

        // Of 400 matches, 5 % are 20; three standard deviations are 13.
        let sprt = sprt(0.0, 50.0);
        let (wrong, _) = passes(sprt, engines(0.0), 400);
        assert!((7..=33).contains(&wrong), "{wrong} of 400 passed at elo0");
        let (right, length) = passes(sprt, engines(50.0), 400);
        assert!((367..=393).contains(&right), "{right} of 400 passed at elo1");
        // 2 ln(19) × 0.9 / (50 / 347.4)² games are 256, by Wald; a test overshoots its bounds a little.
        assert!((110.0..170.0).contains(&length), "{length} pairs");
        let (clear, _) = passes(sprt, engines(-30.0), 100);
        assert_eq!(clear, 0);
    }

    #[test]
    fn terms_are_read() {
        let text = "elo0=0,elo1=30,alpha=0.05,beta=0.1";
        assert_eq!(text.parse::<Sprt>().unwrap().to_string(), text);
        assert_eq!("elo0=0,elo1=5".parse::<Sprt>(), Ok(sprt(0.0, 5.0)));
        for text in [
            "",
            "elo0=0",
            "elo0=5,elo1=5",
            "elo0=0,elo1=x",
            "elo0=0,elo1=1,alpha=0.5,beta=0.5",
            "elo0=0,elo1=201",
        ] {
            assert!(text.parse::<Sprt>().is_err(), "{text}");
        }
    }
}
