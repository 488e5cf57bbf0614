//! The order of the games in a list.

use arrow_array::Int32Array;

use super::facts::{Facts, When};
use crate::columns::{Cache, Group, Ids, value};
use crate::error::ArchiveError;
use crate::filter::{Sort, SortBy};

/// The order of games, and the maximum number to list.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Order {
    pub(crate) sort: Sort,
    pub(crate) limit: usize,
}

impl Order {
    /// True if the games are listed by ascending id.
    pub(super) fn is_by_id(self) -> bool {
        self.sort == Sort::default()
    }

    /// The sort keys of the games of a row group.
    pub(super) fn keys(self, group: &Group, cache: &Cache) -> Result<Keys, ArchiveError> {
        let by = match self.sort.by {
            SortBy::Id => SortKeys::Ids(group.ids(cache)?),
            SortBy::Date | SortBy::Rating => {
                SortKeys::Facts(self.sort.by, Facts::of(group, cache)?)
            }
            SortBy::Plies => SortKeys::Plies(group.numbers("plies", cache)?),
        };
        Ok(Keys { by, is_descending: self.sort.is_descending })
    }
}

/// The sort keys of the games of a row group.
#[derive(Debug)]
pub(super) struct Keys {
    by: SortKeys,
    is_descending: bool,
}

#[derive(Debug)]
enum SortKeys {
    Ids(Ids),
    Facts(SortBy, Facts),
    Plies(Int32Array),
}

impl Keys {
    /// The key of a row. Smaller keys come first, and games without a value last.
    pub(super) fn of(&self, row: u32) -> i64 {
        let key = match &self.by {
            SortKeys::Ids(ids) => Some(ids.of(row)),
            SortKeys::Plies(plies) => value(plies, row as usize).map(i64::from),
            SortKeys::Facts(SortBy::Rating, facts) => match facts.ratings(row) {
                [Some(white), Some(black)] => Some(i64::from(white) + i64::from(black)),
                _ => None,
            },
            SortKeys::Facts(_, facts) => facts.when(row).map(When::number),
        };
        match key {
            Some(key) if self.is_descending => -key,
            Some(key) => key,
            None => i64::MAX,
        }
    }
}
