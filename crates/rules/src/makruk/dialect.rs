//! The two dialects of Makruk's FEN.

use super::fen::Fields;
use super::{FenError, Rules};
use crate::Role;

/// A dialect of Makruk's FEN.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Fairy-Stockfish's dialect, also used by pychess and XBoard. PlayOK's `Q` and `B` are read, too.
    Fairy,
    /// The dialect of the program makruk-js.
    MakrukJs,
}

impl Dialect {
    /// Detects the dialect of a FEN from its letters or the form of its fields, if that is conclusive. A `B` is a bia
    /// of makruk-js, or PlayOK's khon if there are letters that makruk-js does not have.
    ///
    /// # Errors
    /// [`FenError::MixedDialects`] or [`FenError::UnknownDialect`].
    ///
    /// ```
    /// use halfmove_rules::makruk::{Dialect, FenError};
    ///
    /// let fairy = Dialect::detect("8/3k4/2M~5/8/8/8/8/2RK4 w - - 0 1")?;
    /// assert_eq!(fairy, Dialect::Fairy);
    /// let js = Dialect::detect("8/3k4/2M5/8/8/8/8/2RK4 w 70")?;
    /// assert_eq!(js, Dialect::MakrukJs);
    /// let unknown = Dialect::detect("8/2k5/2M5/8/8/8/8/2RK4");
    /// assert_eq!(unknown, Err(FenError::UnknownDialect { offset: 7 }));
    /// # Ok::<(), FenError>(())
    /// ```
    pub fn detect(text: &str) -> Result<Self, FenError> {
        let mut fields = Fields { text: text.as_bytes(), at: 0 };
        let (start, placement) = fields.next().unwrap_or_default();
        let mut found = None;
        // The first `B`, and the first letter that shows that it is not a khon.
        let (mut b, mut no_khon) = (None, None);
        for (offset, letter) in (start..).zip(placement) {
            let dialect = match letter.to_ascii_uppercase() {
                letter @ (b'S' | b'N' | b'P' | b'Q' | b'~') => {
                    if matches!(letter, b'S' | b'~') {
                        no_khon.get_or_insert(offset);
                    }
                    Self::Fairy
                }
                b'E' | b'T' | b'F' => Self::MakrukJs,
                b'B' => {
                    b.get_or_insert(offset);
                    continue;
                }
                _ => continue,
            };
            if *found.get_or_insert(dialect) != dialect {
                return Err(FenError::MixedDialects { offset });
            }
        }
        match (found, b, no_khon) {
            (Some(Self::Fairy), Some(b), Some(other)) => {
                return Err(FenError::MixedDialects { offset: b.max(other) });
            }
            (Some(dialect), ..) => return Ok(dialect),
            (None, Some(_), _) => return Ok(Self::MakrukJs),
            (None, None, _) => {}
        }
        // The third field is the move number in makruk-js and the castling rights in the other
        // dialect.
        fields.next();
        if let Some((_, third)) = fields.next() {
            let number = third.iter().all(u8::is_ascii_digit);
            return Ok(if number { Self::MakrukJs } else { Self::Fairy });
        }
        match placement.iter().position(|letter| letter.eq_ignore_ascii_case(&b'm')) {
            Some(at) => Err(FenError::UnknownDialect { offset: start + at }),
            None => Ok(Self::Fairy),
        }
    }

    /// The given dialect, or otherwise that of the text.
    pub(super) fn of(text: &str, rules: Rules, given: Option<Self>) -> Result<Self, FenError> {
        match (given, rules) {
            (Some(dialect), _) => Ok(dialect),
            // ASEAN chess uses the letters B and Q, and makruk-js does not play it.
            (None, Rules::Asean) => Ok(Self::Fairy),
            (None, _) => Self::detect(text),
        }
    }

    /// The piece with this upper-case letter, and true if it is a promoted bia.
    pub(super) fn role(self, rules: Rules, letter: u8) -> Option<(Role, bool)> {
        let role = match (self, rules, letter) {
            (_, _, b'K') => Role::King,
            (_, _, b'R') => Role::Rook,
            (Self::Fairy, _, b'N') | (Self::MakrukJs, _, b'M') => Role::Knight,
            (Self::Fairy, _, b'P') | (Self::MakrukJs, _, b'B') => Role::Pawn,
            (Self::Fairy, Rules::Asean, b'B') => Role::Khon,
            (Self::Fairy, Rules::Asean, b'Q') => Role::Met,
            (Self::Fairy, Rules::Asean, _) => return None,
            (Self::Fairy, _, b'S' | b'B') | (Self::MakrukJs, _, b'T') => Role::Khon,
            (Self::Fairy, _, b'M' | b'Q') | (Self::MakrukJs, _, b'E') => Role::Met,
            // In ASEAN chess, promoted bias are ordinary pieces.
            (Self::MakrukJs, Rules::Asean, b'F') => return None,
            (Self::MakrukJs, _, b'F') => return Some((Role::Met, true)),
            _ => return None,
        };
        Some((role, false))
    }

    /// The upper-case letter of a piece.
    pub(super) fn letter(self, rules: Rules, role: Role, promoted: bool) -> char {
        match (self, rules, role) {
            (Self::Fairy, Rules::Asean, Role::Khon) => 'B',
            (Self::Fairy, Rules::Asean, Role::Met) => 'Q',
            (Self::Fairy, ..) => role.letter(),
            (Self::MakrukJs, Rules::Asean, Role::Met) => 'E',
            (Self::MakrukJs, _, Role::Met) if promoted => 'F',
            (Self::MakrukJs, _, Role::Met) => 'E',
            (Self::MakrukJs, _, Role::Khon) => 'T',
            (Self::MakrukJs, _, Role::Knight) => 'M',
            (Self::MakrukJs, _, Role::Pawn) => 'B',
            (Self::MakrukJs, ..) => role.letter(),
        }
    }
}
