//! Games and their half-moves, as Arrow batches.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use halfmove_functions::FunctionError;
use halfmove_functions::halfmoves::Halfmoves;

use super::{ordered, read_ahead};
use crate::columns::Columns;
use crate::error::{ArchiveError, FilterError};
use crate::filter::Filter;
use crate::snapshot::schema::{COLUMNS, column_names, file_schema};

/// The approximate maximum number of rows in a batch.
const ROWS: usize = 65_536;

/// Iterates over games, or over their half-moves, as Arrow batches, in the order of `id` and `ply`. They are read and
/// decoded ahead, on threads that end when this value is dropped.
#[derive(Debug)]
pub struct Batches {
    games: u64,
    schema: SchemaRef,
    batches: Receiver<Result<Vec<RecordBatch>, ArchiveError>>,
    /// The next batches, in reverse order.
    next: Vec<RecordBatch>,
}

impl Batches {
    /// Some columns of the games that match a filter.
    pub(crate) fn of_games(
        columns: &Columns,
        filter: &Filter,
        names: &[&str],
    ) -> Result<Self, ArchiveError> {
        let name = |name: &&str| {
            let known = COLUMNS.iter().find(|column| column.name == *name);
            known.map(|column| column.name).ok_or_else(|| FilterError::NoColumn {
                name: (*name).to_owned(),
                expected: column_names().join(", "),
            })
        };
        let names: Vec<&'static str> = names.iter().map(name).collect::<Result<_, _>>()?;
        let schema = file_schema();
        let fields = names.iter().map(|name| schema.field_with_name(name).cloned());
        let schema = Arc::new(Schema::new(fields.collect::<Result<Vec<_>, _>>()?));
        let (games, blocks) = ordered(columns, filter, names)?;
        let batches = read_ahead(columns, blocks, |_, games| Ok(vec![games.clone()]))?;
        Ok(Self { games, schema, batches, next: Vec::new() })
    }

    /// The half-moves of the games that match a filter.
    pub(crate) fn of_halfmoves(
        columns: &Columns,
        filter: &Filter,
        halfmoves: &Halfmoves,
    ) -> Result<Self, ArchiveError> {
        let (games, blocks) = ordered(columns, filter, halfmoves.sources())?;
        let (schema, halfmoves) = (halfmoves.schema().clone(), halfmoves.clone());
        let batches = read_ahead(columns, blocks, move |_, games| {
            let batches = halfmoves.rows_of(games.clone(), ROWS).collect::<Result<_, _>>();
            batches.map_err(|error: FunctionError| ArchiveError::damaged(error))
        });
        Ok(Self { games, schema, batches: batches?, next: Vec::new() })
    }

    /// The number of all games, returned or to come.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The schema of the batches; in those of games, texts may also be dictionaries.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.next.is_empty() {
            match self.batches.recv().ok()? {
                Ok(mut batches) => {
                    batches.reverse();
                    self.next = batches;
                }
                Err(error) => return Some(Err(error)),
            }
        }
        self.next.pop().map(Ok)
    }
}
