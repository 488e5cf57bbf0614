//! The kinds of bytes, words and lines.

use halfmove_game::GameResult;
use halfmove_game::pgn::{Nag, Text};
use halfmove_rules::San;

const LONGEST_NAME: usize = 100;

/// Returns true if a line between games is movetext: a move number with a dot and a move, or two words that look like
/// moves, results or annotations.
pub(super) fn begins_movetext(line: &[u8]) -> bool {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let dots = line[digits..].iter().take_while(|&&byte| byte == b'.').count();
    let after_dots = after_spaces(line, digits + dots);
    if digits > 0 && dots > 0 {
        return looks_like_move(&line[after_dots..after_word(line, after_dots)]);
    }
    let start = match after_spaces(line, digits) {
        _ if dots > 0 => after_dots,
        // Digits that belong to the word, such as `0-0`.
        end if end == digits => 0,
        // A number without a dot.
        end => end,
    };
    let end = after_word(line, start);
    let next = after_spaces(line, end);
    let second = &line[next..after_word(line, next)];
    looks_like_move(&line[start..end])
        && match line.get(next) {
            None | Some(b'0'..=b'9' | b'{' | b'(' | b';' | b'$' | b'*' | b'!' | b'?') => true,
            Some(_) => looks_like_move(second) || result_of(second).is_some(),
        }
}

/// The first offset from which `matches` returns 0; otherwise it returns the number of bytes to pass over.
fn pass(line: &[u8], from: usize, matches: impl Fn(usize) -> usize) -> usize {
    let mut at = from;
    while at < line.len() && matches(at) > 0 {
        at += matches(at);
    }
    at
}

fn after_spaces(line: &[u8], from: usize) -> usize {
    pass(line, from, |at| usize::from(is_space(line[at])).max(wide_at(line, at)))
}

fn after_word(line: &[u8], from: usize) -> usize {
    pass(line, from, |at| usize::from(continues_word(line[at]) && wide_at(line, at) == 0))
}

/// The length of the white space beyond ASCII at `at`, 0 if there is none.
pub(super) fn wide_at(text: &[u8], at: usize) -> usize {
    // In Windows-1252; in UTF-8 it continues a character.
    if text[at] == 0xa0 && (at == 0 || text[at - 1].is_ascii()) {
        return 1;
    }
    let is_wide = |length: &usize| {
        let part = text.get(at..at + length).and_then(|part| std::str::from_utf8(part).ok());
        let mut chars = part.unwrap_or_default().chars();
        chars.next().is_some_and(is_wide_blank) && chars.next().is_none()
    };
    [2, 3].into_iter().find(is_wide).unwrap_or(0)
}

/// White space beyond ASCII, and characters that are not seen at all.
fn is_wide_blank(char: char) -> bool {
    char.is_whitespace() && char > '\u{85}'
        || matches!(char, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
        || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
}

fn looks_like_move(word: &[u8]) -> bool {
    if !word.is_ascii() && !word.starts_with(b"O-O") && !word.starts_with(b"0-0") {
        let text = Text::plain(word).to_str();
        let is_mark = |char: char| {
            "+-/=#".contains(char)
                || !char.is_ascii() && !char.is_alphanumeric() && !('♔'..='♟').contains(&char)
        };
        let moved = text.trim_end_matches(is_mark);
        return word.len() <= 40 && San::parse(moved.as_bytes()).is_ok();
    }
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

/// The spellings of a win, a loss and half a point.
const POINTS: [&[&[u8]]; 3] =
    [&[b"1"], &[b"0"], &[b"1/2", b"0.5", b"0,5", "½".as_bytes(), b"\xbd"]];

/// The signs that may stand between the points of both sides.
const BETWEEN: [&str; 9] = ["-", ":", "‐", "‑", "‒", "–", "—", "―", "−"];

/// The results other than `*` with which a text begins, in any spelling, and their lengths.
fn results(text: &[u8]) -> Vec<(usize, GameResult)> {
    let outcomes =
        [(0, 1, GameResult::WhiteWins), (1, 0, GameResult::BlackWins), (2, 2, GameResult::Draw)];
    let mut between: Vec<&[u8]> = BETWEEN.map(str::as_bytes).to_vec();
    between.extend([&b"\x96"[..], b"\x97"]);
    let alone = [&b"1/2"[..], "½".as_bytes(), b"\xbd"].into_iter();
    let mut found: Vec<_> = alone
        .filter(|half| text.starts_with(half))
        .map(|half| (half.len(), GameResult::Draw))
        .collect();
    // One space, of any width.
    let after_space = |at: usize| match text.get(at) {
        Some(b' ') => at + 1,
        Some(0x80..) if text[at] != 0xa0 => at + wide_at(text, at),
        _ => at,
    };
    for (white, black, result) in outcomes {
        for white in POINTS[white].iter().filter(|white| text.starts_with(white)) {
            let sign = after_space(white.len());
            for sign_of in between.iter().filter(|sign_of| text[sign..].starts_with(sign_of)) {
                let second = after_space(sign + sign_of.len());
                for black in POINTS[black] {
                    if text[second..].starts_with(black) {
                        found.push((second + black.len(), result));
                    }
                }
            }
        }
    }
    // The longest first.
    found.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
    found
}

pub(super) fn result_of(word: &[u8]) -> Option<GameResult> {
    let known = results(word).into_iter().find(|(length, _)| *length == word.len());
    known.map(|(_, result)| result).or((word == b"*").then_some(GameResult::Unknown))
}

/// The result at the beginning of a text, and its length. It may be followed by a dot or a comma, but not by a letter or
/// a digit.
pub(super) fn result_at(text: &[u8]) -> Option<(GameResult, usize)> {
    if !text.first().is_some_and(|byte| matches!(byte, b'0' | b'1' | 0xc2 | 0xbd)) {
        return None;
    }
    let fits = |length: usize| {
        let next = text.get(length).copied();
        !next.is_some_and(continues_word) || wide_at(&text[length..], 0) > 0
    };
    let (length, result) = results(text).into_iter().find(|(length, _)| fits(*length))?;
    Some((result, length + usize::from(has_stop(&text[length..]))))
}

/// Returns true for a dot or a comma at the end of a text or a variation.
pub(super) fn has_stop(text: &[u8]) -> bool {
    let ends = |next: u8| is_blank(next) || next == b')' || wide_at(text, 1) > 0;
    matches!(text.first(), Some(b'.' | b',')) && text.get(1).copied().is_none_or(ends)
}

/// Returns true for a dash beyond ASCII.
pub(super) fn begins_with_dash(text: &[u8]) -> bool {
    BETWEEN[2..].iter().any(|dash| text.starts_with(dash.as_bytes()))
        || matches!(text.first(), Some(0x96 | 0x97))
}

/// Returns true if a word has neither letters nor digits.
pub(super) fn is_signs(word: &[u8]) -> bool {
    Text::plain(word).to_str().chars().all(|char| !char.is_alphanumeric())
}

/// Returns true for two dashes or minus signs.
pub(super) fn is_two_dashes(word: &[u8]) -> bool {
    let text = Text::plain(word).to_str();
    let text: Vec<char> =
        text.chars().filter(|char| !matches!(char, '\u{fe0e}' | '\u{fe0f}')).collect();
    text.len() == 2
        && text.iter().all(|char| BETWEEN.contains(&char.to_string().as_str()) && *char != ':')
}

/// The glyph of a suffix, of a symbol such as `+/-` or of an abbreviation such as `N`.
pub(super) fn sign(text: &[u8]) -> Option<Nag> {
    Nag::from_sign(&Text::plain(text).to_str())
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
