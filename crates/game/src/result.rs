//! The four results of PGN.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::pgn::class::wide_blank;

/// The result of a game, as one of PGN's four tokens.
///
/// ```
/// use halfmove_game::GameResult;
///
/// let result: GameResult = "1/2-1/2".parse()?;
/// assert_eq!(result, GameResult::Draw);
/// assert_eq!(result.to_string(), "1/2-1/2");
/// # Ok::<(), halfmove_game::ResultError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: unfinished, abandoned or unknown.
    Unknown,
}

impl GameResult {
    /// All four results, in the order of their declaration.
    pub const ALL: [GameResult; 4] =
        [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];

    /// The token in PGN's export format.
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }

    /// Parses a result in any common spelling: the four standard tokens, and others with the same meaning, such as
    /// `0.5-0.5`, `½:½`, `1–0`, `1/2 - 1/2` or `1/2` alone. A half is `1`, `0`, `1/2`, `½` (in UTF-8 or Windows-1252),
    /// `0.5` or `0,5`; they are separated by a hyphen, a dash or a colon, possibly with a space on each side.
    ///
    /// `None` for anything else.
    ///
    /// ```
    /// use halfmove_game::GameResult;
    ///
    /// for text in ["1/2-1/2", "0.5-0.5", "½ – ½", "1/2:½", "½"] {
    ///     assert_eq!(GameResult::from_token(text.as_bytes()), Some(GameResult::Draw));
    /// }
    /// assert_eq!(GameResult::from_token(b"1:0"), Some(GameResult::WhiteWins));
    /// assert_eq!(GameResult::from_token(b"0-0"), None);
    /// ```
    pub fn from_token(token: &[u8]) -> Option<GameResult> {
        if token == b"*" {
            return Some(GameResult::Unknown);
        }
        GameResult::at_start(token, <[u8]>::is_empty).map(|(result, _)| result)
    }

    /// Parses the result at the start of a text, other than `*`. Also returns its length. `ends` returns true for text
    /// that may follow.
    pub(crate) fn at_start(
        text: &[u8],
        ends: impl Fn(&[u8]) -> bool,
    ) -> Option<(GameResult, usize)> {
        // Nearly all results are written like this.
        let usual = match text {
            [b'1', b'-', b'0', ..] => Some((GameResult::WhiteWins, 3)),
            [b'0', b'-', b'1', ..] => Some((GameResult::BlackWins, 3)),
            [b'1', b'/', b'2', b'-', b'1', b'/', b'2', ..] => Some((GameResult::Draw, 7)),
            _ => None,
        };
        if let Some((_, length)) = usual
            && ends(&text[length..])
        {
            return usual;
        }
        let both = halves(text).find_map(|(first, length)| {
            let gap = length + spaces(&text[length..]);
            let gap = gap + separator(&text[gap..])?;
            let gap = gap + spaces(&text[gap..]);
            halves(&text[gap..]).find_map(|(second, length)| {
                let result = match (first, second) {
                    (Half::Win, Half::Loss) => GameResult::WhiteWins,
                    (Half::Loss, Half::Win) => GameResult::BlackWins,
                    (Half::Draw, Half::Draw) => GameResult::Draw,
                    _ => return None,
                };
                ends(&text[gap + length..]).then_some((result, gap + length))
            })
        });
        // Half a point alone is a draw, but `0.5` is a number.
        let alone = || {
            let length = match text {
                [b'1', b'/', b'2', ..] => 3,
                [0xc2, 0xbd, ..] => 2,
                [0xbd, ..] => 1,
                _ => return None,
            };
            ends(&text[length..]).then_some((GameResult::Draw, length))
        };
        both.or_else(alone)
    }
}

/// One side's half of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    Win,
    Loss,
    Draw,
}

/// The halves with which a text may begin, and their lengths, the longer one first.
#[inline]
fn halves(text: &[u8]) -> impl Iterator<Item = (Half, usize)> {
    let (long, short) = match text {
        [b'1', b'/', b'2', ..] => (Some((Half::Draw, 3)), Some((Half::Win, 1))),
        [b'0', b'.' | b',', b'5', ..] => (Some((Half::Draw, 3)), Some((Half::Loss, 1))),
        [b'1', ..] => (None, Some((Half::Win, 1))),
        [b'0', ..] => (None, Some((Half::Loss, 1))),
        // In UTF-8 and in Windows-1252.
        [0xc2, 0xbd, ..] => (None, Some((Half::Draw, 2))),
        [0xbd, ..] => (None, Some((Half::Draw, 1))),
        _ => (None, None),
    };
    [long, short].into_iter().flatten()
}

/// The length of the separator with which a text begins: a hyphen, a colon, or a dash in UTF-8 or Windows-1252.
fn separator(text: &[u8]) -> Option<usize> {
    match text {
        [b'-' | b':' | 0x96 | 0x97, ..] => Some(1),
        // U+2010 to U+2015, and U+2212, a minus sign.
        [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..] => Some(3),
        _ => None,
    }
}

/// The length of the space with which a text begins, at most one character.
fn spaces(text: &[u8]) -> usize {
    match text {
        [b' ', ..] => 1,
        [0x80..=0xff, ..] => wide_blank(text),
        _ => 0,
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is not one of the four result tokens.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("\"{found}\" is not a result: expected 1-0, 0-1, 1/2-1/2 or *")]
pub struct ResultError {
    found: String,
}

impl FromStr for GameResult {
    type Err = ResultError;

    /// Accepts exactly the four tokens; [`GameResult::from_token`] is more lenient.
    fn from_str(text: &str) -> Result<GameResult, ResultError> {
        GameResult::ALL
            .into_iter()
            .find(|result| result.as_str() == text)
            .ok_or_else(|| ResultError { found: text.chars().take(40).collect() })
    }
}
