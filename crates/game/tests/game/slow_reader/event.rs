//! The events of the tokenizer, as values that can be compared.

use std::borrow::Cow;
use std::fmt;

use halfmove_game::GameResult;
use halfmove_game::pgn::{CommentStyle, Nag, Problem};

/// The place of an event: the offset, and line and column from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct At {
    pub(crate) offset: u64,
    pub(crate) line: u64,
    pub(crate) column: u64,
}

/// A call of a visitor, with the bytes of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Event<'a> {
    BeginGame(At),
    Tag(Bytes<'a>, Bytes<'a>, At),
    EndTags,
    San(Bytes<'a>, At),
    Nag(Nag, At),
    Comment(Bytes<'a>, CommentStyle, At),
    Escape(Bytes<'a>, At),
    BeginVariation(At),
    EndVariation,
    Result(GameResult, At),
    VariationResult(GameResult, At),
    EndGame,
    Problem(Problem, At),
    Outside(Bytes<'a>, At),
}

/// Bytes, shown as text when a test fails.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Bytes<'a>(pub(crate) Cow<'a, [u8]>);

impl fmt::Debug for Bytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.0.len().min(200);
        write!(f, "\"{}\"", self.0[..shown].escape_ascii())?;
        if shown < self.0.len() {
            write!(f, "… of {} bytes", self.0.len())?;
        }
        Ok(())
    }
}

impl<'a> From<&'a [u8]> for Bytes<'a> {
    fn from(bytes: &'a [u8]) -> Bytes<'a> {
        Bytes(bytes.into())
    }
}
