//! Finds the move that a word of movetext means.

use halfmove_rules::makruk::SanStyle;
use halfmove_rules::{AnyPosition, Move, San, SanError};

use super::super::error::{PgnErrorKind, explain};
use super::super::makruk;
use super::super::nag::Nag;
use crate::levels::Levels;

/// The positions of the game being read, and how its moves are written.
pub(super) struct Player {
    pub(super) levels: Levels,
    pub(super) style: SanStyle,
}

impl Player {
    pub(super) fn new(style: SanStyle) -> Player {
        Player { levels: Levels::new(), style }
    }

    /// Plays the move that a word means in the current line.
    #[inline]
    pub(super) fn play(&mut self, word: &[u8]) -> Result<Move, SanError> {
        let resolved = match &self.levels.position {
            AnyPosition::Chess(position) => {
                San::parse(word).and_then(|san| san.resolve(position))
            }
            AnyPosition::Makruk(_) => self.resolve(word),
        };
        let mv = match resolved {
            Ok(mv) => mv,
            Err(error) => self.resolve_uci(word).ok_or(error)?,
        };
        self.levels.play(mv);
        Ok(mv)
    }

    /// Plays a word that [`Player::play`] refuses if it is a move with an evaluation glued to it:
    /// `e4+-`. Also returns the evaluation.
    #[cold]
    pub(super) fn play_glued(&mut self, word: &[u8]) -> Option<(Move, Option<Nag>)> {
        let glued = word.iter().rev().take_while(|byte| b"+-/=#".contains(byte)).count();
        let (san, sign) = word.split_at(word.len() - glued);
        let mv = self.resolve(san).ok().filter(|_| glued > 0)?;
        self.levels.play(mv);
        let nag = |sign| Nag::from_sign(std::str::from_utf8(sign).ok()?);
        // The first character may also be a mark of check.
        Some((mv, nag(sign).or_else(|| nag(&sign[1..]))))
    }

    /// What SAN cannot read: moves in UCI notation.
    #[cold]
    fn resolve_uci(&self, word: &[u8]) -> Option<Move> {
        self.levels.position.parse_uci(std::str::from_utf8(word).ok()?).ok()
    }

    /// Finds the move that a SAN names.
    fn resolve(&self, word: &[u8]) -> Result<Move, SanError> {
        match &self.levels.position {
            AnyPosition::Chess(position) => San::parse(word)?.resolve(position),
            AnyPosition::Makruk(position) => {
                let text = std::str::from_utf8(word)
                    .map_err(|error| SanError::Syntax { offset: error.valid_up_to() })?;
                if is_null(word) { Err(SanError::Null) } else { position.parse_san_in(text, self.style) }
            }
        }
    }

    /// Why a word is no move here.
    #[cold]
    pub(super) fn explain(&self, word: &[u8], error: SanError) -> PgnErrorKind {
        match &self.levels.position {
            AnyPosition::Chess(position) => explain(word, error, position),
            AnyPosition::Makruk(position) => makruk::explain(word, error, position, self.style),
        }
    }
}

pub(super) fn is_null(word: &[u8]) -> bool {
    matches!(word.first(), Some(b'-' | b'Z' | b'n' | b'@'))
        && matches!(San::parse(word), Err(SanError::Null))
}
