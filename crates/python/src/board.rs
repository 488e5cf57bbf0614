//! `Board`: a position of any game with the moves that led to it, by the names of python-chess.

mod masks;
mod notation;
mod questions;

use halfmove_functions::literals;
use halfmove_rules::{AnyPosition, Bitboard, Chess, History, Move, Role, Variant};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use crate::error::{IllegalMoveError, of_san, of_uci};
use crate::legal::LegalMoves;
use crate::moves::PyMove;
use crate::squares::{role_of, square_of, squares_or};
use crate::svg;

/// A position of chess, Chess960 or a variant of Makruk, with the moves that led to it.
///
/// Its methods have the names of python-chess. Positions and moves are always legal: a FEN that is not a position of the
/// game, and a move that is not legal, are errors.
///
/// >>> import halfmove
/// >>> board = halfmove.Board()
/// >>> board.push_san("e4")
/// Move.from_uci('e2e4')
/// >>> board.fen()
/// 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
/// >>> len(board.legal_moves)
/// 20
/// >>> halfmove.Board(variant="makruk").variant
/// 'makruk'
#[pyclass(module = "halfmove", from_py_object)]
#[derive(Clone)]
pub(crate) struct Board {
    pub(crate) history: History<AnyPosition>,
}

impl Board {
    /// The board at a position.
    pub(crate) fn at(position: AnyPosition) -> Self {
        Self { history: History::new(position) }
    }

    /// The position.
    pub(crate) fn position(&self) -> &AnyPosition {
        self.history.position()
    }

    /// The legal moves of a kind from some squares to some squares, by default all.
    fn moves_between(
        &self,
        from: Option<&Bound<'_, PyAny>>,
        to: Option<&Bound<'_, PyAny>>,
        is_wanted: impl Fn(Move) -> bool,
    ) -> PyResult<Vec<PyMove>> {
        let (from, to) = (squares_or(from, Bitboard::FULL)?, squares_or(to, Bitboard::FULL)?);
        let moves = self.position().legal_moves().into_iter().filter(|mv| is_wanted(*mv));
        let moves = moves.map(|mv| PyMove::of(self.position(), mv));
        Ok(moves.filter(|mv| from.has(mv.0.from) && to.has(mv.0.to)).collect())
    }

    fn play(&mut self, mv: Move) -> PyMove {
        let played = PyMove::of(self.position(), mv);
        self.history.play_unchecked(mv);
        played
    }

    /// The moves as python-chess writes them.
    fn played(&self) -> Vec<PyMove> {
        let mut position = self.history.start().clone();
        let played = self.history.moves().iter().map(|mv| {
            let played = PyMove::of(&position, *mv);
            position.play_unchecked(*mv);
            played
        });
        played.collect()
    }
}

/// The variant with a name.
pub(crate) fn variant_of(name: &str) -> PyResult<Variant> {
    literals::variant(name).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The position of a FEN.
pub(crate) fn position_of(fen: &str, variant: Variant) -> PyResult<AnyPosition> {
    let read = match variant {
        Variant::Chess => AnyPosition::from_fen(fen.trim(), variant)
            .or_else(|_| literals::position(fen, Some(variant.name()))),
        _ => literals::position(fen, Some(variant.name())),
    };
    read.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The fields of a pickled board: its start, its variant and the moves since.
type Fields = (String, &'static str, Vec<u16>);

#[pymethods]
impl Board {
    /// The position of a FEN, or the start of the variant: `chess`, `chess960`, `makruk`, `makpong` or `asean`.
    #[new]
    #[pyo3(signature = (fen=None, *, chess960=false, variant=None))]
    fn new(fen: Option<&str>, chess960: bool, variant: Option<&str>) -> PyResult<Self> {
        let variant = match variant {
            Some(name) => variant_of(name)?,
            None if chess960 => Variant::Chess960,
            None => Variant::Chess,
        };
        Ok(Self::at(match fen {
            Some(fen) => position_of(fen, variant)?,
            None => AnyPosition::start(variant),
        }))
    }

    /// A start of Chess960 by its number, 0 to 959.
    #[classmethod]
    fn from_chess960_pos(_class: &Bound<'_, PyType>, scharnagl: u16) -> PyResult<Self> {
        let start = Chess::chess960(scharnagl).ok_or_else(|| {
            PyValueError::new_err(format!("the start {scharnagl}: expected 0 to 959"))
        })?;
        Ok(Self::at(start.into()))
    }

    /// The position after the moves of another board, for pickle.
    #[classmethod]
    fn _from_moves(
        _class: &Bound<'_, PyType>,
        fen: &str,
        variant: &str,
        moves: Vec<u16>,
    ) -> PyResult<Self> {
        let mut board = Self::at(position_of(fen, variant_of(variant)?)?);
        for bits in moves {
            let mv = Move::from_bits(bits).filter(|mv| {
                board.position().is_legal(*mv) || mv.is_null() && !board.position().is_check()
            });
            let illegal = || PyValueError::new_err("the board has an illegal move");
            board.history.play_unchecked(mv.ok_or_else(illegal)?);
        }
        Ok(board)
    }

    /// The name of the variant: `chess`, `chess960`, `makruk`, `makpong` or `asean`.
    #[getter]
    fn variant(&self) -> &'static str {
        self.position().variant().name()
    }

    /// True in Chess960.
    #[getter]
    fn chess960(&self) -> bool {
        self.position().variant() == Variant::Chess960
    }

    /// The moves that led here, the first one first.
    #[getter]
    fn move_stack(&self) -> Vec<PyMove> {
        self.played()
    }

    /// The legal moves.
    #[getter]
    fn legal_moves(&self) -> LegalMoves {
        LegalMoves::of(self.position())
    }

    /// The legal moves from some squares to some squares, which are sets or the bits of numbers.
    ///
    /// >>> import halfmove
    /// >>> board = halfmove.Board()
    /// >>> sorted(board.san(move) for move in board.generate_legal_moves(board.knights))
    /// ['Na3', 'Nc3', 'Nf3', 'Nh3']
    #[pyo3(signature = (from_mask=None, to_mask=None))]
    fn generate_legal_moves<'py>(
        &self,
        py: Python<'py>,
        from_mask: Option<&Bound<'py, PyAny>>,
        to_mask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let moves = self.moves_between(from_mask, to_mask, |_| true)?;
        Ok(moves.into_pyobject(py)?.try_iter()?.into_any())
    }

    /// The legal moves that capture a piece, from some squares to some squares.
    #[pyo3(signature = (from_mask=None, to_mask=None))]
    fn generate_legal_captures<'py>(
        &self,
        py: Python<'py>,
        from_mask: Option<&Bound<'py, PyAny>>,
        to_mask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let captures =
            self.moves_between(from_mask, to_mask, |mv| self.position().is_capture(mv))?;
        Ok(captures.into_pyobject(py)?.try_iter()?.into_any())
    }

    /// The legal move from a square to a square; a pawn promotes to a queen, or in Makruk a met, unless a piece type is given.
    ///
    /// >>> import halfmove
    /// >>> halfmove.Board("8/P7/8/8/8/8/8/K1k5 w - - 0 1").find_move(halfmove.A7, halfmove.A8)
    /// Move.from_uci('a7a8q')
    #[pyo3(signature = (from_square, to_square, promotion=None))]
    fn find_move(
        &self,
        from_square: i64,
        to_square: i64,
        promotion: Option<i64>,
    ) -> PyResult<PyMove> {
        let (from, to) = (square_of(from_square)?, square_of(to_square)?);
        let best = [None, Some(Role::Queen), Some(Role::Met)];
        let wanted = promotion.map(role_of).transpose()?;
        let moves = self.position().legal_moves().into_iter();
        let mut moves = moves.map(|mv| PyMove::of(self.position(), mv));
        let found = moves.find(|PyMove(mv)| {
            let is_wanted = match wanted {
                Some(role) => mv.promotion == Some(role),
                None => best.contains(&mv.promotion),
            };
            (mv.from, mv.to) == (from, to) && is_wanted
        });
        found.ok_or_else(|| {
            IllegalMoveError::new_err(format!(
                "no legal move from {from} to {to} in {}",
                self.position()
            ))
        })
    }

    /// Plays a legal move, or the null move out of check.
    #[pyo3(name = "push")]
    fn push_move(&mut self, r#move: PyMove) -> PyResult<()> {
        let mv = r#move.require(self.position())?;
        self.history.play_unchecked(mv);
        Ok(())
    }

    /// Plays a move in SAN and returns it.
    fn push_san(&mut self, san: &str) -> PyResult<PyMove> {
        let mv = self.read_san(san)?;
        Ok(self.play(mv))
    }

    /// Plays a move in UCI notation and returns it.
    fn push_uci(&mut self, uci: &str) -> PyResult<PyMove> {
        let mv = self.read_uci(uci)?;
        Ok(self.play(mv))
    }

    /// Plays a legal move and returns it in SAN.
    ///
    /// >>> import halfmove
    /// >>> board = halfmove.Board()
    /// >>> board.san_and_push(halfmove.Move.from_uci("g1f3")), board.turn
    /// ('Nf3', False)
    fn san_and_push(&mut self, r#move: PyMove) -> PyResult<String> {
        let mv = r#move.require(self.position())?;
        let san = self.position().san(mv).to_string();
        self.history.play_unchecked(mv);
        Ok(san)
    }

    /// Takes the last move back and returns it.
    fn pop(&mut self) -> PyResult<PyMove> {
        let mv = self.history.moves().last().copied();
        self.history.undo();
        let mv = mv.ok_or_else(|| PyIndexError::new_err("no move to take back"))?;
        Ok(PyMove::of(self.position(), mv))
    }

    /// The last move.
    fn peek(&self) -> PyResult<PyMove> {
        self.played().pop().ok_or_else(|| PyIndexError::new_err("no move was played"))
    }

    /// Goes to the start of the game.
    fn reset(&mut self) {
        *self = Self::at(AnyPosition::start(self.position().variant()));
    }

    /// Goes to the position of a FEN.
    fn set_fen(&mut self, fen: &str) -> PyResult<()> {
        *self = Self::at(position_of(fen, self.position().variant())?);
        Ok(())
    }

    /// Forgets the moves that led here.
    fn clear_stack(&mut self) {
        *self = Self::at(self.position().clone());
    }

    /// The board at the first position.
    ///
    /// >>> import halfmove
    /// >>> board = halfmove.Board()
    /// >>> board.push_san("e4")
    /// Move.from_uci('e2e4')
    /// >>> board.root() == halfmove.Board()
    /// True
    fn root(&self) -> Self {
        Self::at(self.history.start().clone())
    }

    /// A copy, with the moves that led here unless `stack` is false.
    #[pyo3(signature = (*, stack=true))]
    fn copy(&self, stack: bool) -> Self {
        if stack { self.clone() } else { Self::at(self.position().clone()) }
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> Self {
        self.clone()
    }

    /// The same position with colors exchanged, and the board mirrored top to bottom.
    ///
    /// >>> import halfmove
    /// >>> halfmove.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").mirror().fen()
    /// '4k3/4p3/8/8/8/8/8/4K3 b - - 0 1'
    fn mirror(&self) -> Self {
        Self::at(self.position().flipped())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.borrow();
            let counters =
                |it: &AnyPosition| (it.variant(), it.halfmove_clock(), it.fullmove_number());
            self.position() == other.position()
                && counters(self.position()) == counters(other.position())
        })
    }

    fn __str__(&self) -> String {
        self.position().board().to_string().trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        let variant = match self.position().variant() {
            Variant::Chess => String::new(),
            variant => format!(", variant='{variant}'"),
        };
        format!("{}\nBoard('{}'{variant})", self.__str__(), self.position())
    }

    /// The board as a picture, for notebooks, with the last move marked.
    fn _repr_svg_(&self) -> String {
        let last = self.played().pop();
        svg::draw(self.position(), &svg::Marks::last_move(last), 390)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Fields)> {
        let make = py.get_type::<Self>().getattr("_from_moves")?;
        let moves = self.history.moves().iter().map(|mv| mv.to_bits()).collect();
        Ok((make, (self.history.start().to_string(), self.variant(), moves)))
    }
}

impl Board {
    /// The legal move of a text in SAN, or the null move.
    fn read_san(&self, san: &str) -> PyResult<Move> {
        let position = self.position();
        if matches!(san, "--" | "Z0") && !position.is_check() {
            return Ok(Move::NULL);
        }
        position.parse_san(san).map_err(|error| of_san(error, san, position))
    }

    /// The legal move of a text in UCI notation, or the null move.
    fn read_uci(&self, uci: &str) -> PyResult<Move> {
        let position = self.position();
        if uci == "0000" && !position.is_check() {
            return Ok(Move::NULL);
        }
        position.parse_uci(uci).map_err(|error| of_uci(error, uci, position))
    }
}
