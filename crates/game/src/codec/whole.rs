//! A whole game in bytes: tree, comments, glyphs, clocks and evaluations.
//!
//! A game consists of parts. An archive keeps each part in a separate column, which is null for games without
//! it: most games have nothing but tags, moves and a result.
//!
//! | part | what |
//! |---|---|
//! | tags | names and values |
//! | moves | the main line, in the [codec `halfmove`](super::halfmove) |
//! | [`Parts::annotations`] | everything else in the text, as tokens |
//! | [`Parts::clocks`] | the clock after each half-move, packed |
//! | [`Parts::evaluations`] | the evaluation of each half-move, packed |
//!
//! Programs write clocks and evaluations into a comment after each half-move, always in the same way. If all
//! are written alike, the comments are not kept as text: one byte says how they are written. Otherwise they
//! are annotations like others, and the values are kept as well, for searches. `docs/reference/whole.md`
//! specifies the parts and the codec [`Whole`].
//!
//! # Why not jose's format
//!
//! [`gametext`](super::gametext) cannot hold all that a game can: comments between the tags, lines that begin
//! with `%`, glyphs as they were written, a third knight, Makruk. And its moves are in the same string as its
//! comments, so a search for positions would have to read both.
//!
//! ```
//! use halfmove_game::codec::{Codec, whole::{Parts, Whole}};
//! use halfmove_game::pgn::read_game;
//!
//! let text = "[White \"Ann\"]\n\n1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:58]} 2. Nf3 {[%clk 0:02:59]} *";
//! let game = read_game(text).unwrap();
//! let parts = Parts::of(&game);
//! // Two tokens: three half-moves, and a result that no tag gives. The clocks are not among them.
//! assert_eq!(parts.annotations, [0x02, 0x8f]);
//! assert_eq!(parts.game(&game.tags, game.start.clone(), &game.moves)?, game);
//!
//! let mut bytes = Vec::new();
//! Whole.encode(&game, &mut bytes)?;
//! assert_eq!(Whole.decode(&bytes)?, game);
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

pub use self::scan::{comments, variations};

use self::packing::{pack_clocks, pack_evaluations, unpack_clocks, unpack_evaluations};
use self::template::Template;
use self::values::Values;
use super::halfmove::Halfmove;
use super::number::{Cursor, push_block, push_number};
use super::{Codec, DecodeError, DecodeErrorKind, Dumped, EncodeError, Holds};
use crate::clock::Clock;
use crate::evaluation::Evaluation;
use crate::game::Game;
use crate::tags::Tags;

/// The version of these bytes, stored next to them.
pub const VERSION: u32 = 1;

/// Everything in a game but its tags, start and main line. An empty part is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Comments, glyphs, variations, counts of Makruk, and a result that differs from the tag `Result`.
    pub annotations: Vec<u8>,
    /// The clock after each half-move.
    pub clocks: Vec<u8>,
    /// The evaluation of each half-move.
    pub evaluations: Vec<u8>,
}

/// A part of a game that is not what it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("byte {} of the {part}: {}", error.offset, error.kind)]
pub struct PartError {
    /// Which part: `annotations`, `clocks` or `evaluations`; for what also reads the main line, `moves`, too.
    pub part: &'static str,
    /// The byte of the part, and what is wrong.
    pub error: DecodeError,
}

impl Parts {
    /// The parts of a game.
    pub fn of(game: &Game) -> Parts {
        let mut parts = Parts::default();
        parts.fill(game);
        parts
    }

    /// Becomes the parts of a game, in the same memory.
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
            // Then all of these comments are written as text.
            values.irregular();
            clocks.clear();
            evaluations.clear();
            pack_clocks(Template::NONE, &values.clocks, clocks);
            pack_evaluations(Template::NONE, &values.evaluations, evaluations);
        }
        tokens::write(game, &values, annotations);
    }

    /// The game of these parts, with its tags, start and main line.
    ///
    /// An archive keeps the parts in the columns `annotations`, `clocks` and `evaluations`, and the start with
    /// the main line in `moves`. From the values of a row:
    ///
    /// ```
    /// use halfmove_game::Tags;
    /// use halfmove_game::codec::{Codec, halfmove::Halfmove, whole::Parts};
    /// use halfmove_game::pgn::write_game;
    ///
    /// let column_moves: &[u8] = &[0x11, 0x11, 0x2f, 0x20];
    /// let column_annotations: Option<&[u8]> = Some(&[0x03, 0x91]);
    /// let column_clocks: Option<&[u8]> = Some(&[0x01, 0, 4, 0x22, 0xd0, 0x38, 0x10, 0xf1, 0xa0]);
    /// let column_evaluations: Option<&[u8]> = None;
    ///
    /// let tags = Tags::from_iter([("White", "Ann"), ("Result", "1-0")]);
    /// let mut moves = Vec::new();
    /// let start = Halfmove.decode_moves(column_moves, &mut moves)?;
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
    /// The first byte that is wrong. Moves of the main line that are not legal are an error of the
    /// annotations.
    pub fn game(&self, tags: &Tags, start: AnyPosition, moves: &[Move]) -> Result<Game, PartError> {
        self.read(tags, start, moves, None)
    }

    /// The same; `show` is told of each token of the annotations.
    fn read(
        &self,
        tags: &Tags,
        start: AnyPosition,
        moves: &[Move],
        show: Option<&mut dyn FnMut(&Dumped)>,
    ) -> Result<Game, PartError> {
        let of = |part| move |error| PartError { part, error };
        let (of_clocks, clocks) = unpack_clocks(&self.clocks, moves.len()).map_err(of("clocks"))?;
        let (of_evaluations, evaluations) =
            unpack_evaluations(&self.evaluations, moves.len()).map_err(of("evaluations"))?;
        let template = if clocks.is_empty() { of_evaluations } else { of_clocks };
        if !evaluations.is_empty() && template != of_evaluations {
            let kind = DecodeErrorKind::Uneven;
            return Err(of("evaluations")(DecodeError { offset: 0, kind }));
        }
        let template = template.is_regular().then_some(template);
        let values = Values { clocks, evaluations, template, ..Values::default() };
        tokens::read(start, tags, moves, &values, &self.annotations, show)
            .map_err(of("annotations"))
    }
}

/// The clock after each half-move of a game with so many, from the bytes of [`Parts::clocks`]. The list may end
/// before the game does.
///
/// # Errors
///
/// The first byte that is wrong.
pub fn clocks(bytes: &[u8], plies: usize) -> Result<Vec<Option<Clock>>, DecodeError> {
    unpack_clocks(bytes, plies).map(|(_, clocks)| clocks)
}

/// The evaluation of each half-move of a game with so many, from the bytes of [`Parts::evaluations`]. The list may
/// end before the game does.
///
/// # Errors
///
/// The first byte that is wrong.
pub fn evaluations(bytes: &[u8], plies: usize) -> Result<Vec<Option<Evaluation>>, DecodeError> {
    unpack_evaluations(bytes, plies).map(|(_, evaluations)| evaluations)
}

/// The codec `whole`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Whole;

/// The parts of a game within its bytes.
struct Sections {
    tags: Tags,
    moves: Range<usize>,
    annotations: Range<usize>,
    clocks: Range<usize>,
    evaluations: Range<usize>,
}

impl Sections {
    fn read(bytes: &[u8]) -> Result<Sections, DecodeError> {
        let mut cursor = Cursor::new(bytes);
        let mut tags = Tags::new();
        // If there are fewer, the bytes end before so many are read.
        let count = cursor.number()?;
        for _ in 0..count {
            let name = cursor.text()?;
            tags.push(name, cursor.text()?);
        }
        let mut section = || {
            let block = cursor.block()?;
            Ok(cursor.at - block.len()..cursor.at)
        };
        let (moves, annotations) = (section()?, section()?);
        let (clocks, evaluations) = (section()?, section()?);
        if cursor.at < bytes.len() {
            return cursor.error(DecodeErrorKind::Uneven);
        }
        Ok(Sections { tags, moves, annotations, clocks, evaluations })
    }

    /// The game; `show` is told of each token of the annotations.
    fn game(
        &self,
        bytes: &[u8],
        show: Option<&mut dyn FnMut(&Dumped)>,
    ) -> Result<Game, DecodeError> {
        let mut moves = Vec::new();
        let start = Halfmove.decode_moves(&bytes[self.moves.clone()], &mut moves);
        let start = start.map_err(|error| at(&self.moves, error))?;
        let part = |range: &Range<usize>| bytes[range.clone()].to_vec();
        let parts = Parts {
            annotations: part(&self.annotations),
            clocks: part(&self.clocks),
            evaluations: part(&self.evaluations),
        };
        parts.read(&self.tags, start, &moves, show).map_err(|PartError { part, error }| {
            let section = match part {
                "clocks" => &self.clocks,
                "evaluations" => &self.evaluations,
                _ => &self.annotations,
            };
            at(section, error)
        })
    }
}

/// An error within a section.
fn at(section: &Range<usize>, error: DecodeError) -> DecodeError {
    DecodeError { offset: section.start + error.offset, ..error }
}

impl Codec for Whole {
    fn name(&self) -> &'static str {
        "whole"
    }

    fn version(&self) -> u32 {
        VERSION
    }

    fn holds(&self) -> Holds {
        Holds::EVERYTHING
    }

    fn encode(&self, game: &Game, bytes: &mut Vec<u8>) -> Result<(), EncodeError> {
        let mut moves = Vec::new();
        Halfmove.encode_moves(&game.start, &game.moves, &mut moves)?;
        let parts = Parts::of(game);
        push_number(game.tags.len() as u64, bytes);
        for (name, value) in game.tags.iter() {
            push_block(name.as_bytes(), bytes);
            push_block(value.as_bytes(), bytes);
        }
        for part in [&moves, &parts.annotations, &parts.clocks, &parts.evaluations] {
            push_block(part, bytes);
        }
        Ok(())
    }

    fn decode(&self, bytes: &[u8]) -> Result<Game, DecodeError> {
        Sections::read(bytes)?.game(bytes, None)
    }

    fn encode_moves(
        &self,
        start: &AnyPosition,
        moves: &[Move],
        bytes: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        let mut line = Vec::new();
        Halfmove.encode_moves(start, moves, &mut line)?;
        bytes.push(0);
        push_block(&line, bytes);
        bytes.extend([0; 3]);
        Ok(())
    }

    fn decode_moves(
        &self,
        bytes: &[u8],
        moves: &mut Vec<Move>,
    ) -> Result<AnyPosition, DecodeError> {
        let line = Sections::read(bytes)?.moves;
        Halfmove.decode_moves(&bytes[line.clone()], moves).map_err(|error| at(&line, error))
    }

    fn dump(&self, bytes: &[u8], show: &mut dyn FnMut(&Dumped)) -> Result<(), DecodeError> {
        let sections = Sections::read(bytes)?;
        let mut end = 0;
        let mut code = |show: &mut dyn FnMut(&Dumped), to, fields: String, meaning| {
            if end < to {
                show(&Dumped { bytes: end..to, fields, meaning });
            }
            end = to;
        };
        let count = sections.tags.len();
        let mut cursor = Cursor::new(bytes);
        cursor.number()?;
        code(show, cursor.at, "tags".to_owned(), count.to_string());
        for (name, value) in sections.tags.iter() {
            cursor.block()?;
            cursor.block()?;
            code(show, cursor.at, "tag".to_owned(), format!("{name}: {value}"));
        }
        let Sections { moves, annotations, clocks: times, evaluations: scores, .. } = &sections;
        let mut length = |show: &mut dyn FnMut(&Dumped), section: &Range<usize>, of: &str| {
            let meaning = format!("{} bytes of {of}", section.len());
            code(show, section.start, "length".to_owned(), meaning);
            code(&mut |_| {}, section.end, String::new(), String::new());
        };
        let shifted = |show: &mut dyn FnMut(&Dumped), section: &Range<usize>, code: &Dumped| {
            let bytes = section.start + code.bytes.start..section.start + code.bytes.end;
            show(&Dumped { bytes, ..code.clone() });
        };
        length(show, moves, "moves");
        let line = &bytes[moves.clone()];
        let dumped = Halfmove.dump(line, &mut |code| shifted(show, moves, code));
        dumped.map_err(|error| at(moves, error))?;
        length(show, annotations, "annotations");
        let mut token = |code: &Dumped| shifted(show, annotations, code);
        let game = sections.game(bytes, Some(&mut token))?;
        for (section, name) in [(times, "clocks"), (scores, "evaluations")] {
            length(show, section, name);
            let part = &bytes[section.clone()];
            let values = match name {
                "clocks" => clocks(part, game.moves.len())?.iter().flatten().count(),
                _ => evaluations(part, game.moves.len())?.iter().flatten().count(),
            };
            if !section.is_empty() {
                let meaning = format!("{values} {name}");
                let fields = name.to_owned();
                show(&Dumped { bytes: section.clone(), fields, meaning });
            }
        }
        Ok(())
    }
}
