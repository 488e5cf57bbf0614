//! The kinds of bytes, words and lines.

use std::sync::LazyLock;

use halfmove_game::GameResult;
use halfmove_game::pgn::{Nag, Text};
use halfmove_rules::San;

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

/// Every spelling of a result but `*`, with both results and every separator.
static RESULTS: LazyLock<Vec<(Vec<u8>, GameResult)>> = LazyLock::new(|| {
    let outcomes =
        [(0, 1, GameResult::WhiteWins), (1, 0, GameResult::BlackWins), (2, 2, GameResult::Draw)];
    let mut between: Vec<Vec<u8>> = BETWEEN.map(|text| text.as_bytes().to_vec()).to_vec();
    between.extend([vec![0x96], vec![0x97]]);
    let mut results = vec![
        (b"1/2".to_vec(), GameResult::Draw),
        ("½".as_bytes().to_vec(), GameResult::Draw),
        (b"\xbd".to_vec(), GameResult::Draw),
    ];
    for (white, black, result) in outcomes {
        for (white, black) in
            POINTS[white].iter().flat_map(|w| POINTS[black].iter().map(move |b| (w, b)))
        {
            for sign in &between {
                for (left, right) in [("", ""), (" ", ""), ("", " "), (" ", " ")] {
                    let text = [white, left.as_bytes(), sign, right.as_bytes(), black].concat();
                    results.push((text, result));
                }
            }
        }
    }
    // The longest first.
    results.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
    results
});

pub(super) fn result_of(word: &[u8]) -> Option<GameResult> {
    let known = RESULTS.iter().find(|(text, _)| text == word);
    known.map(|(_, result)| *result).or((word == b"*").then_some(GameResult::Unknown))
}

/// The result at the beginning of a text, and its length. It may be followed by a dot, but not by a letter or a
/// digit.
pub(super) fn result_at(text: &[u8]) -> Option<(GameResult, usize)> {
    if !text.first().is_some_and(|byte| matches!(byte, b'0' | b'1' | 0xc2 | 0xbd)) {
        return None;
    }
    let fits = |known: &[u8]| {
        text.starts_with(known) && !text.get(known.len()).copied().is_some_and(continues_word)
    };
    let (known, result) = RESULTS.iter().find(|(known, _)| fits(known))?;
    let length = known.len();
    let has_dot =
        text.get(length) == Some(&b'.') && text.get(length + 1).copied().is_none_or(is_blank);
    Some((*result, length + usize::from(has_dot)))
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
