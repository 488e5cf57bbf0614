//! Texts of games, joined so that each stays a separate game.

use halfmove_game::GameResult;
use halfmove_game::pgn::{Flow, Place, Problem, Reader, Text, Visitor};
use std::io::{self, Write};

/// Writes the texts.
pub(super) struct Texts<W> {
    out: W,
    /// True if the last game has no result.
    needs_result: bool,
}

impl<W: Write> Texts<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, needs_result: false }
    }

    /// Adds a game that ends with its result and a blank line.
    pub(super) fn write(&mut self, text: &str) -> io::Result<()> {
        self.begin(text.as_bytes())?;
        self.out.write_all(text.as_bytes())
    }

    /// Adds a text as it is. A comment or a variation that is not closed is closed after it: other programs, which do not
    /// look for the next game in them, would lose that.
    pub(super) fn copy(&mut self, text: &[u8]) -> io::Result<()> {
        let text = text.trim_ascii();
        self.begin(text)?;
        let ending = Ending::of(text);
        self.out.write_all(text)?;
        self.out.write_all(ending.closing().as_bytes())?;
        self.out.write_all(b"\n\n")?;
        self.needs_result = !ending.has_result && ending.games > 0;
        Ok(())
    }

    /// Ends the text before this one. The tag `Event` always begins a game; before anything else, a game
    /// without a result would continue.
    fn begin(&mut self, next: &[u8]) -> io::Result<()> {
        if self.needs_result && !next.starts_with(b"[Event \"") {
            self.out.write_all(b"*\n\n")?;
        }
        self.needs_result = false;
        Ok(())
    }

    pub(super) fn into_inner(self) -> W {
        self.out
    }
}

/// The end of a text.
#[derive(Default)]
struct Ending {
    has_result: bool,
    in_comment: bool,
    depth: usize,
    /// The number of variations that are not closed.
    open: usize,
    games: u64,
}

impl Ending {
    fn of(text: &[u8]) -> Self {
        let mut ending = Ending::default();
        let mut reader = Reader::new(text);
        // Reading from memory does not fail.
        while matches!(reader.read_game(&mut ending), Ok(true)) {}
        ending
    }

    /// The text that closes what is open: in a new line, because the last one may be a comment after a semicolon.
    fn closing(&self) -> String {
        let comment = if self.in_comment { "}" } else { "" };
        let line = if self.open > 0 && !self.in_comment { "\n" } else { "" };
        format!("{comment}{line}{}", ")".repeat(self.open))
    }
}

impl Visitor for Ending {
    const COMMENTS: bool = false;

    fn begin_game(&mut self, _: Place<'_>) {
        *self = Ending { games: self.games + 1, ..Ending::default() };
    }

    fn begin_variation(&mut self, _: Place<'_>) -> Flow {
        self.depth += 1;
        Flow::Read
    }

    fn end_variation(&mut self) {
        self.depth -= 1;
    }

    fn result(&mut self, _: GameResult, _: Place<'_>) {
        self.has_result = true;
    }

    fn problem(&mut self, problem: Problem, _: Place<'_>) {
        match problem {
            Problem::UnclosedComment => self.in_comment = true,
            Problem::UnclosedVariation => self.open = self.depth,
            _ => {}
        }
    }
}

/// A text in UTF-8. As in games, each comment and each tag is decoded by itself.
pub(crate) fn decoded(text: &[u8]) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let is_end = |byte: &u8| matches!(byte, b'{' | b'"' | b'\n' | b'\r');
        let plain = rest.iter().position(is_end).map_or(rest.len(), |at| at + 1);
        let (before, after) = rest.split_at(plain);
        decoded += &Text::plain(before).to_str();
        let closes = |byte: &u8| match before.last() {
            Some(b'{') => *byte == b'}',
            _ => matches!(byte, b'"' | b'\n' | b'\r'),
        };
        let inside = match before.last() {
            Some(b'{' | b'"') => after.iter().position(closes).map_or(after.len(), |at| at + 1),
            _ => 0,
        };
        let (piece, after) = after.split_at(inside);
        decoded += &Text::plain(piece).to_str();
        rest = after;
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings() {
        for (text, closing, needs_result) in [
            ("1. e4 e9 1-0", "", false),
            ("1. e4 e9", "", true),
            ("1. e4 e9 {unclosed", "}", true),
            ("1. e4 (1. d4 (1. c4", "\n))", true),
            ("1. e4 (1. d4 {x", "})", true),
            ("[White \"a\"]", "", true),
            ("1. e4 1-0 {unclosed", "}", false),
            ("{a comment}", "", false),
        ] {
            let mut texts = Texts::new(Vec::new());
            texts.copy(text.as_bytes()).unwrap();
            assert_eq!(texts.needs_result, needs_result, "{text}");
            assert_eq!(texts.into_inner(), format!("{text}{closing}\n\n").as_bytes());
        }
    }

    #[test]
    fn texts_are_decoded_piece_by_piece() {
        let text = b"[White \"M\xc3\xbcller\"]\r[Black \"\xe9\"]\r1. e4 {M\xc3\xbcller\n\xc3\xa9} e5 {caf\xe9}";
        let expected = "[White \"Müller\"]\r[Black \"é\"]\r1. e4 {Müller\né} e5 {café}";
        assert_eq!(decoded(text), expected);
        assert_eq!(decoded(b"{x"), "{x");
    }
}
