//! Squares, colors and piece types as python-chess numbers them, and sets of squares.

use halfmove_rules::bitboard::lines;
use halfmove_rules::{Bitboard, Color, Role, Square};
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// The square with a number.
pub(crate) fn square_of(number: i64) -> PyResult<Square> {
    u8::try_from(number).ok().and_then(Square::from_index).ok_or_else(|| {
        PyValueError::new_err(format!("the square {number}: expected 0 (a1) to 63 (h8)"))
    })
}

/// A set of squares: a `SquareSet`, the lower 64 bits of a number, or an iterable of squares.
pub(crate) fn squares_of(squares: &Bound<'_, PyAny>) -> PyResult<Bitboard> {
    if let Ok(set) = squares.extract::<SquareSet>() {
        return Ok(set.0);
    }
    if let Some(number) = squares.getattr_opt("__int__")? {
        return Ok(Bitboard(number.call0()?.bitand(u64::MAX)?.extract()?));
    }
    let mut set = Bitboard::EMPTY;
    for square in squares.try_iter()? {
        set |= square_of(square?.extract()?)?;
    }
    Ok(set)
}

/// A set of squares, or another where none is given.
pub(crate) fn squares_or(
    squares: Option<&Bound<'_, PyAny>>,
    otherwise: Bitboard,
) -> PyResult<Bitboard> {
    squares.map_or(Ok(otherwise), squares_of)
}

/// White is true.
pub(crate) fn color_of(is_white: bool) -> Color {
    if is_white { Color::White } else { Color::Black }
}

/// The number of a role: 1 for the pawn to 6 for the king, 7 for the khon and 8 for the met.
pub(crate) fn role_number(role: Role) -> usize {
    role.index() + 1
}

/// The role with a number.
pub(crate) fn role_of(number: i64) -> PyResult<Role> {
    let role = Role::ALL.into_iter().find(|role| i64::try_from(role_number(*role)) == Ok(number));
    role.ok_or_else(|| {
        PyValueError::new_err(format!(
            "the piece type {number}: expected 1 (pawn) to 6 (king), 7 (khon) or 8 (met)"
        ))
    })
}

/// A piece: a type and a color, white if true.
///
/// >>> import halfmove
/// >>> halfmove.Board().piece_at(halfmove.E1)
/// Piece.from_symbol('K')
#[pyclass(module = "halfmove", frozen, from_py_object, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Piece(pub(crate) halfmove_rules::Piece);

#[pymethods]
impl Piece {
    #[new]
    fn new(piece_type: i64, color: bool) -> PyResult<Self> {
        Ok(Self(halfmove_rules::Piece { role: role_of(piece_type)?, color: color_of(color) }))
    }

    /// The piece of a letter, in upper case for White.
    #[classmethod]
    fn from_symbol(_class: &Bound<'_, PyType>, symbol: &str) -> PyResult<Self> {
        let mut letters = symbol.chars();
        let piece = letters.next().and_then(halfmove_rules::Piece::from_char);
        piece.filter(|_| letters.next().is_none()).map(Self).ok_or_else(|| {
            PyValueError::new_err(format!(
                "the piece \"{symbol}\": expected a letter, such as N or n"
            ))
        })
    }

    /// The type: 1 for a pawn to 6 for a king, 7 for a khon, 8 for a met.
    #[getter]
    fn piece_type(&self) -> usize {
        role_number(self.0.role)
    }

    /// True for White.
    #[getter]
    fn color(&self) -> bool {
        self.0.color == Color::White
    }

    /// The letter, in upper case for White.
    fn symbol(&self) -> char {
        self.0.to_char()
    }

    /// The figure of the piece; khon and met have none, so they are letters.
    #[pyo3(signature = (*, invert_color=false))]
    pub(crate) fn unicode_symbol(&self, invert_color: bool) -> char {
        let is_white = (self.0.color == Color::White) != invert_color;
        figure(self.0.role, is_white).unwrap_or_else(|| self.symbol())
    }

    fn __str__(&self) -> char {
        self.symbol()
    }

    fn __repr__(&self) -> String {
        format!("Piece.from_symbol('{}')", self.symbol())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (usize, bool)) {
        (py.get_type::<Self>(), (self.piece_type(), self.color()))
    }
}

/// The figure of a piece of chess.
pub(crate) fn figure(role: Role, is_white: bool) -> Option<char> {
    let figures = if is_white { "♙♘♗♖♕♔" } else { "♟♞♝♜♛♚" };
    figures.chars().nth(role.index())
}

/// A set of squares, as an iterable of numbers from 0 (a1) to 63 (h8).
///
/// Operators and methods take a set, the bits of a number, or an iterable of squares. A set equals the number of its bits,
/// so it has no hash, as in python-chess; `int(squares)` is a key.
///
/// >>> import halfmove
/// >>> squares = halfmove.Board().attackers(halfmove.WHITE, halfmove.F3)
/// >>> sorted(halfmove.square_name(square) for square in squares)
/// ['e2', 'g1', 'g2']
#[pyclass(module = "halfmove", frozen, from_py_object)]
#[derive(Clone, Copy)]
pub(crate) struct SquareSet(pub(crate) Bitboard);

#[pymethods]
impl SquareSet {
    /// The set of some squares, or of the bits of a number.
    #[new]
    #[pyo3(signature = (squares=None))]
    fn new(squares: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        match squares {
            None => Ok(Self(Bitboard::EMPTY)),
            Some(squares) => squares_of(squares).map(Self),
        }
    }

    /// The set of one square.
    #[classmethod]
    fn from_square(_class: &Bound<'_, PyType>, square: i64) -> PyResult<Self> {
        Ok(Self(Bitboard::EMPTY.with(square_of(square)?)))
    }

    /// The squares between two squares on a line, without these.
    ///
    /// >>> import halfmove
    /// >>> [halfmove.square_name(square) for square in halfmove.SquareSet.between(halfmove.A1, halfmove.D4)]
    /// ['b2', 'c3']
    #[classmethod]
    fn between(_class: &Bound<'_, PyType>, a: i64, b: i64) -> PyResult<Self> {
        Ok(Self(lines::between(square_of(a)?, square_of(b)?)))
    }

    /// The line through two squares, from edge to edge; none if they are on no line.
    #[classmethod]
    fn ray(_class: &Bound<'_, PyType>, a: i64, b: i64) -> PyResult<Self> {
        Ok(Self(lines::line(square_of(a)?, square_of(b)?)))
    }

    /// The set mirrored top to bottom.
    fn mirror(&self) -> Self {
        Self(Bitboard(self.0.0.swap_bytes()))
    }

    /// The bits of the set.
    #[getter]
    fn mask(&self) -> u64 {
        self.0.0
    }

    /// A copy, which is the set itself, because sets do not change.
    fn copy(&self) -> Self {
        *self
    }

    /// True or false for each of the 64 squares.
    fn tolist(&self) -> Vec<bool> {
        (0..64).map(|square| self.0.0 >> square & 1 == 1).collect()
    }

    /// The squares of this set or the other.
    fn union(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self(self.0 | squares_of(other)?))
    }

    /// The squares of both sets.
    fn intersection(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self(self.0 & squares_of(other)?))
    }

    /// The squares of this set that the other does not have.
    fn difference(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self(self.0 - squares_of(other)?))
    }

    /// The squares that only one of both sets has.
    fn symmetric_difference(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self(self.0 ^ squares_of(other)?))
    }

    /// True if no square is in both sets.
    fn isdisjoint(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok((self.0 & squares_of(other)?).is_empty())
    }

    /// True if the other set has all squares of this one.
    fn issubset(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok((self.0 - squares_of(other)?).is_empty())
    }

    /// True if this set has all squares of the other.
    fn issuperset(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok((squares_of(other)? - self.0).is_empty())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let squares: Vec<usize> = self.0.iter().map(Square::index).collect();
        Ok(squares.into_pyobject(py)?.try_iter()?.into_any())
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut squares: Vec<usize> = self.0.iter().map(Square::index).collect();
        squares.reverse();
        Ok(squares.into_pyobject(py)?.try_iter()?.into_any())
    }

    fn __len__(&self) -> usize {
        self.0.len() as usize
    }

    fn __bool__(&self) -> bool {
        !self.0.is_empty()
    }

    fn __contains__(&self, square: i64) -> bool {
        square_of(square).is_ok_and(|square| self.0.has(square))
    }

    fn __int__(&self) -> u64 {
        self.0.0
    }

    fn __index__(&self) -> u64 {
        self.0.0
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        match squares_of(other) {
            Ok(other) => (self.0 == other).into_py_any(py),
            Err(why) if why.is_instance_of::<PyTypeError>(py) => Ok(py.NotImplemented()),
            Err(why) if why.is_instance_of::<PyValueError>(py) => Ok(py.NotImplemented()),
            Err(why) => Err(why),
        }
    }

    fn __or__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.union(other)
    }

    fn __and__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.intersection(other)
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.difference(other)
    }

    fn __xor__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.symmetric_difference(other)
    }

    fn __lshift__(&self, shift: i64) -> PyResult<Self> {
        Ok(Self(Bitboard(self.0.0.checked_shl(distance(shift)?).unwrap_or(0))))
    }

    fn __rshift__(&self, shift: i64) -> PyResult<Self> {
        Ok(Self(Bitboard(self.0.0.checked_shr(distance(shift)?).unwrap_or(0))))
    }

    fn __invert__(&self) -> Self {
        Self(!self.0)
    }

    fn __str__(&self) -> String {
        let rank = |rank: u8| {
            let mark = |file: u8| match self.0.has(Square::wrapping(8 * rank + file)) {
                true => "1",
                false => ".",
            };
            (0..8).map(mark).collect::<Vec<_>>().join(" ")
        };
        (0..8).rev().map(rank).collect::<Vec<_>>().join("\n")
    }

    fn __repr__(&self) -> String {
        let digits = [48, 32, 16, 0].map(|shift| format!("{:04x}", self.0.0 >> shift & 0xffff));
        format!("SquareSet(0x{})", digits.join("_"))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (u64,)) {
        (py.get_type::<Self>(), (self.0.0,))
    }
}

/// The number of places of a shift.
fn distance(shift: i64) -> PyResult<u32> {
    match shift {
        0.. => Ok(u32::try_from(shift).unwrap_or(u32::MAX)),
        _ => Err(PyValueError::new_err(format!("the shift {shift}: expected 0 or more"))),
    }
}
