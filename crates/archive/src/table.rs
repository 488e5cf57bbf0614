//! The files of a snapshot as the SQL table `games`.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::config::TableParquetOptions;
use datafusion::common::stats::Precision;
use datafusion::common::{ColumnStatistics, DataFusionError, Result, ScalarValue, Statistics};
use datafusion::datasource::TableType;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::parquet::CachedParquetFileReaderFactory;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::object_store::ObjectMeta;
use datafusion::object_store::path::Path as StorePath;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;

use crate::schema::{Format, table_schema};
use crate::store::DataFile;

/// Exactly the files that the table's log names; the folder is never listed.
#[derive(Debug)]
pub(crate) struct GamesTable {
    schema: SchemaRef,
    files: Vec<PartitionedFile>,
    statistics: Statistics,
    /// Whether rows come in the order of their ids, at the cost of reading on one thread.
    in_order: bool,
}

impl GamesTable {
    pub(crate) fn new(files: &[DataFile], format: Format, in_order: bool) -> Result<Self> {
        let schema = table_schema(format);
        let mut rows = 0;
        let mut partitioned = Vec::with_capacity(files.len());
        for file in files {
            let location = StorePath::from_absolute_path(&file.path)
                .map_err(|error| DataFusionError::External(Box::new(error)))?;
            let meta = ObjectMeta {
                location,
                // Files never change, so their modification time does not matter.
                last_modified: chrono::DateTime::UNIX_EPOCH,
                size: file.bytes,
                e_tag: None,
                version: None,
            };
            let games = usize::try_from(file.games).unwrap_or(usize::MAX);
            rows += games;
            let mut statistics =
                Statistics::new_unknown(&schema).with_num_rows(Precision::Exact(games));
            if let Some(id) = statistics.column_statistics.first_mut() {
                *id = ColumnStatistics {
                    null_count: Precision::Exact(0),
                    min_value: Precision::Exact(ScalarValue::Int64(Some(file.first_id))),
                    max_value: Precision::Exact(ScalarValue::Int64(Some(file.last_id))),
                    ..ColumnStatistics::new_unknown()
                };
            }
            partitioned
                .push(PartitionedFile::new_from_meta(meta).with_statistics(Arc::new(statistics)));
        }
        let statistics = Statistics::new_unknown(&schema).with_num_rows(Precision::Exact(rows));
        Ok(Self { schema, files: partitioned, statistics, in_order })
    }
}

#[async_trait]
impl TableProvider for GamesTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        // Inexact here; which conditions the scan takes over is decided later, in the physical plan.
        Ok(vec![TableProviderFilterPushDown::Inexact; filters.len()])
    }

    fn statistics(&self) -> Option<Statistics> {
        Some(self.statistics.clone())
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if self.files.is_empty() {
            let schema = match projection {
                Some(columns) => Arc::new(self.schema.project(columns)?),
                None => self.schema(),
            };
            return Ok(Arc::new(EmptyExec::new(schema)));
        }
        let store_url = ObjectStoreUrl::local_filesystem();
        let store = state.runtime_env().object_store(&store_url)?;
        let footers = state.runtime_env().cache_manager.get_file_metadata_cache();
        let options = TableParquetOptions {
            global: state.config_options().execution.parquet.clone(),
            ..TableParquetOptions::default()
        };
        let source = ParquetSource::new(self.schema())
            .with_table_parquet_options(options)
            .with_parquet_file_reader_factory(Arc::new(CachedParquetFileReaderFactory::new(
                store, footers,
            )));
        let groups = if self.in_order {
            vec![FileGroup::new(self.files.clone())]
        } else {
            FileGroup::new(self.files.clone()).split_files(state.config().target_partitions())
        };
        let config = FileScanConfigBuilder::new(store_url, Arc::new(source))
            .with_file_groups(groups)
            .with_statistics(self.statistics.clone())
            .with_projection_indices(projection.cloned())?
            .with_limit(limit.filter(|_| filters.is_empty()))
            .with_preserve_order(self.in_order)
            .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}
