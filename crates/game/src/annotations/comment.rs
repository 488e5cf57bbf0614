//! A comment: text, and the values that programs embed in it.

use std::borrow::Cow;
use std::fmt;

use super::Annotations;
use super::command::{clock_of, evaluation_of, write_value};
use super::entry::{Entry, Kind, LAST, LINE, SPACE_AFTER, SPACE_BEFORE, SPELLED, UNKNOWN};
use crate::clock::Clock;
use crate::evaluation::Evaluation;
use crate::marks::{Arrows, ColoredSquares};
use crate::pgn::CommentStyle;

/// A comment of a game.
///
/// Clocks, evaluations, colored squares and arrows are [values](Comment::parts); the rest is [text](Comment::text).
/// `Display` writes the whole comment as it was read, without its braces or semicolon. Only line breaks may differ from
/// the file: a single one between two words becomes a space, because programs wrap long lines; all others become `\n`.
///
/// ```
/// use halfmove_game::Score;
/// use halfmove_game::pgn::read_game;
///
/// let game = read_game("1. e4 { [%eval 0.17,23] [%clk 0:03:00] The king's\npawn. } e5 *").unwrap();
/// let comment = game.node(1).unwrap().comments().next().unwrap();
/// assert_eq!(comment.text(), "The king's pawn.");
/// assert_eq!(comment.clock().map(|clock| clock.seconds()), Some(180.0));
/// assert_eq!(comment.evaluation().map(|found| found.score()), Some(Score::Centipawns(17)));
/// assert_eq!(comment.to_string(), " [%eval 0.17,23] [%clk 0:03:00] The king's pawn. ");
/// ```
#[derive(Clone, Copy)]
pub struct Comment<'a> {
    /// Its parts, never empty, with their spellings.
    entries: &'a [Entry],
    text: &'a str,
}

/// A part of a comment.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Part<'a> {
    /// Text, or a command of another kind.
    Text(&'a str),
    /// `[%clk 0:01:05]`: the time left after the move.
    Clock(Clock),
    /// `[%clk 1:30]`, if it cannot be inferred whether this is minutes and seconds or hours and minutes.
    UnknownClock,
    /// `[%emt 0:00:03]`: the time that the move took.
    Elapsed(Clock),
    /// `[%eval 0.17]`: an engine's evaluation.
    Evaluation(Evaluation),
    /// `[%csl Ga4,Rb5]`: colored squares.
    Squares(ColoredSquares<'a>),
    /// `[%cal Gg1f3]`: arrows.
    Arrows(Arrows<'a>),
}

/// A part of a comment, and its spelling if that is nonstandard.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpelledPart<'a> {
    /// The part.
    pub part: Part<'a>,
    /// The text of a value with its brackets, if its spelling is nonstandard: `[%clk 1:05]`.
    pub spelling: Option<&'a str>,
}

impl<'a> Comment<'a> {
    /// The comment that begins at `index`, and the index after it.
    pub(crate) fn at(annotations: &'a Annotations, index: usize) -> (Comment<'a>, usize) {
        let rest = annotations.entries.get(index..).unwrap_or_default();
        let last = rest.iter().position(|entry| entry.has(LAST)).unwrap_or(0);
        let spelled = rest.get(last).is_some_and(|entry| entry.has(SPELLED));
        let length = (last + 1 + usize::from(spelled)).min(rest.len());
        (Comment { entries: &rest[..length], text: &annotations.text }, index + length.max(1))
    }

    /// The style of the comment: in braces or after a semicolon.
    pub fn style(self) -> CommentStyle {
        let is_line = self.entries.first().is_some_and(|entry| entry.has(LINE));
        if is_line { CommentStyle::Line } else { CommentStyle::Braces }
    }

    /// The text without values, and without white space around it.
    pub fn text(self) -> Cow<'a, str> {
        let all = self.text;
        let mut texts = self.entries.iter().filter(|entry| entry.kind == Kind::Text);
        let first = texts.next().map_or("", |entry| entry.text(all));
        let Some(second) = texts.next() else { return Cow::Borrowed(first.trim()) };
        let mut text = [first, second.text(all)].concat();
        texts.for_each(|entry| text.push_str(entry.text(all)));
        let inner = text.trim();
        if inner.len() == text.len() { Cow::Owned(text) } else { Cow::Owned(inner.to_owned()) }
    }

    /// The text and values, in their order. A single space next to a value is not reported.
    pub fn parts(self) -> impl Iterator<Item = Part<'a>> {
        self.spelled_parts().map(|spelled| spelled.part)
    }

    /// The text and values, with nonstandard spellings of values.
    pub fn spelled_parts(self) -> impl Iterator<Item = SpelledPart<'a>> {
        let parts = self.entries.iter().enumerate();
        parts.filter(|(_, entry)| entry.kind != Kind::Spelling).map(move |(index, entry)| {
            SpelledPart { part: self.part(entry), spelling: self.spelling(index) }
        })
    }

    fn part(self, entry: &Entry) -> Part<'a> {
        match entry.kind {
            Kind::Clock if entry.has(UNKNOWN) => Part::UnknownClock,
            Kind::Clock => Part::Clock(clock_of(entry)),
            Kind::Elapsed => Part::Elapsed(clock_of(entry)),
            Kind::Evaluation => Part::Evaluation(evaluation_of(entry)),
            Kind::Squares => Part::Squares(ColoredSquares::known(entry.text(self.text))),
            Kind::Arrows => Part::Arrows(Arrows::known(entry.text(self.text))),
            _ => Part::Text(entry.text(self.text)),
        }
    }

    fn spelling(self, index: usize) -> Option<&'a str> {
        let spelled = self.entries[index].has(SPELLED);
        spelled.then(|| self.entries.get(index + 1))?.map(|entry| entry.text(self.text))
    }

    /// The time left after the move, if the comment has it.
    pub fn clock(self) -> Option<Clock> {
        let is_known = |entry: &&Entry| entry.kind == Kind::Clock && !entry.has(UNKNOWN);
        self.entries.iter().find(is_known).map(clock_of)
    }

    /// The time that the move took, if the comment has it.
    pub fn elapsed(self) -> Option<Clock> {
        self.entries.iter().find(|entry| entry.kind == Kind::Elapsed).map(clock_of)
    }

    /// The evaluation of the position after the move, if the comment has one.
    pub fn evaluation(self) -> Option<Evaluation> {
        self.entries.iter().find(|entry| entry.kind == Kind::Evaluation).map(evaluation_of)
    }

    /// Calls `piece` with each piece of the text. A value is one piece; text is passed unchanged.
    pub(crate) fn pieces(self, mut piece: impl FnMut(&str, bool)) {
        let mut value = String::new();
        for (index, entry) in self.entries.iter().enumerate() {
            match entry.kind {
                Kind::Spelling => {}
                Kind::Text => piece(entry.text(self.text), false),
                _ => {
                    if entry.has(SPACE_BEFORE) {
                        piece(" ", false);
                    }
                    value.clear();
                    write_value(entry, self.spelling(index), self.text, &mut value);
                    piece(&value, true);
                    if entry.has(SPACE_AFTER) {
                        piece(" ", false);
                    }
                }
            }
        }
    }

    /// Appends the text to `out`.
    pub(crate) fn write(self, out: &mut String) {
        self.pieces(|piece, _| out.push_str(piece));
    }
}

impl fmt::Display for Comment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text);
        f.pad(&text)
    }
}

impl fmt::Debug for Comment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text);
        f.debug_tuple("Comment").field(&self.style()).field(&text).finish()
    }
}

/// Comments are equal if their texts are.
impl PartialEq for Comment<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.style() == other.style() && self.spelled_parts().eq(other.spelled_parts()) && {
            let blanks = |entry: &Entry| entry.flags & (SPACE_BEFORE | SPACE_AFTER);
            self.entries.iter().map(blanks).eq(other.entries.iter().map(blanks))
        }
    }
}
