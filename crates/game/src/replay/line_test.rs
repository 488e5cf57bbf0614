//! Conditions that are tested move by move, for variations.

use halfmove_rules::{AnyPosition, Move};

/// A condition on a line of moves, tested move by move.
pub trait LineTest {
    /// The state after the half-moves so far.
    type State: Clone;

    /// The state at the start of a line.
    fn start(&self, position: &AnyPosition) -> Self::State;

    /// The state after one more move, null moves included, and the positions before and after it.
    fn next(
        &self,
        state: &Self::State,
        before: &AnyPosition,
        mv: Move,
        after: &AnyPosition,
    ) -> Self::State;

    /// Returns true if the condition is met, regardless of later moves.
    fn is_met(&self, state: &Self::State) -> bool;

    /// Returns true if the condition would be met if the line ended here.
    fn is_met_at_end(&self, state: &Self::State) -> bool {
        self.is_met(state)
    }
}

/// The condition that this position arises.
impl LineTest for AnyPosition {
    type State = bool;

    fn start(&self, position: &AnyPosition) -> bool {
        position == self
    }

    fn next(&self, _: &bool, _: &AnyPosition, _: Move, after: &AnyPosition) -> bool {
        after == self
    }

    fn is_met(&self, state: &bool) -> bool {
        *state
    }
}
