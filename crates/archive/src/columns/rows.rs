//! The columns of a batch by name, and games from them.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Date32Type, Int32Type, Int64Type};
use arrow_array::{Array, ListArray, RecordBatch};
use arrow_schema::DataType;
use halfmove_game::Game;
use halfmove_game::codec::halfmove;
use halfmove_game::codec::whole::Parts;
use halfmove_rules::Variant;

use super::facts::{FactBuilders, TagFacts};
use super::row::{Row, Tag};
use crate::error::ArchiveError;
use crate::variants;

/// A game of the archive.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct StoredGame {
    /// Its id.
    pub id: i64,
    /// The whole game, with comments and variations.
    pub game: Game,
    /// The reason why its moves end early, if there was a fault in its source file.
    pub fault: Option<String>,
}

/// The columns of a batch of the whole table, by name.
pub(crate) struct Rows<'a> {
    batch: &'a RecordBatch,
}

impl<'a> Rows<'a> {
    pub(crate) fn of(batch: &'a RecordBatch) -> Self {
        Self { batch }
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.batch.num_rows()
    }

    fn column(&self, name: &str) -> Result<&'a Arc<dyn Array>, ArchiveError> {
        self.batch
            .column_by_name(name)
            .ok_or_else(|| ArchiveError::damaged(format!("there is no column {name}")))
    }

    /// The text in a column, `None` where it is null.
    pub(crate) fn text(&self, name: &str, row: usize) -> Result<Option<&'a str>, ArchiveError> {
        let column = self.column(name)?;
        let wrong = || ArchiveError::damaged(format!("the column {name} does not hold texts"));
        if column.is_null(row) {
            return Ok(None);
        }
        Ok(Some(match column.data_type() {
            DataType::Utf8View => column.as_string_view_opt().ok_or_else(wrong)?.value(row),
            DataType::Utf8 => column.as_string_opt::<i32>().ok_or_else(wrong)?.value(row),
            _ => return Err(wrong()),
        }))
    }

    fn number<T: ArrowPrimitiveType>(
        &self,
        name: &str,
        row: usize,
    ) -> Result<Option<T::Native>, ArchiveError> {
        let wrong = || ArchiveError::damaged(format!("the column {name} does not hold numbers"));
        let column = self.column(name)?.as_primitive_opt::<T>().ok_or_else(wrong)?;
        Ok(column.is_valid(row).then(|| column.value(row)))
    }

    /// The number in a column, `None` where it is null.
    pub(crate) fn int(&self, name: &str, row: usize) -> Result<Option<i32>, ArchiveError> {
        self.number::<Int32Type>(name, row)
    }

    /// The days since 1970-01-01 in a column, `None` where it is null.
    pub(crate) fn date(&self, name: &str, row: usize) -> Result<Option<i32>, ArchiveError> {
        self.number::<Date32Type>(name, row)
    }

    pub(crate) fn id(&self, row: usize) -> Result<i64, ArchiveError> {
        self.number::<Int64Type>("id", row)?
            .ok_or_else(|| ArchiveError::damaged("a game has no id"))
    }

    pub(crate) fn other_tags(&self, row: usize) -> Result<Vec<Tag<'a>>, ArchiveError> {
        let wrong = || ArchiveError::damaged("the column other_tags does not hold tags");
        let lists: &ListArray = self.column("other_tags")?.as_list_opt().ok_or_else(wrong)?;
        let tags = lists.values().as_struct_opt().ok_or_else(wrong)?;
        let (names, values) = match tags.columns() {
            [names, values] => (names, values),
            _ => return Err(wrong()),
        };
        let text = |column: &'a Arc<dyn Array>,
                    index: usize|
         -> Result<Cow<'a, str>, ArchiveError> {
            Ok(Cow::Borrowed(match column.data_type() {
                DataType::Utf8View => column.as_string_view_opt().ok_or_else(wrong)?.value(index),
                DataType::Utf8 => column.as_string_opt::<i32>().ok_or_else(wrong)?.value(index),
                _ => return Err(wrong()),
            }))
        };
        let offsets = lists.value_offsets();
        let range = offsets[row] as usize..offsets[row + 1] as usize;
        range.map(|index| Ok((text(names, index)?, text(values, index)?))).collect()
    }

    fn variant(&self, row: usize) -> Result<Variant, ArchiveError> {
        let name = self.text("variant", row)?.unwrap_or_default();
        variants::named(name).ok_or_else(|| {
            let expected = variants::names();
            ArchiveError::damaged(format!("the column variant has \"{name}\", expected {expected}"))
        })
    }

    /// The header columns of a game.
    pub(crate) fn row(&self, row: usize) -> Result<Row<'a>, ArchiveError> {
        let text = |name| Ok::<_, ArchiveError>(self.text(name, row)?.map(Cow::Borrowed));
        let other_tags = self.other_tags(row)?;
        // A file of an earlier version has only the dates of the tag `Date`.
        let of_date = (self.date("date", row)?, self.int("year", row)?);
        let (date, year) = TagFacts::of(&other_tags).date(of_date);
        Ok(Row {
            event: text("event")?,
            site: text("site")?,
            round: text("round")?,
            white: text("white")?,
            black: text("black")?,
            date,
            year,
            result: text("result")?.unwrap_or(Cow::Borrowed("*")),
            white_elo: self.int("white_elo", row)?,
            black_elo: self.int("black_elo", row)?,
            eco: text("eco")?,
            variant: self.variant(row)?,
            start_fen: text("start_fen")?,
            tag_order: text("tag_order")?.unwrap_or_default(),
            other_tags,
        })
    }

    /// The bytes in a column, empty where it is null.
    pub(crate) fn bytes(&self, name: &str, row: usize) -> Result<&'a [u8], ArchiveError> {
        let column = self.column(name)?;
        let bytes = match column.data_type() {
            _ if column.is_null(row) => Some(&[][..]),
            DataType::BinaryView => column.as_binary_view_opt().map(|bytes| bytes.value(row)),
            DataType::Binary => column.as_binary_opt::<i32>().map(|bytes| bytes.value(row)),
            _ => None,
        };
        bytes.ok_or_else(|| ArchiveError::damaged(format!("the column {name} does not hold bytes")))
    }

    /// The whole game.
    pub(crate) fn game(&self, row: usize) -> Result<StoredGame, ArchiveError> {
        let id = self.id(row)?;
        let broken =
            |what: &dyn std::fmt::Display| ArchiveError::damaged(format!("game {id}: {what}"));
        let header = self.row(row)?;
        let bytes = self.bytes("moves", row)?;
        let mut moves = Vec::new();
        let start = halfmove::decode_moves(bytes, &mut moves).map_err(|error| broken(&error))?;
        if start.variant() != header.variant {
            return Err(broken(&"its moves are those of another variant"));
        }
        let fault = self.text("fault", row)?.map(str::to_owned);
        let parts = Parts {
            annotations: self.bytes("annotations", row)?.to_vec(),
            clocks: self.bytes("clocks", row)?.to_vec(),
            evaluations: self.bytes("evaluations", row)?.to_vec(),
        };
        let game = parts.game(&header.join(), start, &moves);
        Ok(StoredGame { id, game: game.map_err(|error| broken(&error))?, fault })
    }
}

/// The columns of a batch that are computed from tags, from its columns `date`, `year` and `other_tags`.
pub(crate) fn facts_of(batch: &RecordBatch) -> Result<FactBuilders, ArchiveError> {
    let (rows, mut builders) = (Rows::of(batch), FactBuilders::default());
    for row in 0..batch.num_rows() {
        let tags = rows.other_tags(row)?;
        let of_date = (rows.date("date", row)?, rows.int("year", row)?);
        builders.push(&TagFacts::of(&tags), of_date);
    }
    Ok(builders)
}
