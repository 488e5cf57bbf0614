//! Playing a move.

use super::{Chess, IllegalMove};
use crate::{Bitboard, Color, Move, Piece, Role, Square};

impl Chess {
    /// The position after a move.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal here.
    pub fn play(&self, mv: Move) -> Result<Self, IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        let mut next = self.clone();
        next.play_unchecked(mv);
        Ok(next)
    }

    /// Plays a move that is known to be legal. Any other move leaves a position of which nothing
    /// is promised, except that nothing panics.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let passed = self.passed.take();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);

        if mv.is_castle() {
            let (king_to, rook_to) = Self::castling_targets(from, to);
            self.board.remove(from);
            self.board.remove(to);
            self.board.put(king_to, Piece { color: us, role: Role::King });
            self.board.put(rook_to, Piece { color: us, role: Role::Rook });
            self.castling.remove_color(us);
        } else if let Some(man) = self.board.remove(from) {
            if self.board.remove(to).is_some() {
                self.halfmove_clock = 0;
                self.castling.remove_rook(to);
            }
            let role = mv.promotion().unwrap_or(man.role);
            self.board.put(to, Piece { color: us, role });
            match man.role {
                Role::Pawn => {
                    self.halfmove_clock = 0;
                    if Some(to) == passed {
                        self.board.remove(behind(to, us));
                    } else if (from as u8).abs_diff(to as u8) == 16 {
                        self.passed = Some(behind(to, us));
                    }
                }
                Role::King => self.castling.remove_color(us),
                Role::Rook => self.castling.remove_rook(from),
                _ => {}
            }
        }

        self.fullmove_number = self.fullmove_number.saturating_add(u16::from(us == Color::Black));
        self.side_to_move = !us;
        if let Some(square) = self.passed
            && !self.can_be_taken_in_passing(square)
        {
            self.passed = None;
        }
        self.checkers = self.find_checkers();
    }
}

/// The square one step back, as the side sees it.
#[inline]
fn behind(square: Square, color: Color) -> Square {
    Bitboard::square(square).forward(!color).first().unwrap_or(square)
}
