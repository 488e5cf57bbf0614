//! Games as a stream of Arrow IPC: the stored columns, a batch at a time.

use std::fmt;

use arrow_array::{RecordBatch, UInt32Array};
use arrow_ipc::writer::StreamWriter;
use arrow_select::concat::concat_batches;
use arrow_select::take::take_record_batch;

use super::batches::games_schema;
use super::{Batches, no_such_game};
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

/// Writes a stream of Arrow IPC, whose games come in any order.
pub struct ArrowWriter {
    columns: Columns,
    names: Vec<String>,
    writer: StreamWriter<Vec<u8>>,
}

impl fmt::Debug for ArrowWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrowWriter").field("names", &self.names).finish_non_exhaustive()
    }
}

impl ArrowWriter {
    /// Some columns of games; all that a reader can use if none is named.
    pub(crate) fn of(columns: &Columns, names: &[&str]) -> Result<Self, ArchiveError> {
        let schema = games_schema(names)?;
        let writer = StreamWriter::try_new(Vec::new(), &schema)?;
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        Ok(Self { columns: columns.clone(), names, writer })
    }

    /// The next piece of the stream: the games with these ids, in this order, as a batch. The first piece begins with the
    /// schema.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::NoSuchGame`] if there is no game with an id, or an id comes twice.
    pub fn write(&mut self, ids: &[i64]) -> Result<Vec<u8>, ArchiveError> {
        let filter = Filter {
            ids: Some(ids.iter().map(|id| id.unsigned_abs()).collect()),
            ..Filter::default()
        };
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let batches = Batches::of_games(&self.columns, &filter, &names)?;
        let schema = batches.schema().clone();
        let games = concat_batches(&schema, &batches.collect::<Result<Vec<_>, _>>()?)?;
        if games.num_rows() != ids.len() {
            let id = ids.iter().copied().max().unwrap_or_default();
            return Err(no_such_game(&self.columns, id));
        }
        // The games come in the order of their ids.
        let mut places: Vec<usize> = (0..ids.len()).collect();
        places.sort_unstable_by_key(|place| ids[*place]);
        let mut rows = vec![0; ids.len()];
        for (place, row) in places.into_iter().zip(0_u32..) {
            rows[place] = row;
        }
        self.writer.write(&take_record_batch(&games, &UInt32Array::from(rows))?)?;
        Ok(std::mem::take(self.writer.get_mut()))
    }

    /// The end of the stream.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Rows`] if the stream cannot be written.
    pub fn finish(self) -> Result<Vec<u8>, ArchiveError> {
        Ok(self.writer.into_inner()?)
    }
}

/// A stream of a single batch.
pub(crate) fn stream_of(batch: &RecordBatch) -> Result<Vec<u8>, ArchiveError> {
    let mut writer = StreamWriter::try_new(Vec::new(), batch.schema_ref())?;
    writer.write(batch)?;
    Ok(writer.into_inner()?)
}
