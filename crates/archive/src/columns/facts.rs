//! Columns that are computed from tags: the date, the time control, titles and so on, each from one tag or from the
//! first of several. The tags themselves are stored as text, so these columns can be recomputed.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    Date32Builder, Float64Builder, Int32Builder, StringBuilder, TimestampMicrosecondBuilder,
};
use chrono::NaiveDate;
use halfmove_functions::tags::UNIX_EPOCH;
use halfmove_game::{Date, Speed, TimeControl, TimeOfDay};

/// The tags that these columns are computed from. A `Date` is only among the other tags if its text is not restorable
/// from the columns.
pub(crate) const FACT_TAGS: [&str; 12] = [
    "Date",
    "UTCDate",
    "EventDate",
    "UTCTime",
    "Time",
    "TimeControl",
    "Termination",
    "Opening",
    "WhiteTitle",
    "BlackTitle",
    "WhiteRatingDiff",
    "BlackRatingDiff",
];

/// The columns, without `date` and `year`.
const TEXTS: [&str; 6] =
    ["time_control", "speed", "termination", "opening_tag", "white_title", "black_title"];

/// The texts of [`FACT_TAGS`] in a game; if a tag is repeated, the first.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TagFacts<'t>([Option<&'t str>; FACT_TAGS.len()]);

impl<'t> TagFacts<'t> {
    /// Records the text of a tag, given its index in [`FACT_TAGS`].
    pub(super) fn note(&mut self, tag: usize, text: &'t str) {
        self.0[tag].get_or_insert(text);
    }

    /// The texts among some tags.
    pub(super) fn of(tags: &'t [(Cow<'_, str>, Cow<'_, str>)]) -> Self {
        let mut facts = Self::default();
        for (name, value) in tags {
            if let Some(tag) = FACT_TAGS.iter().position(|known| known == name) {
                facts.note(tag, value);
            }
        }
        facts
    }

    /// The day and the year of the game. `of_date` are the values of the columns, or those of the tag `Date` if its
    /// text can be restored from them.
    pub(crate) fn date(&self, of_date: (Option<i32>, Option<i32>)) -> (Option<i32>, Option<i32>) {
        let [date, utc_date, event_date, ..] = self.0;
        if of_date.0.is_some() {
            return of_date;
        }
        let dates = [date, utc_date, event_date].into_iter().flatten();
        let found = dates.map(day_and_year).find(|(_, year)| year.is_some());
        found.unwrap_or(if date.is_some() { (None, None) } else { of_date })
    }

    /// Microseconds since 1970-01-01.
    fn utc(&self) -> Option<i64> {
        let [_, date, _, time, ..] = self.0;
        let day = i64::from(day_and_year(date?).0?);
        let time = TimeOfDay::of_tag(time?)?;
        Some((day * 86_400 + i64::from(time.seconds())) * 1_000_000)
    }

    /// Seconds since midnight.
    fn time_of_day(&self) -> Option<i32> {
        let [date, _, _, utc_time, time, ..] = self.0;
        let tags = [utc_time, time].into_iter().flatten();
        let time = tags.filter_map(TimeOfDay::of_tag).next();
        let time = time.or_else(|| TimeOfDay::of_date(date?))?;
        i32::try_from(time.seconds()).ok()
    }

    /// The text, unless it is empty, `?` or `-`, which mean unknown in PGN.
    fn known(&self, tag: usize) -> Option<&'t str> {
        self.0[tag].map(str::trim).filter(|text| !matches!(*text, "" | "?" | "-"))
    }

    /// The text of the time control.
    fn time_control(&self) -> Option<&'t str> {
        self.0[5].map(str::trim).filter(|text| !matches!(*text, "" | "?"))
    }
}

/// The days from 1970-01-01 to a complete date.
fn days(date: Date) -> Option<i32> {
    let (month, day) = (date.month()?, date.day()?);
    let date = NaiveDate::from_ymd_opt(date.year().into(), month.into(), day.into())?;
    i32::try_from(date.signed_duration_since(UNIX_EPOCH).num_days()).ok()
}

/// The day and the year in the text of a tag.
fn day_and_year(text: &str) -> (Option<i32>, Option<i32>) {
    let date = Date::of_tag(text);
    (date.and_then(days), date.map(|date| date.year().into()))
}

/// The day and the year in the text of a tag `Date`, if exactly this text can be restored from the day.
pub(super) fn standard_day(text: &str) -> Option<(Option<i32>, Option<i32>)> {
    let bytes = text.as_bytes();
    let is_standard = bytes.len() == 10 && bytes[4] == b'.' && bytes[7] == b'.';
    is_standard.then(|| day_and_year(text)).filter(|(day, _)| day.is_some())
}

/// Reads a difference of ratings: `+7`, `-6`, `0`.
fn parse_difference(text: &str) -> Option<i32> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_number = (1..=9).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// Builders of the columns.
#[derive(Debug)]
pub(crate) struct FactBuilders {
    date: Date32Builder,
    year: Int32Builder,
    texts: [StringBuilder; TEXTS.len()],
    base: Float64Builder,
    increment: Float64Builder,
    period_moves: Int32Builder,
    rating_diffs: [Int32Builder; 2],
    utc: TimestampMicrosecondBuilder,
    time_of_day: Int32Builder,
}

impl Default for FactBuilders {
    fn default() -> Self {
        Self {
            date: Date32Builder::new(),
            year: Int32Builder::new(),
            texts: std::array::from_fn(|_| StringBuilder::new()),
            base: Float64Builder::new(),
            increment: Float64Builder::new(),
            period_moves: Int32Builder::new(),
            rating_diffs: [Int32Builder::new(), Int32Builder::new()],
            utc: TimestampMicrosecondBuilder::new(),
            time_of_day: Int32Builder::new(),
        }
    }
}

impl FactBuilders {
    /// Adds a game. `of_date` is as for [`TagFacts::date`].
    pub(crate) fn push(&mut self, facts: &TagFacts<'_>, of_date: (Option<i32>, Option<i32>)) {
        let (date, year) = facts.date(of_date);
        self.date.append_option(date);
        self.year.append_option(year);
        let text = facts.time_control();
        let control = text.and_then(TimeControl::of_tag);
        let speed = text.and_then(Speed::of_tag).map(Speed::name);
        let [termination, opening, white_title, black_title] =
            [6, 7, 8, 9].map(|tag| facts.known(tag));
        let texts = [text, speed, termination, opening, white_title, black_title];
        for (builder, text) in self.texts.iter_mut().zip(texts) {
            builder.append_option(text);
        }
        self.base.append_option(control.map(|control| control.base));
        self.increment.append_option(control.map(|control| control.increment));
        let moves = control.and_then(|control| i32::try_from(control.moves?).ok());
        self.period_moves.append_option(moves);
        for (builder, tag) in self.rating_diffs.iter_mut().zip([10, 11]) {
            builder.append_option(facts.known(tag).and_then(parse_difference));
        }
        self.utc.append_option(facts.utc());
        self.time_of_day.append_option(facts.time_of_day());
    }

    /// The column of this name.
    pub(crate) fn finish(&mut self, column: &str) -> Option<ArrayRef> {
        if let Some(text) = TEXTS.iter().position(|name| *name == column) {
            return Some(Arc::new(self.texts[text].finish()));
        }
        Some(match column {
            "date" => Arc::new(self.date.finish()),
            "year" => Arc::new(self.year.finish()),
            "base_seconds" => Arc::new(self.base.finish()),
            "increment_seconds" => Arc::new(self.increment.finish()),
            "period_moves" => Arc::new(self.period_moves.finish()),
            "white_rating_diff" => Arc::new(self.rating_diffs[0].finish()),
            "black_rating_diff" => Arc::new(self.rating_diffs[1].finish()),
            "time_of_day" => Arc::new(self.time_of_day.finish()),
            "utc_timestamp" => Arc::new(self.utc.finish().with_timezone("UTC")),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::Array;

    use super::*;
    use crate::schema::COLUMNS;

    #[test]
    fn every_column_of_tags_is_built() {
        let mut builders = FactBuilders::default();
        builders.push(&TagFacts::default(), (None, None));
        let mut count = 0;
        for column in COLUMNS.iter().filter(|column| column.is_of_tags()) {
            let array = builders.finish(column.name);
            assert_eq!(array.map(|array| array.null_count()), Some(1), "{}", column.name);
            count += 1;
        }
        assert_eq!(count, 15);
    }

    #[test]
    fn differences_of_ratings() {
        assert_eq!(
            ["+7", "-6", "0", "+0"].map(parse_difference),
            [Some(7), Some(-6), Some(0), Some(0)]
        );
        for text in ["", "+", "?", "+-1", "7.5", "1234567890"] {
            assert_eq!(parse_difference(text), None, "{text}");
        }
    }
}
