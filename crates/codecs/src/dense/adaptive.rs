//! A learner: a model that goes on learning in a block of games, in the same way when it is written and when it is read.
//!
//! It begins with the weights of the tables, and with a further table for moves in positions: players repeat their openings. After
//! each half-move, the weights of what happened grow by what it was unexpected, and those of the rest shrink.

use super::model::Model;
use super::range::TOTAL;
use super::tables::WEIGHTS;

/// The bits by which a learner's weight is finer than one of the model's.
const FINER: u32 = 13;

/// The number of weights of moves in positions.
const KNOWN: usize = 1 << 20;

/// A smaller difference of a frequency is passed over.
const MIN_DIFFERENCE: i32 = 128;

/// The rates of learning of a weight of a table, and of one of a move in a position: its change for each unit of a frequency, in 2⁻¹².
const RATE: i32 = 40;
const RATE_KNOWN: i32 = 8_192;

/// The largest weight.
const MAX_WEIGHT: i32 = 1 << 20;

/// The weights of a model after some games of a block.
#[derive(Clone, Debug)]
pub(crate) struct Learner {
    /// The weights of the tables, then those of moves in positions.
    weights: Vec<i32>,
    /// The indices of the features at this half-move, with the end of those of each symbol.
    features: Vec<u32>,
    ends: Vec<usize>,
}

impl Learner {
    pub(crate) fn new(model: &Model) -> Self {
        let weights = model.weights().iter().map(|weight| i32::from(*weight) << FINER);
        let mut weights: Vec<i32> = weights.collect();
        weights.resize(WEIGHTS + KNOWN, 0);
        Self { weights, features: Vec::new(), ends: Vec::new() }
    }

    /// Begins a half-move.
    pub(super) fn begin(&mut self) {
        self.features.clear();
        self.ends.clear();
    }

    /// Adds a feature of a symbol, and returns its weight.
    #[inline(always)]
    pub(super) fn weight(&mut self, index: usize) -> i32 {
        self.features.push(index as u32);
        self.weights[index]
    }

    /// Adds a move in a position, by its key, as a feature of a symbol, and returns its weight.
    #[inline(always)]
    pub(super) fn known(&mut self, position: u64, key: u16) -> i32 {
        let mixed = (position ^ u64::from(key)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let index = mixed >> (64 - KNOWN.trailing_zeros());
        self.weight(WEIGHTS + index as usize)
    }

    /// Ends the features of a symbol.
    #[inline(always)]
    pub(super) fn end(&mut self) {
        self.ends.push(self.features.len());
    }

    /// A sum of weights in units of one of the model's, in parts of 1 / `unit`.
    #[inline(always)]
    pub(super) const fn sum(sum: i32, unit: i32) -> i32 {
        sum >> (FINER - unit.trailing_zeros())
    }

    /// Learns the symbol that happened, of the frequencies of all.
    pub(super) fn learn(&mut self, frequencies: &[u32], happened: usize) {
        let mut begin = 0;
        for (symbol, (frequency, &end)) in frequencies.iter().zip(&self.ends).enumerate() {
            let wanted = if symbol == happened { TOTAL as i32 } else { 0 };
            let difference = wanted - *frequency as i32;
            if difference.abs() > MIN_DIFFERENCE {
                let change = |rate: i32| (difference * rate + (1 << 11)) >> 12;
                let (change, change_known) = (change(RATE), change(RATE_KNOWN));
                for &feature in &self.features[begin..end] {
                    let index = feature as usize;
                    let change = if index < WEIGHTS { change } else { change_known };
                    let weight = &mut self.weights[index];
                    *weight = (*weight + change).clamp(-MAX_WEIGHT, MAX_WEIGHT);
                }
            }
            begin = end;
        }
    }
}
