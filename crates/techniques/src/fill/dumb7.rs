//! Dumb7fill: the same step seven times.

use super::{moved, passable};
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Direction, Square};

/// The sliders and the empty squares they can run to in a direction; the pieces that stop them are left
/// out.
///
/// **Idea.** All sliders take one step, and those that land on an empty square continue from there.
/// After seven rounds every slider has reached the edge or a piece.
///
/// **Formula.** `fill |= empty & (fill << step)`, seven times, with the file beyond the edge treated as
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

/// Dumb7fill, from a single slider.
///
/// **Idea.** Step in one direction, keep what lands on an empty square, and step on from there: six
/// times, since no ray is longer than seven squares. All squares so far are the slider's path. One step
/// more, onto whatever stands there, gives the attacks. It is a [`RayWalk`](crate::RayWalk) without
/// branches.
///
/// ```text
/// slider b2, a piece on e5: the path after no, one, and two to six steps, and the last step
/// . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
/// . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
/// . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
/// . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . 1 . . .
/// . . . . . . . .   . . . . . . . .   . . . 1 . . . .   . . . 1 . . . .
/// . . . . . . . .   . . 1 . . . . .   . . 1 . . . . .   . . 1 . . . . .
/// . 1 . . . . . .   . 1 . . . . . .   . 1 . . . . . .   . . . . . . . .
/// . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
/// ```
///
/// **Formula.** Six times `f |= step(f) & empty`, then `step(f)`. A step is a shift and a mask of
/// the squares on which it can land without wrapping. The mask is applied once, to the empty squares.
///
/// **Cost.** Four rays of about 21 operations in a chain; no table. **When it wins.** With many
/// sliders at once: a whole set of rooks costs as much as one. **When it loses.** For one slider on one
/// square it is among the slowest techniques here.
///
/// # Source
/// Gerd Isenberg, *Sliding piece attacks* (2008), section "Occluded Fill"; Chess Programming Wiki,
/// "Dumb7Fill".
#[derive(Copy, Clone, Debug)]
pub struct Dumb7Fill(());

impl Sliders for Dumb7Fill {
    const TECHNIQUE: Technique = Technique {
        name: "dumb7fill",
        author: "folklore",
        source: "Isenberg 2008, \"Occluded Fill\"",
        table_bytes: 0,
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let slider = square.into();
        attacks(slider, Direction::North, occupied)
            | attacks(slider, Direction::East, occupied)
            | attacks(slider, Direction::South, occupied)
            | attacks(slider, Direction::West, occupied)
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let slider = square.into();
        attacks(slider, Direction::NorthEast, occupied)
            | attacks(slider, Direction::SouthEast, occupied)
            | attacks(slider, Direction::SouthWest, occupied)
            | attacks(slider, Direction::NorthWest, occupied)
    }
}
