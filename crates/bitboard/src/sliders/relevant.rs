//! The relevant squares: those on which a piece can change what a slider attacks.
//!
//! A slider attacks the last square of each of its rays whether or not a piece stands there, so that
//! square is not relevant. A rook on a1 has twelve relevant squares, a rook on d4 ten:
//!
//! ```
//! use halfmove_bitboard::{Square, bitboard, sliders::relevant};
//! assert_eq!(relevant::rook(Square::D4), bitboard! {
//!     . . . . . . . .
//!     . . . 1 . . . .
//!     . . . 1 . . . .
//!     . . . 1 . . . .
//!     . 1 1 . 1 1 1 .
//!     . . . 1 . . . .
//!     . . . 1 . . . .
//!     . . . . . . . .
//! });
//! ```

use super::ray;
use crate::{Bitboard, Direction, Square};

/// The relevant squares of a rook.
pub const fn rook(square: Square) -> Bitboard {
    of(square, Direction::ORTHOGONAL)
}

/// The relevant squares of a bishop.
pub const fn bishop(square: Square) -> Bitboard {
    of(square, Direction::DIAGONAL)
}

const fn of(square: Square, directions: [Direction; 4]) -> Bitboard {
    let mut relevant = 0;
    let mut i = 0;
    while i < 4 {
        let mut ray = ray(square, directions[i].delta(), Bitboard::EMPTY);
        let last = if directions[i].is_positive() { ray.last() } else { ray.first() };
        if let Some(last) = last {
            ray.0 ^= Bitboard::square(last).0;
        }
        relevant |= ray.0;
        i += 1;
    }
    Bitboard(relevant)
}
