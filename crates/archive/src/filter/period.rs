//! Periods (days, months and years) as bounds of a search.

use std::fmt;
use std::str::FromStr;

use chrono::{Datelike, Months, NaiveDate, TimeDelta};

use halfmove_functions::tags::UNIX_EPOCH;
use halfmove_game::Date;

/// A day, a month or a year: `1924-03-23`, `1924-03` or `1924`, or in the notation of [tags](Date).
///
/// ```
/// use halfmove_archive::Period;
///
/// assert_eq!("1924.03.23".parse::<Period>()?, "1924-03-23".parse()?);
/// assert_eq!("1924.03".parse::<Period>()?.to_string(), "1924-03");
/// assert!("1924-02-30".parse::<Period>().is_err());
/// # Ok::<(), halfmove_archive::PeriodError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    first: NaiveDate,
    last: NaiveDate,
}

/// The text is not a day, a month or a year.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{text}\" is not a date: expected a year, month or day, as in 1924, 1924-03 or 1924-03-23"
)]
pub struct PeriodError {
    text: String,
}

/// A day, in days since 1970-01-01, with its month and year, which are compared with incomplete dates.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bound {
    pub(crate) day: i32,
    pub(crate) month: i32,
    pub(crate) year: i32,
}

impl Period {
    /// Parses a period: a day, month or year, or the day a number of years, months, weeks or days before `today`: `2y`,
    /// `6m`, `3w`, `30d`.
    ///
    /// ```
    /// use halfmove_archive::Period;
    ///
    /// let today = "2024-03-31".parse()?;
    /// assert_eq!(Period::parse_on(today, "2y")?.to_string(), "2022-03-31");
    /// assert_eq!(Period::parse_on(today, "1m")?.to_string(), "2024-02-29");
    /// assert_eq!(Period::parse_on(today, "30d")?.to_string(), "2024-03-01");
    /// assert_eq!(Period::parse_on(today, "1924-03")?, "1924-03".parse()?);
    /// # Ok::<(), halfmove_archive::PeriodError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PeriodError`] if the text is neither.
    pub fn parse_on(today: Self, text: &str) -> Result<Self, PeriodError> {
        match earlier(today.first, text.trim()) {
            Some(first) => Ok(Self { first, last: first }),
            None => text.parse(),
        }
    }

    /// A day, in days since 1970-01-01; `None` if it is outside the calendar.
    pub fn of_day(days: i32) -> Option<Self> {
        let day = UNIX_EPOCH.checked_add_signed(TimeDelta::try_days(days.into())?)?;
        Some(Self { first: day, last: day })
    }

    /// Returns true if this period ends before another one begins.
    ///
    /// ```
    /// use halfmove_archive::Period;
    ///
    /// let march: Period = "1924-03".parse()?;
    /// assert!(march.is_before("1924-04-01".parse()?) && !march.is_before("1924".parse()?));
    /// # Ok::<(), halfmove_archive::PeriodError>(())
    /// ```
    pub fn is_before(self, other: Self) -> bool {
        self.last < other.first
    }

    /// A year; `None` if it is outside the calendar.
    pub(crate) fn of_year(year: i32) -> Option<Self> {
        let day = |month, day| NaiveDate::from_ymd_opt(year, month, day);
        Some(Self { first: day(1, 1)?, last: day(12, 31)? })
    }

    /// The year of its first day.
    ///
    /// ```
    /// assert_eq!("1924-03".parse::<halfmove_archive::Period>()?.year(), 1924);
    /// # Ok::<(), halfmove_archive::PeriodError>(())
    /// ```
    pub fn year(self) -> i32 {
        self.first.year()
    }

    /// The month, from 1 to 12; `None` for a whole year.
    ///
    /// ```
    /// assert_eq!("1924-03-23".parse::<halfmove_archive::Period>()?.month(), Some(3));
    /// assert_eq!("1924".parse::<halfmove_archive::Period>()?.month(), None);
    /// # Ok::<(), halfmove_archive::PeriodError>(())
    /// ```
    pub fn month(self) -> Option<u32> {
        (self.first.month() == self.last.month()).then(|| self.first.month())
    }

    /// The first day.
    pub(crate) fn first(self) -> Bound {
        bound(self.first)
    }

    /// The last day.
    pub(crate) fn last(self) -> Bound {
        bound(self.last)
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.first;
        write!(f, "{:04}", first.year())?;
        if self.last.month() == first.month() {
            write!(f, "-{:02}", first.month())?;
            if self.last == first {
                write!(f, "-{:02}", first.day())?;
            }
        }
        Ok(())
    }
}

fn bound(date: NaiveDate) -> Bound {
    Bound { day: days(date), month: date.month() as i32, year: date.year() }
}

fn days(date: NaiveDate) -> i32 {
    i32::try_from(date.signed_duration_since(UNIX_EPOCH).num_days()).unwrap_or(i32::MAX)
}

impl FromStr for Period {
    type Err = PeriodError;

    fn from_str(text: &str) -> Result<Self, PeriodError> {
        parse(text.trim()).ok_or_else(|| PeriodError { text: text.to_owned() })
    }
}

/// The day before another one by a duration such as `2y`. If the month does not have this day, its last day.
fn earlier(day: NaiveDate, text: &str) -> Option<NaiveDate> {
    let unit = text.chars().last().filter(char::is_ascii_alphabetic)?;
    let number: u32 = text.strip_suffix(unit)?.parse().ok()?;
    let days = |days| day.checked_sub_signed(TimeDelta::try_days(days)?);
    match unit.to_ascii_lowercase() {
        'y' => day.checked_sub_months(Months::new(number.checked_mul(12)?)),
        'm' => day.checked_sub_months(Months::new(number)),
        'w' => days(i64::from(number) * 7),
        'd' => days(number.into()),
        _ => None,
    }
}

fn parse(text: &str) -> Option<Period> {
    let date = Date::read(text).ok()??;
    let first =
        |month: u8, day: u8| NaiveDate::from_ymd_opt(date.year().into(), month.into(), day.into());
    let (first, months) = match (date.month(), date.day()) {
        (None, None) => (first(1, 1)?, 12),
        (Some(month), None) => (first(month, 1)?, 1),
        (Some(month), Some(day)) => {
            let day = first(month, day)?;
            return Some(Period { first: day, last: day });
        }
        (None, Some(_)) => return None,
    };
    Some(Period { first, last: first.checked_add_months(Months::new(months))?.pred_opt()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_written_as_they_are_read() -> Result<(), PeriodError> {
        for text in ["1924", "0012", "1924-01", "1924-12", "1924-02-29", "1924-01-01", "1924-12-31"]
        {
            assert_eq!(text.parse::<Period>()?.to_string(), text);
        }
        Ok(())
    }
}
