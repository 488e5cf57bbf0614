//! The net of the model, in floating point, as it is learned.
//!
//! The gradient descent is Adagrad (J. Duchi, E. Hazan and Y. Singer, *Adaptive subgradient methods for online learning and stochastic
//! optimization*, 2011), with one learning rate for each row instead of each weight: the base rate, divided by the square root of
//! the row's accumulator. Scalar products are summed in lanes, so that every machine rounds them alike, whatever instructions it has.

use std::array::from_fn;
use std::ops::Range;

use halfmove_codecs::dense::learning::{
    BIAS, HIDDEN, INPUT_UNIT, INPUTS, MAX_HIDDEN, Net, OUTPUT_PARTS, OUTPUT_UNIT, OUTPUTS, Sample,
};

use super::{LEAST_GRADIENT, Random};

type Row = [f32; HIDDEN];

/// The bias of each hidden unit.
const UNIT_BIAS: f32 = BIAS as f32 / INPUT_UNIT as f32;

/// The largest activation of a hidden unit.
const MAX_ACTIVATION: f32 = MAX_HIDDEN as f32 / INPUT_UNIT as f32;

/// The base learning rates of the layers, as multiples of that of the tables. The rate of outputs is small: the score of a move has three
/// rows of many weights.
const INPUT_RATE: f32 = 1.4;
const OUTPUT_RATE: f32 = 0.14;

/// Weights are initialized to random numbers between this one and its negative.
const INITIAL_RANGE: f32 = 0.03;

/// The initial value of Adagrad's accumulators.
const INITIAL_ACCUMULATOR: f32 = 2.0;

/// Rows of weights, each with its accumulator: the sum, over all steps, of the mean square of the row's gradient.
struct Rows {
    rows: Vec<Row>,
    accumulators: Vec<f32>,
}

impl Rows {
    fn new(count: usize, random: &mut Random) -> Self {
        let mut next = || (random.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0) * INITIAL_RANGE;
        let rows = (0..count).map(|_| from_fn(|_| next())).collect();
        Self { rows, accumulators: vec![INITIAL_ACCUMULATOR; count] }
    }

    /// Takes a step of a row against its gradient, whose mean square is given.
    fn descend(&mut self, at: usize, gradient: &Row, mean_square: f32, base_rate: f32) {
        self.accumulators[at] += mean_square;
        let rate = base_rate / self.accumulators[at].sqrt();
        for (weight, gradient) in self.rows[at].iter_mut().zip(gradient) {
            *weight -= gradient * rate;
        }
    }

    /// Sets rows that learned next to nothing to the mean of the rows of their part, weighted by the accumulators. Without it, moves
    /// that no game has, such as castling from other squares in Chess960, would be almost impossible, as they lack what all played moves have in common.
    fn fill(&mut self, part: Range<usize>) {
        let (mut sums, mut all) = ([0.0; HIDDEN], 0.0);
        for at in part.clone() {
            let learned = self.accumulators[at] - INITIAL_ACCUMULATOR;
            all += learned;
            sums.iter_mut().zip(&self.rows[at]).for_each(|(sum, weight)| *sum += weight * learned);
        }
        if all > 0.0 {
            let mean = sums.map(|sum| sum / all);
            let is_new = |at: &usize| self.accumulators[*at] < 2.0 * INITIAL_ACCUMULATOR;
            let new: Vec<_> = part.filter(is_new).collect();
            new.into_iter().for_each(|at| self.rows[at] = mean);
        }
    }

    fn rounded(&self, unit: i16) -> Vec<[i8; HIDDEN]> {
        let unit = f32::from(unit);
        let rounded = |weight: f32| (weight * unit).round().clamp(-127.0, 127.0) as i8;
        self.rows.iter().map(|row| row.map(rounded)).collect()
    }
}

/// The net while it learns.
pub(super) struct Learner {
    inputs: Rows,
    outputs: Rows,
    /// The hidden units of a position: the sums of the bias and its rows, and their activations.
    sums: Row,
    hidden: Row,
}

impl Learner {
    pub(super) fn new(random: &mut Random) -> Self {
        Self {
            inputs: Rows::new(INPUTS, random),
            outputs: Rows::new(OUTPUTS, random),
            sums: [0.0; HIDDEN],
            hidden: [0.0; HIDDEN],
        }
    }

    /// The net in whole numbers.
    pub(super) fn finish(mut self) -> Net {
        OUTPUT_PARTS.into_iter().for_each(|part| self.outputs.fill(part));
        Net::new(self.inputs.rounded(INPUT_UNIT), self.outputs.rounded(OUTPUT_UNIT))
    }

    /// Adds the score of each move to `scores`, of which the first is that of the end.
    pub(super) fn score(&mut self, sample: &Sample, scores: &mut [f32]) {
        self.sums = [UNIT_BIAS; HIDDEN];
        for &row in &sample.inputs {
            let row = &self.inputs.rows[usize::from(row)];
            self.sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        self.hidden = self.sums.map(|sum| sum.clamp(0.0, MAX_ACTIVATION));
        for (score, rows) in scores[1..].iter_mut().zip(&sample.outputs) {
            let [a, b, c] = rows.map(|row| &self.outputs.rows[usize::from(row)]);
            let row = from_fn(|at| a[at] + b[at] + c[at]);
            *score += product(&self.hidden, &row);
        }
    }

    /// Takes a step against the gradients of the scores, of which the first is that of the end.
    pub(super) fn learn(&mut self, sample: &Sample, gradients: &[f32], base_rate: f32) {
        let mut hidden_gradient = [0.0; HIDDEN];
        let hidden_square = mean_square(&self.hidden);
        for (&gradient, rows) in gradients[1..].iter().zip(&sample.outputs) {
            if gradient.abs() <= LEAST_GRADIENT {
                continue;
            }
            let rows = rows.map(usize::from);
            for row in rows {
                let row = &self.outputs.rows[row];
                let sums = hidden_gradient.iter_mut().zip(row);
                sums.for_each(|(sum, weight)| *sum += weight * gradient);
            }
            let row_gradient = self.hidden.map(|hidden| hidden * gradient);
            let square = hidden_square * gradient * gradient;
            for row in rows {
                self.outputs.descend(row, &row_gradient, square, base_rate * OUTPUT_RATE);
            }
        }
        for (gradient, sum) in hidden_gradient.iter_mut().zip(&self.sums) {
            if *sum <= 0.0 || *sum >= MAX_ACTIVATION {
                *gradient = 0.0;
            }
        }
        let square = mean_square(&hidden_gradient);
        for &row in &sample.inputs {
            let row = usize::from(row);
            self.inputs.descend(row, &hidden_gradient, square, base_rate * INPUT_RATE);
        }
    }
}

/// The scalar product, summed in eight lanes.
fn product(one: &Row, other: &Row) -> f32 {
    let mut lanes = [0.0f32; 8];
    for at in (0..HIDDEN).step_by(8) {
        for (lane, sum) in lanes.iter_mut().enumerate() {
            *sum += one[at + lane] * other[at + lane];
        }
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// The mean of the squares of the elements.
fn mean_square(row: &Row) -> f32 {
    product(row, row) / HIDDEN as f32
}
