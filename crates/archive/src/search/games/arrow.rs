//! Games as a stream of Arrow IPC: the stored columns, a batch at a time.

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{Schema, SchemaRef};

use super::{ordered, read_ahead};
use crate::columns::{Columns, facts_of};
use crate::error::{ArchiveError, FilterError};
use crate::filter::Filter;
use crate::snapshot::schema::{COLUMNS, file_schema, is_of_tags};

/// The columns from which those of tags are computed.
const SOURCES: [&str; 3] = ["date", "year", "other_tags"];

/// Iterates over the pieces of a stream of Arrow IPC, which has games in the order of their ids. The first piece begins with
/// the schema; after the last one the stream is complete. Games are read ahead, on threads that end when this value is
/// dropped.
pub struct ArrowPieces {
    games: u64,
    batches: Receiver<Result<RecordBatch, ArchiveError>>,
    /// `None` after the end.
    writer: Option<StreamWriter<Vec<u8>>>,
}

impl fmt::Debug for ArrowPieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrowPieces").field("games", &self.games).finish_non_exhaustive()
    }
}

impl ArrowPieces {
    /// Some columns of the games that match a filter; all of them if none is named.
    pub(crate) fn of(
        columns: &Columns,
        filter: &Filter,
        names: &[&str],
    ) -> Result<Self, ArchiveError> {
        let names = selected(names)?;
        let schema = file_schema();
        let fields = names.iter().map(|name| schema.field_with_name(name).cloned());
        let schema = Arc::new(Schema::new(fields.collect::<Result<Vec<_>, _>>()?));
        let is_stale = columns
            .groups()?
            .iter()
            .any(|group| names.iter().any(|name| is_of_tags(name) && group.is_stale_in(name)));
        let mut read = names;
        if is_stale {
            read.extend(
                SOURCES.into_iter().filter(|source| schema.fields().find(source).is_none()),
            );
        }
        let (games, blocks) = ordered(columns, filter, read)?;
        let writer = StreamWriter::try_new(Vec::new(), &schema)?;
        let batches =
            read_ahead(columns, blocks, move |_, games| projected(games, &schema, is_stale))?;
        Ok(Self { games, batches, writer: Some(writer) })
    }

    /// The number of all games, returned or to come.
    pub fn games(&self) -> u64 {
        self.games
    }
}

impl Iterator for ArrowPieces {
    type Item = Result<Vec<u8>, ArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        let writer = self.writer.as_mut()?;
        let written = match self.batches.recv() {
            Ok(Ok(batch)) => writer.write(&batch),
            Ok(Err(error)) => {
                self.writer = None;
                return Some(Err(error));
            }
            Err(_) => {
                let end = self.writer.take()?.into_inner();
                return Some(end.map_err(ArchiveError::from));
            }
        };
        if let Err(error) = written {
            self.writer = None;
            return Some(Err(error.into()));
        }
        Some(Ok(std::mem::take(writer.get_mut())))
    }
}

/// A stream of a single batch.
pub(crate) fn stream_of(batch: &RecordBatch) -> Result<Vec<u8>, ArchiveError> {
    let mut writer = StreamWriter::try_new(Vec::new(), batch.schema_ref())?;
    writer.write(batch)?;
    Ok(writer.into_inner()?)
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

/// The columns of a schema. Those of tags are computed again if a file has them from an earlier version, or lacks them.
fn projected(
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
