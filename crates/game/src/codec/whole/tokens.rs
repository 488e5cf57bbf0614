//! The annotations of a game: everything in its text but the tags, the main line and the comments that
//! [`Values`](super::values::Values) stands for, as a string of tokens. `docs/reference/whole.md` lists them.

mod reading;
mod writing;

use std::ops::Range;

use halfmove_rules::{AnyPosition, Move};

pub(super) use self::reading::{Watch, read};
pub(super) use self::writing::write;
use super::super::number::Cursor;
use super::super::{DecodeError, DecodeErrorKind};
use crate::pgn::{CommentStyle, Nag};
use crate::result::GameResult;
use crate::tags::Tags;

/// The lowest number of a move that takes more than one byte.
const FAR_MOVE: u8 = 0x7f;
pub(super) const BEGIN: u8 = 0x80;
const END: u8 = 0x81;
const COMMENT: u8 = 0x82;
const LINE_COMMENT: u8 = 0x83;
const ESCAPE: u8 = 0x84;
const WORD: u8 = 0x85;
const NULL_MOVE: u8 = 0x86;
const GLYPH: u8 = 0x87;
const BEGIN_COUNT: u8 = 0x88;
const STOP_COUNT: u8 = 0x89;
const AFTER_TAGS: u8 = 0x8a;
const USUAL_RESULT: u8 = 0x8b;
const RESULT: u8 = 0x8c;
const LAST_RESULT: u8 = 0x8f;
/// The byte of a sign is this plus its number, from 1; signs after [`EARLY_SIGNS`] are shifted by one.
const SIGN: u8 = 0x8f;
/// The number of signs before [`NO_RESULT`].
const EARLY_SIGNS: u8 = 20;
const NO_RESULT: u8 = 0xa4;

const RESULTS: [GameResult; 4] =
    [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];

/// The result in a game's tags.
pub(super) fn usual_result(tags: &Tags) -> Option<GameResult> {
    tags.value("Result").and_then(|value| GameResult::from_token(value.as_bytes()))
}

/// The legal move with this number in variations: moves are counted from 0 in the order of [`Move::to_bits`].
pub fn move_numbered(position: &AnyPosition, number: usize) -> Option<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_unstable_by_key(|mv| mv.to_bits());
    moves.get(number).copied()
}

/// A token of [`Parts::annotations`](super::Parts).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// A number of half-moves of the main line.
    Moves(u32),
    /// A move of a variation: its number, as in [`move_numbered`].
    Move(usize),
    /// A null move of a variation, as it was written.
    NullMove(&'a str),
    /// A word in place of a move.
    Word(&'a str),
    /// The beginning of a variation.
    Begin,
    /// The end of a variation.
    End,
    /// A comment.
    Comment(CommentStyle, &'a str),
    /// A line that begins with `%`: the rest of it.
    Escape(&'a str),
    /// A glyph.
    Nag(Nag),
    /// A side begins to count, in Makruk.
    BeginCount,
    /// A side stops counting.
    StopCount,
    /// The next token is among the tags, after this number of tags.
    AfterTags(u64),
    /// The end of the moves, with the result of the tag `Result`. Other tokens may follow.
    UsualResult,
    /// A result other than that of the tag.
    Result(GameResult),
    /// The game has no result token, although the tag `Result` has one.
    NoResult,
}

/// The tokens of annotations, one after another.
pub(super) struct Tokens<'a> {
    cursor: Cursor<'a>,
    /// The number of open variations.
    pub(super) depth: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Tokens<'a> {
        Tokens { cursor: Cursor::new(bytes), depth: 0 }
    }

    /// The next token, and its byte range.
    ///
    /// # Errors
    ///
    /// The first byte that begins no token, or an end of a variation when none is open.
    pub(super) fn next(&mut self) -> Result<Option<(Range<usize>, Token<'a>)>, DecodeError> {
        let offset = self.cursor.at;
        let Some(code) = self.cursor.next() else { return Ok(None) };
        let token = self.token(code, offset)?;
        Ok(Some((offset..self.cursor.at, token)))
    }

    #[inline]
    fn token(&mut self, code: u8, offset: usize) -> Result<Token<'a>, DecodeError> {
        Ok(match code {
            0..BEGIN if self.depth == 0 => Token::Moves(u32::from(code) + 1),
            FAR_MOVE => {
                let number = self.cursor.small_number(u64::from(u16::MAX))?;
                Token::Move(number as usize + usize::from(FAR_MOVE))
            }
            0..BEGIN => Token::Move(usize::from(code)),
            BEGIN => {
                self.depth += 1;
                Token::Begin
            }
            END => {
                let Some(depth) = self.depth.checked_sub(1) else {
                    let expected = "the beginning of a variation before it";
                    let kind = DecodeErrorKind::Order { what: "the end of a variation", expected };
                    return Err(DecodeError { offset, kind });
                };
                self.depth = depth;
                Token::End
            }
            COMMENT => Token::Comment(CommentStyle::Braces, self.cursor.text()?),
            LINE_COMMENT => Token::Comment(CommentStyle::Line, self.cursor.text()?),
            ESCAPE => Token::Escape(self.cursor.text()?),
            WORD => Token::Word(self.cursor.text()?),
            NULL_MOVE => match self.cursor.text()? {
                "" => Token::NullMove("--"),
                text => Token::NullMove(text),
            },
            GLYPH => {
                let number = self.cursor.small_number(u64::from(u32::MAX))?;
                Token::Nag(Nag::new(number as u32))
            }
            BEGIN_COUNT => Token::BeginCount,
            STOP_COUNT => Token::StopCount,
            AFTER_TAGS => Token::AfterTags(self.cursor.number()?),
            USUAL_RESULT => Token::UsualResult,
            RESULT..=LAST_RESULT => Token::Result(RESULTS[usize::from(code - RESULT)]),
            NO_RESULT => Token::NoResult,
            _ => {
                let sign = code.checked_sub(SIGN);
                let nag =
                    sign.map(|sign| sign - u8::from(code > NO_RESULT)).and_then(Nag::from_index);
                let kind = DecodeErrorKind::Reserved(code);
                Token::Nag(nag.ok_or(DecodeError { offset, kind })?)
            }
        })
    }
}
