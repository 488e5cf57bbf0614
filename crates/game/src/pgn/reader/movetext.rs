//! Tokenizes movetext, where nearly all of the time is spent.

use std::io;

use super::super::class::{
    CLASS, Class, begins_word, continues_word, is_blank, is_symbol, suffix_nag, symbol_nag,
};
use super::super::nag::Nag;
use super::super::scan;
use super::super::source::{LOOK_BACK, Lines, Place};
use super::super::text::Text;
use super::super::visitor::{CommentStyle, Problem, Visitor};
use super::super::word::Word;
use super::{Reader, Scan, comment, is_escape};
use crate::result::GameResult;

impl<R: io::Read> Reader<R> {
    pub(super) fn scan_moves<V: Visitor>(&mut self, visitor: &mut V) -> Scan {
        let at_eof = self.source.at_eof;
        let is_full = self.source.is_cut(0);
        let cut = |start: usize| at_eof || (is_full && start <= LOOK_BACK);
        let mut pos = self.source.pos;
        let (buffer, lines) = self.source.split();
        let scan = loop {
            while buffer.get(pos).copied().is_some_and(is_blank) {
                pos += 1;
            }
            let Some(&byte) = buffer.get(pos) else {
                break if at_eof { Scan::EndOfGame } else { Scan::More };
            };
            if begins_word(byte) {
                let end = word_end(buffer, pos + 1);
                if end + 3 > buffer.len() && !cut(pos) {
                    break Scan::More;
                }
                match word(buffer, lines, pos, end, visitor) {
                    Read::Word(end) => pos = end,
                    Read::Result(result, end) => {
                        let place = Place { lines, buffer, at: pos };
                        pos = end;
                        if self.depth == 0 {
                            visitor.result(result, place);
                            break Scan::EndOfGame;
                        }
                    }
                }
                if end == buffer.len() && !at_eof {
                    visitor.problem(Problem::LongToken, Place { lines, buffer, at: pos });
                }
                continue;
            }
            if byte.is_ascii_digit() {
                let mut end = pos + 1;
                while end < buffer.len() && buffer[end].is_ascii_digit() {
                    end += 1;
                }
                match buffer.get(end) {
                    None if !cut(pos) => break Scan::More,
                    Some(b'.') => pos = end + 1,
                    Some(b'-' | b'/') => {
                        end = word_end(buffer, end);
                        if end == buffer.len() && !cut(pos) {
                            break Scan::More;
                        }
                        let word = &buffer[pos..end];
                        match GameResult::from_token(word) {
                            Some(result) if self.depth == 0 => {
                                visitor.result(result, Place { lines, buffer, at: pos });
                                pos = end;
                                break Scan::EndOfGame;
                            }
                            Some(_) => {}
                            None => visitor.san(Word::new(word), Place { lines, buffer, at: pos }),
                        }
                        pos = end;
                    }
                    _ => pos = end,
                }
                continue;
            }
            match CLASS[usize::from(byte)] {
                Class::Blank | Class::Dot | Class::Word | Class::Digit => pos += 1,
                Class::OpenBrace => {
                    let is_cut = cut(pos);
                    match comment(buffer, lines, &mut self.in_comment, pos, is_cut, at_eof, visitor)
                    {
                        Some(after) if after.unclosed => {
                            pos = after.end;
                            break Scan::EndOfGame;
                        }
                        Some(after) => pos = after.end,
                        None => break Scan::More,
                    }
                }
                Class::OpenVariation => {
                    self.depth += 1;
                    let _ = visitor.begin_variation(Place { lines, buffer, at: pos });
                    pos += 1;
                }
                Class::CloseVariation => {
                    if self.depth == 0 {
                        let place = Place { lines, buffer, at: pos };
                        visitor.problem(Problem::StrayParenthesis, place);
                    } else {
                        self.depth -= 1;
                        visitor.end_variation();
                    }
                    pos += 1;
                }
                Class::Nag => {
                    let mut end = pos + 1;
                    let mut nag = 0u32;
                    while let Some(digit) = buffer.get(end).filter(|byte| byte.is_ascii_digit()) {
                        nag = nag.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
                        end += 1;
                    }
                    if end == buffer.len() && !cut(pos) {
                        break Scan::More;
                    }
                    if end == pos + 1 {
                        stray(buffer, lines, pos, visitor);
                    } else {
                        visitor.nag(Nag::new(nag), Place { lines, buffer, at: pos });
                    }
                    pos = end;
                }
                Class::Suffix => {
                    let run = buffer[pos..].iter().take_while(|byte| matches!(byte, b'!' | b'?'));
                    let end = pos + run.count();
                    if end == buffer.len() && !cut(pos) {
                        break Scan::More;
                    }
                    visitor.nag(suffix_nag(&buffer[pos..end]), Place { lines, buffer, at: pos });
                    pos = end;
                }
                Class::Semicolon => {
                    let Some(end) = scan::line_end(buffer, pos, cut(pos)) else {
                        break Scan::More;
                    };
                    visitor.comment(
                        Text::plain(&buffer[pos + 1..end]),
                        CommentStyle::Line,
                        Place { lines, buffer, at: pos },
                    );
                    pos = end;
                }
                Class::Percent if is_escape(buffer, pos) => {
                    let Some(end) = scan::line_end(buffer, pos, cut(pos)) else {
                        break Scan::More;
                    };
                    let text = Text::plain(&buffer[pos + 1..end]);
                    visitor.escape(text, Place { lines, buffer, at: pos });
                    pos = end;
                }
                Class::Star => {
                    pos += 1;
                    if self.depth == 0 {
                        visitor.result(GameResult::Unknown, Place { lines, buffer, at: pos - 1 });
                        break Scan::EndOfGame;
                    }
                }
                Class::OpenBracket => {
                    match scan::tag_opening(buffer, pos, true, cut(pos)) {
                        None => break Scan::More,
                        Some(Some(_)) if scan::begins_line(buffer, pos) => break Scan::EndOfGame,
                        Some(_) => stray(buffer, lines, pos, visitor),
                    }
                    pos += 1;
                }
                Class::Symbol => {
                    let run = buffer[pos..].iter().take_while(|&&byte| is_symbol(byte));
                    let end = pos + run.count();
                    if end == buffer.len() && !cut(pos) {
                        break Scan::More;
                    }
                    let symbol = &buffer[pos..end];
                    if symbol.starts_with(b"--") {
                        visitor.san(Word::new(b"--"), Place { lines, buffer, at: pos });
                    } else if let Some(nag) = symbol_nag(symbol) {
                        visitor.nag(nag, Place { lines, buffer, at: pos });
                    } else {
                        stray(buffer, lines, pos, visitor);
                    }
                    pos = end;
                }
                Class::Percent | Class::Stray => {
                    stray(buffer, lines, pos, visitor);
                    pos += 1;
                }
            }
        };
        self.source.pos = pos;
        scan
    }
}

fn stray<V: Visitor>(buffer: &[u8], lines: &mut Lines, at: usize, visitor: &mut V) {
    visitor.problem(Problem::StrayCharacter, Place { lines, buffer, at });
}

fn word_end(buffer: &[u8], from: usize) -> usize {
    let mut end = from;
    while end < buffer.len() && continues_word(buffer[end]) {
        end += 1;
    }
    end
}

enum Read {
    /// Where the next token may begin.
    Word(usize),
    Result(GameResult, usize),
}

/// Reports the word `buffer[start..end]`, and up to three more bytes that may belong to it.
fn word<V: Visitor>(
    buffer: &[u8],
    lines: &mut Lines,
    start: usize,
    end: usize,
    visitor: &mut V,
) -> Read {
    let mut end = end;
    let text = &buffer[start..end];
    let last = text[text.len() - 1];
    if text[0] >= 0x80 {
        // Skip an ellipsis character, a no-break space or a byte order mark.
        let skip = match text {
            [0xe2, 0x80, 0xa6, ..] | [0xef, 0xbb, 0xbf, ..] => 3,
            [0xc2, 0xa0, ..] => 2,
            [0x85 | 0xa0, ..] => 1,
            _ => 0,
        };
        if skip > 0 {
            return Read::Word(start + skip);
        }
        if let Some(result) = GameResult::from_token(text) {
            return Read::Result(result, end);
        }
    }
    if text.len() <= 3
        && !last.is_ascii_digit()
        && let Some(nag) = symbol_nag(text)
    {
        visitor.nag(nag, Place { lines, buffer, at: start });
        return Read::Word(end);
    }
    let mut san_end = end;
    match buffer.get(end..end + 3) {
        // e8(Q)
        Some([b'(', b'Q' | b'R' | b'B' | b'N', b')']) if matches!(last, b'1' | b'8') => {
            end = word_end(buffer, end + 3);
            san_end = end;
        }
        // exd6e.p. or exd6 e.p.
        Some(b".p.") if last == b'e' => {
            end += 3;
            san_end -= 1;
        }
        _ => {}
    }
    if san_end > start {
        visitor.san(Word::new(&buffer[start..san_end]), Place { lines, buffer, at: start });
    }
    Read::Word(end)
}
