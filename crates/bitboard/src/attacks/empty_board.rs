//! The attacks of sliding pieces on an otherwise empty board: single lines, and the pieces that move along
//! them. No set contains the slider's own square.
//!
//! For half a line, see [`lines::ray`](crate::lines::ray).
//!
//! # Source
//! Isenberg 2008, "Sliding piece attacks on the otherwise empty board".

use crate::lines::ray;
use crate::{Bitboard, Direction, Square};

// These two have separate tables, because every move generator needs them at every node.
static ROOK: [Bitboard; 64] = table(Direction::East, Direction::North);
static BISHOP: [Bitboard; 64] = table(Direction::NorthEast, Direction::NorthWest);

const fn table(one: Direction, other: Direction) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut i = 0;
    while i < 64 {
        let square = Square::ALL[i];
        table[i] = Bitboard(both_ways(square, one).0 | both_ways(square, other).0);
        i += 1;
    }
    table
}

const fn both_ways(square: Square, direction: Direction) -> Bitboard {
    Bitboard(ray(square, direction).0 | ray(square, direction.opposite()).0)
}

/// The rank of a square, without the square.
///
/// ```
/// use halfmove_bitboard::{Square, attacks::empty_board, bitboard};
/// assert_eq!(empty_board::rank(Square::D4), bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     1 1 1 . 1 1 1 1
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// });
/// ```
#[inline]
pub const fn rank(square: Square) -> Bitboard {
    both_ways(square, Direction::East)
}

/// The file of a square, without the square.
///
/// ```
/// use halfmove_bitboard::{Square, attacks::empty_board, bitboard};
/// assert_eq!(empty_board::file(Square::D4), bitboard! {
///     . . . 1 . . . .
///     . . . 1 . . . .
///     . . . 1 . . . .
///     . . . 1 . . . .
///     . . . . . . . .
///     . . . 1 . . . .
///     . . . 1 . . . .
///     . . . 1 . . . .
/// });
/// ```
#[inline]
pub const fn file(square: Square) -> Bitboard {
    both_ways(square, Direction::North)
}

/// The diagonal of a square, parallel to a1-h8, without the square.
///
/// ```
/// use halfmove_bitboard::{Square, attacks::empty_board, bitboard};
/// assert_eq!(empty_board::diagonal(Square::D4), bitboard! {
///     . . . . . . . 1
///     . . . . . . 1 .
///     . . . . . 1 . .
///     . . . . 1 . . .
///     . . . . . . . .
///     . . 1 . . . . .
///     . 1 . . . . . .
///     1 . . . . . . .
/// });
/// ```
#[inline]
pub const fn diagonal(square: Square) -> Bitboard {
    both_ways(square, Direction::NorthEast)
}

/// The anti-diagonal of a square, parallel to a8-h1, without the square.
///
/// ```
/// use halfmove_bitboard::{Square, attacks::empty_board, bitboard};
/// assert_eq!(empty_board::anti_diagonal(Square::D4), bitboard! {
///     . . . . . . . .
///     1 . . . . . . .
///     . 1 . . . . . .
///     . . 1 . . . . .
///     . . . . . . . .
///     . . . . 1 . . .
///     . . . . . 1 . .
///     . . . . . . 1 .
/// });
/// ```
#[inline]
pub const fn anti_diagonal(square: Square) -> Bitboard {
    both_ways(square, Direction::NorthWest)
}

/// The squares a rook attacks.
///
/// ```
/// use halfmove_bitboard::{Square, attacks::empty_board, bitboard};
/// assert_eq!(empty_board::rook(Square::D4), bitboard! {
///     . . . 1 . . . .
///     . . . 1 . . . .
///     . . . 1 . . . .
///     . . . 1 . . . .
///     1 1 1 . 1 1 1 1
///     . . . 1 . . . .
///     . . . 1 . . . .
///     . . . 1 . . . .
/// });
/// ```
#[inline]
pub const fn rook(square: Square) -> Bitboard {
    ROOK[square.index()]
}

/// The squares a bishop attacks.
///
/// ```
/// use halfmove_bitboard::{Square, attacks::empty_board, bitboard};
/// assert_eq!(empty_board::bishop(Square::D4), bitboard! {
///     . . . . . . . 1
///     1 . . . . . 1 .
///     . 1 . . . 1 . .
///     . . 1 . 1 . . .
///     . . . . . . . .
///     . . 1 . 1 . . .
///     . 1 . . . 1 . .
///     1 . . . . . 1 .
/// });
/// ```
#[inline]
pub const fn bishop(square: Square) -> Bitboard {
    BISHOP[square.index()]
}

/// The squares a queen attacks.
///
/// ```
/// use halfmove_bitboard::{Square, attacks::empty_board, bitboard};
/// assert_eq!(empty_board::queen(Square::D4), bitboard! {
///     . . . 1 . . . 1
///     1 . . 1 . . 1 .
///     . 1 . 1 . 1 . .
///     . . 1 1 1 . . .
///     1 1 1 . 1 1 1 1
///     . . 1 1 1 . . .
///     . 1 . 1 . 1 . .
///     1 . . 1 . . 1 .
/// });
/// ```
#[inline]
pub const fn queen(square: Square) -> Bitboard {
    Bitboard(rook(square).0 | bishop(square).0)
}
