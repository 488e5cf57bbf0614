//! Lines: rays from a square, whole lines and segments through two squares, and x-rays.

use crate::sliders::ray as walk;
use crate::{Bitboard, Direction, Square, attacks};

static LINE: [[Bitboard; 64]; 64] = table(true);
static BETWEEN: [[Bitboard; 64]; 64] = table(false);

static RAY: [[Bitboard; 8]; 64] = {
    let mut table = [[Bitboard::EMPTY; 8]; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < 8 {
            table[from][i] = walk(Square::ALL[from], Direction::ALL[i].delta(), Bitboard::EMPTY);
            i += 1;
        }
        from += 1;
    }
    table
};

const fn table(whole: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut files = -1;
        while files <= 1 {
            let mut ranks = -1;
            while ranks <= 1 {
                if files != 0 || ranks != 0 {
                    fill(&mut table[from], Square::ALL[from], (files, ranks), whole);
                }
                ranks += 1;
            }
            files += 1;
        }
        from += 1;
    }
    table
}

/// For every square on one ray from `from`, stores the whole line, or the segment up to the square.
const fn fill(row: &mut [Bitboard; 64], from: Square, (files, ranks): (i8, i8), whole: bool) {
    let line = walk(from, (files, ranks), Bitboard::EMPTY).0
        | walk(from, (-files, -ranks), Bitboard::EMPTY).0
        | Bitboard::square(from).0;
    let mut between = 0;
    let mut at = from;
    while let Some(to) = at.offset(files, ranks) {
        row[to.index()] = Bitboard(if whole { line } else { between });
        between |= Bitboard::square(to).0;
        at = to;
    }
}

/// The whole rank, file or diagonal through two squares, from edge to edge, both squares included; empty if
/// no line joins them, or if they are the same.
///
/// ```
/// use halfmove_bitboard::{Square, bitboard, lines};
/// assert_eq!(lines::line(Square::B2, Square::D4), bitboard! {
///     . . . . . . . 1
///     . . . . . . 1 .
///     . . . . . 1 . .
///     . . . . 1 . . .
///     . . . 1 . . . .
///     . . 1 . . . . .
///     . 1 . . . . . .
///     1 . . . . . . .
/// });
/// ```
#[inline]
pub const fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

/// The squares strictly between two squares; empty if no rank, file or diagonal joins them.
///
/// ```
/// use halfmove_bitboard::{Bitboard, Square, lines};
/// assert_eq!(lines::between(Square::A1, Square::A3), Bitboard::square(Square::A2));
/// assert!(lines::between(Square::A1, Square::B3).is_empty());
/// ```
#[inline]
pub const fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The squares from one square to the edge in a direction, without the square itself.
///
/// ```
/// use halfmove_bitboard::{Direction, Square, bitboard, lines};
/// assert_eq!(lines::ray(Square::D4, Direction::NorthWest), bitboard! {
///     . . . . . . . .
///     1 . . . . . . .
///     . 1 . . . . . .
///     . . 1 . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// });
/// ```
///
/// # Source
/// Isenberg 2008, "Ray attacks".
#[inline]
pub const fn ray(from: Square, direction: Direction) -> Bitboard {
    RAY[from.index()][direction.index()]
}

/// Returns true if all three squares are on one rank, file or diagonal, in any order; two of them may be the same.
///
/// ```
/// use halfmove_bitboard::{Square, lines};
/// assert!(lines::aligned(Square::B2, Square::G7, Square::D4));
/// assert!(!lines::aligned(Square::B2, Square::G7, Square::D5));
/// assert!(!lines::aligned(Square::B2, Square::B2, Square::D5));
/// ```
#[inline]
pub const fn aligned(a: Square, b: Square, c: Square) -> bool {
    if a as u8 == b as u8 {
        a as u8 == c as u8 || !line(a, c).is_empty()
    } else {
        line(a, b).has(c)
    }
}

/// The squares that a rook would attack in addition if the pieces of `through` that it attacks now were gone: the
/// squares behind them, up to and including the next piece.
///
/// If `through` is our pieces, this finds batteries and discovered attacks; if it is theirs, skewers and
/// pins.
///
/// ```
/// use halfmove_bitboard::{bitboard, lines, Square};
/// let occupied = bitboard! {
///     . . . 1 . . . .
///     . . . . . . . .
///     . . . 1 . . . .
///     . . . . . . . .
///     . 1 . . . 1 . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// };
/// let through = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . 1 . . . .
///     . . . . . . . .
///     . . . . . 1 . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// };
/// assert_eq!(lines::xray_rook(Square::D4, through, occupied), bitboard! {
///     . . . 1 . . . .
///     . . . 1 . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . 1 1
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// });
/// ```
#[inline]
pub fn xray_rook(square: Square, through: Bitboard, occupied: Bitboard) -> Bitboard {
    let seen = attacks::rook(square, occupied);
    attacks::rook(square, occupied - (seen & through)) - seen
}

/// The squares a bishop would attack in addition without the pieces of `through`, like [`xray_rook`].
///
/// ```
/// use halfmove_bitboard::{Square, bitboard, lines};
/// let pieces = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . 1 . . . 1 . .
///     . . . . . . . .
///     . . . 1 . . . .
///     . . . . . . . .
///     . . . . . . . .
/// };
/// assert_eq!(lines::xray_bishop(Square::D3, pieces, pieces), bitboard! {
///     . . . . . . . .
///     . . . . . . . 1
///     1 . . . . . 1 .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// });
/// ```
#[inline]
pub fn xray_bishop(square: Square, through: Bitboard, occupied: Bitboard) -> Bitboard {
    let seen = attacks::bishop(square, occupied);
    attacks::bishop(square, occupied - (seen & through)) - seen
}
