//! The footer of a file, and reading columns with it.

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use arrow_select::concat::concat;
use halfmove_game::replay::SignatureBounds;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelection,
};
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData};

use super::pages::{CheckedFile, Failure, Pages};
use crate::error::{ArchiveError, of_file};
use crate::snapshot::{DataFile, FileReader, Location, mismatch, open_data, schema, sum_from};

/// The number of bytes fetched for the footer if its length is not in the log.
const FOOTER_BYTES: u64 = 1 << 16;

/// A reader of one file.
type Builder = ParquetRecordBatchReaderBuilder<CheckedFile>;

/// The footer of a file, and data computed from it.
#[derive(Debug)]
pub(crate) struct Footer {
    location: Location,
    /// The length of the file in bytes.
    bytes: u64,
    metadata: ArrowReaderMetadata,
    /// The same metadata, configured to read texts as dictionaries.
    dictionaries: OnceLock<ArrowReaderMetadata>,
    /// The checksums of its pages, if it has any.
    pages: Option<Arc<Pages>>,
    /// True if it has signatures of the current version.
    pub(super) is_signed: bool,
    /// The bounds of the signatures of each row group; empty if unknown.
    pub(super) bounds: Vec<SignatureBounds>,
    /// The order of the games in the file.
    pub(super) order: FileOrder,
    /// The derived columns that are missing or outdated.
    pub(super) stale: Vec<&'static str>,
}

/// The order of the games of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileOrder {
    /// Ascending ids; with gaps where games were removed.
    Ids,
    /// Ordered by their moves.
    Opening,
    /// Any other order.
    Any,
}

impl FileOrder {
    /// The name in the property of a file.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ids => schema::ORDER_BY_ID,
            Self::Opening => schema::ORDER_BY_OPENING,
            Self::Any => "any",
        }
    }
}

impl Footer {
    pub(super) fn read(location: &Location, file: &DataFile) -> Result<Self, ArchiveError> {
        let path = &file.path;
        let opened = file.open(location)?;
        file.check_size(&opened)?;
        let footer_bytes = file.sums.map_or(FOOTER_BYTES, |sums| sums.footer_bytes);
        let start = file.bytes.saturating_sub(footer_bytes);
        let fetched = opened.fetch(|| std::iter::once(start..file.bytes).collect());
        fetched.map_err(|error| of_file(path, &error))?;
        if let Some(sums) = &file.sums {
            let found = sum_from(&opened, start).map_err(|error| of_file(path, &error))?;
            if found != sums.footer {
                let why = format!("the footer: {}", mismatch(found, sums.footer));
                return Err(ArchiveError::in_file(path, why));
            }
        }
        // Other writers record different Arrow types for texts and bytes in the file; their Parquet types are the same.
        let options = ArrowReaderOptions::new()
            .with_offset_index_policy(PageIndexPolicy::Optional)
            .with_skip_arrow_metadata(true);
        let metadata =
            ArrowReaderMetadata::load(&opened, options).map_err(|error| of_file(path, &error))?;
        let properties = metadata.metadata().file_metadata().key_value_metadata();
        let property = |name: &str| {
            let property = properties?.iter().find(|property| property.key == name)?;
            property.value.as_deref()
        };
        schema::check_file(path, property)?;
        schema::check_file_columns(path, metadata.schema())?;
        let version = schema::signature_version();
        let is_signed = property(&version.0) == Some(version.1.as_str())
            && metadata.schema().column_with_name("signature").is_some();
        let order = match property(schema::ORDER_PROPERTY) {
            Some(schema::ORDER_BY_ID) => FileOrder::Ids,
            Some(schema::ORDER_BY_OPENING) => FileOrder::Opening,
            _ => FileOrder::Any,
        };
        let stale = schema::COLUMNS.iter().filter(|column| {
            let name = format!("{}{}", schema::DERIVED_PREFIX, column.name);
            let found = property(&name).and_then(|found| found.parse::<u32>().ok());
            let is_missing = metadata.schema().column_with_name(column.name).is_none();
            column.derived.is_some_and(|version| is_missing || found < Some(version))
        });
        let stale = stale.map(|column| column.name).collect();
        let groups = metadata.metadata().num_row_groups();
        let bounds = match property(schema::BOUNDS_PROPERTY) {
            Some(text) if is_signed => schema::bounds_from(text, groups).ok_or_else(|| {
                ArchiveError::in_file(path, "the bounds of its signatures are invalid")
            })?,
            _ => Vec::new(),
        };
        let pages = property(schema::PAGES_PROPERTY)
            .map(|sums| Pages::new(path, metadata.metadata(), sums).map(Arc::new))
            .transpose()?;
        let dictionaries = OnceLock::new();
        let (location, bytes) = (location.clone(), file.bytes);
        Ok(Self { location, bytes, metadata, dictionaries, pages, is_signed, bounds, order, stale })
    }

    /// Returns true if the games of the file are in the order of their ids.
    pub(crate) fn is_by_id(&self) -> bool {
        self.order == FileOrder::Ids
    }

    /// The checksums of the pages, if the file has any.
    pub(crate) fn pages(&self) -> Option<Arc<Pages>> {
        self.pages.clone()
    }

    /// The metadata for reading texts as dictionaries.
    fn dictionaries(&self, path: &Path) -> Result<&ArrowReaderMetadata, ArchiveError> {
        if let Some(known) = self.dictionaries.get() {
            return Ok(known);
        }
        let fields = self.metadata.schema().fields().iter().map(|field| match field.data_type() {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
                let kind = DataType::Dictionary(DataType::Int32.into(), DataType::Utf8.into());
                Arc::new(Field::clone(field).with_data_type(kind))
            }
            _ => Arc::clone(field),
        });
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let options = ArrowReaderOptions::new().with_schema(schema);
        let metadata = ArrowReaderMetadata::try_new(Arc::clone(self.metadata.metadata()), options)
            .map_err(|error| of_file(path, &error))?;
        Ok(self.dictionaries.get_or_init(|| metadata))
    }

    /// The Parquet metadata of the file.
    pub(crate) fn metadata(&self) -> &Arc<ParquetMetaData> {
        self.metadata.metadata()
    }

    /// Opens the file.
    pub(super) fn open(&self, path: &Path) -> Result<FileReader, ArchiveError> {
        open_data(&self.location, path)
    }

    /// Opens the file to read whole pages, each verified by its checksum.
    pub(crate) fn checked(&self, path: &Path) -> Result<CheckedFile, ArchiveError> {
        let (file, failure) = (self.open(path)?, Failure::default());
        Ok(CheckedFile { file, path: path.into(), pages: self.pages(), failure })
    }

    /// A reader of some columns of a row group, and of all or some of its rows.
    fn reader(
        &self,
        path: &Path,
        group: usize,
        columns: ProjectionMask,
        rows: Option<RowSelection>,
    ) -> Result<(Builder, Failure), ArchiveError> {
        self.reader_as(&self.metadata, path, group, columns, rows)
    }

    fn reader_as(
        &self,
        metadata: &ArrowReaderMetadata,
        path: &Path,
        group: usize,
        columns: ProjectionMask,
        rows: Option<RowSelection>,
    ) -> Result<(Builder, Failure), ArchiveError> {
        let file = self.checked(path)?;
        let fetched = file.file.fetch(|| self.ranges(group, &columns, rows.as_ref()));
        fetched.map_err(|error| of_file(path, &error))?;
        let failure = file.failure.clone();
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata.clone());
        let reader = reader.with_projection(columns).with_row_groups(vec![group]);
        let reader = match rows {
            Some(rows) => reader.with_row_selection(rows),
            None => reader,
        };
        Ok((reader, failure))
    }

    /// The byte ranges of some columns of a row group: of their pages with these rows, if the file has an index of
    /// pages.
    fn ranges(
        &self,
        group: usize,
        columns: &ProjectionMask,
        rows: Option<&RowSelection>,
    ) -> Vec<Range<u64>> {
        let metadata = self.metadata.metadata();
        let Some(described) = metadata.row_groups().get(group) else { return Vec::new() };
        let pages = metadata.offset_index().and_then(|groups| groups.get(group));
        let mut ranges = Vec::new();
        for (leaf, column) in described.columns().iter().enumerate() {
            if !columns.leaf_included(leaf) {
                continue;
            }
            let (start, length) = column.byte_range();
            let pages =
                pages.and_then(|columns| columns.get(leaf)).map(|pages| pages.page_locations());
            let first = pages.and_then(|pages| u64::try_from(pages.first()?.offset).ok());
            match (rows, pages, first) {
                (Some(rows), Some(pages), Some(first)) => {
                    // A dictionary comes first.
                    ranges.push(start..first);
                    ranges.extend(rows.scan_ranges(pages));
                }
                _ => ranges.push(start..start.saturating_add(length)),
            }
        }
        // Footers without a checksum cannot be trusted.
        ranges.into_iter().map(|range| range.start..range.end.min(self.bytes)).collect()
    }

    /// Returns true if the file has a column.
    pub(super) fn has(&self, column: &str) -> bool {
        self.metadata.schema().column_with_name(column).is_some()
    }

    /// The order of the games.
    pub(crate) fn order(&self) -> FileOrder {
        self.order
    }

    /// Returns true if any derived column is missing or outdated.
    pub(crate) fn is_stale(&self) -> bool {
        !self.stale.is_empty()
    }

    /// Returns true if this derived column is missing or outdated.
    pub(super) fn is_stale_in(&self, column: &str) -> bool {
        self.stale.contains(&column)
    }

    /// The number of rows of each row group.
    pub(super) fn groups(&self) -> impl Iterator<Item = usize> + '_ {
        let groups = self.metadata.metadata().row_groups().iter();
        groups.map(|group| usize::try_from(group.num_rows()).unwrap_or(0))
    }

    /// The projection to some columns.
    fn mask(&self, columns: &[&str]) -> ProjectionMask {
        let schema = self.metadata.metadata().file_metadata().schema_descr();
        ProjectionMask::columns(schema, columns.iter().copied())
    }

    /// Reads some columns of some rows of a row group, in ascending order.
    pub(super) fn select(
        &self,
        path: &Path,
        group: usize,
        rows: &[u32],
        columns: &[&str],
    ) -> Result<Vec<RecordBatch>, ArchiveError> {
        let mask = self.mask(columns);
        let ranges = rows.iter().map(|row| *row as usize..*row as usize + 1);
        let all = self.groups().nth(group).unwrap_or(0);
        let selection = RowSelection::from_consecutive_ranges(ranges, all);
        let (reader, failure) = self.reader(path, group, mask, Some(selection))?;
        let reader = reader.build().map_err(|error| failure.behind(path, &error))?;
        reader.map(|batch| batch.map_err(|error| failure.behind(path, &error))).collect()
    }

    /// Reads some columns of some rows of a row group, a few rows at a time.
    pub(super) fn read_batches(
        &self,
        path: &Path,
        group: usize,
        columns: &[&str],
        rows: Range<usize>,
        step: usize,
    ) -> Result<impl Iterator<Item = Result<RecordBatch, ArchiveError>>, ArchiveError> {
        let all = self.groups().nth(group).unwrap_or(0);
        let selection = RowSelection::from_consecutive_ranges(std::iter::once(rows), all);
        let mask = self.mask(columns);
        let (reader, failure) = self.reader(path, group, mask, Some(selection))?;
        let reader = reader.with_batch_size(step).build();
        let reader = reader.map_err(|error| failure.behind(path, &error))?;
        Ok(reader.map(move |batch| batch.map_err(|error| failure.behind(path, &error))))
    }

    /// The uncompressed size of a row group in bytes.
    pub(super) fn unpacked_bytes_of(&self, group: usize) -> u64 {
        let group = self.metadata.metadata().row_groups().get(group);
        group.map_or(0, |group| u64::try_from(group.total_byte_size()).unwrap_or(0))
    }

    /// The uncompressed size of a column of a row group in bytes.
    pub(super) fn unpacked_bytes_of_column(&self, group: usize, column: &str) -> u64 {
        let group = self.metadata.metadata().row_groups().get(group);
        let mut columns = group.map(|group| group.columns()).unwrap_or_default().iter();
        let column = columns.find(|described| described.column_path().string() == column);
        column.map_or(0, |column| u64::try_from(column.uncompressed_size()).unwrap_or(0))
    }

    /// The uncompressed size of all row groups in bytes.
    pub(crate) fn unpacked_bytes(&self) -> u64 {
        (0..self.groups().count()).map(|group| self.unpacked_bytes_of(group)).sum()
    }

    /// The byte range of a row group in its file.
    pub(super) fn bytes_of(&self, group: usize) -> Range<u64> {
        let group = self.metadata.metadata().row_groups().get(group);
        let columns = group.map(|group| group.columns()).unwrap_or_default();
        let ranges = columns.iter().map(|column| column.byte_range());
        let (start, end) = ranges.fold((u64::MAX, 0), |(start, end), (from, length)| {
            (start.min(from), end.max(from + length))
        });
        start.min(end)..end
    }

    /// The first row of each page of a column of a row group.
    pub(super) fn pages_of(&self, group: usize, column: &str) -> Vec<u32> {
        let metadata = self.metadata.metadata();
        let pages = || {
            let columns = metadata.row_groups().get(group)?.columns();
            let column = columns.iter().position(|c| c.column_path().string() == column)?;
            let pages = metadata.offset_index()?.get(group)?.get(column)?.page_locations();
            let starts = pages.iter().map(|page| u32::try_from(page.first_row_index).ok());
            starts.collect::<Option<Vec<u32>>>()
        };
        let rises = |starts: &Vec<u32>| starts.is_sorted() && starts.first() == Some(&0);
        pages().filter(rises).unwrap_or_else(|| vec![0])
    }

    /// Reads some rows of one column of a row group.
    pub(super) fn read_column(
        &self,
        path: &Path,
        group: usize,
        column: &str,
        range: Range<usize>,
    ) -> Result<ArrayRef, ArchiveError> {
        self.read_column_as(&self.metadata, path, group, column, range)
    }

    /// Reads a column of texts of a row group as a dictionary.
    pub(super) fn read_dictionary(
        &self,
        path: &Path,
        group: usize,
        column: &str,
    ) -> Result<ArrayRef, ArchiveError> {
        let rows = self.groups().nth(group).unwrap_or(0);
        self.read_column_as(self.dictionaries(path)?, path, group, column, 0..rows)
    }

    fn read_column_as(
        &self,
        metadata: &ArrowReaderMetadata,
        path: &Path,
        group: usize,
        column: &str,
        range: Range<usize>,
    ) -> Result<ArrayRef, ArchiveError> {
        let schema = self.metadata.metadata().file_metadata().schema_descr();
        let all = self.groups().nth(group).unwrap_or(0);
        let rows = range.len();
        let mask = ProjectionMask::columns(schema, [column]);
        let selection = (rows < all)
            .then(|| RowSelection::from_consecutive_ranges(std::iter::once(range), all));
        let (reader, failure) = self.reader_as(metadata, path, group, mask, selection)?;
        let reader = reader.with_batch_size(rows.max(1)).build();
        let reader = reader.map_err(|error| failure.behind(path, &error))?;
        let mut arrays = Vec::new();
        for batch in reader {
            let batch = batch.map_err(|error| failure.behind(path, &error))?;
            arrays.extend(batch.columns().first().cloned());
        }
        let parts: Vec<&dyn Array> = arrays.iter().map(AsRef::as_ref).collect();
        let array = match arrays.as_slice() {
            [array] => Arc::clone(array),
            _ => concat(&parts).map_err(|error| of_file(path, &error))?,
        };
        if array.len() != rows {
            let why = format!("column {column} has {} rows, expected {rows}", array.len());
            return Err(ArchiveError::in_file(path, why));
        }
        Ok(array)
    }
}
