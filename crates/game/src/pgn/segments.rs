//! Splitting text between games, so that several threads can read it.

use std::io::{self, ErrorKind, Read};

use memchr::{memchr_iter, memrchr_iter};

use super::counts::Counts;
use super::error::{PgnError, Skip};
use super::source::LineColumn;

/// The default size of a block.
const BLOCK: usize = 512 * 1024;

/// The beginning of a segment.
const EVENT: &[u8] = b"[Event \"";

/// The number of bytes at the end of an uncut block that are kept for the next one: room for [`EVENT`] and for the
/// blank line and the result before it.
const KEPT: usize = 64;

/// A reader that splits PGN into *segments*, which can be read independently on several threads. Together they have the
/// same games, faults and counts as the whole text.
///
/// ```text
///   block                     block                     block
/// ┌────────────────────────┬───────────────────────────┬───────────────────────┐
/// │ [Event "…             …│[Event "…                  │                       │
/// └────────────────────────┴───────────────────────────┴───────────────────────┘
///   a segment: many games    a segment with a game that goes on and on …
/// ```
///
/// A segment begins at a line that begins with `[Event "`, preceded by blank lines, preceded by a line that ends with a
/// result or a tag. At such a line, a [`Reader`](super::Reader) always begins a new game: tags and `;` or `%` lines end
/// with their line, and an unclosed comment or variation ends there. Requiring the result or tag keeps a comment
/// between two games together with the second game, to which it belongs.
///
/// A text without such a place is a single segment. A segment is a stream of blocks, so memory stays bounded.
///
/// ```
/// use halfmove_game::Game;
/// use halfmove_game::pgn::{GameReader, Segments};
///
/// let comment = "a long story ".repeat(15);
/// let text = format!("[Event \"A\"]\n\n1. e4 {{{comment}}} *\n\n[Event \"B\"]\n\n1. d4 *\n");
/// let mut segments = Segments::with_block_size(text.as_bytes(), 240);
/// let first = segments.next_block(Vec::new())?.expect("text");
/// assert!(first.begins && first.bytes.ends_with(b"} *\n\n"));
/// let second = segments.next_block(Vec::new())?.expect("text");
/// assert!(second.begins && second.bytes.starts_with(b"[Event \"B\"]"));
///
/// // The second segment begins at line 5.
/// let mut reader = GameReader::with_text(first.bytes, std::io::empty());
/// while reader.read(&mut Game::default())?.is_some() {}
/// let (counts, start, memory) = reader.finish();
/// assert_eq!((counts.games, start.games, start.lines), (1, 1, 4));
/// assert!(segments.next_block(memory)?.is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Segments<R> {
    source: R,
    size: usize,
    /// Text that has been read but not returned yet.
    rest: Vec<u8>,
    /// True if `rest` begins a segment.
    begins: bool,
    at_eof: bool,
}

/// A part of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The text.
    pub bytes: Vec<u8>,
    /// True if a segment begins with this block. Otherwise it continues the segment of the block before it.
    pub begins: bool,
    /// True if the segment ends with this block.
    pub ends: bool,
}

impl<R: Read> Segments<R> {
    /// Splits `source` into blocks of 512 KiB.
    pub fn new(source: R) -> Segments<R> {
        Segments::with_block_size(source, BLOCK)
    }

    /// Like [`Segments::new`], with blocks of at most `size` bytes, or slightly more if a smaller block has no room for
    /// a cut.
    pub fn with_block_size(source: R, size: usize) -> Segments<R> {
        Segments { source, size, rest: Vec::new(), begins: true, at_eof: false }
    }

    /// The next block; `None` at the end. `memory` is a block for reuse, or an empty vector.
    ///
    /// # Errors
    ///
    /// Only errors of the source. The text before an error is lost.
    pub fn next_block(&mut self, memory: Vec<u8>) -> io::Result<Option<Block>> {
        let mut bytes = memory;
        let size = self.size.max(self.rest.len() + 2 * KEPT);
        // Clearing the vector would require zeroing it again.
        bytes.resize(size.max(bytes.len()), 0);
        bytes[..self.rest.len()].copy_from_slice(&self.rest);
        let mut end = std::mem::take(&mut self.rest).len();
        while end < size && !self.at_eof {
            match self.source.read(&mut bytes[end..size]) {
                Ok(0) => self.at_eof = true,
                Ok(count) => end = size.min(end + count),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let begins = self.begins;
        if end == 0 {
            return Ok(None);
        }
        if self.at_eof {
            bytes.truncate(end);
            return Ok(Some(Block { bytes, begins, ends: true }));
        }
        let cut = last_start(&bytes[..end]);
        let ends = cut.is_some();
        self.begins = ends;
        let cut = cut.unwrap_or_else(|| {
            let cut = end - KEPT;
            // CR LF is a single line end, so it is not split.
            if bytes[cut - 1] == b'\r' { cut - 1 } else { cut }
        });
        self.rest.extend_from_slice(&bytes[cut..end]);
        bytes.truncate(cut);
        Ok(Some(Block { bytes, begins, ends }))
    }
}

/// The last offset in `text`, other than its beginning, at which a segment can begin.
fn last_start(text: &[u8]) -> Option<usize> {
    memrchr_iter(b'[', text).find(|&at| {
        if !text[at..].starts_with(EVENT) {
            return false;
        }
        let ends = text[..at].iter().rev().take_while(|byte| b"\r\n".contains(byte)).count();
        let (line, ends) = text[..at].split_at(at - ends);
        // Some programs write two blank lines.
        let marks = [b"1-0", b"0-1", b"1/2", b" *" as &[u8], b"\n*", b"\"]"];
        memchr_iter(b'\n', ends).count() >= 2 && marks.iter().any(|mark| line.ends_with(mark))
    })
}

/// The number of games and lines before a segment in its file, to convert places in the segment to places in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SegmentStart {
    /// The number of games before.
    pub games: u64,
    /// The number of lines before.
    pub lines: u64,
}

impl SegmentStart {
    /// Advances past a segment with this number of games and lines.
    pub fn add(&mut self, segment: SegmentStart) {
        self.games += segment.games;
        self.lines += segment.lines;
    }

    fn renumber_place(&self, at: &mut LineColumn) {
        // A segment begins at a line start.
        at.line += self.lines;
    }

    /// Converts the place of an error from the segment to the file.
    pub fn renumber_error(&self, error: &mut PgnError) {
        error.game += self.games;
        self.renumber_place(&mut error.at);
    }

    /// Converts the place of a skipped game from the segment to the file.
    pub fn renumber_skip(&self, skip: &mut Skip) {
        skip.game += self.games;
        self.renumber_place(&mut skip.at);
    }

    /// Converts the places in counts from the segment to the file.
    pub fn renumber_counts(&self, counts: &mut Counts) {
        if let Some((at, _)) = &mut counts.outside.first {
            self.renumber_place(at);
        }
    }
}
