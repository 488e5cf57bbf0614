//! Faults of a file of packed games.

use std::{fmt, io};

use thiserror::Error;

use super::VERSION;
use crate::{DecodeError, DecodeErrorKind};

/// The place and the fault of a damaged file.
#[derive(Debug)]
pub struct PackError {
    /// The offset in the file, from 0; within a block that of the block, plus that in the block.
    pub offset: u64,
    /// The fault.
    pub kind: PackErrorKind,
}

/// The fault of a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PackErrorKind {
    /// The file does not begin with [`MAGIC`](super::MAGIC).
    #[error("this is not a file of packed games")]
    NotPacked,
    /// The file has another version.
    #[error("version {0} of the file format, expected {VERSION}")]
    Version(u8),
    /// The file was written with another model.
    #[error("written with the model {found:016x}, expected {expected:016x}")]
    Model {
        /// The model of the file.
        found: u64,
        /// The model of this program.
        expected: u64,
    },
    /// The file ends too early.
    #[error("the file is cut off")]
    Truncated,
    /// A byte that marks neither a block nor the index.
    #[error("0x{0:02x} begins no block, expected 0x00 or 0x01")]
    Mark(u8),
    /// A block is too long.
    #[error("the block is too long, expected at most 256 MiB")]
    TooLong,
    /// The checksum of a block is another.
    #[error("the checksum does not fit the block: the file is damaged")]
    Checksum,
    /// The bytes of a block are invalid, although its checksum fits.
    #[error(transparent)]
    Block(DecodeErrorKind),
    /// The index differs from the blocks.
    #[error("the index does not fit the blocks")]
    Index,
    /// Bytes follow the end.
    #[error("unexpected bytes after the end of the games")]
    Surplus,
    /// There is no such game.
    #[error("there is no game {number}, expected a number from 1 to {games}")]
    NoSuchGame {
        /// The number of the game.
        number: u64,
        /// The number of games.
        games: u64,
    },
    /// The source cannot be read.
    #[error(transparent)]
    Read(io::Error),
}

/// An error in a block that begins at an offset.
pub(super) fn of_block(offset: u64, error: DecodeError) -> PackError {
    PackError { offset: offset + error.offset as u64, kind: PackErrorKind::Block(error.kind) }
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            // These contain the place, or need none.
            PackErrorKind::NotPacked
            | PackErrorKind::Read(_)
            | PackErrorKind::NoSuchGame { .. } => {}
            _ => write!(f, "byte {}: ", self.offset)?,
        }
        self.kind.fmt(f)
    }
}

impl std::error::Error for PackError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            PackErrorKind::Read(error) => Some(error),
            _ => None,
        }
    }
}
