//! Lists of moves.

use crate::{Move, PieceMoves};
use arrayvec::ArrayVec;
use core::fmt;
use core::iter::FusedIterator;
use core::ops::{Deref, DerefMut};
use core::slice;
use halfmove_bitboard::cpu::{Cpu, Level};

/// A list of the moves of a position, stored on the stack. It dereferences to a slice.
///
/// ```
/// use halfmove_rules::{Chess, Move, Square};
///
/// let mut moves = Chess::default().legal_moves();
/// moves.sort();
/// assert_eq!(moves.len(), 20);
/// assert!(moves.contains(&Move::normal(Square::E2, Square::E4)));
/// for mv in &moves {
///     assert!(Chess::default().is_legal(*mv));
/// }
/// ```
///
/// Its capacity is 704 moves. No position has more, even with a board full of queens. A side with `k` pieces has at
/// most `27 k` moves, because no piece has more than a queen's 27. It also has at most `16 (64 - k) + 72`: a square
/// can be reached from eight directions and by eight knights, and each of the eight squares of the last rank adds at
/// most nine for three promoting pawns. The smaller of the two bounds is always below 700; castling adds two.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct MoveList(ArrayVec<Move, 704>);

impl MoveList {
    /// An empty list.
    #[inline]
    pub const fn new() -> Self {
        Self(ArrayVec::new_const())
    }

    /// The moves as a slice.
    #[inline]
    pub fn as_slice(&self) -> &[Move] {
        &self.0
    }

    /// Removes all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps only the moves for which `keep` returns `true`, in their order.
    ///
    /// ```
    /// use halfmove_rules::{Chess, Rank};
    /// let mut moves = Chess::default().legal_moves();
    /// moves.retain(|mv| mv.from().rank() == Rank::Second);
    /// assert_eq!(moves.len(), 16);
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(&Move) -> bool) {
        self.0.retain(|mv| keep(mv));
    }

    /// Adds a move.
    ///
    /// # Panics
    /// If the list is full.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.0.push(mv);
    }

    /// Keeps only the first moves.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Adds the moves of one piece. With AVX-512 they are written at once, as a block that is then truncated.
    #[inline(always)]
    pub(crate) fn add<C: Cpu>(&mut self, cpu: C, moves: PieceMoves) {
        if C::LEVEL == Level::V4
            && let Some(block) = moves.block(cpu)
            && self.0.try_extend_from_slice(&block).is_ok()
        {
            self.0.truncate(self.0.len() - block.len() + moves.targets().len() as usize);
            return;
        }
        for mv in moves {
            self.0.push(mv);
        }
    }
}

impl Extend<Move> for MoveList {
    /// Adds moves, for example [`PieceMoves`].
    ///
    /// # Panics
    /// If the list is full.
    #[inline]
    fn extend<I: IntoIterator<Item = Move>>(&mut self, moves: I) {
        for mv in moves {
            self.push(mv);
        }
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.0
    }
}

impl AsRef<[Move]> for MoveList {
    fn as_ref(&self) -> &[Move] {
        &self.0
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0).finish()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = slice::Iter<'a, Move>;

    #[inline]
    fn into_iter(self) -> slice::Iter<'a, Move> {
        self.0.iter()
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = MoveListIter;

    #[inline]
    fn into_iter(self) -> MoveListIter {
        MoveListIter(self.0.into_iter())
    }
}

/// Iterates over a [`MoveList`].
#[derive(Clone, Debug)]
pub struct MoveListIter(arrayvec::IntoIter<Move, 704>);

impl Iterator for MoveListIter {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        self.0.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for MoveListIter {
    #[inline]
    fn next_back(&mut self) -> Option<Move> {
        self.0.next_back()
    }
}

impl ExactSizeIterator for MoveListIter {}
impl FusedIterator for MoveListIter {}
