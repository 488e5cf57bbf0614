//! Scans for query engines: the files of an archive, pages verified by checksums, rows that match a condition, and
//! cached columns.
//!
//! An engine that reads Parquet itself uses [`Scan::files`], selects the rows of [`Scan::live_rows`] and
//! [`Scan::find`], and reads through [`Scan::open`]. If [`Scan::kept`] returns parts, it needs no files.
//!
//! A second facade: may import `Archive` and all layers below it except `change`.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use halfmove_archive::Archive;
//! use halfmove_archive::scan::{Scan, ScanCondition};
//! use halfmove_rules::Chess;
//!
//! # let folder = tempfile::tempdir()?;
//! # let archive = Archive::create(folder.path().join("games"))?;
//! # let mut importer = archive.importer();
//! # importer.push(&halfmove_game::pgn::read_game("1. e4 e5 *")?, None)?;
//! # importer.commit()?;
//! # let archive = archive.refresh()?;
//! let scan = Scan::of(&archive);
//! assert_eq!((scan.files().len(), scan.files()[0].games), (1, 1));
//! let found = scan.find(&[ScanCondition::Position(Chess::default().into())])?;
//! assert_eq!(found.rows().next().map(|group| group.rows.to_vec()), Some(vec![0]));
//! # Ok(())
//! # }
//! ```

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use bytes::Bytes;
use halfmove_game::replay::{BoardCondition, BoardQuery, Query};
use halfmove_rules::AnyPosition;
use parquet::file::metadata::ParquetMetaData;

use crate::Archive;
use crate::columns::scan::{self, GroupMatches, Loaded};
use crate::columns::{CancelToken, CheckedFile, Columns, Group};
use crate::error::ArchiveError;
use crate::schema::Column;
use crate::search::{Matcher, Prepared};

/// The files of an archive, as a query engine scans them.
#[derive(Debug, Clone)]
pub struct Scan {
    columns: Columns,
    files: Arc<[ScanFile]>,
}

/// A data file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScanFile {
    /// Its path; in an object store, its display name.
    pub path: Arc<Path>,
    /// Its length in bytes.
    pub bytes: u64,
    /// The number of its games, without deleted ones.
    pub games: u64,
    /// The smallest id in it, or less.
    pub first_id: i64,
    /// The largest id in it, or more.
    pub last_id: i64,
    /// True if some of its rows are deleted.
    pub has_deleted: bool,
}

/// A condition that the archive evaluates on behalf of the engine.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "a scan has one or two of them")]
pub enum ScanCondition {
    /// The position arises in the game.
    Position(AnyPosition),
    /// A position of the game meets these conditions.
    Board(BoardCondition),
}

/// Matching games, by row groups.
#[derive(Debug)]
pub struct ScanMatches(Vec<GroupMatches>);

/// Some rows of a row group.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct GroupRows<'a> {
    /// The index of the file in [`Scan::files`].
    pub file: usize,
    /// The number of rows of the row group.
    pub all: usize,
    /// The rows, in ascending order.
    pub rows: std::borrow::Cow<'a, [u32]>,
}

/// Games of a row group whose columns are available in memory.
#[derive(Debug, Clone)]
pub struct ScanPart(scan::Part);

/// Columns of a [`ScanPart`], in memory.
#[derive(Debug)]
pub struct ScanColumns(Vec<Loaded>);

/// A reader of the pages of a file, each verified by its checksum.
#[derive(Debug)]
pub struct PageReader {
    file: CheckedFile,
    metadata: Arc<ParquetMetaData>,
}

impl Scan {
    /// The scan of a snapshot.
    pub fn of(archive: &Archive) -> Self {
        let columns = archive.columns.clone();
        let files = columns.files().iter().map(|file| ScanFile {
            path: Arc::clone(&file.path),
            bytes: file.bytes,
            games: file.games,
            first_id: file.first_id,
            last_id: file.last_id,
            has_deleted: file.deleted.is_some(),
        });
        Self { files: files.collect(), columns }
    }

    /// The same scan, with a cancellation token. A token of the archive cancels it, too.
    #[must_use]
    pub fn with_cancel(&self) -> (Self, CancelToken) {
        let token = self.columns.cancel().child();
        (Self { columns: self.columns.with_cancel(&token), ..self.clone() }, token)
    }

    /// Returns true if the files are in a local folder, and not in an object store.
    pub fn is_folder(&self) -> bool {
        self.columns.snapshot().location().is_folder()
    }

    /// The files, in the order of their ids.
    pub fn files(&self) -> &[ScanFile] {
        &self.files
    }

    /// Checks that the files of a folder exist with the right lengths, because an engine counts games without opening
    /// them.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Damaged`] if one is missing or has another length.
    pub fn check_there(&self) -> Result<(), ArchiveError> {
        self.columns.snapshot().check_there()
    }

    /// The rows of a file that are not deleted, by row groups.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Damaged`] and [`ArchiveError::Io`] if the file cannot be read.
    pub fn live_rows(&self, file: usize) -> Result<Vec<GroupRows<'static>>, ArchiveError> {
        let groups = self.columns.groups_of(file)?;
        let live = |group: &Group| {
            let all = 0..group.rows() as u32;
            let rows = all.filter(|row| !group.is_deleted(*row as usize)).collect::<Vec<u32>>();
            GroupRows { file, all: group.rows(), rows: rows.into() }
        };
        Ok(groups.iter().map(live).collect())
    }

    /// Returns true if the games of each file are in the order of their ids; the files themselves are.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Damaged`] and [`ArchiveError::Io`] if a footer cannot be read.
    pub fn is_in_order(&self) -> Result<bool, ArchiveError> {
        let files = self.columns.files().iter();
        let mut are_in_order = files.map(|file| Ok(self.columns.cache().footer(file)?.is_by_id()));
        are_in_order.try_fold(true, |all, file: Result<bool, ArchiveError>| Ok(all && file?))
    }

    /// The games that match all conditions.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Damaged`] and [`ArchiveError::Io`] if they cannot be read, [`ArchiveError::Stopped`].
    pub fn find(&self, conditions: &[ScanCondition]) -> Result<ScanMatches, ArchiveError> {
        let prepared = conditions.iter().map(|condition| match condition {
            ScanCondition::Position(position) => Query::new(position).into(),
            ScanCondition::Board(condition) => Prepared::Board(BoardQuery::new(condition)),
        });
        Matcher::of_prepared(prepared.collect()).by_group(&self.columns).map(ScanMatches)
    }

    /// The games of the archive, or those that match, if the engine should take these columns from the cache, because
    /// they are cached or likely to be needed again. `None` if it should read the files.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Damaged`] and [`ArchiveError::Io`] if the footers cannot be read.
    pub fn kept(
        &self,
        columns: &[&'static str],
        found: Option<&ScanMatches>,
    ) -> Result<Option<Vec<ScanPart>>, ArchiveError> {
        let parts = self.columns.kept_parts(columns, found.map(|found| found.0.as_slice()))?;
        Ok(parts.map(|parts| parts.into_iter().map(ScanPart).collect()))
    }

    /// Loads the columns of a part that are not cached.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Damaged`] and [`ArchiveError::Io`] if they cannot be read.
    pub fn load(
        &self,
        part: &ScanPart,
        columns: &[&'static str],
    ) -> Result<ScanColumns, ArchiveError> {
        part.0.load(columns, self.columns.cache()).map(ScanColumns)
    }

    /// Opens a file, given its index, to read pages.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Damaged`] and [`ArchiveError::Io`] if it cannot be read.
    pub fn open(&self, file: usize) -> Result<PageReader, ArchiveError> {
        let missing = || ArchiveError::damaged(format!("there is no file with the number {file}"));
        let file = self.columns.files().get(file).ok_or_else(missing)?;
        let footer = self.columns.cache().footer(file)?;
        let metadata = Arc::clone(footer.metadata());
        Ok(PageReader { file: footer.checked(&file.path)?, metadata })
    }

    /// Returns true if scans can cache a column: moves, and columns of fixed width.
    pub fn can_keep(column: &Column) -> bool {
        scan::is_kept(column)
    }
}

impl ScanMatches {
    /// The matching rows of each row group, even if there are none.
    pub fn rows(&self) -> impl Iterator<Item = GroupRows<'_>> {
        self.0.iter().map(|GroupMatches { group, rows }| GroupRows {
            file: group.file,
            all: group.rows(),
            rows: rows.as_slice().into(),
        })
    }
}

impl ScanPart {
    /// The index of the file in [`Scan::files`].
    pub fn file(&self) -> usize {
        self.0.group.file
    }

    /// The number of games.
    pub fn count(&self) -> usize {
        self.0.count()
    }

    /// Its first games.
    #[must_use]
    pub fn first(self, most: usize) -> Self {
        Self(self.0.first(most))
    }

    /// Some of the games, by their index in this part, with columns that were loaded. The schema has these columns,
    /// with bytes as views.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Damaged`] if the columns do not have the types of the schema.
    pub fn batch(
        &self,
        columns: &ScanColumns,
        games: Range<usize>,
        schema: &SchemaRef,
    ) -> Result<RecordBatch, ArchiveError> {
        self.0.batch(&columns.0, games, schema)
    }
}

impl PageReader {
    /// The footer of the file.
    pub fn metadata(&self) -> &Arc<ParquetMetaData> {
        &self.metadata
    }

    /// The bytes of a range, which consists of whole pages.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Damaged`] if a page has been altered, [`ArchiveError::Io`].
    pub fn bytes(&self, range: Range<u64>) -> Result<Bytes, ArchiveError> {
        self.file.bytes(range)
    }

    /// Announces reads, for prefetching: from an object store, the ranges are fetched now, in few requests.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Io`].
    pub fn fetch(&self, ranges: &[Range<u64>]) -> Result<(), ArchiveError> {
        self.file.fetch(ranges)
    }
}
