//! The two sides.

use core::fmt;
use core::ops::Not;
use core::str::FromStr;

/// White or Black.
///
/// ```
/// use halfmove_bitboard::Color;
/// assert_eq!(!Color::White, Color::Black);
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// The side that moves first.
    White,
    /// The other side.
    Black,
}

impl Color {
    /// Both colors, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// 0 for White, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The color of a letter, `w` or `b` as in FEN, or `W` or `B`; `None` for any other.
    ///
    /// ```
    /// use halfmove_bitboard::Color;
    /// assert_eq!(Color::from_char('w'), Some(Color::White));
    /// assert_eq!(Color::from_char('B'), Some(Color::Black));
    /// assert_eq!(Color::from_char('x'), None);
    /// ```
    #[inline]
    pub const fn from_char(letter: char) -> Option<Self> {
        match letter {
            'w' | 'W' => Some(Self::White),
            'b' | 'B' => Some(Self::Black),
            _ => None,
        }
    }

    /// The letter that FEN uses, `w` or `b`.
    #[inline]
    pub const fn char(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "white",
            Self::Black => "black",
        })
    }
}

/// The text is not a color: `white`, `black`, `w` or `b`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ParseColorError;

impl fmt::Display for ParseColorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a color: white, black, w or b")
    }
}

impl core::error::Error for ParseColorError {}

/// Reads `white` and `black` in any case, and the letters of [`Color::from_char`].
///
/// ```
/// use halfmove_bitboard::Color;
/// assert_eq!("White".parse(), Ok(Color::White));
/// assert_eq!("b".parse(), Ok(Color::Black));
/// assert!("gray".parse::<Color>().is_err());
/// ```
impl FromStr for Color {
    type Err = ParseColorError;

    fn from_str(text: &str) -> Result<Self, ParseColorError> {
        let named = |color: &Self| {
            let name = match color {
                Self::White => "white",
                Self::Black => "black",
            };
            text.eq_ignore_ascii_case(name)
        };
        let mut letters = text.chars();
        let letter = letters.next().filter(|_| letters.as_str().is_empty());
        (letter.and_then(Self::from_char))
            .or_else(|| Self::ALL.into_iter().find(named))
            .ok_or(ParseColorError)
    }
}
