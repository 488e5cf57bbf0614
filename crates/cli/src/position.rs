//! Positions as they are typed.

use crate::args::{Position, Variant};
use anyhow::{Context, bail};
use halfmove_rules::{CastlingStyle, Chess, San};

/// The position of a FEN, the usual start without one.
pub(crate) fn from_fen(fen: Option<&str>) -> anyhow::Result<Chess> {
    match fen {
        None => Ok(Chess::default()),
        Some(fen) => fen.parse().with_context(|| format!("--fen \"{fen}\"")),
    }
}

/// The position that is asked for, if one is.
pub(crate) fn wanted(position: &Position) -> anyhow::Result<Option<Chess>> {
    match (&position.fen, &position.moves) {
        (Some(fen), _) => from_fen(Some(fen)).map(Some),
        (None, Some(moves)) => from_moves(moves).map(Some),
        (None, None) => Ok(None),
    }
}

/// The position after some moves in SAN; move numbers and a result may stand between them.
fn from_moves(text: &str) -> anyhow::Result<Chess> {
    let mut position = Chess::default();
    for (index, word) in text.split_whitespace().enumerate() {
        let san = word.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.');
        let is_number = san.is_empty() && word.ends_with('.');
        if is_number || matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
            continue;
        }
        // Castling with zeros begins with a digit, a move number ends with a dot.
        let san = if word.contains('.') { san } else { word };
        let mv = San::parse(san.as_bytes()).and_then(|san| san.resolve(&position));
        match mv {
            Ok(mv) => position.play_unchecked(mv),
            Err(error) => bail!("--moves, word {}, \"{word}\": {error}", index + 1),
        }
    }
    Ok(position)
}

impl Variant {
    /// The variant that was asked for, or the one that the position's castling rights tell.
    pub(crate) fn of(asked: Option<Self>, position: &Chess) -> Self {
        asked.unwrap_or(if position.is_chess960() { Self::Chess960 } else { Self::Chess })
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Chess => "chess",
            Self::Chess960 => "chess960",
        }
    }

    pub(crate) fn castling_style(self) -> CastlingStyle {
        match self {
            Self::Chess => CastlingStyle::KingToTarget,
            Self::Chess960 => CastlingStyle::KingTakesRook,
        }
    }
}
