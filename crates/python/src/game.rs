//! Games of PGN: a reader, and games as lists of events, from which `halfmove.pgn` makes trees.

use std::io::{self, Read};
use std::sync::{Arc, Mutex};

use halfmove_game::pgn::{CommentStyle, GameReader, Nag, Reading, write_game};
use halfmove_game::{BuildError, Clock, Evaluation, Event, Game, GameBuilder, Input, Score};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};

use crate::board::Board;
use crate::error::IllegalMoveError;
use crate::moves::PyMove;

/// A source of bytes in Python: an object with `read`, whose texts become UTF-8.
struct Handle {
    handle: Py<PyAny>,
    /// The bytes that were read and not yet taken.
    rest: Vec<u8>,
}

/// The number of characters or bytes to read at a time.
const BLOCK: usize = 1 << 18;

impl Read for Handle {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = Python::attach(|py| -> PyResult<Vec<u8>> {
                py.check_signals()?;
                let block = self.handle.bind(py).call_method1("read", (BLOCK,))?;
                match block.cast::<PyBytes>() {
                    Ok(bytes) => Ok(bytes.as_bytes().to_vec()),
                    Err(_) => Ok(block.cast::<PyString>()?.to_cow()?.into_owned().into_bytes()),
                }
            })
            .map_err(io::Error::other)?;
        }
        let count = into.len().min(self.rest.len());
        into[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

/// A reader of the games of a file, one after the other.
#[pyclass(module = "halfmove", frozen)]
pub(crate) struct PgnReader {
    reader: Mutex<GameReader<Box<dyn Read + Send>>>,
}

#[pymethods]
impl PgnReader {
    /// A reader of a file by its path, compressed or not, or of an object with a method `read`.
    #[new]
    fn new(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        let source: Box<dyn Read + Send> = if source.hasattr("read")? {
            Box::new(Handle { handle: source.clone().unbind(), rest: Vec::new() })
        } else {
            let path: std::path::PathBuf = source.extract()?;
            let input = Input::open(path);
            Box::new(input.map_err(|error| PyOSError::new_err(error.to_string()))?)
        };
        Ok(Self { reader: Mutex::new(GameReader::new(source)) })
    }

    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<RawGame>> {
        let read = py.detach(|| -> io::Result<Option<RawGame>> {
            let mut reader = self.reader.lock().unwrap_or_else(|it| it.into_inner());
            let mut game = Game::default();
            Ok(reader.read(&mut game)?.map(|reading| RawGame::new(game, &reading)))
        });
        read.map_err(|error| match error.downcast::<PyErr>() {
            Ok(error) => error,
            Err(error) => PyOSError::new_err(error.to_string()),
        })
    }
}

/// A game as it was read.
#[pyclass(module = "halfmove", frozen)]
pub(crate) struct RawGame {
    game: Arc<Game>,
    errors: Vec<String>,
}

impl RawGame {
    pub(crate) fn new(game: Game, reading: &Reading) -> Self {
        let errors = match reading {
            Reading::Whole => Vec::new(),
            Reading::Faulty(error) => vec![error.to_string()],
            Reading::Skipped(skip) => vec![skip.to_string()],
        };
        Self { game: Arc::new(game), errors }
    }

    /// A game of an archive.
    pub(crate) fn stored(game: Game, fault: Option<String>) -> Self {
        Self { game: Arc::new(game), errors: fault.into_iter().collect() }
    }
}

#[pymethods]
impl RawGame {
    /// The tags, in their order.
    fn headers(&self) -> Vec<(&str, &str)> {
        self.game.tags.iter().collect()
    }

    /// The faults.
    #[getter]
    fn errors(&self) -> Vec<String> {
        self.errors.clone()
    }

    /// The token that ends the moves, or `None`.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.game.result.map(halfmove_game::GameResult::as_str)
    }

    /// The board at the start.
    fn board(&self) -> Board {
        Board::at(self.game.start.clone())
    }

    /// The board after the main line.
    fn end_board(&self) -> Board {
        let mut board = self.board();
        self.game.moves.iter().for_each(|mv| board.history.play_unchecked(*mv));
        board
    }

    /// The number of half-moves of the main line.
    fn plies(&self) -> usize {
        self.game.moves.len()
    }

    /// The moves of the main line.
    fn moves(&self) -> Vec<PyMove> {
        let mut position = self.game.start.clone();
        let moves = self.game.moves.iter().map(|mv| {
            let played = PyMove::of(&position, *mv);
            position.play_unchecked(*mv);
            played
        });
        moves.collect()
    }

    /// Everything between the tags and the result, in order: `("move", Move)`, `("null",)`, `("nag", 1)`,
    /// `("comment", text)`, `("begin",)`, `("end",)`, `("word", text)`.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        let mut walk = self.game.walk();
        while let Some((event, position)) = walk.step() {
            let item = match event {
                Event::Move(mv) => ("move", PyMove::of(position, mv)).into_pyobject(py)?,
                Event::NullMove(_) => {
                    ("move", PyMove::of(position, halfmove_rules::Move::NULL)).into_pyobject(py)?
                }
                Event::Nag(nag) => ("nag", nag.number()).into_pyobject(py)?,
                Event::Comment(comment) => {
                    ("comment", comment.to_string().trim()).into_pyobject(py)?
                }
                Event::BeginVariation => ("begin", "").into_pyobject(py)?,
                Event::EndVariation => ("end", "").into_pyobject(py)?,
                Event::Word(word) => ("word", word).into_pyobject(py)?,
                _ => continue,
            };
            list.append(item)?;
        }
        Ok(list)
    }

    /// The game as PGN.
    fn to_pgn(&self) -> PyResult<String> {
        write_game(&self.game).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// A game from its tags, its start and its [`events`](Self::events).
    #[staticmethod]
    fn build(
        headers: Vec<(String, String)>,
        board: Board,
        events: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let mut builder = GameBuilder::new(board.history.start().clone());
        let failed = |error: BuildError| match error {
            BuildError::IllegalMove(..) => IllegalMoveError::new_err(error.to_string()),
            _ => PyValueError::new_err(error.to_string()),
        };
        let mut result = None;
        for (name, value) in &headers {
            if name == "Result" {
                result = value.parse().ok();
            }
            builder.tag(name, value).map_err(failed)?;
        }
        builder.end_tags();
        for event in events.try_iter()? {
            let event = event?;
            let event = event.cast::<PyTuple>()?;
            let kind: String = event.get_item(0)?.extract()?;
            let value = event.get_item(1)?;
            match kind.as_str() {
                "move" => {
                    let mv: PyMove = value.extract()?;
                    let mv = mv.require(builder.position())?;
                    if mv.is_null() { builder.null_move("--") } else { builder.play(mv) }
                }
                "nag" => builder.nag(Nag::new(value.extract()?)),
                "comment" => {
                    let text: String = value.extract()?;
                    builder.styled_comment(CommentStyle::Braces, &text)
                }
                "begin" => builder.begin_variation(),
                "end" => builder.end_variation(),
                _ => builder.word(&value.extract::<String>()?),
            }
            .map_err(failed)?;
        }
        if let Some(result) = result {
            builder.result(result).map_err(failed)?;
        }
        Ok(Self::stored(builder.finish(), None))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("of_text")?, (self.to_pgn()?,)))
    }

    /// The first game of a text, or `None`.
    #[staticmethod]
    fn of_text(text: &str) -> Option<Self> {
        let mut game = Game::default();
        let reading = GameReader::new(text.as_bytes()).read(&mut game).ok()??;
        Some(Self::new(game, &reading))
    }
}

/// The value of a command such as `%clk` in a comment: seconds for `clk` and `emt`; for `eval` centipawns, moves to
/// mate, and depth.
#[pyfunction]
pub(crate) fn comment_values(comment: &str) -> CommentValues {
    let mut builder = GameBuilder::new(halfmove_rules::Chess::default());
    builder.end_tags();
    let mut values = CommentValues::default();
    if builder.comment(comment).is_err() {
        return values;
    }
    let game = builder.finish();
    for comment in game.annotations.comments() {
        values.0 = comment.clock().map(Clock::seconds);
        values.1 = comment.elapsed().map(Clock::seconds);
        values.2 = comment.evaluation().map(parts_of);
    }
    values
}

/// Clock, elapsed time and evaluation.
type CommentValues = (Option<f64>, Option<f64>, Option<(Option<i32>, Option<i32>, Option<u32>)>);

/// Centipawns, moves to mate and depth.
fn parts_of(evaluation: Evaluation) -> (Option<i32>, Option<i32>, Option<u32>) {
    match evaluation.score() {
        Score::Centipawns(score) => (Some(score), None, evaluation.depth()),
        Score::Mate(moves) => (None, Some(moves), evaluation.depth()),
    }
}
