//! Sets of squares.

mod format;
mod iter;
mod operators;
mod symmetry;

use crate::{Color, Direction, File, Rank, Square, bitboard};

pub use iter::{Iter, Subsets};

/// A set of squares, one bit each: bit 0 is a1, bit 63 is h8.
///
/// `&` intersects, `|` unites, `^` keeps the squares of exactly one of two sets, `!` complements, `-` subtracts. The
/// right operand may also be a [`Square`], a [`File`] or a [`Rank`], which stands for the set of its squares. `Debug`
/// and `Display` draw the board; `{:x}`, `{:#018X}` and `{:b}` print the bits. Sets are ordered by the number that
/// their bits form.
///
/// ```
/// use halfmove_bitboard::{Bitboard, File, Rank, Square, bitboard};
///
/// let rook_lines = (Bitboard::file(File::B) | Rank::Second) - Square::B2;
/// assert_eq!(rook_lines, bitboard! {
///     . 1 . . . . . .
///     . 1 . . . . . .
///     . 1 . . . . . .
///     . 1 . . . . . .
///     . 1 . . . . . .
///     . 1 . . . . . .
///     1 . 1 1 1 1 1 1
///     . 1 . . . . . .
/// });
/// assert_eq!(rook_lines.len(), 14);
/// assert_eq!(rook_lines.iter().next(), Some(Square::B1));
/// ```
#[derive(Copy, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Bitboard(
    /// The bits.
    pub u64,
);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const FULL: Self = Self(!0);
    /// The light squares.
    pub const LIGHT: Self = bitboard! {
        1 . 1 . 1 . 1 .
        . 1 . 1 . 1 . 1
        1 . 1 . 1 . 1 .
        . 1 . 1 . 1 . 1
        1 . 1 . 1 . 1 .
        . 1 . 1 . 1 . 1
        1 . 1 . 1 . 1 .
        . 1 . 1 . 1 . 1
    };
    /// The dark squares, a1 and h8 among them.
    pub const DARK: Self = bitboard! {
        . 1 . 1 . 1 . 1
        1 . 1 . 1 . 1 .
        . 1 . 1 . 1 . 1
        1 . 1 . 1 . 1 .
        . 1 . 1 . 1 . 1
        1 . 1 . 1 . 1 .
        . 1 . 1 . 1 . 1
        1 . 1 . 1 . 1 .
    };

    /// The set of one square.
    #[inline]
    pub const fn square(square: Square) -> Self {
        Self(1 << square as u8)
    }

    /// The eight squares of a file.
    #[inline]
    pub const fn file(file: File) -> Self {
        Self(0x0101_0101_0101_0101 << file as u8)
    }

    /// The eight squares of a rank.
    #[inline]
    pub const fn rank(rank: Rank) -> Self {
        Self(0xff << (rank as u8 * 8))
    }

    /// The number of squares.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns true if no square is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns true if the set has two squares or more.
    #[inline]
    pub const fn has_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Returns true if a square is in the set.
    #[doc(alias = "contains")]
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 != 0
    }

    /// Returns true if the two sets share a square.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns true if the two sets share no square.
    #[inline]
    pub const fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    /// Returns true if every square of this set is in the other.
    #[inline]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The set with a square added; the same set if it has the square already.
    ///
    /// ```
    /// use halfmove_bitboard::{Bitboard, Square};
    /// const ROOKS: Bitboard = Bitboard::EMPTY.with(Square::A1).with(Square::H1);
    /// assert_eq!(ROOKS.without(Square::A1).single(), Some(Square::H1));
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias = "insert")]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | Self::square(square).0)
    }

    /// The set with a square removed; the same set if it lacks the square.
    #[inline]
    #[must_use]
    #[doc(alias = "remove")]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !Self::square(square).0)
    }

    /// The square with the lowest index; `None` if the set is empty.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::wrapping(self.0.trailing_zeros() as u8)) }
    }

    /// The square with the highest index; `None` if the set is empty.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::wrapping(63 - self.0.leading_zeros() as u8)) }
    }

    /// Removes the square with the lowest index and returns it; `None` if the set is empty.
    ///
    /// ```
    /// use halfmove_bitboard::{Bitboard, Square};
    /// let mut rooks = Bitboard::from(Square::A1) | Square::H1;
    /// assert_eq!(rooks.pop_first(), Some(Square::A1));
    /// assert_eq!(rooks.pop_last(), Some(Square::H1));
    /// assert_eq!(rooks.pop_first(), None);
    /// ```
    #[inline]
    pub const fn pop_first(&mut self) -> Option<Square> {
        let first = self.first();
        self.0 &= self.0.wrapping_sub(1);
        first
    }

    /// Removes the square with the highest index and returns it; `None` if the set is empty.
    #[inline]
    pub const fn pop_last(&mut self) -> Option<Square> {
        let last = self.last();
        if let Some(square) = last {
            self.0 ^= Self::square(square).0;
        }
        last
    }

    /// The only square; `None` if the set does not have exactly one.
    #[inline]
    pub const fn single(self) -> Option<Square> {
        if self.has_many() { None } else { self.first() }
    }

    /// Every square moved one step forward, from the side of `color`; squares that leave the board are dropped.
    #[inline]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::White => Self(self.0 << 8),
            Color::Black => Self(self.0 >> 8),
        }
    }

    /// Every square moved one step toward the a-file; squares that leave the board are dropped.
    #[inline]
    pub const fn west(self) -> Self {
        Self((self.0 & !Self::file(File::A).0) >> 1)
    }

    /// Every square moved one step toward the h-file; squares that leave the board are dropped.
    #[inline]
    pub const fn east(self) -> Self {
        Self((self.0 & !Self::file(File::H).0) << 1)
    }

    /// Every square moved one step in a direction; squares that leave the board are dropped.
    ///
    /// ```
    /// use halfmove_bitboard::{Direction, bitboard};
    /// let pawns = bitboard! {
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . 1 . . . . .
    ///     . . . . . . . .
    ///     1 1 . 1 . 1 1 1
    ///     . . . . . . . .
    /// };
    /// assert_eq!(pawns.step(Direction::NorthEast), bitboard! {
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . 1 . . . .
    ///     . . . . . . . .
    ///     . 1 1 . 1 . 1 1
    ///     . . . . . . . .
    ///     . . . . . . . .
    /// });
    /// ```
    ///
    /// # Source
    /// Isenberg 2008, "One Step Only".
    #[inline]
    pub const fn step(self, direction: Direction) -> Self {
        match direction {
            Direction::North => Self(self.0 << 8),
            Direction::NorthEast => Self(self.east().0 << 8),
            Direction::East => self.east(),
            Direction::SouthEast => Self(self.east().0 >> 8),
            Direction::South => Self(self.0 >> 8),
            Direction::SouthWest => Self(self.west().0 >> 8),
            Direction::West => self.west(),
            Direction::NorthWest => Self(self.west().0 << 8),
        }
    }

    /// The squares, lowest index first; `.rev()` starts with the highest.
    #[inline]
    pub const fn iter(self) -> Iter {
        Iter(self)
    }

    /// All subsets, the empty one first and the set itself last (the "Carry-Rippler" enumeration).
    ///
    /// ```
    /// use halfmove_bitboard::{Bitboard, Square};
    /// let corners = Bitboard::from(Square::A1) | Square::H8;
    /// assert_eq!(corners.subsets().count(), 4);
    /// ```
    #[inline]
    pub const fn subsets(self) -> Subsets {
        Subsets::new(self)
    }
}

/// Draws a set of squares: eight rows, the eighth rank on top, `.` for an absent square, `1` for a
/// present one. It is a constant expression; other marks, or more or fewer than 64, do not compile.
///
/// ```
/// use halfmove_bitboard::{Bitboard, Rank, bitboard};
/// const CENTER: Bitboard = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . 1 1 . . .
///     . . . 1 1 . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// };
/// assert_eq!((CENTER & Bitboard::rank(Rank::Fourth)).len(), 2);
/// ```
#[macro_export]
macro_rules! bitboard {
    ($($mark:tt)*) => {
        const { $crate::Bitboard::drawn([$($crate::bitboard_mark!($mark)),*]) }
    };
}

/// One mark of [`bitboard!`].
#[doc(hidden)]
#[macro_export]
macro_rules! bitboard_mark {
    (.) => {
        false
    };
    (1) => {
        true
    };
}

impl Bitboard {
    /// The set that [`bitboard!`](crate::bitboard) expands to: marks from a8 to h8, a7 to h7 … h1.
    #[doc(hidden)]
    pub const fn drawn(marks: [bool; 64]) -> Self {
        let mut bits = 0;
        let mut i = 0;
        while i < 64 {
            if marks[i] {
                bits |= 1 << (i ^ 56);
            }
            i += 1;
        }
        Self(bits)
    }
}
