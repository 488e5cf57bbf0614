//! The lines and rays of an otherwise empty board, computed or in tables, for the techniques that compute
//! attacks from them. No mask has the slider's own square.
//!
//! ```text
//! rank(d4)          file(d4)          diagonal(d4)      anti_diagonal(d4)
//! . . . . . . . .   . . . 1 . . . .   . . . . . . . 1   . . . . . . . .
//! . . . . . . . .   . . . 1 . . . .   . . . . . . 1 .   1 . . . . . . .
//! . . . . . . . .   . . . 1 . . . .   . . . . . 1 . .   . 1 . . . . . .
//! . . . . . . . .   . . . 1 . . . .   . . . . 1 . . .   . . 1 . . . . .
//! 1 1 1 . 1 1 1 1   . . . . . . . .   . . . . . . . .   . . . . . . . .
//! . . . . . . . .   . . . 1 . . . .   . . 1 . . . . .   . . . . 1 . . .
//! . . . . . . . .   . . . 1 . . . .   . 1 . . . . . .   . . . . . 1 . .
//! . . . . . . . .   . . . 1 . . . .   1 . . . . . . .   . . . . . . 1 .
//! ```

use halfmove_bitboard::{Bitboard, Direction, File, Rank, Square, bitboard};

/// a1 to h8.
pub(super) const MAIN_DIAGONAL: u64 = bitboard! {
    . . . . . . . 1
    . . . . . . 1 .
    . . . . . 1 . .
    . . . . 1 . . .
    . . . 1 . . . .
    . . 1 . . . . .
    . 1 . . . . . .
    1 . . . . . . .
}
.0;

/// a8 to h1.
const MAIN_ANTI_DIAGONAL: u64 = bitboard! {
    1 . . . . . . .
    . 1 . . . . . .
    . . 1 . . . . .
    . . . 1 . . . .
    . . . . 1 . . .
    . . . . . 1 . .
    . . . . . . 1 .
    . . . . . . . 1
}
.0;

/// The bit of a square.
#[inline]
pub(super) const fn bit(square: Square) -> u64 {
    Bitboard::square(square).0
}

/// The rank through a square.
#[inline]
pub(super) const fn rank(square: Square) -> u64 {
    Bitboard::rank(Rank::First).0 << (square as u32 & 56) ^ bit(square)
}

/// The file through a square.
#[inline]
pub(super) const fn file(square: Square) -> u64 {
    Bitboard::file(File::A).0 << (square as u32 & 7) ^ bit(square)
}

/// The diagonal through a square: the main one, shifted by ranks. One of the two shifts is always by
/// zero, which is cheaper than a branch.
#[inline]
pub(super) const fn diagonal(square: Square) -> u64 {
    let (files, ranks) = (8 * (square as u32 & 7), square as u32 & 56);
    MAIN_DIAGONAL << ranks.saturating_sub(files) >> files.saturating_sub(ranks) ^ bit(square)
}

/// The anti-diagonal through a square, likewise.
#[inline]
pub(super) const fn anti_diagonal(square: Square) -> u64 {
    let sum = 8 * (square as u32 & 7) + (square as u32 & 56);
    MAIN_ANTI_DIAGONAL << sum.saturating_sub(56) >> 56_u32.saturating_sub(sum) ^ bit(square)
}

/// The four lines through a square, half a cache line.
#[repr(align(32))]
#[derive(Copy, Clone)]
pub(super) struct Lines {
    pub(super) rank: u64,
    pub(super) file: u64,
    pub(super) diagonal: u64,
    pub(super) anti_diagonal: u64,
}

/// The lines of every square.
pub(super) static LINES: [Lines; 64] = {
    let mut lines = [Lines { rank: 0, file: 0, diagonal: 0, anti_diagonal: 0 }; 64];
    let mut i = 0;
    while i < 64 {
        let square = Square::ALL[i];
        lines[i] = Lines {
            rank: rank(square),
            file: file(square),
            diagonal: diagonal(square),
            anti_diagonal: anti_diagonal(square),
        };
        i += 1;
    }
    lines
};

/// The eight rays of a square, by [`Direction::index`]: one cache line.
#[repr(align(64))]
#[derive(Copy, Clone)]
pub(super) struct Rays([u64; 8]);

impl Rays {
    /// The ray in one direction.
    #[inline]
    pub(super) const fn to(&self, direction: Direction) -> u64 {
        self.0[direction.index()]
    }
}

/// The rays of every square.
pub(super) static RAYS: [Rays; 64] = {
    let mut rays = [Rays([0; 8]); 64];
    let mut i = 0;
    while i < 64 {
        let square = Square::ALL[i];
        let mut d = 0;
        while d < 8 {
            let direction = Direction::ALL[d];
            let line = match direction {
                Direction::North | Direction::South => file(square),
                Direction::East | Direction::West => rank(square),
                Direction::NorthEast | Direction::SouthWest => diagonal(square),
                Direction::SouthEast | Direction::NorthWest => anti_diagonal(square),
            };
            let below = bit(square) - 1;
            rays[i].0[d] = line & if direction.is_positive() { !below } else { below };
            d += 1;
        }
        i += 1;
    }
    rays
};
