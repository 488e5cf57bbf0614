//! The positions of a game so far, for the rules that depend on them.

use crate::{IllegalMove, Move, Outcome, Position, Role, SanError, UciError};
use alloc::vec::Vec;

/// A game in progress: the current position and all those before it.
///
/// Repetition is counted exactly, by comparing positions rather than keys. Two positions are the same if the
/// same side is to move, the same pieces stand on the same squares, and the same moves are possible: castling
/// rights and a *legal* en passant capture must match. (Polyglot's keys also include captures that a pin
/// forbids.) Every second position back to the last capture or pawn move is compared, and the comparison nearly
/// always ends with the first word of a board.
///
/// ```
/// use halfmove_rules::{Chess, History, Outcome};
///
/// let mut history = History::new(Chess::default());
/// for san in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"] {
///     history.play_san(san)?;
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
    /// One for each earlier position.
    moves: Vec<Move>,
    pub(crate) now: P,
}

impl<P: Position> History<P> {
    /// Starts a game from a position.
    pub const fn new(start: P) -> Self {
        Self { before: Vec::new(), moves: Vec::new(), now: start }
    }

    /// The current position.
    pub const fn position(&self) -> &P {
        &self.now
    }

    /// The position that the game started from.
    pub fn start(&self) -> &P {
        self.before.first().unwrap_or(&self.now)
    }

    /// The moves played, without those undone.
    ///
    /// ```
    /// use halfmove_rules::{Chess, History};
    ///
    /// let mut history = History::new(Chess::default());
    /// history.play_san("e4")?;
    /// history.play_san("c5")?;
    /// assert_eq!(history.moves().last().map(|mv| mv.to_string()).as_deref(), Some("c7c5"));
    /// # Ok::<(), halfmove_rules::SanError>(())
    /// ```
    #[doc(alias = "move_stack")]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The number of half-moves played, not counting those undone.
    pub fn plies(&self) -> usize {
        self.before.len()
    }

    /// Plays a move.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal; the game is then unchanged.
    #[doc(alias = "push")]
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let next = self.now.play(mv)?;
        self.before.push(core::mem::replace(&mut self.now, next));
        self.moves.push(mv);
        Ok(())
    }

    /// Plays a move that is known to be legal. [Repetitions](Self::occurrences) are found only in games without
    /// [`Move::NULL`].
    pub fn play_unchecked(&mut self, mv: Move) {
        self.before.push(self.now.clone());
        self.moves.push(mv);
        self.now.play_unchecked(mv);
    }

    /// Reads a move in SAN, plays it and returns it.
    ///
    /// # Errors
    /// [`SanError`] if the text names no legal move; the game is then unchanged.
    #[doc(alias = "push_san")]
    pub fn play_san(&mut self, text: &str) -> Result<Move, SanError> {
        let mv = self.now.parse_san(text)?;
        self.play_unchecked(mv);
        Ok(mv)
    }

    /// Reads a move in UCI notation, plays it and returns it.
    ///
    /// # Errors
    /// [`UciError`] if the text names no legal move; the game is then unchanged.
    #[doc(alias = "push_uci")]
    pub fn play_uci(&mut self, text: &str) -> Result<Move, UciError> {
        let mv = self.now.parse_uci(text)?;
        self.play_unchecked(mv);
        Ok(mv)
    }

    /// Undoes the last move and returns the position after it; `None` at the start.
    #[doc(alias = "pop")]
    pub fn undo(&mut self) -> Option<P> {
        let before = self.before.pop()?;
        self.moves.pop();
        Some(core::mem::replace(&mut self.now, before))
    }

    /// The number of times that the current position has occurred, including this one.
    #[doc(alias = "is_repetition")]
    pub fn occurrences(&self) -> usize {
        let board = self.now.board();
        let (pawns, pieces) = (board.by_role(Role::Pawn), board.occupied().len());
        // Both sides must move a piece and move it back, so the first candidate is four plies ago.
        // No position before a capture or pawn move can be equal: captured pieces do not return,
        // and pawns never move back.
        let earlier = self.before.iter().rev().skip(3).step_by(2).take_while(|earlier| {
            let board = earlier.board();
            board.occupied().len() == pieces && board.by_role(Role::Pawn) == pawns
        });
        1 + earlier.filter(|earlier| **earlier == self.now).count()
    }

    /// The outcome, if the game has ended: on the board, or by a draw that needs no claim. Checkmate takes
    /// precedence.
    ///
    /// | game | on the board | repetition | moves without a capture or pawn move |
    /// | --- | --- | --- | --- |
    /// | chess | [`Chess::outcome`](crate::Chess::outcome) | fivefold | 75 by each side |
    /// | Makruk, Makpong | [`Makruk::outcome`](crate::Makruk::outcome) | threefold | the count |
    /// | ASEAN chess | the same | threefold | 50 by each side, or the count |
    ///
    /// ```
    /// use halfmove_rules::{History, Makruk, Outcome};
    ///
    /// let mut history = History::new(Makruk::default());
    /// for uci in ["d1d2", "e8e7", "d2d1", "e7e8", "d1d2", "e8e7", "d2d1", "e7e8"] {
    ///     assert_eq!(history.outcome(), None);
    ///     history.play_uci(uci)?;
    /// }
    /// assert_eq!(history.outcome(), Some(Outcome::ThreefoldRepetition));
    /// # Ok::<(), halfmove_rules::UciError>(())
    /// ```
    ///
    /// # Source
    /// FIDE Laws of Chess (2023), articles 5.1, 5.2 and 9.6.
    pub fn outcome(&self) -> Option<Outcome> {
        self.now.outcome().or_else(|| self.now.ended_by_history(self.occurrences()))
    }

    /// The draw that the side to move may claim now, if any: in chess, for a third occurrence of
    /// the position or for 50 moves by each side without a capture or pawn move. There are no
    /// claims in Makruk and its variants.
    ///
    /// There is no claim once the game is over. To check a claim that involves the player's next
    /// move, play that move first.
    ///
    /// # Source
    /// FIDE Laws of Chess (2023), articles 9.2 and 9.3.
    #[doc(alias = "can_claim_draw")]
    pub fn claim(&self) -> Option<Outcome> {
        match self.outcome() {
            Some(_) => None,
            None => self.now.claimable(self.occurrences()),
        }
    }
}
