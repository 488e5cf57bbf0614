//! Lines through two squares.

use crate::sliders::ray;
use crate::{Bitboard, Square};

static LINE: [[Bitboard; 64]; 64] = table(true);
static BETWEEN: [[Bitboard; 64]; 64] = table(false);

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

/// Enters, for every square of one ray from `from`, the whole line or the segment short of it.
const fn fill(row: &mut [Bitboard; 64], from: Square, (files, ranks): (i8, i8), whole: bool) {
    let line = ray(from, (files, ranks), Bitboard::EMPTY).0
        | ray(from, (-files, -ranks), Bitboard::EMPTY).0
        | Bitboard::square(from).0;
    let mut between = 0;
    let mut at = from;
    while let Some(to) = at.offset(files, ranks) {
        row[to.index()] = Bitboard(if whole { line } else { between });
        between |= Bitboard::square(to).0;
        at = to;
    }
}

/// The whole rank, file or diagonal through two squares, from edge to edge, both included; empty if
/// they share none or are the same.
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
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

/// The squares strictly between two squares of a line; empty if they share none.
///
/// ```
/// use halfmove_bitboard::{Bitboard, Square, lines};
/// assert_eq!(lines::between(Square::A1, Square::A3), Bitboard::square(Square::A2));
/// assert!(lines::between(Square::A1, Square::B3).is_empty());
/// ```
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}
