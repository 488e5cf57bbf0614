//! Building columns from games, without allocations per game.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BinaryBuilder, GenericByteBuilder, Int32Builder, StringBuilder,
};
use arrow_array::types::ByteArrayType;
use arrow_array::{ArrayRef, Int64Array, ListArray, RecordBatch, StringArray, StructArray};
use arrow_buffer::OffsetBuffer;
use halfmove_game::codec::halfmove;
use halfmove_game::codec::whole::Parts;
use halfmove_game::pgn::{PgnError, SegmentStart};
use halfmove_game::replay::Signature;
use halfmove_game::{Game, GameResult, Tags};
use halfmove_rules::{AnyPosition, Move};

use crate::columns::{FactBuilders, Splitter};
use crate::error::ArchiveError;
use crate::snapshot::schema::{COLUMNS, file_schema, tag_element, tag_fields};
use crate::variants::VariantCounts;

/// The maximum number of games in a [`Chunk`].
const GAMES: usize = 8_192;

/// The number of bytes after which builders are finished as a [`Chunk`]: the texts of a column must stay far below the
/// 2 GiB that Arrow's offsets can address.
const BYTES: usize = 4 * 1024 * 1024;

/// Columns of successive games: all but the ids, and the faults, whose places are still relative to the
/// segment.
#[derive(Debug)]
pub(super) struct Chunk {
    /// The columns in the order of the schema, without `id`, `fault`, `source` and `facts`.
    arrays: Vec<ArrayRef>,
    /// The columns that are computed from tags, in the order of the schema.
    facts: Vec<ArrayRef>,
    pub(super) games: usize,
    pub(super) plies: u64,
    pub(super) variants: VariantCounts,
    /// The approximate memory size in bytes.
    pub(super) bytes: usize,
    /// The games with a fault, by their number in the chunk.
    faults: Vec<(usize, Fault)>,
    /// The name of their source.
    pub(super) source: Option<Arc<str>>,
}

/// The reason why the moves of a game end early.
#[derive(Debug)]
pub(super) enum Fault {
    /// A reason given by the caller.
    Text(String),
    /// A fault found by the reader, with a place in its segment.
    Error(Box<PgnError>),
}

/// One builder per column, in the order of the schema.
#[derive(Debug)]
pub(super) struct Builders {
    splitter: Splitter,
    event: StringBuilder,
    site: StringBuilder,
    round: StringBuilder,
    white: StringBuilder,
    black: StringBuilder,
    facts: FactBuilders,
    result: StringBuilder,
    white_elo: Int32Builder,
    black_elo: Int32Builder,
    eco: StringBuilder,
    variant: StringBuilder,
    start_fen: StringBuilder,
    plies: Int32Builder,
    moves: BinaryBuilder,
    tag_order: StringBuilder,
    other_tags: OtherTags,
    annotations: BinaryBuilder,
    clocks: BinaryBuilder,
    evaluations: BinaryBuilder,
    signature: BinaryBuilder,
    faults: Vec<(usize, Fault)>,
    games: usize,
    half_moves: u64,
    variants: VariantCounts,
    bytes: usize,
}

/// The column `other_tags`.
#[derive(Debug, Default)]
struct OtherTags {
    /// The number of tags of each game.
    tags: Vec<usize>,
    names: StringBuilder,
    values: StringBuilder,
}

/// A game in the form of column values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Whole<'a> {
    pub(super) tags: &'a Tags,
    pub(super) start: &'a AnyPosition,
    pub(super) result: Option<GameResult>,
    /// The main line, at about one byte per half-move.
    pub(super) moves: &'a [u8],
    /// The main line as moves.
    pub(super) line: &'a [Move],
    /// Everything else in the text.
    pub(super) parts: &'a Parts,
}

/// An encoder of games that reuses its memory.
#[derive(Debug, Default)]
pub(super) struct Coder {
    /// The main line.
    pub(super) moves: Vec<u8>,
    parts: Parts,
}

impl Coder {
    /// Encodes a game to column values.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::NotStorable`] for a game whose moves cannot be encoded.
    pub(super) fn code<'a>(&'a mut self, game: &'a Game) -> Result<Whole<'a>, ArchiveError> {
        self.moves.clear();
        let encoded = halfmove::encode_moves(&game.start, &game.moves, &mut self.moves);
        encoded.map_err(ArchiveError::NotStorable)?;
        Ok(self.with_moves(game))
    }

    /// Like `code`, for a main line that is already encoded.
    pub(super) fn with_moves<'a>(&'a mut self, game: &'a Game) -> Whole<'a> {
        self.parts.fill(game);
        Whole {
            tags: &game.tags,
            start: &game.start,
            result: game.result,
            moves: &self.moves,
            line: &game.moves,
            parts: &self.parts,
        }
    }
}

impl Builders {
    pub(super) fn new() -> Self {
        Self {
            splitter: Splitter::default(),
            event: StringBuilder::new(),
            site: StringBuilder::new(),
            round: StringBuilder::new(),
            white: StringBuilder::new(),
            black: StringBuilder::new(),
            facts: FactBuilders::default(),
            result: StringBuilder::new(),
            white_elo: Int32Builder::new(),
            black_elo: Int32Builder::new(),
            eco: StringBuilder::new(),
            variant: StringBuilder::new(),
            start_fen: StringBuilder::new(),
            plies: Int32Builder::new(),
            moves: BinaryBuilder::new(),
            tag_order: StringBuilder::new(),
            other_tags: OtherTags::default(),
            annotations: BinaryBuilder::new(),
            clocks: BinaryBuilder::new(),
            evaluations: BinaryBuilder::new(),
            signature: BinaryBuilder::new(),
            faults: Vec::new(),
            games: 0,
            half_moves: 0,
            variants: VariantCounts::default(),
            bytes: 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.games == 0
    }

    /// Returns true if it is time to call [`Builders::finish`].
    pub(super) fn is_full(&self) -> bool {
        self.games >= GAMES || self.bytes >= BYTES
    }

    pub(super) fn push(
        &mut self,
        game: Whole<'_>,
        fault: Option<Fault>,
    ) -> Result<(), ArchiveError> {
        let plies = i32::try_from(game.line.len())
            .map_err(|_| ArchiveError::damaged("a game has more than 2,147,483,647 half-moves"))?;
        let signature = Signature::of_moves(game.start, game.line, game.moves);
        let signature = signature.map_err(ArchiveError::damaged)?;
        let variant = game.start.variant();
        let split = self.splitter.split(game.tags, game.start, game.result);
        self.event.append_option(split.event);
        self.site.append_option(split.site);
        self.round.append_option(split.round);
        self.white.append_option(split.white);
        self.black.append_option(split.black);
        self.facts.push(&split.facts, split.of_date);
        self.result.append_value(split.result);
        self.white_elo.append_option(split.white_elo);
        self.black_elo.append_option(split.black_elo);
        self.eco.append_option(split.eco);
        self.variant.append_value(variant.name());
        match (split.usual, split.fen) {
            (true, _) => self.start_fen.append_null(),
            (false, Some(fen)) => self.start_fen.append_value(fen),
            (false, None) => self.start_fen.append_value(game.start.to_string()),
        }
        self.plies.append_value(plies);
        self.moves.append_value(game.moves);
        self.tag_order.append_value(split.tag_order);
        let text = split.tag_order.len() + split.text_bytes;
        for (name, value) in split.others.iter().filter_map(|&index| game.tags.nth(index)) {
            self.other_tags.names.append_value(name);
            self.other_tags.values.append_value(value);
        }
        self.other_tags.tags.push(split.others.len());
        let Parts { annotations, clocks, evaluations } = game.parts;
        let text = text + annotations.len() + clocks.len() + evaluations.len();
        // Most games have none of these.
        let is_there = |part: &&Vec<u8>| !part.is_empty();
        self.annotations.append_option(Some(annotations).filter(is_there));
        self.clocks.append_option(Some(clocks).filter(is_there));
        self.evaluations.append_option(Some(evaluations).filter(is_there));
        self.signature.append_value(signature.to_bytes());
        if let Some(fault) = fault {
            self.faults.push((self.games, fault));
        }
        self.games += 1;
        self.half_moves += game.line.len() as u64;
        self.variants.count(variant, 1);
        // Offsets, numbers and the signature take about 150 bytes.
        self.bytes += text + game.moves.len() + 150;
        Ok(())
    }

    /// Returns the columns, and starts new ones with the same capacity, to avoid reallocation.
    pub(super) fn finish(&mut self) -> Result<Chunk, ArchiveError> {
        let facts = COLUMNS.iter().filter(|column| column.is_of_tags());
        let facts = facts.filter_map(|column| self.facts.finish(column.name)).collect();
        Ok(Chunk {
            facts,
            arrays: vec![
                finish_text(&mut self.event),
                finish_text(&mut self.site),
                finish_text(&mut self.round),
                finish_text(&mut self.white),
                finish_text(&mut self.black),
                finish_text(&mut self.result),
                Arc::new(self.white_elo.finish()),
                Arc::new(self.black_elo.finish()),
                finish_text(&mut self.eco),
                finish_text(&mut self.variant),
                Arc::new(self.start_fen.finish()),
                Arc::new(self.plies.finish()),
                finish_text(&mut self.moves),
                finish_text(&mut self.tag_order),
                self.other_tags.finish()?,
                finish_text(&mut self.annotations),
                finish_text(&mut self.clocks),
                finish_text(&mut self.evaluations),
                finish_text(&mut self.signature),
            ],
            games: std::mem::take(&mut self.games),
            plies: std::mem::take(&mut self.half_moves),
            variants: std::mem::take(&mut self.variants),
            bytes: std::mem::take(&mut self.bytes),
            faults: std::mem::take(&mut self.faults),
            source: None,
        })
    }
}

/// The maximum capacity reserved in advance, since very long texts are rare.
const MAX_ROOM: usize = 1024 * 1024;

/// Returns the texts, and starts new ones with slightly more capacity.
fn finish_text<T: ByteArrayType>(builder: &mut GenericByteBuilder<T>) -> ArrayRef {
    let bytes = builder.values_slice().len();
    let room = if bytes > MAX_ROOM { 0 } else { bytes + bytes / 8 };
    let next = GenericByteBuilder::with_capacity(builder.len(), room);
    Arc::new(std::mem::replace(builder, next).finish())
}

impl OtherTags {
    fn finish(&mut self) -> Result<ArrayRef, ArchiveError> {
        let parts = vec![finish_text(&mut self.names), finish_text(&mut self.values)];
        let tags = StructArray::try_new(tag_fields(), parts, None)?;
        let games = OffsetBuffer::from_lengths(self.tags.drain(..));
        Ok(Arc::new(ListArray::try_new(Arc::new(tag_element()), games, Arc::new(tags), None)?))
    }
}

/// Columns of games whose tags have changed.
#[derive(Debug)]
pub(in crate::change) struct Headers(Builders, Coder);

impl Default for Headers {
    fn default() -> Self {
        Self(Builders::new(), Coder::default())
    }
}

impl Headers {
    pub(in crate::change) fn push(&mut self, game: &Game) -> Result<(), ArchiveError> {
        let Self(builders, coder) = self;
        builders.push(coder.code(game)?, None)
    }

    pub(in crate::change) fn games(&self) -> usize {
        self.0.games
    }

    /// All columns, with ids from 1, and without faults and sources.
    pub(in crate::change) fn finish(mut self) -> Result<RecordBatch, ArchiveError> {
        self.0.finish()?.into_batch(1)
    }
}

impl Chunk {
    /// Converts the places of the faults from the segment to the file.
    pub(super) fn renumber(&mut self, start: &SegmentStart) {
        for (_, fault) in &mut self.faults {
            if let Fault::Error(error) = fault {
                start.renumber_error(error);
            }
        }
    }

    /// The faults that the reader found.
    pub(super) fn errors(&self) -> impl Iterator<Item = &PgnError> {
        self.faults.iter().filter_map(|(_, fault)| match fault {
            Fault::Error(error) => Some(error.as_ref()),
            Fault::Text(_) => None,
        })
    }

    /// All columns of the chunk, with ids from `first_id` on.
    pub(super) fn into_batch(self, first_id: i64) -> Result<RecordBatch, ArchiveError> {
        let ids: Range<i64> = first_id..first_id + self.games as i64;
        let mut faults = StringBuilder::with_capacity(self.games, 0);
        for (number, fault) in &self.faults {
            faults.append_nulls(number - faults.len());
            match fault {
                Fault::Text(text) => faults.append_value(text),
                Fault::Error(error) => faults.append_value(error.to_string()),
            }
        }
        faults.append_nulls(self.games - faults.len());
        let mut ids: Option<ArrayRef> = Some(Arc::new(Int64Array::from_iter_values(ids)));
        let mut faults: Option<ArrayRef> = Some(Arc::new(faults.finish()));
        let source: StringArray = std::iter::repeat_n(self.source.as_deref(), self.games).collect();
        let mut source: Option<ArrayRef> = Some(Arc::new(source));
        let (mut arrays, mut facts) = (self.arrays.into_iter(), self.facts.into_iter());
        let columns = COLUMNS.iter().filter_map(|column| match column.name {
            "id" => ids.take(),
            "fault" => faults.take(),
            "source" => source.take(),
            _ if column.is_of_tags() => facts.next(),
            _ => arrays.next(),
        });
        Ok(RecordBatch::try_new(file_schema(), columns.collect())?)
    }
}
