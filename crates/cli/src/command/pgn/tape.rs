//! The text of the games that are being read, for showing and copying parts of it.

use halfmove_game::pgn::{LineEnds, Text};
use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

/// More of one game is not kept.
const MOST: usize = 64 << 20;

/// This much before the game is kept, for a line that began there.
const MARGIN: u64 = 4096;

/// How many bytes of a line are shown on each side of a fault.
const AROUND: usize = 48;

/// What was read of an input since the last [`Tape::forget`].
#[derive(Clone, Default)]
pub(crate) struct Tape(Rc<RefCell<Kept>>);

#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    /// The offset of the first of them.
    origin: u64,
    ends: LineEnds,
}

/// A source of bytes that records them on a tape.
pub(crate) struct Taped<R> {
    source: R,
    tape: Tape,
}

impl<R> Taped<R> {
    pub(crate) fn new(source: R, tape: Tape) -> Self {
        Self { source, tape }
    }
}

impl<R: Read> Read for Taped<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(bytes)?;
        let mut kept = self.tape.0.borrow_mut();
        kept.ends.feed(&bytes[..count]);
        if kept.bytes.len() + count > MOST {
            // Dropping a half at a time costs little for each byte.
            let excess = (kept.bytes.len() / 2).max(count);
            kept.drop_first(excess);
        }
        kept.bytes.extend_from_slice(&bytes[..count]);
        Ok(count)
    }
}

impl Kept {
    fn drop_first(&mut self, count: usize) {
        let count = count.min(self.bytes.len());
        self.bytes.drain(..count);
        self.origin += count as u64;
    }

    /// The index of an offset, if that byte is kept, or the end.
    fn index(&self, offset: u64) -> Option<usize> {
        let index = usize::try_from(offset.checked_sub(self.origin)?).ok()?;
        (index <= self.bytes.len()).then_some(index)
    }
}

impl Tape {
    /// What stands before this offset is not needed any longer.
    pub(crate) fn forget(&self, before: u64) {
        let mut kept = self.0.borrow_mut();
        let count = before.saturating_sub(MARGIN).saturating_sub(kept.origin);
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        if count > kept.bytes.len() / 2 {
            kept.drop_first(count);
        }
    }

    /// The bytes from one offset to another, or to the end; `None` if they are not kept any longer.
    pub(crate) fn text(&self, from: u64, to: Option<u64>) -> Option<Vec<u8>> {
        let kept = self.0.borrow();
        let from = kept.index(from)?;
        let to = to.map_or(Some(kept.bytes.len()), |to| kept.index(to))?;
        kept.bytes.get(from..to).map(<[u8]>::to_vec)
    }

    /// How the lines of everything read so far end.
    pub(crate) fn line_ends(&self) -> LineEnds {
        let mut ends = self.0.borrow().ends.clone();
        ends.finish();
        ends
    }

    /// The line around some bytes: what stands before them, they, and what follows.
    pub(crate) fn line(&self, offset: u64, bytes: usize) -> Option<Excerpt> {
        let kept = self.0.borrow();
        let all = &kept.bytes;
        let at = kept.index(offset)?;
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let start = all[..at].iter().rposition(is_end).map_or(0, |end| end + 1);
        let end = at + all[at..].iter().position(is_end).unwrap_or(all.len() - at);
        let (from, until) = (start.max(at.saturating_sub(AROUND)), end.min(at + AROUND));
        let (from, until) = (whole_chars(all, from, at), whole_chars(all, until, end));
        let word_end = (at + bytes).clamp(at, until);
        // A line is in one encoding: what is UTF-8 only in part is read as Windows-1252, which a byte
        // that is never UTF-8 makes sure of.
        let text = |range: std::ops::Range<usize>| match Text::plain(&all[from..until]).is_utf8() {
            true => String::from_utf8_lossy(&all[range]).into_owned(),
            false => {
                Text::plain(&[b"\xff", &all[range]].concat()).to_str().chars().skip(1).collect()
            }
        };
        Some(Excerpt {
            before: text(from..at),
            word: text(at..word_end),
            after: text(word_end..until),
            cut_before: from > start,
            cut_after: until < end,
        })
    }
}

/// The first index from `index` on that does not cut a character of UTF-8 in two.
fn whole_chars(bytes: &[u8], index: usize, end: usize) -> usize {
    let continues = |byte: &&u8| matches!(byte, 0x80..=0xbf);
    let rest = &bytes[index.min(end)..end];
    let skipped = rest.iter().take_while(continues).count();
    // Four such bytes in a row are no UTF-8.
    index + if skipped <= 3 { skipped } else { 0 }
}

/// A part of a line.
pub(crate) struct Excerpt {
    pub(crate) before: String,
    pub(crate) word: String,
    pub(crate) after: String,
    pub(crate) cut_before: bool,
    pub(crate) cut_after: bool,
}
