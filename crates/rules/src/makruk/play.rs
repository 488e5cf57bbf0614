//! Playing a move.

use super::{Makruk, Rules};
use crate::board::code;
use crate::{Bitboard, Color, Move, Role};

impl Makruk {
    /// The position after a *null move*, in which the side to move passes; `None` in check. It is not a legal move: a
    /// search uses it to test if even passing is good enough. The half-move clock advances; a count does not.
    ///
    /// ```
    /// use halfmove_rules::{Color, Makruk};
    /// let next = Makruk::default().null_move().expect("not in check");
    /// assert_eq!(next.side_to_move(), Color::Black);
    /// assert_eq!(next.count_moves(), 23);
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

    /// Passes the turn.
    fn pass(&mut self) {
        let is_black = self.side_to_move == Color::Black;
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.fullmove_number = self.fullmove_number.saturating_add(u16::from(is_black));
        self.side_to_move = !self.side_to_move;
    }

    /// Plays a move that is known to be legal, and counts it, or [`Move::NULL`] out of check, which does not count.
    /// After any other move the position is unspecified, but nothing panics.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        if mv.is_null() {
            return self.pass();
        }
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let taken = self.board.role_at(to);
        let moved = self.board.role_at(from).unwrap_or(Role::Pawn);
        let promotion = mv.promotion();
        self.board.relocate(us, from, to, code(promotion.unwrap_or(moved)));
        let was_promoted = promotion.is_some() || self.promoted.has(from);
        self.promoted -= Bitboard::square(from) | to;
        // In ASEAN chess, promoted bias are ordinary pieces.
        if was_promoted && self.rules != Rules::Asean {
            self.promoted |= to;
        }

        self.halfmove_clock = if moved == Role::Pawn || taken.is_some() {
            0
        } else {
            self.halfmove_clock.saturating_add(1)
        };
        self.fullmove_number = self.fullmove_number.saturating_add(u16::from(us == Color::Black));
        self.side_to_move = !us;
        self.count_half_move(taken);
    }
}
