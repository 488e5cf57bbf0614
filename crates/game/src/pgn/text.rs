//! Text as it lies in a PGN file: bytes that ought to be UTF-8.

use std::borrow::Cow;

/// A tag's name or value, or a comment, as raw bytes of the input.
///
/// Bytes that are no UTF-8 are read as Windows-1252, the superset of latin-1 in which most old
/// collections are written; the whole text is, never a part of it.
///
/// ```
/// use halfmove_game::pgn::Text;
///
/// assert_eq!(Text::plain("Pukin".as_bytes()).to_str(), "Pukin");
/// assert_eq!(Text::plain(b"Gr\xfcnfeld").to_str(), "Grünfeld");
/// assert_eq!(Text::escaped(br#"the \"Immortal\""#).to_str(), "the \"Immortal\"");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Text<'a> {
    bytes: &'a [u8],
    escapes: bool,
}

impl<'a> Text<'a> {
    /// A text that means what its bytes say.
    pub const fn plain(bytes: &'a [u8]) -> Text<'a> {
        Text { bytes, escapes: false }
    }

    /// A tag value: `\"` stands for a quote and `\\` for a backslash. A backslash before anything
    /// else is only a backslash.
    pub const fn escaped(bytes: &'a [u8]) -> Text<'a> {
        Text { bytes, escapes: true }
    }

    /// The bytes of the file, escapes included.
    pub const fn as_bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Whether the bytes are UTF-8. If not, [`Text::to_str`] reads them as Windows-1252.
    pub fn is_utf8(self) -> bool {
        std::str::from_utf8(self.bytes).is_ok()
    }

    /// The text with its escapes resolved. Allocates only for escapes and for Windows-1252. A line
    /// break inside a tag value (the standard forbids it) is read as a blank.
    pub fn to_str(self) -> Cow<'a, str> {
        let text = match std::str::from_utf8(self.bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(self.bytes.iter().map(|&byte| windows_1252(byte)).collect()),
        };
        if self.escapes && memchr::memchr3(b'\\', b'\n', b'\r', self.bytes).is_some() {
            Cow::Owned(unescape(&text))
        } else {
            text
        }
    }
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match (char, chars.peek()) {
            ('\\', Some(&next @ ('"' | '\\'))) => {
                plain.push(next);
                chars.next();
            }
            ('\r', Some('\n')) => {}
            ('\n' | '\r', _) => plain.push(' '),
            _ => plain.push(char),
        }
    }
    plain
}

/// Windows-1252; its five holes are read as the control characters that latin-1 has there.
fn windows_1252(byte: u8) -> char {
    #[rustfmt::skip]
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}
