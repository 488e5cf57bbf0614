//! SQL queries over the table `games`.

mod clauses;
mod functions;
mod headings;
mod parquet;
mod statements;
mod tags;

use std::pin::Pin;
use std::task::{Context, Poll};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::json::WriterBuilder;
use datafusion::arrow::json::writer::LineDelimited;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::execution::SendableRecordBatchStream;
use futures::future::BoxFuture;
use futures::{FutureExt, Stream, StreamExt};

pub(crate) use self::clauses::check_clauses;
pub(crate) use self::headings::name_columns;
pub use self::statements::{Statements, statements};
pub(crate) use self::tags::add_tag_columns;
use crate::error::ArchiveError;
use crate::store::Archive;

/// The answer to a query: a stream of its rows, batch after batch. A batch may be empty.
///
/// It gives [`ArchiveError::Query`] if the query fails during execution, for instance because of a division by zero;
/// [`ArchiveError::Fen`] if it asks for a position with an invalid FEN; [`ArchiveError::Limit`] if it needs more memory than it
/// may use.
pub struct Answer {
    columns: Vec<AnswerColumn>,
    stream: SendableRecordBatchStream,
}

impl std::fmt::Debug for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Answer").field("columns", &self.columns).finish_non_exhaustive()
    }
}

/// A column of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnswerColumn {
    /// Its name.
    pub name: String,
    /// Whether it holds numbers.
    pub numeric: bool,
}

/// Some rows of an answer.
#[derive(Debug, Clone)]
pub struct AnswerBatch {
    batch: RecordBatch,
}

impl Archive {
    /// Runs an SQL query. The table is `games`; see [`COLUMNS`](crate::schema::COLUMNS) for what it holds. Functions over
    /// `moves`, in which a FEN is one of chess unless a variant after it names another game:
    ///
    /// | function | answer |
    /// |---|---|
    /// | `plies(moves)` | number of half-moves |
    /// | `reaches(moves, fen [, variant])` | whether the position of the FEN arises |
    /// | `ply_of(moves, fen [, variant])` | after how many half-moves it first arises, or null |
    /// | `shows(moves, conditions)` | whether the board meets the conditions in some position: `material:KRPvKR for:10` |
    /// | `ply_when(moves, conditions)` | after how many half-moves it first does, or null |
    /// | `fen_at(moves, ply)` | FEN after that many half-moves, or null beyond the end |
    /// | `final_fen(moves)` | FEN at the end |
    /// | `san(moves [, n])`, `uci(moves [, n])` | the moves, or the first n half-moves, as text, `1. e4 e5 2. Nf3` |
    /// | `move_at(moves, n)` | the n-th half-move in SAN, from the end if n is negative |
    /// | `positions(moves)` | each half-move with the position after it, for `unnest` |
    /// | `moved(moves, piece [, side])` | how many half-moves were made with a kind of piece |
    /// | `captures(moves [, side])`, `checks(moves [, side])`, `promotions(moves [, side])` | how many there were |
    /// | `castled(moves, side)` | `O-O`, `O-O-O` or null |
    /// | `ended(moves)` | `checkmate`, `stalemate` and the like, or null |
    /// | `clock_at(clocks, n)` | the clock after the n-th half-move, in seconds |
    /// | `eval_at(evaluations, n)`, `mate_at(evaluations, n)` | the evaluation after the n-th half-move |
    /// | `tag(name)` | the text of a tag |
    /// | `octet_length(value)` | how many bytes a text or a value of bytes has |
    /// | `explore(moves, result, fen [, variant])` | aggregate: results and next moves of a position |
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use futures::TryStreamExt;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let archive = halfmove_archive::Archive::create(folder.path().join("games"))?;
    /// # tokio::runtime::Runtime::new()?.block_on(async {
    /// let mut answer = archive.sql("SELECT count(*) AS games FROM games").await?;
    /// assert_eq!(answer.columns()[0].name, "games");
    /// let batch = answer.try_next().await?.ok_or("no rows")?;
    /// assert_eq!(batch.cells()?, [[Some("0".to_owned())]]);
    /// # Ok(()) })
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Query`] if it is not valid SQL, names something that does not exist, would change something, has a clause
    /// that the engine would pass over, or makes the engine fail; [`ArchiveError::Limit`] if its text or its plan is larger than
    /// a query may be.
    pub fn sql<'a>(&'a self, query: &'a str) -> BoxFuture<'a, Result<Answer, ArchiveError>> {
        self.ask(query).boxed()
    }

    async fn ask(&self, query: &str) -> Result<Answer, ArchiveError> {
        let stream = self.answer(query).await?;
        let schema = stream.schema();
        let columns = schema.fields().iter().map(|field| AnswerColumn {
            name: field.name().clone(),
            numeric: field.data_type().is_numeric(),
        });
        Ok(Answer { columns: columns.collect(), stream })
    }
}

impl Answer {
    /// The columns.
    pub fn columns(&self) -> &[AnswerColumn] {
        &self.columns
    }

    /// The Arrow schema.
    pub fn schema(&self) -> SchemaRef {
        self.stream.schema()
    }
}

impl Stream for Answer {
    type Item = Result<AnswerBatch, ArchiveError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = self.stream.poll_next_unpin(context);
        next.map(|batch| Some(batch?.map(|batch| AnswerBatch { batch }).map_err(Into::into)))
    }
}

impl AnswerBatch {
    /// The rows as an Arrow record batch.
    pub fn record_batch(&self) -> &RecordBatch {
        &self.batch
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.batch.num_rows()
    }

    /// Some of the rows, without a copy of them: `length` rows from `offset` on, as far as there are any.
    pub fn slice(&self, offset: usize, length: usize) -> Self {
        let offset = offset.min(self.rows());
        Self { batch: self.batch.slice(offset, length.min(self.rows() - offset)) }
    }

    /// The rows as text, `None` for null.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Query`] if a value has no text form.
    pub fn cells(&self) -> Result<Vec<Vec<Option<String>>>, ArchiveError> {
        let options = FormatOptions::default();
        let columns = self.batch.columns().iter();
        let formatters: Vec<_> = columns
            .map(|column| ArrayFormatter::try_new(column, &options))
            .collect::<Result<_, _>>()?;
        let mut rows = Vec::with_capacity(self.batch.num_rows());
        for row in 0..self.batch.num_rows() {
            let mut cells = Vec::with_capacity(formatters.len());
            for (column, formatter) in self.batch.columns().iter().zip(&formatters) {
                let text = if column.is_null(row) {
                    None
                } else {
                    Some(formatter.value(row).try_to_string()?)
                };
                cells.push(text);
            }
            rows.push(cells);
        }
        Ok(rows)
    }

    /// The rows as JSON, one object per line; nulls are included, bytes are written in hexadecimal.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Query`] if a value has no JSON form.
    pub fn json_lines(&self) -> Result<String, ArchiveError> {
        let mut writer =
            WriterBuilder::new().with_explicit_nulls(true).build::<_, LineDelimited>(Vec::new());
        writer.write(&self.batch)?;
        writer.finish()?;
        String::from_utf8(writer.into_inner()).map_err(ArchiveError::damaged)
    }
}
