//! Sets of squares.

mod symmetry;

use crate::{Color, Direction, File, Rank, Square};
use core::fmt;
use core::iter::FusedIterator;
use core::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

/// A set of squares, one bit each: bit 0 is a1, bit 63 is h8.
///
/// `&` intersects, `|` unites, `^` is in one but not both, `!` complements, `-` takes away.
/// `Debug` draws the board.
///
/// ```
/// use halfmove_bitboard::{Bitboard, File, Rank, Square, bitboard};
///
/// let rook_lines = (Bitboard::file(File::B) | Bitboard::rank(Rank::Second)) - Square::B2.into();
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
#[derive(Copy, Clone, Default, PartialEq, Eq, Hash)]
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

    /// Whether no square is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has two squares or more.
    #[inline]
    pub const fn has_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether a square is in the set.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 != 0
    }

    /// Whether the two sets share a square.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the two sets share no square.
    #[inline]
    pub const fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    /// Whether every square of this set is in the other.
    #[inline]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The set and one more square; as it was if it has the square already.
    ///
    /// ```
    /// use halfmove_bitboard::{Bitboard, Square};
    /// const ROOKS: Bitboard = Bitboard::EMPTY.with(Square::A1).with(Square::H1);
    /// assert_eq!(ROOKS.without(Square::A1).single(), Some(Square::H1));
    /// ```
    #[inline]
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | Self::square(square).0)
    }

    /// The set less one square; as it was if it lacks the square already.
    #[inline]
    #[must_use]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !Self::square(square).0)
    }

    /// The square with the lowest index.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::wrapping(self.0.trailing_zeros() as u8)) }
    }

    /// The square with the highest index.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::wrapping(63 - self.0.leading_zeros() as u8)) }
    }

    /// The only square, `None` if there is not exactly one.
    #[inline]
    pub const fn single(self) -> Option<Square> {
        if self.has_many() { None } else { self.first() }
    }

    /// Every square one step towards the far side of `color`; what leaves the board is gone.
    #[inline]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::White => Self(self.0 << 8),
            Color::Black => Self(self.0 >> 8),
        }
    }

    /// Every square one step towards the a-file.
    #[inline]
    pub const fn west(self) -> Self {
        Self((self.0 & !Self::file(File::A).0) >> 1)
    }

    /// Every square one step towards the h-file.
    #[inline]
    pub const fn east(self) -> Self {
        Self((self.0 & !Self::file(File::H).0) << 1)
    }

    /// Every square one step in a direction; what leaves the board is gone.
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

    /// The squares, lowest index first; [`DoubleEndedIterator`] gives them from the other end.
    #[inline]
    pub const fn iter(self) -> Iter {
        Iter(self)
    }

    /// All subsets, the empty one first and the set itself last (the "Carry-Rippler" enumeration).
    ///
    /// ```
    /// use halfmove_bitboard::{Bitboard, Square};
    /// let corners = Bitboard::square(Square::A1) | Square::H8.into();
    /// assert_eq!(corners.subsets().count(), 4);
    /// ```
    pub fn subsets(self) -> impl Iterator<Item = Self> {
        let mut next = Some(Self::EMPTY);
        core::iter::from_fn(move || {
            let subset = next?;
            let following = subset.0.wrapping_sub(self.0) & self.0;
            next = (following != 0).then_some(Self(following));
            Some(subset)
        })
    }
}

/// The squares of a [`Bitboard`].
#[derive(Clone, Debug)]
pub struct Iter(Bitboard);

impl Iterator for Iter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl DoubleEndedIterator for Iter {
    #[inline]
    fn next_back(&mut self) -> Option<Square> {
        let square = self.0.last()?;
        self.0 -= square.into();
        Some(square)
    }
}

impl ExactSizeIterator for Iter {}

impl FusedIterator for Iter {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Iter;

    #[inline]
    fn into_iter(self) -> Iter {
        self.iter()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.into())
    }
}

/// The union of many sets.
///
/// ```
/// use halfmove_bitboard::{Bitboard, Square, attacks};
/// let knights = Bitboard::square(Square::A1) | Square::H8.into();
/// let attacked: Bitboard = knights.iter().map(attacks::knight).collect();
/// assert_eq!(attacked.len(), 4);
/// ```
impl FromIterator<Self> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Self>>(sets: I) -> Self {
        sets.into_iter().fold(Self::EMPTY, |union, set| union | set)
    }
}

impl Extend<Square> for Bitboard {
    fn extend<I: IntoIterator<Item = Square>>(&mut self, squares: I) {
        *self |= squares.into_iter().collect::<Self>();
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self::square(square)
    }
}

impl From<File> for Bitboard {
    #[inline]
    fn from(file: File) -> Self {
        Self::file(file)
    }
}

impl From<Rank> for Bitboard {
    #[inline]
    fn from(rank: Rank) -> Self {
        Self::rank(rank)
    }
}

macro_rules! set_operator {
    ($trait:ident $method:ident, $assign_trait:ident $assign_method:ident, |$a:ident, $b:ident| $result:expr) => {
        impl $trait for Bitboard {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                Self($result)
            }
        }
        impl $assign_trait for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    };
}

set_operator!(BitAnd bitand, BitAndAssign bitand_assign, |a, b| a & b);
set_operator!(BitOr bitor, BitOrAssign bitor_assign, |a, b| a | b);
set_operator!(BitXor bitxor, BitXorAssign bitxor_assign, |a, b| a ^ b);
set_operator!(Sub sub, SubAssign sub_assign, |a, b| a & !b);

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl fmt::Debug for Bitboard {
    /// Draws the board as [`bitboard!`](crate::bitboard) reads it, the eighth rank on top.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bitboard! {\n")?;
        for rank in Rank::ALL.into_iter().rev() {
            f.write_str("   ")?;
            for file in File::ALL {
                f.write_str(if self.has(Square::new(file, rank)) { " 1" } else { " ." })?;
            }
            f.write_str("\n")?;
        }
        f.write_str("}")
    }
}

/// Draws a set of squares: eight rows, the eighth rank on top, `.` for an absent square, `1` for a
/// present one. It is a constant expression; another mark or another number of marks does not
/// compile.
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
    /// What [`bitboard!`](crate::bitboard) expands to: marks from a8 to h8, a7 to h7 … h1.
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
