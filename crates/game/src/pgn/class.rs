//! The class of each byte in movetext, by table look-up.

use std::borrow::Cow;

use super::nag::Nag;
use super::text::Text;

/// The kind of token that begins with a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Blank,
    Digit,
    /// A letter or a byte beyond ASCII.
    Word,
    Dot,
    OpenBrace,
    OpenVariation,
    CloseVariation,
    Nag,
    /// `!` and `?`
    Suffix,
    Semicolon,
    Percent,
    Star,
    OpenBracket,
    /// `+ - = / ~ < > _`: evaluations such as `+/-`, and the null moves `--` and `<>`.
    Symbol,
    Stray,
}

pub(super) static CLASS: [Class; 256] = {
    let mut table = [Class::Stray; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => Class::Blank,
            b'0'..=b'9' => Class::Digit,
            b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => Class::Word,
            b'.' => Class::Dot,
            b'{' => Class::OpenBrace,
            b'(' => Class::OpenVariation,
            b')' => Class::CloseVariation,
            b'$' => Class::Nag,
            b'!' | b'?' => Class::Suffix,
            b';' => Class::Semicolon,
            b'%' => Class::Percent,
            b'*' => Class::Star,
            b'[' => Class::OpenBracket,
            b'+' | b'-' | b'=' | b'/' | b'~' | b'<' | b'>' | b'_' => Class::Symbol,
            _ => Class::Stray,
        };
        byte += 1;
    }
    table
};

/// The maximum length of a tag's name: the beginning of a tag must fit into the look-ahead.
const LONGEST_NAME: usize = 100;

const WORD: u8 = 1;
const SYMBOL: u8 = 2;
const NAME: u8 = 4;
const VALUE_STOP: u8 = 8;
const BEGINS_WORD: u8 = 16;
const BLANK: u8 = 32;

static FLAGS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let char = byte as u8;
        let mut flags = 0;
        if char.is_ascii_alphanumeric()
            || char >= 0x80
            || matches!(char, b'+' | b'#' | b'=' | b'-' | b'/' | b':' | b'@' | b'_' | b'\'')
        {
            flags |= WORD;
        }
        if matches!(char, b'+' | b'-' | b'=' | b'/' | b'~' | b'<' | b'>' | b'_') {
            flags |= SYMBOL;
        }
        if !matches!(char, 0..=b' ' | b'"' | b'[' | b']' | 0x7f..) {
            flags |= NAME;
        }
        if matches!(char, b'"' | b'\\' | b'\n' | b'\r') {
            flags |= VALUE_STOP;
        }
        if char.is_ascii_alphabetic() || char >= 0x80 {
            flags |= BEGINS_WORD;
        }
        if matches!(char, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c) {
            flags |= BLANK;
        }
        table[byte] = flags;
        byte += 1;
    }
    table
};

/// Returns true if a byte can continue a move, a result or any other word.
pub(super) fn continues_word(byte: u8) -> bool {
    FLAGS[usize::from(byte)] & WORD != 0
}

/// Returns true if a byte belongs to a run of evaluation symbols.
pub(super) fn is_symbol(byte: u8) -> bool {
    FLAGS[usize::from(byte)] & SYMBOL != 0
}

/// Returns true if a byte can be part of a tag's name.
pub(super) fn is_name(byte: u8) -> bool {
    FLAGS[usize::from(byte)] & NAME != 0
}

/// Returns true if these bytes can be a tag's name. It begins with a letter, a digit or `_`. The standard allows
/// only these characters; this reader accepts any printable ASCII except quotes and brackets after the first.
pub(crate) fn is_tag_name(name: &[u8]) -> bool {
    name.first().is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.len() <= LONGEST_NAME
        && name.iter().all(|&byte| is_name(byte))
}

/// The offset of the first byte that makes these bytes invalid as a tag's name.
pub(crate) fn tag_name_fault(name: &[u8]) -> Option<usize> {
    let is_sound = |end: &usize| is_tag_name(&name[..*end]);
    let sound = (1..=name.len()).take_while(is_sound).count();
    (!is_tag_name(name)).then_some(sound)
}

/// Returns true if the search for the end of a tag's value must inspect this byte.
pub(super) fn stops_value(byte: u8) -> bool {
    FLAGS[usize::from(byte)] & VALUE_STOP != 0
}

/// Returns true if a byte begins a move or another word that is not a number: the same as [`Class::Word`], but as a
/// separate branch. The next token is nearly always a word or a number, and two branches are predicted better than a
/// jump table over all classes.
pub(super) fn begins_word(byte: u8) -> bool {
    FLAGS[usize::from(byte)] & BEGINS_WORD != 0
}

pub(super) fn is_blank(byte: u8) -> bool {
    FLAGS[usize::from(byte)] & BLANK != 0
}

/// The length of the white space beyond ASCII with which a text begins, 0 if there is none: no-break and typographic
/// spaces, characters without width, marks of direction, byte order marks. Web pages and phones write these between
/// tokens.
pub(crate) fn wide_blank(text: &[u8]) -> usize {
    match text {
        // No-break space.
        [0xc2, 0xa0, ..] => 2,
        // U+1680; U+2000 to U+200F, without the joiners of emoji; U+2028 to U+202F; U+205F to U+206F.
        [0xe1, 0x9a, 0x80, ..]
        | [0xe2, 0x80, 0x80..=0x8b | 0x8e | 0x8f | 0xa8..=0xaf, ..]
        | [0xe2, 0x81, 0x9f..=0xaf, ..]
        // Ideographic space, byte order mark.
        | [0xe3, 0x80, 0x80, ..]
        | [0xef, 0xbb, 0xbf, ..] => 3,
        _ => 0,
    }
}

/// A word without white space beyond ASCII. Only a word in Windows-1252 can have some: behind a byte beyond ASCII, A0 may
/// continue a character of UTF-8.
pub(super) fn without_blanks(word: &str) -> Cow<'_, str> {
    let is_blank = |char: char| wide_blank(char.encode_utf8(&mut [0; 4]).as_bytes()) > 0;
    match word.contains(is_blank) {
        true => Cow::Owned(word.replace(is_blank, "")),
        false => Cow::Borrowed(word),
    }
}

/// The no-break space of Windows-1252. In UTF-8, this byte continues a character.
const NO_BREAK: u8 = 0xa0;

/// The length of the white space beyond ASCII at `at`, 0 if there is none.
#[inline]
pub(super) fn wide_blank_at(text: &[u8], at: usize) -> usize {
    match text.get(at) {
        Some(&NO_BREAK) if at == 0 || text[at - 1] < 0x80 => 1,
        Some(0x80..) => wide_blank(&text[at..]),
        _ => 0,
    }
}

/// Returns true if a text is the beginning of white space beyond ASCII, but not all of it.
pub(super) fn is_part_of_blank(text: &[u8]) -> bool {
    matches!(
        text,
        [0xc2 | 0xe1 | 0xe2 | 0xe3 | 0xef]
            | [0xe1, 0x9a]
            | [0xe2, 0x80 | 0x81]
            | [0xe3, 0x80]
            | [0xef, 0xbb]
    )
}

/// The length of the white space that ends at `end`, 0 if there is none.
pub(super) fn blank_before(text: &[u8], end: usize) -> usize {
    match text[..end] {
        [.., byte] if is_blank(byte) => 1,
        [.., 0x80..=0xff] => (1..=end.min(3))
            .find(|length| wide_blank_at(text, end - length) == *length)
            .unwrap_or(0),
        _ => 0,
    }
}

/// White space within a line.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)
}

pub(super) fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The glyph of a run of `!` and `?`.
pub(super) fn suffix_nag(suffix: &[u8]) -> Nag {
    let sign = match suffix {
        [b'!', b'?', ..] => "!?",
        [b'?', b'!', ..] => "?!",
        [b'!', b'!', ..] => "!!",
        [b'?', b'?', ..] => "??",
        [b'?', ..] => "?",
        _ => "!",
    };
    Nag::from_sign(sign).unwrap_or(Nag::new(0))
}

/// The glyph of the symbols and abbreviations that old files use.
pub(super) fn symbol_nag(word: &[u8]) -> Option<Nag> {
    Nag::from_sign(&Text::plain(word).to_str()).filter(|nag| !nag.is_suffix())
}
