//! Making a move: a new position.

use super::Chess;
use super::movegen::castling_targets;
use crate::mailbox::man::forward;
use crate::mailbox::{Index, Kind, Man};
use crate::{Color, IllegalMove, Move};

impl Chess {
    /// The position after a move.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal here.
    pub fn play(&self, mv: Move) -> Result<Self, IllegalMove> {
        if self.is_legal(mv) { Ok(self.after(mv)) } else { Err(IllegalMove(mv)) }
    }

    /// The position after a move that leaves the own king where it pleases, perhaps in check.
    pub(super) fn after(&self, mv: Move) -> Self {
        let us = self.side_to_move;
        let (from, to) = (Index::new(mv.from()), Index::new(mv.to()));
        let mut next = self.clone();
        next.side_to_move = !us;
        next.passed = None;
        next.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if us == Color::Black {
            next.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        let moved = next.board.remove_at(from);
        if mv.is_castle() {
            let (king_to, rook_to) = castling_targets(from, to);
            next.board.remove_at(to);
            next.board.put_at(king_to, Man { color: us, kind: Kind::King });
            next.board.put_at(rook_to, Man { color: us, kind: Kind::Rook });
        } else if let Some(man) = moved {
            let is_capture = next.board.remove_at(to).is_some();
            let kind = mv.promotion().map_or(man.kind, Kind::from);
            next.board.put_at(to, Man { color: us, kind });
            if man.kind == Kind::Pawn {
                next.after_pawn_move(from, to, self.passed);
            }
            if man.kind == Kind::Pawn || is_capture {
                next.halfmove_clock = 0;
            }
        }
        // A right is gone once the king moved, or the rook moved or was taken.
        let king_moved = moved.is_some_and(|man| man.kind == Kind::King);
        next.castling_rooks
            .retain(|(color, rook)| !(king_moved && *color == us) && *rook != from && *rook != to);
        next
    }

    /// The man that a pawn takes in passing, and the square that it passes over itself.
    fn after_pawn_move(&mut self, from: Index, to: Index, passed_before: Option<Index>) {
        let us = !self.side_to_move;
        let behind = to.step(-forward(us));
        if passed_before == Some(to) {
            if let Some(taken) = behind {
                self.board.remove_at(taken);
            }
        } else if from.rank().abs_diff(to.rank()) == 2 {
            self.passed = behind;
        }
    }
}
