//! Byte codes for main lines.
//!
//! | codec | a half-move | keeps |
//! |---|---|---|
//! | [`halfmove`] | one byte, rarely three | the main line, from any start |
//!
//! A codec turns a start position and its legal moves into bytes and back. Decoding checks every
//! move against the rules, so hostile bytes give an error with their offset, never an illegal
//! position.

pub mod halfmove;
pub(crate) mod pieces;

use halfmove_rules::Move;
use thiserror::Error;

/// Bytes that do not decode to a game: where, and why.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[error("byte {offset} of the moves: {kind}")]
pub struct DecodeError {
    /// The offset of the invalid byte, from 0.
    pub offset: usize,
    /// What is wrong with it.
    pub kind: DecodeErrorKind,
}

/// What is wrong with a byte.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The code is not defined in this version of the format.
    #[error("0x{0:02x} is not a code of this version")]
    Reserved(u8),
    /// The bytes end in the middle of a move.
    #[error("a move is cut off, expected two more bytes")]
    Truncated,
    /// The piece to move is not on the board.
    #[error("the piece to move is not on the board")]
    NoSuchPiece,
    /// The move is not legal.
    #[error("{0:?} is not a legal move here")]
    Illegal(Move),
    /// The game starts from a position other than the usual one, but the usual start was given.
    #[error("the game does not start from the usual position, expected its start position")]
    OwnStart,
    /// The game starts from the usual position, but another start was given.
    #[error("the game starts from the usual position, but another one was given")]
    UsualStart,
}
