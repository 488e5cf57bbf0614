//! The cache of columns of row groups.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_array::{Array, ArrayRef, BinaryArray, Int32Array, Int64Array};
use halfmove_game::replay::Signatures;
use quick_cache::Weighter;
use quick_cache::sync::Cache as Shared;

use super::footer::Footer;
use super::openings::Openings;
use super::texts::FoldedTexts;
use crate::error::ArchiveError;
use crate::snapshot::{DataFile, Location};

/// The maximum number of cached footers.
const FOOTERS: usize = 4_096;

/// The columns that searches have read, in the form used by searches, limited by size. The least frequently
/// used are evicted first. Threads and clones of an archive share the cache.
pub(crate) struct Cache {
    location: Location,
    columns: Shared<Key, CachedColumn, Bytes>,
    footers: Shared<Arc<Path>, Arc<Footer>>,
    /// True if games have been listed, and are likely to be listed again.
    has_listed: AtomicBool,
    /// True if a query has scanned cacheable columns, so that another scan is likely.
    has_scanned: AtomicBool,
}

impl std::fmt::Debug for Cache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cache").field("bytes", &self.columns.weight()).finish_non_exhaustive()
    }
}

/// The key of a cached column.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(super) path: Arc<Path>,
    pub(super) group: usize,
    pub(super) kind: Kind,
}

/// The kind of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Signatures,
    /// The moves of a page.
    Moves(usize),
    Ids,
    Results,
    /// Names of openings, computed from the moves.
    Openings,
    /// A tag with codes.
    Texts(&'static str),
    /// A tag with words.
    Words(&'static str),
    /// A tag with numbers or dates.
    Numbers(&'static str),
    /// The dates of games.
    When,
    /// A column for lists of games.
    Shown(&'static str),
}

/// A column of a row group.
#[derive(Debug, Clone)]
pub(crate) enum CachedColumn {
    Signatures(Arc<Signatures>),
    Moves(BinaryArray),
    Ids(Int64Array),
    /// Indices into [`Results`](halfmove_game::tally::Results).
    Results(Arc<[u8]>),
    Openings(Openings),
    Texts(Arc<FoldedTexts>),
    Numbers(Int32Array),
    /// A column for lists; texts are indices into a dictionary.
    Shown(ArrayRef),
}

#[derive(Debug, Clone)]
struct Bytes;

impl Weighter<Key, CachedColumn> for Bytes {
    fn weight(&self, _: &Key, column: &CachedColumn) -> u64 {
        let bytes = match column {
            CachedColumn::Signatures(signatures) => signatures.bytes(),
            CachedColumn::Moves(moves) => moves.get_buffer_memory_size(),
            CachedColumn::Ids(ids) => ids.get_buffer_memory_size(),
            CachedColumn::Results(results) => results.len(),
            CachedColumn::Openings(openings) => openings.bytes(),
            CachedColumn::Texts(texts) => texts.bytes(),
            CachedColumn::Numbers(numbers) => numbers.get_buffer_memory_size(),
            CachedColumn::Shown(column) => column.get_buffer_memory_size(),
        };
        bytes as u64
    }
}

impl Cache {
    /// Creates a cache of at most `bytes` bytes for the archive at some location.
    pub(crate) fn new(location: Location, bytes: u64) -> Self {
        // An entry has about 256 KB.
        let entries = usize::try_from(bytes >> 17).unwrap_or(usize::MAX).clamp(64, 1 << 20);
        Self {
            location,
            columns: Shared::with_weighter(entries, bytes, Bytes),
            footers: Shared::new(FOOTERS),
            has_listed: AtomicBool::new(false),
            has_scanned: AtomicBool::new(false),
        }
    }

    /// The footer of a file.
    pub(crate) fn footer(&self, file: &DataFile) -> Result<Arc<Footer>, ArchiveError> {
        self.footers
            .get_or_insert_with(&file.path, || Footer::read(&self.location, file).map(Arc::new))
    }

    /// Returns true if games have been listed before, by any thread.
    pub(crate) fn lists_again(&self) -> bool {
        self.has_listed.swap(true, Ordering::Relaxed)
    }

    /// Returns true if a query has scanned before, in any thread.
    pub(super) fn scans_again(&self) -> bool {
        self.has_scanned.swap(true, Ordering::Relaxed)
    }

    /// The maximum number of bytes of columns.
    pub(super) fn max_bytes(&self) -> u64 {
        self.columns.capacity()
    }

    /// Returns true if the cache has no column.
    pub(super) fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Returns true if the cache has a column.
    pub(super) fn has(&self, key: &Key) -> bool {
        self.columns.contains_key(key)
    }

    /// A column, if the cache has it.
    pub(super) fn get(&self, key: &Key) -> Option<CachedColumn> {
        self.columns.get(key)
    }

    /// Adds a column that was read.
    pub(super) fn keep(&self, key: Key, column: CachedColumn) {
        self.columns.insert(key, column);
    }

    /// A column, which is loaded if it is not cached.
    pub(crate) fn column(
        &self,
        key: &Key,
        load: impl FnOnce() -> Result<CachedColumn, ArchiveError>,
    ) -> Result<CachedColumn, ArchiveError> {
        self.columns.get_or_insert_with(key, load)
    }
}
