//! Obstruction difference: one subtraction between the two nearest pieces of a line.

use super::masks::{RAYS, bit};
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Direction, Square};

/// Obstruction difference: from the nearest piece above, subtract the nearest below.
///
/// **Idea.** The difference of two powers of two is the run of ones from the smaller up to just short
/// of the greater. So `2 * above - below`, with the slider's two nearest pieces on a line, is a run from
/// one to the other, and the line mask picks its squares. Without a piece above, the borrow runs out at the
/// top; without a piece below, any low bit will do. No mirror is needed at all.
///
/// ```
/// // A rank, the slider in the middle: pieces .1..s.11, bit 0 on the right.
/// let (above, below): (u8, u8) = (0b0100_0000, 0b0000_0011);
/// let line: u8 = 0b1111_0111;
/// let nearest_above = above & above.wrapping_neg();
/// let nearest_below = 0b1000_0000 >> below.leading_zeros();
/// assert_eq!((2 * nearest_above - nearest_below) & line, 0b0111_0110);
/// // The upper piece need not be isolated: all pieces further up are unchanged and cancel.
/// assert_eq!((above ^ (above - nearest_below)) & line, 0b0111_0110);
/// ```
///
/// **Formula.** `2 * lowest(o & up) - highest(o & down | 1)`, cut to `up | down`. The code uses the
/// shorter `u ^ (u - highest(o & down | 1))` with `u = o & up`.
///
/// **Cost.** Two lines of nine operations with one leading-zero count; the ray table, 4,096 bytes.
/// **When it wins.** Where leading zeros are counted fast, best in lanes (AVX-512); ranks are as cheap
/// as files. **When it loses.** In latency against [`Hyperbola`](crate::Hyperbola), whose chain has no
/// bit scan, and in size: the rays up and down are two masks per line.
///
/// # Source
/// Michael Hoffmann (2009), the shorter form by Daniel Inführ (2022); Chess Programming Wiki,
/// "Obstruction Difference".
#[derive(Copy, Clone, Debug)]
pub struct ObstructionDifference(());

/// The highest bit of a set that is not empty.
#[inline]
fn highest(set: u64) -> u64 {
    bit(Square::H8) >> set.leading_zeros()
}

#[inline(always)]
fn along(up: u64, down: u64, occupied: u64) -> u64 {
    let above = occupied & up;
    let below = occupied & down;
    (above ^ above.wrapping_sub(highest(below | 1))) & (up | down)
}

#[inline(always)]
fn line(square: Square, occupied: Bitboard, up: Direction) -> u64 {
    let rays = &RAYS[square.index()];
    along(rays.to(up), rays.to(up.opposite()), occupied.0)
}

impl Sliders for ObstructionDifference {
    const TECHNIQUE: Technique = Technique {
        name: "obstruction difference",
        author: "Michael Hoffmann, 2009",
        source: "Chess Programming Wiki, \"Obstruction Difference\"",
        table_bytes: size_of_val(&RAYS),
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(line(square, occupied, Direction::North) | line(square, occupied, Direction::East))
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(
            line(square, occupied, Direction::NorthEast)
                | line(square, occupied, Direction::NorthWest),
        )
    }
}
