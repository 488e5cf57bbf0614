//! The half-moves of games, as Arrow batches.

use std::sync::mpsc::Receiver;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use halfmove_functions::FunctionError;
use halfmove_functions::halfmoves::Halfmoves;

use super::{ordered, read_ahead};
use crate::columns::Columns;
use crate::error::ArchiveError;
use crate::filter::Filter;

/// The approximate maximum number of rows in a batch.
const ROWS: usize = 65_536;

/// Iterates over the half-moves of games as Arrow batches, in the order of `id` and `ply`. They are read and decoded
/// ahead, on threads that end when this value is dropped.
#[derive(Debug)]
pub struct HalfmoveBatches {
    games: u64,
    schema: SchemaRef,
    batches: Receiver<Result<Vec<RecordBatch>, ArchiveError>>,
    /// The next batches, in reverse order.
    next: Vec<RecordBatch>,
}

impl HalfmoveBatches {
    /// The half-moves of the games that match a filter.
    pub(crate) fn of(
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

    /// The schema of the batches.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }
}

impl Iterator for HalfmoveBatches {
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
