//! Kogge-Stone: the fill in three doublings.

use super::{Sliders, Technique};
use crate::fill::kogge_stone;
use crate::{Bitboard, Direction, Square};

/// Kogge-Stone, from a single slider.
///
/// **Idea.** An adder need not ripple its carry bit by bit, and a fill need not go square by square.
/// After one step, the path so far (the generator) and the squares where two in a row are open (the
/// propagator) allow a step of two, and after that a step of four: three rounds for seven squares,
/// where [`Dumb7Fill`](super::Dumb7Fill) takes six.
///
/// ```text
/// slider a1 on an open file: the path after steps of 1, 2 and 4 squares
/// 8   .    .    .    1
/// 7   .    .    .    1
/// 6   .    .    .    1
/// 5   .    .    .    1
/// 4   .    .    1    1
/// 3   .    .    1    1
/// 2   .    1    1    1
/// 1   1    1    1    1
/// ```
///
/// **Formula.** `g |= p & r(g); p &= r(p); g |= p & r²(g); p &= r²(p); g |= p & r⁴(g)`, then `r(g)`,
/// with `r` a shift by one step and `p` the empty squares on which a step can land.
///
/// **Cost.** Four rays of 17 operations, in shorter chains than dumb7fill's; no table.
/// **When it wins.** With many sliders at once, and in the lanes of wide registers, one direction each.
/// **When it loses.** For a single slider, against every technique made for one.
///
/// # Source
/// Gerd Isenberg, *Sliding piece attacks* (2008), section "Kogge-Stone Parallel Prefix Algorithm";
/// Steffan Westcott brought it to chess (CCC, September 15, 2002); the adder is Peter M. Kogge's and
/// Harold S. Stone's (1973).
#[derive(Copy, Clone, Debug)]
pub struct KoggeStone(());

impl Sliders for KoggeStone {
    const TECHNIQUE: Technique = Technique {
        name: "Kogge-Stone",
        author: "Steffan Westcott, 2002",
        source: "Isenberg 2008, \"Kogge-Stone Parallel Prefix Algorithm\"",
        table_bytes: 0,
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let slider = square.into();
        kogge_stone::attacks(slider, Direction::North, occupied)
            | kogge_stone::attacks(slider, Direction::East, occupied)
            | kogge_stone::attacks(slider, Direction::South, occupied)
            | kogge_stone::attacks(slider, Direction::West, occupied)
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let slider = square.into();
        kogge_stone::attacks(slider, Direction::NorthEast, occupied)
            | kogge_stone::attacks(slider, Direction::SouthEast, occupied)
            | kogge_stone::attacks(slider, Direction::SouthWest, occupied)
            | kogge_stone::attacks(slider, Direction::NorthWest, occupied)
    }
}
