//! Byte codes for main lines.
//!
//! | codec | a half-move | keeps |
//! |---|---|---|
//! | [`halfmove`] | one byte, rarely three | the main line, from any start |
//!
//! A codec turns a start and its legal moves into bytes and back. Decoding checks every move
//! against the rules, so hostile bytes give an error with their offset, never an illegal position.

pub mod halfmove;
pub(crate) mod men;

use halfmove_rules::Move;
use thiserror::Error;

/// Bytes that are no game: where, and why.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[error("byte {offset} of the moves: {kind}")]
pub struct DecodeError {
    /// The offset of the byte at fault, from 0.
    pub offset: usize,
    /// What is wrong with it.
    pub kind: DecodeErrorKind,
}

/// What is wrong with a byte.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The code means nothing in this version of the format.
    #[error("0x{0:02x} is not a code of this version")]
    Reserved(u8),
    /// The bytes end within a move.
    #[error("a move is cut off, expected two more bytes")]
    Truncated,
    /// The piece that is to move is not on the board.
    #[error("the man that should move is not on the board")]
    NoSuchMan,
    /// The move is not legal.
    #[error("{0:?} is not a legal move here")]
    Illegal(Move),
    /// The game starts from a position of its own, but the usual start was given.
    #[error("the game starts from a position of its own, expected that position")]
    OwnStart,
    /// The game starts as usual, but another start was given.
    #[error("the game starts from the usual position, but another one was given")]
    UsualStart,
}
