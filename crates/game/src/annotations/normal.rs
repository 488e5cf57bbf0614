//! Line breaks in comments.
//!
//! Programs wrap comments: where a line would become too long, they write a line break for a
//! blank. Nobody can tell such a break from one that the author wrote, so a single line break
//! between two words is a blank here, for comparing, searching and wrapping anew. A break with more
//! white space beside it (a blank line, an indented one) cannot come from wrapping; it is kept.

use std::borrow::Cow;

use memchr::memchr2;

/// The text of a comment, with single line breaks between words as blanks, and the others as `\n`.
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
        if wrapped {
            out.push(' ');
        } else {
            if begins_game(&out, rest) {
                // A reader would take this line for the first tag of the next game.
                out.push_str("\n ");
            } else {
                out.push('\n');
            }
        }
        let next = memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
        out.push_str(&rest[..next]);
        rest = &rest[next..];
    }
    Cow::Owned(out)
}

pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// Whether a line of a comment looks like a tag of the next game.
fn begins_game(before: &str, line: &str) -> bool {
    let Some(tag) = line.strip_prefix('[') else { return false };
    let name = tag.trim_start_matches([' ', '\t', '\x0b', '\x0c']);
    let end = name.find(|char: char| char.is_whitespace() || char == '"').unwrap_or(name.len());
    let quoted = name[end..].trim_start_matches([' ', '\t', '\x0b', '\x0c']).starts_with('"');
    let blank_line = before.trim_end_matches([' ', '\t', '\x0b', '\x0c']).ends_with('\n');
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
        ] {
            assert_eq!(normal(text), expected, "{text:?}");
            assert_eq!(normal(expected), expected, "{text:?}");
        }
    }
}
