//! The squares that sliders reach in two moves.

use super::{attacks, bishops, queens, rooks};
use halfmove_bitboard::{Bitboard, Direction};

/// The squares that sliders attack in one direction after a move to an empty square in another. The second
/// ray grows from all squares of the first at once.
///
/// A slider that moves leaves its square empty, but here the square still stops it. That matters only if the second
/// direction is the opposite of the first: then the squares behind the slider are missing, which it already
/// attacks.
///
/// ```
/// use halfmove_bitboard::{Bitboard, Direction, Square, bitboard};
/// use halfmove_techniques::fill;
/// let occupied = bitboard! {
///     . . . . . . . .
///     . . . . . . 1 .
///     . . . . . . . .
///     . . 1 . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . 1 . . . . . .
///     . . . . . . . .
/// };
/// let bishop = Bitboard::square(Square::B2);
/// // North-east to c3, d4, e5 or f6, then north-west.
/// let first = Direction::NorthEast;
/// assert_eq!(fill::two_moves(bishop, first, Direction::NorthWest, occupied), bitboard! {
///     . 1 . 1 . . . .
///     . . 1 . 1 . . .
///     . . . 1 . . . .
///     1 . 1 . . . . .
///     . 1 . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// });
/// ```
///
/// # Source
/// Isenberg 2008, "Ray-wise attacks in one direction": progressive mobility.
#[inline]
pub const fn two_moves(
    sliders: Bitboard,
    first: Direction,
    second: Direction,
    occupied: Bitboard,
) -> Bitboard {
    let stops = attacks(sliders, first, occupied).0 & !occupied.0;
    attacks(Bitboard(stops), second, occupied)
}

/// The squares that rooks attack now or after one move to an empty square, if no other piece moves.
///
/// A rook that moves leaves its square empty, but here the square still stops it. Nothing is lost: the squares
/// behind it on the same line are already attacked.
///
/// ```
/// use halfmove_bitboard::{Bitboard, Square, bitboard};
/// use halfmove_techniques::fill;
/// let occupied = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     1 1 . . . . . .
///     . 1 1 1 . . . .
///     1 . . 1 . . . .
/// };
/// assert_eq!(fill::rooks_in_two(Square::A1.into(), occupied), bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     1 . . . . . . .
///     1 1 1 . . . . .
///     1 1 1 1 . . . .
/// });
/// // The stops on the way to a square are those that both ends attack.
/// let goal = Bitboard::square(Square::C2);
/// let stops = fill::rooks(Square::A1.into(), occupied) & fill::rooks(goal, occupied) - occupied;
/// assert_eq!(stops.single(), Some(Square::C1));
/// ```
#[inline]
pub const fn rooks_in_two(sliders: Bitboard, occupied: Bitboard) -> Bitboard {
    let one = rooks(sliders, occupied).0;
    Bitboard(one | rooks(Bitboard(one & !occupied.0), occupied).0)
}

/// The squares that bishops attack now or after one move to an empty square, like
/// [`rooks_in_two`].
#[inline]
pub const fn bishops_in_two(sliders: Bitboard, occupied: Bitboard) -> Bitboard {
    let one = bishops(sliders, occupied).0;
    Bitboard(one | bishops(Bitboard(one & !occupied.0), occupied).0)
}

/// The squares that queens attack now or after one move to an empty square, like
/// [`rooks_in_two`].
#[inline]
pub const fn queens_in_two(sliders: Bitboard, occupied: Bitboard) -> Bitboard {
    let one = queens(sliders, occupied).0;
    Bitboard(one | queens(Bitboard(one & !occupied.0), occupied).0)
}
