//! Kogge-Stone: fill by one square, then by two, then by four.

use super::{moved, passable};
use crate::{Bitboard, Direction};

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
/// use halfmove_bitboard::{Direction, bitboard, fill::kogge_stone};
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
