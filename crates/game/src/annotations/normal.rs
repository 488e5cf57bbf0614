//! Line breaks in comments.
//!
//! Programs wrap comments: where a line would become too long, they replace a space with a line break. Such a break
//! is indistinguishable from one that the author wrote, so a single line break between two words counts as a space,
//! for comparing, searching and wrapping. A break next to other white space (a blank line, an indented line) cannot
//! result from wrapping, so it is kept.

use std::borrow::Cow;

use memchr::memchr2;

/// The text of a comment, with single line breaks between words as spaces, and the others as `\n`.
pub(crate) fn normal(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr2(b'\n', b'\r', text.as_bytes()) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    let (head, mut rest) = text.split_at(first);
    out.push_str(head);
    while !rest.is_empty() {
        let length = if rest.starts_with("\r\n") { 2 } else { 1 };
        rest = &rest[length..];
        let wrapped = out.bytes().next_back().is_some_and(|byte| !is_blank(byte))
            && rest.bytes().next().is_some_and(|byte| !is_blank(byte));
        out.push(if wrapped { ' ' } else { '\n' });
        let next = memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
        out.push_str(&rest[..next]);
        rest = &rest[next..];
    }
    Cow::Owned(if out.contains("\n[") { indented_tags(&out) } else { out })
}

/// Indents any line that a reader would mistake for the first tag of the next game.
fn indented_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            let tag = begins_game(&out, line);
            out.push_str(if tag { "\n " } else { "\n" });
        }
        out.push_str(line);
    }
    out
}

pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// Returns true if a line of a comment looks like the first tag of the next game.
fn begins_game(before: &str, line: &str) -> bool {
    let Some(tag) = line.strip_prefix('[') else { return false };
    const SPACES: [char; 4] = [' ', '\t', '\x0b', '\x0c'];
    let name = tag.trim_start_matches(SPACES);
    let end = name.find(|char: char| SPACES.contains(&char) || char == '"').unwrap_or(name.len());
    let quoted = end > 0 && name[end..].trim_start_matches(SPACES).starts_with('"');
    let blank_line = before.trim_end_matches(SPACES).ends_with('\n');
    quoted && (&name[..end] == "Event" || blank_line)
}

#[cfg(test)]
mod tests {
    use super::normal;

    #[test]
    fn line_breaks() {
        for (text, expected) in [
            ("a b", "a b"),
            ("a\nb\r\nc\rd", "a b c d"),
            ("a\n\nb", "a\n\nb"),
            ("a\r\n\r\nb", "a\n\nb"),
            ("\na\n", "\na\n"),
            ("a \nb", "a \nb"),
            ("a\n  b", "a\n  b"),
            ("a\n\n[Event \"x\"]", "a\n\n [Event \"x\"]"),
            ("\n[Event \"x\"]", "\n [Event \"x\"]"),
            ("a\n[Event \"x\"]", "a [Event \"x\"]"),
            ("\n[White \"x\"]", "\n[White \"x\"]"),
            ("\n[Event\n\"x\"]", "\n [Event \"x\"]"),
            ("\n\n[\n\"", "\n\n[ \""),
        ] {
            assert_eq!(normal(text), expected, "{text:?}");
            assert_eq!(normal(expected), expected, "{text:?}");
        }
    }
}
