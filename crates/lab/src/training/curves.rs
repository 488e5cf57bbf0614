//! The error of a value, compared with the result of the game and with the score of a search.
//!
//! A logistic curve converts centipawns to expected points. There are two curves. The one for results has the steepness
//! with which the hand-crafted evaluation fits the results best; in Makruk, where most games are drawn, it is nearly
//! flat. The one for scores is steep enough that small errors count. The error is a weighted mean of the two relative
//! entropies.

/// The number of centipawns for odds of 10 to 1 on the curve for scores. Not tuned.
const SCORE_FOR_TEN: f32 = 400.0;

/// The steepness of the curves, per centipawn, and the weight of the scores.
#[derive(Copy, Clone)]
pub(super) struct Curves {
    pub(super) results: f32,
    scores: f32,
    blend: f32,
}

/// The score and the result with which a value is compared, both for the same side.
#[derive(Copy, Clone, Debug)]
pub(super) struct Target {
    pub(super) centipawns: f32,
    /// `None` if there was no game.
    pub(super) points: Option<f32>,
}

impl Curves {
    /// Fits the curve for results. `blend` is the weight of the scores, from 0 to 1; `error` returns the error of all
    /// values with a given curve, which is minimized.
    pub(super) fn fit(blend: f32, error: impl Fn(Self) -> f64) -> Self {
        let error = |results| error(Self { results, scores: 0.0, blend: 0.0 });
        let (mut low, mut high) = (0.000_5, 0.02);
        for _ in 0..40 {
            let third = (high - low) / 3.0;
            if error(low + third) < error(high - third) {
                high -= third;
            } else {
                low += third;
            }
        }
        Self { results: (low + high) / 2.0, scores: 10.0_f32.ln() / SCORE_FOR_TEN, blend }
    }

    /// The error of a value.
    pub(super) fn error(self, value: f32, target: Target) -> f64 {
        let Self { results, scores, blend } = self;
        let by_score = entropy(chance(target.centipawns * scores), chance(value * scores));
        let Some(points) = target.points else { return by_score };
        let by_result = entropy(points, chance(value * results));
        let blend = f64::from(blend);
        (1.0 - blend) * by_result + blend * by_score
    }

    /// The derivative of the error by the value.
    pub(super) fn slope(self, value: f32, target: Target) -> f32 {
        let Self { results, scores, blend } = self;
        let by_score = (chance(value * scores) - chance(target.centipawns * scores)) * scores;
        let Some(points) = target.points else { return by_score };
        let by_result = (chance(value * results) - points) * results;
        (1.0 - blend) * by_result + blend * by_score
    }

    /// Centipawns for odds of 10 to 1.
    pub(super) fn centipawns_for_ten(self) -> f64 {
        10.0_f64.ln() / f64::from(self.results)
    }
}

/// The relative entropy of a target and an expectation.
fn entropy(target: f32, expected: f32) -> f64 {
    let expected = f64::from(expected).clamp(1e-6, 1.0 - 1e-6);
    let part = |target: f64, expected: f64| match target > 0.0 {
        true => target * (target / expected).ln(),
        false => 0.0,
    };
    let target = f64::from(target);
    part(target, expected) + part(1.0 - target, 1.0 - expected)
}

/// The logistic curve.
fn chance(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_that_of_the_error() {
        let curves = Curves { results: 0.002, scores: 0.005, blend: 0.7 };
        for (centipawns, points) in
            [(0.0, Some(0.5)), (120.0, Some(0.0)), (-300.0, Some(1.0)), (77.0, None)]
        {
            let target = Target { centipawns, points };
            for value in [-400.0, -50.0, 0.0, 120.0, 333.0] {
                let rise = curves.error(value + 1.0, target) - curves.error(value - 1.0, target);
                let slope = f64::from(curves.slope(value, target));
                assert!((rise / 2.0 - slope).abs() < 1e-5, "{value} {target:?}");
            }
        }
    }
}
