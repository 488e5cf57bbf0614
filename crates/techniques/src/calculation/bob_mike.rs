//! Classical Bob-Mike: rays and bit scans without a branch.

use super::masks::{RAYS, bit};
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Direction, Square};

/// Classical Bob-Mike: the ray table with a sentinel where the scan would find nothing.
///
/// **Idea.** Like [`ClassicalRays`](super::ClassicalRays), but with an imaginary piece on h8 at the end
/// of every ray that leads up the indices, and on a1 at the end of every ray that leads down. A scan then
/// always finds a piece, so there is nothing to branch on. If it finds only the sentinel, that corner's
/// ray is empty and takes nothing away.
///
/// **Formula.** `ray(s, d) ^ ray(scan(ray(s, d) & o | corner(d)), d)`.
///
/// **Cost.** Four rays of two loads, an AND, an OR, a bit scan and an XOR each, all independent; 4,096
/// bytes. The authors' second copy of the table, with the sentinels in it, saves the OR for 4,096 bytes
/// more. **When it wins.** On CPUs that have only `bsf` and `bsr`, which are undefined for an empty set:
/// here the set is never empty. **When it loses.** Each ray has two dependent loads; techniques by lines
/// take half as many steps with half the table.
///
/// ```text
/// ray(b2, north-east)   & occupied, | h8      first is e5:      ray(b2) ^ ray(e5)
///                                             ray(e5)
/// . . . . . . . 1       . . . . . . . 1       . . . . . . . 1   . . . . . . . .
/// . . . . . . 1 .       . . . . . . . .       . . . . . . 1 .   . . . . . . . .
/// . . . . . 1 . .       . . . . . 1 . .       . . . . . 1 . .   . . . . . . . .
/// . . . . 1 . . .       . . . . 1 . . .       . . . . . . . .   . . . . 1 . . .
/// . . . 1 . . . .       . . . . . . . .       . . . . . . . .   . . . 1 . . . .
/// . . 1 . . . . .       . . . . . . . .       . . . . . . . .   . . 1 . . . . .
/// . . . . . . . .       . . . . . . . .       . . . . . . . .   . . . . . . . .
/// . . . . . . . .       . . . . . . . .       . . . . . . . .   . . . . . . . .
/// ```
///
/// # Source
/// Robert Hyatt and Michael Sherwin, as collected in Daniel Inführ's *Chess_Movegen* (2022),
/// "Classical Bob-Mike"; Chess Programming Wiki, "Classical Approach", branchless version.
#[derive(Copy, Clone, Debug)]
pub struct BobMike(());

#[inline(always)]
fn ray(square: Square, occupied: Bitboard, direction: Direction) -> u64 {
    let whole = RAYS[square.index()].to(direction);
    let pieces = whole & occupied.0;
    let first = if direction.is_positive() {
        (pieces | bit(Square::H8)).trailing_zeros()
    } else {
        63 ^ (pieces | bit(Square::A1)).leading_zeros()
    };
    whole ^ RAYS[first as usize & 63].to(direction)
}

impl Sliders for BobMike {
    const TECHNIQUE: Technique = Technique {
        name: "classical Bob-Mike",
        author: "Robert Hyatt and Michael Sherwin",
        source: "Inführ's Chess_Movegen, 2022",
        table_bytes: size_of_val(&RAYS),
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(
            ray(square, occupied, Direction::North)
                | ray(square, occupied, Direction::East)
                | ray(square, occupied, Direction::South)
                | ray(square, occupied, Direction::West),
        )
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(
            ray(square, occupied, Direction::NorthEast)
                | ray(square, occupied, Direction::SouthEast)
                | ray(square, occupied, Direction::SouthWest)
                | ray(square, occupied, Direction::NorthWest),
        )
    }
}
