//! Adam: the step of each weight, given the gradient of the error.
//!
//! For each weight there are two running means: of its gradients, and of their squares. The first, divided by the root
//! of the second, is near 1 or -1 if batches agree on the direction, and near 0 if they do not. So a weight moves by at
//! most about one step, however steep the error is, and rare weights learn as fast as frequent ones.
//!
//! # Source
//! Diederik Kingma and Jimmy Ba, *Adam: a method for stochastic optimization* (2014).

/// The share of both means that each batch keeps: the paper's values.
pub(super) const DECAYS: [f32; 2] = [0.9, 0.999];

/// The running means of a weight.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Moments {
    mean: f32,
    square: f32,
}

/// The parameters that all weights of a batch share.
#[derive(Copy, Clone, Debug)]
pub(super) struct Rate {
    /// The approximate largest change of a weight.
    pub(super) step: f32,
    /// The bias correction of each mean: the share that comes from gradients and not from the initial zero, 1 minus the
    /// power of its decay. Each caller rounds it in its own way, so that its results stay the same.
    pub(super) begun: [f32; 2],
    /// Keeps the quotient finite, and small if all gradients are far below it.
    pub(super) epsilon: f32,
}

impl Moments {
    /// Adds a gradient to the means, and returns the number to subtract from the weight.
    #[inline(always)]
    pub(super) fn step(&mut self, slope: f32, rate: Rate) -> f32 {
        self.mean = DECAYS[0] * self.mean + 0.1 * slope;
        self.square = DECAYS[1] * self.square + 0.001 * slope * slope;
        let [mean, square] = [self.mean / rate.begun[0], self.square / rate.begun[1]];
        rate.step * mean / (square.sqrt() + rate.epsilon)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(slopes: &[f32]) -> f32 {
        let mut moments = Moments::default();
        let mut sum = 0.0;
        for (i, slope) in slopes.iter().enumerate() {
            let begun = DECAYS.map(|decay| 1.0 - decay.powi(i as i32 + 1));
            sum += moments.step(*slope, Rate { step: 0.5, begun, epsilon: 1e-8 });
        }
        sum
    }

    #[test]
    fn each_step_is_as_long_as_asked_for_if_the_slopes_agree() {
        for slope in [1e-3, 4.0, 1e6] {
            let sum = moved(&[slope; 10]);
            assert!((sum - 5.0).abs() < 1e-3, "{slope}: {sum}");
            assert!((moved(&[-slope; 10]) + 5.0).abs() < 1e-3);
        }
        let sum = moved(&[1.0, -1.0].repeat(50));
        assert!(sum.abs() < 2.0, "{sum} in a hundred steps to and fro");
        assert_eq!(moved(&[0.0; 10]), 0.0);
    }
}
