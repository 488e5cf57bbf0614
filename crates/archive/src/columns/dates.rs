//! Dates that are not whole. Their columns hold the year alone; what else is known stands in the text of the tag.

use arrow_array::RecordBatch;

use super::group::Group;
use super::rows::Rows;
use crate::error::ArchiveError;

/// As much of a month and a day as is known of a date that is not whole: of `1987.02.??` the month. 0 is not known.
pub(crate) type Known = [u16; 2];

/// What the text of a date that is not whole says beside the year.
pub(crate) fn known(rows: &Rows<'_>, row: usize) -> Result<Known, ArchiveError> {
    let mut known = Known::default();
    if let Some((_, date)) = rows.other_tags(row)?.iter().find(|(name, _)| name == "Date") {
        let parts = date.split(['.', '-', '/']).skip(1);
        for (known, part) in known.iter_mut().zip(parts) {
            *known = part.trim().parse().unwrap_or_default();
        }
    }
    Ok(known)
}

/// If a larger part of the games of a row group is wanted than one in so many, all are read.
const MANY: usize = 8;

/// The known parts of incomplete dates, in some rows of a row group, in ascending order.
pub(crate) fn known_of(group: &Group, rows: &[u32]) -> Result<Vec<Known>, ArchiveError> {
    const TAGS: &str = "other_tags";
    let mut all = Vec::with_capacity(rows.len());
    if rows.len() > group.rows() / MANY {
        let tags = group.read(TAGS, 0..group.rows())?;
        let batch = RecordBatch::try_from_iter([(TAGS, tags)])?;
        let tags = Rows::of(&batch);
        for row in rows {
            all.push(known(&tags, *row as usize)?);
        }
    } else if !rows.is_empty() {
        for batch in group.select(rows, &[TAGS])? {
            let tags = Rows::of(&batch);
            for row in 0..batch.num_rows() {
                all.push(known(&tags, row)?);
            }
        }
    }
    if all.len() == rows.len() { Ok(all) } else { Err(group.wrong(TAGS)) }
}
