//! A whole game in a single string of bytes.

use std::ops::Range;

use halfmove_game::codec::number::{Cursor, push_block, push_number};
use halfmove_game::codec::whole::{
    self, PartError, Parts, Token, clocks, evaluations, move_numbered,
};
use halfmove_game::codec::{DecodeErrorKind, halfmove};
use halfmove_game::pgn::CommentStyle;
use halfmove_game::{Game, Tags};
use halfmove_rules::{AnyPosition, Move};

use crate::{Codec, DecodeError, Dumped, EncodeError, Halfmove, Holds};

/// `whole`: everything in a game.
///
/// An archive keeps the [parts](halfmove_game::codec::whole) of a game in separate columns. Here they follow one
/// another, after the tags:
///
/// ```text
///  number of tags │ name value … │ moves │ annotations │ clocks │ evaluations
///                   each a length and as many bytes
/// ```
///
/// `docs/reference/whole.md` specifies the parts and this order.
///
/// ```
/// use halfmove_codecs::{Codec, Whole};
/// use halfmove_game::pgn::read_game;
///
/// let game = read_game("[White \"Ann\"]\n\n1. e4 {[%clk 0:03:00]} e5 (1... c5!) 2. Nf3 *")?;
/// let mut bytes = Vec::new();
/// Whole.encode(&game, &mut bytes)?;
/// assert_eq!(Whole.decode(&bytes)?, game);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
        // With fewer tags than that, the bytes end too early.
        let count = cursor.number()?;
        for _ in 0..count {
            let name = cursor.text()?;
            tags.push(name, cursor.text()?);
        }
        let mut section = || {
            let block = cursor.block()?;
            Ok(cursor.offset() - block.len()..cursor.offset())
        };
        let (moves, annotations) = (section()?, section()?);
        let (clocks, evaluations) = (section()?, section()?);
        if cursor.offset() < bytes.len() {
            return Err(DecodeError { offset: cursor.offset(), kind: DecodeErrorKind::Uneven });
        }
        Ok(Sections { tags, moves, annotations, clocks, evaluations })
    }

    /// Decodes the game, and shows each token of its annotations.
    fn game(
        &self,
        bytes: &[u8],
        show: Option<&mut dyn FnMut(&Dumped)>,
    ) -> Result<Game, DecodeError> {
        let mut moves = Vec::new();
        let start = halfmove::decode_moves(&bytes[self.moves.clone()], &mut moves);
        let start = start.map_err(|error| at(&self.moves, error))?;
        let part = |range: &Range<usize>| bytes[range.clone()].to_vec();
        let parts = Parts {
            annotations: part(&self.annotations),
            clocks: part(&self.clocks),
            evaluations: part(&self.evaluations),
        };
        let game = match show {
            None => parts.game(&self.tags, start, &moves),
            Some(show) => parts.watched(&self.tags, start, &moves, &mut |at, token, before| {
                let (fields, meaning) = describe(token, before);
                let bytes = self.annotations.start + at.start..self.annotations.start + at.end;
                show(&Dumped { bytes, fields: fields.to_owned(), meaning });
            }),
        };
        game.map_err(|PartError { part, error }| {
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
        whole::NAME
    }

    fn version(&self) -> u32 {
        whole::VERSION
    }

    fn holds(&self) -> Holds {
        Holds::EVERYTHING
    }

    fn encode(&self, game: &Game, bytes: &mut Vec<u8>) -> Result<(), EncodeError> {
        let mut moves = Vec::new();
        halfmove::encode(game, &mut moves)?;
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
        halfmove::encode_moves(start, moves, &mut line)?;
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
        halfmove::decode_moves(&bytes[line.clone()], moves).map_err(|error| at(&line, error))
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
        code(show, cursor.offset(), "tags".to_owned(), count.to_string());
        for (name, value) in sections.tags.iter() {
            cursor.block()?;
            cursor.block()?;
            code(show, cursor.offset(), "tag".to_owned(), format!("{name}: {value}"));
        }
        let Sections { moves, annotations, clocks: times, evaluations: scores, .. } = &sections;
        let mut length = |show: &mut dyn FnMut(&Dumped), section: &Range<usize>, of: &str| {
            let meaning = format!("{} bytes of {of}", section.len());
            code(show, section.start, "length".to_owned(), meaning);
            code(&mut |_| {}, section.end, String::new(), String::new());
        };
        length(show, moves, "moves");
        Halfmove
            .dump(&bytes[moves.clone()], &mut |code| {
                let bytes = moves.start + code.bytes.start..moves.start + code.bytes.end;
                show(&Dumped { bytes, ..code.clone() });
            })
            .map_err(|error| at(moves, error))?;
        length(show, annotations, "annotations");
        let game = sections.game(bytes, Some(show))?;
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

/// The fields and the meaning of a token.
fn describe(token: Token<'_>, before: &AnyPosition) -> (&'static str, String) {
    match token {
        Token::Moves(count) => ("half-moves", format!("{count} of the main line")),
        Token::Move(number) => {
            let mv = move_numbered(before, number);
            ("move", mv.map_or(String::new(), |mv| before.san(mv).to_string()))
        }
        Token::NullMove(text) => ("null move", text.to_owned()),
        Token::Word(text) => ("no move", text.to_owned()),
        Token::Begin => ("variation", "(".to_owned()),
        Token::End => ("end of variation", ")".to_owned()),
        Token::Comment(CommentStyle::Braces, text) => ("comment", text.to_owned()),
        Token::Comment(CommentStyle::Line, text) => {
            ("comment to the end of the line", text.to_owned())
        }
        Token::Escape(text) => ("line", format!("%{text}")),
        Token::Nag(nag) => ("glyph", nag.to_string()),
        Token::BeginCount => ("count", "begins".to_owned()),
        Token::StopCount => ("count", "stops".to_owned()),
        Token::AfterTags(tags) => ("after tags", tags.to_string()),
        Token::UsualResult => ("result", "that of the tag".to_owned()),
        Token::Result(result) => ("result", result.to_string()),
        Token::NoResult => ("no result", String::new()),
    }
}
