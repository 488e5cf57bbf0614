//! Kogge-Stone: fill by one square, then by two, then by four.

use super::{moved, passable};
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Direction, Square};

/// The sliders and the empty squares they can run to in a direction; the pieces that stop them are left
/// out.
///
/// **Idea.** The sliders generate and the empty squares propagate, as carries run through an adder. Each
/// round doubles the reach of both: once `open` holds the squares that are empty together with the
/// square before them, a step of two is as safe as a step of one, and then a step of four.
///
/// ```text
/// sliders      1 . . . . . . .     open, one square     . 1 1 1 1 1 . 1
/// by one       1 1 . . . . . .     open, two squares    . . 1 1 1 1 . .
/// by two       1 1 1 1 . . . .     open, four squares   . . . . 1 1 . .
/// by four      1 1 1 1 1 1 . .     the piece at the seventh square stops it
/// ```
///
/// **Formula.** `fill |= open & (fill << n); open &= open << n` for n of one, two and four steps.
///
/// **Cost.** 13 operations in a chain of nine, no table. **When it wins.** With many sliders,
/// or where the directions must stay apart; eight directions are eight independent chains.
/// **When it loses.** For the attacks of a single slider, to every method by lines.
///
/// ```
/// use halfmove_bitboard::{Direction, bitboard};
/// use halfmove_techniques::fill::kogge_stone;
/// let rooks = bitboard! {
///     . . . . . . . .
///     . . . 1 . . . .
///     . . . . . . . .
///     1 . . . . . . .
///     . . . . . . . .
///     1 . . 1 . . . .
///     . . . . . . . .
///     . . . . . . 1 .
/// };
/// let pieces = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . 1 .
///     1 . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// };
/// let east = kogge_stone::occluded(rooks, Direction::East, rooks | pieces);
/// assert_eq!(east, bitboard! {
///     . . . . . . . .
///     . . . 1 1 1 1 1
///     . . . . . . . .
///     1 1 1 1 1 1 . .
///     . . . . . . . .
///     1 1 1 1 1 1 1 1
///     . . . . . . . .
///     . . . . . . 1 1
/// });
/// ```
///
/// # Source
/// Isenberg 2008, "Kogge-Stone parallel prefix algorithm", after Steffan Westcott, 2002.
#[inline]
pub const fn occluded(sliders: Bitboard, direction: Direction, occupied: Bitboard) -> Bitboard {
    let step = direction.shift();
    let mut fill = sliders.0;
    let mut open = passable(direction, occupied);
    fill |= open & moved(fill, step);
    open &= moved(open, step);
    fill |= open & moved(fill, 2 * step);
    open &= moved(open, 2 * step);
    fill |= open & moved(fill, 4 * step);
    Bitboard(fill)
}

/// The squares that sliders attack in a direction, the first piece in the way of each included.
///
/// # Source
/// Isenberg 2008, "Ray-wise attacks in one direction".
#[inline]
pub const fn attacks(sliders: Bitboard, direction: Direction, occupied: Bitboard) -> Bitboard {
    occluded(sliders, direction, occupied).step(direction)
}

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
