//! Rows of single games, read without the query engine.

use std::collections::BTreeMap;

use datafusion::arrow::array::RecordBatch;
use roaring::RoaringTreemap;

use super::group::Group;
use crate::error::ArchiveError;
use crate::store::Archive;

/// Where a game is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The number of the row group in the snapshot.
    pub(crate) group: u32,
    /// The row in it.
    pub(crate) row: u32,
}

impl Archive {
    /// The rows of some games with these columns, in whatever order; games that there are not are left out.
    pub(crate) fn rows(
        &self,
        ids: &[i64],
        columns: &[&str],
    ) -> Result<Vec<RecordBatch>, ArchiveError> {
        let wanted_of = self.files().iter().map(|file| {
            let here = ids.iter().filter(|id| (file.first_id..=file.last_id).contains(id));
            here.filter_map(|id| u64::try_from(*id).ok()).collect()
        });
        let wanted_of: Vec<RoaringTreemap> = wanted_of.collect();
        // Of files without any of them, not even the footer is read.
        let mut groups: Vec<Group> = Vec::new();
        for (number, file) in self.files().iter().enumerate() {
            if !wanted_of[number].is_empty() {
                groups.extend(self.groups_of(number, file)?);
            }
        }
        let batches = self.each(&groups, |group, _| {
            let mut rows = group.ids(self.cache())?.rows_of(&wanted_of[group.file], group.rows());
            rows.retain(|row| !group.is_deleted(*row as usize));
            if rows.is_empty() { Ok(Vec::new()) } else { group.select(&rows, columns) }
        })?;
        Ok(batches.into_iter().flatten().collect())
    }

    /// The rows of games in some places, with these columns, in whatever order. A program that asks once is done
    /// soonest if it reads their pages; for one that stays, from the second time on, the columns stay in memory.
    pub(crate) fn rows_at(
        &self,
        places: &[Place],
        columns: &[&'static str],
    ) -> Result<Vec<RecordBatch>, ArchiveError> {
        let groups = self.groups()?;
        let mut wanted: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for place in places {
            wanted.entry(place.group).or_default().push(place.row);
        }
        let wanted: Vec<(u32, Vec<u32>)> = wanted.into_iter().collect();
        let stays = self.cache().lists_again();
        let batches = self.each(&wanted, |(group, rows), _| {
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
}
