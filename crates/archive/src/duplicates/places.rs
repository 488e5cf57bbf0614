//! Rows of games in many row groups.

use crate::error::ArchiveError;
use crate::kernel::{Group, Place};
use crate::read::Rows;
use crate::store::Archive;

impl Archive {
    /// Does some work for each row group, with the rows of some places, which rise; the results are in their order.
    pub(super) fn by_group<T: Send>(
        &self,
        groups: &[Group],
        places: &[Place],
        work: impl Fn(&Group, &[u32]) -> Result<Vec<T>, ArchiveError> + Sync,
    ) -> Result<Vec<T>, ArchiveError> {
        let parts: Vec<&[Place]> = places.chunk_by(|one, two| one.group == two.group).collect();
        let read = self.each(&parts, |part, _| {
            let Some(group) = part.first().and_then(|place| groups.get(place.group as usize))
            else {
                return Ok(Vec::new());
            };
            let rows: Vec<u32> = part.iter().map(|place| place.row).collect();
            work(group, &rows)
        })?;
        Ok(read.into_iter().flatten().collect())
    }

    /// Reads some columns of games in some places, which rise, and does some work for each; the results are in their order.
    pub(super) fn at_places<T: Send>(
        &self,
        groups: &[Group],
        places: &[Place],
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
