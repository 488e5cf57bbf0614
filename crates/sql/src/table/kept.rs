//! A scan of columns in memory: it reads no file.
//!
//! The plan of such a scan exists only in this process. Sessions of other programs may send their plans to other
//! machines, so they always read files. The sessions of [`Sql`](crate::Sql) have [`KeepsColumns`].

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result, Statistics, exec_err};
use datafusion::datasource::source::DataSource;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_expr::{EquivalenceProperties, Partitioning, PhysicalExpr};
use datafusion::physical_plan::DisplayFormatType;
use datafusion::physical_plan::coop::cooperative;
use datafusion::physical_plan::execution_plan::SchedulingType;
use datafusion::physical_plan::metrics::{BaselineMetrics, ExecutionPlanMetricsSet};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use futures::{StreamExt, TryStreamExt, stream};
use halfmove_archive::scan::{Scan, ScanPart};

use super::off_thread;
use crate::error::raise;

/// An extension of a session whose scans may take columns from memory.
#[derive(Debug)]
pub(crate) struct KeepsColumns;

/// Columns of row groups, from memory.
#[derive(Debug, Clone)]
pub(super) struct KeptColumns {
    scan: Scan,
    columns: Arc<[&'static str]>,
    schema: SchemaRef,
    partitions: Vec<Arc<[ScanPart]>>,
    /// The statistics of all partitions, without the limit.
    statistics: Statistics,
    limit: Option<usize>,
    metrics: ExecutionPlanMetricsSet,
}

impl KeptColumns {
    /// `schema` and `statistics` are those of the columns.
    pub(super) fn new(
        scan: &Scan,
        columns: Arc<[&'static str]>,
        parts: Vec<ScanPart>,
        partitions: usize,
        (schema, statistics): (SchemaRef, Statistics),
        limit: Option<usize>,
    ) -> Self {
        let all: usize = parts.iter().map(ScanPart::count).sum();
        let mut partitioned: Vec<Vec<ScanPart>> = vec![Vec::new(); partitions.max(1)];
        let mut before = 0;
        for part in parts {
            let games = part.count();
            partitioned[before * partitions / all.max(1)].push(part);
            before += games;
        }
        partitioned.retain(|parts| !parts.is_empty());
        let partitions = partitioned.into_iter().map(Arc::from).collect();
        let (scan, metrics) = (scan.clone(), ExecutionPlanMetricsSet::new());
        Self { scan, columns, schema, partitions, statistics, limit, metrics }
    }
}

impl DataSource for KeptColumns {
    fn open(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let Some(parts) = self.partitions.get(partition) else {
            return exec_err!("there is no partition {partition}");
        };
        let mut left = self.limit.unwrap_or(usize::MAX);
        let mut some = Vec::with_capacity(parts.len());
        for part in parts.iter() {
            let part = part.clone().first(left);
            left -= part.count();
            some.push(part);
            if left == 0 {
                break;
            }
        }
        let step = context.session_config().batch_size().max(1);
        let output = BaselineMetrics::new(&self.metrics, partition);
        let (scan, columns) = (self.scan.clone(), Arc::clone(&self.columns));
        let schema = Arc::clone(&self.schema);
        let batches = stream::iter(some).then(move |part| {
            let (scan, columns) = (scan.clone(), Arc::clone(&columns));
            let schema = Arc::clone(&schema);
            async move {
                let load = move |scan: &Scan| {
                    let loaded = scan.load(&part, &columns)?;
                    Ok((part, loaded))
                };
                let (part, loaded) = off_thread(&scan, load).await?;
                let count = part.count();
                let batches = (0..count).step_by(step).map(move |from| {
                    let games = from..count.min(from + step);
                    part.batch(&loaded, games, &schema).map_err(raise)
                });
                Ok::<_, DataFusionError>(stream::iter(batches))
            }
        });
        let batches = batches.try_flatten().inspect_ok(move |batch| {
            output.record_output(batch.num_rows());
        });
        let batches = RecordBatchStreamAdapter::new(Arc::clone(&self.schema), batches.boxed());
        Ok(Box::pin(cooperative(batches)))
    }

    fn fmt_as(&self, kind: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (columns, partitions) = (self.columns.join(", "), self.partitions.len());
        match kind {
            DisplayFormatType::Default | DisplayFormatType::Verbose => {
                write!(f, "columns in memory=[{columns}], partitions={partitions}")?;
                self.limit.map_or(Ok(()), |limit| write!(f, ", limit={limit}"))
            }
            DisplayFormatType::TreeRender => writeln!(f, "columns in memory={columns}"),
        }
    }

    fn output_partitioning(&self) -> Partitioning {
        Partitioning::UnknownPartitioning(self.partitions.len())
    }

    fn eq_properties(&self) -> EquivalenceProperties {
        EquivalenceProperties::new(Arc::clone(&self.schema))
    }

    fn scheduling_type(&self) -> SchedulingType {
        SchedulingType::Cooperative
    }

    fn partition_statistics(&self, partition: Option<usize>) -> Result<Arc<Statistics>> {
        let mut statistics = self.statistics.clone();
        if let Some(parts) = partition.and_then(|partition| self.partitions.get(partition)) {
            statistics.num_rows = Precision::Exact(parts.iter().map(ScanPart::count).sum());
        }
        Ok(Arc::new(statistics.with_fetch(self.limit, 0, 1)?))
    }

    fn with_fetch(&self, limit: Option<usize>) -> Option<Arc<dyn DataSource>> {
        Some(Arc::new(Self { limit, ..self.clone() }))
    }

    fn fetch(&self) -> Option<usize> {
        self.limit
    }

    fn metrics(&self) -> ExecutionPlanMetricsSet {
        self.metrics.clone()
    }

    fn try_swapping_with_projection(
        &self,
        _: &ProjectionExprs,
    ) -> Result<Option<Arc<dyn DataSource>>> {
        Ok(None)
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }
}
