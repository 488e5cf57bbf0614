//! Pins, checking moves and the null move.

use super::Chess;
use crate::{Bitboard, Color, Move, Role, Square};
use halfmove_bitboard::{attacks, lines};

impl Chess {
    /// The pieces of a side that must not leave the line between an enemy slider and their own king.
    ///
    /// ```
    /// use halfmove_rules::{Chess, Color, Square};
    /// let position: Chess = "4k3/4n3/8/8/8/8/8/K3R3 w - - 0 1".parse()?;
    /// assert_eq!(position.pinned(Color::Black), Square::E7.into());
    /// assert!(position.pinned(Color::White).is_empty());
    /// # Ok::<(), halfmove_rules::FenError>(())
    /// ```
    #[inline]
    pub fn pinned(&self, color: Color) -> Bitboard {
        self.pinned_among(color, self.board().occupied())
    }

    /// [`Chess::pinned`], as if only the pieces on these squares existed.
    #[inline]
    pub(crate) fn pinned_among(&self, color: Color, occupied: Bitboard) -> Bitboard {
        let (king, board) = (self.king(color), self.board());
        let snipers = attacks::rook(king, Bitboard::EMPTY) & board.rooks_and_queens()
            | attacks::bishop(king, Bitboard::EMPTY) & board.bishops_and_queens();
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers & board.by_color(!color) & occupied {
            let between = lines::between(king, sniper) & occupied;
            if between.single().is_some() {
                pinned |= between;
            }
        }
        pinned & board.by_color(color)
    }

    /// Returns true if a legal move gives check, without playing it: direct and discovered checks,
    /// including those by an en passant capture, and checks by the castling rook.
    ///
    /// ```
    /// use halfmove_rules::{Chess, Move, Square};
    /// let position: Chess = "4k3/8/8/8/8/4N3/8/K3R3 w - - 0 1".parse()?;
    /// // Wherever the knight goes, it discovers the rook's check.
    /// assert!(position.gives_check(Move::normal(Square::E3, Square::G4)));
    /// assert!(!position.gives_check(Move::normal(Square::E1, Square::E2)));
    /// # Ok::<(), halfmove_rules::FenError>(())
    /// ```
    #[inline]
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let (board, king) = (self.board(), self.king(!us));
        let (from, to) = (mv.from(), mv.to());
        let mut occupied = board.occupied() - from;
        // The piece that may give check from its new square, and that square.
        let mut lands = (mv.promotion().or(board.role_at(from)), to);
        if mv.is_castle() {
            let (king_to, rook_to) = Self::castling_targets(from, to);
            occupied = (occupied - to) | king_to | rook_to;
            lands = (Some(Role::Rook), rook_to);
        } else {
            occupied |= to;
            if let Some(pawn) = self.taken_en_passant(mv) {
                occupied -= pawn;
            }
        }
        let attacked = match lands {
            (Some(Role::Pawn), square) => attacks::pawn(us, square),
            (Some(Role::Knight), square) => attacks::knight(square),
            (Some(Role::Bishop), square) => attacks::bishop(square, occupied),
            (Some(Role::Rook), square) => attacks::rook(square, occupied),
            (Some(Role::Queen), square) => attacks::queen(square, occupied),
            _ => Bitboard::EMPTY,
        };
        if attacked.has(king) {
            return true;
        }
        let behind = board.by_color(us) & (occupied - lands.1);
        let straight = behind & board.rooks_and_queens();
        let diagonal = behind & board.bishops_and_queens();
        attacks::rook(king, occupied).intersects(straight)
            || attacks::bishop(king, occupied).intersects(diagonal)
    }

    /// The square of the pawn that a move captures en passant, if it does.
    #[inline]
    pub(crate) fn taken_en_passant(&self, mv: Move) -> Option<Square> {
        let (from, to) = (mv.from(), mv.to());
        let is_pawn = self.board().by_role(Role::Pawn).has(from);
        let is_en_passant = is_pawn && from.file() != to.file() && !self.board().occupied().has(to);
        is_en_passant.then(|| Square::new(to.file(), from.rank()))
    }

    /// Returns true if a legal move is an en passant capture.
    ///
    /// ```
    /// use halfmove_rules::{Chess, Color, Move, Piece, Role, Square};
    /// let position: Chess = "4k3/8/8/8/3Pp3/8/8/4K2R b - d3 0 1".parse()?;
    /// let mv = Move::normal(Square::E4, Square::D3);
    /// assert!(position.is_en_passant(mv));
    /// assert_eq!(
    ///     position.captured(mv),
    ///     Some(Piece { color: Color::White, role: Role::Pawn })
    /// );
    /// # Ok::<(), halfmove_rules::FenError>(())
    /// ```
    pub fn is_en_passant(&self, mv: Move) -> bool {
        self.taken_en_passant(mv).is_some()
    }

    /// The position after a *null move*, in which the side to move passes; `None` in check. It is
    /// not a legal move: a search uses it to test if even passing is good enough. The half-move
    /// clock advances.
    ///
    /// ```
    /// use halfmove_rules::{Chess, Color};
    /// let next = Chess::default().null_move().expect("not in check");
    /// assert_eq!(next.side_to_move(), Color::Black);
    /// ```
    ///
    /// # Source
    /// Don Beal, *A generalised quiescence search algorithm* (1990).
    pub fn null_move(&self) -> Option<Self> {
        if self.is_check() {
            return None;
        }
        let mut next = self.clone();
        next.pass();
        Some(next)
    }
}
