//! Making a move: a new position.

use super::Chess;
use super::movegen::castling_targets;
use crate::piece::forward;
use crate::{Index, Kind, Piece};
use halfmove_rules::{Color, IllegalMove, Move};

impl Chess {
    /// The position after a move.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal here.
    pub fn play(&self, mv: Move) -> Result<Self, IllegalMove> {
        if self.is_legal(mv) { Ok(self.after(mv)) } else { Err(IllegalMove(mv)) }
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
        self.after(mv)
    }

    /// The position after a pseudo-legal move, which may leave the king in check.
    pub(super) fn after(&self, mv: Move) -> Self {
        let us = self.side_to_move;
        let (from, to) = (Index::new(mv.from()), Index::new(mv.to()));
        let mut next = self.clone();
        next.side_to_move = !us;
        next.ep_square = None;
        next.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if us == Color::Black {
            next.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        let moved = next.board.remove_at(from);
        if mv.is_castle() {
            let (king_to, rook_to) = castling_targets(from, to);
            next.board.remove_at(to);
            next.board.put_at(king_to, Piece { color: us, kind: Kind::King });
            next.board.put_at(rook_to, Piece { color: us, kind: Kind::Rook });
        } else if let Some(piece) = moved {
            let is_capture = next.board.remove_at(to).is_some();
            let kind = mv.promotion().map_or(piece.kind, Kind::from);
            next.board.put_at(to, Piece { color: us, kind });
            if piece.kind == Kind::Pawn {
                next.after_pawn_move(from, to, self.ep_square);
            }
            if piece.kind == Kind::Pawn || is_capture {
                next.halfmove_clock = 0;
            }
        }
        // A right is lost once the king has moved, or the rook has moved or been captured.
        let king_moved = moved.is_some_and(|piece| piece.kind == Kind::King);
        next.castling_rooks
            .retain(|(color, rook)| !(king_moved && *color == us) && *rook != from && *rook != to);
        next
    }

    /// Removes a pawn captured en passant, and records the square behind a double step.
    fn after_pawn_move(&mut self, from: Index, to: Index, ep_before: Option<Index>) {
        let us = !self.side_to_move;
        let behind = to.step(-forward(us));
        if ep_before == Some(to) {
            if let Some(taken) = behind {
                self.board.remove_at(taken);
            }
        } else if from.rank().abs_diff(to.rank()) == 2 {
            self.ep_square = behind;
        }
    }
}
