//! The tables of PEXT, with and without the instruction.
//!
//! The subsets of a square's relevant squares, in ascending order, are numbered 0, 1, 2 … by the
//! bits that they leave in those squares, gathered at the low end: that is what PEXT computes. So
//! the table of a square is written front to back while its subsets are enumerated.

use super::{hyperbola, relevant};
use crate::{Bitboard, Square};

/// What the lookup for one square needs beside the attacks.
pub(crate) struct Slots {
    /// The squares whose occupancy is gathered to the index.
    pub(crate) relevant: u64,
    /// Where the square's first slot is.
    pub(crate) offset: usize,
}

/// Slots of rooks, by square.
pub(crate) static ROOK: [Slots; 64] = slots(true);
/// Slots of bishops, by square.
pub(crate) static BISHOP: [Slots; 64] = slots(false);
/// Attacks of rooks, each square's after those of the squares before it.
#[allow(long_running_const_eval, reason = "one evaluation for each slot")]
pub(crate) static ROOK_ATTACKS: [u64; 102_400] = attacks(true);
/// Attacks of bishops.
#[allow(long_running_const_eval, reason = "one evaluation for each slot")]
pub(crate) static BISHOP_ATTACKS: [u64; 5_248] = attacks(false);

const fn relevant_squares(square: Square, rook: bool) -> u64 {
    if rook { relevant::rook(square).0 } else { relevant::bishop(square).0 }
}

const fn slots(rook: bool) -> [Slots; 64] {
    let mut slots = [const { Slots { relevant: 0, offset: 0 } }; 64];
    let mut offset = 0;
    let mut i = 0;
    while i < 64 {
        let relevant = relevant_squares(Square::ALL[i], rook);
        slots[i] = Slots { relevant, offset };
        offset += 1 << relevant.count_ones();
        i += 1;
    }
    slots
}

const fn attacks<const N: usize>(rook: bool) -> [u64; N] {
    let mut table = [0; N];
    let mut slot = 0;
    let mut i = 0;
    while i < 64 {
        let square = Square::ALL[i];
        let relevant = relevant_squares(square, rook);
        let mut subset = 0_u64;
        loop {
            let occupied = Bitboard(subset);
            table[slot] = if rook {
                hyperbola::rook(square, occupied).0
            } else {
                hyperbola::bishop(square, occupied).0
            };
            slot += 1;
            subset = subset.wrapping_sub(relevant) & relevant;
            if subset == 0 {
                break;
            }
        }
        i += 1;
    }
    assert!(slot == N, "a slot for every subset");
    table
}
