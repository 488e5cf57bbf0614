//! The attacks of many hopping pieces at once: a few shifts for a whole set.
//!
//! The result does not show which piece attacks which square. In exchange, eight pawns cost as much as one, and no
//! table is read.
//!
//! ```
//! use halfmove_bitboard::{Color, attacks::setwise, bitboard};
//! let pawns = bitboard! {
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . 1 . . . . .
//!     . . . . . . . .
//!     1 1 . 1 . 1 1 1
//!     . . . . . . . .
//! };
//! assert_eq!(setwise::pawn_any(Color::White, pawns), bitboard! {
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . 1 . 1 . . . .
//!     . . . . . . . .
//!     1 1 1 . 1 1 1 1
//!     . . . . . . . .
//!     . . . . . . . .
//! });
//! assert_eq!(setwise::pawn_double(Color::White, pawns), bitboard! {
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . 1 . 1 . 1 .
//!     . . . . . . . .
//!     . . . . . . . .
//! });
//! ```
//!
//! # Source
//! Isenberg 2008, "One step only" and "Pawn attacks".

use crate::{Bitboard, Color};

/// The squares that pawns of a color attack toward the h-file: at most one pawn attacks each.
#[inline]
pub const fn pawn_east(color: Color, pawns: Bitboard) -> Bitboard {
    pawns.east().forward(color)
}

/// The squares that pawns of a color attack toward the a-file: at most one pawn attacks each.
#[inline]
pub const fn pawn_west(color: Color, pawns: Bitboard) -> Bitboard {
    pawns.west().forward(color)
}

/// The squares that at least one pawn of a color attacks.
#[inline]
pub const fn pawn_any(color: Color, pawns: Bitboard) -> Bitboard {
    Bitboard(pawn_east(color, pawns).0 | pawn_west(color, pawns).0)
}

/// The squares that two pawns of a color attack.
#[inline]
pub const fn pawn_double(color: Color, pawns: Bitboard) -> Bitboard {
    Bitboard(pawn_east(color, pawns).0 & pawn_west(color, pawns).0)
}

/// The squares that exactly one pawn of a color attacks.
#[inline]
pub const fn pawn_single(color: Color, pawns: Bitboard) -> Bitboard {
    Bitboard(pawn_east(color, pawns).0 ^ pawn_west(color, pawns).0)
}

/// The squares that at least one king attacks; a king's own square is among them only if another
/// king is next to it.
///
/// The set and its neighbors to either side make three columns; shifted up and down as a whole, these
/// give the neighbors above and below.
#[inline]
pub const fn king(kings: Bitboard) -> Bitboard {
    let sides = kings.east().0 | kings.west().0;
    let columns = sides | kings.0;
    Bitboard(sides | columns << 8 | columns >> 8)
}

/// The squares that at least one knight attacks.
///
/// One file and two ranks, or two files and one rank.
///
/// ```
/// use halfmove_bitboard::{attacks::setwise, bitboard};
/// let knights = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . 1 . . . . 1 .
/// };
/// assert_eq!(setwise::knight(knights), bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     1 . 1 . . 1 . 1
///     . . . 1 1 . . .
///     . . . . . . . .
/// });
/// ```
#[inline]
pub const fn knight(knights: Bitboard) -> Bitboard {
    let (east, west) = (knights.east(), knights.west());
    let one = east.0 | west.0;
    let two = east.east().0 | west.west().0;
    Bitboard(one << 16 | one >> 16 | two << 8 | two >> 8)
}

/// The squares that at least one met attacks: one step diagonally.
#[inline]
pub const fn met(mets: Bitboard) -> Bitboard {
    let sides = mets.east().0 | mets.west().0;
    Bitboard(sides << 8 | sides >> 8)
}

/// The squares that at least one khon of a color attacks: one step diagonally or straight ahead.
#[inline]
pub const fn khon(color: Color, khons: Bitboard) -> Bitboard {
    Bitboard(met(khons).0 | khons.forward(color).0)
}

/// The squares that at least one bia of a color attacks: the same squares as pawns.
#[inline]
pub const fn bia(color: Color, bias: Bitboard) -> Bitboard {
    pawn_any(color, bias)
}
