//! Times on a chess clock.

use std::fmt;
use std::time::Duration;

/// A time on a chess clock, as in `[%clk 0:02:59.9]`: hours, minutes, seconds, and up to three decimals.
///
/// The number of decimals belongs to the value: `0:01:05` and `0:01:05.0` are different texts, and each is written as
/// it was read. So they are not equal, and clocks are not ordered. To compare times, use [`duration`](Clock::duration)
/// or [`millis`](Clock::millis).
///
/// ```
/// use halfmove_game::Clock;
///
/// let clock: Clock = "0:02:59.9".parse()?;
/// assert_eq!((clock.millis(), clock.decimals()), (179_900, 1));
/// assert_eq!(Clock::from_seconds(65).to_string(), "0:01:05");
/// assert_eq!(Clock::from_seconds(65).with_decimals(1).to_string(), "0:01:05.0");
///
/// let (short, long): (Clock, Clock) = ("0:00:10".parse()?, "0:00:10.0".parse()?);
/// assert_ne!(short, long);
/// assert_eq!(short.duration(), long.duration());
/// # Ok::<(), halfmove_game::ClockError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Clock {
    millis: u32,
    decimals: u8,
}

/// The maximum number of hours in a [`Clock`].
const MAX_HOURS: u32 = 1_192;

/// The latest time in milliseconds: 1192:59:59.999.
const MAX: u32 = MAX_HOURS * 3_600_000 + 3_599_999;

impl Clock {
    /// A clock that shows this many seconds, at most 1192:59:59.999.
    pub const fn from_seconds(seconds: u32) -> Clock {
        Clock::from_millis(seconds.saturating_mul(1000))
    }

    /// A clock that shows this many milliseconds, with as many decimals as they need. The maximum is 1192:59:59.999.
    pub const fn from_millis(millis: u32) -> Clock {
        Clock { millis: if millis > MAX { MAX } else { millis }, decimals: 0 }.shown()
    }

    /// The same time with at least this number of decimals (at most three).
    #[must_use]
    pub const fn with_decimals(self, decimals: u8) -> Clock {
        let decimals = if decimals > 3 { 3 } else { decimals };
        Clock { millis: self.millis, decimals }.shown()
    }

    /// Adds decimals until the time is written in full.
    const fn shown(mut self) -> Clock {
        while self.decimals < 3 && !self.millis.is_multiple_of(10_u32.pow(3 - self.decimals as u32))
        {
            self.decimals += 1;
        }
        self
    }

    pub(crate) const fn from_parts(millis: u32, decimals: u8) -> Clock {
        Clock { millis, decimals }
    }

    /// The time in milliseconds.
    pub const fn millis(self) -> u32 {
        self.millis
    }

    /// The time in seconds.
    pub fn seconds(self) -> f64 {
        f64::from(self.millis) / 1000.0
    }

    /// The time as a [`Duration`].
    pub const fn duration(self) -> Duration {
        Duration::from_millis(self.millis as u64)
    }

    /// The number of decimals in its text, at most three.
    pub const fn decimals(self) -> u8 {
        self.decimals
    }

    /// Reads the text of a clock at the start of `bytes`, exactly as [`Display`](fmt::Display)
    /// writes it. Also returns its length.
    #[inline]
    pub(crate) fn read(bytes: &[u8]) -> Option<(Clock, usize)> {
        // Most clocks have a single digit for the hours and no decimals.
        let (seconds, at) = match bytes.first_chunk::<8>().copied().and_then(short_seconds) {
            Some(seconds) => (seconds, 7),
            None => long_seconds(bytes)?,
        };
        let (mut millis, mut at) = (seconds * 1000, at);
        let mut decimals = 0;
        if bytes.get(at) == Some(&b'.') {
            at += 1;
            let mut unit = 100;
            while let Some(digit) = bytes.get(at).filter(|byte| byte.is_ascii_digit()) {
                if decimals == 3 {
                    return None;
                }
                millis += u32::from(digit - b'0') * unit;
                unit /= 10;
                decimals += 1;
                at += 1;
            }
            if decimals == 0 {
                return None;
            }
        }
        Some((Clock { millis, decimals }, at))
    }

    /// Reads any spelling.
    pub(crate) fn read_any(text: &str) -> Option<Clock> {
        let usual = Clock::read(text.as_bytes()).filter(|(_, end)| *end == text.len());
        usual.map(|(clock, _)| clock).or_else(|| Clock::read_loosely(text))
    }

    /// The two numbers of a text such as `1:05`, which may be hours and minutes.
    pub(crate) fn two_fields(text: &str) -> Option<(u32, u32)> {
        let number = |field: &str| {
            let plain = (1..=4).contains(&field.len()) && field.bytes().all(|b| b.is_ascii_digit());
            plain.then(|| field.parse().ok()).flatten()
        };
        let (first, second) = text.split_once(':')?;
        Some((number(first)?, number(second)?))
    }

    /// Reads the other spellings: `1:05`, `65`, `00:01:05`, `0:01:05.`, days before the hours, more than three decimals
    /// (which are cut off).
    fn read_loosely(text: &str) -> Option<Clock> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        if fraction.len() > 20 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let mut total = 0_u64;
        let has_days = whole.matches(':').count() == 3;
        for (index, field) in whole.split(':').enumerate() {
            let plain = (1..=7).contains(&field.len());
            if index > 3 || !plain || !field.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            let unit = if has_days && index == 1 { 24 } else { 60 };
            total = total * unit + field.parse::<u64>().ok()?;
        }
        let decimals = fraction.len().min(3);
        let millis = format!("{:0<3}", &fraction[..decimals]).parse::<u64>().ok()?;
        let millis = u32::try_from(total * 1000 + millis).ok()?;
        (millis <= MAX).then_some(Clock { millis, decimals: decimals as u8 })
    }
}

/// The seconds of `H:MM:SS`, all digits at once; the eighth byte does not matter.
#[inline]
fn short_seconds(bytes: [u8; 8]) -> Option<u32> {
    /// The smallest text.
    const ZERO: u64 = u64::from_le_bytes(*b"0:00:00\0");
    /// Added to a byte above its largest valid value, this sets its highest bit.
    const BEYOND: u64 = u64::from_le_bytes([0x76, 0x7f, 0x7a, 0x76, 0x7f, 0x7a, 0x76, 0]);
    const HIGHEST: u64 = 0x0080_8080_8080_8080;
    let digits = (u64::from_le_bytes(bytes) ^ ZERO) & 0x00ff_ffff_ffff_ffff;
    if (digits | ((digits & !HIGHEST) + BEYOND)) & HIGHEST != 0 {
        return None;
    }
    let digit = |at: u32| (digits >> (8 * at)) as u32 & 0xff;
    Some(digit(0) * 3600 + (digit(2) * 10 + digit(3)) * 60 + digit(5) * 10 + digit(6))
}

/// The seconds of `H:MM:SS` with up to four digits for the hours, and the length of the text.
#[cold]
fn long_seconds(bytes: &[u8]) -> Option<(u32, usize)> {
    let digit = |at: usize| bytes.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|d| *d < 10);
    let first = digit(0)?;
    let (mut hours, mut at) = (u32::from(first), 1);
    while let Some(next) = digit(at) {
        if first == 0 || at > 3 {
            return None;
        }
        hours = hours * 10 + u32::from(next);
        at += 1;
    }
    let rest: &[u8; 6] = bytes.get(at..at + 6)?.try_into().ok()?;
    let tens = |at: usize| rest[at].wrapping_sub(b'0');
    let [minutes, seconds] = [1, 4].map(|at| (tens(at), tens(at + 1)));
    let sound = rest[0] == b':' && rest[3] == b':';
    let too_high = minutes.0 > 5 || minutes.1 > 9 || seconds.0 > 5 || seconds.1 > 9;
    if !sound || too_high || hours > MAX_HOURS {
        return None;
    }
    let sixty = |(tens, ones): (u8, u8)| u32::from(tens) * 10 + u32::from(ones);
    Some((hours * 3600 + sixty(minutes) * 60 + sixty(seconds), at + 6))
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.millis / 1000;
        write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
        let decimals = usize::from(self.decimals);
        if decimals > 0 {
            let fraction = self.millis % 1000 / 10_u32.pow(3 - u32::from(self.decimals));
            write!(f, ".{fraction:0decimals$}")?;
        }
        Ok(())
    }
}

/// The text is not a time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{found}\" is not a time: expected hours, minutes and seconds such as 0:01:05 or 0:01:05.4"
)]
pub struct ClockError {
    found: String,
}

impl std::str::FromStr for Clock {
    type Err = ClockError;

    /// Reads a time, also in other spellings such as `1:05` or `65`.
    fn from_str(text: &str) -> Result<Clock, ClockError> {
        Clock::read_any(text).ok_or_else(|| ClockError { found: text.chars().take(40).collect() })
    }
}
