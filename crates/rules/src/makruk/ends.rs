//! The ends of a game of Makruk.

use super::{CountingError, CountingPolicy, Honor, Makruk, Rules};
use crate::position::Sealed;
use crate::{Color, History, Outcome, Role};
use halfmove_bitboard::Bitboard;

impl Makruk {
    /// The outcome, if the position itself ends the game. Repetition depends on the history.
    ///
    /// Checkmate takes precedence, even at the end of a count. The exception is
    /// [`CountingPolicy::Thai`]: checkmate by a side that is counting board's honor is a draw.
    pub fn outcome(&self) -> Option<Outcome> {
        let stuck = !self.has_moves();
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

    /// Returns true if a side has enough material to mate, with the other side's help.
    ///
    /// A rook or a khon is enough. Mets are enough if the mets on the board stand on both colors of
    /// squares, or if there is any other piece. A knight or a bia needs one other piece. A lone bia
    /// becomes a lone met, which cannot mate; in ASEAN chess it may become a rook. In Makpong,
    /// where a king cannot step out of check, any piece is enough.
    ///
    /// This is a convention of servers. Under Thai rules the game continues even with bare kings.
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
    /// Repetitions need not be claimed. In ASEAN chess the game also ends after fifty moves by each
    /// side without a capture or bia move; Makruk has counting instead.
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
    /// The side to move starts counting: [`Makruk::claim_count`] in the current position.
    ///
    /// # Errors
    /// [`CountingError`]; nothing changes then.
    pub fn claim_count(&mut self) -> Result<(), CountingError> {
        self.now.claim_count()
    }

    /// The counting side stops: [`Makruk::stop_count`] in the current position.
    ///
    /// # Errors
    /// [`CountingError`]; nothing changes then.
    pub fn stop_count(&mut self) -> Result<(), CountingError> {
        self.now.stop_count()
    }
}
