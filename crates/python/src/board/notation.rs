//! Texts of a board: FEN, EPD, SAN, UCI.

use halfmove_rules::{
    AnyPosition, Chess, Color, EnPassantMode, Epd, EpdError, File, Makruk, Operand, Operation,
    PackError, Rank, Role, SanError, Square,
};
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyInt, PyString, PyType};

use super::Board;
use crate::moves::PyMove;
use crate::squares::Piece;

#[pymethods]
impl Board {
    /// The position as FEN. The en passant square is there if a capture is `"legal"`; python-chess's other choice
    /// is `"fen"`: after each move of two squares.
    ///
    /// >>> import halfmove
    /// >>> board = halfmove.Board()
    /// >>> board.push_san("e4")
    /// Move.from_uci('e2e4')
    /// >>> board.fen().split()[3], board.fen(en_passant="fen").split()[3]
    /// ('-', 'e3')
    #[pyo3(signature = (*, en_passant="legal"))]
    fn fen(&self, en_passant: &str) -> PyResult<String> {
        match (en_passant, self.position()) {
            ("legal", position) => Ok(position.to_string()),
            ("fen", AnyPosition::Chess(chess)) => {
                Ok(chess.to_setup_as(EnPassantMode::Always).to_string())
            }
            ("xfen", AnyPosition::Chess(chess)) => {
                Ok(chess.to_setup_as(EnPassantMode::PseudoLegal).to_string())
            }
            ("fen" | "xfen", position) => Ok(position.to_string()),
            (other, _) => Err(PyValueError::new_err(format!(
                "en_passant \"{other}\": expected legal, fen or xfen"
            ))),
        }
    }

    /// The pieces, the first field of a FEN.
    fn board_fen(&self) -> String {
        let fen = self.position().to_string();
        fen.split(' ').next().unwrap_or_default().to_owned()
    }

    /// The first four fields of a FEN, with operations by their names: equal positions have equal texts. An operand is a number, a
    /// text without quotes, a legal move, a list of moves (`bm`, `am`, `pv`), or `None` for no operand.
    ///
    /// >>> import halfmove
    /// >>> halfmove.Board("8/8/8/8/8/k7/p7/K6R w - - 0 1").epd(bm=[halfmove.Move.from_uci("h1h3")], id="a test", hmvc=0)
    /// '8/8/8/8/8/k7/p7/K6R w - - bm Rh3+; id "a test"; hmvc 0;'
    #[pyo3(signature = (*, en_passant="legal", **operations))]
    fn epd(&self, en_passant: &str, operations: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        let fen = self.fen(en_passant)?;
        let mut fields: Vec<String> = fen.split(' ').take(4).map(str::to_owned).collect();
        for (name, value) in operations.into_iter().flatten() {
            let name: String = name.extract()?;
            if matches!(&*name, "shredder" | "promoted") {
                return Err(PyTypeError::new_err(format!("epd has no argument {name}")));
            }
            let operation = Operation::new(&name, self.operands(&name, &value)?);
            let invalid = |error| PyValueError::new_err(format!("EPD, operation {name}: {error}"));
            fields.push(operation.map_err(invalid)?.to_string());
        }
        Ok(fields.join(" "))
    }

    /// The board of an EPD, and its operations by their names: moves as lists of `bm`, `am` and `pv`, else a number, a text or a move,
    /// and `None` without an operand.
    ///
    /// >>> import halfmove
    /// >>> board, operations = halfmove.Board.from_epd('8/8/8/8/8/k7/p7/K6R w - - bm Rh3+; id "a test"; ce +120;')
    /// >>> operations
    /// {'bm': [Move.from_uci('h1h3')], 'id': 'a test', 'ce': 120}
    #[classmethod]
    #[pyo3(signature = (epd, *, chess960=false))]
    fn from_epd<'py>(
        class: &Bound<'py, PyType>,
        epd: &str,
        chess960: bool,
    ) -> PyResult<(Self, Bound<'py, PyDict>)> {
        let py = class.py();
        let invalid = |error: &dyn std::fmt::Display| PyValueError::new_err(error.to_string());
        let read: Epd = epd.trim().parse().map_err(|error: EpdError| invalid(&error))?;
        let start = read.position().map_err(|error| invalid(&error))?;
        let start = if chess960 { start.into_chess960() } else { start };
        let operations = PyDict::new(py);
        for operation in &read.operations {
            let value = value_of(py, operation, &start).map_err(|error| {
                invalid(&format!("EPD, operation {}: {error}", operation.opcode()))
            })?;
            operations.set_item(operation.opcode(), value)?;
        }
        Ok((Self::at(start.into()), operations))
    }

    /// The square behind a pawn that has just advanced two squares, or `None`.
    #[getter]
    fn ep_square(&self) -> Option<usize> {
        let chess = self.position().as_chess()?;
        chess.ep_square_as(EnPassantMode::Always).map(|square| square.index())
    }

    /// True if a capture en passant is legal.
    fn has_legal_en_passant(&self) -> bool {
        self.position().as_chess().is_some_and(|chess| chess.ep_square().is_some())
    }

    /// A legal move in SAN.
    #[pyo3(name = "san")]
    fn san_of(&self, r#move: PyMove) -> PyResult<String> {
        let mv = r#move.require(self.position())?;
        Ok(self.position().san(mv).to_string())
    }

    /// A legal move in long algebraic notation, with the square that the piece leaves.
    ///
    /// >>> import halfmove
    /// >>> halfmove.Board().lan(halfmove.Move.from_uci("g1f3"))
    /// 'Ng1-f3'
    fn lan(&self, r#move: PyMove) -> PyResult<String> {
        let mv = r#move.require(self.position())?;
        let san = self.position().san(mv).to_string();
        let role = self.position().board().role_at(mv.from());
        let (false, false, Some(role)) = (mv.is_null(), mv.is_castle(), role) else {
            return Ok(san);
        };
        let letter = halfmove_rules::Piece { role, color: Color::White }.to_char();
        let letter = if role == Role::Pawn { String::new() } else { letter.to_string() };
        // What follows the target in SAN: a promotion, a check.
        let target = mv.to().to_string();
        let (_, end) = san.rsplit_once(&target).unwrap_or_default();
        let sign = if self.position().is_capture(mv) { 'x' } else { '-' };
        Ok(format!("{letter}{}{sign}{target}{end}", mv.from()))
    }

    /// A legal move in UCI notation, as this game writes it.
    #[pyo3(name = "uci")]
    fn uci_of(&self, r#move: PyMove) -> PyResult<String> {
        let mv = r#move.require(self.position())?;
        Ok(PyMove::of(self.position(), mv).0.to_string())
    }

    /// The legal move of a text in SAN.
    fn parse_san(&self, san: &str) -> PyResult<PyMove> {
        Ok(PyMove::of(self.position(), self.read_san(san)?))
    }

    /// The legal move of a text in UCI notation.
    fn parse_uci(&self, uci: &str) -> PyResult<PyMove> {
        Ok(PyMove::of(self.position(), self.read_uci(uci)?))
    }

    /// Legal moves in SAN, with move numbers: `1. e4 e5 2. Nf3`.
    ///
    /// >>> import halfmove
    /// >>> line = [halfmove.Move.from_uci(uci) for uci in ["e2e4", "e7e5", "g1f3"]]
    /// >>> halfmove.Board().variation_san(line)
    /// '1. e4 e5 2. Nf3'
    fn variation_san(&self, variation: Vec<PyMove>) -> PyResult<String> {
        let mut position = self.position().clone();
        let mut text = String::new();
        for (index, mv) in variation.into_iter().enumerate() {
            let mv = mv.require(&position)?;
            let number = position.fullmove_number();
            let is_white = position.side_to_move() == Color::White;
            text += &match (is_white, index) {
                (true, 0) => format!("{number}. "),
                (true, _) => format!(" {number}. "),
                (false, 0) => format!("{number}..."),
                (false, _) => " ".to_owned(),
            };
            text += position.san(mv).as_str();
            position.play_unchecked(mv);
        }
        Ok(text)
    }

    /// The position in 32 bytes, or 36 in Makruk, without the moves that led here. Chess960 is not among what they say.
    ///
    /// >>> import halfmove
    /// >>> halfmove.Board().pack().hex()
    /// 'ffff00000000ffff1342253100000000888888889bcaadb90000181800000100'
    fn pack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let failed = |error: PackError| PyValueError::new_err(error.to_string());
        Ok(match self.position() {
            AnyPosition::Chess(chess) => PyBytes::new(py, &chess.pack().map_err(failed)?),
            AnyPosition::Makruk(makruk) => PyBytes::new(py, &makruk.pack().map_err(failed)?),
        })
    }

    /// The position of packed bytes: 32 of chess, or 36 of Makruk.
    ///
    /// >>> import halfmove
    /// >>> halfmove.Board.unpack(halfmove.Board().pack()) == halfmove.Board()
    /// True
    #[classmethod]
    #[pyo3(signature = (packed, *, chess960=false))]
    fn unpack(_class: &Bound<'_, PyType>, packed: &[u8], chess960: bool) -> PyResult<Self> {
        let wrong = |why: &dyn std::fmt::Display| {
            PyValueError::new_err(format!("the packed position: {why}"))
        };
        let position = if let Ok(bytes) = packed.try_into() {
            let chess = Chess::unpack(bytes).map_err(|error| wrong(&error))?;
            AnyPosition::from(if chess960 { chess.into_chess960() } else { chess })
        } else if let Ok(bytes) = packed.try_into() {
            AnyPosition::from(Makruk::unpack(bytes).map_err(|error| wrong(&error))?)
        } else {
            return Err(wrong(&format!("{} bytes, expected 32, or 36 of Makruk", packed.len())));
        };
        Ok(Self::at(position))
    }

    /// The board with figures of the pieces, from the side of White or, with `orientation`, of Black; with `borders` also the names
    /// of files and ranks.
    ///
    /// >>> import halfmove
    /// >>> board = halfmove.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    /// >>> print(board.unicode(empty_square="·").splitlines()[-2])
    /// · · · · ♙ · · ·
    // A signature in ASCII: Python's `inspect` reads no other.
    #[pyo3(
        signature = (*, invert_color=false, borders=false, empty_square="⭘", orientation=true),
        text_signature = r#"($self, *, invert_color=False, borders=False, empty_square="\u2b58", orientation=True)"#
    )]
    fn unicode(
        &self,
        invert_color: bool,
        borders: bool,
        empty_square: &str,
        orientation: bool,
    ) -> String {
        let (mut ranks, mut files) = (Rank::ALL, File::ALL);
        if orientation {
            ranks.reverse()
        } else {
            files.reverse()
        }
        let mark = |square: Square| {
            let piece = self.position().board().piece_at(square).map(Piece);
            let figure = piece.map(|piece| piece.unicode_symbol(invert_color).to_string());
            figure.unwrap_or_else(|| empty_square.to_owned())
        };
        let marks = |rank: Rank| files.map(|file| mark(Square::new(file, rank)));
        if !borders {
            return ranks.map(|rank| marks(rank).join(" ")).join("\n");
        }
        let border = format!("  {}\n", "-".repeat(17));
        let rows = ranks.map(|rank| format!("{border}{rank} |{}|\n", marks(rank).join("|")));
        let files = files.map(|file| file.to_string()).join(" ");
        format!("{}{border}   {files}", rows.concat())
    }
}

impl Board {
    /// The operands of an operation of an EPD.
    fn operands(&self, opcode: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Operand>> {
        if value.is_none() {
            return Ok(Vec::new());
        }
        if let Ok(mv) = value.extract::<PyMove>() {
            return Ok(vec![Operand::Word(self.san_of(mv)?)]);
        }
        if value.is_instance_of::<PyInt>() {
            return Ok(vec![Operand::Word(value.str()?.to_string())]);
        }
        if let Ok(number) = value.cast::<PyFloat>() {
            if !number.value().is_finite() {
                return Err(PyValueError::new_err(format!(
                    "EPD, operation {opcode}: expected a finite number"
                )));
            }
            return Ok(vec![Operand::Word(value.str()?.to_string())]);
        }
        if value.is_instance_of::<PyString>() || !matches!(opcode, "am" | "bm" | "pv") {
            return Ok(vec![Operand::Text(value.str()?.to_string())]);
        }
        let moves = value.try_iter()?.map(|mv| Ok(mv?.extract::<PyMove>()?));
        let moves: Vec<PyMove> = moves.collect::<PyResult<_>>()?;
        if opcode == "pv" {
            let mut line = Self::at(self.position().clone());
            let sans = moves.into_iter().map(|mv| Ok(Operand::Word(line.san_and_push(mv)?)));
            return sans.collect();
        }
        let mut sans = moves.into_iter().map(|mv| self.san_of(mv)).collect::<PyResult<Vec<_>>>()?;
        sans.sort_unstable();
        Ok(sans.into_iter().map(Operand::Word).collect())
    }
}

/// The value of an operation of an EPD.
fn value_of<'py>(
    py: Python<'py>,
    operation: &Operation,
    start: &Chess,
) -> PyResult<Bound<'py, PyAny>> {
    let illegal = |error: SanError| PyValueError::new_err(error.to_string());
    let mut position = AnyPosition::from(start.clone());
    match (operation.opcode(), operation.operands()) {
        ("bm" | "am", _) => {
            let moves = operation.moves(start);
            let moves = moves.map(|mv| Ok(PyMove::of(&position, mv.map_err(illegal)?)));
            moves.collect::<PyResult<Vec<_>>>()?.into_bound_py_any(py)
        }
        ("pv", operands) => {
            let mut moves = Vec::new();
            for operand in operands {
                let mv = position.parse_san(operand.as_str()).map_err(illegal)?;
                moves.push(PyMove::of(&position, mv));
                position.play_unchecked(mv);
            }
            moves.into_bound_py_any(py)
        }
        (_, []) => Ok(py.None().into_bound(py)),
        (_, [Operand::Text(text), ..]) => text.into_bound_py_any(py),
        (_, [word, ..]) => match (word.to_integer(), word.to_number()) {
            (Some(number), _) => number.into_bound_py_any(py),
            (None, Some(number)) => number.into_bound_py_any(py),
            (None, None) => match position.parse_san(word.as_str()) {
                Ok(mv) => PyMove::of(&position, mv).into_bound_py_any(py),
                Err(_) => word.as_str().into_bound_py_any(py),
            },
        },
    }
}
