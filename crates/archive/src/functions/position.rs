//! Positions that are asked for, as text.

use halfmove_game::replay::Target;
use halfmove_rules::{AnyPosition, CastlingMode, Chess, Variant};

use crate::error::ArchiveError;
use crate::variants;

/// The position of a FEN of chess or Chess960.
pub(crate) fn parse_fen(fen: &str) -> Result<Chess, ArchiveError> {
    parse_chess(fen, None)
}

fn parse_chess(fen: &str, mode: Option<CastlingMode>) -> Result<Chess, ArchiveError> {
    Chess::from_fen(fen.trim(), mode).map_err(|error| bad_fen(fen, error))
}

fn bad_fen(fen: &str, error: impl std::fmt::Display) -> ArchiveError {
    ArchiveError::Fen { fen: fen.to_owned(), why: error.to_string() }
}

/// The position of a FEN of a variant, or of chess if none is named.
pub(crate) fn parse_position(
    fen: &str,
    variant: Option<&str>,
) -> Result<AnyPosition, ArchiveError> {
    match variant.map(parse_variant).transpose()? {
        // The castling rights decide whether it is Chess960.
        None | Some(Variant::Chess) => Ok(parse_fen(fen)?.into()),
        Some(Variant::Chess960) => Ok(parse_chess(fen, Some(CastlingMode::Chess960))?.into()),
        Some(variant) => {
            AnyPosition::from_fen(fen.trim(), variant).map_err(|error| bad_fen(fen, error))
        }
    }
}

/// The variant of a name.
pub(crate) fn parse_variant(name: &str) -> Result<Variant, ArchiveError> {
    Variant::from_name(name.trim()).ok_or_else(|| {
        let expected = variants::names();
        ArchiveError::Query(format!("the variant \"{name}\" is not known: expected {expected}"))
    })
}

/// An error about the bytes of `moves`.
pub(crate) fn bad_moves(error: impl std::fmt::Display) -> ArchiveError {
    ArchiveError::Damaged(format!("a value of the column moves: {error}"))
}

/// The position to look for, row by row. A literal in the query is parsed once.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    last: Option<(String, Option<String>, AnyPosition, Target)>,
}

impl Targets {
    /// The position of this row's FEN, and the same ready for replay.
    pub(crate) fn of(
        &mut self,
        fen: &str,
        variant: Option<&str>,
    ) -> Result<(&AnyPosition, &Target), ArchiveError> {
        let last = self.last.as_ref();
        if !last.is_some_and(|(text, of, ..)| text == fen && of.as_deref() == variant) {
            let position = parse_position(fen, variant)?;
            let target = Target::new(&position);
            self.last = Some((fen.to_owned(), variant.map(str::to_owned), position, target));
        }
        match &self.last {
            Some((_, _, position, target)) => Ok((position, target)),
            None => Err(ArchiveError::Query("no position was given".to_owned())),
        }
    }
}
