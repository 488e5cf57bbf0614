//! Positions that are asked for, as text.

use halfmove_game::replay::Target;
use halfmove_rules::Chess;

use crate::error::ArchiveError;

/// The position of a FEN.
pub(crate) fn parse_fen(fen: &str) -> Result<Chess, ArchiveError> {
    Chess::from_fen(fen.trim(), None).map_err(|error: halfmove_rules::FenError| ArchiveError::Fen {
        fen: fen.to_owned(),
        why: error.to_string(),
    })
}

/// An error about the bytes of `moves`.
pub(crate) fn bad_moves(error: impl std::fmt::Display) -> ArchiveError {
    ArchiveError::Damaged(format!("a value of the column moves: {error}"))
}

/// The position to look for, row by row. A literal in the query is parsed once.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    last: Option<(String, Target)>,
}

impl Targets {
    /// The position of this row's FEN, ready for replay.
    pub(crate) fn of(&mut self, fen: &str) -> Result<&Target, ArchiveError> {
        if self.last.as_ref().is_none_or(|(text, _)| text != fen) {
            let target = Target::new(&parse_fen(fen)?.into());
            self.last = Some((fen.to_owned(), target));
        }
        match &self.last {
            Some((_, target)) => Ok(target),
            None => Err(ArchiveError::Query("no position was given".to_owned())),
        }
    }
}
