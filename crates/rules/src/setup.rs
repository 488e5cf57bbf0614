//! What a FEN says.

use crate::{Bitboard, Board, CastlingMode, CastlingRights, CastlingSide, Color, Role, Square};
use halfmove_bitboard::{File, Rank};

/// Which en passant square a FEN gives.
///
/// Two positions are the same for the rules only if the same en passant capture is legal, so that is
/// what this crate writes by default. Other programs write more: the FEN standard asks for the square
/// after every double step.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum EnPassantMode {
    /// The square only if an en passant capture on it is legal.
    #[default]
    Legal,
    /// The square if a hostile pawn stands ready to take on it, even if a pin forbids the capture: as
    /// X-FEN and Polyglot have it.
    PseudoLegal,
    /// The square after every double step: as the PGN standard has it.
    Always,
}

/// What a FEN says: a board, the side to move, castling rights, an en passant square and the counters.
/// None of it is validated; [`Chess::from_setup`](crate::Chess::from_setup) does that.
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
    /// The side to move.
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
    /// Which game the castling rights speak of: Chess960 if one of them needs a king or a rook that
    /// stands where standard chess does not have it, else standard chess.
    ///
    /// ```
    /// use halfmove_rules::{CastlingMode, Setup};
    /// let setup: Setup = "4k3/8/8/8/8/8/8/1R2K2R w KQ - 0 1".parse()?;
    /// assert_eq!(setup.castling_mode(), CastlingMode::Chess960);
    /// let setup: Setup = "4k3/8/8/8/8/8/8/1R2K2R w K - 0 1".parse()?;
    /// assert_eq!(setup.castling_mode(), CastlingMode::Standard);
    /// # Ok::<(), halfmove_rules::FenSyntaxError>(())
    /// ```
    pub fn castling_mode(&self) -> CastlingMode {
        let allows = |mode, (color, side, rook)| self.allows_castling(mode, color, side, rook);
        let needs_chess960 = self.castling.iter().any(|right| {
            allows(CastlingMode::Chess960, right) && !allows(CastlingMode::Standard, right)
        });
        if needs_chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard }
    }

    /// Drops the castling rights that the board contradicts.
    pub(crate) fn drop_empty_rights(&mut self, mode: CastlingMode) {
        let claimed = self.castling;
        for (color, side, rook) in claimed.iter() {
            if !self.allows_castling(mode, color, side, rook) {
                self.castling.set(color, side, None);
            }
        }
    }

    /// Whether king and rook stand where this right needs them.
    pub(crate) fn allows_castling(
        &self,
        mode: CastlingMode,
        color: Color,
        side: CastlingSide,
        rook: Square,
    ) -> bool {
        let is_standard =
            |king: Square| king.file() == File::E && matches!(rook.file(), File::A | File::H);
        let back_rank = Bitboard::rank(back_rank(color));
        let rooks = self.board.by_color(color) & self.board.by_role(Role::Rook) & back_rank;
        self.board.king(color).is_some_and(|king| {
            back_rank.has(king)
                && rooks.has(rook)
                && CastlingSide::of(king, rook) == side
                && (mode == CastlingMode::Chess960 || is_standard(king))
        })
    }

    /// Whether a pawn of the side that has just moved can have gone two squares, over this one.
    pub(crate) fn allows_en_passant(&self, square: Square) -> bool {
        let them = !self.side_to_move;
        let behind = Bitboard::square(square);
        let (origin, pawn) = (behind.forward(!them), behind.forward(them));
        let pawns = self.board.by_color(them) & self.board.by_role(Role::Pawn);
        square.rank() == en_passant_rank(them)
            && !self.board.occupied().intersects(behind | origin)
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

/// The rank behind a side's pawn that has advanced two.
pub(crate) const fn en_passant_rank(color: Color) -> Rank {
    match color {
        Color::White => Rank::Third,
        Color::Black => Rank::Sixth,
    }
}
