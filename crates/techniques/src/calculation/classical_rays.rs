//! The classical approach: a table of rays, and a bit scan for the first piece on each.

use super::masks::RAYS;
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Direction, Square};

/// The classical approach: cut each ray behind its first piece.
///
/// **Idea.** Take the whole ray of the empty board. If pieces stand on it, find the first by a bit
/// scan (the lowest index where the ray leads up the indices, the highest where it leads down) and
/// remove that piece's own ray in the same direction.
///
/// **Formula.** `ray(s, d) ^ ray(first(ray(s, d) & o), d)`, or `ray(s, d)` if no piece is on it.
///
/// **Cost.** Four rays of two loads, an AND, a branch, a bit scan and an XOR each; a table of 4,096
/// bytes, one cache line for each square. **When it wins.** It is the easiest fast technique to explain,
/// and computes the attacks along single rays (for x-rays and pins) as a by-product. **When it loses.**
/// The branches depend on the position and are often mispredicted; [`BobMike`](super::BobMike) has none.
///
/// A bishop on g2 looks north-west: the first piece is on c6, and its ray to a8 is removed.
///
/// ```
/// use halfmove_techniques::{Sliders, calculation::ClassicalRays};
/// use halfmove_bitboard::{Square, bitboard};
///
/// let occupied = bitboard! {
///     1 . . . . . . .
///     . . . . . . . .
///     . . 1 . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . 1
///     . . . . . . . .
///     . . . . . 1 . 1
/// };
/// let rays = ClassicalRays::new().expect("needs nothing");
/// assert_eq!(rays.bishop(Square::G2, occupied), bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . 1 . . . . .
///     . . . 1 . . . .
///     . . . . 1 . . .
///     . . . . . 1 . 1
///     . . . . . . . .
///     . . . . . 1 . 1
/// });
/// ```
///
/// # Source
/// Gerd Isenberg, *Sliding piece attacks* (2008), section "Ray Attacks"; Chess Programming Wiki,
/// "Classical Approach", which assumes that the programs Chess and Kaissa were first.
#[derive(Copy, Clone, Debug)]
pub struct ClassicalRays(());

#[inline(always)]
fn ray(square: Square, occupied: Bitboard, direction: Direction) -> Bitboard {
    let whole = RAYS[square.index()].to(direction);
    let pieces = Bitboard(whole) & occupied;
    let first = if direction.is_positive() { pieces.first() } else { pieces.last() };
    match first {
        Some(first) => Bitboard(whole ^ RAYS[first.index()].to(direction)),
        None => Bitboard(whole),
    }
}

impl Sliders for ClassicalRays {
    const TECHNIQUE: Technique = Technique {
        name: "classical rays",
        author: "probably Chess and Kaissa, about 1970",
        source: "Isenberg 2008, \"Ray Attacks\"",
        table_bytes: size_of_val(&RAYS),
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        ray(square, occupied, Direction::North)
            | ray(square, occupied, Direction::East)
            | ray(square, occupied, Direction::South)
            | ray(square, occupied, Direction::West)
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        ray(square, occupied, Direction::NorthEast)
            | ray(square, occupied, Direction::SouthEast)
            | ray(square, occupied, Direction::SouthWest)
            | ray(square, occupied, Direction::NorthWest)
    }
}
