//! A game whose half-moves become rows.

use halfmove_codecs::dense::Model;
use halfmove_game::{Clock, Evaluation, Score};
use halfmove_rules::{AnyPosition, Color, Move};

use super::Plies;

/// The value beyond which an evaluation counts as decided, in centipawns, as on Lichess.
const MAX_CP: i32 = 1000;

/// The decoded columns of a game.
pub(super) struct Played<'a> {
    pub(super) id: i64,
    pub(super) start: AnyPosition,
    /// All moves up to the last row.
    moves: &'a [Move],
    /// The half-moves of the rows.
    plies: &'a Plies,
    /// The number of rows.
    pub(super) rows: usize,
    /// The clock after each half-move; the list may end earlier.
    pub(super) clocks: Vec<Option<Clock>>,
    /// The time that each move adds, in seconds.
    pub(super) increment: Option<f64>,
    /// The evaluation after each half-move; the list may end earlier.
    pub(super) evaluations: Vec<Option<Evaluation>>,
    /// The glyphs of half-moves: the index of the half-move, and the number.
    pub(super) nags: Vec<(usize, u32)>,
}

impl<'a> Played<'a> {
    pub(super) fn new(id: i64, start: AnyPosition, moves: &'a [Move], plies: &'a Plies) -> Self {
        let (clocks, evaluations, nags) = (Vec::new(), Vec::new(), Vec::new());
        let rows = plies.indices(moves.len()).count();
        Self { id, start, moves, plies, rows, clocks, increment: None, evaluations, nags }
    }

    /// The indices of the half-moves of the rows, from 0.
    pub(super) fn indices(&self) -> impl Iterator<Item = usize> {
        self.plies.indices(self.moves.len())
    }

    /// The moves of the rows.
    pub(super) fn moves(&self) -> impl Iterator<Item = Move> {
        self.indices().map(|index| self.moves[index])
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

    /// White's win percentage by the evaluation after a half-move, as Lichess computes it. After a mating move, the side that
    /// played it has won.
    pub(super) fn win_percent(&self, index: usize) -> Option<f64> {
        let cp = match self.score(index)? {
            Score::Centipawns(cp) => cp.clamp(-MAX_CP, MAX_CP),
            Score::Mate(0) if self.color(index) == Color::White => MAX_CP,
            Score::Mate(0) => -MAX_CP,
            Score::Mate(moves) => MAX_CP * moves.signum(),
        };
        Some(100.0 / (1.0 + (-0.003_682_08 * f64::from(cp)).exp()))
    }

    /// The part of its win percentage that a side loses by a half-move.
    pub(super) fn loss(&self, index: usize) -> Option<f64> {
        let (before, after) = (self.win_percent(index.checked_sub(1)?)?, self.win_percent(index)?);
        let lost = match self.color(index) {
            Color::White => before - after,
            Color::Black => after - before,
        };
        Some(lost.max(0.0))
    }

    /// The numbers of the glyphs of a half-move, in ascending order, with spaces between them.
    pub(super) fn nags(&self, index: usize) -> Option<String> {
        let from = self.nags.partition_point(|(at, _)| *at < index);
        let of_move = self.nags[from..].iter().take_while(|(at, _)| *at == index);
        let numbers: Vec<String> = of_move.map(|(_, number)| number.to_string()).collect();
        (!numbers.is_empty()).then(|| numbers.join(" "))
    }

    /// The bits of each half-move of the rows.
    pub(super) fn bits(&self) -> impl Iterator<Item = Option<f64>> {
        let mut bits = Model::shipped().bits(&self.start, self.moves, 0);
        let mut next = 0;
        self.indices().map_while(move |index| {
            let skipped = index - next;
            next = index + 1;
            bits.nth(skipped)
        })
    }

    /// Visits the position before each half-move of the rows.
    pub(super) fn replay(&self, mut visit: impl FnMut(&AnyPosition, Move)) {
        let (mut position, mut next) = (self.start.clone(), 0);
        for index in self.indices() {
            self.moves[next..index].iter().for_each(|mv| position.play_unchecked(*mv));
            visit(&position, self.moves[index]);
            next = index;
        }
    }
}
