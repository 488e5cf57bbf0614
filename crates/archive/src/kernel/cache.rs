//! Columns of row groups in memory.

use std::fs::File;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use datafusion::arrow::array::{Array, ArrayRef, BinaryArray, Int64Array, RecordBatch};
use datafusion::parquet::arrow::ProjectionMask;
use datafusion::parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelection,
};
use datafusion::parquet::errors::ParquetError;
use datafusion::parquet::file::metadata::PageIndexPolicy;
use halfmove_game::replay::Signatures;
use quick_cache::Weighter;
use quick_cache::sync::Cache as Shared;

use crate::error::ArchiveError;
use crate::schema;

/// How many footers are kept.
const FOOTERS: usize = 4_096;

/// The columns that searches read, as they were read before, bounded by their bytes. Those that are used least go
/// first. Threads and clones of an archive share it.
pub(crate) struct Cache {
    columns: Shared<Key, Column, Bytes>,
    footers: Shared<Arc<Path>, Arc<Footer>>,
}

impl std::fmt::Debug for Cache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cache").field("bytes", &self.columns.weight()).finish_non_exhaustive()
    }
}

/// What a column is of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) path: Arc<Path>,
    pub(super) group: usize,
    pub(super) kind: Kind,
}

/// Which column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Signatures,
    Moves,
    Ids,
    Results,
}

/// A column of a row group.
#[derive(Debug, Clone)]
pub(super) enum Column {
    Signatures(Arc<Signatures>),
    Moves(BinaryArray),
    Ids(Int64Array),
    /// Numbers of [`Results`](crate::Results) in their order.
    Results(Arc<[u8]>),
}

#[derive(Debug, Clone)]
struct Bytes;

impl Weighter<Key, Column> for Bytes {
    fn weight(&self, _: &Key, column: &Column) -> u64 {
        let bytes = match column {
            Column::Signatures(signatures) => signatures.bytes(),
            Column::Moves(moves) => moves.get_buffer_memory_size(),
            Column::Ids(ids) => ids.get_buffer_memory_size(),
            Column::Results(results) => results.len(),
        };
        bytes as u64
    }
}

/// What is known of a file.
#[derive(Debug)]
pub(crate) struct Footer {
    metadata: ArrowReaderMetadata,
    /// The same with the places of pages, which only single rows need.
    pages: OnceLock<ArrowReaderMetadata>,
    /// Whether it has signatures of our version.
    pub(super) is_signed: bool,
    /// Whether its ids rise one by one.
    pub(super) is_in_order: bool,
}

impl Cache {
    /// A cache of so many bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        // An entry is about half a megabyte.
        let entries = usize::try_from(bytes >> 18).unwrap_or(usize::MAX).clamp(64, 1 << 20);
        Self {
            columns: Shared::with_weighter(entries, bytes, Bytes),
            footers: Shared::new(FOOTERS),
        }
    }

    /// The footer of a file.
    pub(super) fn footer(&self, path: &Arc<Path>) -> Result<Arc<Footer>, ArchiveError> {
        self.footers.get_or_insert_with(path, || Footer::read(path).map(Arc::new))
    }

    /// A column, which is loaded if it is not there.
    pub(super) fn column(
        &self,
        key: &Key,
        load: impl FnOnce() -> Result<Column, ArchiveError>,
    ) -> Result<Column, ArchiveError> {
        self.columns.get_or_insert_with(key, load)
    }
}

impl Footer {
    fn read(path: &Path) -> Result<Self, ArchiveError> {
        let file = open(path)?;
        let metadata = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new())
            .map_err(|error| damaged(path, &error))?;
        let properties = metadata.metadata().file_metadata().key_value_metadata();
        let property = |name: &str| {
            let property = properties?.iter().find(|property| property.key == name)?;
            property.value.as_deref()
        };
        schema::check_file(path, property)?;
        let version = schema::signature_version();
        let is_signed = property(&version.0) == Some(version.1.as_str())
            && metadata.schema().column_with_name("signature").is_some();
        let is_in_order = property(schema::ORDER_PROPERTY) == Some(schema::ORDER_BY_ID);
        Ok(Self { metadata, pages: OnceLock::new(), is_signed, is_in_order })
    }

    /// How many rows each row group has.
    pub(super) fn groups(&self) -> impl Iterator<Item = usize> + '_ {
        let groups = self.metadata.metadata().row_groups().iter();
        groups.map(|group| usize::try_from(group.num_rows()).unwrap_or(0))
    }

    /// Reads some rows of a row group, which rise.
    pub(super) fn select(
        &self,
        path: &Path,
        group: usize,
        rows: &[u32],
        columns: &[&str],
    ) -> Result<Vec<RecordBatch>, ArchiveError> {
        let broken = |error: ParquetError| damaged(path, &error);
        let file = open(path)?;
        let metadata = match self.pages.get() {
            Some(metadata) => metadata,
            None => {
                let options =
                    ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Optional);
                let loaded = ArrowReaderMetadata::load(&file, options).map_err(broken)?;
                self.pages.get_or_init(|| loaded)
            }
        };
        let schema = metadata.metadata().file_metadata().schema_descr();
        let mask = ProjectionMask::columns(schema, columns.iter().copied());
        let ranges = rows.iter().map(|row| *row as usize..*row as usize + 1);
        let all = self.groups().nth(group).unwrap_or(0);
        let selection = RowSelection::from_consecutive_ranges(ranges, all);
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata.clone())
            .with_projection(mask)
            .with_row_groups(vec![group])
            .with_row_selection(selection)
            .build()
            .map_err(broken)?;
        reader.map(|batch| batch.map_err(|error| damaged(path, &error))).collect()
    }

    /// Reads one column of a row group.
    pub(super) fn read_column(
        &self,
        path: &Path,
        group: usize,
        column: &str,
    ) -> Result<ArrayRef, ArchiveError> {
        let broken = |error: ParquetError| damaged(path, &error);
        let schema = self.metadata.metadata().file_metadata().schema_descr();
        let rows = self.groups().nth(group).unwrap_or(0);
        let reader =
            ParquetRecordBatchReaderBuilder::new_with_metadata(open(path)?, self.metadata.clone())
                .with_projection(ProjectionMask::columns(schema, [column]))
                .with_row_groups(vec![group])
                .with_batch_size(rows.max(1))
                .build()
                .map_err(broken)?;
        let mut arrays = Vec::new();
        for batch in reader {
            let batch = batch.map_err(|error| damaged(path, &error))?;
            arrays.extend(batch.columns().first().cloned());
        }
        let parts: Vec<&dyn Array> = arrays.iter().map(AsRef::as_ref).collect();
        let array = match arrays.as_slice() {
            [array] => Arc::clone(array),
            _ => {
                datafusion::arrow::compute::concat(&parts).map_err(|error| damaged(path, &error))?
            }
        };
        if array.len() != rows {
            return Err(damaged(
                path,
                &format!("column {column} has {} rows, expected {rows}", array.len()),
            ));
        }
        Ok(array)
    }
}

fn open(path: &Path) -> Result<File, ArchiveError> {
    File::open(path).map_err(|error| ArchiveError::io(path, error))
}

/// Something in a file is not as it was written.
pub(super) fn damaged(path: &Path, why: &dyn std::fmt::Display) -> ArchiveError {
    ArchiveError::Damaged(format!("{}: {why}", path.display()))
}
