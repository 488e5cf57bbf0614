//! Writing row groups to Parquet files.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{ArrayRef, BooleanArray, Int64Array, RecordBatch};
use arrow_select::filter::filter_record_batch;
use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use halfmove_game::replay::SignatureBounds;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::writer::SerializedFileWriter;
use roaring::RoaringTreemap;
use uuid::Uuid;

use super::encode::{Encoded, Encoders, RowGroup, properties};
use crate::columns::Rows;
use crate::error::ArchiveError;
use crate::snapshot::schema::{
    BOUNDS_PROPERTY, ORDER_BY_ID, PAGES_PROPERTY, bounds_text, file_schema,
};
use crate::snapshot::{
    DataFile, FileReader, FileStatistics, NewFile, Summed, Sums, Unfinished, data_file_name,
    sum_from,
};
use crate::variants::VariantCounts;

/// A complete file on disk. It is deleted on drop, unless it is kept.
#[derive(Debug)]
pub(super) struct Written {
    file: Unfinished,
    statistics: FileStatistics,
    pub(super) bytes: u64,
    sums: Sums,
}

impl Written {
    /// Renames the file to its final name.
    pub(super) fn rename(&mut self, folder: &Path) -> Result<(), ArchiveError> {
        self.file.rename(folder.join(data_file_name(Uuid::new_v4())))
    }

    /// Sets the flag to keep the file on drop.
    pub(super) fn keep(&mut self, keep: bool) {
        self.file.keep = keep;
    }

    /// The file as one of a snapshot, with ids from `first_id`.
    pub(super) fn to_data_file(&self, first_id: i64) -> DataFile {
        let games = self.statistics.rows().unsigned_abs();
        DataFile {
            name: self.file.path().to_string_lossy().into(),
            path: self.file.path().into(),
            bytes: self.bytes,
            games,
            deleted: None,
            vector: None,
            first_id,
            last_id: first_id + (games as i64 - 1),
            sums: Some(self.sums),
        }
    }

    pub(super) fn to_new_file(&self) -> NewFile {
        let path = self.file.path().to_owned();
        let statistics = self.statistics.clone();
        NewFile { path, bytes: self.bytes, statistics, sums: self.sums }
    }
}

/// Writes one file after the other.
#[derive(Debug)]
pub(super) struct DataFiles {
    folder: PathBuf,
    open: Option<OpenFile>,
    finished: Vec<Written>,
}

pub(super) struct OpenFile {
    writer: SerializedFileWriter<Summed>,
    file: Unfinished,
    /// CRC-32 of each page so far.
    pages: Vec<u8>,
    /// The bounds of the signatures of each row group so far.
    bounds: Vec<SignatureBounds>,
    statistics: FileStatistics,
}

impl std::fmt::Debug for OpenFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenFile").field("file", &self.file).finish_non_exhaustive()
    }
}

impl DataFiles {
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), open: None, finished: Vec::new() }
    }

    pub(super) fn write(&mut self, group: Encoded) -> Result<(), ArchiveError> {
        let ends_file = group.ends_file;
        let open = match &mut self.open {
            Some(open) => open,
            None => self.open.insert(OpenFile::new(&self.folder, ORDER_BY_ID)?),
        };
        open.write(group)?;
        if ends_file { self.close() } else { Ok(()) }
    }

    /// Finishes the last file and returns all of them.
    pub(super) fn finish(&mut self) -> Result<Vec<Written>, ArchiveError> {
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
    /// `order` is the order of the games.
    pub(super) fn new(folder: &Path, order: &str) -> Result<Self, ArchiveError> {
        let file = Unfinished::create(folder)?;
        let handle = Summed::new(file.handle()?);
        let failed = |error| write_error(file.path(), error);
        let writer = ArrowWriter::try_new(handle, file_schema(), Some(properties(order)));
        let (writer, _) = writer.and_then(ArrowWriter::into_serialized_writer).map_err(failed)?;
        let statistics = FileStatistics::default();
        Ok(Self { writer, file, pages: Vec::new(), bounds: Vec::new(), statistics })
    }

    pub(super) fn write(&mut self, group: Encoded) -> Result<(), ArchiveError> {
        let failed = |error| write_error(self.file.path(), error);
        let mut writer = self.writer.next_row_group().map_err(failed)?;
        for column in group.columns {
            writer.append_column(&column.bytes, column.close).map_err(failed)?;
            self.pages.extend(column.sums.iter().flat_map(|sum| sum.to_le_bytes()));
        }
        writer.close().map_err(failed)?;
        self.bounds.push(group.bounds);
        for batch in &group.statistics {
            self.statistics.merge(batch)?;
        }
        Ok(())
    }

    /// Writes the footer and waits until the file is on disk.
    pub(super) fn finish(self) -> Result<Written, ArchiveError> {
        let Self { mut writer, file, pages, bounds, statistics } = self;
        let pages = BASE64_STANDARD_NO_PAD.encode(pages);
        writer.append_key_value_metadata(KeyValue::new(PAGES_PROPERTY.to_owned(), pages));
        let bounds = KeyValue::new(BOUNDS_PROPERTY.to_owned(), bounds_text(&bounds));
        writer.append_key_value_metadata(bounds);
        let footer_start = writer.bytes_written() as u64;
        let handle = writer.into_inner().map_err(|error| write_error(file.path(), error))?;
        let (handle, sum) = handle.finish();
        let failed = |error| ArchiveError::io(file.path(), error);
        handle.sync_all().map_err(failed)?;
        let bytes = handle.metadata().map_err(failed)?.len();
        let footer = sum_from(&FileReader::from(handle), footer_start).map_err(failed)?;
        let sums = Sums { file: sum, footer, footer_bytes: bytes - footer_start };
        if statistics.rows() == 0 {
            return Err(ArchiveError::damaged("a file without games was written"));
        }
        Ok(Written { file, statistics, bytes, sums })
    }
}

/// The error of the operating system, if there is one, such as a full disk.
fn write_error(path: &Path, error: ParquetError) -> ArchiveError {
    let error = match error {
        ParquetError::External(error) => match error.downcast::<std::io::Error>() {
            Ok(error) => *error,
            Err(error) => std::io::Error::other(error),
        },
        error => std::io::Error::other(error),
    };
    ArchiveError::io(path, error)
}

/// The number of bytes from which a batch counts as one with very long texts.
const LONG: usize = 16 * 1024 * 1024;

/// Rewrites a file with all ids increased by a number.
pub(super) fn shift_ids(file: &Written, folder: &Path, by: i64) -> Result<Written, ArchiveError> {
    let shifted = rewrite(&file.file.handle()?, folder, ORDER_BY_ID, |batch| {
        let mut columns: Vec<ArrayRef> = batch.columns().to_vec();
        let ids = columns
            .first_mut()
            .ok_or_else(|| ArchiveError::damaged("a file without columns was written"))?;
        let numbers = ids.as_primitive_opt::<Int64Type>();
        let numbers =
            numbers.ok_or_else(|| ArchiveError::damaged("the column id does not hold numbers"))?;
        *ids = Arc::new(numbers.unary::<_, Int64Type>(|id| id + by));
        Ok(columns)
    })?;
    shifted.ok_or_else(|| ArchiveError::damaged("a file without games was written"))
}

/// The games that [`without`] has removed.
#[derive(Debug, Default)]
pub(super) struct Removed {
    pub(super) plies: u64,
    pub(super) variants: VariantCounts,
    /// The number of those with a fault.
    pub(super) faulty: u64,
}

/// Rewrites files without the games of some ids; the remaining games get consecutive ids from `first_id`.
pub(super) fn without(
    files: &[Written],
    folder: &Path,
    gone: &RoaringTreemap,
    mut first_id: i64,
) -> Result<(Vec<Written>, Removed), ArchiveError> {
    let (mut kept, mut removed) = (Vec::new(), Removed::default());
    for file in files {
        let written = rewrite(&file.file.handle()?, folder, ORDER_BY_ID, |batch| {
            let rows = Rows::of(batch);
            let mut stays = Vec::with_capacity(batch.num_rows());
            for row in 0..batch.num_rows() {
                let is_gone = u64::try_from(rows.id(row)?).is_ok_and(|id| gone.contains(id));
                if is_gone {
                    let plies = rows.int("plies", row)?.unwrap_or_default();
                    removed.plies += u64::from(plies.unsigned_abs());
                    removed.variants.count(rows.row(row)?.variant, 1);
                    removed.faulty += u64::from(rows.text("fault", row)?.is_some());
                }
                stays.push(!is_gone);
            }
            let batch = filter_record_batch(batch, &BooleanArray::from(stays))?;
            let count = batch.num_rows() as i64;
            let ids = Int64Array::from_iter_values((0..count).map(|row| first_id + row));
            let ids: ArrayRef = Arc::new(ids);
            first_id = first_id.saturating_add(count);
            let others = batch.columns().iter().skip(1).map(Arc::clone);
            Ok(std::iter::once(ids).chain(others).collect())
        });
        kept.extend(written?);
    }
    Ok((kept, removed))
}

/// Rewrites a file, row group by row group, with the columns that `change` returns. `order` is the order of its games.
/// `None` if no game is left.
pub(super) fn rewrite(
    file: &File,
    folder: &Path,
    order: &str,
    mut change: impl FnMut(&RecordBatch) -> Result<Vec<ArrayRef>, ArchiveError>,
) -> Result<Option<Written>, ArchiveError> {
    let open = || {
        // Other writers may have stored texts and bytes as other Arrow types.
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        ParquetRecordBatchReaderBuilder::try_new_with_options(file.try_clone()?, options)
    };
    let groups = open()?.metadata().num_row_groups();
    let groups = (0..groups).map(|group| {
        let reader = open()?.with_row_groups(vec![group]).build()?;
        let batches = reader.map(|batch| {
            Ok::<_, ArchiveError>(RecordBatch::try_new(file_schema(), change(&batch?)?)?)
        });
        batches.collect()
    });
    write_file(folder, order, groups)
}

/// Writes a file of row groups; empty ones are left out. `None` if there is no game.
pub(super) fn write_file(
    folder: &Path,
    order: &str,
    groups: impl Iterator<Item = Result<Vec<RecordBatch>, ArchiveError>>,
) -> Result<Option<Written>, ArchiveError> {
    let encoders = Encoders::new(order)?;
    let mut file: Option<OpenFile> = None;
    for batches in groups {
        let batches = batches?;
        if batches.iter().any(|batch| batch.num_rows() > 0) {
            let encoders = encoders.clone();
            let is_long = batches.iter().any(|batch| batch.get_array_memory_size() > LONG);
            let open = match &mut file {
                Some(open) => open,
                none => none.insert(OpenFile::new(folder, order)?),
            };
            open.write(RowGroup { encoders, batches, ends_file: false, is_long }.encode()?)?;
        }
    }
    file.map(OpenFile::finish).transpose()
}
