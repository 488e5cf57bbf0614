//! The squares and the subsets of a set, and sets collected from squares or sets.

use crate::{Bitboard, Square};
use core::iter::FusedIterator;

/// The squares of a [`Bitboard`], made by [`Bitboard::iter`].
#[derive(Clone, Debug)]
pub struct Iter(pub(super) Bitboard);

impl Iterator for Iter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        self.0.pop_first()
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
        self.0.pop_last()
    }
}

impl ExactSizeIterator for Iter {}

impl FusedIterator for Iter {}

/// The subsets of a [`Bitboard`], made by [`Bitboard::subsets`].
#[derive(Clone, Debug)]
pub struct Subsets {
    set: Bitboard,
    next: Option<Bitboard>,
}

impl Subsets {
    #[inline]
    pub(super) const fn new(set: Bitboard) -> Self {
        Self { set, next: Some(Bitboard::EMPTY) }
    }
}

impl Iterator for Subsets {
    type Item = Bitboard;

    #[inline]
    fn next(&mut self) -> Option<Bitboard> {
        let subset = self.next?;
        // The carry of the subtraction ripples through the gaps between the squares of the set.
        let following = Bitboard(subset.0.wrapping_sub(self.set.0)) & self.set;
        self.next = (!following.is_empty()).then_some(following);
        Some(subset)
    }
}

impl FusedIterator for Subsets {}

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
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square)
    }
}

/// The union of many sets.
///
/// ```
/// use halfmove_bitboard::{Bitboard, Square, attacks};
/// let knights = Bitboard::from(Square::A1) | Square::H8;
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
