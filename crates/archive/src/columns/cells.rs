//! A fast path for columns of bytes, which reads cells as views of their pages. Searches mostly read signatures and
//! moves, and the general reader would copy each cell once more into newly allocated memory.
//!
//! ```text
//!  page ─▶ ┌───────────────────┬──────────────────────┬────────────────────────┐
//!          │ length ∙ levels   │ lengths of the cells │ cells, one after other │  DELTA_LENGTH_BYTE_ARRAY
//!          │ if it may be null │ DELTA_BINARY_PACKED  │                        │
//!          └───────────────────┴──────────────────────┴────────────────────────┘
//! ```
//!
//! Both encodings are specified in Apache Parquet's "Encodings.md". Any other page, or a damaged one, is left to the
//! general reader, which supports all encodings and reports problems.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow_array::BinaryArray;
use arrow_buffer::{Buffer, OffsetBuffer};
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageReader};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::page_index::offset_index::PageLocation;
use parquet::file::serialized_reader::SerializedPageReader;

use super::footer::Footer;
use crate::error::ArchiveError;

impl Footer {
    /// The cells of some pages of a column of a row group, in ascending order, one array per page. `None` if the
    /// general reader has to read them.
    pub(super) fn cells(
        &self,
        path: &Path,
        group: usize,
        column: &str,
        pages: &[usize],
    ) -> Result<Option<Vec<BinaryArray>>, ArchiveError> {
        let metadata = self.metadata();
        let found = metadata.row_groups().get(group).and_then(|described| {
            let mut columns = described.columns().iter();
            let leaf = columns.position(|column_of| column_of.column_path().string() == column)?;
            let locations = metadata.offset_index()?.get(group)?.get(leaf)?.page_locations();
            Some((described.columns().get(leaf)?, locations, described.num_rows()))
        });
        let Some((chunk, locations, all)) = found else { return Ok(None) };
        let all = usize::try_from(all).unwrap_or(0);
        let described = chunk.column_descr();
        let (definition, repetition) = (described.max_def_level(), described.max_rep_level());
        let ranges = pages.iter().map(|page| {
            let page = locations.get(*page)?;
            let end = page.offset.checked_add(page.compressed_page_size.into())?;
            Some(u64::try_from(page.offset).ok()?..u64::try_from(end).ok()?)
        });
        let ranges: Option<Vec<Range<u64>>> = ranges.collect();
        let is_ours = definition <= 1 && repetition == 0 && begins_with_data(chunk, locations);
        let Some(ranges) = ranges.filter(|_| is_ours) else { return Ok(None) };
        let starts = self.pages_of(group, column);
        let file = self.checked(path)?;
        file.fetch(&ranges)?;
        let failure = file.failure.clone();
        let failed = |error| failure.behind(path, &error);
        let reader = SerializedPageReader::new(Arc::new(file), chunk, all, Some(locations.clone()));
        let mut reader = reader.map_err(failed)?;
        let (mut next, mut read) = (0, Vec::with_capacity(pages.len()));
        for page in pages {
            for _ in next..*page {
                reader.skip_next_page().map_err(failed)?;
            }
            next = page + 1;
            let end = starts.get(next).map_or(all, |start| *start as usize);
            let rows = starts.get(*page).and_then(|start| end.checked_sub(*start as usize));
            let cells = reader.get_next_page().map_err(failed)?;
            let cells = cells.zip(rows).and_then(|(page, rows)| cells_of(page, definition, rows));
            let Some(cells) = cells else { return Ok(None) };
            read.push(cells);
        }
        Ok(Some(read))
    }
}

/// Returns true if the first page in the index is the first one of the column. The page reader would treat anything
/// before it as a dictionary, even if the file has none, and count pages from there.
fn begins_with_data(chunk: &ColumnChunkMetaData, locations: &[PageLocation]) -> bool {
    let first = locations.first().and_then(|page| u64::try_from(page.offset).ok());
    chunk.dictionary_page_offset().is_none() && first == Some(chunk.byte_range().0)
}

/// The cells of a page of `rows` rows without nulls; `definition` is 1 for a nullable column.
fn cells_of(page: Page, definition: i16, rows: usize) -> Option<BinaryArray> {
    let Page::DataPage { buf, num_values, encoding, def_level_encoding, .. } = page else {
        return None;
    };
    let is_ours = encoding == Encoding::DELTA_LENGTH_BYTE_ARRAY
        && def_level_encoding == Encoding::RLE
        && num_values as usize == rows;
    let mut rest = Some(&buf[..]).filter(|_| is_ours)?;
    if definition > 0 {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let (levels, values) = after.split_at_checked(length)?;
        rest = Some(values).filter(|_| none_is_null(levels, rows))?;
    }
    let (offsets, cells) = offsets(rest, rows)?;
    if offsets.last().copied() != i32::try_from(cells.len()).ok() {
        return None;
    }
    let cells = buf.slice_ref(cells);
    BinaryArray::try_new(OffsetBuffer::new(offsets.into()), Buffer::from(cells), None).ok()
}

/// Returns true if all rows are present according to the definition levels, each run of which has a length and a
/// level.
fn none_is_null(mut levels: &[u8], rows: usize) -> bool {
    let mut there = 0_u64;
    while !levels.is_empty() {
        let Some(run) = number(&mut levels).filter(|run| run & 1 == 0) else { return false };
        let Some((1, rest)) = levels.split_first() else { return false };
        levels = rest;
        there = there.saturating_add(run >> 1);
    }
    there == rows as u64
}

/// The offset of each cell, with the end of the last one; and the cells themselves.
fn offsets(mut bytes: &[u8], rows: usize) -> Option<(Vec<i32>, &[u8])> {
    let rest = &mut bytes;
    let in_block = usize::try_from(number(rest)?).ok()?;
    let miniblocks = usize::try_from(number(rest)?).ok()?;
    let in_miniblock = in_block.checked_div(miniblocks)?;
    let is_sound = in_block.is_multiple_of(128)
        && in_miniblock > 0
        && in_miniblock.is_multiple_of(32)
        && in_block == in_miniblock * miniblocks;
    let count = usize::try_from(number(rest)?).ok()?;
    if !is_sound || count != rows {
        return None;
    }
    let mut length = signed(rest)?;
    let mut offsets = Vec::with_capacity(rows + 1);
    let mut end = 0_i32;
    offsets.push(end);
    let mut add = |length: i64| {
        end = end.checked_add(u32::try_from(length).ok()?.try_into().ok()?)?;
        offsets.push(end);
        Some(())
    };
    let mut left = rows;
    if left > 0 {
        add(length)?;
        left -= 1;
    }
    while left > 0 {
        let least = signed(rest)?;
        let (widths, packed) = rest.split_at_checked(miniblocks)?;
        *rest = packed;
        // Miniblocks without numbers are omitted.
        for width in widths {
            let numbers = in_miniblock.min(left);
            if numbers == 0 {
                break;
            }
            let bytes = in_miniblock.checked_mul(usize::from(*width))? / 8;
            let (packed, after) = rest.split_at_checked(bytes)?;
            *rest = after;
            for index in 0..numbers {
                let delta = i64::try_from(bits(packed, index, (*width).into())?).ok()?;
                length = length.checked_add(least)?.checked_add(delta)?;
                add(length)?;
            }
            left -= numbers;
        }
    }
    Some((offsets, bytes))
}

/// The number at an index in bit-packed numbers of `width` bits, lowest bits first. `None` if `width` is too large for
/// lengths.
fn bits(packed: &[u8], index: usize, width: usize) -> Option<u64> {
    if width == 0 {
        return Some(0);
    }
    if width > 32 {
        return None;
    }
    let (byte, shift) = (index * width / 8, index * width % 8);
    let mut word = [0; 8];
    let here = packed.get(byte..)?;
    let here = here.get(..8).unwrap_or(here);
    word[..here.len()].copy_from_slice(here);
    Some(u64::from_le_bytes(word) >> shift & ((1 << width) - 1))
}

/// A number at the beginning of some bytes, seven bits in each byte (ULEB128).
fn number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// A zigzag-encoded number.
fn signed(bytes: &mut &[u8]) -> Option<i64> {
    let number = number(bytes)?;
    Some((number >> 1) as i64 ^ -((number & 1) as i64))
}

#[cfg(test)]
mod tests {
    use arrow_array::{Array, ArrayRef, RecordBatch};
    use bytes::Bytes;
    use parquet::arrow::ArrowWriter;
    use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
    use parquet::file::metadata::PageIndexPolicy;
    use parquet::file::properties::WriterProperties;
    use parquet::schema::types::ColumnPath;
    use proptest::prelude::*;

    use super::*;

    /// A file with a column of cells, as Parquet's own writer encodes them.
    fn file(cells: &[Option<Vec<u8>>], may_be_null: bool, in_page: usize) -> Bytes {
        let array: ArrayRef = Arc::new(cells.iter().map(Option::as_deref).collect::<BinaryArray>());
        let batch = RecordBatch::try_from_iter_with_nullable([("cell", array, may_be_null)]);
        let batch = batch.unwrap();
        let properties = WriterProperties::builder()
            .set_column_dictionary_enabled(ColumnPath::from("cell"), false)
            .set_column_encoding(ColumnPath::from("cell"), Encoding::DELTA_LENGTH_BYTE_ARRAY)
            .set_data_page_row_count_limit(in_page)
            .set_write_batch_size(1)
            .build();
        let mut file = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        file.into()
    }

    /// The description of the column of a file, and the places of its pages.
    fn described(file: &Bytes) -> (ColumnChunkMetaData, Vec<PageLocation>) {
        let options = ArrowReaderOptions::new();
        let options = options.with_offset_index_policy(PageIndexPolicy::Required);
        let metadata = ArrowReaderMetadata::load(file, options).unwrap();
        let metadata = metadata.metadata();
        let locations = metadata.offset_index().unwrap()[0][0].page_locations().clone();
        (metadata.row_group(0).column(0).clone(), locations)
    }

    /// The pages of a column of cells, each with its number of rows.
    fn pages(cells: &[Option<Vec<u8>>], may_be_null: bool, in_page: usize) -> Vec<(Page, usize)> {
        let file = file(cells, may_be_null, in_page);
        let (chunk, locations) = described(&file);
        let reader =
            SerializedPageReader::new(Arc::new(file), &chunk, cells.len(), Some(locations));
        reader
            .unwrap()
            .map(|page| page.map(|page| (page.clone(), page.num_values() as usize)).unwrap())
            .collect()
    }

    #[test]
    fn a_column_with_something_before_its_first_page_is_left_to_the_general_reader() {
        let file = file(&[Some(vec![1; 38])], true, 1);
        let (chunk, locations) = described(&file);
        assert!(begins_with_data(&chunk, &locations));
        assert!(!begins_with_data(&chunk, &[]));
        let start = chunk.data_page_offset();
        let dictionary = chunk.clone().into_builder().set_dictionary_page_offset(Some(start));
        assert!(!begins_with_data(&dictionary.build().unwrap(), &locations));
        let gap = chunk.into_builder().set_data_page_offset(start - 1);
        assert!(!begins_with_data(&gap.build().unwrap(), &locations));
    }

    fn damaged(page: &Page, change: impl FnOnce(&mut Vec<u8>)) -> Page {
        let mut page = page.clone();
        let Page::DataPage { buf, .. } = &mut page else { panic!("another kind of page") };
        let mut bytes = buf.to_vec();
        change(&mut bytes);
        *buf = bytes.into();
        page
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

        #[test]
        fn cells_are_those_that_were_written(
            cells in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..300), 1..400),
            may_be_null in any::<bool>(),
            in_page in 1_usize..200,
        ) {
            let cells: Vec<_> = cells.into_iter().map(Some).collect();
            let mut read = Vec::new();
            for (page, rows) in pages(&cells, may_be_null, in_page) {
                let page = cells_of(page, may_be_null.into(), rows).expect("a page as this program writes it");
                read.extend(page.iter().map(|cell| cell.map(<[u8]>::to_vec)));
            }
            prop_assert_eq!(read, cells);
        }

        #[test]
        fn a_null_is_left_to_the_general_reader(null in 0_usize..50) {
            let mut cells = vec![Some(vec![7; 38]); 50];
            cells[null] = None;
            for (page, rows) in pages(&cells, true, 50) {
                prop_assert!(cells_of(page, 1, rows).is_none());
            }
        }

        #[test]
        fn damaged_pages_never_panic(
            lengths in proptest::collection::vec(0_usize..100, 1..300),
            at in any::<prop::sample::Index>(),
            byte in any::<u8>(),
            end in any::<prop::sample::Index>(),
        ) {
            let cells: Vec<_> = lengths.iter().map(|length| Some(vec![1; *length])).collect();
            for (page, rows) in pages(&cells, true, 300) {
                let changed = damaged(&page, |bytes| {
                    // The levels and lengths are at the beginning.
                    let at = at.index(bytes.len().min(64));
                    bytes[at] = byte;
                });
                let cut = damaged(&page, |bytes| bytes.truncate(end.index(bytes.len())));
                prop_assert!(cells_of(cut, 1, rows).is_none());
                if let Some(cells) = cells_of(changed, 1, rows) {
                    prop_assert_eq!(cells.len(), rows);
                }
            }
        }
    }
}
