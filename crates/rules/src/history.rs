//! The positions of a game so far, for the rules that look back.

use crate::{IllegalMove, Move, Outcome, Position, Role};
use alloc::vec::Vec;

/// A game under way: its position now, and those before it.
///
/// Repetition is counted exactly: it compares positions, not keys. Two positions are the same if the
/// same side is to move, the same pieces stand on the same squares, and the same moves are possible,
/// castling rights and a legal en passant capture included (Polyglot's key also counts a capture that a
/// pin forbids). It looks back only to the last capture or pawn move, at every second ply; nearly all
/// comparisons end at the first word of a board.
///
/// ```
/// use halfmove_rules::{Chess, History, Outcome, San};
///
/// let mut history = History::new(Chess::default());
/// for san in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"] {
///     let mv = San::parse(san.as_bytes())?.resolve(history.position())?;
///     history.play_unchecked(mv);
/// }
/// assert_eq!(history.occurrences(), 3);
/// assert_eq!(history.claim(), Some(Outcome::ThreefoldRepetition));
/// assert_eq!(history.outcome(), None);
/// history.undo();
/// assert_eq!(history.occurrences(), 2);
/// # Ok::<(), halfmove_rules::SanError>(())
/// ```
///
/// # Source
/// FIDE Laws of Chess (2023), articles 9.2.2 and 9.2.3.
#[derive(Clone, Debug)]
pub struct History<P> {
    before: Vec<P>,
    pub(crate) now: P,
}

impl<P: Position> History<P> {
    /// A game that begins in a position.
    pub const fn new(start: P) -> Self {
        Self { before: Vec::new(), now: start }
    }

    /// The position now.
    pub const fn position(&self) -> &P {
        &self.now
    }

    /// How many half-moves have been played and not taken back.
    pub fn plies(&self) -> usize {
        self.before.len()
    }

    /// Plays a move.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal now; nothing is played then.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let next = self.now.play(mv)?;
        self.before.push(core::mem::replace(&mut self.now, next));
        Ok(())
    }

    /// Plays a move that is known to be legal.
    pub fn play_unchecked(&mut self, mv: Move) {
        self.before.push(self.now.clone());
        self.now.play_unchecked(mv);
    }

    /// Takes the last move back and returns the position that it had led to; `None` at the start.
    pub fn undo(&mut self) -> Option<P> {
        let before = self.before.pop()?;
        Some(core::mem::replace(&mut self.now, before))
    }

    /// How often the position has stood on the board, this time included.
    pub fn occurrences(&self) -> usize {
        let board = self.now.board();
        let (pawns, pieces) = (board.by_role(Role::Pawn), board.occupied().len());
        // Both sides have to move a piece and move it back, so the first candidate is four plies ago.
        // Nothing before a capture or a pawn move can be the same: the pawns of a file keep their order,
        // so none can take another's place.
        let earlier = self.before.iter().rev().skip(3).step_by(2).take_while(|earlier| {
            let board = earlier.board();
            board.occupied().len() == pieces && board.by_role(Role::Pawn) == pawns
        });
        1 + earlier.filter(|earlier| **earlier == self.now).count()
    }

    /// How the game has ended, if it has: on the board, or by a draw that nobody needs to claim. Mate
    /// comes before all others.
    ///
    /// | game | the board | repetition | moves without a capture or a pawn move |
    /// | --- | --- | --- | --- |
    /// | chess | [`Chess::outcome`](crate::Chess::outcome) | the fifth time | 75 of each side |
    /// | Makruk, Makpong | [`Makruk::outcome`](crate::Makruk::outcome) | the third time | the count |
    /// | ASEAN chess | the same | the third time | 50 of each side, or the count |
    ///
    /// ```
    /// use halfmove_rules::{History, Makruk, Outcome};
    ///
    /// let mut history = History::new(Makruk::default());
    /// for uci in ["d1d2", "e8e7", "d2d1", "e7e8", "d1d2", "e8e7", "d2d1", "e7e8"] {
    ///     assert_eq!(history.outcome(), None);
    ///     history.play(history.position().parse_uci(uci)?)?;
    /// }
    /// assert_eq!(history.outcome(), Some(Outcome::ThreefoldRepetition));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Source
    /// FIDE Laws of Chess (2023), articles 5.1, 5.2 and 9.6.
    pub fn outcome(&self) -> Option<Outcome> {
        self.now.outcome().or_else(|| self.now.ended_by_history(self.occurrences()))
    }

    /// The draw that the side to move may claim now, if it may: in chess for the third time that the
    /// position stands, or for 50 moves of each side without a capture or a pawn move. Makruk and its
    /// kin know no claim.
    ///
    /// There is no claim in a game that is over. To ask about a claim with the move that a player is
    /// about to write down, ask after that move.
    ///
    /// # Source
    /// FIDE Laws of Chess (2023), articles 9.2 and 9.3.
    pub fn claim(&self) -> Option<Outcome> {
        match self.outcome() {
            Some(_) => None,
            None => self.now.claimable(self.occurrences()),
        }
    }
}
