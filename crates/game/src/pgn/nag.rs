//! Numeric annotation glyphs, and their signs.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::text::Text;

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

/// The signs and their numbers. `!` to `?!` follow a move without a space. Archives store the index of a sign, so new
/// signs must be appended.
const SIGNS: [(&str, u32); 47] = [
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
    ("±", 16),
    ("∓", 17),
    ("⩲", 14),
    ("⩱", 15),
    ("∞", 13),
    ("=∞", 44),
    ("⯹", 44),
    ("□", 7),
    ("⊕", 138),
    ("⨁", 138),
    ("⟳", 32),
    ("↑", 36),
    ("→", 40),
    ("⇆", 132),
    ("○", 26),
    ("⨀", 22),
    ("⊙", 22),
    ("∆", 140),
    ("Δ", 140),
    ("∇", 141),
    ("⌓", 142),
    ("≤", 143),
    ("⇔", 239),
    ("⇗", 240),
    ("⟫", 242),
    ("⟪", 243),
    ("⊥", 245),
];

/// The maximum length of a sign in any spelling, in characters.
const LONGEST_SIGN: usize = 8;

/// The sign in ASCII: hyphens for dashes and minus signs, slashes for fraction slashes, and two characters for
/// ligatures. `None` if it is longer than any sign.
fn plain_sign(sign: &str) -> Option<String> {
    let mut plain = String::new();
    for (at, char) in sign.chars().enumerate() {
        match char {
            _ if at == LONGEST_SIGN => return None,
            '\u{2010}'..='\u{2015}' | '−' => plain.push('-'),
            '⁄' | '∕' => plain.push('/'),
            '‼' => plain.push_str("!!"),
            '⁇' => plain.push_str("??"),
            '⁈' => plain.push_str("?!"),
            '⁉' => plain.push_str("!?"),
            // Variation selectors of the preceding character.
            '\u{fe0e}' | '\u{fe0f}' => {}
            _ => plain.push(char),
        }
    }
    Some(plain)
}

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

    /// The glyph of a sign: `!`, `?`, `!!`, `??`, `!?`, `?!`, and the evaluations and abbreviations that ChessBase and
    /// old files use (`=`, `~`, `inf`, `+/=`, `+=`, `=/+`, `=+`, `+/-`, `-/+`, `+-`, `-+`, `RR`, `N`, `D`), also as
    /// typographic signs (`±`, `∓`, `⩲`, `⩱`, `∞`, `□`, `⊕`, `⟳` …). Dashes and minus signs are read as hyphens: `+−`
    /// is `+-`. `None` for anything else.
    ///
    /// ```
    /// use halfmove_game::pgn::Nag;
    ///
    /// let nag = Nag::from_sign("±").expect("a sign");
    /// assert_eq!((nag.number(), nag.sign()), (16, Some("±")));
    /// assert_eq!(Nag::from_sign("+−"), Nag::from_sign("+-"));
    /// ```
    pub fn from_sign(sign: &str) -> Option<Nag> {
        let find = |sign: &str| SIGNS.iter().position(|(known, _)| *known == sign);
        let index = match find(sign) {
            None if !sign.is_ascii() => find(&plain_sign(sign)?)?,
            index => index?,
        };
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

    /// The sign for this number, independent of the spelling; `None` if there is none.
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

/// The marks that are attached to a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Glued {
    /// A glyph: `e4+-`, `Nf3±`.
    Nag(Nag),
    /// Signs that are not a glyph: `Nf3🙂`.
    Text(String),
}

/// Cuts off the marks that are attached to a move: `e4+-` is `e4` and `+-`.
pub(super) fn cut_marks(word: &str) -> (&str, &str) {
    let is_figurine = |char| matches!(char, '♔'..='♟');
    let is_mark = |char: char| match char.is_ascii() {
        true => "+-/=#".contains(char),
        false => !char.is_alphanumeric() && !is_figurine(char),
    };
    word.split_at(word.trim_end_matches(is_mark).len())
}

/// The meaning of such marks, the first of which may be a check mark. `None` if there is nothing else.
pub(super) fn glued(marks: &str) -> Option<Glued> {
    let behind_first = || marks.get(marks.chars().next()?.len_utf8()..);
    let nag = Nag::from_sign(marks).or_else(|| Nag::from_sign(behind_first()?));
    if let Some(nag) = nag {
        return Some(Glued::Nag(nag));
    }
    let text = marks.trim_start_matches(['+', '#', '†', '‡']);
    (!text.is_ascii()).then(|| Glued::Text(text.to_owned()))
}

/// A word without letters and digits that begins with a sign beyond ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Nag(Nag),
    /// Two dashes, for the null move `--`.
    Null,
    /// Another sign, such as an emoji.
    Unknown,
}

/// The sign, if a word is one.
pub(super) fn sign_of(word: &[u8]) -> Option<Sign> {
    let text = Text::plain(word).to_str();
    if let Some(nag) = Nag::from_sign(&text) {
        return Some(Sign::Nag(nag));
    }
    match plain_sign(&text) {
        Some(plain) if plain == "--" => Some(Sign::Null),
        _ => (!text.contains(char::is_alphanumeric)).then_some(Sign::Unknown),
    }
}
