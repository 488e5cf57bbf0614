//! What the magic techniques share: the entry for a square, and filling the tables.

pub(super) mod factors;

use super::{hyperbola, relevant};
use crate::{Bitboard, Square};

/// Everything that a look-up reads besides the table.
#[derive(Copy, Clone)]
pub(super) struct Magic {
    /// White magics: the relevant squares. Black magics: all others.
    pub(super) mask: u64,
    pub(super) factor: u64,
    pub(super) offset: u32,
    pub(super) shift: u8,
}

impl Magic {
    const NONE: Self = Self { mask: 0, factor: 0, offset: 0, shift: 0 };

    /// The slot of an occupancy, with irrelevant squares cleared.
    #[inline]
    pub(super) const fn white(&self, occupied: Bitboard) -> usize {
        ((occupied.0 & self.mask).wrapping_mul(self.factor) >> self.shift) as usize
            + self.offset as usize
    }

    /// The slot of an occupancy, with irrelevant squares set.
    #[inline]
    pub(super) const fn black(&self, occupied: Bitboard) -> usize {
        ((occupied.0 | self.mask).wrapping_mul(self.factor) >> self.shift) as usize
            + self.offset as usize
    }
}

/// Bishop or rook.
#[derive(Copy, Clone)]
pub(super) enum Slider {
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

    const fn attacks(self, square: Square, occupied: Bitboard) -> Bitboard {
        match self {
            Self::Bishop => hyperbola::bishop(square, occupied),
            Self::Rook => hyperbola::rook(square, occupied),
        }
    }
}

/// White magics, their tables one after another. Each has `bits` index bits; 0 means as many as the square
/// has relevant squares.
pub(super) const fn white(
    slider: Slider,
    factors: &[u64; 64],
    bits: u32,
    mut offset: u32,
) -> [Magic; 64] {
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
pub(super) const fn black(slider: Slider, found: &[(u64, u8, u32); 64]) -> [Magic; 64] {
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
pub(super) const fn fill(
    table: &mut [Bitboard],
    slider: Slider,
    magics: &[Magic; 64],
    is_black: bool,
) {
    let mut i = 0;
    while i < 64 {
        let (square, magic) = (Square::ALL[i], &magics[i]);
        let relevant = slider.relevant(square);
        let mut occupied = Bitboard::EMPTY;
        loop {
            let index = if is_black { magic.black(occupied) } else { magic.white(occupied) };
            let attacks = slider.attacks(square, occupied);
            assert!(
                table[index].0 == 0 || table[index].0 == attacks.0,
                "two attack sets in one slot"
            );
            table[index] = attacks;
            occupied.0 = occupied.0.wrapping_sub(relevant.0) & relevant.0;
            if occupied.0 == 0 {
                break;
            }
        }
        i += 1;
    }
}
