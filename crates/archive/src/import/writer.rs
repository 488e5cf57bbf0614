//! Columns become Parquet files.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StructArray};
use datafusion::arrow::compute::kernels::numeric::add;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use datafusion::parquet::basic::{Compression, Encoding, ZstdLevel};
use datafusion::parquet::file::properties::{EnabledStatistics, WriterProperties};
use datafusion::parquet::schema::types::ColumnPath;
use delta_kernel::expressions::ColumnName;
use delta_kernel_default_engine::stats::FileStatsAccumulator;
use uuid::Uuid;

use crate::error::ArchiveError;
use crate::schema::{LOG_STATISTICS, delta_schema, file_schema};
use crate::store::{NewFile, UNFINISHED_PREFIX};

/// Games in a row group: the unit in which queries run in parallel and headers are skipped.
const GAMES_PER_ROW_GROUP: usize = 16_384;

/// The most games in a page: the unit that is read when only a few games are needed.
const GAMES_PER_PAGE: usize = 4_096;

/// A file on the disk. It is deleted when this value is dropped, unless `keep` is set.
#[derive(Debug)]
pub(super) struct Written {
    path: PathBuf,
    statistics: StructArray,
    pub(super) bytes: u64,
    pub(super) keep: bool,
}

impl Drop for Written {
    fn drop(&mut self) {
        if !self.keep {
            // If this fails, only an unused file remains: nothing refers to it.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl Written {
    /// Gives the file the name under which the log will refer to it.
    pub(super) fn publish(&mut self, folder: &Path) -> Result<(), ArchiveError> {
        let path = folder.join(format!("games-{}.parquet", Uuid::new_v4()));
        std::fs::rename(&self.path, &path).map_err(|error| ArchiveError::io(&path, error))?;
        self.path = path;
        Ok(())
    }

    pub(super) fn to_new_file(&self) -> NewFile {
        NewFile { path: self.path.clone(), bytes: self.bytes, statistics: self.statistics.clone() }
    }
}

/// Writes one file after the other.
#[derive(Debug)]
pub(super) struct DataFiles {
    folder: PathBuf,
    games_per_file: u64,
    open: Option<OpenFile>,
    finished: Vec<Written>,
}

struct OpenFile {
    // If something fails, the fields are dropped in this order: the file is closed first, then deleted.
    writer: ArrowWriter<File>,
    guard: Unfinished,
    statistics: FileStatsAccumulator,
    games: u64,
}

impl std::fmt::Debug for OpenFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenFile")
            .field("path", &self.guard.0)
            .field("games", &self.games)
            .finish_non_exhaustive()
    }
}

/// The name of a file that is deleted unless it is finished.
#[derive(Debug)]
struct Unfinished(Option<PathBuf>);

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            let _ = std::fs::remove_file(path);
        }
    }
}

impl DataFiles {
    pub(super) fn new(folder: &Path, games_per_file: u64) -> Self {
        Self { folder: folder.to_owned(), games_per_file, open: None, finished: Vec::new() }
    }

    pub(super) fn write(&mut self, batch: &RecordBatch) -> Result<(), ArchiveError> {
        let games = batch.num_rows() as u64;
        if self.open.as_ref().is_some_and(|open| open.games + games > self.games_per_file) {
            self.close()?;
        }
        let open = match &mut self.open {
            Some(open) => open,
            None => self.open.insert(OpenFile::new(&self.folder)?),
        };
        open.writer.write(batch).map_err(|error| write_error(open, error))?;
        open.statistics.merge(batch)?;
        open.games += games;
        Ok(())
    }

    /// Finishes the last file and returns all of them.
    pub(super) fn finish(mut self) -> Result<Vec<Written>, ArchiveError> {
        self.close()?;
        Ok(std::mem::take(&mut self.finished))
    }

    fn close(&mut self) -> Result<(), ArchiveError> {
        if let Some(open) = self.open.take() {
            self.finished.push(open.finish()?);
        }
        Ok(())
    }
}

impl OpenFile {
    fn new(folder: &Path) -> Result<Self, ArchiveError> {
        let path = folder.join(format!("{UNFINISHED_PREFIX}{}.tmp", Uuid::new_v4()));
        let file = File::create_new(&path).map_err(|error| ArchiveError::io(&path, error))?;
        let guard = Unfinished(Some(path));
        let writer = ArrowWriter::try_new(file, file_schema(), Some(properties()))?;
        let columns: Vec<ColumnName> =
            LOG_STATISTICS.iter().map(|name| ColumnName::new([*name])).collect();
        let statistics = FileStatsAccumulator::new(&columns, &*delta_schema()?);
        Ok(Self { writer, guard, statistics, games: 0 })
    }

    /// Writes the footer and waits until the file is on the disk.
    fn finish(self) -> Result<Written, ArchiveError> {
        let Self { writer, mut guard, statistics, .. } = self;
        let path = guard.0.clone().unwrap_or_default();
        let failed = |error| ArchiveError::io(&path, error);
        let file = writer.into_inner().map_err(|error| failed(std::io::Error::other(error)))?;
        file.sync_all().map_err(failed)?;
        let bytes = file.metadata().map_err(failed)?.len();
        let statistics = statistics
            .finish()?
            .ok_or_else(|| ArchiveError::damaged("a file without a game was written"))?;
        guard.0 = None;
        Ok(Written { path, statistics, bytes, keep: false })
    }
}

fn write_error(open: &OpenFile, error: datafusion::parquet::errors::ParquetError) -> ArchiveError {
    ArchiveError::io(open.guard.0.as_deref().unwrap_or(Path::new("")), std::io::Error::other(error))
}

/// How the columns are encoded.
fn properties() -> WriterProperties {
    let column = |name: &str| ColumnPath::new(vec![name.to_owned()]);
    let mut properties = WriterProperties::builder()
        .set_created_by(crate::store::WRITER.to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3).unwrap_or_default()))
        .set_max_row_group_row_count(Some(GAMES_PER_ROW_GROUP))
        .set_data_page_row_count_limit(GAMES_PER_PAGE)
        .set_statistics_enabled(EnabledStatistics::Page)
        // Ids rise one by one: differences of one cost almost nothing; a dictionary would cost more than the ids.
        .set_column_dictionary_enabled(column("id"), false)
        .set_column_encoding(column("id"), Encoding::DELTA_BINARY_PACKED)
        // Few games are identical, so a dictionary gains nothing, and nobody asks for the smallest one.
        .set_column_dictionary_enabled(column("moves"), false)
        .set_column_encoding(column("moves"), Encoding::DELTA_LENGTH_BYTE_ARRAY)
        .set_column_statistics_enabled(column("moves"), EnabledStatistics::None);
    for name in ["fault", "tag_order"] {
        properties =
            properties.set_column_statistics_enabled(column(name), EnabledStatistics::None);
    }
    properties.build()
}

/// Rewrites a file with all ids raised by some number.
pub(super) fn shift_ids(file: &Written, folder: &Path, by: i64) -> Result<Written, ArchiveError> {
    let source = File::open(&file.path).map_err(|error| ArchiveError::io(&file.path, error))?;
    let reader =
        ParquetRecordBatchReaderBuilder::try_new(source)?.with_batch_size(8_192).build()?;
    let by = Int64Array::new_scalar(by);
    let mut open = OpenFile::new(folder)?;
    for batch in reader {
        let batch = batch?;
        let mut columns: Vec<ArrayRef> = batch.columns().to_vec();
        let ids = columns
            .first_mut()
            .ok_or_else(|| ArchiveError::damaged("a file without columns was written"))?;
        *ids = add(&Arc::clone(ids), &by)?;
        let batch = RecordBatch::try_new(file_schema(), columns)?;
        open.writer.write(&batch).map_err(|error| write_error(&open, error))?;
        open.statistics.merge(&batch)?;
        open.games += batch.num_rows() as u64;
    }
    open.finish()
}
