//! Parses the texts of arguments: positions, variants, conditions, sequences of moves, words, sides and pieces.
//!
//! ```
//! use halfmove_functions::literals;
//!
//! assert!(literals::conditions("material:KRPvKR either-color").is_ok());
//! let error = literals::position("x", None).unwrap_err();
//! assert!(error.to_string().starts_with("the FEN \"x\": "));
//! ```

use halfmove_game::replay::{BoardCondition, Material, MoveSequence, Pattern};
use halfmove_rules::{AnyPosition, CastlingMode, Chess, Color, Role, Variant};

use std::fmt::Display;

use crate::error::FunctionError;
use crate::words::Words;

/// Parses a FEN of a variant, or of chess or Chess960 if none is named. The error for one with castling rights, an en passant square
/// or counters that cannot be shows it without them.
///
/// # Errors
///
/// An unknown variant, or an invalid FEN.
pub fn position(fen: &str, variant: Option<&str>) -> Result<AnyPosition, FunctionError> {
    let text = fen.trim();
    // A query cannot show warnings, so the error shows the FEN as a lenient reader would correct it.
    let invalid = |why: &dyn Display, repaired: Option<AnyPosition>| {
        // A lenient reader could only guess the side to move.
        let hint = match Pattern::text_of_board(text) {
            Some(board) => Some(format!("; for either side: shows(moves, 'pattern:{board}')")),
            None => repaired.map(|position| format!("; did you mean \"{position}\"?")),
        };
        let why = format!("{why}{}", hint.unwrap_or_default());
        FunctionError::Fen { fen: fen.to_owned(), why }
    };
    let chess = |mode| {
        Chess::from_fen(text, mode).map(AnyPosition::from).map_err(|error| {
            let repaired = Chess::from_fen_lenient(text, mode).ok();
            invalid(&error, repaired.map(|(position, _)| position.into()))
        })
    };
    match variant.map(self::variant).transpose()? {
        // The castling rights decide whether it is Chess960.
        None | Some(Variant::Chess) => chess(None),
        Some(Variant::Chess960) => chess(Some(CastlingMode::Chess960)),
        Some(variant) => AnyPosition::from_fen(text, variant).map_err(|error| {
            let repaired = AnyPosition::from_fen_lenient(text, variant).ok();
            invalid(&error, repaired.map(|(position, _)| position))
        }),
    }
}

/// Parses the name of a variant.
///
/// # Errors
///
/// An unknown name.
pub fn variant(name: &str) -> Result<Variant, FunctionError> {
    Variant::from_name(name.trim()).ok_or_else(|| {
        let [first @ .., last] = Variant::ALL.map(Variant::name);
        let expected = format!("{} or {last}", first.join(", "));
        FunctionError::Variant { name: name.to_owned(), expected }
    })
}

/// Parses conditions on a board, such as `material:KRPvKR either-color for:10`.
///
/// # Errors
///
/// Invalid conditions.
pub fn conditions(text: &str) -> Result<BoardCondition, FunctionError> {
    text.parse::<BoardCondition>().map_err(|error| {
        // The value without its name.
        let name = match (text.parse::<Material>(), text.parse::<Pattern>()) {
            (Ok(_), _) => Some("material"),
            (_, Ok(_)) => Some("pattern"),
            _ => None,
        };
        let near = name.map(|name| format!("{name}:{text}"));
        FunctionError::Conditions { text: text.to_owned(), why: error.to_string(), near }
    })
}

/// Parses a sequence of moves, such as `Bxh7+ Kxh7 Ng5+`.
///
/// # Errors
///
/// An invalid sequence.
pub fn sequence(text: &str) -> Result<MoveSequence, FunctionError> {
    text.parse().map_err(|error: <MoveSequence as std::str::FromStr>::Err| {
        FunctionError::Sequence { text: text.to_owned(), why: error.to_string() }
    })
}

/// Parses the words of a text to search for.
///
/// # Errors
///
/// A text without a word.
pub fn words(text: &str) -> Result<Words, FunctionError> {
    Words::of_text(text).ok_or_else(|| FunctionError::Words { text: text.to_owned() })
}

/// Parses the name of a side: `white`, `black`, `w` or `b`, in either case.
///
/// # Errors
///
/// Any other name.
pub fn side(name: &str) -> Result<Color, FunctionError> {
    match name.trim().to_ascii_lowercase().as_str() {
        "white" | "w" => Ok(Color::White),
        "black" | "b" => Ok(Color::Black),
        _ => Err(FunctionError::Side { name: name.to_owned() }),
    }
}

/// Parses the letter of a piece, in either case. Roles that correspond in chess and in Makruk share a letter.
///
/// # Errors
///
/// Any other text.
pub fn piece(name: &str) -> Result<&'static [Role], FunctionError> {
    Ok(match name.trim().to_ascii_uppercase().as_str() {
        "P" => &[Role::Pawn],
        "N" => &[Role::Knight],
        "B" | "S" => &[Role::Bishop, Role::Khon],
        "R" => &[Role::Rook],
        "Q" | "M" => &[Role::Queen, Role::Met],
        "K" => &[Role::King],
        _ => return Err(FunctionError::Piece { name: name.to_owned() }),
    })
}

/// The value of the last text that was parsed. Most often all rows have the same text.
#[derive(Debug)]
pub(crate) struct Last<K, T>(Option<(K, T)>);

impl<K: PartialEq + Copy, T> Last<K, T> {
    pub(crate) fn new() -> Self {
        Self(None)
    }

    /// Returns the value of a text, parsed only if it differs from the last one.
    #[inline]
    pub(crate) fn of(
        &mut self,
        text: K,
        parse: impl FnOnce(K) -> Result<T, FunctionError>,
    ) -> Result<&T, FunctionError> {
        if self.0.as_ref().is_some_and(|(last, _)| *last != text) {
            self.0 = None;
        }
        match &mut self.0 {
            Some((_, value)) => Ok(value),
            none => Ok(&none.insert((text, parse(text)?)).1),
        }
    }
}
