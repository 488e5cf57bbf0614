//! The result of a query as Arrow IPC.

use std::io::Write;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::ipc::writer::{FileWriter, StreamWriter};
use futures::TryStreamExt;

use super::{QueryResult, ResultBatch};
use crate::error::{SqlError, of_arrow_output};

/// A writer of Arrow IPC.
enum Writer<W: Write> {
    File(FileWriter<W>),
    Stream(StreamWriter<W>),
}

impl<W: Write> Writer<W> {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        match self {
            Self::File(writer) => writer.write(batch),
            Self::Stream(writer) => writer.write(batch),
        }
    }

    fn finish(&mut self) -> Result<(), ArrowError> {
        match self {
            Self::File(writer) => writer.finish(),
            Self::Stream(writer) => writer.finish(),
        }
    }
}

impl QueryResult {
    /// Writes all rows as a file of Arrow IPC (Feather, version 2), and returns their number. Views become texts and
    /// bytes, which every reader supports.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use halfmove_sql::{Sql, SqlOptions};
    /// # let folder = tempfile::tempdir()?;
    /// # let archive = halfmove_archive::Archive::create(folder.path().join("games"))?;
    /// # tokio::runtime::Runtime::new()?.block_on(async {
    /// let sql = Sql::new(&archive, &SqlOptions::default())?;
    /// let answer = sql.query("SELECT 1 AS one UNION ALL SELECT 2").await?;
    /// let mut file = Vec::new();
    /// assert_eq!(answer.write_arrow_file(&mut file).await?, 2);
    /// assert!(file.starts_with(b"ARROW1"));
    /// # Ok(()) })
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the query; [`SqlError::Output`] if the file cannot be written.
    pub async fn write_arrow_file(self, out: impl Write) -> Result<u64, SqlError> {
        let schema = self.schema_of_file();
        let writer = FileWriter::try_new(out, &schema).map_err(|error| of_arrow_output(&error))?;
        self.write_arrow(Writer::File(writer), schema).await
    }

    /// Writes all rows as a stream of Arrow IPC, which a reader can read while it is written, and returns their number.
    /// Views become texts and bytes, which every reader supports.
    ///
    /// # Errors
    ///
    /// Those of the query; [`SqlError::Output`] if the stream cannot be written.
    pub async fn write_arrow_stream(self, out: impl Write) -> Result<u64, SqlError> {
        let schema = self.schema_of_file();
        let writer =
            StreamWriter::try_new(out, &schema).map_err(|error| of_arrow_output(&error))?;
        self.write_arrow(Writer::Stream(writer), schema).await
    }

    async fn write_arrow<W: Write>(
        mut self,
        mut writer: Writer<W>,
        schema: SchemaRef,
    ) -> Result<u64, SqlError> {
        let mut rows = 0;
        while let Some(batch) = self.try_next().await? {
            rows += batch.rows() as u64;
            with_schema(&batch, &schema)
                .and_then(|batch| writer.write(&batch))
                .map_err(|error| of_arrow_output(&error))?;
        }
        writer.finish().map_err(|error| of_arrow_output(&error))?;
        Ok(rows)
    }
}

/// A batch with texts and bytes in place of views.
fn with_schema(batch: &ResultBatch, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let columns = batch.record_batch().columns().iter().zip(schema.fields());
    let columns = columns.map(|(column, field)| cast(column, field.data_type()));
    RecordBatch::try_new(Arc::clone(schema), columns.collect::<Result<Vec<_>, _>>()?)
}

/// An encoder of the rows of an answer as a stream of Arrow IPC, piece by piece, for a program that writes them as they come.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use futures::TryStreamExt;
/// use halfmove_sql::ArrowEncoder;
/// # use halfmove_sql::{Sql, SqlOptions};
/// # let folder = tempfile::tempdir()?;
/// # let archive = halfmove_archive::Archive::create(folder.path().join("games"))?;
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let sql = Sql::new(&archive, &SqlOptions::default())?;
/// let mut answer = sql.query("SELECT 1 AS one").await?;
/// let mut encoder = ArrowEncoder::new(&answer)?;
/// let mut bytes = Vec::new();
/// while let Some(batch) = answer.try_next().await? {
///     bytes.extend(encoder.encode(&batch)?);
/// }
/// bytes.extend(encoder.finish()?);
/// let again = sql.query("SELECT 1 AS one").await?;
/// let mut whole = Vec::new();
/// again.write_arrow_stream(&mut whole).await?;
/// assert_eq!(bytes, whole);
/// # Ok(()) })
/// # }
/// ```
pub struct ArrowEncoder {
    schema: SchemaRef,
    writer: StreamWriter<Vec<u8>>,
}

impl std::fmt::Debug for ArrowEncoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ArrowEncoder").field("schema", &self.schema).finish_non_exhaustive()
    }
}

impl ArrowEncoder {
    /// An encoder for the rows of an answer.
    ///
    /// # Errors
    ///
    /// [`SqlError::Output`] if Arrow IPC cannot hold a column.
    pub fn new(answer: &QueryResult) -> Result<Self, SqlError> {
        let schema = answer.schema_of_file();
        let writer =
            StreamWriter::try_new(Vec::new(), &schema).map_err(|error| of_arrow_output(&error))?;
        Ok(Self { schema, writer })
    }

    /// The bytes of the next rows; the first ones also hold the schema.
    ///
    /// # Errors
    ///
    /// [`SqlError::Output`] if the rows are not those of the answer.
    pub fn encode(&mut self, batch: &ResultBatch) -> Result<Vec<u8>, SqlError> {
        with_schema(batch, &self.schema)
            .and_then(|batch| self.writer.write(&batch))
            .map_err(|error| of_arrow_output(&error))?;
        Ok(std::mem::take(self.writer.get_mut()))
    }

    /// The bytes after the last rows.
    ///
    /// # Errors
    ///
    /// None that is known.
    pub fn finish(mut self) -> Result<Vec<u8>, SqlError> {
        self.writer.finish().map_err(|error| of_arrow_output(&error))?;
        Ok(std::mem::take(self.writer.get_mut()))
    }
}

impl QueryResult {
    /// The schema with texts and bytes in place of views, and with the origin of the answer.
    fn schema_of_file(&self) -> SchemaRef {
        let schema = self.schema();
        let fields = schema.fields().iter().map(|field| {
            let kind = match field.data_type() {
                DataType::Utf8View => DataType::Utf8,
                DataType::BinaryView => DataType::Binary,
                kind => kind.clone(),
            };
            Field::new(field.name(), kind, field.is_nullable())
        });
        let metadata = self.metadata.iter().cloned().collect();
        Arc::new(Schema::new_with_metadata(fields.collect::<Vec<Field>>(), metadata))
    }
}
