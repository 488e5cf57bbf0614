//! The table `games` as a query engine scans it: pages that are compared with their checksums, and rows that are not
//! deleted.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int32Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;
use bytes::{Buf, Bytes};
use halfmove_archive::scan::{GroupRows, PageReader, Scan};
use halfmove_archive::schema::COLUMNS;
use halfmove_archive::{Archive, ArchiveError};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelection,
    RowSelector,
};
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

/// Chunks of the columns of a row group, each with its place in the file.
struct Chunks {
    length: u64,
    chunks: Vec<(u64, Bytes)>,
}

impl Length for Chunks {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for Chunks {
    type T = bytes::buf::Reader<Bytes>;

    fn get_read(&self, start: u64) -> parquet::errors::Result<Self::T> {
        let is_in = |(at, bytes): &&(u64, Bytes)| (*at..at + bytes.len() as u64).contains(&start);
        let missing = || ParquetError::General(format!("byte {start} was not read"));
        let (at, bytes) = self.chunks.iter().find(is_in).ok_or_else(missing)?;
        Ok(bytes.slice((start - at) as usize..).reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<Bytes> {
        Ok(self.get_read(start)?.into_inner().slice(..length))
    }
}

/// The rows to read, as runs.
fn selection(live: &GroupRows<'_>) -> RowSelection {
    let mut is_live = vec![false; live.all];
    live.rows.iter().for_each(|row| is_live[*row as usize] = true);
    let runs = is_live.chunk_by(|one, next| one == next);
    runs.map(|run| RowSelector { row_count: run.len(), skip: !run[0] }).collect::<Vec<_>>().into()
}

fn read_group(
    pages: &PageReader,
    group: usize,
    names: &[&str],
    live: Option<&GroupRows<'_>>,
) -> Result<Vec<RecordBatch>, ArchiveError> {
    let metadata = pages.metadata();
    let schema = metadata.file_metadata().schema_descr();
    let is_selected =
        |leaf: &usize| names.contains(&schema.column(*leaf).path().parts()[0].as_str());
    let leaves: Vec<usize> = (0..schema.num_columns()).filter(is_selected).collect();
    let (mut chunks, mut length) = (Vec::new(), 0);
    for (leaf, column) in metadata.row_group(group).columns().iter().enumerate() {
        let (start, bytes) = column.byte_range();
        length = length.max(start + bytes);
        if leaves.contains(&leaf) {
            chunks.push((start, pages.bytes(start..start + bytes)?));
        }
    }
    let mask = ProjectionMask::leaves(schema, leaves);
    // Texts are texts, whatever Arrow types the writer had.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let metadata = ArrowReaderMetadata::try_new(Arc::clone(metadata), options)?;
    let reader =
        ParquetRecordBatchReaderBuilder::new_with_metadata(Chunks { length, chunks }, metadata)
            .with_row_groups(vec![group])
            .with_projection(mask);
    let reader = match live {
        Some(live) => reader.with_row_selection(selection(live)),
        None => reader,
    };
    Ok(reader.build()?.collect::<Result<_, _>>()?)
}

/// Some columns of all games, in the order of the files.
pub(crate) fn batches(archive: &Archive, names: &[&str]) -> Result<Vec<RecordBatch>, ArchiveError> {
    let scan = Scan::of(archive);
    scan.check_there()?;
    let mut batches = Vec::new();
    for (number, file) in scan.files().iter().enumerate() {
        let pages = scan.open(number)?;
        let live = if file.has_deleted { Some(scan.live_rows(number)?) } else { None };
        for group in 0..pages.metadata().num_row_groups() {
            let live = live.as_ref().map(|live| &live[group]);
            batches.extend(read_group(&pages, group, names, live)?);
        }
    }
    Ok(batches)
}

/// The text of a value.
pub(crate) fn cell(column: &ArrayRef, row: usize) -> Option<String> {
    (!column.is_null(row)).then(|| match column.data_type() {
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(row).to_string(),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).to_string(),
        DataType::Date32 => column.as_primitive::<Date32Type>().value(row).to_string(),
        DataType::Timestamp(..) => {
            column.as_primitive::<TimestampMicrosecondType>().value(row).to_string()
        }
        DataType::Utf8 => column.as_string::<i32>().value(row).to_owned(),
        DataType::Binary => format!("{:02x?}", column.as_binary::<i32>().value(row)),
        DataType::List(_) => {
            let tags = column.as_list::<i32>().value(row);
            let [names, values] = [0, 1].map(|field| tags.as_struct().column(field).clone());
            let tag = |at: usize| format!("{:?}={:?}", cell(&names, at), cell(&values, at));
            (0..tags.len()).map(tag).collect::<Vec<_>>().join(" ")
        }
        other => panic!("a column of the type {other}"),
    })
}

/// Values of a game; `None` for null, and for a column that the file does not have.
pub(crate) type Row = Vec<Option<String>>;

/// Some columns of all games, in the order of the files.
pub(crate) fn rows(archive: &Archive, names: &[&str]) -> Result<Vec<Row>, ArchiveError> {
    let mut rows = Vec::new();
    for batch in batches(archive, names)? {
        let columns: Vec<_> = names.iter().map(|name| batch.column_by_name(name)).collect();
        let value = |row: usize| columns.iter().map(|column| cell((*column)?, row)).collect();
        rows.extend((0..batch.num_rows()).map(value));
    }
    Ok(rows)
}

/// Some columns of all games, in the order of their ids.
pub(crate) fn sorted(archive: &Archive, names: &[&str]) -> Result<Vec<Row>, ArchiveError> {
    let names = [&["id"], names].concat();
    let mut rows = rows(archive, &names)?;
    rows.sort_by_key(|row| row[0].as_ref().and_then(|id| id.parse::<i64>().ok()));
    Ok(rows.into_iter().map(|mut row| row.split_off(1)).collect())
}

/// All columns of all games, one line per game, in the order of their ids.
pub(crate) fn lines(archive: &Archive) -> Result<String, ArchiveError> {
    let names: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
    let rows = sorted(archive, &names)?.into_iter();
    Ok(rows.map(|row| format!("{row:?}\n")).collect())
}

/// The number of games that have a value in a column.
pub(crate) fn count(archive: &Archive, name: &str) -> usize {
    let rows = rows(archive, &["id", name]).expect("rows");
    rows.iter().filter(|row| row[1].is_some()).count()
}
