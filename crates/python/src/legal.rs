//! `LegalMoves`: the legal moves of a position, as a collection.

use halfmove_rules::AnyPosition;
use pyo3::prelude::*;

use crate::moves::PyMove;

/// The legal moves of a position: a collection that stays as it is when the board changes.
///
/// >>> import halfmove
/// >>> moves = halfmove.Board().legal_moves
/// >>> moves.count(), halfmove.Move.from_uci("e2e4") in moves
/// (20, True)
#[pyclass(module = "halfmove", frozen)]
pub(crate) struct LegalMoves {
    position: AnyPosition,
    moves: Vec<PyMove>,
}

impl LegalMoves {
    pub(crate) fn of(position: &AnyPosition) -> Self {
        let moves = position.legal_moves().into_iter().map(|mv| PyMove::of(position, mv));
        Self { moves: moves.collect(), position: position.clone() }
    }
}

#[pymethods]
impl LegalMoves {
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.moves.clone().into_pyobject(py)?.try_iter()?.into_any())
    }

    fn __len__(&self) -> usize {
        self.moves.len()
    }

    /// The number of moves.
    fn count(&self) -> usize {
        self.moves.len()
    }

    fn __bool__(&self) -> bool {
        !self.moves.is_empty()
    }

    fn __contains__(&self, r#move: PyMove) -> bool {
        r#move.find(&self.position).is_some_and(|mv| !mv.is_null())
    }

    fn __repr__(&self) -> String {
        let mut moves = self.position.legal_moves().into_iter().map(|mv| self.position.san(mv));
        let sans: Vec<String> = moves.by_ref().map(|san| san.to_string()).collect();
        format!("<LegalMoves ({})>", sans.join(", "))
    }
}
