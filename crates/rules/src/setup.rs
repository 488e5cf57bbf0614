//! What a FEN says.

use crate::{Bitboard, Board, CastlingRights, CastlingSide, Color, Role, Square};
use halfmove_bitboard::Rank;

/// A board with whose move it is, rights and counters, as a FEN gives them. Nothing is validated:
/// [`Chess::from_setup`](crate::Chess::from_setup) does that.
///
/// `parse` reads FEN with the castling field as in FEN, X-FEN or Shredder-FEN; `Display` writes
/// X-FEN, which is FEN wherever FEN is enough.
///
/// ```
/// use halfmove_rules::{Color, Setup};
/// let setup: Setup = "8/8/8/4k3/8/8/4K3/8 b - - 12 70".parse()?;
/// assert_eq!(setup.side_to_move, Color::Black);
/// assert_eq!(setup.halfmove_clock, 12);
/// assert_eq!(setup.to_string(), "8/8/8/4k3/8/8/4K3/8 b - - 12 70");
/// # Ok::<(), halfmove_rules::FenSyntaxError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The pieces.
    pub board: Board,
    /// Whose move it is.
    pub side_to_move: Color,
    /// The rooks that may castle.
    pub castling: CastlingRights,
    /// The square behind a pawn that has just advanced two.
    pub ep_square: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// 1 at the start, one more after each move of Black.
    pub fullmove_number: u16,
}

impl Setup {
    /// Takes the castling rights that the board contradicts.
    pub(crate) fn drop_empty_rights(&mut self) {
        let claimed = self.castling;
        for (color, side, rook) in claimed.iter() {
            if !self.allows_castling(color, side, rook) {
                self.castling.set(color, side, None);
            }
        }
    }

    /// Whether king and rook stand where this right needs them.
    pub(crate) fn allows_castling(&self, color: Color, side: CastlingSide, rook: Square) -> bool {
        let back_rank = Bitboard::rank(back_rank(color));
        let rooks = self.board.by_color(color) & self.board.by_role(Role::Rook) & back_rank;
        self.board.king(color).is_some_and(|king| {
            back_rank.has(king) && rooks.has(rook) && CastlingSide::of(king, rook) == side
        })
    }

    /// Whether a pawn of the side that has just moved can have passed over this square.
    pub(crate) fn allows_en_passant(&self, square: Square) -> bool {
        let them = !self.side_to_move;
        let passed = Bitboard::square(square);
        let (origin, pawn) = (passed.forward(!them), passed.forward(them));
        let pawns = self.board.by_color(them) & self.board.by_role(Role::Pawn);
        square.rank() == en_passant_rank(them)
            && !self.board.occupied().intersects(passed | origin)
            && pawns.intersects(pawn)
    }
}

/// The rank on which a side's king and rooks start.
pub(crate) const fn back_rank(color: Color) -> Rank {
    match color {
        Color::White => Rank::First,
        Color::Black => Rank::Eighth,
    }
}

/// The rank that a side's pawn passes over when it advances two.
pub(crate) const fn en_passant_rank(color: Color) -> Rank {
    match color {
        Color::White => Rank::Third,
        Color::Black => Rank::Sixth,
    }
}
