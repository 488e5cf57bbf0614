//! A learner: a model that goes on learning in a block of games, in the same way when the block is written and when it is read.
//!
//! It begins with the weights of the tables, and with a further table for moves in positions, because players repeat their openings. Each half-move is
//! a step of stochastic gradient descent: the gradient of the bits that a symbol takes is the difference between its probability and
//! what happened, 1 or 0. All is in fixed-point numbers, so every machine learns the same.

use halfmove_game::rules::cpu;

use super::distribution::UNIT;
use super::model::{Model, WEIGHT_UNIT};
use super::range::TOTAL;
use super::tables::WEIGHTS;

/// The fixed-point scale of a learner's weights: the number of bits after the point, in units of the model's.
const WEIGHT_SCALE: u32 = 13;

/// The binary logarithm of the units of a learner's weight in one of a score.
const SCORE_SHIFT: u32 = WEIGHT_SCALE - (UNIT / WEIGHT_UNIT).trailing_zeros();

/// The number of weights of moves in positions.
const POSITION_WEIGHTS: usize = 1 << 20;

/// The least difference of frequencies that changes weights.
const MIN_GRADIENT: i32 = 128;

/// The learning rates of the weights of tables and of those of moves in positions.
const RATE: i32 = 40;
const POSITION_RATE: i32 = 8_192;

/// The fixed-point scale of the learning rates.
const RATE_SCALE: u32 = 12;

/// The largest weight.
const MAX_WEIGHT: i32 = 1 << 20;

/// The weights of a model after some games of a block.
#[derive(Clone, Debug)]
pub(crate) struct Learner {
    /// The weights of the tables, then those of moves in positions.
    weights: Vec<i32>,
    /// The indices of the weights of all symbols of this half-move but a null move, and the end of those of each.
    features: Vec<u32>,
    ends: Vec<usize>,
}

impl Learner {
    pub(crate) fn new(model: &Model) -> Self {
        let weights = model.weights().iter().map(|weight| i32::from(*weight) << WEIGHT_SCALE);
        let mut weights: Vec<i32> = weights.collect();
        weights.resize(WEIGHTS + POSITION_WEIGHTS, 0);
        Self { weights, features: Vec::new(), ends: Vec::new() }
    }

    /// Begins a half-move.
    pub(super) fn begin(&mut self) {
        self.features.clear();
        self.ends.clear();
    }

    /// Adds a symbol by the indices of its weights. Returns its score, without what the net adds.
    #[inline(always)]
    pub(super) fn score(&mut self, features: impl IntoIterator<Item = u32>) -> i32 {
        let begin = self.features.len();
        self.features.extend(features);
        self.ends.push(self.features.len());
        let weights = self.features[begin..].iter().map(|at| self.weights[*at as usize]);
        weights.sum::<i32>() >> SCORE_SHIFT
    }

    /// Prefetches a weight.
    #[inline(always)]
    pub(super) fn prefetch(&self, index: u32) {
        cpu::prefetch(&self.weights[index as usize]);
    }

    /// The index of the weight of a move in a position, by their keys. Different moves may share one.
    #[inline(always)]
    pub(super) fn position_move(position: u64, mv: u16) -> u32 {
        let mixed = (position ^ u64::from(mv)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        WEIGHTS as u32 + (mixed >> (64 - POSITION_WEIGHTS.trailing_zeros())) as u32
    }

    /// Takes a step against the gradient: of the frequencies of the symbols, and the number of the one that happened.
    pub(super) fn learn(&mut self, frequencies: &[u32], happened: usize) {
        let mut begin = 0;
        for (symbol, (frequency, &end)) in frequencies.iter().zip(&self.ends).enumerate() {
            let expected = if symbol == happened { TOTAL as i32 } else { 0 };
            let gradient = expected - *frequency as i32;
            if gradient.abs() > MIN_GRADIENT {
                let step = |rate: i32| (gradient * rate + (1 << (RATE_SCALE - 1))) >> RATE_SCALE;
                let (step, position_step) = (step(RATE), step(POSITION_RATE));
                for &feature in &self.features[begin..end] {
                    let index = feature as usize;
                    let step = if index < WEIGHTS { step } else { position_step };
                    let weight = &mut self.weights[index];
                    *weight = (*weight + step).clamp(-MAX_WEIGHT, MAX_WEIGHT);
                }
            }
            begin = end;
        }
    }
}
