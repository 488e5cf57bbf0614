//! The files of a snapshot as the SQL table `games`.

mod kept;
mod reader;

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::config::TableParquetOptions;
use datafusion::common::stats::Precision;
use datafusion::common::{ColumnStatistics, DataFusionError, Result, ScalarValue, Statistics};
use datafusion::datasource::TableType;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::parquet::{
    CachedParquetFileReaderFactory, ParquetAccessPlan, RowGroupAccess,
};
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::logical_expr::expr::{Cast, TryCast};
use datafusion::logical_expr::{BinaryExpr, Expr, Operator, TableProviderFilterPushDown};
use datafusion::object_store::ObjectMeta;
use datafusion::object_store::path::Path as StorePath;
use datafusion::parquet::arrow::arrow_reader::RowSelection;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;

use halfmove_game::replay::{BoardQuery, Query};

pub(crate) use self::kept::KeepsColumns;
use self::kept::KeptColumns;
use self::reader::CheckedReaders;
use crate::error::ArchiveError;
use crate::functions::{literal_conditions, literal_position, raise};
use crate::kernel::{Ask, Group, Hits, Part, is_kept};
use crate::schema::{COLUMNS, Format, table_schema};
use crate::store::{Archive, DataFile};

/// Exactly the files that the table's log names; the folder is never listed.
///
/// A condition `reaches(moves, '…')`, with or without a variant, or `shows(moves, '…')` is answered by the
/// [kernel](crate::kernel): the scan then reads nothing but the games that it has found. So it does where `ply_of(moves, '…')` or
/// `ply_when(moves, '…')` is compared with something, which the engine then does.
#[derive(Debug)]
pub(crate) struct GamesTable {
    archive: Archive,
    schema: SchemaRef,
    files: Vec<PartitionedFile>,
    /// What is known of them, to check them.
    known: Arc<HashMap<StorePath, DataFile>>,
    statistics: Statistics,
}

impl GamesTable {
    pub(crate) fn new(archive: &Archive) -> Result<Self> {
        let files = archive.files();
        // Columns that a file lacks are null.
        let schema = table_schema();
        let mut rows = 0;
        let mut partitioned = Vec::with_capacity(files.len());
        let mut known = HashMap::with_capacity(files.len());
        for file in files {
            let location = archive
                .location()
                .store_path(&file.path)
                .map_err(|error| DataFusionError::External(Box::new(error)))?;
            known.insert(location.clone(), file.clone());
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
            let bound = |id: i64| match file.deleted {
                None => Precision::Exact(ScalarValue::Int64(Some(id))),
                // The game of that id may be deleted.
                Some(_) => Precision::Inexact(ScalarValue::Int64(Some(id))),
            };
            if let Some(id) = statistics.column_statistics.first_mut() {
                *id = ColumnStatistics {
                    null_count: Precision::Exact(0),
                    min_value: bound(file.first_id),
                    max_value: bound(file.last_id),
                    ..ColumnStatistics::new_unknown()
                };
            }
            partitioned
                .push(PartitionedFile::new_from_meta(meta).with_statistics(Arc::new(statistics)));
        }
        let statistics = Statistics::new_unknown(&schema).with_num_rows(Precision::Exact(rows));
        let (archive, known) = (archive.clone(), Arc::new(known));
        Ok(Self { archive, schema, files: partitioned, known, statistics })
    }

    /// The files, without the rows that are deleted.
    async fn live(&self) -> Result<Vec<PartitionedFile>> {
        self.archive.check_there().map_err(raise)?;
        if self.archive.files().iter().all(|file| file.deleted.is_none()) {
            return Ok(self.files.clone());
        }
        let plan = |archive: &Archive| {
            let files = archive.files().iter().enumerate();
            let files = files.map(|(number, file)| match file.deleted {
                None => Ok(None),
                Some(_) => {
                    let groups = archive.groups_of(number, file)?;
                    let groups = groups.iter().map(|group| {
                        let live = (0..group.rows()).filter(|row| !group.is_deleted(*row));
                        access(group, live.collect())
                    });
                    Ok(Some(groups.collect()))
                }
            });
            files.collect::<Result<Vec<Option<Vec<RowGroupAccess>>>, ArchiveError>>()
        };
        let plans = self.archive.off_thread(plan).await.map_err(raise)?;
        let mut files = self.files.clone();
        for (file, plan) in files.iter_mut().zip(plans) {
            if let Some(plan) = plan {
                *file = file.clone().with_extension(ParquetAccessPlan::new(plan));
            }
        }
        Ok(files)
    }

    /// The files with the rows that the kernel has found.
    fn found(&self, hits: &[Hits]) -> Vec<PartitionedFile> {
        let mut plans: Vec<Vec<RowGroupAccess>> = vec![Vec::new(); self.files.len()];
        for Hits { group, rows: found } in hits {
            let found = found.iter().map(|row| *row as usize).collect();
            plans[group.file].push(access(group, found));
        }
        let mut files = Vec::new();
        for (file, plan) in self.files.iter().zip(plans) {
            if plan.iter().any(RowGroupAccess::should_scan) {
                // What is known of all rows of the file says nothing about these.
                let mut file = file.clone();
                file.statistics = None;
                files.push(file.with_extension(ParquetAccessPlan::new(plan)));
            }
        }
        files
    }

    /// What a scan reads of all games, or of those that were found, if it has its columns from memory; and these columns. Files may tell which of
    /// their pages meet a condition on a column; columns in memory are read from end to end. So with such a condition the files are read.
    async fn kept(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        found: Option<&Arc<[Hits]>>,
    ) -> Result<Option<(Arc<[&'static str]>, Vec<Part>)>> {
        if state.config().get_extension::<KeepsColumns>().is_none() {
            return Ok(None);
        }
        let columns = projection.into_iter().flatten().map(|column| {
            let column = COLUMNS.get(*column)?;
            is_kept(column).then_some(column.name)
        });
        let Some(columns) = columns.collect::<Option<Arc<[&str]>>>() else { return Ok(None) };
        let is_of_moves =
            |filter: &Expr| filter.column_refs().iter().all(|column| column.name() == "moves");
        if columns.is_empty() || !filters.iter().all(is_of_moves) {
            return Ok(None);
        }
        let (wanted, found) = (Arc::clone(&columns), found.cloned());
        let parts = move |archive: &Archive| archive.kept_parts(&wanted, found.as_deref());
        let parts = self.archive.off_thread(parts).await.map_err(raise)?;
        Ok(parts.map(|mut parts| {
            // The engine reads files in this order.
            parts.sort_by_key(|part| self.files[part.group.file].path());
            (columns, parts)
        }))
    }

    /// What a condition `reaches(moves, '…')` or `shows(moves, '…')` asks, if it is one that the kernel answers.
    fn ask(&self, filter: &Expr) -> Option<Ask> {
        self.literal_ask(["reaches", "shows"], filter)
    }

    /// What a condition asks that only games which say yes can meet: it compares `ply_of(moves, '…')` or `ply_when(moves, '…')`,
    /// which are null for all others.
    fn implied_ask(&self, filter: &Expr) -> Option<Ask> {
        let functions = ["ply_of", "ply_when"];
        let ask = |expr: &Expr| match expr {
            Expr::Cast(Cast { expr, .. }) | Expr::TryCast(TryCast { expr, .. }) => {
                self.literal_ask(functions, expr)
            }
            expr => self.literal_ask(functions, expr),
        };
        match filter {
            Expr::IsNotNull(expr) => ask(expr),
            Expr::Between(between) => ask(&between.expr),
            Expr::InList(list) => ask(&list.expr),
            Expr::BinaryExpr(BinaryExpr {
                left,
                op:
                    Operator::Eq
                    | Operator::NotEq
                    | Operator::Lt
                    | Operator::LtEq
                    | Operator::Gt
                    | Operator::GtEq,
                right,
            }) => ask(left).or_else(|| ask(right)),
            _ => None,
        }
    }

    /// What a call of one of two functions asks, with the column `moves` and literals: the first of a position, the second of
    /// the board. Only in archives that the kernel searches by signatures.
    fn literal_ask(&self, [of_position, of_board]: [&str; 2], expr: &Expr) -> Option<Ask> {
        let Expr::ScalarFunction(call) = expr else { return None };
        let [Expr::Column(column), arguments @ ..] = call.args.as_slice() else { return None };
        if self.archive.format() != Format::One || column.name() != "moves" {
            return None;
        }
        match call.name() {
            name if name == of_position => Some(Query::new(&literal_position(arguments)?).into()),
            name if name == of_board => {
                Some(Ask::Board(BoardQuery::new(&literal_conditions(arguments)?)))
            }
            _ => None,
        }
    }
}

/// What to read of a row group: some rows, which rise.
fn access(group: &Group, rows: Vec<usize>) -> RowGroupAccess {
    match rows.len() {
        0 => RowGroupAccess::Skip,
        some if some == group.rows() => RowGroupAccess::Scan,
        _ => {
            let ranges = rows.into_iter().map(|row| row..row + 1);
            let selection = RowSelection::from_consecutive_ranges(ranges, group.rows());
            RowGroupAccess::Selection(selection)
        }
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
        // Which of the others the scan takes over is decided later, in the physical plan.
        let answer = |filter: &&Expr| match self.ask(filter) {
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
        let mut asks: Vec<Ask> = filters.iter().filter_map(|filter| self.ask(filter)).collect();
        let is_complete = asks.len() == filters.len();
        asks.extend(filters.iter().filter_map(|filter| self.implied_ask(filter)));
        let mut statistics = self.statistics.clone();
        let mut found: Option<Arc<[Hits]>> = None;
        if !asks.is_empty() {
            let search = move |archive: &Archive| archive.hits(&asks);
            let hits = self.archive.off_thread(search).await.map_err(raise)?;
            statistics.num_rows = Precision::Exact(hits.iter().map(|hits| hits.rows.len()).sum());
            found = Some(hits.into());
        }
        let files = match &found {
            Some(hits) => self.found(hits),
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
        if let Some((columns, parts)) =
            self.kept(state, projection, filters, found.as_ref()).await?
        {
            let described = (schema, statistics.project(projection));
            let partitions = state.config().target_partitions();
            let source =
                KeptColumns::new(&self.archive, columns, parts, partitions, described, limit);
            return Ok(DataSourceExec::from_data_source(source));
        }
        let store_url = self.archive.location().store_url()?;
        let store = state.runtime_env().object_store(&store_url)?;
        let footers = state.runtime_env().cache_manager.get_file_metadata_cache();
        let options = TableParquetOptions {
            global: state.config_options().execution.parquet.clone(),
            ..TableParquetOptions::default()
        };
        let source = ParquetSource::new(self.schema())
            .with_table_parquet_options(options)
            .with_parquet_file_reader_factory(Arc::new(CheckedReaders {
                readers: CachedParquetFileReaderFactory::new(store, footers),
                files: Arc::clone(&self.known),
                location: self.archive.location().clone(),
                cache: Arc::clone(self.archive.cache()),
            }));
        let groups = FileGroup::new(files).split_files(state.config().target_partitions());
        let config = FileScanConfigBuilder::new(store_url, Arc::new(source))
            .with_file_groups(groups)
            .with_statistics(statistics)
            .with_projection_indices(projection.cloned())?
            .with_limit(limit)
            .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}
