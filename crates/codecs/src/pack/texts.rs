//! Texts and other bytes of a block, compressed, and the limits of what a reader takes from them.

use std::borrow::Cow;

use halfmove_game::codec::number::{Cursor, push_block, push_number};

use crate::{DecodeError, DecodeErrorKind};

/// The byte after a text: no byte of UTF-8.
const END: u8 = 0xff;

/// The maximum number of bytes of texts in a block.
pub const MAX_TEXT: usize = 64 << 20;

/// The maximum number of tags in a block.
pub const MAX_TAGS: usize = 1 << 20;

/// The maximum number of half-moves in a block.
pub const MAX_PLIES: usize = 1 << 22;

/// Appends a text.
pub(super) fn push_text(text: &[u8], texts: &mut Vec<u8>) {
    texts.extend_from_slice(text);
    texts.push(END);
}

/// Texts, to be read one after another.
#[derive(Debug)]
pub(super) struct Texts<'a>(pub(super) &'a [u8]);

impl<'a> Texts<'a> {
    pub(super) fn next(&mut self) -> Result<&'a [u8], DecodeErrorKind> {
        let end = memchr::memchr(END, self.0).ok_or(DecodeErrorKind::Truncated)?;
        let (text, rest) = self.0.split_at(end);
        self.0 = &rest[1..];
        Ok(text)
    }
}

/// The level of zstd: the slowest without a large window.
const LEVEL: i32 = 19;

/// Appends bytes: their length, then a block, which is a frame of zstd or, if that is not shorter, the bytes.
pub(super) fn push_packed(bytes: &[u8], out: &mut Vec<u8>) {
    push_number(bytes.len() as u64, out);
    let frame = zstd::bulk::compress(bytes, LEVEL).ok();
    let frame = frame.as_deref().filter(|frame| frame.len() < bytes.len());
    push_block(frame.unwrap_or(bytes), out);
}

/// Reads bytes of [`push_packed`].
pub(super) fn read_packed<'a>(
    cursor: &mut Cursor<'a>,
    budget: &mut Budget,
) -> Result<Cow<'a, [u8]>, DecodeError> {
    let offset = cursor.offset();
    let at = |kind| DecodeError { offset, kind };
    let length = usize::try_from(cursor.number()?).unwrap_or(usize::MAX);
    budget.text(length).map_err(at)?;
    let block = cursor.block()?;
    if block.len() == length {
        return Ok(Cow::Borrowed(block));
    }
    match zstd::bulk::decompress(block, length) {
        Ok(bytes) if bytes.len() == length => Ok(Cow::Owned(bytes)),
        _ => Err(at(DecodeErrorKind::Uneven)),
    }
}

/// The rest of the limits of a block, so that a few hostile bytes cannot take much memory.
#[derive(Debug)]
pub(super) struct Budget {
    text: usize,
    tags: usize,
    plies: usize,
}

impl Budget {
    /// The budget of a block: texts count in their columns and in the games.
    pub(super) const BLOCK: Self =
        Self { text: 2 * (MAX_TEXT + MAX_TAGS), tags: MAX_TAGS, plies: MAX_PLIES };

    pub(super) fn text(&mut self, bytes: usize) -> Result<(), DecodeErrorKind> {
        spend(&mut self.text, bytes)
    }

    pub(super) fn tags(&mut self, tags: usize) -> Result<(), DecodeErrorKind> {
        spend(&mut self.tags, tags)
    }

    pub(super) fn plies(&mut self, plies: usize) -> Result<(), DecodeErrorKind> {
        spend(&mut self.plies, plies)
    }
}

fn spend(left: &mut usize, spent: usize) -> Result<(), DecodeErrorKind> {
    *left = left.checked_sub(spent).ok_or(DecodeErrorKind::LargeNumber)?;
    Ok(())
}
