//! The squares each man attacks: the front door.
//!
//! Hopping men (king, knight, pawn) are one load from a table; sliding men go through one technique
//! of [`sliders`](crate::sliders), chosen when the crate is built.
//!
//! ```
//! use halfmove_bitboard::{Square, attacks, bitboard};
//!
//! assert_eq!(attacks::knight(Square::G1), bitboard! {
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . 1 . 1
//!     . . . . 1 . . .
//!     . . . . . . . .
//! });
//! ```

use crate::sliders::{Hyperbola, Sliders};
use crate::{Bitboard, Color, Square};

const KING_STEPS: [(i8, i8); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const KNIGHT_STEPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

static KING: [Bitboard; 64] = hops(&KING_STEPS);
static KNIGHT: [Bitboard; 64] = hops(&KNIGHT_STEPS);
static PAWN: [[Bitboard; 64]; 2] = [hops(&[(-1, 1), (1, 1)]), hops(&[(-1, -1), (1, -1)])];

const fn hops(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut i = 0;
    while i < 64 {
        let mut step = 0;
        while step < steps.len() {
            if let Some(to) = Square::ALL[i].offset(steps[step].0, steps[step].1) {
                table[i].0 |= Bitboard::square(to).0;
            }
            step += 1;
        }
        i += 1;
    }
    table
}

/// The squares a king attacks.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares a knight attacks.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares a pawn of a color attacks: one or two, diagonally ahead.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares a bishop attacks, up to and including the first man in each direction.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    Hyperbola::ALWAYS.bishop(square, occupied)
}

/// The squares a rook attacks, up to and including the first man in each direction.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    Hyperbola::ALWAYS.rook(square, occupied)
}

/// The squares a queen attacks, up to and including the first man in each direction.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    Hyperbola::ALWAYS.queen(square, occupied)
}
