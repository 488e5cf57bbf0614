//! The table `halfmoves`: a row for each half-move of some games, each game decoded once.
//!
//! [`HALFMOVES`] is the one list of its columns. [`Halfmoves`] makes the rows of some of them from a batch of the table
//! `games`, without a query engine:
//!
//! ```
//! use std::sync::Arc;
//!
//! use arrow_array::cast::AsArray;
//! use arrow_array::{ArrayRef, BinaryArray, Int64Array, RecordBatch};
//! use halfmove_functions::halfmoves::Halfmoves;
//! use halfmove_game::codec::halfmove;
//! use halfmove_game::pgn::read_game;
//!
//! let mut moves = Vec::new();
//! halfmove::encode(&read_game("1. e4 e5 2. Nf3 *")?, &mut moves)?;
//!
//! let halfmoves = Halfmoves::of_names(["ply", "uci"])?;
//! assert_eq!(halfmoves.sources(), ["moves"]);
//! let moves: ArrayRef = Arc::new(BinaryArray::from_iter_values([moves]));
//! let games = RecordBatch::try_from_iter([("moves", moves)])?;
//! let batches: Vec<RecordBatch> = halfmoves.rows_of(games, 8192).collect::<Result<_, _>>()?;
//! let moves = batches[0].column(1).as_string_view();
//! assert_eq!(moves.iter().collect::<Vec<_>>(), [Some("e2e4"), Some("e7e5"), Some("g1f3")]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod columns;
mod game;
mod plies;

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use halfmove_game::codec::{DecodeError, halfmove, whole};

use self::columns::Cells;
pub use self::columns::{HALFMOVES, HalfmoveColumn, HalfmoveKind};
use self::game::Played;
pub use self::plies::{Plies, PliesError};
use crate::arguments::Bytes;
use crate::error::FunctionError;

/// Some columns of the table `halfmoves`, and the numbers of the half-moves.
///
/// The rows of a game follow each other in the order of their `ply`, those of the games in the order of the batch.
#[derive(Debug, Clone)]
pub struct Halfmoves {
    columns: Vec<&'static HalfmoveColumn>,
    schema: SchemaRef,
    plies: Plies,
}

impl Halfmoves {
    /// All half-moves with these columns.
    pub fn new(columns: impl IntoIterator<Item = &'static HalfmoveColumn>) -> Self {
        let columns: Vec<&'static HalfmoveColumn> = columns.into_iter().collect();
        let fields: Vec<Field> = columns.iter().map(|column| column.field()).collect();
        Self { columns, schema: Arc::new(Schema::new(fields)), plies: Plies::all() }
    }

    /// All half-moves with the columns of these names.
    ///
    /// ```
    /// use halfmove_functions::halfmoves::Halfmoves;
    ///
    /// assert!(Halfmoves::of_names(["ply", "clock"]).is_ok());
    /// let error = Halfmoves::of_names(["plie"]).unwrap_err().to_string();
    /// assert!(error.starts_with("there is no column plie in halfmoves, expected id, ply, "), "{error}");
    /// ```
    ///
    /// # Errors
    ///
    /// [`FunctionError::Column`] for a name that is not in [`HALFMOVES`].
    pub fn of_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, FunctionError> {
        let column = |name: &str| {
            let column = HALFMOVES.iter().find(|column| column.name == name);
            column.ok_or_else(|| {
                let expected: Vec<&str> = HALFMOVES.iter().map(|column| column.name).collect();
                FunctionError::Column { name: name.to_owned(), expected: expected.join(", ") }
            })
        };
        Ok(Self::new(names.into_iter().map(column).collect::<Result<Vec<_>, _>>()?))
    }

    /// Only these half-moves. Moves after the last of them are not decoded, and no columns are computed for those between them.
    #[must_use]
    pub fn with_plies(self, plies: Plies) -> Self {
        Self { plies, ..self }
    }

    /// The half-moves by their numbers.
    pub fn plies(&self) -> &Plies {
        &self.plies
    }

    /// The columns.
    pub fn columns(&self) -> &[&'static HalfmoveColumn] {
        &self.columns
    }

    /// The schema of the rows.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The columns of the table `games` from which the rows are made.
    ///
    /// ```
    /// use halfmove_functions::halfmoves::Halfmoves;
    ///
    /// let halfmoves = Halfmoves::of_names(["id", "time_used"])?;
    /// assert_eq!(halfmoves.sources(), ["id", "moves", "clocks", "increment_seconds"]);
    /// # Ok::<(), halfmove_functions::FunctionError>(())
    /// ```
    pub fn sources(&self) -> Vec<&'static str> {
        let is_needed = |source: &&str| {
            *source == "moves" || self.columns.iter().any(|column| column.sources.contains(source))
        };
        ["id", "moves", "clocks", "evaluations", "annotations", "increment_seconds"]
            .into_iter()
            .filter(is_needed)
            .collect()
    }

    /// The rows of some games, in batches that end with the first game after which they have `most` rows or more.
    /// `games` has the columns of [`sources`](Self::sources), by name.
    pub fn rows_of(&self, games: RecordBatch, most: usize) -> HalfmoveRows {
        HalfmoveRows { halfmoves: self.clone(), games, next: 0, most }
    }
}

/// Iterates over the rows of some games, in batches.
#[derive(Debug)]
pub struct HalfmoveRows {
    halfmoves: Halfmoves,
    games: RecordBatch,
    /// The next game.
    next: usize,
    most: usize,
}

impl HalfmoveRows {
    /// Skips the games that other rows of the same games have passed.
    pub fn skip_to(&mut self, other: &Self) {
        self.next = self.next.max(other.next);
    }

    /// The next batch; `None` at the end. Batches are never empty.
    fn read(&mut self) -> Result<Option<RecordBatch>, FunctionError> {
        if self.next >= self.games.num_rows() {
            return Ok(None);
        }
        let Halfmoves { columns, schema, plies } = &self.halfmoves;
        let sources = Sources::of(&self.games, columns)?;
        let mut cells: Vec<Cells> = columns.iter().map(|column| (column.cells)()).collect();
        let replays = cells.iter().any(Cells::is_of_position);
        let (mut rows, mut moves) = (0, Vec::new());
        while rows < self.most.max(1) && self.next < self.games.num_rows() {
            let row = self.next;
            self.next += 1;
            let Some(bytes) = sources.moves.at(row) else { continue };
            moves.clear();
            let last = plies.last().map_or(0, |last| usize::try_from(last).unwrap_or(usize::MAX));
            let start = halfmove::first_moves(bytes, last, &mut moves);
            let start = start.map_err(|why| damaged("moves", why))?;
            let mut game = Played::new(sources.id(row), start, &moves, plies);
            if game.rows == 0 {
                continue;
            }
            if let Some(clocks) = sources.clocks.as_ref().and_then(|clocks| clocks.at(row)) {
                let clocks = whole::clocks(clocks, halfmove::plies(bytes) as usize);
                game.clocks = clocks.map_err(|why| damaged("clocks", why))?;
                game.increment = sources.increment(row);
            }
            if let Some(values) = sources.evaluations.as_ref().and_then(|values| values.at(row)) {
                let values = whole::evaluations(values, halfmove::plies(bytes) as usize);
                game.evaluations = values.map_err(|why| damaged("evaluations", why))?;
            }
            if let Some(tokens) = sources.annotations.as_ref().and_then(|tokens| tokens.at(row)) {
                let nags = whole::nags(tokens, halfmove::plies(bytes));
                game.nags = nags.map_err(|why| damaged("annotations", why))?;
            }
            cells.iter_mut().for_each(|cells| cells.push_game(&game));
            if replays {
                game.replay(|position, mv| {
                    cells.iter_mut().for_each(|cells| cells.push_position(position, mv));
                });
            }
            rows += game.rows;
        }
        if rows == 0 {
            return Ok(None);
        }
        let arrays: Vec<ArrayRef> = cells.into_iter().map(Cells::finish).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(Some(RecordBatch::try_new_with_options(Arc::clone(schema), arrays, &options)?))
    }
}

impl Iterator for HalfmoveRows {
    type Item = Result<RecordBatch, FunctionError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.read().transpose();
        if let Some(Err(_)) = &next {
            self.next = self.games.num_rows();
        }
        next
    }
}

/// A value of a column of the table `games` that cannot be decoded.
fn damaged(column: &'static str, why: DecodeError) -> FunctionError {
    FunctionError::Damaged { column, why }
}

/// The columns of the games.
struct Sources<'a> {
    ids: Option<&'a [i64]>,
    moves: Bytes<'a>,
    clocks: Option<Bytes<'a>>,
    evaluations: Option<Bytes<'a>>,
    annotations: Option<Bytes<'a>>,
    increments: Option<&'a arrow_array::Float64Array>,
}

impl<'a> Sources<'a> {
    fn of(
        games: &'a RecordBatch,
        columns: &[&'static HalfmoveColumn],
    ) -> Result<Self, FunctionError> {
        let column = |name: &'static str| {
            let is_needed = columns.iter().any(|column| column.sources.contains(&name));
            let wrong = || FunctionError::Source {
                name,
                found: games.column_by_name(name).map(|column| column.data_type().clone()),
            };
            match games.column_by_name(name) {
                Some(column) if is_needed || name == "moves" => Ok(Some((column, wrong()))),
                None if is_needed || name == "moves" => Err(wrong()),
                _ => Ok(None),
            }
        };
        let bytes = |name: &'static str| -> Result<Option<Bytes<'a>>, FunctionError> {
            let Some((column, wrong)) = column(name)? else { return Ok(None) };
            Bytes::of(column.as_ref()).ok_or(wrong).map(Some)
        };
        let ids = match column("id")? {
            Some((ids, wrong)) => {
                Some(ids.as_primitive_opt::<Int64Type>().ok_or(wrong)?.values().as_ref())
            }
            None => None,
        };
        let increments = match column("increment_seconds")? {
            Some((increments, wrong)) => {
                Some(increments.as_primitive_opt::<Float64Type>().ok_or(wrong)?)
            }
            None => None,
        };
        let missing = FunctionError::Source { name: "moves", found: None::<DataType> };
        let moves = bytes("moves")?.ok_or(missing)?;
        let (clocks, evaluations) = (bytes("clocks")?, bytes("evaluations")?);
        let annotations = bytes("annotations")?;
        Ok(Self { ids, moves, clocks, evaluations, annotations, increments })
    }

    /// The id of a game; 0 if it is not needed.
    fn id(&self, row: usize) -> i64 {
        self.ids.and_then(|ids| ids.get(row)).copied().unwrap_or(0)
    }

    /// The time that each move adds, in seconds.
    fn increment(&self, row: usize) -> Option<f64> {
        let increments = self.increments?;
        increments.is_valid(row).then(|| increments.value(row))
    }
}
