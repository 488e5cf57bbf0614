//! Errors of encoding.

use halfmove_game::codec::{self, halfmove};
use halfmove_game::pgn::MAX_BYTES;
use thiserror::Error;

/// The place and the reason of a failure to encode: a game that the codec cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("after half-move {ply}: {kind}")]
pub struct EncodeError {
    /// The number of half-moves of the main line before the part that it cannot hold.
    pub ply: usize,
    /// The part, or the reason.
    pub kind: EncodeErrorKind,
}

/// The part of a game that a codec cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EncodeErrorKind {
    /// A part of a game.
    #[error("{codec} cannot hold {what}")]
    Part {
        /// The name of the codec.
        codec: &'static str,
        /// The part that it cannot hold.
        what: &'static str,
    },
    /// A move of a piece that has no code.
    #[error("{codec} has no code for the piece that plays {san}")]
    NoCode {
        /// The name of the codec.
        codec: &'static str,
        /// The move.
        san: String,
    },
    /// The names of the pieces in open variations exceed 32 MiB.
    #[error("{codec} cannot hold these open variations: expected at most {} MiB of them", MAX_BYTES >> 20)]
    TooDeep {
        /// The name of the codec.
        codec: &'static str,
    },
}

impl From<codec::EncodeError> for EncodeError {
    fn from(codec::EncodeError { ply, part }: codec::EncodeError) -> Self {
        EncodeError { ply, kind: EncodeErrorKind::Part { codec: halfmove::NAME, what: part } }
    }
}
