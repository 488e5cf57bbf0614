//! The files of a snapshot as the SQL table `games`.

mod halfmoves;
mod history;
mod kept;
mod names;
mod reader;
mod scan_condition;
mod sieve;

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::compute::SortOptions;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::config::TableParquetOptions;
use datafusion::common::stats::Precision;
use datafusion::common::{ColumnStatistics, DataFusionError, Result, ScalarValue, Statistics};
use datafusion::datasource::TableType;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::parquet::{ParquetAccessPlan, RowGroupAccess};
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::parquet::arrow::arrow_reader::RowSelection;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{LexOrdering, PhysicalSortExpr};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use halfmove_archive::scan::{GroupRows, Scan, ScanCondition, ScanFile, ScanMatches, ScanPart};
use halfmove_archive::schema::{COLUMNS, scan_schema};
use halfmove_archive::{Archive, ArchiveError};

pub(crate) use self::halfmoves::HalfmovesTable;
pub(crate) use self::history::HistoryTable;
pub(crate) use self::kept::KeepsColumns;
use self::kept::KeptColumns;
use self::names::EarlierNames;
use self::reader::{FileNumber, Readers};
pub(crate) use self::scan_condition::literal_position;
use self::scan_condition::{implied, scan_condition};
use crate::error::raise;
use crate::stopping::CancelOnDrop;

/// Exactly the files that the archive's log names; the folder is never listed.
///
/// A condition `reaches(moves, '…')`, with or without a variant, or `shows(moves, '…')` is evaluated by
/// [`Scan::find`]: the engine then reads only the matching games. The same holds if `ply_of(moves, '…')` or
/// `ply_when(moves, '…')` is compared with a value; the comparison is left to the engine.
#[derive(Debug)]
pub(crate) struct GamesTable {
    scan: Scan,
    schema: SchemaRef,
    files: Vec<PartitionedFile>,
    statistics: Statistics,
}

impl GamesTable {
    pub(crate) fn new(archive: &Archive) -> Self {
        let scan = Scan::of(archive);
        // Columns that a file lacks are null.
        let schema = scan_schema();
        let mut rows = 0;
        let mut files = Vec::with_capacity(scan.files().len());
        for (number, file) in scan.files().iter().enumerate() {
            let games = usize::try_from(file.games).unwrap_or(usize::MAX);
            rows += games;
            let mut statistics =
                Statistics::new_unknown(&schema).with_num_rows(Precision::Exact(games));
            let bound = |id: i64| match file.has_deleted {
                false => Precision::Exact(ScalarValue::Int64(Some(id))),
                // The game with that id may be deleted.
                true => Precision::Inexact(ScalarValue::Int64(Some(id))),
            };
            if let Some(id) = statistics.column_statistics.first_mut() {
                *id = ColumnStatistics {
                    null_count: Precision::Exact(0),
                    min_value: bound(file.first_id),
                    max_value: bound(file.last_id),
                    ..ColumnStatistics::new_unknown()
                };
            }
            let path = file.path.to_string_lossy();
            let described =
                PartitionedFile::new(path, file.bytes).with_extension(FileNumber(number));
            files.push(described.with_statistics(Arc::new(statistics)));
        }
        let statistics = Statistics::new_unknown(&schema).with_num_rows(Precision::Exact(rows));
        Self { scan, schema, files, statistics }
    }

    /// The files, without the rows that are deleted.
    async fn live(&self) -> Result<Vec<PartitionedFile>> {
        let plans = off_thread(&self.scan, |scan| {
            scan.check_there()?;
            let plan = |(number, file): (usize, &ScanFile)| {
                let groups = file.has_deleted.then(|| scan.live_rows(number)).transpose()?;
                let groups = groups.map(|groups| groups.iter().map(access).collect::<Vec<_>>());
                Ok::<_, ArchiveError>(groups)
            };
            scan.files().iter().enumerate().map(plan).collect::<Result<Vec<_>, _>>()
        });
        let files = self.files.iter().cloned().zip(plans.await?);
        let files = files.map(|(file, plan)| match plan {
            None => file,
            Some(plan) => file.with_extension(ParquetAccessPlan::new(plan)),
        });
        Ok(files.collect())
    }

    /// The files with the matching rows.
    fn found(&self, matches: &ScanMatches) -> Vec<PartitionedFile> {
        let mut plans: Vec<Vec<RowGroupAccess>> = vec![Vec::new(); self.files.len()];
        for group in matches.rows() {
            plans[group.file].push(access(&group));
        }
        let found = self.files.iter().zip(plans);
        let found = found.filter(|(_, plan)| plan.iter().any(RowGroupAccess::should_scan));
        let found = found.map(|(file, plan)| {
            // The statistics of the whole file do not apply to these rows.
            let file = PartitionedFile { statistics: None, ..file.clone() };
            file.with_extension(ParquetAccessPlan::new(plan))
        });
        found.collect()
    }

    /// A scan of files.
    fn files(&self, state: &dyn Session) -> FileScanConfigBuilder {
        let options = TableParquetOptions {
            global: state.config_options().execution.parquet.clone(),
            ..TableParquetOptions::default()
        };
        let source = ParquetSource::new(self.schema())
            .with_table_parquet_options(options)
            .with_parquet_file_reader_factory(Arc::new(Readers(self.scan.clone())));
        // Every session has this store; nothing is read from it.
        FileScanConfigBuilder::new(ObjectStoreUrl::local_filesystem(), Arc::new(source))
            .with_expr_adapter(Some(Arc::new(EarlierNames)))
    }

    /// A scan of some columns of all files, each partition in the order of the ids if the files have that order.
    async fn in_order(
        &self,
        state: &dyn Session,
        columns: Vec<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let files = self.live().await?;
        if files.is_empty() {
            return Ok(Arc::new(EmptyExec::new(Arc::new(self.schema.project(&columns)?))));
        }
        let is_in_order = off_thread(&self.scan, Scan::is_in_order).await?;
        let order = PhysicalSortExpr {
            expr: Arc::new(Column::new("id", 0)),
            options: SortOptions { descending: false, nulls_first: false },
        };
        let orders = LexOrdering::new([order]).filter(|_| is_in_order);
        let in_group = files.len().div_ceil(state.config().target_partitions().max(1));
        let groups = files.chunks(in_group).map(|files| FileGroup::new(files.to_vec()));
        let config = self
            .files(state)
            .with_file_groups(groups.collect())
            .with_statistics(self.statistics.clone())
            .with_output_ordering(orders.into_iter().collect())
            .with_projection_indices(Some(columns))?
            .build();
        Ok(DataSourceExec::from_data_source(config))
    }

    /// The parts of a scan of all games, or of those that match, if its columns come from memory; and these columns.
    /// Files may have statistics of pages that rule out a condition on a column; columns in memory are read from end to
    /// end. So with such a condition the files are read.
    async fn kept(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        found: Option<&Arc<ScanMatches>>,
    ) -> Result<Option<(Arc<[&'static str]>, Vec<ScanPart>)>> {
        if state.config().get_extension::<KeepsColumns>().is_none() {
            return Ok(None);
        }
        let columns = projection.into_iter().flatten().map(|column| {
            let column = COLUMNS.get(*column)?;
            Scan::can_keep(column).then_some(column.name)
        });
        let Some(columns) = columns.collect::<Option<Arc<[&str]>>>() else { return Ok(None) };
        let is_of_moves =
            |filter: &Expr| filter.column_refs().iter().all(|column| column.name() == "moves");
        if columns.is_empty() || !filters.iter().all(is_of_moves) {
            return Ok(None);
        }
        let (read, found) = (Arc::clone(&columns), found.cloned());
        let parts = off_thread(&self.scan, move |scan| scan.kept(&read, found.as_deref()));
        Ok(parts.await?.map(|mut parts| {
            // The engine reads files in this order.
            parts.sort_by_key(|part| self.files[part.file()].path());
            (columns, parts)
        }))
    }
}

/// The access to the rows of a row group.
fn access(group: &GroupRows<'_>) -> RowGroupAccess {
    match group.rows.len() {
        0 => RowGroupAccess::Skip,
        some if some == group.all => RowGroupAccess::Scan,
        _ => {
            let ranges = group.rows.iter().map(|row| *row as usize..*row as usize + 1);
            let selection = RowSelection::from_consecutive_ranges(ranges, group.all);
            RowGroupAccess::Selection(selection)
        }
    }
}

/// Runs long work on a blocking thread. It ends soon after the future is dropped.
async fn off_thread<T: Send + 'static>(
    scan: &Scan,
    work: impl FnOnce(&Scan) -> Result<T, ArchiveError> + Send + 'static,
) -> Result<T> {
    let (scan, token) = scan.with_cancel();
    let _guard = CancelOnDrop(token);
    let done = tokio::task::spawn_blocking(move || work(&scan)).await;
    done.map_err(|error| DataFusionError::ExecutionJoin(Box::new(error)))?.map_err(raise)
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
        // The physical plan decides later which of the others the scan evaluates.
        let answer = |filter: &&Expr| match scan_condition(filter) {
            Some(_) => TableProviderFilterPushDown::Exact,
            None => TableProviderFilterPushDown::Inexact,
        };
        Ok(filters.iter().map(answer).collect())
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
        let mut conditions: Vec<ScanCondition> =
            filters.iter().filter_map(scan_condition).collect();
        let is_complete = conditions.len() == filters.len();
        conditions.extend(filters.iter().filter_map(implied));
        let mut statistics = self.statistics.clone();
        let mut found: Option<Arc<ScanMatches>> = None;
        if !conditions.is_empty() {
            let matches = off_thread(&self.scan, move |scan| scan.find(&conditions)).await?;
            statistics.num_rows =
                Precision::Exact(matches.rows().map(|group| group.rows.len()).sum());
            found = Some(Arc::new(matches));
        }
        let files = match &found {
            Some(matches) => self.found(matches),
            None => self.live().await?,
        };
        let limit = limit.filter(|_| is_complete);
        let schema = match projection {
            Some(columns) => Arc::new(self.schema.project(columns)?),
            None => self.schema(),
        };
        if files.is_empty() {
            return Ok(Arc::new(EmptyExec::new(schema)));
        }
        let partitions = state.config().target_partitions();
        let kept = self.kept(state, projection, filters, found.as_ref()).await?;
        if let Some((columns, parts)) = kept {
            let described = (schema, statistics.project(projection));
            let source = KeptColumns::new(&self.scan, columns, parts, partitions, described, limit);
            return Ok(DataSourceExec::from_data_source(source));
        }
        let config = self
            .files(state)
            .with_file_groups(FileGroup::new(files).split_files(partitions))
            .with_statistics(statistics)
            .with_projection_indices(projection.cloned())?
            .with_limit(limit)
            .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}
