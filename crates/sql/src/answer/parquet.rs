//! The result of a query as a Parquet file.

use std::io::Write;

use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::arrow::arrow_writer::ArrowWriterOptions;
use datafusion::parquet::basic::{Compression, ZstdLevel};
use datafusion::parquet::file::metadata::KeyValue;
use datafusion::parquet::file::properties::WriterProperties;
use futures::TryStreamExt;

use super::QueryResult;
use crate::error::{SqlError, of_output};

impl QueryResult {
    /// Writes all rows as a Parquet file, compressed with zstd, and returns their number. The columns have Parquet's
    /// own types, which every reader supports.
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
    /// assert_eq!(answer.write_parquet(&mut file).await?, 2);
    /// assert!(file.starts_with(b"PAR1"));
    /// # Ok(()) })
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the query; [`SqlError::Output`] if the file cannot be written; [`SqlError::Execution`] if Parquet cannot
    /// hold a column.
    pub async fn write_parquet(mut self, out: impl Write + Send) -> Result<u64, SqlError> {
        let metadata = self.metadata.iter();
        let metadata = metadata.map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_key_value_metadata(Some(metadata.collect()))
            .build();
        // The Arrow schema, which the writer would store as well, is of no use to other programs.
        let options =
            ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
        let writer = ArrowWriter::try_new_with_options(out, self.schema(), options);
        let mut writer = writer.map_err(|error| of_output(&error))?;
        let mut rows = 0;
        while let Some(batch) = self.try_next().await? {
            let batch = batch.record_batch();
            rows += batch.num_rows() as u64;
            writer.write(batch).map_err(|error| of_output(&error))?;
        }
        writer.close().map_err(|error| of_output(&error))?;
        Ok(rows)
    }
}
