//! Dumb7fill: the same step seven times.

use super::{moved, passable};
use crate::{Bitboard, Direction};

/// The sliders and the empty squares they can run to in a direction; the pieces that stop them are left
/// out.
///
/// **Idea.** All sliders go one step; those that come to an empty square go on from there. After
/// seven rounds there is no slider that has not come to the edge or to a piece.
///
/// **Formula.** `fill |= empty & (fill << step)`, seven times, with the file behind the edge taken as
/// occupied.
///
/// **Cost.** 21 operations in one chain, no table. **When it wins.** Never in speed; it is the
/// plain version. **When it loses.** To [`kogge_stone`](super::kogge_stone), which does it in three
/// rounds.
///
/// # Source
/// Isenberg 2008, "Occluded fill".
#[inline]
pub const fn occluded(sliders: Bitboard, direction: Direction, occupied: Bitboard) -> Bitboard {
    rounds(sliders, direction, occupied, 7)
}

/// The squares that sliders attack in a direction, the first piece in the way of each included.
///
/// A slider needs six rounds to come next to any square that it attacks, and then one step on, from
/// whatever square it has come to.
///
/// # Source
/// Isenberg 2008, "Ray-wise attacks in one direction".
#[inline]
pub const fn attacks(sliders: Bitboard, direction: Direction, occupied: Bitboard) -> Bitboard {
    rounds(sliders, direction, occupied, 6).step(direction)
}

const fn rounds(
    sliders: Bitboard,
    direction: Direction,
    occupied: Bitboard,
    rounds: u32,
) -> Bitboard {
    let passable = passable(direction, occupied);
    let mut fill = sliders.0;
    let mut round = 0;
    while round < rounds {
        fill |= passable & moved(fill, direction.shift());
        round += 1;
    }
    Bitboard(fill)
}
