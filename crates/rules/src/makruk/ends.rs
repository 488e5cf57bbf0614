//! How a game of Makruk ends.

use super::{CountingError, CountingPolicy, Honor, Makruk, Rules};
use crate::{Color, History, Outcome, Role};
use core::ops::ControlFlow;
use halfmove_bitboard::Bitboard;

impl Makruk {
    /// How the game has ended on the board, if it has; repetition apart, which needs the history.
    ///
    /// Mate goes before all else, even at the end of a count. Only under
    /// [`CountingPolicy::Thai`] a mate by the side that counts its board's honor is a draw.
    pub fn outcome(&self) -> Option<Outcome> {
        let stuck = self.visit_moves(|_| ControlFlow::Break(())).is_continue();
        if stuck && self.is_check() {
            let winner = !self.side_to_move;
            let spent = self.policy == CountingPolicy::Thai
                && self
                    .counting
                    .is_some_and(|count| count.honor() == Honor::Board && count.color() == winner);
            return Some(if spent { Outcome::CountingDraw } else { Outcome::Checkmate { winner } });
        }
        if stuck {
            Some(Outcome::Stalemate)
        } else if Color::ALL.into_iter().all(|color| !self.can_mate(color)) {
            Some(Outcome::InsufficientMaterial)
        } else if self.counting.is_some_and(|count| count.is_over(self.policy)) {
            Some(Outcome::CountingDraw)
        } else {
            None
        }
    }

    /// Whether a side has the pieces to give mate, if the other side helps.
    ///
    /// It has with a rook or a khon; with mets if the mets on the board stand on both colors of
    /// square, or any other piece is there to help; with a knight or bia if another piece is. A lone bia
    /// becomes a lone met, which mates nobody. In ASEAN chess it may become a rook. In Makpong, where a
    /// king cannot step out of check, any piece is enough.
    ///
    /// This is a convention of servers, not a rule of Thailand: there kings alone may play on.
    ///
    /// # Source
    /// Fairy-Stockfish, `has_insufficient_material`.
    pub fn can_mate(&self, color: Color) -> bool {
        let own = self.board.by_color(color);
        if self.rules == Rules::Makpong {
            return own.has_many();
        }
        let mut alone = self.board.by_role(Role::Rook) | self.board.by_role(Role::Khon);
        if self.rules == Rules::Asean {
            alone |= self.board.by_role(Role::Pawn);
        }
        if own.intersects(alone) {
            return true;
        }
        let pieces = self.board.occupied() - self.board.by_role(Role::King);
        let mets = self.board.by_role(Role::Met);
        let others = pieces - mets;
        let both_colors = mets.intersects(Bitboard::LIGHT) && !mets.is_subset(Bitboard::LIGHT);
        own.intersects(mets) && (both_colors || !others.is_empty())
            || own.intersects(others) && pieces.has_many()
    }
}

impl History<Makruk> {
    /// How the game has ended, if it has: [on the board](Makruk::outcome), or because the position
    /// stands for the third time, which nobody has to claim. In ASEAN chess fifty moves of each side
    /// without a capture and without a bia move end it too; Makruk has the counts instead.
    ///
    /// ```
    /// use halfmove_rules::{History, Makruk, Outcome};
    ///
    /// let mut history = History::new(Makruk::default());
    /// for mv in ["d1d2", "e8e7", "d2d1", "e7e8", "d1d2", "e8e7", "d2d1", "e7e8"] {
    ///     assert_eq!(history.outcome(), None);
    ///     history.play(history.position().parse_uci(mv).unwrap()).unwrap();
    /// }
    /// assert_eq!(history.outcome(), Some(Outcome::ThreefoldRepetition));
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        let position = self.position();
        if let Some(outcome) = position.outcome() {
            return Some(outcome);
        }
        if self.occurrences() >= 3 {
            return Some(Outcome::ThreefoldRepetition);
        }
        let spent = position.rules() == Rules::Asean && position.halfmove_clock() >= 100;
        spent.then_some(Outcome::FiftyMoves)
    }

    /// The side to move begins to count: [`Makruk::claim_count`] in the position now.
    ///
    /// # Errors
    /// [`CountingError`]; nothing changes then.
    pub fn claim_count(&mut self) -> Result<(), CountingError> {
        self.now.claim_count()
    }

    /// The side that counts stops: [`Makruk::stop_count`] in the position now.
    ///
    /// # Errors
    /// [`CountingError`]; nothing changes then.
    pub fn stop_count(&mut self) -> Result<(), CountingError> {
        self.now.stop_count()
    }
}
