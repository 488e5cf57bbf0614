//! Faults of a file of coded games.

use std::{fmt, io};

use thiserror::Error;

use super::{Contradiction, MAX_GAME_BYTES, VERSION};
use crate::{Codec, DecodeErrorKind};

/// The place and the fault of a damaged file.
#[derive(Debug)]
pub struct FileError {
    /// The number of the game, from 1; 0 if the fault is before the first game.
    pub game: u64,
    /// The offset in the file, from 0.
    pub offset: u64,
    /// The fault.
    pub kind: FileErrorKind,
}

/// The fault of a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileErrorKind {
    /// The file does not begin with [`MAGIC`](super::MAGIC).
    #[error("this is not a file of coded games")]
    NotCodedGames,
    /// The file has another version.
    #[error("version {0} of the file format, expected {VERSION}")]
    Version(u8),
    /// The codec is not known.
    #[error("the codec {0:?} is not known")]
    Codec(String),
    /// The bytes have another version of the codec.
    #[error("version {found} of {codec}, expected {}", codec.version())]
    CodecVersion {
        /// The codec.
        codec: CodecName,
        /// The version of the bytes.
        found: u64,
    },
    /// The file ends too early.
    #[error("the file is cut off")]
    Truncated,
    /// A byte that marks neither a game nor the end.
    #[error("0x{0:02x} begins no game, expected a byte from 0 to 5")]
    Mark(u8),
    /// A length is more than [`MAX_GAME_BYTES`].
    #[error("too long, expected at most {} MiB", MAX_GAME_BYTES >> 20)]
    TooLong,
    /// The tags are not in the syntax of PGN.
    #[error("the tags are damaged")]
    Tags,
    /// A tag is outside the bytes, although the codec holds tags with this name.
    #[error("{codec} holds the tag {name}, expected it only in the bytes of the game")]
    HeldTag {
        /// The codec.
        codec: CodecName,
        /// The name of the tag.
        name: String,
    },
    /// A result is outside the bytes, although the codec holds results.
    #[error("{0} holds the result, expected it only in the bytes of the game")]
    HeldResult(CodecName),
    /// A tag contradicts the start of the game.
    #[error(transparent)]
    Contradiction(Contradiction),
    /// The codec rejects the bytes of a game.
    #[error(transparent)]
    Decode(DecodeErrorKind),
    /// The number of games at the end differs from the number of games in the file.
    #[error("there are {found} games, expected {expected}")]
    Count {
        /// The number of games in the file.
        found: u64,
        /// The number at its end.
        expected: u64,
    },
    /// Bytes follow the end.
    #[error("unexpected bytes after the end of the games")]
    Surplus,
    /// The source cannot be read.
    #[error(transparent)]
    Read(io::Error),
}

/// A codec in an error.
#[derive(Clone, Copy, Debug)]
pub struct CodecName(pub(super) &'static dyn Codec);

impl CodecName {
    fn version(self) -> u32 {
        self.0.version()
    }
}

impl fmt::Display for CodecName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.kind, self.game) {
            // These contain the place, or need none.
            (FileErrorKind::NotCodedGames | FileErrorKind::Read(_), _) => {}
            (_, 0) => write!(f, "byte {}: ", self.offset)?,
            (_, game) => write!(f, "game {game}, byte {}: ", self.offset)?,
        }
        self.kind.fmt(f)
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            FileErrorKind::Read(error) => Some(error),
            _ => None,
        }
    }
}
