//! Games become columns, without an allocation per field.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayBuilder, ArrayRef, BinaryBuilder, Date32Builder, Int32Builder, Int64Builder, ListBuilder,
    RecordBatch, StringBuilder, StructBuilder,
};
use halfmove_game::Game;
use halfmove_game::codec::halfmove;

use crate::error::ArchiveError;
use crate::row::Row;
use crate::schema::{file_schema, tag_element, tag_fields};

/// One builder per column, in the order of the schema.
#[derive(Debug)]
pub(super) struct Columns {
    capacity: usize,
    id: Int64Builder,
    event: StringBuilder,
    site: StringBuilder,
    round: StringBuilder,
    white: StringBuilder,
    black: StringBuilder,
    date: Date32Builder,
    year: Int32Builder,
    result: StringBuilder,
    white_elo: Int32Builder,
    black_elo: Int32Builder,
    eco: StringBuilder,
    variant: StringBuilder,
    start_fen: StringBuilder,
    plies: Int32Builder,
    moves: BinaryBuilder,
    fault: StringBuilder,
    tag_order: StringBuilder,
    other_tags: ListBuilder<StructBuilder>,
    /// The bytes of the current game.
    bytes: Vec<u8>,
}

impl Columns {
    pub(super) fn new(capacity: usize) -> Self {
        let text = |length: usize| StringBuilder::with_capacity(capacity, capacity * length);
        let other_tags = StructBuilder::from_fields(tag_fields(), capacity);
        Self {
            capacity,
            id: Int64Builder::with_capacity(capacity),
            event: text(24),
            site: text(24),
            round: text(4),
            white: text(20),
            black: text(20),
            date: Date32Builder::with_capacity(capacity),
            year: Int32Builder::with_capacity(capacity),
            result: text(5),
            white_elo: Int32Builder::with_capacity(capacity),
            black_elo: Int32Builder::with_capacity(capacity),
            eco: text(3),
            variant: text(5),
            start_fen: text(0),
            plies: Int32Builder::with_capacity(capacity),
            moves: BinaryBuilder::with_capacity(capacity, capacity * 90),
            fault: text(0),
            tag_order: text(80),
            other_tags: ListBuilder::new(other_tags).with_field(tag_element()),
            bytes: Vec::with_capacity(512),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Whether it is time to call [`Columns::finish`].
    pub(super) fn is_full(&self) -> bool {
        self.id.len() >= self.capacity
    }

    pub(super) fn push(
        &mut self,
        id: i64,
        game: &Game,
        fault: Option<&str>,
    ) -> Result<(), ArchiveError> {
        let plies = i32::try_from(game.moves.len())
            .map_err(|_| ArchiveError::damaged("a game has more than 2,147,483,647 half-moves"))?;
        let start =
            game.chess_start().ok_or(ArchiveError::NotChess(game.start.variant().name()))?;
        let row = Row::split(game);
        self.bytes.clear();
        halfmove::encode(start, &game.moves, &mut self.bytes);

        self.id.append_value(id);
        self.event.append_option(row.event);
        self.site.append_option(row.site);
        self.round.append_option(row.round);
        self.white.append_option(row.white);
        self.black.append_option(row.black);
        self.date.append_option(row.date);
        self.year.append_option(row.year);
        self.result.append_value(row.result);
        self.white_elo.append_option(row.white_elo);
        self.black_elo.append_option(row.black_elo);
        self.eco.append_option(row.eco);
        self.variant.append_value(if row.chess960 { "chess960" } else { "chess" });
        self.start_fen.append_option(row.start_fen);
        self.plies.append_value(plies);
        self.moves.append_value(&self.bytes);
        self.fault.append_option(fault);
        self.tag_order.append_value(row.tag_order);
        let tags = self.other_tags.values();
        for (name, value) in &row.other_tags {
            for (field, text) in [name, value].into_iter().enumerate() {
                if let Some(builder) = tags.field_builder::<StringBuilder>(field) {
                    builder.append_value(text);
                }
            }
            tags.append(true);
        }
        self.other_tags.append(true);
        Ok(())
    }

    /// Returns the columns, and begins new ones.
    pub(super) fn finish(&mut self) -> Result<RecordBatch, ArchiveError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.id.finish()),
            Arc::new(self.event.finish()),
            Arc::new(self.site.finish()),
            Arc::new(self.round.finish()),
            Arc::new(self.white.finish()),
            Arc::new(self.black.finish()),
            Arc::new(self.date.finish()),
            Arc::new(self.year.finish()),
            Arc::new(self.result.finish()),
            Arc::new(self.white_elo.finish()),
            Arc::new(self.black_elo.finish()),
            Arc::new(self.eco.finish()),
            Arc::new(self.variant.finish()),
            Arc::new(self.start_fen.finish()),
            Arc::new(self.plies.finish()),
            Arc::new(self.moves.finish()),
            Arc::new(self.fault.finish()),
            Arc::new(self.tag_order.finish()),
            Arc::new(self.other_tags.finish()),
        ];
        Ok(RecordBatch::try_new(file_schema(), columns)?)
    }
}
