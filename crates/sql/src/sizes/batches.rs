//! Batches of rows, which have to fit in the memory of a query.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::common::internal_datafusion_err;
use datafusion::common::tree_node::{
    Transformed, TransformedResult as _, TreeNode as _, TreeNodeRecursion,
};
use datafusion::common::utils::memory::get_record_batch_memory_size;
use datafusion::error::Result;
use datafusion::execution::TaskContext;
use datafusion::execution::memory_pool::MemoryLimit;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_plan::execution_plan::{
    ChildrenPropertiesMode, PlanProperties, ReplaceChildrenOptions,
};
use datafusion::physical_plan::joins::{
    CrossJoinExec, HashJoinExec, NestedLoopJoinExec, SortMergeJoinExec,
};
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::unnest::UnnestExec;
use datafusion::physical_plan::windows::{BoundedWindowAggExec, WindowAggExec};
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, SendableRecordBatchStream,
};
use futures::StreamExt as _;

use super::arguments::contents;
use crate::error::{SqlError, raise};

/// The same plan, whose batches fit in the memory of its query.
pub(crate) fn within_memory(
    plan: Arc<dyn ExecutionPlan>,
    context: &TaskContext,
) -> Result<Arc<dyn ExecutionPlan>> {
    let MemoryLimit::Finite(memory_bytes) = context.memory_pool().memory_limit() else {
        return Ok(plan);
    };
    plan.transform_up(|plan| {
        Ok(match can_grow(plan.as_ref()) {
            true => Transformed::yes(Arc::new(Within { input: plan, memory_bytes }) as _),
            false => Transformed::no(plan),
        })
    })
    .data()
}

/// True for an operation that may make more of its rows than it reads, and does not count it: computed columns, joins, the
/// elements of lists, and windows.
fn can_grow(plan: &dyn ExecutionPlan) -> bool {
    if let Some(projection) = plan.downcast_ref::<ProjectionExec>() {
        return projection.expr().iter().any(|it| it.expr.downcast_ref::<Column>().is_none());
    }
    plan.downcast_ref::<CrossJoinExec>().is_some()
        || plan.downcast_ref::<HashJoinExec>().is_some()
        || plan.downcast_ref::<NestedLoopJoinExec>().is_some()
        || plan.downcast_ref::<SortMergeJoinExec>().is_some()
        || plan.downcast_ref::<UnnestExec>().is_some()
        || plan.downcast_ref::<WindowAggExec>().is_some()
        || plan.downcast_ref::<BoundedWindowAggExec>().is_some()
}

/// Returns true if a batch takes more memory than the limit. A batch may be part of larger arrays, which are counted elsewhere, or
/// share a value among its rows: the smaller number counts.
fn exceeds(batch: &RecordBatch, memory_bytes: usize) -> bool {
    get_record_batch_memory_size(batch) > memory_bytes
        && batch.columns().iter().map(|it| contents(it.as_ref()).0).sum::<f64>()
            > memory_bytes as f64
}

/// The rows of an operation, up to a batch that takes more memory than the limit.
#[derive(Debug)]
struct Within {
    input: Arc<dyn ExecutionPlan>,
    memory_bytes: usize,
}

impl DisplayAs for Within {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Within: memory_bytes={}", self.memory_bytes)
    }
}

impl ExecutionPlan for Within {
    fn name(&self) -> &'static str {
        "Within"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.input.properties()
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let input = children.into_iter().next();
        let input = input.ok_or_else(|| internal_datafusion_err!("Within has no input"))?;
        Ok(Arc::new(Self { input, memory_bytes: self.memory_bytes }))
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(
            children,
            ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute),
        )
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let bytes = self.memory_bytes;
        let batches = self.input.execute(partition, context)?;
        let batches = batches.map(move |batch| {
            let batch = batch?;
            match exceeds(&batch, bytes) {
                true => Err(raise(SqlError::Memory { bytes })),
                false => Ok(batch),
            }
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), batches)))
    }
}
