//! Text in a PGN file: bytes that should be UTF-8.

use std::borrow::Cow;
use std::fmt;

/// A tag's name or value, or a comment, as raw bytes of the input.
///
/// A text that is not valid UTF-8 is read as Windows-1252, the superset of Latin-1 used by most old collections. That
/// applies to the whole text, never to a part of it.
///
/// ```
/// use halfmove_game::pgn::Text;
///
/// assert_eq!(Text::plain("Pukin".as_bytes()), *"Pukin");
/// assert_eq!(Text::plain(b"Gr\xfcnfeld").to_string(), "Grünfeld");
/// assert_eq!(Text::plain(b"Gr\xfcnfeld").to_str(), "Grünfeld");
/// assert_eq!(Text::escaped(br#"the \"Immortal\""#).to_str(), "the \"Immortal\"");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Text<'a> {
    bytes: &'a [u8],
    escapes: bool,
}

impl<'a> Text<'a> {
    /// Text without escapes.
    pub const fn plain(bytes: &'a [u8]) -> Text<'a> {
        Text { bytes, escapes: false }
    }

    /// A tag value: `\"` means a quote and `\\` a backslash. A backslash before anything else is
    /// just a backslash.
    pub const fn escaped(bytes: &'a [u8]) -> Text<'a> {
        Text { bytes, escapes: true }
    }

    /// The bytes of the file, including escapes.
    pub const fn as_bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Returns true if the bytes are UTF-8. Otherwise, [`Text::to_str`] reads them as Windows-1252.
    pub fn is_utf8(self) -> bool {
        std::str::from_utf8(self.bytes).is_ok()
    }

    /// The text with its escapes resolved. Allocates only for escapes and for Windows-1252. A line
    /// break inside a tag value (forbidden by the standard) is read as a space.
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

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to_str())
    }
}

/// Compares the text with its escapes resolved.
impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        self.to_str() == other
    }
}

/// Compares the text with its escapes resolved.
impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        self == *other
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

/// Windows-1252; its five undefined bytes are read as Latin-1's control characters.
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
