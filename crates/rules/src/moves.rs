//! Moves in two bytes.

use crate::{Role, Square};
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
/// 704 are always enough, even for boards full of queens. A side with `k` men has at most `27 k`
/// moves, as no man has more than a queen's 27. It also has at most `16 (64 - k) + 72`: a square is
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

    /// Where the man stood.
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
        if promotion > 4 || promotion != 0 && mv.is_castle() || mv.from() as u8 == mv.to() as u8 {
            None
        } else {
            Some(mv)
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.uci(crate::CastlingStyle::KingTakesRook))
    }
}
