//! Numeric annotation glyphs, and the signs that stand for them.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A numeric annotation glyph as it was written: `$14`, or a sign such as `!?` or `+/=`.
///
/// Two glyphs are equal if they have the same spelling; compare their numbers if only the meaning matters. The
/// constants, named as in the standard's table, are written as signs.
///
/// ```
/// use halfmove_game::pgn::Nag;
///
/// let nag: Nag = "!?".parse()?;
/// assert_eq!((nag, nag.number()), (Nag::SPECULATIVE_MOVE, 5));
/// assert_eq!((nag.to_string(), Nag::new(5).to_string()), ("!?".to_owned(), "$5".to_owned()));
/// assert_eq!(nag.number(), Nag::new(5).number());
/// assert_eq!("$5".parse(), Ok(Nag::new(5)));
/// # Ok::<(), halfmove_game::pgn::NagError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Nag {
    number: u32,
    /// The index in [`SIGNS`] plus one; 0 for a glyph written as a number.
    sign: u8,
}

/// The signs and their numbers. `!` to `?!` follow a move without a space.
const SIGNS: [(&str, u32); 20] = [
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("=", 10),
    ("~", 13),
    ("inf", 13),
    ("+/=", 14),
    ("+=", 14),
    ("=/+", 15),
    ("=+", 15),
    ("+/-", 16),
    ("-/+", 17),
    ("+-", 18),
    ("-+", 19),
    ("RR", 145),
    ("N", 146),
    ("D", 220),
];

impl Nag {
    /// `!`, number 1.
    pub const GOOD_MOVE: Nag = Nag { number: 1, sign: 1 };
    /// `?`, number 2.
    pub const POOR_MOVE: Nag = Nag { number: 2, sign: 2 };
    /// `!!`, number 3.
    pub const VERY_GOOD_MOVE: Nag = Nag { number: 3, sign: 3 };
    /// `??`, number 4.
    pub const VERY_POOR_MOVE: Nag = Nag { number: 4, sign: 4 };
    /// `!?`, number 5.
    pub const SPECULATIVE_MOVE: Nag = Nag { number: 5, sign: 5 };
    /// `?!`, number 6.
    pub const QUESTIONABLE_MOVE: Nag = Nag { number: 6, sign: 6 };

    /// A glyph that is written as a number: `$14`.
    pub const fn new(number: u32) -> Nag {
        Nag { number, sign: 0 }
    }

    /// The glyph of a sign: `!`, `?`, `!!`, `??`, `!?`, `?!`, and the evaluations and abbreviations
    /// that ChessBase and old files use (`=`, `~`, `inf`, `+/=`, `+=`, `=/+`, `=+`, `+/-`, `-/+`,
    /// `+-`, `-+`, `RR`, `N`, `D`). `None` for anything else.
    pub fn from_sign(sign: &str) -> Option<Nag> {
        let index = SIGNS.iter().position(|(known, _)| *known == sign)?;
        Some(Nag { number: SIGNS[index].1, sign: index as u8 + 1 })
    }

    /// The glyph of a sign, by its number from 1.
    pub(crate) fn from_index(sign: u8) -> Option<Nag> {
        let (_, number) = *SIGNS.get(usize::from(sign).checked_sub(1)?)?;
        Some(Nag { number, sign })
    }

    pub(crate) const fn to_parts(self) -> (u8, u32) {
        (self.sign, self.number)
    }

    pub(crate) const fn from_parts(sign: u8, number: u32) -> Nag {
        Nag { number, sign }
    }

    /// The number.
    pub const fn number(self) -> u32 {
        self.number
    }

    /// The sign; `None` if it is written as a number.
    pub fn sign(self) -> Option<&'static str> {
        SIGNS.get(usize::from(self.sign).wrapping_sub(1)).map(|(sign, _)| *sign)
    }

    /// The sign for this number, whatever its spelling here; `None` if there is none.
    ///
    /// ```
    /// use halfmove_game::pgn::Nag;
    /// assert_eq!((Nag::new(6).sign(), Nag::new(6).symbol()), (None, Some("?!")));
    /// ```
    pub fn symbol(self) -> Option<&'static str> {
        let usual =
            || SIGNS.iter().find(|(_, number)| *number == self.number).map(|(sign, _)| *sign);
        self.sign().or_else(usual)
    }

    /// Returns true if this is one of `!`, `?`, `!!`, `??`, `!?`, `?!`, which follow a move without a space.
    pub const fn is_suffix(self) -> bool {
        matches!(self.sign, 1..=6)
    }
}

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sign() {
            Some(sign) => f.pad(sign),
            None => write!(f, "${}", self.number),
        }
    }
}

/// The text is not a glyph.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("\"{found}\" is not a glyph: expected a number such as $14, or a sign such as !? or +/-")]
pub struct NagError {
    found: String,
}

impl FromStr for Nag {
    type Err = NagError;

    /// Reads a number after a `$`, or one of the signs of [`Nag::from_sign`].
    fn from_str(text: &str) -> Result<Nag, NagError> {
        let nag = match text.strip_prefix('$') {
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                digits.parse().ok().map(Nag::new)
            }
            Some(_) => None,
            None => Nag::from_sign(text),
        };
        nag.ok_or_else(|| NagError { found: text.chars().take(40).collect() })
    }
}

/// Cuts off the evaluation that is glued to a move: `e4+-` is `e4` and `+-`.
pub(crate) fn cut_evaluation(word: &[u8]) -> (&[u8], &[u8]) {
    let glued = word.iter().rev().take_while(|byte| b"+-/=#".contains(byte)).count();
    word.split_at(word.len() - glued)
}

/// The glyph of such an evaluation, whose first character may also be a mark of check.
pub(crate) fn glued_nag(evaluation: &[u8]) -> Option<Nag> {
    let nag = |sign| Nag::from_sign(std::str::from_utf8(sign).ok()?);
    nag(evaluation).or_else(|| nag(evaluation.get(1..)?))
}
