//! Functions over a buffer for longer tokens: tags, comments, and kinds of lines.
//!
//! Each returns `None` if more bytes are needed. If `cut` is true, no more bytes will follow, and the result is always
//! `Some`.

use std::ops::Range;

use halfmove_rules::San;
use memchr::{memchr2, memchr3, memrchr2};

use super::class::{
    blank_before, continues_word, is_blank, is_line_end, is_name, is_part_of_blank, is_space,
    is_tag_name, stops_value, wide_blank_at,
};
use super::nag::cut_marks;
use super::source::{Before, LOOK_BACK};
use super::tag_lines::Cut;
use super::text::Text;
use crate::result::GameResult;

/// The number of bytes of a line that are examined to classify it.
pub(super) const LOOK_AHEAD: usize = 128;

/// The offset at which the line containing `from` ends, excluding its line break.
pub(super) fn line_end(buffer: &[u8], from: usize, cut: bool) -> Option<usize> {
    match memchr2(b'\n', b'\r', &buffer[from..]) {
        Some(length) => Some(from + length),
        None if cut => Some(buffer.len()),
        None => None,
    }
}

/// The offset of the first byte that is not white space within a line. If `cut` is false, white space that is not
/// complete belongs to it.
fn skip_spaces(buffer: &[u8], from: usize, cut: bool) -> usize {
    let mut at = from;
    while let Some(&byte) = buffer.get(at) {
        at += match byte {
            _ if is_space(byte) => 1,
            0x80.. if !cut && is_part_of_blank(&buffer[at..]) => return buffer.len(),
            _ => match wide_blank_at(buffer, at) {
                0 => break,
                length => length,
            },
        };
    }
    at
}

fn skip_name(buffer: &[u8], from: usize) -> usize {
    from + buffer[from..].iter().take_while(|&&byte| is_name(byte)).count()
}

/// Returns true if `at` is the first thing on its line.
pub(super) fn begins_line(buffer: &[u8], at: usize, before: Before) -> bool {
    let mut end = at;
    while let Some(&last) = buffer[..end].last() {
        if is_line_end(last) {
            return true;
        }
        match blank_before(buffer, end) {
            0 => return false,
            length => end -= length,
        }
    }
    before.begins_line
}

/// Returns true if a blank line precedes the line that begins at `at`.
pub(super) fn follows_blank_line(buffer: &[u8], at: usize, before: Before) -> bool {
    line_ends(buffer, at, before) == 2
}

/// The number of line ends between the last text and `at`, at most 2.
fn line_ends(buffer: &[u8], at: usize, before: Before) -> u8 {
    let (mut ends, mut end) = (0, at);
    while let Some(&last) = buffer[..end].last() {
        match last {
            b'\n' => ends += 1,
            b'\r' if buffer.get(end) != Some(&b'\n') => ends += 1,
            _ => {}
        }
        match blank_before(buffer, end) {
            0 => return ends,
            _ if ends == 2 => return ends,
            length => end -= length,
        }
    }
    (ends + before.line_ends).min(2)
}

/// The context before `at`.
pub(super) fn before(buffer: &[u8], at: usize, before: Before) -> Before {
    Before {
        begins_line: begins_line(buffer, at, before),
        line_ends: line_ends(buffer, at, before),
    }
}

/// Finds the tag pair that begins at `at`: a bracket, a name, a quote. If `bracket` is false, the bracket may be
/// missing. Returns the range of the name, if there is a tag pair.
pub(super) fn tag_opening(
    buffer: &[u8],
    at: usize,
    bracket: bool,
    cut: bool,
) -> Option<Option<Range<usize>>> {
    let window = &buffer[..buffer.len().min(at + LOOK_AHEAD)];
    let cut = cut || window.len() < buffer.len();
    let name = if bracket { skip_spaces(window, at + 1, cut) } else { at };
    let name_end = skip_name(window, name);
    let quote = skip_spaces(window, name_end, cut);
    match window.get(quote) {
        Some(b'"') => Some(is_tag_name(&window[name..name_end]).then_some(name..name_end)),
        Some(_) => Some(None),
        None if cut => Some(None),
        None => None,
    }
}

/// A tag pair.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) name: Range<usize>,
    /// The text between the quotes, including escapes; `None` if there is no usable value.
    pub(super) value: Option<Range<usize>>,
    pub(super) end: usize,
    pub(super) malformed: bool,
}

impl Tag {
    /// A tag of the usual kind, on a single line.
    pub(super) fn usual(cut: Cut, end: usize) -> Tag {
        let value = Some(cut.value..cut.value_end);
        Tag { name: cut.name..cut.name_end, value, end, malformed: false }
    }
}

/// Reads the tag that begins at `at`, with or without its bracket.
///
/// The value ends at the first unescaped quote that is followed by a closing bracket, so quotes inside a value are
/// accepted. If the line has no such end, the next line may have it. Otherwise the value is the rest of the line,
/// without a bracket and a quote, and the tag is malformed. If it does not begin with a quote but contains one, the
/// tag has no value.
pub(super) fn tag(buffer: &[u8], at: usize, bracket: bool, cut: bool) -> Option<Tag> {
    let name = if bracket { skip_spaces(buffer, at + 1, cut) } else { at };
    let name_end = skip_name(buffer, name);
    let open = skip_spaces(buffer, name_end, cut);
    if open == buffer.len() && !cut {
        return None;
    }
    let named = is_tag_name(&buffer[name..name_end]);
    if named && buffer.get(open) == Some(&b'"') {
        let value = open + 1;
        match value_end(buffer, value, cut)? {
            ValueEnd::Closed { quote, end } => {
                let value = Some(value..quote);
                return Some(Tag { name: name..name_end, value, end, malformed: !bracket });
            }
            ValueEnd::Open { line_end } => {
                let next = line_end
                    + match buffer.get(line_end..(line_end + 2).min(buffer.len())) {
                        Some(b"\r\n") => 2,
                        Some([_, ..]) => 1,
                        _ => 0,
                    };
                let first = skip_spaces(buffer, next, cut);
                if first == buffer.len() && !cut {
                    return None;
                }
                let goes_on =
                    buffer.get(first).is_some_and(|&byte| byte != b'[' && !is_line_end(byte));
                if goes_on && let ValueEnd::Closed { quote, end } = value_end(buffer, first, cut)? {
                    let value = Some(value..quote);
                    return Some(Tag { name: name..name_end, value, end, malformed: true });
                }
                let value = Some(trim_value(buffer, value..line_end));
                return Some(Tag { name: name..name_end, value, end: line_end, malformed: true });
            }
        }
    }
    let end = line_end(buffer, open, cut)?;
    let value = trim_value(buffer, open..end);
    // With a quote inside, this is not a value but words and a value, as in `[White ACPL "252"]`.
    let is_value = named && !value.is_empty() && !buffer[value.clone()].contains(&b'"');
    let value = is_value.then_some(value);
    Some(Tag { name: name..name_end, value, end, malformed: true })
}

/// The offset of the first byte that is not white space. If `cut` is false, white space that is not complete belongs
/// to it.
fn skip_blanks(buffer: &[u8], from: usize, cut: bool) -> usize {
    let mut at = skip_spaces(buffer, from, cut);
    while buffer.get(at).copied().is_some_and(is_blank) {
        at = skip_spaces(buffer, at + 1, cut);
    }
    at
}

/// Finds the name of the tag that follows at `from`, perhaps after blanks and tags without a usable value. Returns the
/// range of the name, if a tag comes next.
pub(super) fn next_name(buffer: &[u8], from: usize, cut: bool) -> Option<Option<Range<usize>>> {
    let mut at = from;
    loop {
        at = skip_blanks(buffer, at, cut);
        let bracket = match buffer.get(at) {
            Some(&byte) => byte == b'[',
            None => return cut.then_some(None),
        };
        if !bracket && tag_opening(buffer, at, false, cut)?.is_none() {
            return Some(None);
        }
        let tag = tag(buffer, at, bracket, cut)?;
        if tag.value.is_some() {
            return Some(Some(tag.name));
        }
        at = tag.end;
    }
}

enum ValueEnd {
    Closed { quote: usize, end: usize },
    Open { line_end: usize },
}

fn value_end(buffer: &[u8], from: usize, cut: bool) -> Option<ValueEnd> {
    let mut at = from;
    loop {
        while at < buffer.len() && !stops_value(buffer[at]) {
            at += 1;
        }
        match buffer.get(at) {
            Some(b'"') => {
                let bracket = skip_spaces(buffer, at + 1, cut);
                match buffer.get(bracket) {
                    Some(b']') => {
                        return Some(ValueEnd::Closed { quote: at, end: bracket + 1 });
                    }
                    None if !cut => return None,
                    _ => at = bracket,
                }
            }
            Some(b'\\') => match buffer.get(at + 1) {
                Some(b'"' | b'\\') => at += 2,
                Some(_) => at += 1,
                None if !cut => return None,
                None => at += 1,
            },
            Some(_) => return Some(ValueEnd::Open { line_end: at }),
            None if cut => return Some(ValueEnd::Open { line_end: buffer.len() }),
            None => return None,
        }
    }
}

/// A malformed value, trimmed of white space, brackets and quotes.
fn trim_value(buffer: &[u8], range: Range<usize>) -> Range<usize> {
    let (mut start, mut end) = (range.start, range.end);
    let trim_end = |end: &mut usize, mark: u8| {
        loop {
            match blank_before(&buffer[start..], *end - start) {
                0 => break,
                length => *end -= length,
            }
        }
        if *end > start && buffer[*end - 1] == mark {
            *end -= 1;
        }
    };
    trim_end(&mut end, b']');
    trim_end(&mut end, b'"');
    if start < end && buffer[start] == b'"' {
        start += 1;
    }
    start..end
}

/// The end of a comment in braces.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum CommentEnd {
    /// At this brace.
    Brace(usize),
    /// Before this bracket, which clearly begins the next game.
    NextGame(usize),
    /// At the end of the input.
    Cut,
}

/// The context before the text of a comment, which is its brace.
const IN_COMMENT: Before = Before { begins_line: false, line_ends: 0 };

/// Finds the end of a comment whose text begins at `from`.
///
/// The end is the first `}`, unless the next game begins before it: with a line that begins with `[Event "`, or with
/// any tag that follows a blank line. Without this rule, one missing brace would silently swallow all games up to the
/// next comment.
pub(super) fn comment_end(buffer: &[u8], from: usize, cut: bool) -> Option<CommentEnd> {
    let mut at = from;
    loop {
        let Some(length) = memchr3(b'}', b'\n', b'\r', &buffer[at..]) else {
            return cut.then_some(CommentEnd::Cut);
        };
        at += length;
        if buffer[at] == b'}' {
            return Some(CommentEnd::Brace(at));
        }
        at += 1;
        match buffer.get(at) {
            Some(b'[') => {
                if let Some(name) = tag_opening(buffer, at, true, cut)?
                    && (&buffer[name] == b"Event"
                        || follows_blank_line(&buffer[from..], at - from, IN_COMMENT))
                {
                    return Some(CommentEnd::NextGame(at));
                }
            }
            Some(_) => {}
            None if cut => return Some(CommentEnd::Cut),
            None => return None,
        }
    }
}

/// The offset at which a too long comment is split: not after a line end, where the next game may begin.
pub(super) fn comment_split(buffer: &[u8], from: usize) -> usize {
    let tail = buffer.len().saturating_sub(LOOK_BACK).max(from + 1);
    let blank = |byte: &u8| byte.is_ascii_whitespace();
    match buffer.get(tail..).and_then(|text| memrchr2(b'\n', b'\r', text)) {
        Some(line_end) => {
            let before = buffer[tail..tail + line_end].iter().rev().take_while(|b| blank(b));
            tail + line_end - before.count()
        }
        None => buffer.len(),
    }
}

/// Returns true if a line between games looks like the start of a game without tags: a move number with a dot and a
/// move, or two words that look like moves, results or annotations. Lines of prose and numbered lists do not qualify.
pub(super) fn begins_movetext(line: &[u8]) -> bool {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let dots = line[digits..].iter().take_while(|&&byte| byte == b'.').count();
    let spaces = skip_spaces(line, digits, true);
    let first = skip_spaces(line, if dots > 0 { digits + dots } else { 0 }, true);
    if digits > 0 && dots > 0 {
        return looks_like_move(word_at(line, first));
    }
    let first = if digits > 0 && spaces > digits { spaces } else { first };
    let word = word_at(line, first);
    let second = skip_spaces(line, first + word.len(), true);
    looks_like_move(word)
        && match line.get(second) {
            None => true,
            Some(b'0'..=b'9' | b'{' | b'(' | b';' | b'$' | b'*' | b'!' | b'?') => true,
            Some(_) => {
                let next = word_at(line, second);
                looks_like_move(next) || GameResult::from_token(next).is_some()
            }
        }
}

/// The maximum length of a move with letters or signs beyond ASCII that begins a game, in bytes.
const LONGEST_MOVE: usize = 40;

fn word_at(line: &[u8], from: usize) -> &[u8] {
    &line[from..word_end(line, from)]
}

/// The offset of the first byte at or after `from` that does not continue a word.
pub(super) fn word_end(buffer: &[u8], from: usize) -> usize {
    let continues = |at: &usize| continues_word(buffer[*at]) && wide_blank_at(buffer, *at) == 0;
    (from..buffer.len()).find(|at| !continues(at)).unwrap_or(buffer.len())
}

fn looks_like_move(word: &[u8]) -> bool {
    if matches!(word, b"--" | b"Z0") || word.starts_with(b"O-O") || word.starts_with(b"0-0") {
        return true;
    }
    if !word.is_ascii() {
        // Figurines, typographic dashes, a sign attached to a move.
        let text = Text::plain(word).to_str();
        return word.len() <= LONGEST_MOVE && San::parse(cut_marks(&text).0.as_bytes()).is_ok();
    }
    (2..=9).contains(&word.len())
        && matches!(word[0], b'K' | b'Q' | b'R' | b'B' | b'N' | b'P' | b'a'..=b'h')
        && word.iter().all(|byte| b"KQRBNPabcdefgh12345678x-:=+#qrn".contains(byte))
        && word
            .windows(2)
            .any(|pair| matches!(pair[0], b'a'..=b'h') && matches!(pair[1], b'1'..=b'8'))
}
