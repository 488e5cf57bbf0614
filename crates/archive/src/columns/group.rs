//! Row groups, and their columns in the form used by searches.

mod arrays;
mod moves;
mod texts;

use std::ops::{Range, RangeInclusive};
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, Int32Array, Int64Array, RecordBatch, StringArray, UInt32Array,
};
use arrow_schema::DataType;
use arrow_select::take::take;
use halfmove_game::replay::{Signature, SignatureBounds, Signatures};
use halfmove_game::tally::Results;
use parquet::file::reader::ChunkReader;
use roaring::RoaringTreemap;

pub(crate) use self::moves::Moves;
use super::Columns;
use super::cache::{Cache, CachedColumn, Key, Kind};
use super::footer::{FileOrder, Footer};
use crate::error::{ArchiveError, of_file};
use crate::snapshot::DataFile;
use crate::snapshot::schema::{conform, file_schema};

/// A row group of a file.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    path: Arc<Path>,
    footer: Arc<Footer>,
    /// The index of the file in the snapshot.
    pub(crate) file: usize,
    pub(crate) index: usize,
    rows: usize,
    /// The id of its first game, if the ids are consecutive.
    first_id: Option<i64>,
    /// The smallest id of its file.
    lowest_id: i64,
    /// The rows that are deleted.
    deleted: Option<Arc<RowSet>>,
}

impl Columns {
    /// All row groups of the snapshot, in the order of the files.
    pub(crate) fn groups(&self) -> Result<Vec<Group>, ArchiveError> {
        self.fetch_footers()?;
        let mut groups = Vec::new();
        for number in 0..self.files().len() {
            groups.extend(self.groups_of(number)?);
        }
        Ok(groups)
    }

    /// The row groups of a file, given its index in the snapshot.
    pub(crate) fn groups_of(&self, number: usize) -> Result<Vec<Group>, ArchiveError> {
        let Some(file) = self.files().get(number) else { return Ok(Vec::new()) };
        let mut groups = Vec::new();
        let DataFile { path, first_id, last_id, .. } = file;
        let footer = self.cache().footer(file)?;
        // The range of ids may be that of all integers.
        let width = last_id.abs_diff(*first_id).checked_add(1);
        let is_in_order = footer.order == FileOrder::Ids && Some(file.rows()) == width;
        let mut next_id = is_in_order.then_some(*first_id);
        let mut all_deleted = file.deleted.iter().flat_map(|rows| rows.iter()).peekable();
        let mut all = 0;
        for (index, rows) in footer.groups().enumerate() {
            let (path, footer) = (Arc::clone(path), Arc::clone(&footer));
            let deleted = file.deleted.is_some().then(|| {
                let mut deleted = RowSet::none(rows);
                while let Some(row) = all_deleted.next_if(|row| *row < all + rows as u64) {
                    deleted.add((row - all) as usize);
                }
                Arc::new(deleted)
            });
            let (file, first_id, lowest_id) = (number, next_id, *first_id);
            groups.push(Group { path, footer, file, index, rows, first_id, lowest_id, deleted });
            next_id = next_id.and_then(|id| id.checked_add(rows as i64));
            all += rows as u64;
        }
        if all != file.rows() {
            let why = format!("it holds {all} games, the log says {}", file.rows());
            return Err(ArchiveError::in_file(path, why));
        }
        Ok(groups)
    }
}

impl Group {
    /// The number of its games, including deleted ones.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Returns true if a row is deleted.
    pub(crate) fn is_deleted(&self, row: usize) -> bool {
        self.deleted.as_ref().is_some_and(|deleted| deleted.has(row as u32))
    }

    /// The number of its games, without deleted ones.
    pub(crate) fn live_row_count(&self) -> u64 {
        (0..self.rows).filter(|row| !self.is_deleted(*row)).count() as u64
    }

    /// Returns true if any row is deleted.
    pub(crate) fn has_deleted(&self) -> bool {
        self.deleted.is_some()
    }

    /// The number of its games that are in a set, without deleted ones.
    pub(crate) fn live_rows_of(
        &self,
        ids: &RoaringTreemap,
        cache: &Cache,
    ) -> Result<u64, ArchiveError> {
        let rows = self.ids(cache)?.rows(ids, self.rows);
        let live = (0..self.rows).filter(|row| rows.has(*row as u32) && !self.is_deleted(*row));
        Ok(live.count() as u64)
    }

    /// The path of its file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns true if its games have signatures of the current version.
    pub(crate) fn is_signed(&self) -> bool {
        self.footer.is_signed
    }

    /// The bounds of its signatures, if known.
    pub(crate) fn bounds(&self) -> Option<&SignatureBounds> {
        self.footer.bounds.get(self.index)
    }

    /// Returns true if any derived column is missing or outdated in its file.
    pub(crate) fn is_stale(&self) -> bool {
        self.footer.is_stale()
    }

    /// Returns true if this derived column is missing or outdated in its file.
    pub(crate) fn is_stale_in(&self, column: &str) -> bool {
        self.footer.is_stale_in(column)
    }

    /// The uncompressed size of its columns in bytes.
    pub(crate) fn unpacked_bytes(&self) -> u64 {
        self.footer.unpacked_bytes_of(self.index)
    }

    /// Returns true if its ids are consecutive.
    pub(crate) fn is_in_order(&self) -> bool {
        self.first_id.is_some()
    }

    /// The id of a row, if the ids are consecutive.
    pub(crate) fn id_in_order(&self, row: usize) -> Option<i64> {
        self.first_id.map(|first| first + row as i64)
    }

    /// Passes the problems of its pages to `report`.
    pub(crate) fn each_damaged_page(&self, mut report: impl FnMut(ArchiveError)) {
        let Some(pages) = self.footer.pages() else { return };
        let range = self.footer.bytes_of(self.index);
        let read = self.footer.open(&self.path).and_then(|file| {
            let length = usize::try_from(range.end - range.start).unwrap_or(usize::MAX);
            file.get_bytes(range.start, length).map_err(|error| of_file(&self.path, &error))
        });
        let checked = read.and_then(|bytes| {
            pages.each_damaged(range.start, &bytes, |error| {
                report(error);
                Ok(())
            })
        });
        if let Err(error) = checked {
            report(error);
        }
    }

    /// Reads some rows with some columns of the current format, in batches; columns that the file lacks are null.
    pub(crate) fn each_batch(
        &self,
        columns: &[&str],
        rows: Range<usize>,
        step: usize,
        mut work: impl FnMut(&RecordBatch) -> Result<(), ArchiveError>,
    ) -> Result<(), ArchiveError> {
        for batch in self.footer.read_batches(&self.path, self.index, columns, rows, step)? {
            work(&conform(&batch?, columns)?)?;
        }
        Ok(())
    }

    pub(crate) fn key(&self, kind: Kind) -> Key {
        Key { path: Arc::clone(&self.path), group: self.index, kind }
    }

    /// The first row of each page of a column.
    pub(super) fn pages_of(&self, column: &str) -> Vec<u32> {
        self.footer.pages_of(self.index, column)
    }

    pub(crate) fn wrong(&self, column: &str) -> ArchiveError {
        ArchiveError::in_file(&self.path, format!("the column {column} has another type"))
    }

    /// The moves of some pages, in ascending order.
    fn read_moves(&self, pages: &[usize]) -> Result<Vec<BinaryArray>, ArchiveError> {
        if let Some(cells) = self.footer.cells(&self.path, self.index, "moves", pages)? {
            return Ok(cells);
        }
        let starts = self.pages_of("moves");
        let rows = |page: usize| {
            let end = starts.get(page + 1).map_or(self.rows, |end| *end as usize);
            starts.get(page).map_or(end, |start| *start as usize)..end
        };
        pages.iter().map(|page| self.read_bytes("moves", rows(*page))).collect()
    }

    /// All cells of signatures, in one array or one per page.
    fn read_signatures(&self) -> Result<Vec<BinaryArray>, ArchiveError> {
        let pages: Vec<usize> = (0..self.pages_of("signature").len()).collect();
        let cells = self.footer.cells(&self.path, self.index, "signature", &pages)?;
        // All rows at once, so that a damaged page index does not matter.
        cells.map_or_else(|| Ok(vec![self.read_bytes("signature", 0..self.rows)?]), Ok)
    }

    /// The bytes of a column without nulls.
    pub(crate) fn read_bytes(
        &self,
        column: &str,
        rows: Range<usize>,
    ) -> Result<BinaryArray, ArchiveError> {
        let array = self.read(column, rows)?;
        let bytes = array.as_binary_opt::<i32>().filter(|bytes| bytes.null_count() == 0);
        bytes.cloned().ok_or_else(|| self.wrong(column))
    }

    /// The signatures; computed from the moves if the file has none.
    pub(crate) fn signatures(&self, cache: &Cache) -> Result<Arc<Signatures>, ArchiveError> {
        let column = cache.column(&self.key(Kind::Signatures), || {
            let signatures = if self.footer.is_signed {
                let pages = self.read_signatures()?;
                let mut lengths = pages.iter().flat_map(|page| page.offsets().lengths());
                if lengths.any(|length| length != Signature::BYTES) {
                    return Err(self.wrong("signature"));
                }
                Signatures::of_pages(pages.iter().map(BinaryArray::value_data))
            } else {
                let moves = self.all_moves(cache)?;
                let mut cells = Vec::with_capacity(Signature::BYTES * self.rows);
                for row in 0..u32::try_from(self.rows).unwrap_or(u32::MAX) {
                    let signature = Signature::of(moves.of(row));
                    let signature = signature.map_err(|error| self.damaged(cache, row, &error))?;
                    cells.extend(signature.to_bytes());
                }
                Signatures::new(&cells)
            };
            Ok(CachedColumn::Signatures(Arc::new(signatures)))
        })?;
        match column {
            CachedColumn::Signatures(signatures) => Ok(signatures),
            _ => Err(self.wrong("signature")),
        }
    }

    /// The ids. An id below 1 is an error: sets of games cannot contain it, so the game would be silently dropped.
    pub(crate) fn ids(&self, cache: &Cache) -> Result<Ids, ArchiveError> {
        let ids = self.all_ids(cache)?;
        if self.lowest_id < 1 {
            let live = (0..self.rows as u32).filter(|row| !self.is_deleted(*row as usize));
            if let Some(id) = live.map(|row| ids.of(row)).find(|id| *id < 1) {
                return Err(ArchiveError::in_file(
                    &self.path,
                    format!("game {id}: ids begin with 1"),
                ));
            }
        }
        Ok(ids)
    }

    fn all_ids(&self, cache: &Cache) -> Result<Ids, ArchiveError> {
        if let Some(first) = self.first_id {
            return Ok(Ids::From(first));
        }
        let column = cache.column(&self.key(Kind::Ids), || {
            let ids = self.read("id", 0..self.rows)?;
            let ids = ids.as_primitive_opt::<Int64Type>().filter(|ids| ids.null_count() == 0);
            Ok(CachedColumn::Ids(ids.cloned().ok_or_else(|| self.wrong("id"))?))
        })?;
        match column {
            CachedColumn::Ids(ids) => Ok(Ids::Column(ids)),
            _ => Err(self.wrong("id")),
        }
    }

    /// The results, as indices of [`Results`].
    pub(crate) fn results(&self, cache: &Cache) -> Result<Arc<[u8]>, ArchiveError> {
        let column = cache.column(&self.key(Kind::Results), || {
            let texts = self.distinct("result")?;
            let results: Vec<u8> = texts.texts().iter().map(Results::index).collect();
            let of = |row| texts.number(row).map_or(Results::index(None), |text| results[text]);
            Ok(CachedColumn::Results((0..self.rows).map(of).collect()))
        })?;
        match column {
            CachedColumn::Results(results) => Ok(results),
            _ => Err(self.wrong("result")),
        }
    }

    /// Some rows, in ascending order, with some columns.
    pub(crate) fn select(
        &self,
        rows: &[u32],
        columns: &[&str],
    ) -> Result<Vec<RecordBatch>, ArchiveError> {
        let batches = self.footer.select(&self.path, self.index, rows, columns)?;
        batches.iter().map(|batch| conform(batch, columns)).collect()
    }

    /// Some rows, in ascending order, with some columns, which are cached.
    pub(super) fn shown(
        &self,
        rows: &[u32],
        columns: &[&'static str],
        cache: &Cache,
    ) -> Result<Vec<RecordBatch>, ArchiveError> {
        let rows = UInt32Array::from(rows.to_vec());
        let schema = file_schema();
        let mut arrays = Vec::with_capacity(columns.len());
        for column in columns {
            let field = schema.field_with_name(column)?;
            let all = self.shown_column(column, field.data_type(), cache)?;
            arrays.push((column, plain(take(&all, &rows, None)?)));
        }
        let batch = RecordBatch::try_from_iter(arrays)?;
        Ok(vec![conform(&batch, columns)?])
    }

    /// A cached column; texts are a dictionary.
    pub(super) fn shown_column(
        &self,
        column: &'static str,
        kind: &DataType,
        cache: &Cache,
    ) -> Result<ArrayRef, ArchiveError> {
        let load = || {
            Ok(CachedColumn::Shown(match kind {
                DataType::Utf8 => self.read_dictionary(column)?,
                _ => self.read(column, 0..self.rows)?,
            }))
        };
        match cache.column(&self.key(Kind::Shown(column)), load)? {
            CachedColumn::Shown(all) => Ok(all),
            _ => Err(self.wrong(column)),
        }
    }

    /// The uncompressed size of a column in bytes.
    pub(super) fn unpacked_bytes_of(&self, column: &str) -> u64 {
        self.footer.unpacked_bytes_of_column(self.index, column)
    }

    /// The error for invalid bytes of a game.
    pub(crate) fn damaged(
        &self,
        cache: &Cache,
        row: u32,
        error: &dyn std::fmt::Display,
    ) -> ArchiveError {
        match self.ids(cache) {
            Ok(ids) => ArchiveError::in_file(&self.path, format!("game {}: {error}", ids.of(row))),
            Err(error) => error,
        }
    }
}

/// A column without a dictionary: the text of each row.
fn plain(column: ArrayRef) -> ArrayRef {
    let texts = column.as_dictionary_opt::<Int32Type>().and_then(|numbers| {
        let texts: &StringArray = numbers.values().as_string_opt()?;
        let text = |key: Option<usize>| {
            let key = key.filter(|key| texts.is_valid(*key))?;
            Some(texts.value(key))
        };
        Some(numbers.keys_iter().map(text).collect::<StringArray>())
    });
    texts.map_or(column, |texts| Arc::new(texts))
}

/// A number; `None` for null.
pub(crate) fn value(numbers: &Int32Array, row: usize) -> Option<i32> {
    numbers.is_valid(row).then(|| numbers.value(row))
}

/// The ids of a row group.
#[derive(Debug, Clone)]
pub(crate) enum Ids {
    /// Consecutive ids from this one on.
    From(i64),
    /// Ids in any order.
    Column(Int64Array),
}

impl Ids {
    pub(crate) fn of(&self, row: u32) -> i64 {
        match self {
            Self::From(first) => first + i64::from(row),
            Self::Column(ids) => ids.value(row as usize),
        }
    }

    /// The rows of the games in a set of ids, in ascending order.
    pub(crate) fn rows_of(&self, selected: &RoaringTreemap, rows: usize) -> Vec<u32> {
        self.rows(selected, rows).iter().collect()
    }

    /// The rows, in ascending order, of the games in a range of ids, and in a set of ids if there is one.
    pub(crate) fn rows_among(
        &self,
        ids: &RangeInclusive<u64>,
        selected: Option<&RoaringTreemap>,
        rows: usize,
    ) -> Vec<u32> {
        let is_here = |row: &u32| u64::try_from(self.of(*row)).is_ok_and(|id| ids.contains(&id));
        match selected {
            Some(selected) => self.rows(selected, rows).iter().filter(is_here).collect(),
            None => (0..rows as u32).filter(is_here).collect(),
        }
    }

    /// The rows of the games in a set of ids.
    pub(crate) fn rows(&self, selected: &RoaringTreemap, rows: usize) -> RowSet {
        let mut set = RowSet::none(rows);
        match self {
            Self::From(first) => {
                let first = u64::try_from(*first).unwrap_or(0);
                let mut here = RoaringTreemap::new();
                here.insert_range(first..first + rows as u64);
                here &= selected;
                for id in here {
                    set.add((id - first) as usize);
                }
            }
            Self::Column(ids) => {
                for (row, id) in ids.values().iter().enumerate() {
                    if u64::try_from(*id).is_ok_and(|id| selected.contains(id)) {
                        set.add(row);
                    }
                }
            }
        }
        set
    }
}

/// A set of rows of a row group.
#[derive(Debug)]
pub(crate) struct RowSet(Vec<u64>);

impl RowSet {
    /// An empty set for this number of rows.
    fn none(rows: usize) -> Self {
        Self(vec![0; rows.div_ceil(64)])
    }

    /// All rows, in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let words = self.0.iter().zip((0_u32..).step_by(64));
        words.flat_map(|(word, first)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let row = (left != 0).then(|| first + left.trailing_zeros());
                left &= left.wrapping_sub(1);
                row
            })
        })
    }

    fn add(&mut self, row: usize) {
        if let Some(word) = self.0.get_mut(row / 64) {
            *word |= 1 << (row % 64);
        }
    }

    pub(crate) fn has(&self, row: u32) -> bool {
        self.0.get(row as usize / 64).is_some_and(|word| word >> (row % 64) & 1 == 1)
    }
}
