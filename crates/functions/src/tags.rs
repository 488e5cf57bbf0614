//! The tags of a game in columns: some have a column each, all others are in the list `other_tags`.
//!
//! A tag goes into its column if its exact text can be restored from there; otherwise it is an entry of `other_tags`, a
//! list of pairs of `name` and `value`. The column `tag_order` has the names of all tags in their order, separated by
//! spaces.
//!
//! ```
//! use halfmove_functions::tags::{TagPlace, TYPED, columns, date_text, tag_place};
//!
//! let others = ["TimeControl", "Opening"];
//! assert_eq!(tag_place("opening", "White TimeControl Opening", others.into_iter()), Some(TagPlace::Others(1)));
//! let white = tag_place("White", "White TimeControl Opening", others.into_iter());
//! assert_eq!(white, Some(TagPlace::Column(4)));
//! assert_eq!(TYPED[4], "White");
//! assert_eq!(columns(Some("White")), ["other_tags", "tag_order", "white"]);
//! assert_eq!(date_text(0), "1970.01.01");
//! ```

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ListArray};
use chrono::{NaiveDate, TimeDelta};

use crate::arguments::Texts;

/// The tags that have a column. `SetUp` and `Variant` have none, because several of their values have the same meaning.
pub const TYPED: [&str; 11] = [
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo", "ECO",
    "FEN",
];

/// The columns of [`TYPED`], in the same order.
pub const TYPED_COLUMNS: [&str; 11] = [
    "event",
    "site",
    "date",
    "round",
    "white",
    "black",
    "result",
    "white_elo",
    "black_elo",
    "eco",
    "start_fen",
];

/// The columns that the function `tag` reads, its arguments after the name of the tag. `None` is a name that is not a
/// literal.
pub fn columns(name: Option<&str>) -> Vec<&'static str> {
    match name.map(typed) {
        None => ["other_tags", "tag_order"].into_iter().chain(TYPED_COLUMNS).collect(),
        Some(None) => vec!["other_tags"],
        Some(Some(typed)) => vec!["other_tags", "tag_order", TYPED_COLUMNS[typed]],
    }
}

/// The index of a name, in any case, in [`TYPED`].
fn typed(name: &str) -> Option<usize> {
    TYPED.iter().position(|typed| typed.eq_ignore_ascii_case(name))
}

/// The place of the text of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagPlace {
    /// The column of this tag of [`TYPED`].
    Column(usize),
    /// `other_tags`, at this index.
    Others(usize),
}

/// The place of the text of a tag, in a game whose `tag_order` and `other_tags` have these names.
///
/// A tag of exactly this name takes precedence over one whose name differs only in case.
pub fn tag_place<'a>(
    name: &str,
    order: &str,
    others: impl Iterator<Item = &'a str> + Clone,
) -> Option<TagPlace> {
    // Of several tags of a name, the first is in the column, unless all are in the list.
    let column = typed(name).filter(|typed| {
        let names = order.split(' ').filter(|name| *name == TYPED[*typed]).count();
        names > others.clone().filter(|name| *name == TYPED[*typed]).count()
    });
    let exact = column.filter(|typed| TYPED[*typed] == name).map(TagPlace::Column);
    let among = |matches: fn(&str, &str) -> bool| {
        others.clone().position(|other| matches(other, name)).map(TagPlace::Others)
    };
    exact
        .or_else(|| among(|a, b| a == b))
        .or_else(|| column.map(TagPlace::Column))
        .or_else(|| among(|a, b| a.eq_ignore_ascii_case(b)))
}

/// 1970-01-01, from which days are counted.
pub const UNIX_EPOCH: NaiveDate = NaiveDate::from_ymd_opt(1970, 1, 1).expect("a date");

/// The text of a day, counted from 1970-01-01, in the format of tag `Date`.
pub fn date_text(days: i32) -> String {
    match UNIX_EPOCH.checked_add_signed(TimeDelta::days(i64::from(days))) {
        Some(date) => date.format("%Y.%m.%d").to_string(),
        None => "????.??.??".to_owned(),
    }
}

/// The text of a tag that has no column, in each list of `other_tags`; `None` if the lists do not hold tags.
pub fn untyped<'a>(
    lists: &'a ListArray,
    name: &'a str,
) -> Option<impl Iterator<Item = Option<&'a str>>> {
    let others = OtherTags::of(lists)?;
    Some((0..lists.len()).map(move |row| match others.place(name, "", row) {
        Some(TagPlace::Others(index)) => others.value(row, index),
        Some(TagPlace::Column(_)) | None => None,
    }))
}

/// The lists of `other_tags`.
pub(crate) struct OtherTags<'a> {
    lists: &'a ListArray,
    names: Texts<'a>,
    values: Texts<'a>,
}

impl<'a> OtherTags<'a> {
    /// `None` if the lists do not hold tags.
    pub(crate) fn of(lists: &'a ListArray) -> Option<Self> {
        let tags = lists.values().as_struct_opt()?;
        let [names, values] = tags.columns() else { return None };
        Some(Self { lists, names: Texts::of(names)?, values: Texts::of(values)? })
    }

    /// The place of a tag in the game of a row.
    pub(crate) fn place(&self, name: &str, order: &str, row: usize) -> Option<TagPlace> {
        let names = self.range(row).map(|index| self.names.at(index).unwrap_or_default());
        tag_place(name, order, names)
    }

    /// The value at an index in the list of a row.
    pub(crate) fn value(&self, row: usize, index: usize) -> Option<&'a str> {
        self.values.at(self.range(row).start + index)
    }

    fn range(&self, row: usize) -> Range<usize> {
        let offsets = self.lists.value_offsets();
        offsets[row] as usize..offsets[row + 1] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_where_rows_put_them() {
        let order = "Event White white TimeControl WhiteElo Date Date";
        let others = ["white", "TimeControl", "WhiteElo", "Date", "timecontrol"];
        let at = |name| tag_place(name, order, others.into_iter());
        assert_eq!(at("Event"), Some(TagPlace::Column(0)));
        assert_eq!(at("EVENT"), Some(TagPlace::Column(0)));
        assert_eq!(at("White"), Some(TagPlace::Column(4)));
        // A tag of exactly this name takes precedence.
        assert_eq!(at("white"), Some(TagPlace::Others(0)));
        assert_eq!(at("WHITE"), Some(TagPlace::Column(4)));
        assert_eq!(at("timecontrol"), Some(TagPlace::Others(4)));
        assert_eq!(at("TIMECONTROL"), Some(TagPlace::Others(1)));
        // All tags of the name are in the list.
        assert_eq!(at("WhiteElo"), Some(TagPlace::Others(2)));
        // The first of two is in the column.
        assert_eq!(at("Date"), Some(TagPlace::Column(2)));
        assert_eq!(at("ECO"), None);
        assert_eq!(at(""), None);
    }

    #[test]
    fn columns_of_tags() {
        assert_eq!(columns(Some("TimeControl")), ["other_tags"]);
        assert_eq!(columns(Some("eco")), ["other_tags", "tag_order", "eco"]);
        assert_eq!(columns(None).len(), 2 + TYPED.len());
    }

    #[test]
    fn invalid_days() {
        assert_eq!(date_text(-16_720), "1924.03.23");
        assert_eq!(date_text(i32::MAX), "????.??.??");
    }
}
