//! The four results of PGN.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

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

    /// Reads a result token in movetext. Besides the four standard tokens, it accepts the forms
    /// `1/2` and `½-½` (UTF-8 or Windows-1252) of old collections as draws.
    ///
    /// `None` for anything else.
    pub fn from_token(token: &[u8]) -> Option<GameResult> {
        match token {
            b"1-0" => Some(GameResult::WhiteWins),
            b"0-1" => Some(GameResult::BlackWins),
            b"1/2-1/2" | b"1/2" | b"\xc2\xbd-\xc2\xbd" | b"\xbd-\xbd" => Some(GameResult::Draw),
            b"*" => Some(GameResult::Unknown),
            _ => None,
        }
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
