//! FEN of Makruk as people and programs write it.

use super::fen::Fields;
use super::{Dialect, FenError, Makruk, Rules, Setup};
use crate::notation::epd::{counters_of, parse_operations};
use crate::notation::lenient::excerpt;
use crate::{FenField, Repair};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

impl Makruk {
    /// Reads a FEN like [`Makruk::from_fen`], but drops a `;` at the end, castling rights, and a count that is
    /// impossible with these pieces. The [repairs](Repair) list the rights and the count, so that the caller can warn.
    /// A FEN in Fairy-Stockfish's dialect may be followed by EPD operations, of which `hmvc` and `fmvn` are the
    /// counters.
    ///
    /// ```
    /// use halfmove_rules::makruk::Rules;
    /// use halfmove_rules::{Makruk, Repair};
    ///
    /// let fen = "8/8/5k2/7p/6SS/8/3K4/8 b KQ - 0 7;";
    /// let (position, repairs) = Makruk::from_fen_lenient(fen, Rules::Makruk, None)?;
    /// assert_eq!(position.to_string(), "8/8/5k2/7p/6SS/8/3K4/8 b - - 0 7");
    /// assert_eq!(repairs, [Repair::Castling("KQ".into())]);
    /// # Ok::<(), halfmove_rules::makruk::FenError>(())
    /// ```
    ///
    /// # Errors
    /// [`FenError`].
    pub fn from_fen_lenient(
        fen: &str,
        rules: Rules,
        dialect: Option<Dialect>,
    ) -> Result<(Self, Vec<Repair>), FenError> {
        let fen = fen.trim_end_matches(|end: char| end == ';' || end.is_whitespace());
        let dialect = Dialect::of(fen, rules, dialect)?;
        let mut repairs = Vec::new();
        let (fen, operations) = match dialect {
            Dialect::Fairy => fen.split_at(operations_at(fen)),
            Dialect::MakrukJs => (fen, ""),
        };
        let mut text = String::new();
        for (at, word) in fen.split_ascii_whitespace().enumerate() {
            let is_castling = at == 2
                && dialect == Dialect::Fairy
                && !word.is_empty()
                && word.bytes().all(|byte| byte.is_ascii_alphabetic());
            if is_castling {
                repairs.push(Repair::Castling(word.chars().take(8).collect()));
            }
            text.push_str(if is_castling { "-" } else { word });
            text.push(' ');
        }
        if fen.split_ascii_whitespace().nth(1).is_none() && dialect == Dialect::Fairy {
            repairs.push(Repair::Missing(FenField::SideToMove));
        }
        // XBoard's counters follow the side to move.
        let mut fields = fen.split_ascii_whitespace().skip(2);
        let has_counters =
            fields.next().is_some_and(|third| third.starts_with(|c: char| c.is_ascii_digit()))
                || fields.nth(1).is_some();
        match parse_operations(operations, 0) {
            Ok(operations) if !operations.is_empty() && !has_counters => {
                for _ in fen.split_ascii_whitespace().count()..4 {
                    text.push_str("- ");
                }
                let (clock, number) = counters_of(&operations);
                text.push_str(&format!("{clock} {number}"));
            }
            Ok(_) => {}
            Err(_) => repairs.push(Repair::Rest(excerpt(operations.as_bytes()))),
        }
        let mut setup = Setup::parse(&text, rules, dialect)?;
        match Self::from_setup(setup.clone()) {
            Err(_) if setup.counting.take().is_some() => {
                repairs.push(Repair::Count);
                Ok((Self::from_setup(setup)?, repairs))
            }
            found => Ok((found?, repairs)),
        }
    }
}

/// The offset at which EPD operations begin: at a letter after the castling rights, or at a `;`. No field contains
/// either.
fn operations_at(fen: &str) -> usize {
    let mut fields = Fields { text: fen.as_bytes(), at: 0 };
    let mut number = 0;
    while let Some((start, field)) = fields.next() {
        if let Some(end) = field.iter().position(|byte| *byte == b';').filter(|_| number >= 2) {
            return start + end;
        }
        if number >= 3 && field[0].is_ascii_alphabetic() {
            return start;
        }
        number += 1;
    }
    fen.len()
}
