//! A whole game in bytes: tree, comments, glyphs, clocks and evaluations.
//!
//! A game consists of parts. An archive stores each part in a separate column, which is null for games without it: most
//! games have only tags, moves and a result.
//!
//! | part | content |
//! |---|---|
//! | tags | names and values |
//! | moves | the main line, in the [byte code `halfmove`](super::halfmove) |
//! | [`Parts::annotations`] | everything else in the text, as tokens |
//! | [`Parts::clocks`] | the clock after each half-move, packed |
//! | [`Parts::evaluations`] | the evaluation of each half-move, packed |
//!
//! Programs write clocks and evaluations into a comment after each half-move, always in the same way. If all comments
//! have the same layout, they are not stored as text: one byte stores their template. Otherwise they are stored as
//! ordinary annotations, and the values separately as well, for searches. `docs/reference/whole.md` specifies the
//! parts.
//!
//! # Why not jose's format
//!
//! jose's `gametext` cannot represent everything in a game: comments between the tags, lines that begin with `%`, the
//! spelling of glyphs, a third knight, Makruk. And its moves are in the same string as its comments, so a search for
//! positions would have to read both.
//!
//! ```
//! use halfmove_game::codec::whole::Parts;
//! use halfmove_game::pgn::read_game;
//!
//! let text = "[White \"Ann\"]\n\n1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:58]} 2. Nf3 {[%clk 0:02:59]} *";
//! let game = read_game(text).unwrap();
//! let parts = Parts::of(&game);
//! // Two tokens: three half-moves, and a result that no tag gives. The clocks are not among them.
//! assert_eq!(parts.annotations, [0x02, 0x8f]);
//! assert_eq!(parts.game(&game.tags, game.start.clone(), &game.moves)?, game);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod packing;
mod rice;
mod scan;
mod template;
mod tokens;
mod values;

use std::ops::Range;

use halfmove_rules::{AnyPosition, Move};
use thiserror::Error;

pub use self::scan::{comments, find_in_variations, first_annotation, nags, variations};
pub use self::tokens::{Token, move_numbered};

use self::packing::{pack_clocks, pack_evaluations, unpack_clocks, unpack_evaluations};
use self::template::Template;
use self::values::Values;
use super::{DecodeError, DecodeErrorKind};
use crate::clock::Clock;
use crate::evaluation::Evaluation;
use crate::game::Game;
use crate::tags::Tags;

/// The name of these bytes, stored with the version.
pub const NAME: &str = "whole";

/// The version of these bytes, stored next to them.
pub const VERSION: u32 = 1;

/// Everything in a game except its tags, start and main line. An empty part is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Comments, glyphs, variations, counts of Makruk, and a result that differs from the tag `Result`.
    pub annotations: Vec<u8>,
    /// The clock after each half-move.
    pub clocks: Vec<u8>,
    /// The evaluation of each half-move.
    pub evaluations: Vec<u8>,
}

/// An invalid part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("byte {} of the {part}: {}", error.offset, error.kind)]
pub struct PartError {
    /// The part: `annotations`, `clocks` or `evaluations`, or `moves` in functions that also read the main line.
    pub part: &'static str,
    /// The byte of the part, and its fault.
    pub error: DecodeError,
}

impl Parts {
    /// The parts of a game.
    pub fn of(game: &Game) -> Parts {
        let mut parts = Parts::default();
        parts.fill(game);
        parts
    }

    /// Replaces these with the parts of a game, reusing their memory.
    pub fn fill(&mut self, game: &Game) {
        let Parts { annotations, clocks, evaluations } = self;
        annotations.clear();
        clocks.clear();
        evaluations.clear();
        let usual = tokens::usual_result(&game.tags);
        if game.annotations.is_empty() && game.count_calls.is_empty() && game.result == usual {
            return;
        }
        let mut values = Values::alone(game).unwrap_or_else(|| Values::of(game));
        let template = values.template.unwrap_or(Template::NONE);
        let are_held = pack_clocks(template, &values.clocks, clocks)
            & pack_evaluations(template, &values.evaluations, evaluations);
        if are_held && values.are_alone && game.result == usual {
            return;
        }
        if !are_held && values.template.is_some() {
            // All of these comments are written as text then.
            values.irregular();
            clocks.clear();
            evaluations.clear();
            pack_clocks(Template::NONE, &values.clocks, clocks);
            pack_evaluations(Template::NONE, &values.evaluations, evaluations);
        }
        tokens::write(game, &values, annotations);
    }

    /// Builds the game from these parts, its tags, start and main line.
    ///
    /// An archive keeps the parts in the columns `annotations`, `clocks` and `evaluations`, and the start with
    /// the main line in `moves`. From the values of a row:
    ///
    /// ```
    /// use halfmove_game::Tags;
    /// use halfmove_game::codec::{halfmove, whole::Parts};
    /// use halfmove_game::pgn::write_game;
    ///
    /// let column_moves: &[u8] = &[0x11, 0x11, 0x2f, 0x20];
    /// let column_annotations: Option<&[u8]> = Some(&[0x03, 0x91]);
    /// let column_clocks: Option<&[u8]> = Some(&[0x01, 0, 4, 0x22, 0xd0, 0x38, 0x10, 0xf1, 0xa0]);
    /// let column_evaluations: Option<&[u8]> = None;
    ///
    /// let tags = Tags::from_iter([("White", "Ann"), ("Result", "1-0")]);
    /// let mut moves = Vec::new();
    /// let start = halfmove::decode_moves(column_moves, &mut moves)?;
    /// let part = |column: Option<&[u8]>| column.unwrap_or_default().to_vec();
    /// let parts = Parts {
    ///     annotations: part(column_annotations),
    ///     clocks: part(column_clocks),
    ///     evaluations: part(column_evaluations),
    /// };
    /// let game = parts.game(&tags, start, &moves)?;
    /// assert_eq!(
    ///     write_game(&game)?,
    ///     "[White \"Ann\"]
    /// [Result \"1-0\"]
    ///
    /// 1. e4 {[%clk 0:03:00]} 1... e5 {[%clk 0:02:58]} 2. Nf3 {[%clk 0:02:57]} 2...
    /// Nc6? {[%clk 0:02:50]} 1-0
    ///
    /// "
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails at the first invalid byte. Illegal moves in the main line are reported as an error in the annotations.
    pub fn game(&self, tags: &Tags, start: AnyPosition, moves: &[Move]) -> Result<Game, PartError> {
        self.read(tags, start, moves, None)
    }

    /// Like [`Parts::game`], but also calls `watch` with each token of the annotations: its byte range, the token, and
    /// the position before it.
    ///
    /// # Errors
    ///
    /// Same as [`Parts::game`], after all tokens before the error.
    pub fn watched(
        &self,
        tags: &Tags,
        start: AnyPosition,
        moves: &[Move],
        watch: &mut dyn FnMut(Range<usize>, Token<'_>, &AnyPosition),
    ) -> Result<Game, PartError> {
        self.read(tags, start, moves, Some(watch))
    }

    /// The clocks and evaluations of a game of `plies` whose comments are regular; `None` for other games.
    ///
    /// # Errors
    ///
    /// The first invalid byte of the clocks or evaluations.
    pub fn regular(&self, plies: usize) -> Result<Option<Regular>, PartError> {
        let (template, values) = self.values(plies)?;
        let Values { clocks, evaluations, .. } = values;
        let template = template.is_regular().then_some(template.0);
        Ok(template.map(|template| Regular { template, clocks, evaluations }))
    }

    /// Parts with regular clocks and evaluations; `None` if no template writes them.
    pub fn of_regular(annotations: Vec<u8>, regular: &Regular) -> Option<Parts> {
        let template = Template(regular.template);
        let mut parts = Parts { annotations, ..Parts::default() };
        let are_held = pack_clocks(template, &regular.clocks, &mut parts.clocks)
            & pack_evaluations(template, &regular.evaluations, &mut parts.evaluations);
        (template.is_regular() && are_held).then_some(parts)
    }

    fn values(&self, plies: usize) -> Result<(Template, Values), PartError> {
        let of = |part| move |error| PartError { part, error };
        let (of_clocks, clocks) = unpack_clocks(&self.clocks, plies).map_err(of("clocks"))?;
        let (of_evaluations, evaluations) =
            unpack_evaluations(&self.evaluations, plies).map_err(of("evaluations"))?;
        let template = if clocks.is_empty() { of_evaluations } else { of_clocks };
        if !evaluations.is_empty() && template != of_evaluations {
            let kind = DecodeErrorKind::Uneven;
            return Err(of("evaluations")(DecodeError { offset: 0, kind }));
        }
        Ok((template, Values { clocks, evaluations, ..Values::default() }))
    }

    fn read(
        &self,
        tags: &Tags,
        start: AnyPosition,
        moves: &[Move],
        watch: Option<tokens::Watch<'_>>,
    ) -> Result<Game, PartError> {
        let (template, mut values) = self.values(moves.len())?;
        values.template = template.is_regular().then_some(template);
        tokens::read(start, tags, moves, &values, &self.annotations, watch)
            .map_err(|error| PartError { part: "annotations", error })
    }
}

/// Clocks and evaluations in comments of one layout, without the other parts of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regular {
    /// The template of the comments, as in the first byte of [`Parts::clocks`].
    pub template: u8,
    /// The clock after each half-move; the list may end before the game does.
    pub clocks: Vec<Option<Clock>>,
    /// The evaluation of each half-move, as the clocks.
    pub evaluations: Vec<Option<Evaluation>>,
}

/// The clock after each half-move of a game of `plies`, from the bytes of [`Parts::clocks`]. The list may end before
/// the game does.
///
/// # Errors
///
/// Fails at the first invalid byte.
pub fn clocks(bytes: &[u8], plies: usize) -> Result<Vec<Option<Clock>>, DecodeError> {
    unpack_clocks(bytes, plies).map(|(_, clocks)| clocks)
}

/// The evaluation of each half-move of a game of `plies`, from the bytes of [`Parts::evaluations`]. The list may end
/// before the game does.
///
/// # Errors
///
/// Fails at the first invalid byte.
pub fn evaluations(bytes: &[u8], plies: usize) -> Result<Vec<Option<Evaluation>>, DecodeError> {
    unpack_evaluations(bytes, plies).map(|(_, evaluations)| evaluations)
}
