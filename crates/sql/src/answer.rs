//! The result of a query.

mod arrow;
mod parquet;

pub use self::arrow::ArrowEncoder;

use std::pin::Pin;
use std::task::{Context, Poll};

use datafusion::arrow::array::{Array, ArrayRef, RecordBatch};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json::WriterBuilder;
use datafusion::arrow::json::writer::LineDelimited;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::execution::SendableRecordBatchStream;
use futures::{Stream, StreamExt};

use crate::error::{SqlError, of_engine};
use crate::options::SqlOptions;

/// The result of a query: a stream of its rows, batch after batch. A batch may be empty.
///
/// It fails with [`SqlError::Execution`] if the query fails on a value, for instance because of a division by zero;
/// with [`SqlError::Function`] if a function is called with an invalid FEN or the like; with [`SqlError::Memory`] and
/// [`SqlError::Time`] if the query exceeds its limits. To cancel a query, drop this value.
pub struct QueryResult {
    columns: Vec<ResultColumn>,
    stream: SendableRecordBatchStream,
    options: SqlOptions,
    /// The origin of the result, by keys.
    metadata: Vec<(String, String)>,
}

impl std::fmt::Debug for QueryResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QueryResult").field("columns", &self.columns).finish_non_exhaustive()
    }
}

/// A column of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResultColumn {
    /// Its name.
    pub name: String,
    /// True if it contains numbers.
    pub numeric: bool,
}

/// Some rows of a result.
#[derive(Debug, Clone)]
pub struct ResultBatch {
    batch: RecordBatch,
}

impl QueryResult {
    pub(crate) fn new(
        stream: SendableRecordBatchStream,
        options: &SqlOptions,
        metadata: Vec<(String, String)>,
    ) -> Self {
        let schema = stream.schema();
        let columns = schema.fields().iter().map(|field| ResultColumn {
            name: field.name().clone(),
            numeric: field.data_type().is_numeric(),
        });
        Self { columns: columns.collect(), stream, options: options.clone(), metadata }
    }

    /// The origin of the result, which Parquet and Arrow files store in their metadata: `halfmove.archive`, the name of
    /// the archive's folder, `halfmove.archive_version`, `halfmove.query` and `halfmove.program`.
    pub fn metadata(&self) -> &[(String, String)] {
        &self.metadata
    }

    /// Sets an entry of the [metadata](Self::metadata).
    #[must_use]
    pub fn with_metadata(mut self, key: &str, value: impl Into<String>) -> Self {
        self.metadata.retain(|(known, _)| known != key);
        self.metadata.push((key.to_owned(), value.into()));
        self
    }

    /// The columns.
    pub fn columns(&self) -> &[ResultColumn] {
        &self.columns
    }

    /// The Arrow schema.
    pub fn schema(&self) -> SchemaRef {
        self.stream.schema()
    }
}

impl Stream for QueryResult {
    type Item = Result<ResultBatch, SqlError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.stream.poll_next_unpin(context).map(|batch| {
            let batch = batch?.map(|batch| ResultBatch { batch });
            Some(batch.map_err(|error| of_engine(&error, &self.options)))
        })
    }
}

impl ResultBatch {
    /// The rows as an Arrow record batch.
    pub fn record_batch(&self) -> &RecordBatch {
        &self.batch
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.batch.num_rows()
    }

    /// Some of the rows, without copying them: at most `length` rows from `offset` on.
    pub fn slice(&self, offset: usize, length: usize) -> Self {
        let offset = offset.min(self.rows());
        Self { batch: self.batch.slice(offset, length.min(self.rows() - offset)) }
    }

    /// The rows as text, `None` for null.
    ///
    /// # Errors
    ///
    /// [`SqlError::Execution`] if a value has no text form.
    pub fn cells(&self) -> Result<Vec<Vec<Option<String>>>, SqlError> {
        let options = FormatOptions::default();
        let columns = self.batch.columns().iter();
        let formatters: Vec<_> = columns
            .map(|column| ArrayFormatter::try_new(column, &options))
            .collect::<Result<_, _>>()
            .map_err(unwritable)?;
        let cell = |row: usize, (column, formatter): (&ArrayRef, &ArrayFormatter<'_>)| {
            let text = column.is_valid(row).then(|| formatter.value(row).try_to_string());
            text.transpose().map_err(unwritable)
        };
        let row = |row| {
            self.batch.columns().iter().zip(&formatters).map(|column| cell(row, column)).collect()
        };
        (0..self.rows()).map(row).collect()
    }

    /// The rows as JSON, one object per line; nulls are included, bytes are written in hexadecimal.
    ///
    /// # Errors
    ///
    /// [`SqlError::Execution`] if a value has no JSON form.
    pub fn json_lines(&self) -> Result<String, SqlError> {
        let mut writer =
            WriterBuilder::new().with_explicit_nulls(true).build::<_, LineDelimited>(Vec::new());
        writer.write(&self.batch).and_then(|()| writer.finish()).map_err(unwritable)?;
        String::from_utf8(writer.into_inner())
            .map_err(|error| SqlError::Execution(error.to_string()))
    }
}

/// The error for a value that has no text form.
fn unwritable(error: ArrowError) -> SqlError {
    SqlError::Execution(error.to_string())
}
