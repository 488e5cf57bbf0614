//! Fills: the attacks of many sliders at once, direction by direction.
//!
//! All sliders of a set run in one direction at the same time, and each stops at the first piece in its
//! way. A fill costs the same for any number of sliders and reads no table. The directions stay apart, so
//! it is known from which direction each square is attacked. That finds pins, discovered checks, and the
//! squares that can be reached in two moves.
//!
//! There are two ways to fill, with equal results:
//!
//! | way | steps | idea |
//! |---|---:|---|
//! | [`dumb7`] | 7 | one square at a time |
//! | [`kogge_stone`] | 3 | one square, two, four: a parallel prefix |
//!
//! The functions of this module use [`kogge_stone`]. [`Dumb7Fill`] and [`KoggeStone`] are the same as techniques for a
//! single slider. Fills of several sets or directions in one register are in `x86_64`.
//!
//! ```
//! use halfmove_bitboard::bitboard;
//! use halfmove_techniques::fill;
//! let rooks = bitboard! {
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . 1 . . . .
//!     . . . . . . . .
//!     . . . . . . 1 .
//!     . . . . . . . .
//! };
//! let others = bitboard! {
//!     . . . . . . . .
//!     . . . 1 . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . 1 . . . . 1 .
//!     . . . . . . . .
//!     . . 1 . . . . .
//!     . . . . . . . .
//! };
//! assert_eq!(fill::rooks(rooks, rooks | others), bitboard! {
//!     . . . . . . . .
//!     . . . 1 . . . .
//!     . . . 1 . . . .
//!     . . . 1 . . . .
//!     . 1 1 . 1 1 1 .
//!     . . . 1 . . 1 .
//!     . . 1 1 1 1 . 1
//!     . . . 1 . . 1 .
//! });
//! ```
//!
//! # Source
//! Isenberg 2008, "Flood fill techniques with multiple sliders".

use halfmove_bitboard::{Bitboard, Direction, File};

pub mod dumb7;
pub mod kogge_stone;
mod mobility;
mod screens;

pub use dumb7::Dumb7Fill;
pub use kogge_stone::KoggeStone;
pub use mobility::{bishops_in_two, queens_in_two, rooks_in_two, two_moves};
pub use screens::{discoverers, pinned, screens};

/// The sliders and the empty squares they can run to in a direction; the pieces that stop them are left
/// out. See [`kogge_stone::occluded`].
#[inline]
pub const fn occluded(sliders: Bitboard, direction: Direction, occupied: Bitboard) -> Bitboard {
    kogge_stone::occluded(sliders, direction, occupied)
}

/// The squares that sliders attack in a direction: the squares of [`occluded`], moved one step on.
#[inline]
pub const fn attacks(sliders: Bitboard, direction: Direction, occupied: Bitboard) -> Bitboard {
    kogge_stone::attacks(sliders, direction, occupied)
}

/// The squares that at least one rook of a set attacks.
#[inline]
pub const fn rooks(rooks: Bitboard, occupied: Bitboard) -> Bitboard {
    // Written out: in a loop over the directions, each step would be chosen at run time.
    Bitboard(
        attacks(rooks, Direction::North, occupied).0
            | attacks(rooks, Direction::East, occupied).0
            | attacks(rooks, Direction::South, occupied).0
            | attacks(rooks, Direction::West, occupied).0,
    )
}

/// The squares that at least one bishop of a set attacks.
#[inline]
pub const fn bishops(bishops: Bitboard, occupied: Bitboard) -> Bitboard {
    Bitboard(
        attacks(bishops, Direction::NorthEast, occupied).0
            | attacks(bishops, Direction::SouthEast, occupied).0
            | attacks(bishops, Direction::SouthWest, occupied).0
            | attacks(bishops, Direction::NorthWest, occupied).0,
    )
}

/// The squares that at least one queen of a set attacks.
#[inline]
pub const fn queens(queens: Bitboard, occupied: Bitboard) -> Bitboard {
    Bitboard(rooks(queens, occupied).0 | bishops(queens, occupied).0)
}

/// The squares that queens attack in each direction, by [`Direction::index`].
///
/// ```
/// use halfmove_bitboard::{Direction, Square, bitboard};
/// use halfmove_techniques::fill;
/// let queens = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . 1 . . . 1 . .
///     . . . . . . . .
/// };
/// let north_east = fill::by_direction(queens, queens)[Direction::NorthEast.index()];
/// assert_eq!(north_east, bitboard! {
///     . . . . . . . 1
///     . . . . . . 1 .
///     . . . . . 1 . .
///     . . . . 1 . . .
///     . . . 1 . . . 1
///     . . 1 . . . 1 .
///     . . . . . . . .
///     . . . . . . . .
/// });
/// // From where is f6 attacked in this direction? Look back along it to the first piece.
/// let back = fill::attacks(Square::F6.into(), Direction::SouthWest, queens);
/// assert_eq!((back & queens).single(), Some(Square::B2));
/// ```
#[inline]
pub const fn by_direction(queens: Bitboard, occupied: Bitboard) -> [Bitboard; 8] {
    [
        attacks(queens, Direction::North, occupied),
        attacks(queens, Direction::NorthEast, occupied),
        attacks(queens, Direction::East, occupied),
        attacks(queens, Direction::SouthEast, occupied),
        attacks(queens, Direction::South, occupied),
        attacks(queens, Direction::SouthWest, occupied),
        attacks(queens, Direction::West, occupied),
        attacks(queens, Direction::NorthWest, occupied),
    ]
}

/// The squares that a fill may enter: the empty ones, except the file on which a step over the edge would
/// come back.
const fn passable(direction: Direction, occupied: Bitboard) -> u64 {
    let entry = match direction.delta().0 {
        1 => Bitboard::file(File::A).0,
        -1 => Bitboard::file(File::H).0,
        _ => 0,
    };
    !occupied.0 & !entry
}

/// A word moved by a difference of square indices, regardless of the edges.
const fn moved(bits: u64, difference: i8) -> u64 {
    if difference > 0 { bits << difference } else { bits >> -difference }
}
