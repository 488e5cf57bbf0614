//! Rows of single games, read without the query engine.

use std::collections::BTreeMap;

use datafusion::arrow::array::RecordBatch;

use super::group::Group;
use crate::error::ArchiveError;
use crate::store::Archive;

impl Archive {
    /// The rows of some games with these columns, in whatever order; games that there are not are left out.
    pub(crate) fn rows(
        &self,
        ids: &[i64],
        columns: &[&str],
    ) -> Result<Vec<RecordBatch>, ArchiveError> {
        let groups = self.groups()?;
        let mut wanted: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        for id in ids {
            if let Some((group, row)) = self.locate(&groups, *id)? {
                wanted.entry(group).or_default().push(row);
            }
        }
        let wanted: Vec<(usize, Vec<u32>)> = wanted.into_iter().collect();
        let batches = self.each(&wanted, |(group, rows), _| {
            let mut rows = rows.clone();
            rows.sort_unstable();
            rows.dedup();
            groups[*group].select(&rows, columns)
        })?;
        Ok(batches.into_iter().flatten().collect())
    }

    /// The row group of a game, and its row there.
    fn locate(&self, groups: &[Group], id: i64) -> Result<Option<(usize, u32)>, ArchiveError> {
        for (index, group) in groups.iter().enumerate() {
            let file = &self.files()[group.file];
            if (file.first_id..=file.last_id).contains(&id)
                && let Some(row) = group.ids(self.cache())?.row(id, group.rows())
                && !group.is_deleted(row as usize)
            {
                return Ok(Some((index, row)));
            }
        }
        Ok(None)
    }
}
