//! A small neural network that evaluates a position, learned from games of the engine against itself.
//!
//! ```text
//!  768 inputs           H hidden neurons
//!  as we see it    ──▶  one row of H numbers ──▶ clipped to 0…1, squared, weighted ─┐
//!  (a row for each piece on the board)                                              ├──▶ our lead
//!  as they see it  ──▶  the same rows        ──▶ clipped to 0…1, squared, weighted ─┘    (other weights for each bucket)
//! ```
//!
//! (768→H)×2→1×8: horizontally mirrored inputs, squared clipped ReLU (SCReLU), 8 output buckets.
//!
//! Each [input](input) is a piece of ours or theirs on a square. A search keeps the sums of the rows along its path,
//! and a move changes two to four rows ([`accumulator`]). [`Net::lead`] adds up the rows of all pieces: it serves
//! single positions and training, and is the oracle of the accumulator.
//!
//! The net gives only the lead. It is scaled by the same rules for endings, and for the count of Makruk, as in the
//! hand-crafted evaluation ([`eval::ending`](super::ending)).
//!
//! All numbers are integers: an activation of 1 is [`ONE`], an output weight of 1 is [`OUT_ONE`].
//!
//! # Source
//! Yu Nasu, *Efficiently updatable neural-network-based evaluation functions for computer shogi* (2018). "NNUE", Chess
//! Programming Wiki, for the squares of clipped sums and the buckets.

pub(crate) mod accumulator;
mod file;
pub(crate) mod input;

pub use file::NetError;

use crate::{Count, SearchBoard};
use arrayvec::ArrayVec;
use halfmove_rules::{Board, Color, Variant};
use input::{INPUTS, Input};
use std::sync::LazyLock;

/// The number of hidden neurons in a block; a CPU adds a block with few instructions.
pub(crate) const LANES: usize = 32;

/// The number of output buckets: sets of output weights.
pub(crate) const BUCKETS: usize = 8;

/// The rows of a block in a file and in training: one for each input, the biases, and for each bucket the output
/// weights of our sums and of theirs. After the last block comes one row with the bias of each bucket.
pub(crate) const BIAS: usize = INPUTS;
pub(crate) const OUT: usize = BIAS + 1;
pub(crate) const BLOCK: usize = OUT + 2 * BUCKETS;

/// An activation of 1. The largest square times the largest weight just fits.
pub(crate) const ONE: i16 = 255;
/// An output weight of 1.
pub(crate) const OUT_ONE: i16 = 64;
/// A lead of 1, in centipawns.
pub(crate) const CENTIPAWNS: i32 = 400;

/// The largest numbers in the row of an input, in the output weights, and in the last row. The sums of 64 pieces fit.
pub(crate) const MAX: i16 = 500;
pub(crate) const OUT_MAX: i16 = 127;
pub(crate) const LAST_MAX: i16 = i16::MAX;

/// The largest lead.
const MAX_LEAD: i64 = 20_000;

/// The largest number of hidden neurons.
pub(crate) const MAX_HIDDEN: usize = 512;

/// A block of numbers that are added at once.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Row(pub(crate) [i16; LANES]);

impl Row {
    const ZERO: Self = Self([0; LANES]);

    #[inline(always)]
    fn add(&mut self, other: &Self) {
        for (sum, number) in self.0.iter_mut().zip(other.0) {
            *sum += number;
        }
    }

    /// The sums minus a row plus another. The rows are copied: if they could overlap, the compiler would not vectorize
    /// the loop.
    #[inline(always)]
    fn changed(self, gone: &Self, come: &Self) -> Self {
        let mut sums = self.0;
        for ((sum, gone), come) in sums.iter_mut().zip(gone.0).zip(come.0) {
            *sum = *sum - gone + come;
        }
        Self(sums)
    }

    /// The weighted sum of the squared clipped numbers.
    #[inline(always)]
    fn weigh(&self, weights: &Self) -> i32 {
        let mut sum = 0;
        for (number, weight) in self.0.iter().zip(weights.0) {
            let clipped = (*number).clamp(0, ONE);
            // The product fits 16 bits, so that one instruction multiplies by the second factor and adds up.
            sum += i32::from(clipped * weight) * i32::from(clipped);
        }
        sum
    }
}

/// A neural network for one game.
///
/// ```
/// use halfmove_engine::{KeyedMakruk, Net, NetError};
/// use halfmove_rules::{Makruk, Variant};
///
/// let net = Net::built_in(Variant::Makruk).expect("one comes with the program");
/// // White has a rook more.
/// let position: Makruk = "1nsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1".parse()?;
/// assert!(net.value(&KeyedMakruk::new(position)) > Some(300));
///
/// let error = Net::from_bytes(b"rnbqkbnr/pppppppp/8/8/8/8").err();
/// assert!(matches!(error, Some(NetError::Magic)));
/// # Ok::<(), halfmove_rules::makruk::FenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    game: Variant,
    origin: String,
    /// The number of blocks.
    blocks: usize,
    /// The blocks of each input, then the biases, then the same number of zeros.
    inputs: Box<[Row]>,
    /// For each bucket the blocks of our output weights and of theirs.
    outs: Box<[Row]>,
    /// The biases of the buckets.
    last: Row,
}

/// The built-in nets. `docs/reference/engine-search.md` describes their training.
static BUILT_IN: LazyLock<Vec<Net>> = LazyLock::new(|| {
    let files = [
        include_bytes!("../../nets/chess.net").as_slice(),
        include_bytes!("../../nets/makruk.net").as_slice(),
    ];
    files.into_iter().filter_map(|bytes| Net::from_bytes(bytes).ok()).collect()
});

impl Net {
    /// The built-in net for a game, if there is one.
    pub fn built_in(game: Variant) -> Option<&'static Self> {
        BUILT_IN.iter().find(|net| net.knows(game))
    }

    /// The game that it was trained on: chess or Makruk.
    pub const fn game(&self) -> Variant {
        self.game
    }

    /// The command that trained it, with the number of samples.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The number of hidden neurons of each side.
    pub fn hidden(&self) -> usize {
        self.blocks() * LANES
    }

    /// Returns true if it evaluates this game: the one that it was trained on, or, for chess, Chess960 too. Makpong and
    /// ASEAN chess have the pieces of Makruk, but different rules.
    pub fn knows(&self, game: Variant) -> bool {
        self.game == if game == Variant::Chess960 { Variant::Chess } else { game }
    }

    /// The value of a position for the side to move, in centipawns, without a search; `None` if the net is for another
    /// game.
    pub fn value<B: SearchBoard>(&self, position: &B) -> Option<i32> {
        self.knows(position.variant()).then(|| super::value_by(self, position))
    }

    /// Builds a network from the rows of a file.
    pub(crate) fn new(game: Variant, origin: String, rows: &[Row]) -> Self {
        let (blocks, last) = rows.as_chunks::<BLOCK>();
        let across = |row: usize| blocks.iter().map(move |block| block[row]);
        Self {
            game,
            origin,
            blocks: blocks.len(),
            inputs: (0..OUT).flat_map(across).chain(blocks.iter().map(|_| Row::ZERO)).collect(),
            outs: (OUT..BLOCK).flat_map(across).collect(),
            last: *last.first().unwrap_or(&Row::ZERO),
        }
    }

    /// The rows in the order of a file.
    fn rows(&self) -> impl Iterator<Item = Row> {
        let blocks = self.blocks();
        let all = [&self.inputs[..OUT * blocks], &self.outs];
        let down = move |block| {
            all.into_iter().flat_map(move |rows| rows.iter().skip(block).step_by(blocks).copied())
        };
        (0..blocks).flat_map(down).chain([self.last])
    }

    /// The number of blocks of hidden neurons.
    #[inline(always)]
    pub(crate) const fn blocks(&self) -> usize {
        self.blocks
    }

    /// The biases of all blocks.
    fn biases(&self) -> &[Row] {
        &self.inputs[BIAS * self.blocks()..][..self.blocks()]
    }

    /// The row of zeros, for no piece.
    #[inline(always)]
    fn nothing(&self) -> &[Row] {
        &self.inputs[OUT * self.blocks()..]
    }

    /// The lead of the side to move in centipawns, from all pieces.
    #[inline(always)]
    pub(crate) fn lead(&self, board: &Board, us: Color, count: Option<Count>) -> i32 {
        let input = Input::of(self.game, board, us, count);
        self.lead_of(&input.rows, input.bucket)
    }

    /// The lead, given the indices of the inputs.
    #[inline(always)]
    pub(crate) fn lead_of(&self, rows: &[[u16; 2]], bucket: usize) -> i32 {
        let blocks = self.blocks();
        let sums = [0, 1].map(|side| {
            let sum = |(block, bias): (usize, &Row)| {
                let mut sum = *bias;
                for numbers in rows {
                    sum.add(&self.inputs[usize::from(numbers[side]) * blocks + block]);
                }
                sum
            };
            let sums = self.biases().iter().enumerate().map(sum);
            sums.collect::<ArrayVec<Row, { MAX_HIDDEN / LANES }>>()
        });
        self.weigh(&sums[0], &sums[1], bucket)
    }

    /// The lead from the hidden sums.
    #[inline(always)]
    fn weigh(&self, own: &[Row], other: &[Row], bucket: usize) -> i32 {
        let blocks = self.blocks();
        let weights = &self.outs[2 * bucket * blocks..][..2 * blocks];
        let (own_weights, other_weights) = weights.split_at(blocks);
        let own = own.iter().zip(own_weights);
        let mut sum = 0;
        for ((own, own_weights), (other, other_weights)) in own.zip(other.iter().zip(other_weights))
        {
            sum += i64::from(own.weigh(own_weights) + other.weigh(other_weights));
        }
        let sum = sum / i64::from(ONE) + i64::from(self.last.0[bucket]);
        let lead = sum * i64::from(CENTIPAWNS) / (i64::from(ONE) * i64::from(OUT_ONE));
        lead.clamp(-MAX_LEAD, MAX_LEAD) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nets_of_the_program_are_whole() {
        for game in [Variant::Chess, Variant::Makruk] {
            let net = Net::built_in(game).unwrap_or_else(|| panic!("no net of {game}"));
            assert_eq!(net.game(), game);
            assert!(net.origin().contains(&format!("--game {game} ")), "{}", net.origin());
        }
        assert_eq!(Net::built_in(Variant::Chess960), Net::built_in(Variant::Chess));
        assert_eq!(Net::built_in(Variant::Makpong), None);
        assert_eq!(Net::built_in(Variant::Asean), None);
    }
}
