//! Incomplete dates. Their columns have only the year; the other known parts are in the text of the tag.

use std::hash::{DefaultHasher, Hash, Hasher};

use halfmove_game::Date;

use super::group::Group;
use super::rows::Rows;
use crate::error::ArchiveError;

/// The known parts of an incomplete date: the month in `1987.02.??`. 0 is unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Known {
    pub(crate) month: u8,
    pub(crate) day: u8,
    /// A hash of texts that are not dates, 0 if there are none: games with different texts are different.
    unread: u64,
}

/// Reads the known parts, besides the year, from the text of an incomplete date.
fn known(rows: &Rows<'_>, row: usize) -> Result<Known, ArchiveError> {
    let tags = rows.other_tags(row)?;
    let mut known = Known::default();
    for name in Date::TAGS {
        let Some((_, text)) = tags.iter().find(|(tag, _)| tag == name) else { continue };
        let date = Date::read(text).unwrap_or_else(|error| {
            let mut hasher = DefaultHasher::new();
            (known.unread, text).hash(&mut hasher);
            known.unread = hasher.finish();
            error.known()
        });
        if let Some(date) = date {
            known.month = date.month().unwrap_or_default();
            known.day = date.day().unwrap_or_default();
            break;
        }
    }
    Ok(known)
}

/// The known parts of incomplete dates, in some rows of a row group, in ascending order.
pub(crate) fn known_of(group: &Group, rows: &[u32]) -> Result<Vec<Known>, ArchiveError> {
    group.of_tags(rows, known)
}
