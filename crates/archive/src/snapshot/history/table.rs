//! The history of an archive as a table.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{
    ArrayRef, BooleanArray, Int64Array, RecordBatch, StringArray, TimestampMillisecondArray,
};
use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};

use super::HistoryEntry;
use crate::error::ArchiveError;

/// A column: its name, its type, and its values.
type Column = (&'static str, DataType, fn(&[HistoryEntry]) -> ArrayRef);

/// The columns, named as `halfmove history --format json` names them.
fn columns() -> [Column; 16] {
    let time = DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()));
    let texts = DataType::new_list(DataType::Utf8, true);
    [
        ("version", DataType::Int64, |all| counts(all, |entry| entry.version)),
        ("time", time, |all| {
            let times: TimestampMillisecondArray = all.iter().map(|entry| entry.time_ms).collect();
            Arc::new(times.with_timezone("UTC"))
        }),
        ("change", DataType::Utf8, |all| texts_of(all, |entry| Some(&entry.what))),
        ("program", DataType::Utf8, |all| texts_of(all, |entry| entry.by.as_deref())),
        ("restored", DataType::Int64, |all| {
            numbers(all, |entry| entry.restored.and_then(|version| version.try_into().ok()))
        }),
        ("games_added", DataType::Int64, |all| counts(all, |entry| entry.games_added)),
        ("games_removed", DataType::Int64, |all| counts(all, |entry| entry.games_removed)),
        ("games_changed", DataType::Int64, |all| counts(all, |entry| entry.games_changed)),
        ("games", DataType::Int64, |all| counts(all, |entry| entry.games)),
        ("first_id", DataType::Int64, |all| numbers(all, |entry| entry.ids.map(|ids| ids.0))),
        ("last_id", DataType::Int64, |all| numbers(all, |entry| entry.ids.map(|ids| ids.1))),
        ("sources", texts, |all| {
            let mut lists = ListBuilder::new(StringBuilder::new());
            for entry in all {
                lists.append_value(entry.sources.iter().map(|source| source.name.as_deref()));
            }
            Arc::new(lists.finish())
        }),
        ("reason", DataType::Utf8, |all| texts_of(all, |entry| entry.reason.as_deref())),
        ("files_added", DataType::Int64, |all| counts(all, |entry| entry.files_added)),
        ("files_removed", DataType::Int64, |all| counts(all, |entry| entry.files_removed)),
        ("restorable", DataType::Boolean, |all| {
            let restorable = all.iter().map(|entry| Some(entry.is_restorable));
            Arc::new(restorable.collect::<BooleanArray>())
        }),
    ]
}

fn counts(all: &[HistoryEntry], count: fn(&HistoryEntry) -> u64) -> ArrayRef {
    let counts = all.iter().map(|entry| i64::try_from(count(entry)).unwrap_or(i64::MAX));
    Arc::new(Int64Array::from_iter_values(counts))
}

fn numbers(all: &[HistoryEntry], number: fn(&HistoryEntry) -> Option<i64>) -> ArrayRef {
    Arc::new(all.iter().map(number).collect::<Int64Array>())
}

fn texts_of(all: &[HistoryEntry], text: fn(&HistoryEntry) -> Option<&str>) -> ArrayRef {
    Arc::new(all.iter().map(text).collect::<StringArray>())
}

impl HistoryEntry {
    /// The schema of the table `history`.
    pub fn schema() -> SchemaRef {
        let fields = columns().map(|(name, kind, _)| Field::new(name, kind, true));
        Arc::new(Schema::new(fields.to_vec()))
    }

    /// The rows of some changes in that table.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// use halfmove_archive::{Archive, HistoryEntry};
    ///
    /// let archive = Archive::create(folder.path().join("games"))?;
    /// let rows = HistoryEntry::to_batch(&archive.history()?)?;
    /// assert_eq!((rows.num_rows(), rows.schema()), (1, HistoryEntry::schema()));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError`] if Arrow refuses the columns.
    pub fn to_batch(entries: &[Self]) -> Result<RecordBatch, ArchiveError> {
        let columns = columns().map(|(_, _, values)| values(entries)).to_vec();
        Ok(RecordBatch::try_new(Self::schema(), columns)?)
    }
}
