//! Games as a stream of Arrow IPC: the stored columns, a batch at a time.

use std::fmt;

use arrow_array::RecordBatch;
use arrow_ipc::writer::StreamWriter;

use super::Batches;
use crate::columns::Columns;
use crate::error::ArchiveError;
use crate::filter::Filter;

/// Iterates over the pieces of a stream of Arrow IPC, which has games in the order of their ids. The first piece begins with
/// the schema; after the last one the stream is complete. Games are read ahead, on threads that end when this value is
/// dropped.
pub struct ArrowPieces {
    batches: Batches,
    /// `None` after the end.
    writer: Option<StreamWriter<Vec<u8>>>,
}

impl fmt::Debug for ArrowPieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrowPieces").field("games", &self.games()).finish_non_exhaustive()
    }
}

impl ArrowPieces {
    /// Some columns of the games that match a filter; all that a reader can use if none is named.
    pub(crate) fn of(
        columns: &Columns,
        filter: &Filter,
        names: &[&str],
    ) -> Result<Self, ArchiveError> {
        let batches = Batches::of_games(columns, filter, names)?;
        let writer = StreamWriter::try_new(Vec::new(), batches.schema())?;
        Ok(Self { batches, writer: Some(writer) })
    }

    /// The number of all games, returned or to come.
    pub fn games(&self) -> u64 {
        self.batches.games()
    }
}

impl Iterator for ArrowPieces {
    type Item = Result<Vec<u8>, ArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        let writer = self.writer.as_mut()?;
        let written = match self.batches.next() {
            Some(Ok(batch)) => writer.write(&batch),
            Some(Err(error)) => {
                self.writer = None;
                return Some(Err(error));
            }
            None => {
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
