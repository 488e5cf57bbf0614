//! A small neural network that says what a position is worth, learned from games of the engine against itself.
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
//! An [input](input) says that a piece of ours or theirs stands on a square. The sum of the rows of all pieces is
//! computed afresh for each position: that is a few dozen additions of [`LANES`] numbers at once, no more work than the
//! terms of the hand-crafted evaluation, and the same on every board.
//!
//! The net gives the lead alone. What of it can be won is said by the same endings as ever, with the count of Makruk
//! ([`eval::ending`](super::ending)).
//!
//! All numbers are whole: a hidden neuron of 1 is [`ONE`], a weight of 1 behind it [`OUT_ONE`].
//!
//! # Source
//! Yu Nasu, *Efficiently updatable neural-network-based evaluation functions for computer shogi* (2018), without the
//! updates. "NNUE", Chess Programming Wiki, for the squares of clipped sums and the buckets.

mod file;
pub(crate) mod input;

pub use file::NetError;

use crate::{Count, SearchBoard};
use halfmove_rules::{Board, Color, Variant};
use input::{INPUTS, Input};
use std::sync::LazyLock;

/// How many numbers the CPU adds at once, or nearly so: the hidden neurons come in blocks of so many.
pub(crate) const LANES: usize = 32;

/// How many sets of weights there are behind the hidden neurons.
pub(crate) const BUCKETS: usize = 8;

/// The rows of a block: one for each input, where the sums begin, and for each bucket the weights of our sums and of
/// theirs. After the last block comes one row with what each bucket adds.
pub(crate) const BIAS: usize = INPUTS;
pub(crate) const OUT: usize = BIAS + 1;
pub(crate) const BLOCK: usize = OUT + 2 * BUCKETS;

/// A hidden neuron of 1. The largest square, times the largest weight, just fits.
pub(crate) const ONE: i16 = 255;
/// A weight of 1 behind the hidden neurons.
pub(crate) const OUT_ONE: i16 = 64;
/// A lead of 1, in centipawns.
pub(crate) const CENTIPAWNS: i32 = 400;

/// The largest numbers of an input's row, behind the hidden neurons, and in the last row. The sums of 64 pieces fit.
pub(crate) const MOST: i16 = 500;
pub(crate) const OUT_MOST: i16 = 127;
pub(crate) const LAST_MOST: i16 = i16::MAX;

/// The largest lead.
const MOST_LEAD: i64 = 20_000;

/// The largest number of hidden neurons.
pub(crate) const MOST_HIDDEN: usize = 512;

/// Numbers that are added at once.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Row(pub(crate) [i16; LANES]);

impl Row {
    #[inline(always)]
    fn add(&mut self, other: &Self) {
        for (sum, number) in self.0.iter_mut().zip(other.0) {
            *sum += number;
        }
    }

    /// The sum of the clipped squares, times weights.
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

/// A network for one game.
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
    /// The blocks, and the last row.
    rows: Box<[Row]>,
}

/// The nets that come with the program. `docs/reference/engine-search.md` says how they were made.
static BUILT_IN: LazyLock<Vec<Net>> = LazyLock::new(|| {
    let files = [
        include_bytes!("../../nets/chess.net").as_slice(),
        include_bytes!("../../nets/makruk.net").as_slice(),
    ];
    files.into_iter().filter_map(|bytes| Net::from_bytes(bytes).ok()).collect()
});

impl Net {
    /// The net that comes with the program and knows a game, if there is one.
    pub fn built_in(game: Variant) -> Option<&'static Self> {
        BUILT_IN.iter().find(|net| net.knows(game))
    }

    /// The game that it was trained on: chess or Makruk.
    pub const fn game(&self) -> Variant {
        self.game
    }

    /// How it was made.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// How many hidden neurons there are for each side.
    pub fn hidden(&self) -> usize {
        self.rows.len() / BLOCK * LANES
    }

    /// Whether it knows a game: the one that it was trained on, or that with other starts. Makpong and ASEAN chess have
    /// the pieces of Makruk, but other rules.
    pub fn knows(&self, game: Variant) -> bool {
        self.game == if game == Variant::Chess960 { Variant::Chess } else { game }
    }

    /// What a position is worth for the side to move, in centipawns, without looking ahead; `None` if the net does not
    /// know the game.
    pub fn value<B: SearchBoard>(&self, position: &B) -> Option<i32> {
        self.knows(position.variant()).then(|| super::value_by(self, position))
    }

    /// A network of such rows.
    pub(crate) fn new(game: Variant, origin: String, rows: Box<[Row]>) -> Self {
        Self { game, origin, rows }
    }

    /// By how many centipawns a side leads that is to move.
    #[inline(always)]
    pub(crate) fn lead(&self, board: &Board, us: Color, count: Option<Count>) -> i32 {
        let input = Input::of(self.game, board, us, count);
        self.lead_of(&input.rows, input.bucket)
    }

    /// The same from what the net sees.
    #[inline(always)]
    pub(crate) fn lead_of(&self, rows: &[[u16; 2]], bucket: usize) -> i32 {
        let (blocks, last) = self.rows.as_chunks::<BLOCK>();
        let mut sum = 0;
        for block in blocks {
            let [mut own, mut other] = [block[BIAS]; 2];
            for [by_us, by_them] in rows {
                own.add(&block[usize::from(*by_us)]);
                other.add(&block[usize::from(*by_them)]);
            }
            let out = OUT + 2 * bucket;
            sum += i64::from(own.weigh(&block[out])) + i64::from(other.weigh(&block[out + 1]));
        }
        let sum = sum / i64::from(ONE) + i64::from(last[0].0[bucket]);
        let lead = sum * i64::from(CENTIPAWNS) / (i64::from(ONE) * i64::from(OUT_ONE));
        lead.clamp(-MOST_LEAD, MOST_LEAD) as i32
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
