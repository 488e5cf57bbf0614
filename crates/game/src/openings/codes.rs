//! ECO codes: single codes, ranges, and sets of these.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The number of codes in a volume, 00 to 99.
const VOLUME: u16 = 100;

/// An ECO code.
///
/// ```
/// use halfmove_game::openings::EcoCode;
///
/// let code = EcoCode::of_tag("b90k").unwrap();
/// assert_eq!((code.to_string().as_str(), code.volume()), ("B90", 'B'));
/// assert_eq!(EcoCode::of_tag("?"), None);
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EcoCode(u16);

impl EcoCode {
    /// The code at the start of the text of a tag `ECO`. Letters may be of either case, and text after a code, as some
    /// programs write it, is ignored (`B90/04`, `B90k`). `None` if the text does not begin with a code.
    pub fn of_tag(text: &str) -> Option<EcoCode> {
        let (codes, rest) = beginning(text.trim_start())?;
        let is_code = codes.first == codes.last && !rest.starts_with(|c: char| c.is_ascii_digit());
        is_code.then_some(EcoCode(codes.first))
    }

    /// The volume, from `A` to `E`.
    pub fn volume(self) -> char {
        char::from(b'A' + (self.0 / VOLUME) as u8)
    }
}

impl fmt::Display for EcoCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:02}", self.volume(), self.0 % VOLUME)
    }
}

/// One or more ECO codes.
///
/// ```
/// use halfmove_game::openings::EcoCodes;
///
/// let indian: EcoCodes = "E60-E99".parse()?;
/// assert!(indian.contains("E97") && !indian.contains("E59"));
/// assert_eq!("E60-99".parse(), Ok(indian));
/// // The beginning of a code stands for all codes that begin so.
/// let najdorf: EcoCodes = "b9".parse()?;
/// assert_eq!(najdorf.to_string(), "B90-B99");
/// // Several of these.
/// let some: EcoCodes = "B90,B92, E6".parse()?;
/// assert!(some.contains("E61") && !some.contains("B91"));
/// assert_eq!(some.to_string(), "B90,B92,E60-E69");
/// # Ok::<(), halfmove_game::openings::EcoError>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct EcoCodes {
    /// A bit for each: A00 is 0, E99 is 499.
    codes: [u64; 8],
}

/// A range of consecutive codes.
#[derive(Copy, Clone)]
struct Range {
    first: u16,
    last: u16,
}

/// The reason why a text is not a set of ECO codes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EcoError {
    /// The text is neither a code, nor a prefix of one, nor a range.
    #[error("expected ECO codes, their beginnings or ranges, such as B90, B9 or E60-E99")]
    Syntax,
    /// A range ends before it begins.
    #[error("{last} is before {first}")]
    Reversed {
        /// The first code of the range.
        first: String,
        /// The last code of the range.
        last: String,
    },
}

impl EcoCodes {
    /// Returns true if a text, such as the tag `ECO` of a game, begins with one of the codes. `None` if it does not
    /// [begin with a code](EcoCode::of_tag).
    ///
    /// ```
    /// use halfmove_game::openings::EcoCodes;
    ///
    /// let codes: EcoCodes = "B90".parse()?;
    /// assert_eq!(codes.holds("b90k"), Some(true));
    /// assert_eq!(codes.holds("C42"), Some(false));
    /// assert_eq!(codes.holds("?"), None);
    /// # Ok::<(), halfmove_game::openings::EcoError>(())
    /// ```
    pub fn holds(&self, text: &str) -> Option<bool> {
        EcoCode::of_tag(text).map(|code| self.has(code))
    }

    /// Returns true if the set contains a code.
    pub fn has(&self, EcoCode(code): EcoCode) -> bool {
        self.codes[usize::from(code / 64)] & 1 << (code % 64) != 0
    }

    /// Returns true if a text is one of the codes.
    pub fn contains(&self, text: &str) -> bool {
        self.holds(text) == Some(true)
    }
}

/// Returns true if the text of a tag `ECO` begins with a code.
pub(crate) fn is_eco(text: &str) -> bool {
    EcoCode::of_tag(text).is_some()
}

/// The code, or the prefix of one, at the start of a text, and the rest of the text.
fn beginning(text: &str) -> Option<(Range, &str)> {
    let volume = text.bytes().next().map(|letter| letter.to_ascii_uppercase())?;
    let volume = volume.checked_sub(b'A').filter(|volume| *volume < 5)?;
    let rest = &text[1..];
    let digits = rest.bytes().take(2).take_while(u8::is_ascii_digit).count();
    let number = rest[..digits].parse().unwrap_or(0);
    let count = [VOLUME, VOLUME / 10, 1][digits];
    let first = u16::from(volume) * VOLUME + number * count;
    Some((Range { first, last: first + count - 1 }, &rest[digits..]))
}

impl FromStr for EcoCodes {
    type Err = EcoError;

    fn from_str(text: &str) -> Result<Self, EcoError> {
        let mut codes = [0; 8];
        for part in text.split(',') {
            let Range { first, last } = part.trim().parse()?;
            for code in first..=last {
                codes[usize::from(code / 64)] |= 1 << (code % 64);
            }
        }
        Ok(Self { codes })
    }
}

impl FromStr for Range {
    type Err = EcoError;

    fn from_str(text: &str) -> Result<Self, EcoError> {
        let whole = |text| match beginning(text) {
            Some((codes, "")) => Ok(codes),
            _ => Err(EcoError::Syntax),
        };
        let Some((first, last)) = text.split_once('-') else { return whole(text) };
        let from = whole(first)?;
        let to = match last.starts_with(|char: char| char.is_ascii_digit()) {
            true => whole(&format!("{}{last}", &first[..1]))?,
            false => whole(last)?,
        };
        if to.first < from.first {
            return Err(EcoError::Reversed { first: first.to_owned(), last: last.to_owned() });
        }
        Ok(Self { first: from.first, last: to.last })
    }
}

/// Writes single codes, and ranges of consecutive codes.
impl fmt::Display for EcoCodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has = |code: &u16| self.has(EcoCode(*code));
        let (mut next, mut comma) = (0, "");
        while let Some(first) = (next..5 * VOLUME).find(has) {
            let end = (first..5 * VOLUME).find(|code| !has(code)).unwrap_or(5 * VOLUME);
            write!(f, "{comma}{}", EcoCode(first))?;
            if end - first > 1 {
                write!(f, "-{}", EcoCode(end - 1))?;
            }
            (next, comma) = (end, ",");
        }
        Ok(())
    }
}
