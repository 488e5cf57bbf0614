//! A second tokenizer, byte by byte: the oracle of [`Reader`](halfmove_game::pgn::Reader).
//!
//! It holds the whole text in memory and examines one byte after another, so it needs no buffer, no masks and no second
//! pass. It shares no code with the reader, only the types that a [`Visitor`](halfmove_game::pgn::Visitor) receives. It
//! has no limits on the length of a token, on nesting or on the words of a game: tests of those have their own
//! expectations.

#[path = "slow_reader/event.rs"]
mod event;
#[path = "slow_reader/kinds.rs"]
mod kinds;

use std::ops::Range;

use halfmove_game::GameResult;
use halfmove_game::pgn::{CommentStyle, Nag, Problem};

pub(crate) use self::event::{At, Bytes, Event};
use self::kinds::{
    begins_movetext, begins_with_dash, begins_word, continues_word, has_stop, is_blank,
    is_line_end, is_name, is_signs, is_space, is_symbol, is_tag_name, is_two_dashes, result_at,
    sign, wide_at,
};

/// The number of bytes of a line that decide its kind, and in which a tag's opening must end.
const LOOK_AHEAD: usize = 128;
/// The maximum number of tag names of a game that are remembered.
const NAMES: usize = 64;

/// Reads a text game by game.
pub(crate) struct SlowReader<'a> {
    text: &'a [u8],
    pos: usize,
    line_starts: Vec<usize>,
    /// True for each byte of white space beyond ASCII.
    wide: Vec<bool>,
    events: Vec<Event<'a>>,
}

impl<'a> SlowReader<'a> {
    pub(crate) fn new(text: &'a [u8]) -> SlowReader<'a> {
        let mut line_starts = vec![0];
        for (at, &byte) in text.iter().enumerate() {
            if byte == b'\n' || byte == b'\r' && text.get(at + 1) != Some(&b'\n') {
                line_starts.push(at + 1);
            }
        }
        let mut wide = vec![false; text.len()];
        for at in 0..text.len() {
            wide[at..at + wide_at(text, at)].fill(true);
        }
        SlowReader { text, pos: 0, line_starts, wide, events: Vec::new() }
    }

    /// The events up to the end of the next game, and true if there was one.
    pub(crate) fn read_game(&mut self) -> (Vec<Event<'a>>, bool) {
        let is_game = match self.between() {
            Some(Begin::Tags) => {
                self.push_at(Event::BeginGame, self.pos);
                let goes_on = self.tags();
                self.events.push(Event::EndTags);
                if goes_on {
                    self.movetext();
                }
                true
            }
            Some(Begin::Movetext) => {
                self.push_at(Event::BeginGame, self.pos);
                self.events.push(Event::EndTags);
                self.movetext();
                true
            }
            None => false,
        };
        if is_game {
            self.events.push(Event::EndGame);
        }
        (std::mem::take(&mut self.events), is_game)
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }

    fn at(&self, offset: usize) -> At {
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let column = offset - self.line_starts[line - 1] + 1;
        At { offset: offset as u64, line: line as u64, column: column as u64 }
    }

    fn push_at(&mut self, event: impl FnOnce(At) -> Event<'a>, offset: usize) {
        self.events.push(event(self.at(offset)));
    }

    fn problem(&mut self, problem: Problem, offset: usize) {
        self.push_at(|at| Event::Problem(problem, at), offset);
    }

    /// The first offset at or after `from` whose byte does not match.
    fn skip(&self, from: usize, matches: impl Fn(u8) -> bool) -> usize {
        let mut at = from;
        while self.byte(at).is_some_and(&matches) {
            at += 1;
        }
        at
    }

    fn word_end(&self, from: usize) -> usize {
        let ends = |at: &usize| !continues_word(self.text[*at]) || self.wide[*at];
        (from..self.text.len()).find(ends).unwrap_or(self.text.len().max(from))
    }

    fn spaces_end(&self, from: usize) -> usize {
        let ends = |at: &usize| !is_space(self.text[*at]) && !self.wide[*at];
        (from..self.text.len()).find(ends).unwrap_or(self.text.len().max(from))
    }

    fn line_end(&self, from: usize) -> usize {
        self.skip(from, |byte| !is_line_end(byte))
    }

    /// Skips the text between two games, up to the first byte of the next.
    fn between(&mut self) -> Option<Begin> {
        loop {
            let byte = self.byte(self.pos)?;
            if is_blank(byte) || self.wide[self.pos] {
                self.pos += 1;
            } else if byte == b'{' {
                self.comment();
            } else if byte == b';' || self.is_escape() {
                self.rest_of_line();
            } else if byte == b'[' && self.tag_opening(self.pos, true).is_some() {
                return Some(Begin::Tags);
            } else {
                let end = self.line_end(self.pos).min(self.pos + LOOK_AHEAD);
                let line = &self.text[self.pos..end];
                if byte != b'[' && begins_movetext(line) {
                    return Some(Begin::Movetext);
                }
                self.push_at(|at| Event::Outside(line.into(), at), self.pos);
                self.pos = self.line_end(self.pos);
            }
        }
    }

    /// Reads tags. Returns false if the game ends with them.
    fn tags(&mut self) -> bool {
        let mut names: Vec<&[u8]> = Vec::new();
        loop {
            let Some(byte) = self.byte(self.pos) else { return false };
            let start = self.pos;
            if is_blank(byte) || self.wide[start] {
                self.pos += 1;
            } else if byte == b'{' {
                if !self.comment() {
                    return false;
                }
            } else if byte == b';' || self.is_escape() {
                self.rest_of_line();
            } else if byte != b'[' && self.tag_opening(start, false).is_none() {
                return true;
            } else {
                let tag = self.tag(start);
                let name = &self.text[tag.name];
                let apart = self.follows_blank_line(0, start);
                let is_new = match name {
                    _ if tag.value.is_none() => false,
                    b"Event" if apart => !names.is_empty(),
                    b"Event" => names.contains(&name) && self.next_repeats(tag.end, &names),
                    _ => apart && names.contains(&name),
                };
                if is_new {
                    return false;
                }
                if tag.malformed {
                    self.problem(Problem::MalformedTag, start);
                }
                if let Some(value) = tag.value {
                    if names.len() < NAMES {
                        names.push(name);
                    }
                    let value = &self.text[value];
                    self.push_at(|at| Event::Tag(name.into(), value.into(), at), start);
                }
                self.pos = tag.end;
            }
        }
    }

    /// Returns true if the next tag with a value follows without a comment, is not `Event` and repeats a name.
    fn next_repeats(&self, from: usize, names: &[&[u8]]) -> bool {
        let mut next = from;
        while self.byte(next).is_some_and(|byte| is_blank(byte) || self.wide[next]) {
            next += 1;
        }
        match self.byte(next) {
            None => false,
            Some(byte) if byte != b'[' && self.tag_opening(next, false).is_none() => false,
            Some(_) => {
                let tag = self.tag(next);
                let name = &self.text[tag.name];
                match tag.value {
                    Some(_) => name != b"Event" && names.contains(&name),
                    None => self.next_repeats(tag.end, names),
                }
            }
        }
    }

    /// Reads moves to the end of the game.
    fn movetext(&mut self) {
        let mut depth = 0_u64;
        while let Some(byte) = self.byte(self.pos) {
            let start = self.pos;
            match byte {
                _ if is_blank(byte) || self.wide[start] => self.pos += 1,
                b'.' => self.pos += 1,
                b'0'..=b'9' => match self.number() {
                    Some(result) if depth == 0 => return self.result(result, start),
                    Some(result) => {
                        self.push_at(|at| Event::VariationResult(result, at), start);
                    }
                    None => {}
                },
                b'@' if self.text[start..].starts_with(b"@@@@")
                    && (start == 0 || self.text[start - 1] != b'@')
                    && self.word_end(start + 4) == start + 4 =>
                {
                    self.push_at(|at| Event::San(b"@@@@".as_slice().into(), at), start);
                    self.pos += 4;
                }
                _ if begins_word(byte) => match self.word() {
                    Some(result) if depth == 0 => return self.result(result, start),
                    Some(result) => {
                        self.push_at(|at| Event::VariationResult(result, at), start);
                    }
                    None => {}
                },
                b'{' => {
                    if !self.comment() {
                        break;
                    }
                }
                b';' => self.rest_of_line(),
                b'%' if self.is_escape() => self.rest_of_line(),
                b'(' => {
                    depth += 1;
                    self.push_at(Event::BeginVariation, start);
                    self.pos += 1;
                }
                b')' if depth > 0 => {
                    depth -= 1;
                    self.events.push(Event::EndVariation);
                    self.pos += 1;
                }
                b')' => {
                    self.problem(Problem::StrayParenthesis, start);
                    self.pos += 1;
                }
                b'*' => {
                    self.pos += 1;
                    self.pos += usize::from(has_stop(&self.text[self.pos..]));
                    if depth == 0 {
                        return self.result(GameResult::Unknown, start);
                    }
                    self.push_at(|at| Event::VariationResult(GameResult::Unknown, at), start);
                }
                b'$' => {
                    self.pos = self.skip(start + 1, |byte| byte.is_ascii_digit());
                    let digits = &self.text[start + 1..self.pos];
                    if digits.is_empty() {
                        self.problem(Problem::StrayCharacter, start);
                    } else {
                        let number = digits.iter().fold(0, |number: u32, digit| {
                            number.saturating_mul(10).saturating_add(u32::from(digit - b'0'))
                        });
                        self.push_at(|at| Event::Nag(Nag::new(number), at), start);
                    }
                }
                b'!' | b'?' => {
                    self.pos = self.skip(start, |byte| matches!(byte, b'!' | b'?'));
                    let nag = sign(&self.text[start..self.pos.min(start + 2)]);
                    self.push_at(|at| Event::Nag(nag.expect("a suffix"), at), start);
                }
                b'[' if self.tag_opening(start, true).is_some() && self.begins_line(start) => break,
                _ if is_symbol(byte) => {
                    self.pos = self.skip(start, is_symbol);
                    let whole = self.word_end(self.pos);
                    if self.byte(self.pos).is_some_and(|byte| byte >= 0x80)
                        && let Some(nag) =
                            sign(&self.text[start..whole]).filter(|nag| !nag.is_suffix())
                    {
                        self.pos = whole;
                        self.push_at(|at| Event::Nag(nag, at), start);
                        continue;
                    }
                    let symbol = &self.text[start..self.pos];
                    if symbol.starts_with(b"--") {
                        self.push_at(|at| Event::San(b"--".as_slice().into(), at), start);
                    } else if symbol == b"<>" {
                        self.push_at(|at| Event::San(b"<>".as_slice().into(), at), start);
                    } else if let Some(nag) = sign(symbol) {
                        self.push_at(|at| Event::Nag(nag, at), start);
                    } else {
                        self.problem(Problem::StrayCharacter, start);
                    }
                }
                _ => {
                    self.problem(Problem::StrayCharacter, start);
                    self.pos += 1;
                }
            }
        }
        if depth > 0 {
            self.problem(Problem::UnclosedVariation, self.pos);
            self.events.extend((0..depth).map(|_| Event::EndVariation));
        }
    }

    /// Returns true if a token at `at` does not follow another one directly.
    fn is_apart(&self, at: usize) -> bool {
        at == 0
            || is_blank(self.text[at - 1])
            || self.wide[at - 1]
            || b".(}!?".contains(&self.text[at - 1])
    }

    /// Passes over a number, or reports a word that begins with one, unless it is a result.
    fn number(&mut self) -> Option<GameResult> {
        let start = self.pos;
        let end = self.skip(start, |byte| byte.is_ascii_digit());
        let digits = &self.text[start..end];
        let next = self.byte(end);
        let is_glued = next.is_some_and(|byte| b"-/:".contains(&byte) || byte >= 0x80);
        if digits.len() == 1
            && (is_glued || self.is_apart(start))
            && let Some((result, length)) = result_at(&self.text[start..])
        {
            self.pos = start + length;
            return Some(result);
        }
        let is_castling = matches!(digits, b"00" | b"000") && self.is_apart(start);
        let word_end = self.word_end(end);
        self.pos = match next {
            Some(b'.') => end + 1,
            Some(b'-' | b'/') => word_end,
            Some(b'+' | b'#') if is_castling => word_end,
            Some(_) if begins_with_dash(&self.text[end..]) => word_end,
            _ => end,
        };
        let is_word = self.pos > end && next != Some(b'.')
            || word_end == end && next != Some(b'.') && (digits == b"0000" || is_castling);
        if is_word {
            let word = &self.text[start..self.pos];
            self.push_at(|at| Event::San(word.into(), at), start);
        }
        None
    }

    /// Reports the word at the current position, unless it is a result.
    fn word(&mut self) -> Option<GameResult> {
        let start = self.pos;
        let skipped = match self.text[start..] {
            // An ellipsis; in Windows-1252 also a no-break space.
            [0xe2, 0x80, 0xa6, ..] => 3,
            [0x85 | 0xa0, ..] => 1,
            _ => 0,
        };
        if skipped > 0 {
            self.pos += skipped;
            return None;
        }
        let end = self.word_end(start);
        let word = &self.text[start..end];
        let last = word[word.len() - 1];
        self.pos = end;
        if word[0] >= 0x80 {
            if let Some((result, length)) = result_at(&self.text[start..]) {
                self.pos = start + length;
                return Some(result);
            }
            if let Some(nag) = sign(word) {
                self.push_at(|at| Event::Nag(nag, at), start);
                return None;
            }
            if is_two_dashes(word) {
                self.push_at(|at| Event::San(b"--".as_slice().into(), at), start);
                return None;
            }
            if is_signs(word) {
                self.push_at(|at| Event::Comment(word.into(), CommentStyle::Braces, at), start);
                return None;
            }
        }
        if word.len() <= 3
            && let Some(nag) = sign(word)
        {
            self.push_at(|at| Event::Nag(nag, at), start);
            return None;
        }
        let mut san = start..end;
        match self.text.get(end..end + 3) {
            Some([b'(', b'Q' | b'R' | b'B' | b'N', b')']) if matches!(last, b'1' | b'8') => {
                san.end = self.word_end(end + 3);
                self.pos = san.end;
            }
            Some(b".p.")
                if last == b'e' && (word.len() == 1 || word[word.len() - 2].is_ascii_digit()) =>
            {
                san.end -= 1;
                self.pos += 3;
            }
            _ => {}
        }
        if !san.is_empty() {
            let san = &self.text[san];
            self.push_at(|at| Event::San(san.into(), at), start);
        }
        None
    }

    /// Reports the result, and the comments after it: those before the next blank line belong to this game.
    fn result(&mut self, result: GameResult, start: usize) {
        self.push_at(|at| Event::Result(result, at), start);
        let mut line_ends = 0;
        while let Some(byte) = self.byte(self.pos) {
            match byte {
                b'{' => {
                    line_ends = 0;
                    if !self.comment() {
                        return;
                    }
                }
                b';' => {
                    line_ends = 0;
                    self.rest_of_line();
                }
                _ if is_blank(byte) => {
                    self.pos += 1;
                    let is_half = byte == b'\r' && self.byte(self.pos) == Some(b'\n');
                    line_ends += u32::from(is_line_end(byte) && !is_half);
                    if line_ends == 2 {
                        return;
                    }
                }
                _ if self.wide[self.pos] => self.pos += 1,
                _ => return,
            }
        }
    }

    /// Reports the comment in braces at the current position. Returns false if it is not closed.
    fn comment(&mut self) -> bool {
        let start = self.pos;
        let text = start + 1;
        let mut end = text;
        let is_closed = loop {
            match self.byte(end) {
                None => break false,
                Some(b'}') => break true,
                Some(b'[') if end > text && is_line_end(self.text[end - 1]) => {
                    if let Some(name) = self.tag_opening(end, true)
                        && (&self.text[name] == b"Event" || self.follows_blank_line(text, end))
                    {
                        break false;
                    }
                }
                Some(_) => {}
            }
            end += 1;
        };
        let bytes = &self.text[text..end];
        self.push_at(|at| Event::Comment(bytes.into(), CommentStyle::Braces, at), start);
        if is_closed {
            self.pos = end + 1;
        } else {
            self.problem(Problem::UnclosedComment, start);
            self.pos = end;
        }
        is_closed
    }

    /// Reports a comment after a semicolon, or an escape.
    fn rest_of_line(&mut self) {
        let start = self.pos;
        self.pos = self.line_end(start);
        let bytes: Bytes<'a> = (&self.text[start + 1..self.pos]).into();
        if self.text[start] == b';' {
            self.push_at(|at| Event::Comment(bytes, CommentStyle::Line, at), start);
        } else {
            self.push_at(|at| Event::Escape(bytes, at), start);
        }
    }

    /// Returns true if a `%` in the first column is at the current position.
    fn is_escape(&self) -> bool {
        let before = &self.text[..self.pos];
        let before = before.strip_suffix("\u{feff}".as_bytes()).unwrap_or(before);
        self.byte(self.pos) == Some(b'%') && before.last().is_none_or(|&byte| is_line_end(byte))
    }

    fn begins_line(&self, at: usize) -> bool {
        let before = (0..at).rev().find(|&at| !is_space(self.text[at]) && !self.wide[at]);
        before.is_none_or(|at| is_line_end(self.text[at]))
    }

    /// Returns true if a blank line, with no part before `from`, precedes the line that begins at `at`.
    fn follows_blank_line(&self, from: usize, at: usize) -> bool {
        let is_blank = |at: &usize| is_blank(self.text[*at]) || self.wide[*at];
        let blanks = (from..at).rev().take_while(is_blank).count();
        let mut ends = 0;
        for index in at - blanks..at {
            ends += match self.text[index] {
                b'\n' => 1,
                b'\r' if index + 1 == at || self.text[index + 1] != b'\n' => 1,
                _ => 0,
            };
        }
        ends >= 2
    }

    /// The name of the tag that begins at `at`, if there are a bracket (optional), a name and a quote.
    fn tag_opening(&self, at: usize, bracket: bool) -> Option<Range<usize>> {
        let window = &self.text[..self.text.len().min(at + LOOK_AHEAD)];
        let name = if bracket { self.spaces_end(at + 1) } else { at };
        let name = name..self.skip(name, is_name);
        let quote = self.spaces_end(name.end);
        (window.get(quote) == Some(&b'"') && is_tag_name(&window[name.clone()])).then_some(name)
    }

    /// The tag at `at`, with or without its bracket.
    fn tag(&self, at: usize) -> Tag {
        let bracket = self.text[at] == b'[';
        let name = if bracket { self.spaces_end(at + 1) } else { at };
        let name = name..self.skip(name, is_name);
        let open = self.spaces_end(name.end);
        let is_named = is_tag_name(&self.text[name.clone()]);
        if !is_named || self.byte(open) != Some(b'"') {
            let end = self.line_end(open);
            let value = self.trimmed(open..end);
            let is_value = !value.is_empty() && self.text[value.clone()].iter().all(|&b| b != b'"');
            let value = (is_named && is_value).then_some(value);
            return Tag { name, value, end, malformed: true };
        }
        let value = open + 1;
        let line_end = match self.value_end(value) {
            Ok(quote) => {
                let end = self.spaces_end(quote + 1) + 1;
                return Tag { name, value: Some(value..quote), end, malformed: !bracket };
            }
            Err(line_end) => line_end,
        };
        // The value may continue in the next line.
        let is_pair = self.text[line_end..].starts_with(b"\r\n");
        let next = line_end + if is_pair { 2 } else { 1 };
        let next = self.spaces_end(next);
        let goes_on = self.byte(next).is_some_and(|byte| byte != b'[' && !is_line_end(byte));
        if goes_on && let Ok(quote) = self.value_end(next) {
            let end = self.spaces_end(quote + 1) + 1;
            return Tag { name, value: Some(value..quote), end, malformed: true };
        }
        let value = Some(self.trimmed(value..line_end));
        Tag { name, value, end: line_end, malformed: true }
    }

    /// The quote that ends a value: it is not escaped, and a bracket follows. If there is none, the end of the line, as
    /// an error.
    fn value_end(&self, from: usize) -> Result<usize, usize> {
        let mut at = from;
        loop {
            match self.byte(at) {
                None | Some(b'\n' | b'\r') => return Err(at),
                Some(b'\\') if matches!(self.byte(at + 1), Some(b'"' | b'\\')) => at += 2,
                Some(b'"') if self.byte(self.spaces_end(at + 1)) == Some(b']') => {
                    return Ok(at);
                }
                Some(_) => at += 1,
            }
        }
    }

    /// A malformed value without the white space, the bracket and the quotes around it.
    fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let Range { mut start, mut end } = range;
        for mark in [b']', b'"'] {
            while end > start && (is_space(self.text[end - 1]) || self.wide[end - 1]) {
                end -= 1;
            }
            if end > start && self.text[end - 1] == mark {
                end -= 1;
            }
        }
        if start < end && self.text[start] == b'"' {
            start += 1;
        }
        start..end
    }
}

enum Begin {
    Tags,
    Movetext,
}

struct Tag {
    name: Range<usize>,
    value: Option<Range<usize>>,
    end: usize,
    malformed: bool,
}
