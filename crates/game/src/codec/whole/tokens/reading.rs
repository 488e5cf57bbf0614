//! Reads the tokens of a game.

use halfmove_rules::{AnyPosition, Move};

use super::super::super::number::Cursor;
use super::super::super::{DecodeError, DecodeErrorKind, Dumped, begin_variation};
use super::super::values::Values;
use super::{
    AFTER_TAGS, BEGIN, BEGIN_COUNT, COMMENT, END, ESCAPE, FAR_MOVE, GLYPH, LAST_RESULT,
    LINE_COMMENT, NO_RESULT, NULL_MOVE, RESULT, RESULTS, SIGN, SIGNS, STOP_COUNT, USUAL_RESULT,
    WORD, moves_in_order, usual_result,
};
use crate::build::GameBuilder;
use crate::count_call::CountCall;
use crate::game::Game;
use crate::pgn::{CommentStyle, Nag};
use crate::result::GameResult;
use crate::tags::{Tags, TagsIter};

/// The game of these parts.
pub(in super::super) fn read(
    start: AnyPosition,
    tags: &Tags,
    moves: &[Move],
    values: &Values,
    bytes: &[u8],
    mut show: Option<&mut dyn FnMut(&Dumped)>,
) -> Result<Game, DecodeError> {
    let mut reading = Reading {
        builder: GameBuilder::new(start),
        tags: tags.iter(),
        tags_left: tags.len(),
        moves,
        ply: 0,
        values,
        comment: None,
        depth: 0,
        in_tags: true,
        is_after_tags: false,
        result: usual_result(tags),
    };
    let mut cursor = Cursor::new(bytes);
    while let Some(token) = cursor.next() {
        let from = cursor.at - 1;
        let before = show.is_some().then(|| reading.builder.position().clone());
        let read = reading.token(token, &mut cursor)?;
        read.map_err(|kind| DecodeError { offset: from, kind })?;
        if let (Some(show), Some(before)) = (&mut show, before) {
            let is_move = token < BEGIN && reading.depth > 0;
            let (fields, meaning) = describe(&bytes[from..cursor.at], is_move, &before);
            show(&Dumped { bytes: from..cursor.at, fields, meaning });
        }
    }
    reading.finish().map_err(|kind| DecodeError { offset: bytes.len(), kind })
}

/// What a token that has just been read consists of, and what it means.
fn describe(bytes: &[u8], is_move: bool, before: &AnyPosition) -> (String, String) {
    let token = bytes[0];
    let text = || Cursor { bytes, at: 1 }.text().unwrap_or_default().to_owned();
    let number = || Cursor { bytes, at: 1 }.number().unwrap_or_default();
    let sign = |sign: u8| Nag::from_index(sign).map_or(String::new(), |nag| nag.to_string());
    let (fields, meaning) = match token {
        0..BEGIN if is_move => {
            let number =
                if token == FAR_MOVE { u64::from(FAR_MOVE) + number() } else { token.into() };
            let mv = moves_in_order(before).get(number as usize).copied();
            ("move", mv.map_or(String::new(), |mv| before.san(mv).to_string()))
        }
        0..BEGIN => ("half-moves", format!("{} of the main line", token + 1)),
        BEGIN => ("variation", "(".to_owned()),
        END => ("end of variation", ")".to_owned()),
        COMMENT => ("comment", text()),
        LINE_COMMENT => ("comment to the end of the line", text()),
        ESCAPE => ("line", format!("%{}", text())),
        WORD => ("no move", text()),
        NULL_MOVE if bytes.len() == 2 => ("null move", "--".to_owned()),
        NULL_MOVE => ("null move", text()),
        GLYPH => ("glyph", format!("${}", number())),
        BEGIN_COUNT => ("count", "begins".to_owned()),
        STOP_COUNT => ("count", "stops".to_owned()),
        AFTER_TAGS => ("after tags", number().to_string()),
        USUAL_RESULT => ("result", "that of the tag".to_owned()),
        RESULT..=LAST_RESULT => ("result", RESULTS[usize::from(token - RESULT)].to_string()),
        NO_RESULT => ("no result", String::new()),
        _ => ("glyph", sign(token - SIGN)),
    };
    (fields.to_owned(), meaning)
}

struct Reading<'a> {
    builder: GameBuilder,
    tags: TagsIter<'a>,
    tags_left: usize,
    moves: &'a [Move],
    ply: usize,
    values: &'a Values,
    /// The usual comment of the half-move, not added yet.
    comment: Option<String>,
    depth: usize,
    in_tags: bool,
    /// The next token belongs among the tags.
    is_after_tags: bool,
    /// The result that follows when the tokens are over.
    result: Option<GameResult>,
}

impl Reading<'_> {
    /// Reads what belongs to a token, then adds it to the game. The outer error is one of the bytes, the
    /// inner one of the game.
    fn token(
        &mut self,
        token: u8,
        cursor: &mut Cursor<'_>,
    ) -> Result<Result<(), DecodeErrorKind>, DecodeError> {
        let text = match token {
            COMMENT..=NULL_MOVE => cursor.text()?,
            _ => "",
        };
        Ok(match token {
            0..BEGIN if self.depth == 0 => self.play(usize::from(token) + 1),
            FAR_MOVE => {
                let number = cursor.small_number(u64::from(u16::MAX))?;
                self.variation_move(number as usize + usize::from(FAR_MOVE))
            }
            0..BEGIN => self.variation_move(usize::from(token)),
            AFTER_TAGS => {
                let tags = cursor.number()?;
                self.after_tags(tags)
            }
            GLYPH => {
                let number = cursor.small_number(u64::from(u32::MAX))? as u32;
                self.stay().and_then(|()| Ok(self.builder.nag(Nag::new(number))?))
            }
            token => self.other(token, text),
        })
    }

    fn other(&mut self, token: u8, text: &str) -> Result<(), DecodeErrorKind> {
        match token {
            COMMENT | LINE_COMMENT => {
                let is_line = token == LINE_COMMENT;
                self.stay()?;
                let style = if is_line { CommentStyle::Line } else { CommentStyle::Braces };
                self.builder.decoded_comment(style, text)?;
            }
            ESCAPE if self.is_after_tags => {
                self.stay()?;
                self.builder.escape(text)?;
            }
            BEGIN_COUNT | STOP_COUNT => {
                self.moves()?;
                let ply = self.ply;
                self.builder.count_call(match token {
                    BEGIN_COUNT => CountCall::Begin { ply },
                    _ => CountCall::Stop { ply },
                })?;
            }
            _ if token > SIGN && token <= SIGN + SIGNS => {
                let nag = Nag::from_index(token - SIGN);
                self.stay()?;
                self.builder.nag(nag.ok_or(DecodeErrorKind::Reserved(token))?)?;
            }
            _ => {
                self.go_on()?;
                match token {
                    BEGIN => {
                        begin_variation(&mut self.builder)?;
                        self.depth += 1;
                    }
                    END => {
                        self.builder.end_variation()?;
                        self.depth -= 1;
                    }
                    ESCAPE => self.builder.escape(text)?,
                    WORD => self.builder.word(text)?,
                    NULL_MOVE if text.is_empty() => self.builder.null_move("--")?,
                    NULL_MOVE => self.builder.null_move(text)?,
                    USUAL_RESULT => {
                        let expected = "a tag Result that gives it";
                        let what = "the usual result";
                        let missing = DecodeErrorKind::Order { what, expected };
                        self.result(self.result.ok_or(missing)?)?;
                    }
                    RESULT..=LAST_RESULT => self.result(RESULTS[usize::from(token - RESULT)])?,
                    NO_RESULT => self.result = None,
                    _ => return Err(DecodeErrorKind::Reserved(token)),
                }
            }
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

    /// The next token comes after so many tags.
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

    /// The next token belongs to what is before it.
    fn stay(&mut self) -> Result<(), DecodeErrorKind> {
        if std::mem::take(&mut self.is_after_tags) { Ok(()) } else { self.moves() }
    }

    /// The next token follows the comments after a half-move.
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

    /// Plays the legal move of a number.
    fn variation_move(&mut self, number: usize) -> Result<(), DecodeErrorKind> {
        self.go_on()?;
        if !self.builder.can_play() {
            let expected = "only words after a word that could not be played";
            return Err(DecodeErrorKind::Order { what: "a move", expected });
        }
        let mv = moves_in_order(self.builder.position()).get(number).copied();
        Ok(self.builder.play(mv.ok_or(DecodeErrorKind::NoSuchNumber)?)?)
    }

    fn finish(mut self) -> Result<Game, DecodeErrorKind> {
        if self.depth > 0 {
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
