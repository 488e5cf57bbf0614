//! The kinds of bytes, words and lines.

use halfmove_game::GameResult;
use halfmove_game::pgn::Nag;

const LONGEST_NAME: usize = 100;

/// Returns true if a line between games is movetext: a move number with a dot and a move, or two words that look like
/// moves, results or annotations.
pub(super) fn begins_movetext(line: &[u8]) -> bool {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, rest) = line.split_at(digits);
    let dots = rest.iter().take_while(|&&byte| byte == b'.').count();
    let after_dots = without_spaces(&rest[dots..]);
    if !number.is_empty() && dots > 0 {
        return looks_like_move(first_word(after_dots));
    }
    let words = match rest.first() {
        Some(b'.') => after_dots,
        // A number without a dot, or digits that belong to the word, such as `0-0`.
        Some(&byte) if is_space(byte) => without_spaces(rest),
        _ => line,
    };
    let first = first_word(words);
    let rest = without_spaces(&words[first.len()..]);
    let second = first_word(rest);
    looks_like_move(first)
        && match rest.first() {
            None | Some(b'0'..=b'9' | b'{' | b'(' | b';' | b'$' | b'*' | b'!' | b'?') => true,
            Some(_) => looks_like_move(second) || result_of(second).is_some(),
        }
}

fn without_spaces(line: &[u8]) -> &[u8] {
    &line[line.iter().take_while(|&&byte| is_space(byte)).count()..]
}

fn first_word(line: &[u8]) -> &[u8] {
    &line[..line.iter().take_while(|&&byte| continues_word(byte)).count()]
}

fn looks_like_move(word: &[u8]) -> bool {
    let names_square = word
        .windows(2)
        .any(|pair| matches!(pair[0], b'a'..=b'h') && matches!(pair[1], b'1'..=b'8'));
    word == b"--"
        || word == b"Z0"
        || word.starts_with(b"O-O")
        || word.starts_with(b"0-0")
        || (2..=9).contains(&word.len())
            && b"KQRBNPabcdefgh".contains(&word[0])
            && word.iter().all(|byte| b"KQRBNPabcdefgh12345678x-:=+#qrn".contains(byte))
            && names_square
}

pub(super) fn result_of(word: &[u8]) -> Option<GameResult> {
    match word {
        b"1-0" => Some(GameResult::WhiteWins),
        b"0-1" => Some(GameResult::BlackWins),
        b"1/2-1/2" | b"1/2" | b"\xbd-\xbd" | b"\xc2\xbd-\xc2\xbd" => Some(GameResult::Draw),
        b"*" => Some(GameResult::Unknown),
        _ => None,
    }
}

/// The glyph of a suffix, of a symbol such as `+/-` or of an abbreviation such as `N`.
pub(super) fn sign(text: &[u8]) -> Option<Nag> {
    Nag::from_sign(std::str::from_utf8(text).ok()?)
}

pub(super) fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)
}

pub(super) fn is_blank(byte: u8) -> bool {
    is_space(byte) || is_line_end(byte)
}

pub(super) fn begins_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte >= 0x80
}

pub(super) fn continues_word(byte: u8) -> bool {
    begins_word(byte) || byte.is_ascii_digit() || b"+#=-/:@_'".contains(&byte)
}

pub(super) fn is_symbol(byte: u8) -> bool {
    b"+-=/~<>_".contains(&byte)
}

pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'"' | b'[' | b']')
}

pub(super) fn is_tag_name(name: &[u8]) -> bool {
    name.first().is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.len() <= LONGEST_NAME
}
