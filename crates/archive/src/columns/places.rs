//! Reading single games from many row groups.

use std::collections::BTreeMap;

use arrow_array::RecordBatch;
use roaring::RoaringTreemap;

use super::Columns;
use super::group::Group;
use super::rows::Rows;
use crate::error::ArchiveError;

/// The place of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct GamePlace {
    /// The index of the row group in the snapshot.
    pub(crate) group: u32,
    /// The row in it.
    pub(crate) row: u32,
}

impl Columns {
    /// The rows of some games with these columns, in any order; unknown ids are skipped.
    pub(crate) fn rows(
        &self,
        ids: &[i64],
        columns: &[&str],
    ) -> Result<Vec<RecordBatch>, ArchiveError> {
        let ids_of = self.files().iter().map(|file| {
            let here = ids.iter().filter(|id| (file.first_id..=file.last_id).contains(id));
            here.filter_map(|id| u64::try_from(*id).ok()).collect()
        });
        let ids_of: Vec<RoaringTreemap> = ids_of.collect();
        // For files without any of these games, not even the footer is read.
        let mut groups: Vec<Group> = Vec::new();
        for (number, ids) in ids_of.iter().enumerate() {
            if !ids.is_empty() {
                groups.extend(self.groups_of(number)?);
            }
        }
        let batches = self.each(&groups, |group| {
            let mut rows = group.ids(self.cache())?.rows_of(&ids_of[group.file], group.rows());
            rows.retain(|row| !group.is_deleted(*row as usize));
            if rows.is_empty() { Ok(Vec::new()) } else { group.select(&rows, columns) }
        })?;
        Ok(batches.into_iter().flatten().collect())
    }

    /// The rows of the games in some places, with these columns, in any order. The first call reads only the
    /// necessary pages, which is fastest for a program with a single query; from the second call on, the columns are
    /// cached.
    pub(crate) fn rows_at(
        &self,
        places: &[GamePlace],
        columns: &[&'static str],
    ) -> Result<Vec<RecordBatch>, ArchiveError> {
        let groups = self.groups()?;
        let mut rows: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for place in places {
            rows.entry(place.group).or_default().push(place.row);
        }
        let rows: Vec<(u32, Vec<u32>)> = rows.into_iter().collect();
        let stays = self.cache().lists_again();
        let batches = self.each(&rows, |(group, rows)| {
            let mut rows = rows.clone();
            rows.sort_unstable();
            rows.dedup();
            match groups.get(*group as usize) {
                Some(group) if stays => group.shown(&rows, columns, self.cache()),
                Some(group) => group.select(&rows, columns),
                None => Ok(Vec::new()),
            }
        })?;
        Ok(batches.into_iter().flatten().collect())
    }

    /// Runs a function for each row group with the rows of some places, in ascending order; the results are in the
    /// same order.
    pub(crate) fn by_group<T: Send>(
        &self,
        groups: &[Group],
        places: &[GamePlace],
        work: impl Fn(&Group, &[u32]) -> Result<Vec<T>, ArchiveError> + Sync,
    ) -> Result<Vec<T>, ArchiveError> {
        let parts: Vec<&[GamePlace]> = places.chunk_by(|one, two| one.group == two.group).collect();
        let read = self.each(&parts, |part| {
            let Some(group) = part.first().and_then(|place| groups.get(place.group as usize))
            else {
                return Ok(Vec::new());
            };
            let rows: Vec<u32> = part.iter().map(|place| place.row).collect();
            work(group, &rows)
        })?;
        Ok(read.into_iter().flatten().collect())
    }

    /// Reads some columns of the games in some places, in ascending order, and runs a function for each; the results
    /// are in the same order.
    pub(crate) fn at_places<T: Send>(
        &self,
        groups: &[Group],
        places: &[GamePlace],
        columns: &[&str],
        work: impl Fn(&Rows<'_>, usize) -> Result<T, ArchiveError> + Sync,
    ) -> Result<Vec<T>, ArchiveError> {
        self.by_group(groups, places, |group, rows| {
            let mut all = Vec::with_capacity(rows.len());
            for batch in group.select(rows, columns)? {
                let rows = Rows::of(&batch);
                for row in 0..batch.num_rows() {
                    all.push(work(&rows, row)?);
                }
            }
            if all.len() == rows.len() { Ok(all) } else { Err(group.wrong("id")) }
        })
    }
}
