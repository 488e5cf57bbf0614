//! The model as a trainer needs it: the features of games as indices of weights.

use halfmove_game::rules::cpu::Baseline;
use halfmove_game::rules::{Chess, Move};
use halfmove_game::{Date, Tags};

use super::adaptive::Learner;
pub use super::book::{Book, BookTable, PLIES, class_of_cost, class_of_total};
use super::choice::{Choice, Sink, mirror};
use super::context::Context;
use super::features::OF_END;
use super::model::Model;
pub use super::model::WEIGHT_UNIT;
pub use super::net::{
    BIAS, HIDDEN, INPUT_UNIT, INPUTS, MAX_HIDDEN, Net, OUTPUT_PARTS, OUTPUT_UNIT, OUTPUTS, Row,
};
pub use super::tables::{SETTINGS, WEIGHTS};

/// A half-move of a game, as indices of weights.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// The indices of all that can happen, one after another: of the end of the game, then of each legal move.
    pub features: Vec<u32>,
    /// The end of the indices of each.
    pub ends: Vec<usize>,
    /// The rows of the position in the net.
    pub inputs: Vec<u16>,
    /// The rows of each legal move in the net.
    pub outputs: Vec<[u16; 3]>,
    /// The number of what happened.
    pub chosen: usize,
}

impl Sink for Sample {
    fn end(&mut self, _: u64, inputs: &[u16], features: &[u32; OF_END]) {
        self.features.extend(features);
        self.ends.push(self.features.len());
        self.inputs.extend(inputs);
    }

    fn movement(&mut self, _: u16, outputs: [u16; 3], features: &[u32]) {
        self.features.extend(features);
        self.ends.push(self.features.len());
        self.outputs.push(outputs);
    }
}

/// Shows each half-move of a game, and its end, that the model gives frequencies to.
pub fn visit(
    start: &Chess,
    moves: &[Move],
    setting: usize,
    book: &impl Book,
    mut each: impl FnMut(&Sample),
) {
    let mut context = Context::new(start.clone(), setting);
    let mut choice = Choice::default();
    let mut sample = Sample::default();
    for mv in moves.iter().map(|mv| Some(*mv)).chain([None]) {
        sample.features.clear();
        sample.ends.clear();
        sample.inputs.clear();
        sample.outputs.clear();
        let goes_on = choice.visit(Baseline, &context, book, mv, &mut sample);
        if !goes_on {
            return;
        }
        let chosen = match mv {
            None => Some(0),
            Some(mv) => choice.candidates.iter().position(|one| one.mv == mv).map(|at| at + 1),
        };
        if let Some(chosen) = chosen {
            sample.chosen = chosen;
            each(&sample);
        }
        let Some(mv) = mv else { return };
        context.play(mv);
    }
}

/// The keys of the positions of a game and of the moves played there, as a book has them.
pub fn keys(start: &Chess, moves: &[Move], mut each: impl FnMut(u64, u16)) {
    let mut context = Context::new(start.clone(), 0);
    for mv in moves.iter().take(PLIES) {
        each(context.position.zobrist().0, mv.to_bits() ^ mirror(&context));
        context.play(*mv);
    }
}

/// The first year whose games the shipped model has not seen.
pub const HELD_OUT_FROM: u16 = 2021;

/// Returns true for a game that is held out, to measure a model by: of the year `from` or later, or of an event that the hash
/// of its name and year selects. The bits that it looks at depend on the name: about one name in 32 is held out in all years.
pub fn is_held_out(tags: &Tags, from: u16) -> bool {
    let year = Date::of_game(tags).map_or(0, Date::year);
    let event = tags.value("Event").unwrap_or_default().bytes();
    let group = hash(event.chain(year.to_le_bytes()));
    year >= from || group >> 32 & 31 == 0
}

/// FNV-1a, 64 bits.
pub fn hash(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The bits of the half-moves and ends of games in one block, in which the model goes on learning.
pub fn bits_in_block<'a>(model: &Model, games: impl Iterator<Item = (&'a [Move], usize)>) -> f64 {
    let (mut learner, mut spans, mut bits) = (Learner::new(model), Vec::new(), 0.0);
    let start = Chess::default().into();
    for (moves, setting) in games {
        spans.clear();
        if model.encode_line(&start, moves, setting, Some(&mut learner), &mut spans).is_ok() {
            bits += spans.iter().map(|span| span.bits()).sum::<f64>();
        }
    }
    bits
}
