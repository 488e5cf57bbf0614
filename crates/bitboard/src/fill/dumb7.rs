//! Dumb7fill: the same step seven times.

use super::{moved, passable};
use crate::{Bitboard, Direction};

/// The sliders and the empty squares they can run to in a direction; the pieces that stop them are left
/// out.
///
/// **Idea.** All sliders take one step, and those that land on an empty square go on from there. After
/// seven rounds every slider has reached the edge or a piece.
///
/// **Formula.** `fill |= empty & (fill << step)`, seven times, with the file behind the edge treated as
/// occupied.
///
/// **Cost.** 21 operations in one chain, no table. **When it wins.** Never in speed; it is the
/// plain version. **When it loses.** Against [`kogge_stone`](super::kogge_stone), which takes three
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
/// Six rounds bring a slider next to every square that it attacks, and one step more takes it there.
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
