//! The tables of PEXT.
//!
//! PEXT numbers the subsets of a square's relevant squares: bit 0 of the number is set if a piece stands on the
//! lowest relevant square, bit 1 for the next, and so on. A slider among several pieces attacks the intersection
//! of the sets that it attacks among each of them alone. So attacks are computed only for no piece and for one.
//! Every other entry is the intersection of two entries: the one for the number's lowest bit, and the one for its
//! other bits.

use crate::sliders::{Hyperbola, relevant};
use crate::{Bitboard, Square};

/// An entry for each subset of each square's relevant squares, and the place of each square's entries.
///
/// Slots and entries belong together, and only this module can make them. It guarantees that a
/// square's offset plus any number gathered from its relevant squares is below `N`, so that a look-up
/// in a table needs no check.
pub(super) struct Table<const N: usize> {
    slots: [Slot; 64],
    entries: [u64; N],
}

/// The place of a square's entries.
#[derive(Copy, Clone)]
pub(super) struct Slot {
    /// The squares whose occupancy is gathered into the index.
    pub(super) relevant: u64,
    /// The place of the square's first entry; the others follow it.
    pub(super) offset: usize,
}

/// Attacks of rooks.
#[allow(long_running_const_eval, reason = "one evaluation for each entry")]
pub(super) static ROOK: Table<102_400> = Table::new(true);
/// Attacks of bishops.
#[allow(long_running_const_eval, reason = "one evaluation for each entry")]
pub(super) static BISHOP: Table<5_248> = Table::new(false);

impl<const N: usize> Table<N> {
    /// The slot of a square.
    #[inline]
    pub(super) const fn slot(&self, square: Square) -> Slot {
        self.slots[square.index()]
    }

    /// The entries of all squares, those of a1 first.
    #[inline]
    pub(super) const fn entries(&self) -> &[u64; N] {
        &self.entries
    }

    const fn new(rook: bool) -> Self {
        let mut slots = [Slot { relevant: 0, offset: 0 }; 64];
        let mut entries = [0; N];
        let mut offset = 0;
        let mut i = 0;
        while i < 64 {
            let square = Square::ALL[i];
            let relevant = if rook { relevant::rook(square) } else { relevant::bishop(square) };
            slots[i] = Slot { relevant: relevant.0, offset };
            let end = 1_usize << relevant.len();
            // The relevant squares whose entry for a single piece has not been computed yet, in ascending order.
            let mut left = relevant.0;
            let mut number = 0_usize;
            while number < end {
                let rest = number & number.wrapping_sub(1);
                entries[offset + number] = if rest != 0 {
                    entries[offset + rest] & entries[offset + (number ^ rest)]
                } else {
                    let occupied = if number == 0 { 0 } else { left & left.wrapping_neg() };
                    left ^= occupied;
                    if rook {
                        Hyperbola::rook_attacks(square, Bitboard(occupied)).0
                    } else {
                        Hyperbola::bishop_attacks(square, Bitboard(occupied)).0
                    }
                };
                number += 1;
            }
            offset += end;
            i += 1;
        }
        assert!(offset == N, "an entry for every subset");
        Self { slots, entries }
    }
}
