//! Dumb7fill: step seven times, through empty squares only.

use super::{Sliders, Technique};
use crate::fill::dumb7;
use crate::{Bitboard, Direction, Square};

/// Dumb7fill, from a single slider.
///
/// **Idea.** Step in one direction, keep what lands on an empty square, and step on from there: six
/// times, since no ray is longer than seven squares. All squares so far are the slider's path. One step
/// more, onto whatever stands there, gives the attacks. It is a [`RayWalk`](super::RayWalk) without
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
        dumb7::attacks(slider, Direction::North, occupied)
            | dumb7::attacks(slider, Direction::East, occupied)
            | dumb7::attacks(slider, Direction::South, occupied)
            | dumb7::attacks(slider, Direction::West, occupied)
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let slider = square.into();
        dumb7::attacks(slider, Direction::NorthEast, occupied)
            | dumb7::attacks(slider, Direction::SouthEast, occupied)
            | dumb7::attacks(slider, Direction::SouthWest, occupied)
            | dumb7::attacks(slider, Direction::NorthWest, occupied)
    }
}
