//! Playing a move: a new state (the source's section *State Management*, its `applyMove`). The old state stays as it
//! is.

use super::generation::castling_targets;
use crate::state::{Game, State};
use crate::{Board, Index, Kind, Piece};
use alloc::collections::BTreeMap;
use halfmove_rules::{Color, IllegalMove, Move};

impl<G: Game> State<G> {
    /// The position after a move.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal here.
    pub fn play(&self, mv: Move) -> Result<Self, IllegalMove> {
        if self.is_legal(mv) { Ok(self.play_unchecked(mv)) } else { Err(IllegalMove(mv)) }
    }

    /// The position after a move that is known to be legal. After any other move the position is unspecified, but
    /// nothing panics.
    ///
    /// ```
    /// use halfmove_mailbox::Chess;
    /// let start = Chess::default();
    /// let mv = start.legal_moves()[0];
    /// let next = start.play(mv).expect("a legal move");
    /// assert_eq!(start.play_unchecked(mv).to_fen(), next.to_fen());
    /// ```
    #[must_use = "the position itself does not change"]
    pub fn play_unchecked(&self, mv: Move) -> Self {
        let mut next = self.after(mv);
        next.remember();
        next
    }

    /// The position after a move, not yet counted among the occurrences.
    pub(crate) fn after(&self, mv: Move) -> Self {
        let us = self.side_to_move;
        let is_pawn = self.board.piece_at(mv.from()).is_some_and(|piece| piece.kind == Kind::Pawn);
        let is_capture = self.board.has(Index::new(mv.to()), !us);
        // Pawns do not move back and captured pieces do not return: no earlier position can occur again.
        let is_final = is_pawn || is_capture;
        let occurrences = if is_final { BTreeMap::new() } else { self.occurrences.clone() };
        let mut next = Self {
            board: self.board_after(mv),
            side_to_move: !us,
            halfmove_clock: if is_final { 0 } else { self.halfmove_clock.saturating_add(1) },
            fullmove_number: self.fullmove_number.saturating_add(u16::from(us == Color::Black)),
            game: self.game.clone(),
            occurrences,
        };
        next.game = G::after(self, mv, &next);
        next
    }

    /// The pieces after a move.
    pub(crate) fn board_after(&self, mv: Move) -> Board {
        let color = self.side_to_move;
        let (from, to) = (Index::new(mv.from()), Index::new(mv.to()));
        let mut board = self.board.clone();
        let Some(piece) = board.remove_at(from) else { return board };
        let taken = board.remove_at(to);
        if mv.is_castle() {
            let (king_to, rook_to) = castling_targets(from, to);
            board.put_at(king_to, Piece { color, kind: Kind::King });
            board.put_at(rook_to, Piece { color, kind: Kind::Rook });
            return board;
        }
        if piece.kind == Kind::Pawn && taken.is_none() && from.file() != to.file() {
            // En passant.
            board.remove_at(from.with_file(to.file()));
        }
        let kind = mv.promotion().map_or(piece.kind, |role| self.game.promoted(role));
        board.put_at(to, Piece { kind, ..piece });
        board
    }
}
