//! Splits comments into commands with values, and text.
//!
//! `{ [%eval 0.17] [%clk 0:00:30] }` is two values, each after a space, and a space at the end: two entries and no
//! text. Any other spelling is kept as text, in addition to its value if it has one. So the parts always reproduce the
//! text exactly.

use std::borrow::Cow;
use std::fmt::Write as _;

use memchr::{memchr, memchr2};

use super::Annotations;
use super::entry::{Entry, FIRST, Kind, LAST, LINE, SPACE_AFTER, SPACE_BEFORE, SPELLED};
use super::normal::is_blank;
use crate::clock::Clock;
use crate::evaluation::Evaluation;
use crate::marks::{Arrows, ColoredSquares};
use crate::pgn::CommentStyle;

/// The values that a comment holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Values {
    pub(crate) clock: bool,
    pub(crate) evaluation: bool,
}

/// Finds a clock and an evaluation in a comment.
pub(crate) fn values_in(text: &str) -> Values {
    let mut values = Values::default();
    let mut search = 0;
    while let Some(bracket) = memchr(b'[', &text.as_bytes()[search..]) {
        search += bracket + 1;
        if let Some((value, end)) = command(text, search - 1) {
            values.clock |= value.entry.kind == Kind::Clock;
            values.evaluation |= value.entry.kind == Kind::Evaluation;
            search = end;
        }
    }
    values
}

/// The text of a comment without values and without white space around it, as [`Comment::text`](super::Comment::text)
/// has it.
pub(crate) fn text_without_values(text: &str) -> Cow<'_, str> {
    let (mut kept, mut from, mut search) = (String::new(), 0, 0);
    while let Some(bracket) = memchr(b'[', &text.as_bytes()[search..]) {
        search += bracket + 1;
        if let Some((_, end)) = command(text, search - 1) {
            let part = &text[from..search - 1];
            // A single space next to a value belongs to it.
            if part != " " {
                kept.push_str(part);
            }
            (from, search) = (end, end);
        }
    }
    if from == 0 {
        return Cow::Borrowed(text.trim());
    }
    if &text[from..] != " " {
        kept.push_str(&text[from..]);
    }
    Cow::Owned(kept.trim().to_owned())
}

/// Returns true if a comment has more than clocks, times and evaluations: text, squares or arrows.
pub(crate) fn is_remark(text: &str) -> bool {
    let mut search = 0;
    while let Some(bracket) = memchr(b'[', &text.as_bytes()[search..]) {
        search += bracket + 1;
        if let Some((value, end)) = command(text, search - 1) {
            if matches!(value.entry.kind, Kind::Squares | Kind::Arrows) {
                return true;
            }
            search = end;
        }
    }
    !text_without_values(text).is_empty()
}

/// Adds the parts of a comment. The text is as [`normal`](super::normal) returns it.
pub(crate) fn push_comment(into: &mut Annotations, at: u32, style: CommentStyle, text: &str) {
    if push_values(into, at, style, text.as_bytes()).is_some() {
        return;
    }
    let bytes = text.as_bytes();
    let first = into.entries.len();
    let (mut from, mut search) = (0, 0);
    while let Some(bracket) = memchr(b'[', &bytes[search..]) {
        let bracket = search + bracket;
        let Some((mut value, end)) = command(text, bracket) else {
            search = bracket + 1;
            continue;
        };
        match &text[from..bracket] {
            "" => {}
            " " => value.entry.flags |= SPACE_BEFORE,
            text => into.push_text(at, Kind::Text, text),
        }
        value.entry.at = at;
        if let Some(list) = value.list {
            value.entry.word = Entry::text_word(into.text.len(), list.len());
            into.text.push_str(&list);
        }
        into.entries.push(value.entry);
        into.has_spelled_clocks |= value.entry.kind == Kind::Clock;
        if let Some(spelling) = value.spelling {
            into.push_text(at, Kind::Spelling, spelling);
        }
        from = end;
        search = end;
    }
    let rest = &text[from..];
    let part = into.entries[first..].iter_mut().rfind(|entry| entry.kind != Kind::Spelling);
    match part {
        Some(value) if rest == " " => value.flags |= SPACE_AFTER,
        Some(_) if rest.is_empty() => {}
        _ => into.push_text(at, Kind::Text, rest),
    }
    finish(&mut into.entries[first..], style);
}

/// Marks the first and the last part of a comment.
fn finish(parts: &mut [Entry], style: CommentStyle) {
    if style == CommentStyle::Line {
        parts.iter_mut().for_each(|part| part.flags |= LINE);
    }
    if let Some(first) = parts.first_mut() {
        first.flags |= FIRST;
    }
    if let Some(last) = parts.iter_mut().rfind(|entry| entry.kind != Kind::Spelling) {
        last.flags |= LAST;
    }
}

/// Fast path for comments that consist only of clocks and evaluations in the standard spelling, like most comments of
/// online games. Adds nothing for any other comment.
#[inline]
pub(crate) fn push_values(
    into: &mut Annotations,
    at: u32,
    style: CommentStyle,
    bytes: &[u8],
) -> Option<Values> {
    let line = if style == CommentStyle::Line { LINE } else { 0 };
    let before = into.entries.len();
    let mut values = Values::default();
    let mut rest = bytes;
    loop {
        let spaced = rest.first() == Some(&b' ');
        let value = &rest[usize::from(spaced)..];
        let Some((mut entry, length)) = usual_value(value) else {
            into.entries.truncate(before);
            return None;
        };
        entry.at = at;
        entry.flags = line | if spaced { SPACE_BEFORE } else { 0 };
        values.clock |= entry.kind == Kind::Clock;
        values.evaluation |= entry.kind == Kind::Evaluation;
        if into.entries.len() == before {
            entry.flags |= FIRST;
        }
        rest = &value[length..];
        let is_last = match rest {
            [] => true,
            [b' '] => {
                entry.flags |= SPACE_AFTER;
                true
            }
            _ => false,
        };
        if is_last {
            entry.flags |= LAST;
            into.entries.push(entry);
            return Some(values);
        }
        into.entries.push(entry);
    }
}

/// The first eight bytes as a little-endian number.
#[inline]
fn packed(bytes: &[u8]) -> Option<u64> {
    bytes.first_chunk::<8>().map(|bytes| u64::from_le_bytes(*bytes))
}

/// A clock or an evaluation with its brackets at the start of `bytes`, as [`write_value`] writes
/// it, and its length.
#[inline]
fn usual_value(bytes: &[u8]) -> Option<(Entry, usize)> {
    const CLOCK: u64 = u64::from_le_bytes(*b"[%clk \0\0");
    const ELAPSED: u64 = u64::from_le_bytes(*b"[%emt \0\0");
    const EVALUATION: u64 = u64::from_le_bytes(*b"[%eval \0");
    // The shortest value has nine bytes: `[%eval 1]`.
    let start = packed(bytes)?;
    let name = start & 0xffff_ffff_ffff;
    let (entry, end) = if name == CLOCK || name == ELAPSED {
        let (clock, length) = Clock::read(&bytes[6..])?;
        let kind = if name == CLOCK { Kind::Clock } else { Kind::Elapsed };
        (clock_entry(kind, clock), 6 + length)
    } else if start & 0xff_ffff_ffff_ffff == EVALUATION {
        let (evaluation, length) = Evaluation::read(&bytes[7..])?;
        (evaluation_entry(evaluation), 7 + length)
    } else {
        return None;
    };
    (bytes.get(end) == Some(&b']')).then_some((entry, end + 1))
}

fn clock_entry(kind: Kind, clock: Clock) -> Entry {
    Entry::new(0, kind, clock.decimals().into(), clock.millis().into())
}

fn evaluation_entry(evaluation: Evaluation) -> Entry {
    let (half, word) = evaluation.to_parts();
    Entry::new(0, Kind::Evaluation, half, word)
}

/// A value, and the texts that belong to it.
struct Value<'a> {
    entry: Entry,
    /// Its own text, if it is a list of marks.
    list: Option<String>,
    spelling: Option<&'a str>,
}

/// The names of commands with a value.
const NAMES: [&str; 5] = ["clk", "emt", "eval", "csl", "cal"];

/// A command in a comment, without brackets and white space. White space may be anywhere, since programs wrap long
/// lines.
pub(crate) struct Command<'a> {
    /// One of [`NAMES`].
    pub(crate) name: &'static str,
    /// The text after the name.
    pub(crate) value: String,
    /// All of its text, with the brackets.
    spelling: &'a str,
    /// The offset of its end.
    end: usize,
}

/// The command whose bracket is at `bracket`, if its name is known.
pub(crate) fn named_command(text: &str, bracket: usize) -> Option<Command<'_>> {
    let bytes = text.as_bytes();
    let percent = bytes[bracket + 1..].iter().position(|byte| !is_blank(*byte))? + bracket + 1;
    if bytes[percent] != b'%' {
        return None;
    }
    // A nested bracket ends the search; otherwise, many brackets would make it quadratic.
    let close = percent + 1 + memchr2(b']', b'[', &bytes[percent + 1..])?;
    if bytes[close] != b']' {
        return None;
    }
    let inside = &text[percent + 1..close];
    let compact: String = inside.chars().filter(|char| !is_blank_char(*char)).collect();
    let name = NAMES.into_iter().find(|name| compact.starts_with(name))?;
    let value = compact[name.len()..].to_owned();
    // A longer name, such as `clkfont`, is another command.
    let is_name = inside
        .trim_ascii_start()
        .strip_prefix(name)
        .is_none_or(|rest| rest.is_empty() || rest.starts_with(is_blank_char));
    let end = close + 1;
    is_name.then(|| Command { name, value, spelling: &text[bracket..end], end })
}

fn is_blank_char(char: char) -> bool {
    u8::try_from(char).is_ok_and(is_blank)
}

/// Calls `visit` with each command of a comment that has a known name and a nonstandard spelling, and `visit_clock`
/// with each clock in the standard spelling.
pub(crate) fn visit_commands(
    text: &str,
    mut visit: impl FnMut(&Command<'_>),
    mut visit_clock: impl FnMut(Clock),
) {
    let mut search = 0;
    while let Some(bracket) = memchr(b'[', &text.as_bytes()[search..]) {
        let bracket = search + bracket;
        search = bracket + 1;
        if let Some((entry, length)) = usual_value(&text.as_bytes()[bracket..]) {
            search = bracket + length;
            if entry.kind == Kind::Clock {
                visit_clock(clock_of(&entry));
            }
        } else if let Some(command) = named_command(text, bracket) {
            search = command.end;
            visit(&command);
        }
    }
}

/// The value whose bracket is at `bracket`, and the offset of its end.
fn command(text: &str, bracket: usize) -> Option<(Value<'_>, usize)> {
    let bytes = &text.as_bytes()[bracket..];
    if let Some((entry, length)) = usual_value(bytes) {
        return Some((Value { entry, list: None, spelling: None }, bracket + length));
    }
    let Command { name, value, spelling, end } = named_command(text, bracket)?;
    // A list keeps its text; the space after the name is assumed.
    let written = spelling.strip_prefix("[%").and_then(|text| text.strip_prefix(name));
    let written = written.and_then(|text| text.strip_prefix(' ')?.strip_suffix(']'));
    let list = |kind, is_list: fn(&str) -> bool| {
        let usual = written.filter(|text| !text.contains('\n') && is_list(text));
        let list = usual.map_or(value.clone(), str::to_owned);
        let mut entry = Entry::new(0, kind, 0, 0);
        entry.flags = if usual.is_some() { 0 } else { SPELLED };
        let spelling = usual.is_none().then_some(spelling);
        is_list(&list).then_some((Value { entry, list: Some(list), spelling }, end))
    };
    let mut entry = match name {
        "clk" => clock_entry(Kind::Clock, Clock::read_any(&value)?),
        "emt" => clock_entry(Kind::Elapsed, Clock::read_any(&value)?),
        "eval" => evaluation_entry(Evaluation::read_any(&value)?),
        "csl" => return list(Kind::Squares, |text| ColoredSquares::new(text).is_some()),
        "cal" => return list(Kind::Arrows, |text| Arrows::new(text).is_some()),
        _ => return None,
    };
    entry.flags = SPELLED;
    Some((Value { entry, list: None, spelling: Some(spelling) }, end))
}

/// Writes a value as it was read.
pub(crate) fn write_value(entry: &Entry, spelling: Option<&str>, all: &str, out: &mut String) {
    if let Some(spelling) = spelling {
        out.push_str(spelling);
        return;
    }
    // Writing to a string does not fail.
    let _ = match entry.kind {
        Kind::Clock => write!(out, "[%clk {}]", clock_of(entry)),
        Kind::Elapsed => write!(out, "[%emt {}]", clock_of(entry)),
        Kind::Evaluation => write!(out, "[%eval {}]", evaluation_of(entry)),
        Kind::Squares => write!(out, "[%csl {}]", entry.text(all)),
        Kind::Arrows => write!(out, "[%cal {}]", entry.text(all)),
        _ => write!(out, "{}", entry.text(all)),
    };
}

pub(crate) fn clock_of(entry: &Entry) -> Clock {
    Clock::from_parts(entry.word as u32, entry.half as u8)
}

pub(crate) fn evaluation_of(entry: &Entry) -> Evaluation {
    Evaluation::from_parts(entry.half, entry.word)
}
