//! Reads the tokens of a game.

use std::ops::Range;

use halfmove_rules::{AnyPosition, Move};

use super::super::super::{DecodeError, DecodeErrorKind, begin_variation};
use super::super::values::Values;
use super::{Token, Tokens, move_numbered, usual_result};
use crate::build::GameBuilder;
use crate::count_call::CountCall;
use crate::game::Game;
use crate::result::GameResult;
use crate::tags::{Tags, TagsIter};

/// A callback that receives the byte range of each token, the token, and the position before it.
pub(in super::super) type Watch<'w> = &'w mut dyn FnMut(Range<usize>, Token<'_>, &AnyPosition);

/// Builds the game of these parts.
pub(in super::super) fn read(
    start: AnyPosition,
    tags: &Tags,
    moves: &[Move],
    values: &Values,
    bytes: &[u8],
    mut watch: Option<Watch<'_>>,
) -> Result<Game, DecodeError> {
    let mut reading = Reading {
        builder: GameBuilder::new(start),
        tags: tags.iter(),
        tags_left: tags.len(),
        moves,
        ply: 0,
        values,
        comment: None,
        in_tags: true,
        is_after_tags: false,
        result: usual_result(tags),
    };
    let mut tokens = Tokens::new(bytes);
    while let Some((at, token)) = tokens.next()? {
        let before = watch.is_some().then(|| reading.builder.position().clone());
        reading.token(token).map_err(|kind| DecodeError { offset: at.start, kind })?;
        if let (Some(watch), Some(before)) = (&mut watch, before) {
            watch(at, token, &before);
        }
    }
    reading.finish(tokens.depth).map_err(|kind| DecodeError { offset: bytes.len(), kind })
}

struct Reading<'a> {
    builder: GameBuilder,
    tags: TagsIter<'a>,
    tags_left: usize,
    moves: &'a [Move],
    ply: usize,
    values: &'a Values,
    /// The templated comment of the half-move, not yet added.
    comment: Option<String>,
    in_tags: bool,
    /// True if the next token belongs among the tags.
    is_after_tags: bool,
    /// The result to add after the last token.
    result: Option<GameResult>,
}

impl Reading<'_> {
    /// Adds a token to the game.
    fn token(&mut self, token: Token<'_>) -> Result<(), DecodeErrorKind> {
        match token {
            Token::Moves(count) => self.play(count as usize),
            Token::Move(number) => self.variation_move(number),
            Token::AfterTags(tags) => self.after_tags(tags),
            Token::Nag(nag) => {
                self.stay()?;
                Ok(self.builder.nag(nag)?)
            }
            Token::Comment(style, text) => {
                self.stay()?;
                Ok(self.builder.decoded_comment(style, text)?)
            }
            Token::Escape(text) if self.is_after_tags => {
                self.stay()?;
                Ok(self.builder.escape(text)?)
            }
            Token::BeginCount | Token::StopCount => {
                self.moves()?;
                let ply = self.ply;
                Ok(self.builder.count_call(match token {
                    Token::BeginCount => CountCall::Begin { ply },
                    _ => CountCall::Stop { ply },
                })?)
            }
            token => {
                self.go_on()?;
                self.after_comments(token)
            }
        }
    }

    fn after_comments(&mut self, token: Token<'_>) -> Result<(), DecodeErrorKind> {
        match token {
            Token::Begin => begin_variation(&mut self.builder)?,
            Token::End => self.builder.end_variation()?,
            Token::Escape(text) => self.builder.escape(text)?,
            Token::Word(text) => self.builder.word(text)?,
            Token::NullMove(_) if self.builder.is_main() => {
                let expected = "only in a variation: the main line has it among its half-moves";
                return Err(DecodeErrorKind::Order { what: "a null move", expected });
            }
            Token::NullMove(text) => self.builder.null_move(text)?,
            Token::UsualResult => {
                let expected = "a tag Result that gives it";
                let missing = DecodeErrorKind::Order { what: "the usual result", expected };
                self.result(self.result.ok_or(missing)?)?;
            }
            Token::Result(result) => self.result(result)?,
            Token::NoResult => self.result = None,
            // The others have already been added.
            _ => {}
        }
        Ok(())
    }

    fn result(&mut self, result: GameResult) -> Result<(), DecodeErrorKind> {
        self.play_all()?;
        self.result = None;
        Ok(self.builder.result(result)?)
    }

    /// Ends the tags.
    fn moves(&mut self) -> Result<(), DecodeErrorKind> {
        if std::mem::take(&mut self.in_tags) {
            for (name, value) in self.tags.by_ref() {
                self.builder.tag(name, value)?;
            }
            self.tags_left = 0;
            self.builder.end_tags();
        }
        Ok(())
    }

    /// Sets the number of tags before the next token.
    fn after_tags(&mut self, tags: u64) -> Result<(), DecodeErrorKind> {
        let read = self.builder.tags().len();
        let more = usize::try_from(tags).ok().and_then(|tags| tags.checked_sub(read));
        let more = more.filter(|more| self.in_tags && *more <= self.tags_left);
        let Some(more) = more else {
            let expected = "numbers of tags that do not decrease, before the moves";
            return Err(DecodeErrorKind::Order { what: "a number of tags", expected });
        };
        for (name, value) in self.tags.by_ref().take(more) {
            self.builder.tag(name, value)?;
        }
        self.tags_left -= more;
        self.is_after_tags = true;
        Ok(())
    }

    /// Ends the tags before the next token, unless it belongs among them.
    fn stay(&mut self) -> Result<(), DecodeErrorKind> {
        if std::mem::take(&mut self.is_after_tags) { Ok(()) } else { self.moves() }
    }

    /// Ends the tags and adds the templated comment before the next token.
    fn go_on(&mut self) -> Result<(), DecodeErrorKind> {
        self.moves()?;
        match self.comment.take() {
            Some(comment) => Ok(self.builder.comment(&comment)?),
            None => Ok(()),
        }
    }

    /// Plays half-moves of the main line.
    fn play(&mut self, count: usize) -> Result<(), DecodeErrorKind> {
        let Some(moves) = self.moves[self.ply..].get(..count) else {
            let expected = "no more half-moves than the game has";
            return Err(DecodeErrorKind::Order { what: "a half-move", expected });
        };
        for &mv in moves {
            self.go_on()?;
            self.builder.play(mv)?;
            self.ply += 1;
            self.comment = self.values.comment(self.ply);
        }
        Ok(())
    }

    fn play_all(&mut self) -> Result<(), DecodeErrorKind> {
        self.play(self.moves.len() - self.ply)?;
        self.go_on()
    }

    /// Plays the legal move with this number.
    fn variation_move(&mut self, number: usize) -> Result<(), DecodeErrorKind> {
        self.go_on()?;
        if !self.builder.can_play() {
            let expected = "only words after a word that could not be played";
            return Err(DecodeErrorKind::Order { what: "a move", expected });
        }
        let mv = move_numbered(self.builder.position(), number);
        Ok(self.builder.play(mv.ok_or(DecodeErrorKind::NoSuchNumber)?)?)
    }

    /// Finishes the game; an error if a variation is open.
    fn finish(mut self, depth: usize) -> Result<Game, DecodeErrorKind> {
        if depth > 0 {
            let expected = "the end of the open variation";
            return Err(DecodeErrorKind::Order { what: "the end of the game", expected });
        }
        self.moves()?;
        self.play_all()?;
        if let Some(result) = self.result {
            self.builder.result(result)?;
        }
        Ok(self.builder.finish())
    }
}
