//! `Outcome`: the end of a game, with its reason.

use halfmove_rules::{Color, Outcome};
use pyo3::prelude::*;

/// The end of a game: its reason and its winner.
///
/// >>> import halfmove
/// >>> board = halfmove.Board()
/// >>> for san in ["f3", "e5", "g4", "Qh4#"]:
/// ...     move = board.push_san(san)
/// >>> board.outcome()
/// Outcome(termination='checkmate', winner=False)
#[pyclass(name = "Outcome", module = "halfmove", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyOutcome(pub(crate) Outcome);

#[pymethods]
impl PyOutcome {
    /// The reason, such as `checkmate`, `stalemate` or `insufficient_material`.
    #[getter]
    fn termination(&self) -> &'static str {
        self.0.name()
    }

    /// True if White has won, false if Black has, `None` for a draw.
    #[getter]
    fn winner(&self) -> Option<bool> {
        self.0.winner().map(|winner| winner == Color::White)
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    fn result(&self) -> &'static str {
        self.0.result()
    }

    fn __repr__(&self) -> String {
        let winner = match self.winner() {
            Some(true) => "True",
            Some(false) => "False",
            None => "None",
        };
        format!("Outcome(termination='{}', winner={winner})", self.termination())
    }
}
