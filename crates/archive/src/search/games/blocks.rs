//! Reads games in the order of their ids from files that have another order.
//!
//! The ids are cut into blocks, and the games of one block are gathered and sorted before those of the next are
//! read. A file in another order is read once for each of its blocks.

use std::collections::VecDeque;
use std::ops::{Range, RangeInclusive};

use arrow_array::{RecordBatch, UInt32Array};
use arrow_select::interleave::interleave_record_batch;
use arrow_select::take::take_record_batch;
use roaring::RoaringTreemap;

use crate::columns::{Columns, Group};
use crate::error::ArchiveError;

/// The maximum number of ids in a block of games that are in order.
const IN_ORDER: u64 = 32_768;

/// The approximate number of further bytes of a game when its texts are stored in full instead of in dictionaries.
const TEXTS: u64 = 250;

/// The maximum number of games in a batch.
const GAMES: usize = 4_096;

/// If less than one in this number of the games of a row group is needed, the games are selected while reading.
const FEW: usize = 8;

/// The games still to be read.
#[derive(Debug)]
pub(super) struct Blocks {
    columns: Columns,
    /// The ids of the games to read; `None` for all.
    selected: Option<RoaringTreemap>,
    /// The names of the columns to read.
    names: Vec<&'static str>,
    blocks: VecDeque<Block>,
    /// The games of the current block.
    games: Vec<RecordBatch>,
    /// The batches and rows of the games that are left, in reverse order of their ids.
    left: Vec<(usize, usize)>,
}

/// A range of ids, and the files that may have games with these.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Block {
    files: Range<usize>,
    ids: RangeInclusive<u64>,
}

impl Blocks {
    pub(super) fn new(
        columns: &Columns,
        selected: Option<RoaringTreemap>,
        names: Vec<&'static str>,
    ) -> Result<Self, ArchiveError> {
        let mut blocks = VecDeque::new();
        let files = columns.files();
        let mut start = 0;
        while let Some(first) = files.get(start) {
            // Files whose ids overlap are read together.
            let (mut end, mut last_id) = (start + 1, first.last_id);
            while let Some(next) = files.get(end).filter(|next| next.first_id <= last_id) {
                last_id = last_id.max(next.last_id);
                end += 1;
            }
            cut(columns, start..end, id_of(first.first_id)..=id_of(last_id), &mut blocks)?;
            start = end;
        }
        let (games, left) = (Vec::new(), Vec::new());
        Ok(Self { columns: columns.clone(), selected, names, blocks, games, left })
    }

    /// The next games, in order; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<RecordBatch>, ArchiveError> {
        while self.left.is_empty() {
            self.games.clear();
            let Some(block) = self.blocks.pop_front() else { return Ok(None) };
            self.read(block)?;
        }
        let mut some = self.left.split_off(self.left.len().saturating_sub(GAMES));
        some.reverse();
        let games: Vec<&RecordBatch> = self.games.iter().collect();
        Ok(Some(interleave_record_batch(&games, &some)?))
    }

    /// Gathers the games of a block.
    fn read(&mut self, Block { files, ids }: Block) -> Result<(), ArchiveError> {
        let selected = self.selected.as_ref();
        let before = |selected: &RoaringTreemap| match ids.start().checked_sub(1) {
            Some(id) => selected.rank(id),
            None => 0,
        };
        if selected.is_some_and(|selected| selected.rank(*ids.end()) == before(selected)) {
            return Ok(());
        }
        let mut groups = Vec::new();
        for number in files {
            groups.extend(self.columns.groups_of(number)?);
        }
        let found = self.columns.each(&groups, |group| self.gather(group, &ids, selected))?;
        let mut places: Vec<(i64, usize, usize)> = Vec::new();
        for (ids, some) in found {
            let mut ids = ids.into_iter();
            for batch in some {
                let rows = ids.by_ref().take(batch.num_rows()).zip(0..);
                places.extend(rows.map(|(id, row)| (id, self.games.len(), row)));
                self.games.push(batch);
            }
        }
        places.sort_unstable_by(|a, b| b.cmp(a));
        self.left.extend(places.into_iter().map(|(_, batch, row)| (batch, row)));
        Ok(())
    }

    /// The games of a row group to read, with their ids.
    fn gather(
        &self,
        group: &Group,
        block: &RangeInclusive<u64>,
        selected: Option<&RoaringTreemap>,
    ) -> Result<(Vec<i64>, Vec<RecordBatch>), ArchiveError> {
        let ids = group.ids(self.columns.cache())?;
        let mut rows = ids.rows_among(block, selected, group.rows());
        rows.retain(|row| !group.is_deleted(*row as usize));
        let ids = rows.iter().map(|row| ids.of(*row)).collect();
        if rows.is_empty() {
            return Ok((ids, Vec::new()));
        }
        let span = match (rows.first(), rows.last()) {
            (Some(first), Some(last)) => *first as usize..*last as usize + 1,
            _ => 0..0,
        };
        if rows.len() < span.len() / FEW {
            return Ok((ids, group.select(&rows, &self.names)?));
        }
        let (mut batches, mut left, mut first) = (Vec::new(), rows.as_slice(), span.start);
        group.each_batch(&self.names, span, GAMES, |batch| {
            let end = first + batch.num_rows();
            let (here, rest) = left.split_at(left.partition_point(|row| (*row as usize) < end));
            if here.len() == batch.num_rows() {
                batches.push(batch.clone());
            } else if !here.is_empty() {
                let rows = here.iter().map(|row| row - first as u32);
                let rows = UInt32Array::from_iter_values(rows);
                batches.push(take_record_batch(batch, &rows)?);
            }
            (first, left) = (end, rest);
            Ok(())
        })?;
        Ok((ids, batches))
    }
}

/// Cuts the ids of some files into blocks.
fn cut(
    columns: &Columns,
    files: Range<usize>,
    ids: RangeInclusive<u64>,
    blocks: &mut VecDeque<Block>,
) -> Result<(), ArchiveError> {
    let mut groups = Vec::new();
    for number in files.clone() {
        groups.extend(columns.groups_of(number)?);
    }
    let count = (ids.end() - ids.start()).saturating_add(1);
    let bytes = |group: &Group| group.unpacked_bytes() + TEXTS * group.rows() as u64;
    let bytes: u64 = groups.iter().map(bytes).sum();
    let mut width = count.div_ceil((bytes / columns.block_bytes().max(1)).max(1));
    if groups.iter().all(Group::is_in_order) {
        width = width.min(IN_ORDER);
    }
    let width = usize::try_from(width.max(1)).unwrap_or(usize::MAX);
    for start in ids.clone().step_by(width) {
        let end = start.saturating_add(width as u64 - 1).min(*ids.end());
        blocks.push_back(Block { files: files.clone(), ids: start..=end });
    }
    Ok(())
}

fn id_of(id: i64) -> u64 {
    u64::try_from(id).unwrap_or(0)
}
