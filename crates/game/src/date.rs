//! Dates and times of day in tags.
//!
//! The standard writes `2025.02.23`, with `??` for unknown parts. Other programs write dashes or slashes, fewer digits,
//! or a time stamp of ISO 8601. All of these begin with the year. A date that ends with the year, such as `02/03/2025`,
//! is rejected, because the order of day and month is ambiguous.
//!
//! | text | date |
//! |---|---|
//! | `2025.02.23`, `2025-02-23`, `2025/2/23`, `2025-02-23T10:00:00Z` | `2025.02.23` |
//! | `1924`, `1924.??.??`, `1899.00.00` | a year |
//! | `1924.05`, `1924.05.??`, `1924-05-00` | a month |
//! | `?`, `????.??.??`, `-`, an empty text | unknown |
//! | `2021.13.45`, `2021.02.30` | an error; the known parts are 2021, and 2021.02 |
//! | `02/03/2025`, `23.02.2025`, `March 2025` | an error |
//!
//! ```
//! use halfmove_game::Date;
//!
//! let date = Date::read("2025-02-23T10:00:00Z")?.expect("a known date");
//! assert_eq!((date.year(), date.month(), date.day()), (2025, Some(2), Some(23)));
//! assert_eq!(date.to_string(), "2025.02.23");
//! assert_eq!(Date::read("????.??.??")?, None);
//!
//! let error = Date::read("02/03/2025").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "\"02/03/2025\" does not say which number is the month: expected a date such as 2025.02.23 or 2025.??.??"
//! );
//! # Ok::<(), halfmove_game::DateError>(())
//! ```

use std::fmt;

use crate::tags::Tags;

/// The date of a game: a year, and the month and day if they are known.
///
/// Earlier dates are smaller; an incomplete date is before all days of its year or month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    /// 0 if unknown; the same for the day.
    month: u8,
    day: u8,
}

/// The error for a text that is not a date.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{found}\" {problem}: expected a date such as 2025.02.23 or 2025.??.??")]
pub struct DateError {
    found: String,
    problem: DateProblem,
    known: Option<Date>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum DateProblem {
    #[error("has no month {0}")]
    Month(u8),
    #[error("has no day {0} in its month")]
    Day(u8),
    #[error("does not say which number is the month")]
    Order,
    #[error("is not a date")]
    Form,
}

impl DateError {
    /// The parts that are known nevertheless: the year of `2021.13.45`.
    pub fn known(&self) -> Option<Date> {
        self.known
    }

    /// The reason and the expected text, without the text that was found.
    pub(crate) fn reason(&self) -> String {
        format!("it {}, expected a date such as 2025.02.23 or 2025.??.??", self.problem)
    }
}

impl Date {
    /// The tags with a date, in order of precedence.
    pub const TAGS: [&str; 3] = ["Date", "UTCDate", "EventDate"];

    /// Parses the text of a tag. `None` if the date, or its year, is marked as unknown.
    ///
    /// # Errors
    ///
    /// [`DateError`] if the text is not a date, or an impossible one.
    pub fn read(text: &str) -> Result<Option<Date>, DateError> {
        parse(text.trim()).map_err(|(problem, known)| {
            let found = text.chars().take(40).collect();
            DateError { found, problem, known }
        })
    }

    /// The date in the text of a tag, as far as it is known.
    pub fn of_tag(text: &str) -> Option<Date> {
        parse(text.trim()).unwrap_or_else(|(_, known)| known)
    }

    /// The date of a game: that of the first of [`Date::TAGS`] with a year.
    ///
    /// ```
    /// use halfmove_game::{Date, Tags};
    ///
    /// let tags: Tags = [("Date", "????.??.??"), ("UTCDate", "2013.11.30")].into_iter().collect();
    /// assert_eq!(Date::of_game(&tags), Date::of_tag("2013-11-30"));
    /// ```
    pub fn of_game(tags: &Tags) -> Option<Date> {
        Date::TAGS.iter().filter_map(|name| tags.value(name)).find_map(Date::of_tag)
    }

    /// The year, from 1 to 9999.
    pub fn year(self) -> u16 {
        self.year
    }

    /// The year and the month, if it is known: `1924-03`.
    ///
    /// ```
    /// use halfmove_game::Date;
    ///
    /// let month = |text| Date::of_tag(text).and_then(Date::year_and_month);
    /// assert_eq!(month("1924.03.??").as_deref(), Some("1924-03"));
    /// assert_eq!(month("1924.??.??"), None);
    /// ```
    pub fn year_and_month(self) -> Option<String> {
        self.month().map(|month| format!("{:04}-{month:02}", self.year))
    }

    /// The month, from 1 to 12.
    pub fn month(self) -> Option<u8> {
        (self.month > 0).then_some(self.month)
    }

    /// The day of the month, from 1.
    pub fn day(self) -> Option<u8> {
        (self.day > 0).then_some(self.day)
    }

    /// Returns true if month and day are known.
    pub fn is_complete(self) -> bool {
        self.month > 0 && self.day > 0
    }
}

/// Writes the date in the standard form: `1924.03.23`, `1924.??.??`.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        for part in [self.month, self.day] {
            match part {
                0 => f.write_str(".??")?,
                part => write!(f, ".{part:02}")?,
            }
        }
        Ok(())
    }
}

/// A time of day, in a tag such as `UTCTime`.
///
/// ```
/// use halfmove_game::TimeOfDay;
///
/// let time = TimeOfDay::read("9:05")?.expect("a known time");
/// assert_eq!((time.seconds(), time.to_string()), (32_700, "09:05:00".to_owned()));
/// assert_eq!(TimeOfDay::read("??:??:??")?, None);
/// assert!(TimeOfDay::read("24:10:00").is_err());
/// # Ok::<(), halfmove_game::TimeOfDayError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeOfDay {
    seconds: u32,
}

/// The error for a text that is not a time of day.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{found}\" is not a time of day: expected hours, minutes and seconds such as 23:10:00")]
pub struct TimeOfDayError {
    found: String,
}

impl TimeOfDay {
    /// The tags with a time of day, in order of precedence.
    pub const TAGS: [&str; 2] = ["UTCTime", "Time"];

    /// Parses the text of a tag. `None` if the time is marked as unknown.
    ///
    /// # Errors
    ///
    /// [`TimeOfDayError`] if the text is not a time of day.
    pub fn read(text: &str) -> Result<Option<TimeOfDay>, TimeOfDayError> {
        let trimmed = text.trim();
        if is_unknown(trimmed) {
            return Ok(None);
        }
        match parse_time(trimmed.strip_suffix('Z').unwrap_or(trimmed)) {
            Some(time) => Ok(Some(time)),
            None => Err(TimeOfDayError { found: text.chars().take(40).collect() }),
        }
    }

    /// The time of day in the text of a tag.
    pub fn of_tag(text: &str) -> Option<TimeOfDay> {
        TimeOfDay::read(text).unwrap_or_default()
    }

    /// The time of day in the text of a date, as in `2025-02-23T10:00:00Z`.
    pub fn of_date(text: &str) -> Option<TimeOfDay> {
        let (date, time) = split_time(text.trim());
        Date::read(date).ok().flatten().filter(|date| date.is_complete())?;
        parse_time(without_zone(time?)?)
    }

    /// The seconds since midnight.
    pub fn seconds(self) -> u32 {
        self.seconds
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.seconds;
        write!(f, "{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
    }
}

/// Returns true for a text of question marks and separators, as programs write unknown values.
fn is_unknown(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'?' | b'.' | b'-' | b'/' | b':' | b' '))
}

type Parsed = Result<Option<Date>, (DateProblem, Option<Date>)>;

fn parse(text: &str) -> Parsed {
    let form = Err((DateProblem::Form, None));
    if is_unknown(text) {
        return Ok(None);
    }
    let (text, time) = split_time(text);
    if time.is_some_and(|time| without_zone(time).and_then(parse_time).is_none()) {
        return form;
    }
    let separator = text.bytes().find(|byte| matches!(byte, b'.' | b'-' | b'/')).unwrap_or(b'.');
    let mut parts = text.split(char::from(separator));
    let year = parts.next().unwrap_or_default();
    let [month, day] = [parts.next(), parts.next()].map(Option::unwrap_or_default);
    if parts.next().is_some() || time.is_some() && day.is_empty() {
        return form;
    }
    let known_year = match number(year, 4) {
        Some(known_year) if year.len() == 4 => known_year,
        Some(_) if number(month, 2).is_some() && day.len() == 4 && number(day, 4).is_some() => {
            return Err((DateProblem::Order, None));
        }
        // An unknown year before known parts.
        None if year == "????" && part(month).is_some() && part(day).is_some() => 0,
        _ => return form,
    };
    let (Some(month), Some(day)) = (part(month), part(day)) else { return form };
    if known_year == 0 {
        return Ok(None);
    }
    let date = Date { year: known_year, month, day };
    if month > 12 {
        return Err((DateProblem::Month(month), Some(Date { month: 0, day: 0, ..date })));
    }
    if day > days_in(known_year, month) {
        return Err((DateProblem::Day(day), Some(Date { day: 0, ..date })));
    }
    Ok(Some(date))
}

/// A month or a day; 0 if it is unknown.
fn part(text: &str) -> Option<u8> {
    match text {
        "" | "?" | "??" => Some(0),
        text => number(text, 2).map(|number| number as u8),
    }
}

fn number(text: &str, digits: usize) -> Option<u16> {
    let is_number = (1..=digits).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// The days of a month; 31 if it is unknown.
fn days_in(year: u16, month: u8) -> u8 {
    let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        2 => 28 + u8::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Splits a time stamp into its date and its time.
fn split_time(text: &str) -> (&str, Option<&str>) {
    match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    }
}

/// A time without the time zone after it: `Z`, `+02:00`.
fn without_zone(text: &str) -> Option<&str> {
    if let Some(time) = text.strip_suffix(['Z', 'z']) {
        return Some(time);
    }
    let Some((time, zone)) = text.split_once(['+', '-']) else { return Some(text) };
    let digits = zone.bytes().filter(u8::is_ascii_digit).count();
    let is_zone = matches!(digits, 2 | 4) && zone.bytes().all(|b| b.is_ascii_digit() || b == b':');
    is_zone.then_some(time)
}

/// Reads `H:MM`, `HH:MM:SS` or `HH:MM:SS.fff`.
fn parse_time(text: &str) -> Option<TimeOfDay> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = whole.split(':');
    let (hours, minutes) = (number(parts.next()?, 2)?, parts.next()?);
    let seconds = parts.next();
    let sixtieth = |text: &str| number(text, 2).filter(|number| text.len() == 2 && *number < 60);
    let (minutes, seconds) = (sixtieth(minutes)?, seconds.map_or(Some(0), sixtieth)?);
    let is_time = is_fraction && parts.next().is_none() && hours < 24;
    let seconds = u32::from(hours) * 3_600 + u32::from(minutes) * 60 + u32::from(seconds);
    is_time.then_some(TimeOfDay { seconds })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_programs() {
        for (text, date) in [
            ("2025.02.23", "2025.02.23"),
            (" 2025-02-23 ", "2025.02.23"),
            ("2025/2/3", "2025.02.03"),
            ("2025-02-23T10:00:00Z", "2025.02.23"),
            ("2025-02-23T10:00:00.123+02:00", "2025.02.23"),
            ("2025-02-23 10:00", "2025.02.23"),
            ("1924", "1924.??.??"),
            ("1924.", "1924.??.??"),
            ("1924.05", "1924.05.??"),
            ("1924.??.05", "1924.??.05"),
            ("1899.00.00", "1899.??.??"),
            ("2024.02.29", "2024.02.29"),
            ("2000.02.29", "2000.02.29"),
            ("0001.01.01", "0001.01.01"),
        ] {
            let read = Date::read(text).expect(text);
            assert_eq!(read.map(|date| date.to_string()).as_deref(), Some(date), "{text}");
        }
        for text in ["", "?", "-", "????.??.??", "????-??-??", "????.05.12", "0000.00.00", "??"] {
            assert_eq!(Date::read(text), Ok(None), "{text}");
        }
    }

    #[test]
    fn impossible_and_ambiguous_dates() {
        for (text, known) in [
            ("2021.13.45", Some("2021.??.??")),
            ("2021.02.30", Some("2021.02.??")),
            ("1900.02.29", Some("1900.02.??")),
            ("2021.??.32", Some("2021.??.??")),
            ("02/03/2025", None),
            ("23.02.2025", None),
            ("1924-1925", None),
            ("1924-05/06", None),
            ("924", None),
            ("19240", None),
            ("+924.01.01", None),
            ("19??.??.??", None),
            ("2021.1a.02", None),
            ("2021.123.02", None),
            ("2021.01.02.03", None),
            ("2021-01-02Tea", None),
            ("2021T10:00:00Z", None),
            ("2021-01-02T25:00:00Z", None),
            ("March 2021", None),
            ("２０２１.01.02", None),
        ] {
            let error = Date::read(text).expect_err(text);
            assert_eq!(error.known().map(|date| date.to_string()).as_deref(), known, "{text}");
            assert_eq!(Date::of_tag(text), error.known(), "{text}");
        }
        let messages = ["2021.13.45", "2021.02.30"].map(|text| match Date::read(text) {
            Err(error) => error.to_string(),
            Ok(date) => format!("{date:?}"),
        });
        assert_eq!(
            messages,
            [
                "\"2021.13.45\" has no month 13: expected a date such as 2025.02.23 or 2025.??.??",
                "\"2021.02.30\" has no day 30 in its month: expected a date such as 2025.02.23 or 2025.??.??",
            ]
        );
    }

    #[test]
    fn years_and_months() {
        for (text, month) in [
            ("1924.03.23", Some("1924-03")),
            ("1924.03.??", Some("1924-03")),
            ("1924.??.??", None),
            ("0900.1.1", Some("0900-01")),
            ("1924.13.01", None),
        ] {
            let found = Date::of_tag(text).and_then(Date::year_and_month);
            assert_eq!(found.as_deref(), month, "{text}");
        }
    }

    #[test]
    fn times_of_day() {
        for (text, seconds) in [
            ("23:59:59", 86_399),
            ("1:00:00", 3_600),
            ("12:00", 43_200),
            ("12:00:00Z", 43_200),
            ("00:00:01.999", 1),
        ] {
            assert_eq!(TimeOfDay::of_tag(text).map(TimeOfDay::seconds), Some(seconds), "{text}");
        }
        for text in ["24:00:00", "12:60:00", "12", "12:0:00", "12:00:00:00", "7 pm", "12:00:00."] {
            assert!(TimeOfDay::read(text).is_err(), "{text}");
        }
        let of_date = |text| TimeOfDay::of_date(text).map(TimeOfDay::seconds);
        assert_eq!(of_date("2025-02-23T10:00:00Z"), Some(36_000));
        assert_eq!(of_date("2025-02-23T10:00:00+02:00"), Some(36_000));
        assert_eq!(["2025-02-23", "2025-02-30T10:00:00Z", "T10:00:00Z"].map(of_date), [None; 3]);
    }
}
