//! Ratings and dates of the games of a row group, from columns in memory.

use arrow_array::Int32Array;

use crate::columns::{Cache, CachedColumn, Group, Kind, value};
use crate::error::ArchiveError;
use crate::filter::Period;

/// The date of a game as a number: later days are larger. A year alone comes before its first day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct When(i32);

impl When {
    /// Combines the columns `date` and `year`. `None` if both are null.
    fn of(days: Option<i32>, year: Option<i32>) -> Option<Self> {
        let number = match days {
            Some(days) => days.checked_mul(2)?.checked_add(1)?,
            None => Period::of_year(year?)?.first().day.checked_mul(2)?,
        };
        Some(Self(number))
    }

    /// The day, or the year.
    pub(crate) fn period(self) -> Option<Period> {
        let day = Period::of_day(self.0.div_euclid(2))?;
        if self.0.rem_euclid(2) == 1 { Some(day) } else { Period::of_year(day.first().year) }
    }

    /// The day since 1970-01-01; `None` for a year.
    pub(super) fn day(self) -> Option<i64> {
        (self.0.rem_euclid(2) == 1).then(|| i64::from(self.0.div_euclid(2)))
    }

    pub(super) fn number(self) -> i64 {
        i64::from(self.0)
    }
}

/// Ratings and dates of the games of a row group.
#[derive(Debug)]
pub(crate) struct Facts {
    white_elo: Int32Array,
    black_elo: Int32Array,
    when: Int32Array,
}

impl Facts {
    pub(crate) fn of(group: &Group, cache: &Cache) -> Result<Self, ArchiveError> {
        Ok(Self {
            white_elo: group.numbers("white_elo", cache)?,
            black_elo: group.numbers("black_elo", cache)?,
            when: when_of(group, cache)?,
        })
    }

    /// The ratings of White and Black. Zero counts as none, because some programs write it.
    #[inline]
    pub(crate) fn ratings(&self, row: u32) -> [Option<i32>; 2] {
        [&self.white_elo, &self.black_elo].map(|elos| rating(elos, row as usize))
    }

    #[inline]
    pub(crate) fn when(&self, row: u32) -> Option<When> {
        value(&self.when, row as usize).map(When)
    }
}

/// A rating; zero is none.
pub(crate) fn rating(elos: &Int32Array, row: usize) -> Option<i32> {
    value(elos, row).filter(|elo| *elo > 0)
}

/// The date of each game of a row group, as the number in [`When`].
fn when_of(group: &Group, cache: &Cache) -> Result<Int32Array, ArchiveError> {
    let column = cache.column(&group.key(Kind::When), || {
        let [days, years] = [group.read_numbers("date")?, group.read_numbers("year")?];
        let when = |row| When::of(value(&days, row), value(&years, row)).map(|when| when.0);
        Ok(CachedColumn::Numbers((0..group.rows()).map(when).collect()))
    })?;
    match column {
        CachedColumn::Numbers(when) => Ok(when),
        _ => Err(group.wrong("date")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_days_have_larger_numbers() {
        let day = |text: &str| text.parse::<Period>().map(|period| period.first().day).ok();
        let all = [
            When::of(day("0001-01-01"), None),
            When::of(None, Some(1923)),
            When::of(day("1923-01-01"), Some(1923)),
            When::of(day("1923-12-31"), None),
            When::of(None, Some(1924)),
            When::of(day("1924-02-29"), Some(1924)),
            When::of(day("1970-01-01"), Some(1970)),
            When::of(None, Some(1971)),
        ];
        assert!(all.is_sorted() && all.iter().all(Option::is_some));
        let texts = all.map(|when| when.and_then(When::period).map(|period| period.to_string()));
        let expected = [
            "0001-01-01",
            "1923",
            "1923-01-01",
            "1923-12-31",
            "1924",
            "1924-02-29",
            "1970-01-01",
            "1971",
        ];
        assert_eq!(texts, expected.map(|text| Some(text.to_owned())));
        assert_eq!([When::of(None, None), When::of(None, Some(i32::MAX))], [None; 2]);
        assert_eq!(When::of(Some(i32::MAX), None), None);
    }
}
