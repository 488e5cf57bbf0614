//! Tokenizing movetext: the hot path.

use std::io::Read;

use halfmove_rules::bitboard::cpu::Cpu;

use super::super::source::Place;
use super::super::text::Text;
use super::super::visitor::{CommentStyle, Flow, Problem, Visitor};
use super::super::word::Word;
use super::token::{LONGEST_RESULT, Token, View, token, token_start};
use super::window::{Comments, WINDOW, Window};
use super::{Reader, Scan, Skipped, State};

/// The length of a window, plus the bytes that may be read after its last byte.
const AHEAD: usize = WINDOW + LONGEST_RESULT;

impl Reader<dyn Read + '_> {
    #[inline(always)]
    pub(super) fn scan_moves<C: Cpu, V: Visitor>(&mut self, cpu: C, visitor: &mut V) -> Scan {
        match self.skipped {
            None => self.read_moves(cpu, visitor),
            Some(depth) => self.skip_moves(cpu, depth, visitor),
        }
    }

    #[inline(always)]
    fn read_moves<C: Cpu, V: Visitor>(&mut self, cpu: C, visitor: &mut V) -> Scan {
        let mut pos = self.source.pos;
        let (at_eof, is_full) = (self.source.at_eof, self.source.is_full());
        let before = self.source.before;
        let (buffer, lines) = self.source.split();
        let view = View { buffer, at_eof, is_full, before };
        let scan = loop {
            'windows: while let Some(ahead) = buffer.get(pos..pos + AHEAD)
                && let Some(bytes) = ahead.first_chunk::<WINDOW>()
            {
                let window = Window::new(cpu, bytes);
                let mut end = window.end();
                if end == 0 {
                    // A word fills the window.
                    break;
                }
                let mut events = (window.moves | window.odd) & below(end);
                let mut comments = None;
                if !V::COMMENTS
                    && window.odd & below(end) != 0
                    && let Some(inside) = Comments::new(bytes).inside()
                {
                    end = end.min(inside.end);
                    events &= below(end) & !inside.bytes;
                }
                while events != 0 {
                    let bit = events.trailing_zeros() as usize;
                    events &= events - 1;
                    if window.moves >> bit & 1 != 0 {
                        let length = (!(window.words >> bit)).trailing_zeros() as usize;
                        if let Some(word) = usual_word(ahead, bit, length) {
                            visitor.san(word, Place { lines, buffer, at: pos + bit });
                            continue;
                        }
                    } else if ahead[bit] == b'{' {
                        let comments = comments.get_or_insert_with(|| Comments::new(bytes));
                        if let Some(length) = comments.length(bit) {
                            let after = bit + length;
                            if V::COMMENTS {
                                let text = Text::plain(&ahead[bit + 1..after - 1]);
                                let place = Place { lines, buffer, at: pos + bit };
                                visitor.comment(text, CommentStyle::Braces, place);
                            }
                            events &= !below(after);
                            end = end.max(after);
                            continue;
                        }
                        if bit > 0 {
                            // The next window will hold the whole token, unless it is long.
                            end = bit;
                            break;
                        }
                    }
                    pos = token_start(buffer, pos, pos + bit);
                    break 'windows;
                }
                pos += end;
            }
            if pos >= buffer.len() {
                break if at_eof { Scan::EndOfGame } else { Scan::More };
            }
            match token(view, lines, pos, &mut self.in_comment, visitor) {
                Token::Next(after) => {
                    pos = after;
                    if self.in_comment {
                        break Scan::More;
                    }
                }
                Token::Open { at } => {
                    pos = at + 1;
                    self.depth += 1;
                    if visitor.begin_variation(Place { lines, buffer, at }) == Flow::Skip {
                        self.skipped = Some(self.depth);
                        break Scan::Next(State::Moves);
                    }
                }
                Token::Close { at } => {
                    pos = at + 1;
                    if self.depth > 0 {
                        self.depth -= 1;
                        visitor.end_variation();
                    } else {
                        visitor.problem(Problem::StrayParenthesis, Place { lines, buffer, at });
                    }
                }
                Token::Result { result, at, end } => {
                    pos = end;
                    if self.depth == 0 {
                        visitor.result(result, Place { lines, buffer, at });
                        break Scan::Next(State::After);
                    }
                    visitor.variation_result(result, Place { lines, buffer, at });
                }
                Token::More => break Scan::More,
                Token::End(at) => {
                    pos = at;
                    break Scan::EndOfGame;
                }
            }
        };
        self.source.pos = pos;
        scan
    }

    /// Skips a variation of this depth, or a whole game if the depth is 0.
    #[inline(always)]
    fn skip_moves<C: Cpu, V: Visitor>(&mut self, cpu: C, depth: u64, visitor: &mut V) -> Scan {
        let mut pos = self.source.pos;
        let (at_eof, is_full) = (self.source.at_eof, self.source.is_full());
        let before = self.source.before;
        let (buffer, lines) = self.source.split();
        let view = View { buffer, at_eof, is_full, before };
        let scan = loop {
            'windows: while let Some(ahead) = buffer.get(pos..pos + AHEAD)
                && let Some(bytes) = ahead.first_chunk::<WINDOW>()
            {
                let window = Window::new(cpu, bytes);
                let mut end = window.end();
                if end == 0 {
                    break;
                }
                let mut events = window.odd & below(end);
                let mut comments = None;
                if events != 0
                    && let Some(inside) = Comments::new(bytes).inside()
                {
                    end = end.min(inside.end);
                    events &= below(end) & !inside.bytes;
                }
                while events != 0 {
                    let bit = events.trailing_zeros() as usize;
                    events &= events - 1;
                    match ahead[bit] {
                        b'{' if let Some(length) =
                            comments.get_or_insert_with(|| Comments::new(bytes)).length(bit) =>
                        {
                            events &= !below(bit + length);
                            end = end.max(bit + length);
                        }
                        b'{' if bit > 0 => {
                            end = bit;
                            break;
                        }
                        // e8(Q) is one word.
                        b'(' if bit > 0
                            && matches!(ahead[bit - 1], b'1' | b'8')
                            && let Some(start) = window.word_before(bit) =>
                        {
                            pos += start;
                            break 'windows;
                        }
                        b'(' => self.depth += 1,
                        b')' if self.depth > depth => self.depth -= 1,
                        b')' if depth == 0 => {}
                        b'!' | b'?' => {}
                        _ => {
                            pos = token_start(buffer, pos, pos + bit);
                            break 'windows;
                        }
                    }
                }
                pos += end;
            }
            if pos >= buffer.len() {
                break if at_eof { Scan::EndOfGame } else { Scan::More };
            }
            let mut skipped = Skipped { visitor: &mut *visitor, in_variation: depth > 0 };
            match token(view, lines, pos, &mut self.in_comment, &mut skipped) {
                Token::Next(after) => {
                    pos = after;
                    if self.in_comment {
                        break Scan::More;
                    }
                }
                Token::Open { at } => {
                    pos = at + 1;
                    self.depth += 1;
                }
                Token::Close { at } => {
                    pos = at + 1;
                    if self.depth > 0 {
                        self.depth -= 1;
                        if self.depth < depth {
                            self.skipped = None;
                            visitor.end_variation();
                            break Scan::Next(State::Moves);
                        }
                    }
                }
                Token::Result { result, at, end } => {
                    pos = end;
                    if self.depth == 0 {
                        visitor.result(result, Place { lines, buffer, at });
                        break Scan::Next(State::After);
                    }
                }
                Token::More => break Scan::More,
                Token::End(at) => {
                    pos = at;
                    break Scan::EndOfGame;
                }
            }
        };
        self.source.pos = pos;
        scan
    }
}

/// A mask of the lowest `bits` bits, 1 to 64.
#[inline(always)]
const fn below(bits: usize) -> u64 {
    u64::MAX >> ((WINDOW - bits) & 63)
}

/// The word at `bit`, if it is a common one: short, not a sign (`N`, `RR`, `inf`), and not followed by a suffix
/// (`e8(Q)`, `exd6e.p.`).
#[inline(always)]
fn usual_word(ahead: &[u8], bit: usize, length: usize) -> Option<Word<'_>> {
    let text = ahead.get(bit..)?;
    if length == 0 || length > 8 || text.len() <= 8 {
        return None;
    }
    let packed = u64::from_le_bytes(*text.first_chunk()?);
    let cut = 64 - 8 * length as u32;
    // Combined without branches: the piece is unpredictable.
    let last = (packed << cut >> 56) as u8;
    let is_sign = (length <= 3) & !last.is_ascii_digit() & SIGNS[usize::from(packed as u8)];
    // An opening parenthesis or a dot; the mask also matches two bytes that never follow a word.
    let goes_on = text[length] | 0b110 == b'.';
    if is_sign | goes_on {
        return None;
    }
    Some(Word::from_parts(&text[..length], packed << cut >> cut))
}

/// True if the sign of a glyph may begin with this byte: `N`, `RR`, `D`, `inf`.
const SIGNS: [bool; 256] = {
    let mut table = [false; 256];
    table[b'N' as usize] = true;
    table[b'R' as usize] = true;
    table[b'D' as usize] = true;
    table[b'i' as usize] = true;
    table
};
