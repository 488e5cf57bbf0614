//! `Move`: origin, target and promotion, as python-chess has it.

use halfmove_rules::{AnyPosition, Move, UciError, UciMove};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::error::{IllegalMoveError, InvalidMoveError};
use crate::squares::{role_number, role_of, square_of};

/// The fields of a pickled move: its squares and its promotion.
type Fields = (usize, usize, Option<usize>);

/// A move from a square to a square, with the piece type that a pawn promotes to.
///
/// Castling is the king's move of two squares, or in Chess960 the king taking its own rook.
///
/// >>> import halfmove
/// >>> move = halfmove.Move.from_uci("e7e8q")
/// >>> move.from_square == halfmove.E7, move.promotion == halfmove.QUEEN
/// (True, True)
/// >>> move
/// Move.from_uci('e7e8q')
#[pyclass(name = "Move", module = "halfmove", frozen, from_py_object, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyMove(pub(crate) UciMove);

/// The move in which nothing moves.
const NULL: UciMove =
    UciMove { from: halfmove_rules::Square::A1, to: halfmove_rules::Square::A1, promotion: None };

impl PyMove {
    /// The move as a game writes it.
    pub(crate) fn of(position: &AnyPosition, mv: Move) -> Self {
        Self(if mv.is_null() { NULL } else { position.uci(mv) })
    }

    /// The legal move that this is in a position, or the null move out of check.
    pub(crate) fn find(self, position: &AnyPosition) -> Option<Move> {
        if self.0 == NULL {
            return (!position.is_check()).then_some(Move::NULL);
        }
        let found: Result<Move, UciError> = match position {
            AnyPosition::Chess(chess) => self.0.resolve(chess),
            AnyPosition::Makruk(_) => position.parse_uci(&self.0.to_string()),
        };
        found.ok()
    }

    /// The move of [`find`](Self::find), or an error that names the position.
    pub(crate) fn require(self, position: &AnyPosition) -> PyResult<Move> {
        self.find(position).ok_or_else(|| {
            IllegalMoveError::new_err(format!("{} is not a legal move in {position}", self.0))
        })
    }
}

#[pymethods]
impl PyMove {
    #[new]
    #[pyo3(signature = (from_square, to_square, promotion=None))]
    fn new(from_square: i64, to_square: i64, promotion: Option<i64>) -> PyResult<Self> {
        let promotion = promotion.map(role_of).transpose()?;
        let (from, to) = (square_of(from_square)?, square_of(to_square)?);
        Ok(Self(UciMove { from, to, promotion }))
    }

    /// The move of a text in UCI notation, such as `e2e4` or `e7e8q`; `0000` is the null move.
    #[classmethod]
    fn from_uci(_class: &Bound<'_, PyType>, uci: &str) -> PyResult<Self> {
        match uci.parse::<UciMove>() {
            Ok(mv) => Ok(Self(mv)),
            Err(UciError::Null) => Ok(Self(NULL)),
            Err(error) => Err(InvalidMoveError::new_err(format!("the move \"{uci}\": {error}"))),
        }
    }

    /// The null move, with which a side passes.
    #[classmethod]
    fn null(_class: &Bound<'_, PyType>) -> Self {
        Self(NULL)
    }

    /// The square that the piece leaves: 0 for a1 to 63 for h8.
    #[getter(from_square)]
    fn origin(&self) -> usize {
        self.0.from.index()
    }

    /// The square that the piece moves to.
    #[getter(to_square)]
    fn target(&self) -> usize {
        self.0.to.index()
    }

    /// The piece type that a pawn promotes to, or `None`.
    #[getter]
    fn promotion(&self) -> Option<usize> {
        self.0.promotion.map(role_number)
    }

    /// The move in UCI notation.
    fn uci(&self) -> String {
        self.0.to_string()
    }

    fn __str__(&self) -> String {
        self.uci()
    }

    fn __repr__(&self) -> String {
        format!("Move.from_uci('{}')", self.0)
    }

    fn __bool__(&self) -> bool {
        self.0 != NULL
    }

    fn __copy__(&self) -> Self {
        *self
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        *self
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, Fields)> {
        Ok((py.get_type::<Self>(), (self.origin(), self.target(), self.promotion())))
    }
}
