//! The bits of each half-move of a game: how unexpected it is.

use std::slice;

use halfmove_game::rules::{AnyPosition, Move};

use super::{Model, State, Walk};
use crate::dense::tables::SETTINGS;

impl Model {
    /// The bits that the codec spends on each half-move of a game with a [setting](crate::dense::setting): −log₂ of the
    /// probability that the model gives it, rounded to thousandths, so that every machine has the same. An obvious
    /// recapture has less than one, a move that no player expects more than ten; the maximum is 16.
    ///
    /// `None` for a null move, and in Makruk, for which the model has no probabilities. The iterator
    /// ends before the first move that is not legal. Half-moves that it skips (`skip`, `nth`) cost next to nothing.
    ///
    /// ```
    /// use halfmove_codecs::dense::Model;
    /// use halfmove_game::pgn::read_game;
    ///
    /// let game = read_game("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. Ng1 *")?;
    /// let bits: Vec<_> = Model::shipped().bits(&game.start, &game.moves, 0).flatten().collect();
    /// assert!(bits[7] < 1.0, "the recapture");
    /// assert!(bits[8] > 10.0, "the retreat");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bits<'a>(&'a self, start: &AnyPosition, moves: &'a [Move], setting: usize) -> Bits<'a> {
        Bits { walk: Walk::new(self, start, setting.min(SETTINGS - 1), None), moves: moves.iter() }
    }
}

/// Iterates over the [bits](Model::bits) of the half-moves of a game.
#[derive(Debug)]
pub struct Bits<'a> {
    walk: Walk<'a>,
    moves: slice::Iter<'a, Move>,
}

impl Bits<'_> {
    /// Plays the next move; `None` after the last, and before one that is not legal.
    fn play(&mut self, mv: Move) -> Option<()> {
        let is_legal = match (&self.walk.game, mv.is_null()) {
            (_, true) => !self.walk.is_check(),
            (State::Chess(context, _), _) => context.position.is_legal(mv),
            (State::Other(position, _), _) => position.is_legal(mv),
        };
        if is_legal {
            self.walk.play(mv);
            return Some(());
        }
        self.moves = [].iter();
        None
    }

    /// The bits of a legal move.
    fn of(&mut self, mv: Move) -> Option<f64> {
        let is_known = matches!(self.walk.game, State::Chess(..)) && !mv.is_null();
        if !is_known || !self.walk.prepare() {
            return None;
        }
        let span = self.walk.distribution.span(self.walk.symbol_of(mv)?);
        Some((span.bits() * 1_000.0).round() / 1_000.0)
    }
}

impl Iterator for Bits<'_> {
    type Item = Option<f64>;

    fn next(&mut self) -> Option<Self::Item> {
        let mv = *self.moves.next()?;
        let bits = self.of(mv);
        self.play(mv).map(|()| bits)
    }

    fn nth(&mut self, skipped: usize) -> Option<Self::Item> {
        for _ in 0..skipped {
            let mv = *self.moves.next()?;
            self.play(mv)?;
        }
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.moves.len()))
    }
}
