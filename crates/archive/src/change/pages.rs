//! Adding checksums to pages.
//!
//! The Parquet library verifies checksums of pages, but does not write them. So each page is modified between its
//! encoder and its file:
//!
//! ```text
//!  header: type │ sizes │ details          data
//!          └─────────┐   └────┐             │
//!  header: type │ sizes │ crc │ details     │
//!                         ▲                 │
//!                         └──── CRC-32 ─────┘
//! ```
//!
//! A header is a Thrift struct in the compact protocol: each field begins with a byte that holds the difference between
//! its number and that of the field before, and its type.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::{BufMut, Bytes, BytesMut};
use crc32fast::Hasher;
use parquet::arrow::arrow_writer::{PageKey, PageStore, PageStoreArgs, PageStoreFactory};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result};

/// The first byte of a field of type i32 whose number follows that of the field before.
const NEXT_I32: u8 = 0x15;

/// The decrement of a field's first byte if its number is one closer to that of the previous field.
const ONE_FIELD: u8 = 0x10;

/// The page type of a dictionary.
const DICTIONARY: u32 = 2;

/// A column of a row group, ready to be written.
#[derive(Debug)]
pub(super) struct EncodedColumn {
    /// All pages.
    pub(super) bytes: Bytes,
    /// The description of the pages for the footer.
    pub(super) close: ColumnCloseResult,
    /// CRC-32 of each page with its header, in their order.
    pub(super) sums: Vec<u32>,
}

/// Keeps the pages of the columns that are being encoded.
#[derive(Debug, Clone, Default)]
pub(super) struct PageStores(Arc<Mutex<Vec<Store>>>);

/// Headers and data of pages, alternating.
#[derive(Debug, Clone, Default)]
struct Store(Arc<Mutex<Vec<Bytes>>>);

impl PageStoreFactory for PageStores {
    fn create(&self, args: &PageStoreArgs<'_>) -> Result<Box<dyn PageStore>> {
        let mut stores = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let store = Store::default();
        if stores.len() != args.column_index() {
            return Err(strange("columns out of order"));
        }
        stores.push(store.clone());
        Ok(Box::new(store))
    }
}

impl PageStore for Store {
    fn put(&mut self, value: Bytes) -> Result<PageKey> {
        let mut blobs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        blobs.push(value);
        Ok(PageKey::new(blobs.len() as u64 - 1))
    }

    fn take(&mut self, _: PageKey) -> Result<Bytes> {
        // They are taken with `PageStores::column`.
        Err(strange("pages without checksums"))
    }
}

impl PageStores {
    /// The pages of a column that has been closed, with their checksums.
    pub(super) fn column(&self, index: usize, close: ColumnCloseResult) -> Result<EncodedColumn> {
        let blobs = {
            let stores = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let store = stores.get(index).ok_or_else(|| strange("a column without pages"))?;
            std::mem::take(&mut *store.0.lock().unwrap_or_else(PoisonError::into_inner))
        };
        let mut pages = blobs
            .chunks(2)
            .map(|page| match page {
                [header, data] => Page::new(header, data),
                _ => Err(strange("a page without data")),
            })
            .collect::<Result<Vec<_>>>()?;
        // The encoder emits the dictionary last, and readers need it first.
        pages.sort_by_key(|page| !page.is_dictionary);
        finish(&pages, close)
    }
}

/// A page with its checksum.
struct Page<'a> {
    is_dictionary: bool,
    header: Vec<u8>,
    data: &'a Bytes,
    /// The number of bytes by which the header has grown.
    growth: usize,
    /// CRC-32 of header and data.
    sum: u32,
}

impl<'a> Page<'a> {
    fn new(header: &[u8], data: &'a Bytes) -> Result<Self> {
        let mut of_data = Hasher::new();
        of_data.update(data);
        let (kind, longer) = with_crc(header, of_data.clone().finalize())
            .ok_or_else(|| strange("a page without a valid header"))?;
        let mut of_page = Hasher::new();
        of_page.update(&longer);
        of_page.combine(&of_data);
        let growth = longer.len() - header.len();
        let is_dictionary = kind == DICTIONARY;
        Ok(Self { is_dictionary, header: longer, data, growth, sum: of_page.finalize() })
    }

    fn len(&self) -> usize {
        self.header.len() + self.data.len()
    }
}

/// The type of a page, and its header with the checksum.
fn with_crc(header: &[u8], crc: u32) -> Option<(u32, Vec<u8>)> {
    // Type and both sizes, followed by the fields of the page type.
    let mut at = 0;
    let mut kind = 0;
    for field in 0..3 {
        let (first, rest) = header.get(at..)?.split_first()?;
        let length = 1 + rest.iter().position(|byte| byte & 0x80 == 0)?;
        if *first != NEXT_I32 || length > 5 {
            return None;
        }
        if field == 0 {
            // Zigzag: the sign is in the lowest bit.
            kind = u32::from(rest[0] >> 1);
        }
        at += 1 + length;
    }
    let next = *header.get(at)?;
    if next >> 4 < 2 {
        return None;
    }
    let mut longer = Vec::with_capacity(header.len() + 6);
    longer.extend_from_slice(&header[..at]);
    longer.push(NEXT_I32);
    let signed = crc.cast_signed();
    let mut left = ((signed << 1) ^ (signed >> 31)).cast_unsigned();
    while left >= 0x80 {
        longer.push(left as u8 | 0x80);
        left >>= 7;
    }
    longer.push(left as u8);
    longer.push(next - ONE_FIELD);
    longer.extend_from_slice(&header[at + 1..]);
    Some((kind, longer))
}

/// Joins the pages, and corrects the offsets and sizes for the footer.
fn finish(pages: &[Page<'_>], mut close: ColumnCloseResult) -> Result<EncodedColumn> {
    let length: usize = pages.iter().map(Page::len).sum();
    let growth: usize = pages.iter().map(|page| page.growth).sum();
    if close.metadata.compressed_size() != (length - growth) as i64 {
        return Err(strange("a column whose size is not that of its pages"));
    }
    let dictionary: usize = pages.iter().filter(|page| page.is_dictionary).map(Page::len).sum();
    let uncompressed = close.metadata.uncompressed_size() + growth as i64;
    close.metadata = close
        .metadata
        .into_builder()
        .set_total_compressed_size(length as i64)
        .set_total_uncompressed_size(uncompressed)
        .set_dictionary_page_offset((dictionary > 0).then_some(0))
        .set_data_page_offset(dictionary as i64)
        .build()?;
    close.bytes_written += growth as u64;
    let mut bytes = BytesMut::with_capacity(length);
    let mut locations =
        close.offset_index.iter_mut().flat_map(|index| index.page_locations.iter_mut());
    for page in pages {
        if !page.is_dictionary
            && let Some(location) = locations.next()
        {
            location.offset = bytes.len() as i64;
            location.compressed_page_size = i32::try_from(page.len())?;
        }
        bytes.put_slice(&page.header);
        bytes.put_slice(page.data);
    }
    let sums = pages.iter().map(|page| page.sum).collect();
    Ok(EncodedColumn { bytes: bytes.freeze(), close, sums })
}

/// The error for unexpected output of the Parquet library.
fn strange(what: &str) -> ParquetError {
    ParquetError::General(format!("the Parquet encoder wrote {what}"))
}

#[cfg(test)]
mod tests {
    use super::with_crc;

    /// Type, sizes, and one more field that begins with `first`.
    fn header(kind: u8, first: u8) -> Vec<u8> {
        vec![0x15, kind, 0x15, 0x80, 0x01, 0x15, 0x90, 0xa0, 0x01, first, 0x15, 0x02, 0x00, 0x00]
    }

    #[test]
    fn a_checksum_precedes_the_details() {
        // 1 is 2 in zigzag, -1 is 1.
        for (crc, bytes) in [(1, &[0x02][..]), (u32::MAX, &[0x01]), (64, &[0x80, 0x01])] {
            // Data pages have field 5, dictionaries 7, data pages of version 2 have 8.
            for (kind, first, after) in [(0, 0x2c, 0x1c), (4, 0x4c, 0x3c), (6, 0x5c, 0x4c)] {
                let (found, longer) = with_crc(&header(kind, first), crc).expect("a header");
                assert_eq!(found, u32::from(kind) / 2);
                let mut expected = header(kind, after);
                expected.splice(9..9, [&[0x15], bytes].concat());
                assert_eq!(longer, expected);
            }
        }
        let (_, longest) = with_crc(&header(0, 0x2c), 0x8000_0000).expect("a header");
        assert_eq!(longest[9..15], [0x15, 0xff, 0xff, 0xff, 0xff, 0x0f]);
    }

    #[test]
    fn other_headers_are_refused() {
        assert!(with_crc(&[], 1).is_none());
        // A header with a checksum.
        assert!(with_crc(&header(0, 0x15), 1).is_none());
        let whole = header(0, 0x2c);
        for length in 0..10 {
            assert!(with_crc(&whole[..length], 1).is_none());
        }
        let mut endless = whole;
        endless[3..10].fill(0x80);
        assert!(with_crc(&endless, 1).is_none());
    }
}
