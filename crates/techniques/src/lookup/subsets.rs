//! Tables with an entry for each subset of a square's relevant squares, by the subset's number.
//!
//! PEXT, or the loop that emulates it, makes the number: bit 0 is set if a piece stands on the lowest relevant square,
//! bit 1 for the next, and so on. A slider among several pieces attacks the intersection of the sets that it attacks
//! among each of them alone. So attacks are computed only for no piece and for one. Every other entry is the
//! intersection of two entries: the one for the number's lowest bit, and the one for its other bits.

use crate::bits::deposit;
#[cfg(target_arch = "x86_64")]
use crate::bits::extract;
use crate::{Hyperbola, relevant};
use halfmove_bitboard::{Bitboard, Square};

/// An entry for each subset of each square's relevant squares, and where each square's entries are.
///
/// Slots and entries belong together, and only this module can make them. It guarantees that a square's offset plus
/// any number gathered from its relevant squares is below `N`, so that a look-up in a table needs no bounds check.
pub(crate) struct Table<Entry, const N: usize> {
    slots: [Slot; 64],
    entries: [Entry; N],
}

/// The place of a square's entries.
#[derive(Copy, Clone)]
pub(crate) struct Slot {
    /// The squares whose occupancy is gathered into the index.
    pub(crate) relevant: u64,
    /// The place of the square's first entry; the others follow it.
    pub(crate) offset: usize,
}

/// Attacks of rooks.
#[allow(long_running_const_eval, reason = "one evaluation for each entry")]
pub(crate) static ROOK: Table<u64, 102_400> = Table::new(true);
/// Attacks of bishops.
#[allow(long_running_const_eval, reason = "one evaluation for each entry")]
pub(crate) static BISHOP: Table<u64, 5_248> = Table::new(false);

impl<Entry, const N: usize> Table<Entry, N> {
    /// The slot of a square.
    #[inline]
    pub(crate) const fn slot(&self, square: Square) -> Slot {
        self.slots[square.index()]
    }

    /// The entries of all squares, those of a1 first.
    #[inline]
    pub(crate) const fn entries(&self) -> &[Entry; N] {
        &self.entries
    }
}

impl<const N: usize> Table<u64, N> {
    const fn new(rook: bool) -> Self {
        let slots = slots::<N>(rook);
        let mut entries = [0; N];
        let mut i = 0;
        while i < 64 {
            let square = Square::ALL[i];
            let Slot { relevant, offset } = slots[i];
            let end = 1_usize << relevant.count_ones();
            let mut number = 0_usize;
            while number < end {
                let rest = number & number.wrapping_sub(1);
                entries[offset + number] = if rest != 0 {
                    entries[offset + rest] & entries[offset + (number ^ rest)]
                } else if rook {
                    Hyperbola::rook_attacks(square, Bitboard(deposit(number as u64, relevant))).0
                } else {
                    Hyperbola::bishop_attacks(square, Bitboard(deposit(number as u64, relevant))).0
                };
                number += 1;
            }
            i += 1;
        }
        Self { slots, entries }
    }

    /// The same table with sixteen bits per entry, one for each of the square's `members`, the lowest first.
    #[cfg(target_arch = "x86_64")]
    pub(crate) const fn narrowed(&self, members: &[u64; 64]) -> Table<u16, N> {
        let mut entries = [0; N];
        let mut i = 0;
        while i < 64 {
            let Slot { relevant, offset } = self.slots[i];
            let end = 1_usize << relevant.count_ones();
            let mut number = 0_usize;
            while number < end {
                let rest = number & number.wrapping_sub(1);
                entries[offset + number] = if rest != 0 {
                    entries[offset + rest] & entries[offset + (number ^ rest)]
                } else {
                    extract(self.entries[offset + number], members[i]) as u16
                };
                number += 1;
            }
            i += 1;
        }
        Table { slots: self.slots, entries }
    }
}

/// The slots of a table of `N` entries, which is as many as there are subsets.
const fn slots<const N: usize>(rook: bool) -> [Slot; 64] {
    let mut slots = [Slot { relevant: 0, offset: 0 }; 64];
    let mut offset = 0;
    let mut i = 0;
    while i < 64 {
        let square = Square::ALL[i];
        let relevant = if rook { relevant::rook(square).0 } else { relevant::bishop(square).0 };
        slots[i] = Slot { relevant, offset };
        offset += 1 << relevant.count_ones();
        i += 1;
    }
    assert!(offset == N, "an entry for every subset");
    slots
}
