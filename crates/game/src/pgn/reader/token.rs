//! Reading a token of movetext byte by byte: for rare tokens, and near the end of the buffer.

use super::super::class::{
    CLASS, Class, begins_word, blank_before, continues_word, is_blank, is_symbol, suffix_nag,
    symbol_nag, wide_blank_at,
};
use super::super::nag::{Nag, Sign, sign_of};
use super::super::scan::{self, word_end};
use super::super::source::{Before, LOOK_BACK, Lines, Place};
use super::super::text::Text;
use super::super::visitor::{CommentStyle, Problem, Visitor};
use super::super::word::Word;
use super::comment::{comment, line_comment};
use super::is_escape;
use crate::result::GameResult;

/// A view of the buffered input.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) buffer: &'a [u8],
    pub(super) at_eof: bool,
    /// True if the buffer cannot grow.
    pub(super) is_full: bool,
    pub(super) before: Before,
}

impl View<'_> {
    /// Returns true if no more bytes will follow for a token that begins here.
    pub(super) fn is_cut(&self, start: usize) -> bool {
        self.at_eof || (self.is_full && start <= LOOK_BACK)
    }
}

/// The effect of a token on the structure of the game.
pub(super) enum Token {
    /// It needs more bytes.
    More,
    /// No effect; the next token may begin here.
    Next(usize),
    Open {
        at: usize,
    },
    Close {
        at: usize,
    },
    Result {
        result: GameResult,
        at: usize,
        end: usize,
    },
    /// The end of the game here, without a result.
    End(usize),
}

/// Reads the token at `pos`, or white space, and reports it unless the caller has to handle it.
pub(super) fn token<V: Visitor>(
    view: View<'_>,
    lines: &mut Lines,
    pos: usize,
    in_comment: &mut bool,
    visitor: &mut V,
) -> Token {
    let View { buffer, at_eof, .. } = view;
    let mut pos = pos;
    while buffer.get(pos).copied().is_some_and(is_blank) {
        pos += 1;
    }
    let Some(&byte) = buffer.get(pos) else {
        return Token::Next(pos);
    };
    if shows_result(byte) || byte == b'5' {
        if buffer.len() - pos < LONGEST_RESULT && !view.is_cut(pos) {
            return Token::More;
        }
        let blank = wide_blank_at(buffer, pos);
        if blank > 0 {
            return Token::Next(pos + blank);
        }
        if let Some((result, at, end)) = result_around(buffer, pos) {
            return Token::Result { result, at, end };
        }
    }
    if begins_word(byte) {
        return word(view, lines, pos, visitor);
    }
    if byte.is_ascii_digit() {
        return number(view, lines, pos, visitor);
    }
    let run = |belongs: fn(u8) -> bool| {
        pos + 1 + buffer[pos + 1..].iter().take_while(|&&byte| belongs(byte)).count()
    };
    let end = match CLASS[usize::from(byte)] {
        Class::Blank | Class::Dot | Class::Word | Class::Digit => pos + 1,
        Class::OpenVariation => return Token::Open { at: pos },
        Class::CloseVariation => return Token::Close { at: pos },
        Class::OpenBrace => {
            let is_cut = view.is_cut(pos);
            match comment::<V, false>(buffer, lines, in_comment, pos, is_cut, at_eof, visitor) {
                Some(after) if after.unclosed => return Token::End(after.end),
                Some(after) => after.end,
                None => return Token::More,
            }
        }
        Class::Nag => {
            let end = run(|byte| byte.is_ascii_digit());
            if end == buffer.len() && !view.is_cut(pos) {
                return Token::More;
            }
            if end == pos + 1 {
                stray(buffer, lines, pos, visitor);
            } else {
                let digits = buffer[pos + 1..end].iter();
                let number = digits.fold(0_u32, |number, digit| {
                    number.saturating_mul(10).saturating_add(u32::from(digit - b'0'))
                });
                visitor.nag(Nag::new(number), Place { lines, buffer, at: pos });
            }
            end
        }
        Class::Suffix => {
            let end = run(|byte| matches!(byte, b'!' | b'?'));
            if end == buffer.len() && !view.is_cut(pos) {
                return Token::More;
            }
            visitor.nag(suffix_nag(&buffer[pos..end]), Place { lines, buffer, at: pos });
            end
        }
        Class::Semicolon => {
            let Some(end) = scan::line_end(buffer, pos, view.is_cut(pos)) else {
                return Token::More;
            };
            line_comment(buffer, lines, pos..end, visitor);
            end
        }
        Class::Percent if is_escape(buffer, pos) => {
            let Some(end) = scan::line_end(buffer, pos, view.is_cut(pos)) else {
                return Token::More;
            };
            let text = Text::plain(&buffer[pos + 1..end]);
            visitor.escape(text, Place { lines, buffer, at: pos });
            end
        }
        Class::Star => {
            if buffer.len() - pos < LONGEST_RESULT && !view.is_cut(pos) {
                return Token::More;
            }
            let end = pos + 1 + usize::from(has_stop(&buffer[pos + 1..]));
            return Token::Result { result: GameResult::Unknown, at: pos, end };
        }
        Class::OpenBracket => {
            match scan::tag_opening(buffer, pos, true, view.is_cut(pos)) {
                None => return Token::More,
                Some(Some(_)) if scan::begins_line(buffer, pos, view.before) => {
                    return Token::End(pos);
                }
                Some(_) => stray(buffer, lines, pos, visitor),
            }
            pos + 1
        }
        Class::Symbol => {
            let end = run(is_symbol);
            // A typographic sign may continue: `+−`, `=∞`.
            let high = buffer.get(end).is_some_and(|byte| *byte >= 0x80);
            let needed = end + if high { LONGEST_RESULT } else { 1 };
            if buffer.len() < needed && !view.is_cut(pos) {
                return Token::More;
            }
            // Signs are not longer; the word may be.
            let whole = word_end(&buffer[..buffer.len().min(needed)], end);
            if high && let Some(nag) = symbol_nag(&buffer[pos..whole]) {
                visitor.nag(nag, Place { lines, buffer, at: pos });
                return Token::Next(whole);
            }
            let symbol = &buffer[pos..end];
            let place = Place { lines, buffer, at: pos };
            if symbol.starts_with(b"--") {
                visitor.san(Word::new(b"--"), place);
            } else if symbol == b"<>" {
                visitor.san(Word::new(b"<>"), place);
            } else if let Some(nag) = symbol_nag(symbol) {
                visitor.nag(nag, place);
            } else {
                visitor.problem(Problem::StrayCharacter, place);
            }
            end
        }
        Class::Stray if byte == b'@' && (pos == 0 || buffer[pos - 1] != b'@') => {
            // The next byte decides if it ends there.
            match buffer.get(pos..pos + 5) {
                None if !view.is_cut(pos) => return Token::More,
                _ if !is_null(buffer, pos) => {
                    stray(buffer, lines, pos, visitor);
                    pos + 1
                }
                _ => {
                    visitor.san(Word::new(b"@@@@"), Place { lines, buffer, at: pos });
                    pos + 4
                }
            }
        }
        Class::Percent | Class::Stray => {
            stray(buffer, lines, pos, visitor);
            pos + 1
        }
    };
    Token::Next(end)
}

/// Returns true if `@@@@` is at `at`, and the word ends after it.
fn is_null(buffer: &[u8], at: usize) -> bool {
    buffer[at..].starts_with(b"@@@@") && !goes_on(&buffer[at + 4..])
}

fn stray<V: Visitor>(buffer: &[u8], lines: &mut Lines, at: usize, visitor: &mut V) {
    visitor.problem(Problem::StrayCharacter, Place { lines, buffer, at });
}

/// Returns true if a word before this text continues in it.
fn goes_on(text: &[u8]) -> bool {
    text.first().is_some_and(|byte| continues_word(*byte)) && wide_blank_at(text, 0) == 0
}

/// The null move of UCI.
const NULL: &[u8] = b"0000";

/// The length of the longest result, with the dot and the character after it.
pub(super) const LONGEST_RESULT: usize = 20;

/// The result at `at`, other than `*`, with its end, where no word may continue. A dot or a comma at the end of the text
/// belongs to it.
fn result_at(buffer: &[u8], at: usize) -> Option<(GameResult, usize)> {
    let ends = |rest: &[u8]| !goes_on(rest);
    let text = &buffer[at..buffer.len().min(at + LONGEST_RESULT)];
    let (result, length) = GameResult::at_start(text, ends)?;
    Some((result, at + length + usize::from(has_stop(&text[length..]))))
}

/// Returns true if the text after a result begins with a dot or a comma that ends a text or a variation.
fn has_stop(text: &[u8]) -> bool {
    match text {
        [b'.' | b','] => true,
        [b'.' | b',', rest @ ..] => {
            is_blank(rest[0]) || rest[0] == b')' || wide_blank_at(rest, 0) > 0
        }
        _ => false,
    }
}

/// Returns true if a token at `at` stands apart from the one before it.
fn is_apart(buffer: &[u8], at: usize) -> bool {
    match buffer[..at].last() {
        None => true,
        Some(b'.' | b'(' | b'}' | b'!' | b'?') => true,
        Some(_) => blank_before(buffer, at) > 0,
    }
}

/// The result of which a part was found at `at`: its separator after a space, or the text after `0.`. Returns its
/// offset and its end. Its beginning looks like a move number.
fn result_around(buffer: &[u8], at: usize) -> Option<(GameResult, usize, usize)> {
    let space = match buffer[..at] {
        [.., b' ' | 0x80..=0xff] => blank_before(buffer, at),
        _ => 0,
    };
    let half = number_before(buffer, at - space);
    let is_decimal = half >= 2 && &buffer[half - 2..half] == b"0.";
    let start = if is_decimal { half - 2 } else { half };
    if !is_decimal && (space == 0 || half + space == at) {
        return None;
    }
    let (result, end) = result_at(buffer, start)?;
    (end > at && is_apart(buffer, start)).then_some((result, start, end))
}

/// The offset of the number that ends at `end`, or `end`.
fn number_before(buffer: &[u8], end: usize) -> usize {
    end - buffer[..end].iter().rev().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Returns true if a result may be detected at this byte, after its first number.
fn shows_result(byte: u8) -> bool {
    matches!(byte, b'-' | b'/' | b':' | b',' | 0x80..)
}

/// The offset of the token that was detected at `at`, in a window that begins at `from`. A result is detected after its
/// first number, or between its halves: `1-0`, `0.5-0.5`, `1 - 0`.
pub(super) fn token_start(buffer: &[u8], from: usize, at: usize) -> usize {
    if !shows_result(buffer[at]) {
        return at;
    }
    match result_around(buffer, at) {
        Some((_, start, _)) => start,
        None => number_before(buffer, at).max(from),
    }
}

/// Reads a move number, a result, castling with zeros, or the null move `0000`.
fn number<V: Visitor>(view: View<'_>, lines: &mut Lines, pos: usize, visitor: &mut V) -> Token {
    let buffer = view.buffer;
    let digits = buffer[pos..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let end = pos + digits;
    let number = &buffer[pos..end];
    if matches!(number, b"0" | b"1") {
        if buffer.len() - pos < LONGEST_RESULT && !view.is_cut(pos) {
            return Token::More;
        }
        let is_glued = matches!(buffer.get(end), Some(b'-' | b'/' | b':' | 0x80..));
        if (is_glued || is_apart(buffer, pos))
            && let Some((result, end)) = result_at(buffer, pos)
        {
            return Token::Result { result, at: pos, end };
        }
    }
    match buffer.get(end) {
        None if !view.is_cut(pos) => return Token::More,
        Some(b'.') => return Token::Next(end + 1),
        Some(b'-' | b'/') => {}
        Some(0x80..) if is_dash(&buffer[end..]) => {}
        next => {
            let is_castling = matches!(number, b"00" | b"000") && is_apart(buffer, pos);
            return match next {
                Some(b'+' | b'#') if is_castling => word_from(view, lines, pos, end, visitor),
                Some(_) if goes_on(&buffer[end..]) => Token::Next(end),
                _ if number == NULL || is_castling => {
                    visitor.san(Word::new(number), Place { lines, buffer, at: pos });
                    Token::Next(end)
                }
                _ => Token::Next(end),
            };
        }
    }
    word_from(view, lines, pos, end, visitor)
}

/// Returns true if a text begins with a dash beyond ASCII.
fn is_dash(text: &[u8]) -> bool {
    matches!(text, [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..] | [0x96 | 0x97, ..])
}

/// Reads a word that begins with the number before `end`.
fn word_from<V: Visitor>(
    view: View<'_>,
    lines: &mut Lines,
    pos: usize,
    end: usize,
    visitor: &mut V,
) -> Token {
    let buffer = view.buffer;
    let end = word_end(buffer, end);
    if end == buffer.len() && !view.is_cut(pos) {
        return Token::More;
    }
    visitor.san(Word::new(&buffer[pos..end]), Place { lines, buffer, at: pos });
    Token::Next(end)
}

/// Reads a word that does not begin with a digit, and up to three more bytes that may belong to it.
fn word<V: Visitor>(view: View<'_>, lines: &mut Lines, start: usize, visitor: &mut V) -> Token {
    let buffer = view.buffer;
    if buffer[start] >= 0x80 {
        if buffer.len() - start < LONGEST_RESULT && !view.is_cut(start) {
            return Token::More;
        }
        // Ellipsis characters are skipped before searching for the end of the word, because a million of them look like
        // one word; so are no-break spaces of Windows-1252.
        let skip = match buffer[start..] {
            [0xe2, 0x80, 0xa6, ..] => 3,
            [0x85 | 0xa0, ..] => 1,
            _ => 0,
        };
        if skip > 0 {
            return Token::Next(start + skip);
        }
        if let Some((result, end)) = result_at(buffer, start) {
            return Token::Result { result, at: start, end };
        }
    }
    let mut end = word_end(buffer, start + 1);
    if end + 3 > buffer.len() && !view.is_cut(start) {
        return Token::More;
    }
    let text = &buffer[start..end];
    let last = text[text.len() - 1];
    let is_long = end == buffer.len() && !view.at_eof;
    if text[0] >= 0x80
        && let Some(sign) = sign_of(text)
    {
        let place = Place { lines: &mut *lines, buffer, at: start };
        match sign {
            Sign::Nag(nag) => visitor.nag(nag, place),
            Sign::Null => visitor.san(Word::new(b"--"), place),
            Sign::Unknown if V::COMMENTS => {
                visitor.comment(Text::plain(text), CommentStyle::Braces, place);
            }
            Sign::Unknown => {}
        }
        if is_long {
            visitor.problem(Problem::LongToken, Place { lines, buffer, at: end });
        }
        return Token::Next(end);
    }
    if text.len() <= 3
        && let Some(nag) = symbol_nag(text)
    {
        visitor.nag(nag, Place { lines, buffer, at: start });
        return Token::Next(end);
    }
    let mut san_end = end;
    match buffer.get(end..end + 3) {
        // e8(Q)
        Some([b'(', b'Q' | b'R' | b'B' | b'N', b')']) if matches!(last, b'1' | b'8') => {
            end = word_end(buffer, end + 3);
            if end == buffer.len() && !view.is_cut(start) {
                return Token::More;
            }
            san_end = end;
        }
        // exd6e.p. or exd6 e.p.
        Some(b".p.") if matches!(text, [b'e'] | [.., b'0'..=b'9', b'e']) => {
            end += 3;
            san_end -= 1;
        }
        _ => {}
    }
    if san_end > start {
        let san = Word::new(&buffer[start..san_end]);
        visitor.san(san, Place { lines, buffer, at: start });
    }
    if is_long {
        visitor.problem(Problem::LongToken, Place { lines, buffer, at: end });
    }
    Token::Next(end)
}
