//! Evaluations of positions by engines.

use std::fmt;

/// An engine's evaluation of a position, from White's side, as in `[%eval 0.17,23]`.
///
/// The number of decimals belongs to the value, as in [`Clock`](crate::Clock): Lichess writes `0.3`, other programs
/// `0.30`, and these are not equal. To compare their values, use [`score`](Evaluation::score).
///
/// ```
/// use halfmove_game::{Evaluation, Score};
///
/// let evaluation: Evaluation = "-0.3,23".parse()?;
/// assert_eq!(evaluation.score(), Score::Centipawns(-30));
/// assert_eq!(evaluation.depth(), Some(23));
/// assert_eq!(evaluation.to_string(), "-0.3,23");
/// assert_eq!(Evaluation::new(Score::Mate(-3)).to_string(), "#-3");
/// assert_eq!(Evaluation::new(Score::Centipawns(17)).with_depth(9).to_string(), "0.17,9");
/// # Ok::<(), halfmove_game::EvaluationError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Evaluation {
    score: Score,
    depth: Option<u32>,
    /// 0 for a mate.
    decimals: u8,
}

/// The score of a position, from White's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// White mates in this number of moves; if negative, Black does.
    Mate(i32),
}

/// The maximum number of digits; longer numbers are kept as text.
const MAX_DIGITS: usize = 7;

/// The largest score in centipawns.
const MAX: i32 = 999_999_999;

/// The largest number of moves to mate, and the largest depth.
const MAX_MOVES: u32 = 9_999_999;

impl Evaluation {
    /// An evaluation with a score and no depth. Centipawns are written with two decimals. Scores are clamped to
    /// ±9,999,999.99 pawns or ±9,999,999 moves.
    pub const fn new(score: Score) -> Evaluation {
        const fn bound(number: i32, most: i32) -> i32 {
            if number > most {
                most
            } else if number < -most {
                -most
            } else {
                number
            }
        }
        match score {
            Score::Centipawns(cp) => {
                Evaluation { score: Score::Centipawns(bound(cp, MAX)), depth: None, decimals: 2 }
            }
            Score::Mate(moves) => {
                let score = Score::Mate(bound(moves, MAX_MOVES as i32));
                Evaluation { score, depth: None, decimals: 0 }
            }
        }
    }

    /// The same score, found at this depth (at most 9,999,999).
    #[must_use]
    pub const fn with_depth(self, depth: u32) -> Evaluation {
        let depth = if depth > MAX_MOVES { MAX_MOVES } else { depth };
        Evaluation { depth: Some(depth), ..self }
    }

    /// The same score with at least this number of decimals (at most two). A mate has none.
    #[must_use]
    pub const fn with_decimals(self, decimals: u8) -> Evaluation {
        let Score::Centipawns(cp) = self.score else { return self };
        let needed = match cp {
            _ if cp % 100 == 0 => 0,
            _ if cp % 10 == 0 => 1,
            _ => 2,
        };
        let decimals = if decimals > 2 { 2 } else { decimals };
        Evaluation { decimals: if decimals < needed { needed } else { decimals }, ..self }
    }

    /// The score.
    pub const fn score(self) -> Score {
        self.score
    }

    /// The score in centipawns, unless it is a mate.
    pub const fn centipawns(self) -> Option<i32> {
        match self.score {
            Score::Centipawns(cp) => Some(cp),
            Score::Mate(_) => None,
        }
    }

    /// The number of moves to mate, negative if Black mates, unless it is a score in centipawns.
    pub const fn mate(self) -> Option<i32> {
        match self.score {
            Score::Centipawns(_) => None,
            Score::Mate(moves) => Some(moves),
        }
    }

    /// The depth at which the engine found it, if it is known.
    pub const fn depth(self) -> Option<u32> {
        self.depth
    }

    /// The score as a number for each kind, the depth plus one, and the decimals.
    pub(crate) const fn to_parts(self) -> (u16, u64) {
        let (mate, score) = match self.score {
            Score::Centipawns(cp) => (0, cp),
            Score::Mate(moves) => (1 << 8, moves),
        };
        let depth = match self.depth {
            Some(depth) => depth + 1,
            None => 0,
        };
        (mate | self.decimals as u16, (depth as u64) << 32 | score as u32 as u64)
    }

    pub(crate) const fn from_parts(half: u16, word: u64) -> Evaluation {
        let score = word as u32 as i32;
        let score = if half >> 8 == 0 { Score::Centipawns(score) } else { Score::Mate(score) };
        Evaluation { score, depth: ((word >> 32) as u32).checked_sub(1), decimals: half as u8 }
    }

    /// Reads an evaluation at the start of `bytes`, exactly as [`Display`](fmt::Display) writes it.
    /// Also returns its length.
    #[inline]
    pub(crate) fn read(bytes: &[u8]) -> Option<(Evaluation, usize)> {
        let is_mate = bytes.first() == Some(&b'#');
        let mut at = usize::from(is_mate);
        let is_negative = bytes.get(at) == Some(&b'-');
        at += usize::from(is_negative);
        let (mut number, end) = read_number(bytes, at)?;
        at = end;
        let mut decimals = 0;
        if !is_mate {
            let digit = |at: usize| bytes.get(at).filter(|byte| byte.is_ascii_digit());
            number *= 100;
            if bytes.get(at) == Some(&b'.') {
                let tenths = digit(at + 1)?;
                number += i32::from(tenths - b'0') * 10;
                (decimals, at) = (1, at + 2);
                if let Some(hundredths) = digit(at) {
                    number += i32::from(hundredths - b'0');
                    (decimals, at) = (2, at + 1);
                }
            }
        }
        if is_negative && number == 0 {
            return None;
        }
        let number = if is_negative { -number } else { number };
        let score = if is_mate { Score::Mate(number) } else { Score::Centipawns(number) };
        let mut depth = None;
        if bytes.get(at) == Some(&b',') {
            let (number, end) = read_number(bytes, at + 1)?;
            (depth, at) = (Some(number as u32), end);
        }
        Some((Evaluation { score, depth, decimals }, at))
    }

    /// Reads any spelling.
    pub(crate) fn read_any(text: &str) -> Option<Evaluation> {
        let usual = Evaluation::read(text.as_bytes()).filter(|(_, end)| *end == text.len());
        usual.map(|(evaluation, _)| evaluation).or_else(|| Evaluation::read_loosely(text))
    }

    /// Reads the other spellings: `+0.17`, `.5`, `-0.0`, `#+3`, spaces around the comma.
    fn read_loosely(text: &str) -> Option<Evaluation> {
        let (score, depth) = match text.split_once(',') {
            Some((score, depth)) => (score.trim_ascii(), Some(depth.trim_ascii())),
            None => (text, None),
        };
        let depth = match depth {
            Some(depth) => Some(read_digits(depth)? as u32),
            None => None,
        };
        let is_mate = score.starts_with('#');
        let score = score.strip_prefix('#').unwrap_or(score);
        let negative = score.starts_with('-');
        let score = score.strip_prefix(['+', '-']).unwrap_or(score);
        let sign = if negative { -1 } else { 1 };
        if is_mate {
            let score = Score::Mate(sign * read_digits(score)?);
            return Some(Evaluation { score, depth, decimals: 0 });
        }
        let (whole, fraction) = score.split_once('.').unwrap_or((score, ""));
        if whole.len() + fraction.len() == 0 || fraction.len() > 2 {
            return None;
        }
        let whole = if whole.is_empty() { 0 } else { read_digits(whole)? };
        let hundredths = match fraction.len() {
            0 => 0,
            1 => read_digits(fraction)? * 10,
            _ => read_digits(fraction)?,
        };
        let score = Score::Centipawns(sign * (whole * 100 + hundredths));
        Some(Evaluation { score, depth, decimals: fraction.len() as u8 })
    }
}

/// A number without leading zeros, and the offset at which it ends.
#[inline]
fn read_number(bytes: &[u8], from: usize) -> Option<(i32, usize)> {
    let (mut number, mut at) = (0, from);
    while let Some(digit) = bytes.get(at).filter(|byte| byte.is_ascii_digit()) {
        if at - from == MAX_DIGITS || at > from && number == 0 {
            return None;
        }
        number = number * 10 + i32::from(digit - b'0');
        at += 1;
    }
    (at > from).then_some((number, at))
}

fn read_digits(text: &str) -> Option<i32> {
    let plain = (1..=MAX_DIGITS).contains(&text.len());
    (plain && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            Score::Mate(moves) => write!(f, "#{moves}")?,
            Score::Centipawns(cp) => {
                let sign = if cp < 0 { "-" } else { "" };
                let (whole, hundredths) = (cp.unsigned_abs() / 100, cp.unsigned_abs() % 100);
                match self.decimals {
                    0 => write!(f, "{sign}{whole}")?,
                    1 => write!(f, "{sign}{whole}.{}", hundredths / 10)?,
                    _ => write!(f, "{sign}{whole}.{hundredths:02}")?,
                }
            }
        }
        match self.depth {
            Some(depth) => write!(f, ",{depth}"),
            None => Ok(()),
        }
    }
}

/// The text is not an evaluation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{found}\" is not an evaluation: expected pawns or moves to mate such as 0.17, -1.5,23 or #-3"
)]
pub struct EvaluationError {
    found: String,
}

impl std::str::FromStr for Evaluation {
    type Err = EvaluationError;

    /// Reads an evaluation, also in other spellings such as `+0.17` or `#+3`.
    fn from_str(text: &str) -> Result<Evaluation, EvaluationError> {
        Evaluation::read_any(text)
            .ok_or_else(|| EvaluationError { found: text.chars().take(40).collect() })
    }
}
