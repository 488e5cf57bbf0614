//! The SQL table `history`: the changes of the archive up to its version.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
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

impl HistoryTable {
    pub(crate) fn new(archive: &Archive) -> Self {
        Self { archive: archive.clone(), schema: HistoryEntry::schema() }
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
        let batch = HistoryEntry::to_batch(&history).map_err(raise)?;
        let table = MemTable::try_new(Arc::clone(&self.schema), vec![vec![batch]])?;
        table.scan(state, projection, filters, limit).await
    }
}
