//! Cached columns for query engines.
//!
//! The moves are most of an archive's bytes. Without the cache, each query would read them from a file, verify
//! checksums, decompress and copy them. Searches cache the same pages, and a scan gets views of these.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, UInt32Array};
use arrow_schema::SchemaRef;
use arrow_select::take::take;

use super::Columns;
use super::cache::{Cache, Key, Kind};
use super::group::{Group, Moves};
use crate::error::ArchiveError;
use crate::snapshot::schema::{Column, ColumnType, file_schema};

/// Returns true if scans can use cached pages of a column: moves, and columns of fixed width.
pub(crate) fn is_kept(column: &Column) -> bool {
    column.name == MOVES
        || matches!(column.kind, ColumnType::Long | ColumnType::Int | ColumnType::Date)
}

const MOVES: &str = "moves";

/// The matching games of a row group, as its rows, in ascending order.
#[derive(Debug)]
pub(crate) struct GroupMatches {
    pub(crate) group: Group,
    pub(crate) rows: Vec<u32>,
}

/// The part of a row group that a scan reads.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) group: Group,
    pub(crate) rows: ScannedRows,
}

/// The rows of a row group that a scan reads.
#[derive(Debug, Clone)]
pub(crate) enum ScannedRows {
    /// The first rows, by their number.
    First(u32),
    /// Some rows, in ascending order.
    Some(Arc<[u32]>),
}

impl ScannedRows {
    fn of(group: &Group, rows: Vec<u32>) -> Self {
        match rows.len() == group.rows() {
            true => Self::First(rows.len() as u32),
            false => Self::Some(rows.into()),
        }
    }

    fn count(&self) -> usize {
        match self {
            Self::First(count) => *count as usize,
            Self::Some(rows) => rows.len(),
        }
    }
}

impl Columns {
    /// The parts of a scan of some columns, of all games or of matching ones, if the scan should use the cache.
    ///
    /// For a program with a single query, it is fastest and takes no memory if the engine reads the files. So columns
    /// are cached from the second scan on; columns that searches have cached are used immediately if they are most of
    /// those needed. A scan must not evict the columns that searches need, so it takes at most half of the cache. From
    /// an object store, pages would be fetched one by one, so all must be cached.
    pub(crate) fn kept_parts(
        &self,
        columns: &[&'static str],
        found: Option<&[GroupMatches]>,
    ) -> Result<Option<Vec<Part>>, ArchiveError> {
        let (cache, stays) = (self.cache(), self.cache().scans_again());
        if !stays && cache.is_empty() {
            return Ok(None);
        }
        let parts = match found {
            Some(found) => found.iter().map(Part::found).collect(),
            None => self.groups()?.into_iter().map(Part::live).collect::<Vec<_>>(),
        };
        let parts: Vec<Part> = parts.into_iter().filter(|part| part.count() > 0).collect();
        let bytes = parts.iter().map(|part| part.unpacked_bytes(columns)).sum::<u64>();
        if parts.is_empty() || bytes > cache.max_bytes() / 2 {
            return Ok(None);
        }
        let is_folder = self.snapshot().location().is_folder();
        if stays && is_folder {
            return Ok(Some(parts));
        }
        let (mut there, mut all) = (0, 0);
        for key in parts.iter().flat_map(|part| part.keys(columns)) {
            all += 1;
            there += usize::from(cache.has(&key));
        }
        let is_used = there == all || is_folder && 2 * there > all;
        Ok(is_used.then_some(parts))
    }
}

impl Part {
    fn found(matches: &GroupMatches) -> Self {
        Self {
            group: matches.group.clone(),
            rows: ScannedRows::of(&matches.group, matches.rows.clone()),
        }
    }

    fn live(group: Group) -> Self {
        let all = 0..group.rows() as u32;
        let rows = match group.has_deleted() {
            true => {
                let live = all.filter(|row| !group.is_deleted(*row as usize));
                ScannedRows::of(&group, live.collect())
            }
            false => ScannedRows::First(all.end),
        };
        Self { group, rows }
    }

    /// The number of its games.
    pub(crate) fn count(&self) -> usize {
        self.rows.count()
    }

    /// Its first games.
    pub(crate) fn first(self, most: usize) -> Self {
        if most >= self.count() {
            return self;
        }
        let rows = match &self.rows {
            ScannedRows::First(_) => ScannedRows::First(most as u32),
            ScannedRows::Some(rows) => ScannedRows::Some(rows[..most].into()),
        };
        Self { rows, ..self }
    }

    fn unpacked_bytes(&self, columns: &[&'static str]) -> u64 {
        columns.iter().map(|column| self.group.unpacked_bytes_of(column)).sum()
    }

    /// The cache keys of the columns.
    fn keys(&self, columns: &[&'static str]) -> Vec<Key> {
        let mut keys = Vec::new();
        for column in columns {
            match *column {
                MOVES => {
                    let starts = self.group.pages_of(MOVES);
                    let ends = starts.iter().skip(1).copied().chain([self.group.rows() as u32]);
                    let pages = starts.iter().zip(ends).enumerate();
                    let pages = pages.filter(|(_, (start, end))| self.has_any(**start..*end));
                    keys.extend(pages.map(|(page, _)| self.group.key(Kind::Moves(page))));
                }
                column => keys.push(self.group.key(Kind::Shown(column))),
            }
        }
        keys
    }

    fn has_any(&self, rows: Range<u32>) -> bool {
        match &self.rows {
            ScannedRows::First(count) => rows.start < *count,
            ScannedRows::Some(some) => {
                let first = some.partition_point(|row| *row < rows.start);
                some.get(first).is_some_and(|row| *row < rows.end)
            }
        }
    }

    /// The columns, loaded if not cached.
    pub(crate) fn load(
        &self,
        columns: &[&'static str],
        cache: &Cache,
    ) -> Result<Vec<Loaded>, ArchiveError> {
        let load = |column: &&'static str| {
            Ok(match *column {
                MOVES => Loaded::Moves(match &self.rows {
                    ScannedRows::First(count) => self.group.moves(cache, 0..*count)?,
                    ScannedRows::Some(rows) => self.group.moves(cache, rows.iter().copied())?,
                }),
                column => {
                    let kind = file_schema();
                    let kind = kind.field_with_name(column)?.data_type();
                    Loaded::Numbers(self.group.shown_column(column, kind, cache)?)
                }
            })
        };
        columns.iter().map(load).collect()
    }

    /// Some of the games, by their index in this part, with columns that were loaded.
    pub(crate) fn batch(
        &self,
        columns: &[Loaded],
        games: Range<usize>,
        schema: &SchemaRef,
    ) -> Result<RecordBatch, ArchiveError> {
        let column = |column: &Loaded| {
            Ok(match (column, &self.rows) {
                (Loaded::Moves(moves), ScannedRows::First(_)) => {
                    moves.views(games.start as u32..games.end as u32)?
                }
                (Loaded::Moves(moves), ScannedRows::Some(rows)) => {
                    moves.copies(&rows[games.clone()])
                }
                (Loaded::Numbers(all), ScannedRows::First(_)) => {
                    all.slice(games.start, games.len())
                }
                (Loaded::Numbers(all), ScannedRows::Some(rows)) => {
                    take(all, &UInt32Array::from(rows[games.clone()].to_vec()), None)?
                }
            })
        };
        let columns: Result<Vec<ArrayRef>, ArchiveError> = columns.iter().map(column).collect();
        Ok(RecordBatch::try_new(Arc::clone(schema), columns?)?)
    }
}

/// A column of a row group, in memory.
#[derive(Debug)]
pub(crate) enum Loaded {
    Moves(Moves),
    /// A column of fixed width.
    Numbers(ArrayRef),
}
