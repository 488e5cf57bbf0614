//! The contents of a FEN.

use crate::{Bitboard, Board, CastlingMode, CastlingRights, CastlingSide, Color, Role, Square};
use halfmove_bitboard::{File, Rank};

/// The rule for including the en passant square in a FEN.
///
/// By the rules of the game, two positions are the same only if the same en passant capture is
/// legal, so by default this crate writes the square only if there is a legal capture. Other
/// programs write it more often: the FEN standard requires it after every double step.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum EnPassantMode {
    /// Only if an en passant capture there is legal.
    #[default]
    Legal,
    /// If an enemy pawn stands ready to capture there, even if a pin forbids it, as in X-FEN and
    /// Polyglot.
    PseudoLegal,
    /// After every double step, as in the PGN standard.
    Always,
}

/// The contents of a FEN: the board, the side to move, castling rights, an en passant square and
/// the counters. Nothing is validated; [`Chess::from_setup`](crate::Chess::from_setup) does that.
///
/// `parse` accepts the castling field of FEN, X-FEN or Shredder-FEN. `Display` writes X-FEN, which
/// is the same as FEN unless Chess960 needs more.
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
    /// The square behind a pawn that has just advanced two squares.
    pub ep_square: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// Starts at 1 and increases after each move of Black.
    pub fullmove_number: u16,
}

impl Setup {
    /// The castling mode implied by the rights: Chess960 if some right involves a king or a rook on
    /// a square that is impossible in standard chess, otherwise standard chess.
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

    /// Returns true if the king and the rook are in place for this right.
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

    /// Returns true if the side that has just moved can have made a double step over this square.
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

/// The rank behind a pawn of this side that has just advanced two squares.
pub(crate) const fn en_passant_rank(color: Color) -> Rank {
    match color {
        Color::White => Rank::Third,
        Color::Black => Rank::Sixth,
    }
}
