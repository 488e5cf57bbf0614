//! Moves in two bytes.

mod list;

pub use list::{MoveList, MoveListIter};

use crate::{Bitboard, Role, Square};
use core::fmt;

/// A half-move in two bytes: origin, target, promotion, and whether it is castling.
///
/// ```text
///  bit   15  14 13 12  11 10 9 8 7 6  5 4 3 2 1 0
///      castle  promotion      to            from
/// ```
///
/// Castling is stored as the king taking its own rook (e1 to h1), the only form that is unambiguous
/// in Chess960. An en passant capture is an ordinary pawn move.
///
/// A move is independent of any position: it names squares and may be legal nowhere
/// ([`Chess::is_legal`](crate::Chess::is_legal) decides). Every constructor makes moves that
/// survive [`to_bits`](Self::to_bits) and [`from_bits`](Self::from_bits), and two moves are equal
/// if and only if their bits are.
///
/// `Display` writes UCI, with castling as the king taking its own rook: `e2e4`, `e7e8q`, `e1h1`.
/// [`Chess::uci`](crate::Chess::uci) writes castling as its game does.
///
/// ```
/// use halfmove_rules::{Move, Role, Square};
/// let mv = Move::normal(Square::E2, Square::E4);
/// assert_eq!((mv.from(), mv.to()), (Square::E2, Square::E4));
/// assert_eq!(Move::from_bits(mv.to_bits()), Some(mv));
/// assert_eq!(mv.to_string(), "e2e4");
/// assert_eq!(Move::promote(Square::E7, Square::E8, Role::King), None);
/// assert_eq!(size_of::<Move>(), 2);
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

const CASTLE: u16 = 1 << 15;

impl Move {
    /// A move that is neither a promotion nor castling.
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self(from as u16 | (to as u16) << 6)
    }

    /// A promotion; `None` for the two roles that no pawn can become, pawn and king.
    ///
    /// ```
    /// use halfmove_rules::{Move, Role, Square};
    /// let queen = Move::promote(Square::A7, Square::A8, Role::Queen).expect("a pawn may");
    /// assert_eq!(queen.promotion(), Some(Role::Queen));
    /// assert_eq!(Move::promote(Square::A7, Square::A8, Role::Pawn), None);
    /// ```
    #[inline]
    pub const fn promote(from: Square, to: Square, role: Role) -> Option<Self> {
        match role {
            Role::Pawn | Role::King => None,
            _ => Some(Self::promoting(from, to, role)),
        }
    }

    /// [`Move::promote`] for a role that is known to be valid.
    #[inline]
    pub(crate) const fn promoting(from: Square, to: Square, role: Role) -> Self {
        debug_assert!(!matches!(role, Role::Pawn | Role::King));
        Self(Self::normal(from, to).0 | (role as u16) << 12)
    }

    /// Castling: the king's square and the rook's.
    #[inline]
    pub const fn castle(king: Square, rook: Square) -> Self {
        Self(Self::normal(king, rook).0 | CASTLE)
    }

    /// The square that the piece leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::wrapping(self.0 as u8)
    }

    /// The square that the piece moves to; for castling, the rook's square.
    #[inline]
    pub const fn to(self) -> Square {
        Square::wrapping((self.0 >> 6) as u8)
    }

    /// The role that a pawn promotes to.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        match self.0 >> 12 & 7 {
            1 => Some(Role::Knight),
            2 => Some(Role::Bishop),
            3 => Some(Role::Rook),
            4 => Some(Role::Queen),
            6 => Some(Role::Khon),
            7 => Some(Role::Met),
            _ => None,
        }
    }

    /// Whether this is castling.
    #[inline]
    pub const fn is_castle(self) -> bool {
        self.0 & CASTLE != 0
    }

    /// The two bytes.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// The move with these bits. `None` if no constructor makes it: a promotion to a king, or
    /// castling with a promotion.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let promotion = bits >> 12 & 7;
        if promotion == 5 || promotion != 0 && bits & CASTLE != 0 { None } else { Some(Self(bits)) }
    }
}

/// The kind of a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// A move or a capture.
    Normal,
    /// A pawn of chess reaches the last rank: four moves per target.
    Promotion,
    /// A bia of Makruk becomes a met: one move per target.
    ToMet,
    /// A bia of ASEAN chess reaches the last rank: four moves per target, to met, rook, khon or
    /// knight.
    AseanPromotion,
    /// Castling; the target is the rook's square.
    Castle,
}

/// The legal moves of one piece: its square and its targets. Iterate over it to get the moves.
///
/// ```
/// use halfmove_rules::{PieceMoves, MoveKind, Role, Square};
/// let pawn = PieceMoves {
///     role: Role::Pawn,
///     from: Square::B7,
///     targets: Square::B8.into(),
///     kind: MoveKind::Promotion,
/// };
/// let moves = pawn.into_iter().map(|mv| format!("{mv}")).collect::<Vec<_>>();
/// assert_eq!(moves, ["b7b8q", "b7b8r", "b7b8b", "b7b8n"]);
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PieceMoves {
    /// The piece that moves.
    pub role: Role,
    /// The square it stands on.
    pub from: Square,
    /// The squares it may move to; never empty.
    pub targets: Bitboard,
    /// The kind of these moves.
    pub kind: MoveKind,
}

impl PieceMoves {
    /// How many moves these are.
    #[expect(clippy::len_without_is_empty, reason = "they are never empty")]
    #[inline]
    pub const fn len(&self) -> usize {
        let each = match self.kind {
            MoveKind::Promotion | MoveKind::AseanPromotion => 4,
            MoveKind::Normal | MoveKind::ToMet | MoveKind::Castle => 1,
        };
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

/// Iterates over the moves of one piece.
#[derive(Clone, Debug)]
pub struct PieceMovesIter {
    piece: PieceMoves,
    /// How many promotions on the first target have been returned.
    promotion: usize,
}

impl Iterator for PieceMovesIter {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let from = self.piece.from;
        let to = self.piece.targets.first()?;
        let promotions = match self.piece.kind {
            MoveKind::Promotion => Some(&Role::PROMOTIONS),
            MoveKind::AseanPromotion => Some(&crate::makruk::ASEAN_PROMOTIONS),
            MoveKind::Normal | MoveKind::ToMet | MoveKind::Castle => None,
        };
        if let Some(roles) = promotions {
            let role = roles[self.promotion];
            self.promotion = (self.promotion + 1) % 4;
            if self.promotion == 0 {
                self.piece.targets -= to;
            }
            return Some(Move::promoting(from, to, role));
        }
        self.piece.targets -= to;
        Some(match self.piece.kind {
            MoveKind::ToMet => Move::promoting(from, to, Role::Met),
            MoveKind::Castle => Move::castle(from, to),
            _ => Move::normal(from, to),
        })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.piece.len() - self.promotion;
        (left, Some(left))
    }
}

impl ExactSizeIterator for PieceMovesIter {}

impl fmt::Display for Move {
    /// UCI, with castling as the king taking its own rook.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uci(crate::CastlingStyle::KingTakesRook).fmt(f)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
