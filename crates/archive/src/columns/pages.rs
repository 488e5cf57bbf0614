//! The pages of a file, each verified by its checksum before use.

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{ChunkReader, Length};

use crate::error::{ArchiveError, of_file};
use crate::snapshot::{FileReader, FileStream, mismatch};

/// The length of the file's magic number, before the first page.
const MAGIC: u64 = 4;

/// The pages of a file.
#[derive(Debug)]
pub(crate) struct Pages {
    path: Arc<Path>,
    metadata: Arc<ParquetMetaData>,
    /// The start of each page, and the end of the last one.
    bounds: Vec<u64>,
    /// CRC-32 of each page with its header.
    sums: Vec<u32>,
}

impl Pages {
    /// `sums` is the property of the file with the checksums.
    pub(super) fn new(
        path: &Arc<Path>,
        metadata: &Arc<ParquetMetaData>,
        sums: &str,
    ) -> Result<Self, ArchiveError> {
        let wrong =
            || ArchiveError::in_file(path, "the checksums of its pages do not fit its pages");
        let sums = BASE64_STANDARD_NO_PAD.decode(sums).map_err(|_| wrong())?;
        let (sums, rest) = sums.as_chunks::<4>();
        let mut bounds = vec![MAGIC];
        let mut add = |start: i64, length: i64| {
            let end = start.checked_add(length).and_then(|end| u64::try_from(end).ok());
            let end = end.filter(|_| u64::try_from(start).ok().as_ref() == bounds.last())?;
            bounds.push(end);
            Some(())
        };
        let offsets = metadata.offset_index().ok_or_else(wrong)?;
        for (group, offsets) in metadata.row_groups().iter().zip(offsets) {
            for (column, offsets) in group.columns().iter().zip(offsets) {
                if let Some(start) = column.dictionary_page_offset() {
                    let length = column.data_page_offset().saturating_sub(start);
                    add(start, length).ok_or_else(wrong)?;
                }
                for page in offsets.page_locations() {
                    add(page.offset, page.compressed_page_size.into()).ok_or_else(wrong)?;
                }
            }
        }
        if !rest.is_empty() || sums.len() != bounds.len() - 1 {
            return Err(wrong());
        }
        let sums = sums.iter().map(|sum| u32::from_le_bytes(*sum)).collect();
        Ok(Self { path: Arc::clone(path), metadata: Arc::clone(metadata), bounds, sums })
    }

    /// Verifies the checksums of the pages in a range of bytes of the file. Readers request whole pages; for a part of
    /// a page, only the data would be checked, by the library, with the checksum in the page's header.
    pub(crate) fn check(&self, start: u64, bytes: &[u8]) -> Result<(), ArchiveError> {
        self.each_damaged(start, bytes, Err)
    }

    /// Passes the problems of the pages in a range of bytes of the file to `report`.
    pub(crate) fn each_damaged(
        &self,
        start: u64,
        bytes: &[u8],
        mut report: impl FnMut(ArchiveError) -> Result<(), ArchiveError>,
    ) -> Result<(), ArchiveError> {
        let first = self.bounds.partition_point(|bound| *bound < start);
        for (index, sum) in self.sums.iter().enumerate().skip(first) {
            let [from, to] = [self.bounds[index] - start, self.bounds[index + 1] - start];
            let page = usize::try_from(from).ok().zip(usize::try_from(to).ok());
            let Some(page) = page.and_then(|(from, to)| bytes.get(from..to)) else { break };
            let found = crc32fast::hash(page);
            if found != *sum {
                let place = self.place(self.bounds[index]);
                let why = format!("{place}: {}", mismatch(found, *sum));
                report(ArchiveError::in_file(&self.path, why))?;
            }
        }
        Ok(())
    }

    /// A description of the page that begins at a byte.
    fn place(&self, start: u64) -> String {
        for (group, metadata) in self.metadata.row_groups().iter().enumerate() {
            for column in metadata.columns() {
                let (from, length) = column.byte_range();
                if (from..from + length).contains(&start) {
                    let name = column.column_path().string();
                    return format!("a page of column {name} in row group {group}");
                }
            }
        }
        format!("the page at byte {start}")
    }
}

/// A reader of a file that returns only pages whose checksums match.
#[derive(Debug)]
pub(crate) struct CheckedFile {
    pub(super) file: FileReader,
    pub(super) path: Arc<Path>,
    /// `None` if the file has no checksums.
    pub(super) pages: Option<Arc<Pages>>,
    pub(super) failure: Failure,
}

/// The first error in reading a file, since some readers keep only the text of an error.
#[derive(Debug, Clone, Default)]
pub(super) struct Failure(Arc<Mutex<Option<ArchiveError>>>);

impl Failure {
    /// Returns the file's error that caused a reader's error.
    pub(super) fn behind(
        &self,
        path: &Path,
        error: &(dyn std::error::Error + 'static),
    ) -> ArchiveError {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        first.take().unwrap_or_else(|| of_file(path, error))
    }

    fn keep(&self, error: ArchiveError) -> ParquetError {
        let text = error.to_string();
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(error);
        ParquetError::General(text)
    }
}

impl CheckedFile {
    /// The bytes of a range of whole pages.
    pub(crate) fn bytes(&self, range: Range<u64>) -> Result<Bytes, ArchiveError> {
        let start = range.start;
        let bytes = self.file.bytes(range).map_err(|error| of_file(&self.path, &error))?;
        if let Some(pages) = &self.pages {
            pages.check(start, &bytes)?;
        }
        Ok(bytes)
    }
}

impl CheckedFile {
    /// Announces reads of ranges, for prefetching.
    pub(crate) fn fetch(&self, ranges: &[Range<u64>]) -> Result<(), ArchiveError> {
        self.file.fetch(|| ranges.to_vec()).map_err(|error| of_file(&self.path, &error))
    }
}

impl Length for CheckedFile {
    fn len(&self) -> u64 {
        self.file.len()
    }
}

impl ChunkReader for CheckedFile {
    type T = FileStream;

    /// Called only for files without a page index, which have no checksums.
    fn get_read(&self, start: u64) -> parquet::errors::Result<Self::T> {
        self.file.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<Bytes> {
        let end = start.saturating_add(length as u64);
        self.bytes(start..end).map_err(|error| self.failure.keep(error))
    }
}
