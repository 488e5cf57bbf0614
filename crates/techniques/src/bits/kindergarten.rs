//! Kindergarten multiplications: a file or a diagonal becomes a rank by one multiplication.
//!
//! A multiplication adds up shifted copies of a word. If no two copies ever have a bit in the same
//! position, there are no carries and the copies stand side by side. The right factor brings the bits
//! of a line next to each other in the eighth rank, and a shift takes them down to the first.
//! The results are bytes whose lowest bit is the a-file.
//!
//! # Source
//! Isenberg 2008, "Kindergarten multiplication".

use halfmove_bitboard::attacks::empty_board;
use halfmove_bitboard::{Bitboard, File, Square};

const A_FILE: u64 = Bitboard::file(File::A).0;

const MAIN_DIAGONAL: u64 = 0x8040_2010_0804_0201;

/// The bits of a file as a byte, with the eighth rank in the lowest bit: a quarter turn counterclockwise.
///
/// ```text
///   a-file          * main diagonal       = the eighth rank, garbage below
/// A . . . . . . .     . . . . . . . 1       A B C D E F G H
/// B . . . . . . .     . . . . . . 1 .       B C D E F G H .
/// C . . . . . . .     . . . . . 1 . .       C D E F G H . .
/// D . . . . . . .     . . . . 1 . . .       D E F G H . . .
/// E . . . . . . .     . . . 1 . . . .       E F G H . . . .
/// F . . . . . . .     . . 1 . . . . .       F G H . . . . .
/// G . . . . . . .     . 1 . . . . . .       G H . . . . . .
/// H . . . . . . .     1 . . . . . . .       H . . . . . . .
/// ```
///
/// ```
/// use halfmove_bitboard::{Bitboard, File, bitboard};
/// use halfmove_techniques::bits::kindergarten;
/// let occupied = bitboard! {
///     1 . . . . . 1 .
///     1 . 1 . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     1 . . . . . . .
///     . . . . 1 . . .
///     . . . . . . . .
///     . 1 . . . . . .
/// };
/// let byte = kindergarten::file_to_rank(File::A, occupied);
/// assert_eq!(Bitboard(byte.into()), bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     1 1 . . 1 . . .
/// });
/// ```
#[inline]
pub const fn file_to_rank(file: File, occupied: Bitboard) -> u8 {
    let bits = occupied.0 >> file as u8 & A_FILE;
    (bits.wrapping_mul(MAIN_DIAGONAL) >> 56) as u8
}

/// The bits of the diagonal through a square as a byte, each in the place of its file.
///
/// ```text
///   diagonal        * a-file              = the eighth rank, garbage below
/// . . . . . . . H     1 . . . . . . .       A B C D E F G H
/// . . . . . . G .     1 . . . . . . .       A B C D E F G .
/// . . . . . F . .     1 . . . . . . .       A B C D E F . .
/// . . . . E . . .     1 . . . . . . .       A B C D E . . .
/// . . . D . . . .     1 . . . . . . .       A B C D . . . .
/// . . C . . . . .     1 . . . . . . .       A B C . . . . .
/// . B . . . . . .     1 . . . . . . .       A B . . . . . .
/// A . . . . . . .     1 . . . . . . .       A . . . . . . .
/// ```
///
/// ```
/// use halfmove_bitboard::{Bitboard, Square, bitboard};
/// use halfmove_techniques::bits::kindergarten;
/// let occupied = bitboard! {
///     . . . 1 . . . 1
///     . . . . . . . .
///     . . . . . 1 . .
///     . . . . . . . .
///     . . . . . 1 . .
///     . 1 . . . . . .
///     . 1 . . . . . .
///     . . . . . . . .
/// };
/// let byte = kindergarten::diagonal_to_rank(Square::D4, occupied);
/// assert_eq!(Bitboard(byte.into()), bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . 1 . . . 1 . 1
/// });
/// ```
#[inline]
pub const fn diagonal_to_rank(square: Square, occupied: Bitboard) -> u8 {
    collapse(empty_board::diagonal(square).0 | Bitboard::square(square).0, occupied)
}

/// The bits of the anti-diagonal through a square as a byte, each in the place of its file.
#[inline]
pub const fn anti_diagonal_to_rank(square: Square, occupied: Bitboard) -> u8 {
    collapse(empty_board::anti_diagonal(square).0 | Bitboard::square(square).0, occupied)
}

/// Adds up the ranks of a line that has at most one square on each file: there are no carries.
const fn collapse(line: u64, occupied: Bitboard) -> u8 {
    ((occupied.0 & line).wrapping_mul(A_FILE) >> 56) as u8
}
