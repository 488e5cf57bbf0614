//! Numbers in groups of seven bits, the lowest first: small ones take a byte.

use super::{DecodeError, DecodeErrorKind};

/// Appends a number. All of its bytes but the last have their highest bit set.
pub(super) fn push_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number, byte by byte; `None` for one that is too large.
pub(super) fn read_number<E>(mut byte: impl FnMut() -> Result<u8, E>) -> Result<Option<u64>, E> {
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

/// Appends a length and as many bytes.
pub(super) fn push_block(block: &[u8], bytes: &mut Vec<u8>) {
    push_number(block.len() as u64, bytes);
    bytes.extend_from_slice(block);
}

/// Bytes that are read from the front.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, at: 0 }
    }

    /// An error at the next byte.
    pub(super) fn error<T>(&self, kind: DecodeErrorKind) -> Result<T, DecodeError> {
        Err(DecodeError { offset: self.at, kind })
    }

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

    pub(super) fn number(&mut self) -> Result<u64, DecodeError> {
        let from = self.at;
        if let Some(number) = read_number(|| self.byte())? {
            return Ok(number);
        }
        self.at = from;
        self.error(DecodeErrorKind::LargeNumber)
    }

    /// A number below a limit.
    pub(super) fn small_number(&mut self, most: u64) -> Result<u64, DecodeError> {
        let from = self.at;
        let number = self.number()?;
        if number > most {
            self.at = from;
            return self.error(DecodeErrorKind::LargeNumber);
        }
        Ok(number)
    }

    pub(super) fn block(&mut self) -> Result<&'a [u8], DecodeError> {
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

    pub(super) fn text(&mut self) -> Result<&'a str, DecodeError> {
        let offset = self.at;
        let not_utf8 = DecodeError { offset, kind: DecodeErrorKind::NotUtf8 };
        std::str::from_utf8(self.block()?).map_err(|_| not_utf8)
    }
}
