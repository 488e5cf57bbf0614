//! Our own bytes for games, which archives store and searches replay.
//!
//! | module | bytes | holds |
//! |---|---|---|
//! | [`halfmove`] | one per half-move, rarely three; in Makruk always one | the main line, from any start, of any game |
//! | [`whole`] | tokens, packed clocks and packed evaluations | everything else in a [`Game`](crate::Game) except its tags |
//!
//! Decoding checks every move against the rules, so hostile bytes give a [`DecodeError`] with an offset, never an
//! illegal position. The crate `halfmove-codecs` has other authors' encodings, with a common trait, and files of coded
//! games.
//!
//! ```
//! use halfmove_game::codec::halfmove;
//! use halfmove_game::pgn::read_game;
//!
//! let game = read_game("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0")?;
//! let (mut bytes, mut moves) = (Vec::new(), Vec::new());
//! halfmove::encode(&game, &mut bytes)?;
//! assert_eq!(bytes, [0x11, 0x11, 0xbf, 0x20, 0x63, 0x2f, 0xd2]);
//! halfmove::decode_moves(&bytes, &mut moves)?;
//! assert_eq!(moves, game.moves);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod halfmove;
pub mod number;
pub(crate) mod pieces;
pub mod whole;

use halfmove_rules::Move;
use thiserror::Error;

use crate::build::{BuildError, GameBuilder};
use crate::pgn::MAX_BYTES;

/// An error of encoding: a main line that [`halfmove`] cannot represent.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[error("after half-move {ply}: {} cannot hold {part}", halfmove::NAME)]
pub struct EncodeError {
    /// The number of half-moves of the main line before it.
    pub ply: usize,
    /// The part of the game that cannot be encoded.
    pub part: &'static str,
}

/// An error of decoding: invalid bytes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[error("byte {offset}: {kind}")]
pub struct DecodeError {
    /// The offset of the invalid byte, from 0, in the input.
    pub offset: usize,
    /// The fault.
    pub kind: DecodeErrorKind,
}

/// The fault of a byte.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The code is not defined in this version of the format.
    #[error("0x{0:02x} is not a code of this version")]
    Reserved(u8),
    /// The bytes end too early.
    #[error("the bytes end too early, expected more")]
    Truncated,
    /// The piece to move is not on the board.
    #[error("the piece to move is not on the board")]
    NoSuchPiece,
    /// The move is not legal.
    #[error("{0:?} is not a legal move here")]
    Illegal(Move),
    /// A move is spelled out although it has a code.
    #[error("this move has its own code")]
    OwnCode,
    /// The moves lead to an impossible position.
    #[error("the moves lead to a position that no game can have")]
    NoPosition,
    /// A number is too large for its purpose.
    #[error("this number is too large")]
    LargeNumber,
    /// Parts contradict each other, or bytes follow the end.
    #[error("the parts of the game do not fit together")]
    Uneven,
    /// Castling is not legal.
    #[error("castling on this side is not legal here")]
    NoCastling,
    /// No move has this number.
    #[error("no move has this number")]
    NoSuchNumber,
    /// The move leaves the board.
    #[error("the move leaves the board")]
    OffTheBoard,
    /// A text is not UTF-8.
    #[error("invalid UTF-8")]
    NotUtf8,
    /// The start position is not valid.
    #[error("the start position is not valid, expected a FEN")]
    Start,
    /// A part is in the wrong place.
    #[error("{what} cannot stand here, expected {expected}")]
    Order {
        /// The part that is there.
        what: &'static str,
        /// The parts that may stand there.
        expected: &'static str,
    },
    /// PGN cannot hold this text.
    #[error("{what} cannot be written, expected {expected}")]
    Unwritable {
        /// The part of the game that has this text.
        what: &'static str,
        /// The texts that can be written.
        expected: &'static str,
    },
    /// The annotations of one game may hold 4 GiB of text.
    #[error("too much text: expected less than 4 GiB in one game")]
    TooLong,
    /// The open variations, together with the moves and annotations before them, exceed 32 MiB, the limit of the PGN
    /// reader; or, in codecs that name pieces, the names of the pieces in open variations exceed 32 MiB.
    #[error(
        "too many open variations: expected at most {} MiB of them, with moves and annotations",
        MAX_BYTES >> 20
    )]
    TooDeep,
}

impl From<BuildError> for DecodeErrorKind {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::IllegalMove(mv, _) => Self::Illegal(mv),
            BuildError::Order { what, expected } => Self::Order { what, expected },
            BuildError::Text { what, expected, .. } => Self::Unwritable { what, expected },
            BuildError::NullMove | BuildError::San { .. } => Self::Illegal(Move::NULL),
            BuildError::TooLong => Self::TooLong,
        }
    }
}

/// Begins a variation, within the limits of the PGN reader, so that a few bytes cannot take much memory.
///
/// # Errors
///
/// [`DecodeErrorKind::TooDeep`]; [`DecodeErrorKind::Order`] after the result.
pub fn begin_variation(builder: &mut GameBuilder) -> Result<(), DecodeErrorKind> {
    if builder.bytes_with_variation() > MAX_BYTES {
        return Err(DecodeErrorKind::TooDeep);
    }
    Ok(builder.begin_variation()?)
}
