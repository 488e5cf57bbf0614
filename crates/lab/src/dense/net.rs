//! The net of the model, in floating point, as it is learned.
//!
//! Each row has a step of its own (Adagrad), of the mean of the squares of its gradients. Sums are made in lanes, so that
//! every machine rounds them alike, whatever instructions it has.

use std::array::from_fn;
use std::ops::Range;

use halfmove_codecs::dense::learning::{
    BIAS, HIDDEN, INPUT_UNIT, INPUTS, MAX_HIDDEN, Net, OUTPUT_PARTS, OUTPUT_UNIT, OUTPUTS, Sample,
};

use super::{LEAST_GRADIENT, Random};

type Row = [f32; HIDDEN];

/// The sum of no rows.
const FLOOR: f32 = BIAS as f32 / INPUT_UNIT as f32;

/// The largest number between the layers.
const CEILING: f32 = MAX_HIDDEN as f32 / INPUT_UNIT as f32;

/// The steps of the layers, in those of the tables. That of moves is small: three rows of many numbers add up.
const INPUT_STEP: f32 = 1.4;
const OUTPUT_STEP: f32 = 0.14;

/// The largest weight at first.
const FIRST: f32 = 0.03;

/// The sum of squares at first.
const SQUARES: f32 = 2.0;

/// Rows, each with the sum of the squares of its gradients.
struct Rows {
    rows: Vec<Row>,
    squares: Vec<f32>,
}

impl Rows {
    fn new(count: usize, random: &mut Random) -> Self {
        let mut next = || (random.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0) * FIRST;
        let rows = (0..count).map(|_| from_fn(|_| next())).collect();
        Self { rows, squares: vec![SQUARES; count] }
    }

    /// Moves a row against its gradient.
    fn descend(&mut self, at: usize, gradient: &Row, square: f32, step: f32) {
        self.squares[at] += square;
        let change = step / self.squares[at].sqrt();
        for (weight, slope) in self.rows[at].iter_mut().zip(gradient) {
            *weight -= slope * change;
        }
    }

    /// Gives rows that learned next to nothing the mean of the others in their part. Without it, moves that the games lack, such as
    /// castling from other squares in Chess960, would be next to impossible: all that were played have something in common.
    fn fill(&mut self, part: Range<usize>) {
        let (mut mean, mut all) = ([0.0; HIDDEN], 0.0);
        for at in part.clone() {
            let learned = self.squares[at] - SQUARES;
            all += learned;
            mean.iter_mut().zip(&self.rows[at]).for_each(|(sum, weight)| *sum += weight * learned);
        }
        if all > 0.0 {
            let mean = mean.map(|sum| sum / all);
            let is_new = |at: &usize| self.squares[*at] < 2.0 * SQUARES;
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
    /// The sums of the rows of a position, and these clipped.
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
        self.sums = [FLOOR; HIDDEN];
        for &row in &sample.inputs {
            let row = &self.inputs.rows[usize::from(row)];
            self.sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        self.hidden = self.sums.map(|sum| sum.clamp(0.0, CEILING));
        for (score, rows) in scores[1..].iter_mut().zip(&sample.outputs) {
            let [a, b, c] = rows.map(|row| &self.outputs.rows[row]);
            let row = from_fn(|at| a[at] + b[at] + c[at]);
            *score += product(&self.hidden, &row);
        }
    }

    /// Learns from the gradients of the scores.
    pub(super) fn learn(&mut self, sample: &Sample, gradients: &[f32], step: f32) {
        let mut slope = [0.0; HIDDEN];
        let energy = energy(&self.hidden);
        for (&gradient, rows) in gradients[1..].iter().zip(&sample.outputs) {
            if gradient.abs() <= LEAST_GRADIENT {
                continue;
            }
            for &row in rows {
                let row = &self.outputs.rows[row];
                slope.iter_mut().zip(row).for_each(|(slope, weight)| *slope += weight * gradient);
            }
            let own = self.hidden.map(|hidden| hidden * gradient);
            for &row in rows {
                self.outputs.descend(row, &own, energy * gradient * gradient, step * OUTPUT_STEP);
            }
        }
        for (slope, sum) in slope.iter_mut().zip(&self.sums) {
            if *sum <= 0.0 || *sum >= CEILING {
                *slope = 0.0;
            }
        }
        let energy = self::energy(&slope);
        for &row in &sample.inputs {
            self.inputs.descend(usize::from(row), &slope, energy, step * INPUT_STEP);
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

/// The mean of the squares.
fn energy(row: &Row) -> f32 {
    product(row, row) / HIDDEN as f32
}
