//! The text of the games that are being read, for showing and copying parts of it.

use halfmove_game::pgn::{LineEnds, Text};
use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

/// The maximum number of bytes of one game to keep.
const MAX: usize = 64 << 20;

/// The number of bytes before the game to keep, for a line that began there.
const MARGIN: u64 = 4096;

/// The number of bytes of a line to show on each side of a fault.
const AROUND: usize = 48;

/// The bytes of an input that were read since the last [`Tape::forget`].
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
        if kept.bytes.len() + count > MAX {
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
    /// Drops the bytes before this offset.
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

    /// The line ends of everything read so far.
    pub(crate) fn line_ends(&self) -> LineEnds {
        let mut ends = self.0.borrow().ends.clone();
        ends.finish();
        ends
    }

    /// The line around some bytes: the text before them, the bytes as text, and the text after them.
    pub(crate) fn line(&self, offset: u64, bytes: usize) -> Option<Excerpt> {
        let kept = self.0.borrow();
        let all = &kept.bytes;
        let at = kept.index(offset)?;
        // Only the part to show is read: a line may have millions of bytes.
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let (from, until) = (at.saturating_sub(AROUND), (at + AROUND).min(all.len()));
        let start = all[from..at].iter().rposition(is_end).map(|end| from + end + 1);
        let end = all[at..until].iter().position(is_end).map(|end| at + end);
        let cut_before = start.is_none() && from > 0;
        let cut_after = end.is_none() && until < all.len();
        let from = start.unwrap_or_else(|| whole_chars(all, from, at));
        let until = end.unwrap_or_else(|| whole_chars(all, until, all.len()));
        let word_end = (at + bytes).clamp(at, until);
        // A line has one encoding. If it is not all UTF-8, each part is read as Windows-1252, which a
        // byte that is never UTF-8 makes sure of.
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
            cut_before,
            cut_after,
        })
    }
}

/// The first index from `index` on that does not cut a character of UTF-8 in two.
fn whole_chars(bytes: &[u8], index: usize, end: usize) -> usize {
    let continues = |byte: &&u8| matches!(byte, 0x80..=0xbf);
    let skipped = bytes[index..end].iter().take(4).take_while(continues).count();
    // Four such bytes in a row are not UTF-8.
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

#[cfg(test)]
mod tests {
    use super::{MAX, Tape, Taped};
    use std::io::Read;

    fn tape_of(text: &[u8]) -> Tape {
        let tape = Tape::default();
        let mut all = Vec::new();
        Taped::new(text, tape.clone()).read_to_end(&mut all).unwrap();
        assert_eq!(all, text);
        tape
    }

    fn shown(text: &[u8], word: &[u8]) -> (String, String, String) {
        let at = text.windows(word.len()).position(|window| window == word).unwrap();
        let line = tape_of(text).line(at as u64, word.len()).unwrap();
        let cut = |is_cut, part: String| if is_cut { format!("…{part}") } else { part };
        (cut(line.cut_before, line.before), line.word, cut(line.cut_after, line.after))
    }

    #[test]
    fn a_line_is_cut_around_the_word() {
        let parts = |before: &str, word: &str, after: &str| {
            (before.to_owned(), word.to_owned(), after.to_owned())
        };
        assert_eq!(shown(b"1. e4\r\n2. Ke3 e5\rx", b"Ke3"), parts("2. ", "Ke3", " e5"));
        assert_eq!(shown(b"Ke3", b"Ke3"), parts("", "Ke3", ""));
        // Characters stay whole, in either encoding.
        let text = format!("{0}Ke3{0}", "é".repeat(40));
        let (before, word, after) = shown(text.as_bytes(), b"Ke3");
        assert_eq!((before.as_str(), word.as_str()), (&*format!("…{}", "é".repeat(24)), "Ke3"));
        assert!(after.starts_with("…é") && after.ends_with('é'), "{after}");
        let text = [&b"\xe9".repeat(10)[..], b" Ke3 \xe9"].concat();
        assert_eq!(shown(&text, b"Ke3"), parts("éééééééééé ", "Ke3", " é"));
    }

    #[test]
    fn memory_is_bounded() {
        let tape = Tape::default();
        let mut source = Taped::new(std::io::repeat(b'x').take(3 * MAX as u64), tape.clone());
        std::io::copy(&mut source, &mut std::io::sink()).unwrap();
        assert!(tape.0.borrow().bytes.len() <= MAX);
        assert_eq!(tape.text(0, Some(10)), None);
        let end = 3 * MAX as u64;
        assert_eq!(tape.text(end - 3, None).as_deref(), Some(&b"xxx"[..]));
        assert_eq!(tape.line_ends().bytes, end);
        tape.forget(end);
        assert!(tape.0.borrow().bytes.len() < 10_000);
    }
}
