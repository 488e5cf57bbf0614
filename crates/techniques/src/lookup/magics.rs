//! Magic bitboards: one multiplication makes both lines of a rook or bishop an index.
//!
//! ```text
//! a rook on d4: the ten squares that matter, gathered at the top of the product
//! . . . . . . . .                          4 5 6 B C E F G
//! . . . 6 . . . .        a factor,         . . . . . . 1 2
//! . . . 5 . . . .        found by          garbage
//! . . . 4 . . . .   *    trial        =
//! . B C . E F G .                                           >> (64 - 10)
//! . . . 2 . . . .
//! . . . 1 . . . .
//! . . . . . . . .
//! ```
//!
//! A one-to-one map of ten scattered bits to ten adjacent ones does not always exist, and need not: only different
//! *attack sets* must not share a slot. A rook on d4 has 1,024 occupancies, but only 3 · 4 · 3 · 4 = 144 attack sets.
//!
//! | technique | sets in the table | idea |
//! |---|---:|---|
//! | [`PlainMagics`] | 294,912 | the same space and shift for every square |
//! | [`FancyMagics`] | 107,648 | as much space as each square needs |
//! | [`IndirectMagics`] | 6,328 | each attack set once, and sixteen-bit numbers of sets |
//! | [`BlackMagics`] | 114,993 | a constant shift, and squares that share one table |
//! | [`SharedMagics`] | 85,941 | a shift for each square, and squares interleaved as tightly as can be |
//!
//! The factors are committed. `examples/find_magics` finds them again, from a seed, and prints the numbers of occupancies
//! and attack sets that the source has as tables.
//!
//! # Source
//! Isenberg 2008, "Magic Bitboards", "How it works" and "Perfect Hashing".

mod black;
mod factors;
mod fancy;
mod indirect;
mod plain;
mod shared;

pub use black::BlackMagics;
pub use fancy::FancyMagics;
pub use indirect::IndirectMagics;
pub use plain::PlainMagics;
pub use shared::SharedMagics;

use super::subsets;
use crate::relevant;
use halfmove_bitboard::{Bitboard, Direction, Square};

/// The constants that a look-up reads besides the table.
#[derive(Copy, Clone)]
struct Magic {
    /// White magics: the relevant squares. Black magics: all others.
    mask: u64,
    factor: u64,
    offset: u32,
    shift: u8,
}

impl Magic {
    const NONE: Self = Self { mask: 0, factor: 0, offset: 0, shift: 0 };

    /// The slot of an occupancy, with irrelevant squares cleared.
    #[inline]
    const fn white(&self, occupied: Bitboard) -> usize {
        ((occupied.0 & self.mask).wrapping_mul(self.factor) >> self.shift) as usize
            + self.offset as usize
    }

    /// The slot of an occupancy, with irrelevant squares set.
    #[inline]
    const fn black(&self, occupied: Bitboard) -> usize {
        ((occupied.0 | self.mask).wrapping_mul(self.factor) >> self.shift) as usize
            + self.offset as usize
    }
}

/// Bishop or rook.
#[derive(Copy, Clone)]
enum Slider {
    Bishop,
    Rook,
}

impl Slider {
    const fn relevant(self, square: Square) -> Bitboard {
        match self {
            Self::Bishop => relevant::bishop(square),
            Self::Rook => relevant::rook(square),
        }
    }

    const fn directions(self) -> [Direction; 4] {
        match self {
            Self::Bishop => Direction::DIAGONAL,
            Self::Rook => Direction::ORTHOGONAL,
        }
    }

    /// The attacks among the subset of the relevant squares with this number. Computing them again for each table
    /// would take most of the time of compiling this crate.
    const fn attacks(self, square: Square, number: usize) -> Bitboard {
        Bitboard(match self {
            Self::Bishop => subsets::BISHOP.entries()[subsets::BISHOP.slot(square).offset + number],
            Self::Rook => subsets::ROOK.entries()[subsets::ROOK.slot(square).offset + number],
        })
    }
}

/// White magics, their tables one after another. Each has `bits` index bits; 0 means as many as the square
/// has relevant squares.
const fn white(slider: Slider, factors: &[u64; 64], bits: u32, mut offset: u32) -> [Magic; 64] {
    let mut magics = [Magic::NONE; 64];
    let mut i = 0;
    while i < 64 {
        let relevant = slider.relevant(Square::ALL[i]);
        let bits = if bits == 0 { relevant.len() } else { bits };
        magics[i] =
            Magic { mask: relevant.0, factor: factors[i], offset, shift: (64 - bits) as u8 };
        offset += 1 << bits;
        i += 1;
    }
    magics
}

/// Black magics, each with its factor, shift and offset.
const fn black(slider: Slider, found: &[(u64, u8, u32); 64]) -> [Magic; 64] {
    let mut magics = [Magic::NONE; 64];
    let mut i = 0;
    while i < 64 {
        let (factor, shift, offset) = found[i];
        let mask = !slider.relevant(Square::ALL[i]).0;
        magics[i] = Magic { mask, factor, offset, shift };
        i += 1;
    }
    magics
}

/// Enters the attacks of one slider on all squares. If two different attack sets meet in one slot, it does
/// not compile.
const fn fill(table: &mut [Bitboard], slider: Slider, magics: &[Magic; 64], is_black: bool) {
    let mut i = 0;
    while i < 64 {
        let (square, magic) = (Square::ALL[i], &magics[i]);
        let relevant = slider.relevant(square);
        let mut occupied = Bitboard::EMPTY;
        let mut number = 0;
        // The subsets in the order of their numbers.
        loop {
            let index = if is_black { magic.black(occupied) } else { magic.white(occupied) };
            let attacks = slider.attacks(square, number);
            assert!(
                table[index].0 == 0 || table[index].0 == attacks.0,
                "two attack sets in one slot"
            );
            table[index] = attacks;
            occupied.0 = occupied.0.wrapping_sub(relevant.0) & relevant.0;
            if occupied.0 == 0 {
                break;
            }
            number += 1;
        }
        i += 1;
    }
}
