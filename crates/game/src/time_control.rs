//! Time controls: the tag `TimeControl` as numbers, and the speed of a game.
//!
//! A text has a first period, and others after colons:
//!
//! | text | meaning |
//! |---|---|
//! | `180+2` | 180 seconds for the game, 2 more for each move |
//! | `300` | 300 seconds for the game |
//! | `40/7200:20/3600:1800` | 40 moves in 7200 seconds, then 20 in 3600, then the rest in 1800 |
//! | `1/259200` | 3 days for each move |
//! | `*60` | an hourglass of 60 seconds |
//! | `-` | no time control: speed `correspondence`, as on Lichess |
//! | `?` | unknown |
//!
//! Nonstandard forms such as `60 mins`, `1 in 5 days` and `G/90;+30` are accepted, too.
//!
//! ```
//! use halfmove_game::{Speed, TimeControl};
//!
//! let control = TimeControl::of_tag("40/5400+30:1800+30").expect("a time control");
//! assert_eq!((control.base, control.increment, control.moves), (5400.0, 30.0, Some(40)));
//! assert_eq!(control.speed(), Speed::Classical);
//! assert_eq!(Speed::of_tag("180+2"), Some(Speed::Blitz));
//! assert_eq!(Speed::of_tag("-"), Some(Speed::Correspondence));
//! assert_eq!(Speed::of_tag("?"), None);
//! ```

use std::fmt;
use std::str::FromStr;

/// The first period of a time control.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct TimeControl {
    /// The time for the period, in seconds.
    pub base: f64,
    /// The time that each move adds, in seconds.
    pub increment: f64,
    /// The number of moves of the period; `None` if it lasts to the end of the game.
    pub moves: Option<u32>,
}

/// The error for a text that is not a time control.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{text}\" is not a time control: expected minutes and seconds per move, as in 3+2 (the tag's 180+2), or moves and seconds, as in 40/7200"
)]
pub struct TimeControlError {
    text: String,
}

/// The number of minutes from which `minutes+seconds` is assumed to be the tag's seconds.
const MAX_MINUTES: f64 = 180.0;

/// The longest valid time, in seconds: a year.
const LONGEST: f64 = 366.0 * 86_400.0;

impl TimeControl {
    /// A time for the whole game and an increment, in seconds.
    pub const fn new(base: f64, increment: f64) -> Self {
        Self { base, increment, moves: None }
    }

    /// Parses the text of a tag `TimeControl`. `None` if there is no clock, or the text is invalid.
    pub fn of_tag(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(text) = text.strip_prefix("G/").or_else(|| text.strip_prefix("g/")) {
            let (minutes, more) = text.split_once(';').unwrap_or((text, "0"));
            // A delay, as in G/90;d5, is not added to the clock.
            let increment = match more.trim().trim_start_matches(['+', ' ']) {
                delay if delay.starts_with('d') => "0",
                increment => increment,
            };
            return Some(Self::new(60.0 * number(minutes)?, number(increment)?));
        }
        let mut words = text.split_ascii_whitespace();
        if let (Some(first), Some(second)) = (words.next(), words.next()) {
            return match (second, words.next(), words.next(), words.next()) {
                ("in", Some(count), Some(unit), None) => {
                    let base = number(count)? * seconds_in(unit)?;
                    Some(Self { moves: Some(moves(first)?), ..Self::new(base, 0.0) })
                }
                (unit, None, None, None) => {
                    Some(Self::new(number(first)? * seconds_in(unit)?, 0.0))
                }
                _ => None,
            };
        }
        let period = text.split(':').next()?;
        let (moves, time) = match period.split_once('/') {
            Some((count, time)) => (Some(moves(count)?), time),
            None => (None, period),
        };
        let time = time.strip_prefix('*').unwrap_or(time);
        let (base, increment) = match time.split_once('+') {
            Some((base, increment)) => (number(base)?, number(increment)?),
            None => (number(time)?, 0.0),
        };
        let is_some = base > 0.0 || increment > 0.0;
        is_some.then_some(Self { base, increment, moves })
    }

    /// The speed, by Lichess's estimate of a game of 40 moves: base + 40 × increment.
    pub fn speed(self) -> Speed {
        let seconds = self.base + 40.0 * self.increment;
        match () {
            () if seconds < 30.0 => Speed::UltraBullet,
            () if seconds < 180.0 => Speed::Bullet,
            () if seconds < 480.0 => Speed::Blitz,
            () if seconds < 1_500.0 => Speed::Rapid,
            () if seconds < 21_600.0 => Speed::Classical,
            () => Speed::Correspondence,
        }
    }
}

/// Parses a time control in the common notation: `3+2` is 3 minutes and an increment of 2 seconds. A text with moves or
/// periods is read like the tag, in seconds. 180 minutes and more are an error, because `180+2` is the tag's text for
/// `3+2`.
impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let error = || TimeControlError { text: text.to_owned() };
        match text.trim().split_once('+') {
            Some((minutes, seconds)) if !text.contains(['/', ':', '*', ';']) => {
                let (minutes, seconds) = (number(minutes), number(seconds));
                let both = minutes.zip(seconds).ok_or_else(error)?;
                if both.0 >= MAX_MINUTES {
                    return Err(error());
                }
                Ok(Self::new(60.0 * both.0, both.1))
            }
            _ if text.contains(['/', ':', '*', ';', ' ']) => Self::of_tag(text).ok_or_else(error),
            _ => Err(error()),
        }
    }
}

/// A number that is not negative, in plain decimal digits.
fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_plain = text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse().ok().filter(|number| is_plain && *number <= LONGEST)
}

fn moves(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|moves| (1..=1_000).contains(moves))
}

/// The seconds in a unit of time.
fn seconds_in(unit: &str) -> Option<f64> {
    Some(match unit.trim_end_matches('.').to_ascii_lowercase().as_str() {
        "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
        "h" | "hour" | "hours" => 3_600.0,
        "day" | "days" => 86_400.0,
        _ => return None,
    })
}

/// The speed of a game, by its time control, in Lichess's classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Speed {
    /// Below 30 seconds.
    UltraBullet,
    /// Below 3 minutes.
    Bullet,
    /// Below 8 minutes.
    Blitz,
    /// Below 25 minutes.
    Rapid,
    /// Below 6 hours.
    Classical,
    /// From 6 hours on, by days for each move, or without a clock.
    Correspondence,
}

/// The error for a text that is not a speed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{text}\" is not a speed: expected ultrabullet, bullet, blitz, rapid, classical or correspondence"
)]
pub struct SpeedError {
    text: String,
}

impl Speed {
    /// All speeds, from the fastest.
    pub const ALL: [Self; 6] = [
        Self::UltraBullet,
        Self::Bullet,
        Self::Blitz,
        Self::Rapid,
        Self::Classical,
        Self::Correspondence,
    ];

    /// The name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::UltraBullet => "ultrabullet",
            Self::Bullet => "bullet",
            Self::Blitz => "blitz",
            Self::Rapid => "rapid",
            Self::Classical => "classical",
            Self::Correspondence => "correspondence",
        }
    }

    /// The speed by the text of a tag `TimeControl`; `None` if it is unknown.
    pub fn of_tag(text: &str) -> Option<Self> {
        match text.trim() {
            "-" => Some(Self::Correspondence),
            text => TimeControl::of_tag(text).map(TimeControl::speed),
        }
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Speed {
    type Err = SpeedError;

    fn from_str(text: &str) -> Result<Self, SpeedError> {
        let speed = Self::ALL.into_iter().find(|speed| speed.name().eq_ignore_ascii_case(text));
        speed.ok_or_else(|| SpeedError { text: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_programs() {
        for (text, base, increment, moves, speed) in [
            ("40/7200:20/3600:1800", 7_200.0, 0.0, Some(40), Speed::Classical),
            ("180+2", 180.0, 2.0, None, Speed::Blitz),
            ("300", 300.0, 0.0, None, Speed::Blitz),
            ("40/5400+30:1800+30", 5_400.0, 30.0, Some(40), Speed::Classical),
            ("60 mins", 3_600.0, 0.0, None, Speed::Classical),
            ("1 in 5 days", 432_000.0, 0.0, Some(1), Speed::Correspondence),
            ("1/259200", 259_200.0, 0.0, Some(1), Speed::Correspondence),
            ("*60", 60.0, 0.0, None, Speed::Bullet),
            ("3+0", 3.0, 0.0, None, Speed::UltraBullet),
            ("40/1500:40/1500:40/1500", 1_500.0, 0.0, Some(40), Speed::Classical),
            ("G/90;+30", 5_400.0, 30.0, None, Speed::Classical),
            ("G/90;d5", 5_400.0, 0.0, None, Speed::Classical),
            ("0+1", 0.0, 1.0, None, Speed::Bullet),
            ("8+0.08", 8.0, 0.08, None, Speed::UltraBullet),
            ("600+5", 600.0, 5.0, None, Speed::Rapid),
        ] {
            let control = TimeControl::of_tag(text);
            assert_eq!(control, Some(TimeControl { base, increment, moves }), "{text}");
            assert_eq!(Speed::of_tag(text), Some(speed), "{text}");
        }
        for text in
            ["", "?", "inf", "0", "0+0", "-5", "1e9", "NaN", "40/", "9999999999", "x+1", "."]
        {
            assert_eq!((TimeControl::of_tag(text), Speed::of_tag(text)), (None, None), "{text}");
        }
    }

    #[test]
    fn limits_of_the_speeds() {
        // The first estimate of each class, as in Lichess's source.
        let limits = [0.0, 30.0, 180.0, 480.0, 1_500.0, 21_600.0];
        for (speed, least) in Speed::ALL.into_iter().zip(limits) {
            assert_eq!(TimeControl::new(least, 0.0).speed(), speed);
            assert_eq!(speed.name().parse(), Ok(speed));
        }
        assert!("lightning".parse::<Speed>().is_err());
    }

    #[test]
    fn people_write_minutes() {
        assert_eq!("3+2".parse(), Ok(TimeControl::new(180.0, 2.0)));
        assert_eq!("0.5+0".parse(), Ok(TimeControl::new(30.0, 0.0)));
        assert_eq!("40/7200:3600".parse::<TimeControl>().ok(), TimeControl::of_tag("40/7200:3600"));
        for text in ["", "3", "blitz", "3+", "+2", "3+2+1", "-3+2", "180+2", "300+0"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }
}
