//! How a game of Makruk ends.

use super::{CountingError, CountingPolicy, Honor, Makruk, Rules};
use crate::position::Sealed;
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

impl Sealed for Makruk {
    /// Nobody has to claim a repetition. In ASEAN chess fifty moves of each side without a capture and
    /// without a bia move end the game too; Makruk has the counts instead.
    fn ended_by_history(&self, occurrences: usize) -> Option<Outcome> {
        if occurrences >= 3 {
            return Some(Outcome::ThreefoldRepetition);
        }
        let spent = self.rules() == Rules::Asean && self.halfmove_clock() >= 100;
        spent.then_some(Outcome::FiftyMoves)
    }

    fn claimable(&self, _: usize) -> Option<Outcome> {
        None
    }
}

impl History<Makruk> {
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
