//! A game whose half-moves become rows.

use halfmove_game::{Clock, Evaluation, Score};
use halfmove_rules::{AnyPosition, Color, Move};

/// The decoded columns of a game.
pub(super) struct Played<'a> {
    pub(super) id: i64,
    pub(super) start: AnyPosition,
    /// All moves up to the last row.
    moves: &'a [Move],
    /// The index of the move of the first row.
    first: usize,
    /// The clock after each half-move; the list may end earlier.
    pub(super) clocks: Vec<Option<Clock>>,
    /// The time that each move adds, in seconds.
    pub(super) increment: Option<f64>,
    /// The evaluation after each half-move; the list may end earlier.
    pub(super) evaluations: Vec<Option<Evaluation>>,
}

impl<'a> Played<'a> {
    pub(super) fn new(id: i64, start: AnyPosition, moves: &'a [Move], first: usize) -> Self {
        let (clocks, evaluations) = (Vec::new(), Vec::new());
        Self { id, start, moves, first, clocks, increment: None, evaluations }
    }

    /// The indices of the half-moves of the rows, from 0.
    pub(super) fn indices(&self) -> std::ops::Range<usize> {
        self.first..self.moves.len()
    }

    /// The moves of the rows.
    pub(super) fn moves(&self) -> &'a [Move] {
        &self.moves[self.first..]
    }

    /// The side that plays a half-move.
    pub(super) fn color(&self, index: usize) -> Color {
        match index % 2 {
            0 => self.start.side_to_move(),
            _ => !self.start.side_to_move(),
        }
    }

    /// The number of the move to which a half-move belongs.
    pub(super) fn fullmove_number(&self, index: usize) -> i32 {
        let black_begins = self.start.side_to_move() == Color::Black;
        let moves = (index + usize::from(black_begins)) / 2;
        i32::try_from(moves + usize::from(self.start.fullmove_number())).unwrap_or(i32::MAX)
    }

    /// The clock after a half-move in seconds.
    pub(super) fn clock(&self, index: usize) -> Option<f64> {
        self.clocks.get(index).copied().flatten().map(Clock::seconds)
    }

    /// The time used for a half-move in seconds: the clock after the side's previous half-move, less the clock after
    /// this one, plus the increment. `None` if the clock has gained more than that.
    pub(super) fn time_used(&self, index: usize) -> Option<f64> {
        let (before, after) = (self.clocks.get(index.checked_sub(2)?)?, self.clocks.get(index)?);
        let millis = |clock: Clock| f64::from(clock.millis());
        let increment = (self.increment? * 1000.0).round();
        let used = millis((*before)?) - millis((*after)?) + increment;
        (used >= 0.0).then_some(used / 1000.0)
    }

    /// The evaluation after a half-move.
    fn score(&self, index: usize) -> Option<Score> {
        self.evaluations.get(index).copied().flatten().map(|evaluation| evaluation.score())
    }

    /// The evaluation after a half-move in centipawns.
    pub(super) fn cp(&self, index: usize) -> Option<i32> {
        match self.score(index)? {
            Score::Centipawns(cp) => Some(cp),
            Score::Mate(_) => None,
        }
    }

    /// The moves to mate in the evaluation after a half-move.
    pub(super) fn mate(&self, index: usize) -> Option<i32> {
        match self.score(index)? {
            Score::Mate(moves) => Some(moves),
            Score::Centipawns(_) => None,
        }
    }

    /// Visits the position before each half-move of the rows.
    pub(super) fn replay(&self, mut visit: impl FnMut(&AnyPosition, Move)) {
        let mut position = self.start.clone();
        for (index, &mv) in self.moves.iter().enumerate() {
            if index >= self.first {
                visit(&position, mv);
            }
            position.play_unchecked(mv);
        }
    }
}
