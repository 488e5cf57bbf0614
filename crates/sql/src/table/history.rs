//! The SQL table `history`: the changes of the archive up to its version.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::{
    ArrayRef, BooleanArray, Int64Array, ListBuilder, RecordBatch, StringArray, StringBuilder,
    TimestampMillisecondArray,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DataFusionError, Result};
use datafusion::datasource::{MemTable, TableType};
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;
use halfmove_archive::{Archive, HistoryEntry};

use crate::error::raise;

/// The changes of an archive, read when a query needs them.
#[derive(Debug)]
pub(crate) struct HistoryTable {
    archive: Archive,
    schema: SchemaRef,
}

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

impl HistoryTable {
    pub(crate) fn new(archive: &Archive) -> Self {
        let fields = columns().map(|(name, kind, _)| Field::new(name, kind, true));
        Self { archive: archive.clone(), schema: Arc::new(Schema::new(fields.to_vec())) }
    }
}

#[async_trait]
impl TableProvider for HistoryTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let archive = self.archive.clone();
        let history = tokio::task::spawn_blocking(move || archive.history()).await;
        let history = history.map_err(|error| DataFusionError::ExecutionJoin(Box::new(error)))?;
        let history = history.map_err(raise)?;
        let arrays = columns().map(|(_, _, values)| values(&history)).to_vec();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), arrays)?;
        let table = MemTable::try_new(Arc::clone(&self.schema), vec![vec![batch]])?;
        table.scan(state, projection, filters, limit).await
    }
}
