//! The text of a game but its tags, its main line and its usual comments: a string of tokens.
//!
//! | bytes | meaning |
//! |---|---|
//! | `00`–`7f` | in the main line: 1 to 128 of its half-moves |
//! | `00`–`7e` | in a variation: a move, by its number among the legal ones in the order of their bits ([`Move::to_bits`]) |
//! | `7f` number | the same for moves from number 127 on, less 127 |
//! | `80` `81` | a variation to the half-move before begins, and ends |
//! | `82` text | a comment in braces |
//! | `83` text | a comment after a semicolon |
//! | `84` text | a line that begins with `%` |
//! | `85` text | a word in place of a move |
//! | `86` text | a null move; without text it is `--` |
//! | `87` number | a glyph that is written as a number |
//! | `88` `89` | in Makruk a side begins to count, or stops |
//! | `8a` number | the next token stands after so many tags |
//! | `8b` | the result that the tag `Result` gives; comments follow |
//! | `8c`–`8f` | another result: White wins, Black wins, draw, unknown |
//! | `90`–`a3` | a glyph that is written as a sign, in the order of [`Nag`]'s signs |
//! | `a4` | there is no result, though the tag `Result` gives one |
//! | `a5`–`ff` | reserved |
//!
//! A text is a number, its length, and as many bytes of UTF-8. Numbers are as in
//! [`file`](crate::codec::file). Half-moves behind the last token are not counted.

use halfmove_rules::{AnyPosition, Move};

use super::super::number::{Cursor, push_block, push_number};
use super::super::{DecodeError, DecodeErrorKind, Dumped};
use super::values::{Template, Untold};
use crate::annotations::Comment;
use crate::annotations::command::{clock_of, evaluation_of};
use crate::annotations::entry::{Entry, FIRST, Kind, LAST, LINE, MOVES, RESULT as BEHIND};
use crate::build::GameBuilder;
use crate::clock::Clock;
use crate::count_call::CountCall;
use crate::evaluation::Evaluation;
use crate::event::Event;
use crate::game::Game;
use crate::levels::Levels;
use crate::pgn::{CommentStyle, Nag};
use crate::result::GameResult;
use crate::tags::{Tags, TagsIter};

/// A move with this number or a higher one takes more bytes.
const FAR_MOVE: u8 = 0x7f;
const BEGIN: u8 = 0x80;
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
/// Less 1, since the signs count from 1.
const SIGN: u8 = 0x8f;
const NO_RESULT: u8 = 0xa4;

/// As many signs are known.
const SIGNS: u8 = 20;

const RESULTS: [GameResult; 4] =
    [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];

/// The result that a game's tags give.
pub(super) fn usual_result(tags: &Tags) -> Option<GameResult> {
    tags.value("Result").and_then(|value| GameResult::from_token(value.as_bytes()))
}

/// What is written beside the tokens: the values of the main line, and how.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    pub(super) clocks: Vec<Option<Clock>>,
    pub(super) evaluations: Vec<Option<Evaluation>>,
    /// How all of their comments are written, if they are written alike: as the only one with values
    /// behind its half-move, and the last one before its variations.
    pub(super) template: Option<Template>,
    /// These comments, by their numbers among the events of the game.
    pub(super) comments: Vec<usize>,
    /// There are no other comments, nor anything else beside the moves.
    pub(super) are_alone: bool,
}

impl Values {
    /// The values of a game that has nothing but one such comment behind each half-move, or some of them.
    /// That is how most games from the internet are, so this does not write texts to compare them.
    pub(super) fn alone(game: &Game) -> Option<Values> {
        let entries = &game.annotations.entries;
        if entries.is_empty() || !game.count_calls.is_empty() {
            return None;
        }
        let mut values = Values::default();
        let (mut template, mut rest, mut last) = (None, &entries[..], MOVES);
        while let Some((first, tail)) = rest.split_first() {
            let second = tail.first().filter(|_| !first.has(LAST));
            rest = &tail[usize::from(second.is_some())..];
            let Entry { at, .. } = *first;
            if at <= last || at == BEHIND || first.has(LINE) || !first.has(FIRST) {
                return None;
            }
            last = at;
            template = Some(Template::of_entries(first, second, template)?);
            let ply = (at - MOVES) as usize;
            for entry in [Some(first), second].into_iter().flatten() {
                match entry.kind {
                    Kind::Clock => values.take(ply, Some(clock_of(entry)), None),
                    _ => values.take(ply, None, Some(evaluation_of(entry))),
                }
            }
        }
        values.template = template.map(Untold::template);
        values.are_alone = true;
        Some(values)
    }

    /// The values of a game's main line.
    pub(super) fn of(game: &Game) -> Values {
        let mut values = Values::default();
        let (mut depth, mut ply, mut is_behind_move) = (0_usize, 0, false);
        let (mut is_regular, mut has_value) = (true, false);
        for (number, event) in game.events().enumerate() {
            match event {
                Event::Move(_) if depth == 0 => {
                    (ply, is_behind_move, has_value) = (ply + 1, true, false);
                }
                Event::Move(_) | Event::CountCall(_) => {}
                Event::Nag(_) if is_behind_move => is_regular &= !has_value,
                Event::Comment(comment) if is_behind_move => {
                    is_regular &= !has_value;
                    let (clock, evaluation) = (comment.clock(), comment.evaluation());
                    if clock.is_some() || evaluation.is_some() {
                        values.take(ply, clock, evaluation);
                        has_value = true;
                        is_regular = is_regular && values.fits(comment);
                        values.comments.push(number);
                    }
                }
                Event::BeginVariation => {
                    (depth, is_behind_move) = (depth + 1, false);
                }
                Event::EndVariation => depth = depth.saturating_sub(1),
                _ => is_behind_move = false,
            }
        }
        if !is_regular {
            values.irregular();
        }
        values
    }

    /// The comments are written with the others.
    pub(super) fn irregular(&mut self) {
        self.template = None;
        self.comments.clear();
        self.are_alone = false;
    }

    /// Keeps the first clock and the first evaluation of a half-move.
    fn take(&mut self, ply: usize, clock: Option<Clock>, evaluation: Option<Evaluation>) {
        #[inline]
        fn keep<T: Copy>(values: &mut Vec<Option<T>>, ply: usize, value: Option<T>) {
            if value.is_some() && values.len() < ply {
                // Half-moves without a value are rare.
                while values.len() + 1 < ply {
                    values.push(None);
                }
                values.push(value);
            }
        }
        keep(&mut self.clocks, ply, clock);
        keep(&mut self.evaluations, ply, evaluation);
    }

    /// Whether a comment is written as those before it.
    fn fits(&mut self, comment: Comment<'_>) -> bool {
        if comment.style() != CommentStyle::Braces {
            return false;
        }
        let (clock, evaluation) = (comment.clock(), comment.evaluation());
        self.template = Template::of(&comment.to_string(), clock, evaluation, self.template);
        self.template.is_some()
    }

    /// The comment behind a half-move.
    fn comment(&self, ply: usize) -> Option<String> {
        let index = ply.wrapping_sub(1);
        let clock = self.clocks.get(index).copied().flatten();
        let evaluation = self.evaluations.get(index).copied().flatten();
        let template = self.template.filter(|_| clock.is_some() || evaluation.is_some())?;
        let mut text = String::new();
        template.write(clock, evaluation, &mut text);
        Some(text)
    }
}

/// Appends the tokens of a game, without the comments that `values` stand for.
pub(super) fn write(game: &Game, values: &Values, out: &mut Vec<u8>) {
    let usual = usual_result(&game.tags);
    let mut comments = values.comments.iter().peekable();
    let levels = (game.annotations.variations() > 0).then(|| Levels::new(game.start.clone()));
    let moves = &game.moves;
    let mut writing = Writing { out, waiting: 0, depth: 0, levels, moves, ply: 0 };
    let (mut tags, mut in_tags) = (0_u64, true);
    let (mut has_result, mut is_behind_usual) = (false, false);
    for (number, event) in game.events().enumerate() {
        match event {
            Event::Tag(..) => tags += 1,
            Event::EndTags => in_tags = false,
            Event::Move(mv) if writing.depth == 0 => {
                writing.waiting += 1;
                writing.ply += 1;
                if let Some(levels) = &mut writing.levels {
                    levels.play(mv);
                }
            }
            Event::Comment(_) if values.are_alone => {}
            Event::Comment(_) if comments.next_if_eq(&&number).is_some() => {}
            Event::Result(result) => {
                has_result = true;
                is_behind_usual = usual == Some(result);
                if !is_behind_usual {
                    writing.event(event);
                }
            }
            event => {
                if in_tags {
                    writing.token(AFTER_TAGS);
                    push_number(tags, writing.out);
                } else if std::mem::take(&mut is_behind_usual) {
                    writing.token(USUAL_RESULT);
                }
                writing.event(event);
            }
        }
    }
    if !has_result && usual.is_some() {
        writing.token(NO_RESULT);
    }
}

struct Writing<'a> {
    out: &'a mut Vec<u8>,
    /// Half-moves of the main line that are not written yet.
    waiting: usize,
    depth: usize,
    /// The current position, if there are variations.
    levels: Option<Levels<AnyPosition>>,
    moves: &'a [Move],
    ply: usize,
}

impl Writing<'_> {
    fn token(&mut self, token: u8) {
        while self.waiting > 0 {
            let run = self.waiting.min(0x80);
            self.out.push(run as u8 - 1);
            self.waiting -= run;
        }
        self.out.push(token);
    }

    fn text(&mut self, token: u8, text: &str) {
        self.token(token);
        push_block(text.as_bytes(), self.out);
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Tag(..) | Event::EndTags => {}
            Event::Move(mv) => {
                let Some(levels) = &mut self.levels else { return };
                push_move(&levels.position, mv, self.out);
                levels.play(mv);
            }
            Event::BeginVariation => {
                self.token(BEGIN);
                self.depth += 1;
                if let Some(levels) = &mut self.levels {
                    levels.begin(&self.moves[..self.ply]);
                }
            }
            Event::EndVariation => {
                self.token(END);
                self.depth = self.depth.saturating_sub(1);
                if let Some(levels) = &mut self.levels {
                    levels.end();
                }
            }
            Event::Comment(comment) => {
                let is_line = comment.style() == CommentStyle::Line;
                let token = if is_line { LINE_COMMENT } else { COMMENT };
                self.text(token, &comment.to_string());
            }
            Event::Escape(text) => self.text(ESCAPE, text),
            Event::Word(text) => {
                self.text(WORD, text);
                if let Some(levels) = &mut self.levels {
                    levels.stumble();
                }
            }
            Event::NullMove(text) => {
                self.text(NULL_MOVE, if text == "--" { "" } else { text });
                if let Some(levels) = &mut self.levels {
                    levels.pass();
                }
            }
            Event::Nag(nag) => match nag.to_parts() {
                (0, number) => {
                    self.token(GLYPH);
                    push_number(u64::from(number), self.out);
                }
                (sign, _) => self.token(SIGN + sign),
            },
            Event::CountCall(CountCall::Begin { .. }) => self.token(BEGIN_COUNT),
            Event::CountCall(CountCall::Stop { .. }) => self.token(STOP_COUNT),
            Event::Result(result) => {
                let index = RESULTS.iter().position(|known| *known == result).unwrap_or(3);
                self.token(RESULT + index as u8);
            }
        }
    }
}

/// The legal moves in the order of their bits.
fn moves_in_order(position: &AnyPosition) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_unstable_by_key(|mv| mv.to_bits());
    moves
}

/// Appends a legal move of a variation.
fn push_move(position: &AnyPosition, mv: Move, out: &mut Vec<u8>) {
    let moves = position.legal_moves();
    let number = moves.iter().filter(|other| other.to_bits() < mv.to_bits()).count();
    match number.checked_sub(usize::from(FAR_MOVE)) {
        None => out.push(number as u8),
        Some(rest) => {
            out.push(FAR_MOVE);
            push_number(rest as u64, out);
        }
    }
}

/// The game of these parts.
pub(super) fn read(
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
        RESULT..=0x8f => ("result", RESULTS[usize::from(token - RESULT)].to_string()),
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
    /// The next token stands among the tags.
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
            COMMENT => {
                self.stay()?;
                self.builder.comment(text)?;
            }
            LINE_COMMENT => {
                self.stay()?;
                self.builder.styled_comment(CommentStyle::Line, text)?;
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
                        self.builder.begin_variation()?;
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
                    RESULT..=0x8f => self.result(RESULTS[usize::from(token - RESULT)])?,
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

    /// The next token stands after so many tags.
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

    /// Something is added beside the moves: it belongs to what is before it.
    fn stay(&mut self) -> Result<(), DecodeErrorKind> {
        if std::mem::take(&mut self.is_after_tags) { Ok(()) } else { self.moves() }
    }

    /// Something follows the comments behind a half-move.
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
