//! Games and their half-moves, as Arrow batches.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Schema, SchemaRef};
use halfmove_functions::FunctionError;
use halfmove_functions::halfmoves::Halfmoves;

use super::{ordered, read_ahead};
use crate::columns::{Columns, facts_of};
use crate::error::{ArchiveError, FilterError};
use crate::filter::Filter;
use crate::snapshot::schema::{COLUMNS, file_schema, is_of_tags};

/// The approximate maximum number of rows in a batch.
const ROWS: usize = 65_536;

/// The columns from which those of tags are computed.
const SOURCES: [&str; 3] = ["date", "year", "other_tags"];

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
    /// Some columns of the games that match a filter; all that a reader can use if none is named.
    pub(crate) fn of_games(
        columns: &Columns,
        filter: &Filter,
        names: &[&str],
    ) -> Result<Self, ArchiveError> {
        let mut read = selected(names)?;
        let schema = schema_of(&read)?;
        let is_stale = is_stale(columns, &read)?;
        if is_stale {
            let is_missing = |source: &&str| schema.fields().find(source).is_none();
            read.extend(SOURCES.into_iter().filter(is_missing));
        }
        let (games, blocks) = ordered(columns, filter, read)?;
        let of_games = Arc::clone(&schema);
        let batches = read_ahead(columns, blocks, move |_, games| {
            Ok(vec![projected(games, &of_games, is_stale)?])
        })?;
        Ok(Self::new(games, schema, batches))
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
        Ok(Self::new(games, schema, batches?))
    }

    /// Batches that come from other threads.
    pub(super) fn new(
        games: u64,
        schema: SchemaRef,
        batches: Receiver<Result<Vec<RecordBatch>, ArchiveError>>,
    ) -> Self {
        Self { games, schema, batches, next: Vec::new() }
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

/// The schema of some columns of games; of all that a reader can use if none is named.
pub(crate) fn games_schema(names: &[&str]) -> Result<SchemaRef, ArchiveError> {
    schema_of(&selected(names)?)
}

pub(super) fn schema_of(names: &[&str]) -> Result<SchemaRef, ArchiveError> {
    let schema = file_schema();
    let fields = names.iter().map(|name| schema.field_with_name(name).cloned());
    Ok(Arc::new(Schema::new(fields.collect::<Result<Vec<_>, _>>()?)))
}

/// The named columns, in this order; without names, all that a reader can use.
fn selected(names: &[&str]) -> Result<Vec<&'static str>, FilterError> {
    // Only searches of this library read signatures.
    let known = || COLUMNS.iter().map(|column| column.name).filter(|name| *name != "signature");
    if names.is_empty() {
        return Ok(known().collect());
    }
    let mut selected: Vec<&'static str> = Vec::with_capacity(names.len());
    for name in names {
        let column = known().find(|known| known == name).ok_or_else(|| FilterError::NoColumn {
            name: (*name).to_owned(),
            expected: known().collect::<Vec<_>>().join(", "),
        })?;
        if !selected.contains(&column) {
            selected.push(column);
        }
    }
    Ok(selected)
}

/// Returns true if some file lacks one of these columns, or has it from an earlier version.
pub(super) fn is_stale(columns: &Columns, names: &[&str]) -> Result<bool, ArchiveError> {
    let groups = columns.groups()?;
    let of_tags: Vec<&str> = names.iter().copied().filter(|name| is_of_tags(name)).collect();
    Ok(groups.iter().any(|group| of_tags.iter().any(|name| group.is_stale_in(name))))
}

/// The columns of a schema. Those of tags are computed again if a file has them from an earlier version, or lacks them.
pub(super) fn projected(
    games: &RecordBatch,
    schema: &SchemaRef,
    is_stale: bool,
) -> Result<RecordBatch, ArchiveError> {
    let mut facts = if is_stale { Some(facts_of(games)?) } else { None };
    let columns = schema.fields().iter().map(|field| {
        let name = field.name();
        let computed = facts.as_mut().filter(|_| is_of_tags(name)).and_then(|it| it.finish(name));
        let missing = || ArchiveError::damaged(format!("there is no column {name}"));
        computed.or_else(|| games.column_by_name(name).cloned()).ok_or_else(missing)
    });
    let columns = columns.collect::<Result<Vec<ArrayRef>, ArchiveError>>()?;
    Ok(RecordBatch::try_new(Arc::clone(schema), columns)?)
}
