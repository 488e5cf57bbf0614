//! Walks square by square until a piece is in the way: the oracle.

use super::{Sliders, Technique};
use crate::{Bitboard, Square};

/// Steps along each of the four rays until the edge or the first piece.
///
/// **Idea.** The rule itself, as taught to beginners. It is slow and uses neither tables nor tricks. Every other
/// technique is tested against it.
///
/// **Formula.** None. **Cost.** For each ray up to seven rounds of a step and a test; no table.
/// **When it wins.** In constant evaluation and in tests. **When it loses.** Everywhere else.
///
/// ```
/// use halfmove_bitboard::sliders::{RayWalk, Sliders};
/// use halfmove_bitboard::{Square, bitboard};
///
/// let occupied = bitboard! {
///     . . . . . . . .
///     1 . . . . . . .
///     . . . . . . . .
///     . . . . 1 . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// };
/// let walk = RayWalk::new().expect("needs nothing");
/// assert_eq!(walk.bishop(Square::D4, occupied), bitboard! {
///     . . . . . . . .
///     1 . . . . . . .
///     . 1 . . . . . .
///     . . 1 . 1 . . .
///     . . . . . . . .
///     . . 1 . 1 . . .
///     . 1 . . . 1 . .
///     1 . . . . . 1 .
/// });
/// ```
///
/// # Source
/// The rules of chess; Isenberg 2008, "Ray Attacks", draws the eight rays.
#[derive(Copy, Clone, Debug)]
pub struct RayWalk(());

const ROOK: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// The squares along one ray up to and including the first occupied one.
pub(crate) const fn ray(square: Square, (files, ranks): (i8, i8), occupied: Bitboard) -> Bitboard {
    let mut attacked = 0;
    let mut at = square;
    while let Some(next) = at.offset(files, ranks) {
        attacked |= Bitboard::square(next).0;
        if occupied.has(next) {
            break;
        }
        at = next;
    }
    Bitboard(attacked)
}

fn rays(square: Square, directions: [(i8, i8); 4], occupied: Bitboard) -> Bitboard {
    directions
        .into_iter()
        .fold(Bitboard::EMPTY, |set, direction| set | ray(square, direction, occupied))
}

impl Sliders for RayWalk {
    const TECHNIQUE: Technique = Technique {
        name: "ray walk",
        author: "folklore",
        source: "the rules of chess",
        table_bytes: 0,
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        rays(square, ROOK, occupied)
    }

    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        rays(square, BISHOP, occupied)
    }
}
