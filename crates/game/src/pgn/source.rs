//! The tokenizer's input: a growing buffer, and the position of its bytes in the file.

use std::fmt;
use std::io::{self, ErrorKind, Read};

use memchr::{memchr_iter, memrchr};

use super::scan;

/// The initial size: large enough to make refilling cheap, small enough for the second-level cache.
const INITIAL: usize = 128 * 1024;

/// The number of bytes before the current token that stay in the buffer, for looking back to the beginning of its line
/// and to blank lines before it.
pub(super) const LOOK_BACK: usize = 64;

/// The context before the buffer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Before {
    /// True if only spaces follow the last line end, or the beginning of the input.
    pub(super) begins_line: bool,
    /// The number of line ends since the last text, at most 2.
    pub(super) line_ends: u8,
}

impl Before {
    /// The beginning of the input.
    pub(super) const NOTHING: Before = Before { begins_line: true, line_ends: 0 };
}

/// The buffer of a [`Reader`](super::Reader).
///
/// Reads always continue until the buffer is full or the input ends. So the result does not depend on the sizes of
/// reads, and a token is scanned at most once per buffer size: the work is linear in the input.
pub(super) struct Source<R: ?Sized> {
    /// `bytes[..end]` is filled.
    pub(super) bytes: Vec<u8>,
    pub(super) end: usize,
    /// The first byte not consumed yet.
    pub(super) pos: usize,
    pub(super) at_eof: bool,
    pub(super) before: Before,
    /// The maximum length of a token; longer ones are split.
    longest_token: usize,
    pub(super) lines: Lines,
    inner: R,
}

impl<R: Read> Source<R> {
    /// A source that begins with `text` and continues with `inner`.
    pub(super) fn new(text: Vec<u8>, inner: R, longest_token: usize) -> Source<R> {
        Source {
            end: text.len(),
            bytes: text,
            pos: 0,
            at_eof: false,
            before: Before::NOTHING,
            longest_token: longest_token.max(4 * LOOK_BACK),
            lines: Lines::default(),
            inner,
        }
    }

    /// The number of line ends in the text read, and the memory of the buffer.
    pub(super) fn into_lines(mut self) -> (u64, Vec<u8>) {
        self.lines.advance(&self.bytes[..self.end], self.end);
        (self.lines.line - 1, self.bytes)
    }
}

impl<R: Read + ?Sized> Source<R> {
    /// Discards consumed bytes and reads more. Afterwards the buffer has more bytes than before, or the input has
    /// ended, or the token at `pos` has the maximum length.
    pub(super) fn more(&mut self) -> io::Result<()> {
        // White space of up to three bytes is kept whole.
        let mut keep = self.pos.saturating_sub(LOOK_BACK - 3);
        while keep > 0 && self.bytes[keep] & 0xc0 == 0x80 && keep + LOOK_BACK > self.pos {
            keep -= 1;
        }
        if keep > 0 {
            self.lines.advance(&self.bytes[..self.end], keep);
            self.before = scan::before(&self.bytes[..self.end], keep, self.before);
            self.lines.origin += keep as u64;
            self.bytes.copy_within(keep..self.end, 0);
            self.end -= keep;
            self.pos -= keep;
        }
        if self.end == self.bytes.len() && self.end < self.longest_token {
            let larger = (self.bytes.len() * 2).max(INITIAL).min(self.longest_token);
            self.bytes.resize(larger, 0);
        }
        while self.end < self.bytes.len() {
            match self.inner.read(&mut self.bytes[self.end..]) {
                Ok(0) => {
                    self.at_eof = true;
                    break;
                }
                Ok(count) => self.end = self.bytes.len().min(self.end + count),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The offset in the input of the first byte not consumed yet.
    pub(super) fn offset(&self) -> u64 {
        self.lines.origin + self.pos as u64
    }

    /// Returns true if the buffer is full and cannot grow.
    pub(super) fn is_full(&self) -> bool {
        self.end >= self.longest_token
    }

    /// Returns true if a token that begins at `start` and reaches the end of the buffer must be processed as it is,
    /// because nothing follows or because it is too long.
    pub(super) fn is_cut(&self, start: usize) -> bool {
        self.at_eof || (start <= LOOK_BACK && self.is_full())
    }

    /// The filled part of the buffer, together with the line counter that a [`Place`] needs.
    pub(super) fn split(&mut self) -> (&[u8], &mut Lines) {
        (&self.bytes[..self.end], &mut self.lines)
    }
}

/// A counter of lines, updated only on demand or when bytes leave the buffer.
#[derive(Debug)]
pub(super) struct Lines {
    /// The offset of the buffer's first byte in the input.
    origin: u64,
    /// The offset up to which lines have been counted.
    counted: u64,
    /// The number of the line that contains `counted`, from 1.
    line: u64,
    /// The offset at which that line begins.
    line_start: u64,
}

impl Default for Lines {
    fn default() -> Lines {
        Lines { origin: 0, counted: 0, line: 1, line_start: 0 }
    }
}

impl Lines {
    /// Counts up to `buffer[target]`. A line ends with LF, CR LF or a lone CR.
    fn advance(&mut self, buffer: &[u8], target: usize) {
        let from = self.counted.saturating_sub(self.origin) as usize;
        if from >= target {
            return;
        }
        let region = &buffer[from..target];
        let mut newest = memrchr(b'\n', region);
        self.line += memchr_iter(b'\n', region).count() as u64;
        for at in memchr_iter(b'\r', region) {
            if buffer.get(from + at + 1) != Some(&b'\n') {
                self.line += 1;
                newest = newest.max(Some(at));
            }
        }
        if let Some(newest) = newest {
            self.line_start = self.origin + (from + newest + 1) as u64;
        }
        self.counted = self.origin + target as u64;
    }
}

/// A line and a column of the input, both from 1. Columns count bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line, from 1.
    pub line: u64,
    /// The byte within the line, from 1.
    pub column: u64,
}

impl fmt::Display for LineColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// The place of a token. Lines are counted lazily, when [`Place::line_column`] is called.
pub struct Place<'a> {
    pub(super) lines: &'a mut Lines,
    pub(super) buffer: &'a [u8],
    pub(super) at: usize,
}

impl Place<'_> {
    /// The offset of the token's first byte in the (decompressed) input.
    pub fn offset(&self) -> u64 {
        self.lines.origin + self.at as u64
    }

    /// The token's line and column.
    pub fn line_column(self) -> LineColumn {
        self.lines.advance(self.buffer, self.at);
        let offset = self.lines.origin + self.at as u64;
        LineColumn {
            line: self.lines.line,
            column: offset.saturating_sub(self.lines.line_start) + 1,
        }
    }
}

impl fmt::Debug for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Place").field("offset", &self.offset()).finish()
    }
}
