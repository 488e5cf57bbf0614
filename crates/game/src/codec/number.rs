//! Variable-length integers (LEB128): groups of seven bits, lowest first, so numbers below 128 take
//! one byte.
//!
//! Lengths and counts in [`whole`](super::whole) and in files of coded games are written like this.
//!
//! ```
//! use halfmove_game::codec::number::{Cursor, push_block, push_number};
//!
//! let mut bytes = Vec::new();
//! push_number(300, &mut bytes);
//! push_block(b"e4", &mut bytes);
//! assert_eq!(bytes, [0xac, 0x02, 0x02, b'e', b'4']);
//!
//! let mut cursor = Cursor::new(&bytes);
//! assert_eq!((cursor.number()?, cursor.text()?), (300, "e4"));
//! # Ok::<(), halfmove_game::codec::DecodeError>(())
//! ```

use super::{DecodeError, DecodeErrorKind};

/// Appends a number. All of its bytes but the last have their highest bit set.
pub fn push_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number, byte by byte; `None` for one of 2⁶³ or more.
///
/// # Errors
///
/// Any error returned by `byte`, which reads the next byte.
pub fn read_number<E>(mut byte: impl FnMut() -> Result<u8, E>) -> Result<Option<u64>, E> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let byte = byte()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

/// Appends a length, then a block of that length.
pub fn push_block(block: &[u8], bytes: &mut Vec<u8>) {
    push_number(block.len() as u64, bytes);
    bytes.extend_from_slice(block);
}

/// A cursor over bytes.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at the first byte.
    pub fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, at: 0 }
    }

    /// The offset of the next byte.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// An error at the next byte.
    pub(super) fn error<T>(&self, kind: DecodeErrorKind) -> Result<T, DecodeError> {
        Err(DecodeError { offset: self.at, kind })
    }

    /// The next byte; `None` at the end.
    pub(super) fn next(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    pub(super) fn byte(&mut self) -> Result<u8, DecodeError> {
        match self.next() {
            Some(byte) => Ok(byte),
            None => self.error(DecodeErrorKind::Truncated),
        }
    }

    /// Reads a number.
    ///
    /// # Errors
    ///
    /// [`DecodeErrorKind::LargeNumber`] for 2⁶³ or more; [`DecodeErrorKind::Truncated`].
    pub fn number(&mut self) -> Result<u64, DecodeError> {
        let from = self.at;
        if let Some(number) = read_number(|| self.byte())? {
            return Ok(number);
        }
        self.at = from;
        self.error(DecodeErrorKind::LargeNumber)
    }

    /// Reads a number of at most `most`.
    pub(super) fn small_number(&mut self, most: u64) -> Result<u64, DecodeError> {
        let from = self.at;
        let number = self.number()?;
        if number > most {
            self.at = from;
            return self.error(DecodeErrorKind::LargeNumber);
        }
        Ok(number)
    }

    /// Reads a length, then a block of that length.
    ///
    /// # Errors
    ///
    /// Same as [`Cursor::number`].
    pub fn block(&mut self) -> Result<&'a [u8], DecodeError> {
        let from = self.at;
        let length = usize::try_from(self.number()?).unwrap_or(usize::MAX);
        match self.bytes[self.at..].get(..length) {
            Some(block) => {
                self.at += length;
                Ok(block)
            }
            None => {
                self.at = from;
                self.error(DecodeErrorKind::Truncated)
            }
        }
    }

    /// Reads a length, then UTF-8 text of that length.
    ///
    /// # Errors
    ///
    /// Same as [`Cursor::number`], and [`DecodeErrorKind::NotUtf8`].
    pub fn text(&mut self) -> Result<&'a str, DecodeError> {
        let offset = self.at;
        let not_utf8 = DecodeError { offset, kind: DecodeErrorKind::NotUtf8 };
        std::str::from_utf8(self.block()?).map_err(|_| not_utf8)
    }
}
