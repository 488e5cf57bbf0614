//! Moves in two bytes.

use crate::{Bitboard, Role, Square};
use arrayvec::ArrayVec;
use core::fmt;

/// A half-move: from, to, what a pawn becomes, and whether it is castling. Two bytes.
///
/// ```text
///  bit   15  14 13 12  11 10 9 8 7 6  5 4 3 2 1 0
///      castle  promotion      to            from
/// ```
///
/// Castling is written as the king taking its own rook (e1 to h1), the one form that is also
/// unambiguous in Chess960. An en passant capture is an ordinary pawn move.
///
/// ```
/// use halfmove_rules::{Move, Square};
/// let mv = Move::normal(Square::E2, Square::E4);
/// assert_eq!((mv.from(), mv.to()), (Square::E2, Square::E4));
/// assert_eq!(Move::from_bits(mv.to_bits()), Some(mv));
/// assert_eq!(size_of::<Move>(), 2);
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

/// All legal moves of a position.
///
/// 704 are always enough, even for boards full of queens. A side with `k` pieces has at most `27 k`
/// moves, as no piece has more than a queen's 27. It also has at most `16 (64 - k) + 72`: a square is
/// reached from eight directions and by eight knights, and each of the eight squares of the last
/// rank allows nine more for three promoting pawns. Both bounds meet below 700; castling adds two.
pub type MoveList = ArrayVec<Move, 704>;

const CASTLE: u16 = 1 << 15;

impl Move {
    /// A move that neither promotes nor castles.
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self(from as u16 | (to as u16) << 6)
    }

    /// A pawn reaching the last rank.
    #[inline]
    pub const fn promote(from: Square, to: Square, role: Role) -> Self {
        Self(Self::normal(from, to).0 | (role as u16) << 12)
    }

    /// Castling: the king's square and the rook's.
    #[inline]
    pub const fn castle(king: Square, rook: Square) -> Self {
        Self(Self::normal(king, rook).0 | CASTLE)
    }

    /// Where the piece stood.
    #[inline]
    pub const fn from(self) -> Square {
        Square::wrapping(self.0 as u8)
    }

    /// Where it goes; the rook's square for castling.
    #[inline]
    pub const fn to(self) -> Square {
        Square::wrapping((self.0 >> 6) as u8)
    }

    /// What the pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        match self.0 >> 12 & 7 {
            1 => Some(Role::Knight),
            2 => Some(Role::Bishop),
            3 => Some(Role::Rook),
            4 => Some(Role::Queen),
            7 => Some(Role::Met),
            _ => None,
        }
    }

    /// Whether it is castling.
    #[inline]
    pub const fn is_castle(self) -> bool {
        self.0 & CASTLE != 0
    }

    /// The two bytes.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// The move of two bytes, `None` if no move has these bits.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let mv = Self(bits);
        let promotion = bits >> 12 & 7;
        if matches!(promotion, 5 | 6)
            || promotion != 0 && mv.is_castle()
            || mv.from() as u8 == mv.to() as u8
        {
            None
        } else {
            Some(mv)
        }
    }
}

/// What kind of move a piece makes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// From here to there, taking what stands there.
    Normal,
    /// A pawn of chess reaching the last rank: four moves a target.
    Promotion,
    /// A bia of Makruk becoming a met: one move a target.
    ToMet,
    /// Castling; the target is the rook's square.
    Castle,
}

/// The legal moves of one piece: where it stands and where it may go. Iterating gives the moves.
///
/// ```
/// use halfmove_rules::{PieceMoves, MoveKind, Role, Square};
/// let pawn = PieceMoves {
///     role: Role::Pawn,
///     from: Square::B7,
///     targets: Square::B8.into(),
///     kind: MoveKind::Promotion,
/// };
/// let moves = pawn.into_iter().map(|mv| format!("{mv:?}")).collect::<Vec<_>>();
/// assert_eq!(moves, ["b7b8q", "b7b8r", "b7b8b", "b7b8n"]);
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PieceMoves {
    /// What moves.
    pub role: Role,
    /// Where it stands.
    pub from: Square,
    /// Where it may go; never empty.
    pub targets: Bitboard,
    /// What kind of moves these are.
    pub kind: MoveKind,
}

impl PieceMoves {
    /// How many moves these are.
    #[expect(clippy::len_without_is_empty, reason = "they are never empty")]
    #[inline]
    pub const fn len(&self) -> usize {
        let each = if matches!(self.kind, MoveKind::Promotion) { 4 } else { 1 };
        self.targets.len() as usize * each
    }
}

impl IntoIterator for PieceMoves {
    type Item = Move;
    type IntoIter = PieceMovesIter;

    #[inline]
    fn into_iter(self) -> PieceMovesIter {
        PieceMovesIter { piece: self, promotion: 0 }
    }
}

/// The moves of one piece, one by one.
#[derive(Clone, Debug)]
pub struct PieceMovesIter {
    piece: PieceMoves,
    /// How many promotions on the first target are done.
    promotion: usize,
}

impl Iterator for PieceMovesIter {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let from = self.piece.from;
        let to = self.piece.targets.first()?;
        if self.piece.kind == MoveKind::Promotion {
            let role = Role::PROMOTIONS[self.promotion];
            self.promotion = (self.promotion + 1) % 4;
            if self.promotion == 0 {
                self.piece.targets -= to;
            }
            return Some(Move::promote(from, to, role));
        }
        self.piece.targets -= to;
        Some(match self.piece.kind {
            MoveKind::Normal | MoveKind::Promotion => Move::normal(from, to),
            MoveKind::ToMet => Move::promote(from, to, Role::Met),
            MoveKind::Castle => Move::castle(from, to),
        })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.piece.len() - self.promotion;
        (left, Some(left))
    }
}

impl ExactSizeIterator for PieceMovesIter {}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.uci(crate::CastlingStyle::KingTakesRook))
    }
}
