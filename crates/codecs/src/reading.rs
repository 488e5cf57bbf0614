//! A game being decoded, in any of the formats with variations: it grows with each code, and the codes can be shown.

use std::ops::Range;

use halfmove_game::codec::begin_variation;
use halfmove_game::pgn::{CommentStyle, Nag};
use halfmove_game::{Game, GameBuilder, GameResult};
use halfmove_rules::{AnyPosition, Chess, Move};

use crate::lines::Lines;
use crate::slots::{Numbering, Slots};
use crate::{DecodeErrorKind, Dumped};

/// The receiver of a dump, if there is one.
pub(crate) type Show<'s> = Option<&'s mut dyn FnMut(&Dumped)>;

/// A game being decoded.
pub(crate) struct GameReading<'s> {
    builder: GameBuilder,
    pub(crate) lines: Lines,
    show: Show<'s>,
}

impl<'s> GameReading<'s> {
    pub(crate) fn new(start: &Chess, numbering: Numbering, show: Show<'s>) -> Self {
        Self {
            builder: GameBuilder::new(start.clone()),
            lines: Lines::new(Slots::new(start, numbering)),
            show,
        }
    }

    pub(crate) fn finish(self) -> Game {
        self.builder.finish()
    }

    /// Shows a code. Its fields and its meaning are computed only if there is a receiver.
    pub(crate) fn show(
        &mut self,
        bytes: Range<usize>,
        describe: impl FnOnce() -> (String, String),
    ) {
        if let Some(show) = &mut self.show {
            let (fields, meaning) = describe();
            show(&Dumped { bytes, fields, meaning });
        }
    }

    /// The SAN of a move in the current position.
    pub(crate) fn san(&self, mv: Move) -> String {
        AnyPosition::from(self.lines.now().position().clone()).san(mv).to_string()
    }

    /// Plays a move, if it is legal. A promoted piece gets this number, or the next one.
    pub(crate) fn play(&mut self, mv: Move, number: Option<usize>) -> Result<(), DecodeErrorKind> {
        if !self.lines.now().position().is_legal(mv) || !self.lines.is_known() {
            return Err(DecodeErrorKind::Illegal(mv));
        }
        self.builder.play(mv)?;
        self.lines.play(mv, number);
        Ok(())
    }

    pub(crate) fn pass(&mut self) -> Result<(), DecodeErrorKind> {
        if !self.lines.is_known() || !self.lines.pass() {
            return Err(DecodeErrorKind::Illegal(Move::NULL));
        }
        Ok(self.builder.null_move("--")?)
    }

    pub(crate) fn word(&mut self, word: &str) -> Result<(), DecodeErrorKind> {
        self.builder.word(word)?;
        self.lines.push_unplayed();
        Ok(())
    }

    pub(crate) fn tag(&mut self, name: &str, value: &str) -> Result<(), DecodeErrorKind> {
        Ok(self.builder.tag(name, value)?)
    }

    pub(crate) fn comment(&mut self, text: &str) -> Result<(), DecodeErrorKind> {
        self.builder.end_tags();
        Ok(self.builder.decoded_comment(CommentStyle::Braces, text)?)
    }

    pub(crate) fn nag(&mut self, nag: Nag) -> Result<(), DecodeErrorKind> {
        Ok(self.builder.nag(nag)?)
    }

    pub(crate) fn result(&mut self, result: GameResult) -> Result<(), DecodeErrorKind> {
        if self.lines.is_main() {
            return Ok(self.builder.result(result)?);
        }
        // Games have no result in a variation.
        self.word(result.as_str())
    }

    pub(crate) fn begin(&mut self) -> Result<(), DecodeErrorKind> {
        if !self.lines.begin() {
            let expected = "a move that it replaces";
            return Err(DecodeErrorKind::Order { what: "a variation", expected });
        }
        if self.lines.is_too_deep() {
            return Err(DecodeErrorKind::TooDeep);
        }
        begin_variation(&mut self.builder)
    }

    pub(crate) fn end(&mut self) -> Result<(), DecodeErrorKind> {
        if !self.lines.end() {
            let expected = "the beginning of a variation before it";
            return Err(DecodeErrorKind::Order { what: "the end of a variation", expected });
        }
        Ok(self.builder.end_variation()?)
    }

    /// Checks that no variation is open.
    pub(crate) fn check_closed(&self) -> Result<(), DecodeErrorKind> {
        if self.lines.is_main() {
            return Ok(());
        }
        let expected = "the end of the open variation";
        Err(DecodeErrorKind::Order { what: "the end of the game", expected })
    }
}
