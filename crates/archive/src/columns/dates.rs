//! Incomplete dates. Their columns hold only the year; the other known parts are in the text of the tag.

use arrow_array::RecordBatch;

use super::facts::{DATE_TAGS, parse_year};
use super::group::Group;

use super::rows::Rows;
use crate::error::ArchiveError;

/// The known parts of an incomplete date, month and day: the month in `1987.02.??`. 0 is unknown.
pub(crate) type Known = [u16; 2];

/// Reads the known parts, besides the year, from the text of an incomplete date.
pub(crate) fn known(rows: &Rows<'_>, row: usize) -> Result<Known, ArchiveError> {
    let mut known = Known::default();
    let tags = rows.other_tags(row)?;
    let text = |name| tags.iter().find(|(tag, _)| tag == name).map(|(_, text)| text);
    let mut dates = DATE_TAGS.into_iter().filter_map(text);
    if let Some(date) = dates.find(|date| parse_year(date).is_some()) {
        let parts = date.split(['.', '-', '/']).skip(1);
        for (known, part) in known.iter_mut().zip(parts) {
            *known = part.trim().parse().unwrap_or_default();
        }
    }
    Ok(known)
}

/// All games of a row group are read if more than one in this number is needed.
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
