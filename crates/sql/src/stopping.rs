//! Queries that end when their result is dropped.
//!
//! The engine drops a query where it yields, which is when it reads its inputs. Joins multiply rows, so they may work for
//! minutes in between, and on all threads of the runtime, whose timers wait for that. Here they yield, and fail in the middle
//! of a batch.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::common::JoinType;
use datafusion::common::tree_node::{Transformed, TransformedResult as _, TreeNode as _};
use datafusion::config::ConfigOptions;
use datafusion::error::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarUDF, Volatility, create_udf};
use datafusion::physical_expr::expressions::lit;
use datafusion::physical_expr::{PhysicalExprRef, ScalarFunctionExpr};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::coop::CooperativeExec;
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::joins::utils::JoinFilter;
use datafusion::physical_plan::joins::{
    CrossJoinExec, HashJoinExec, NestedLoopJoinExec, NestedLoopJoinExecBuilder,
};
use halfmove_archive::{ArchiveError, CancelToken};

use crate::error::raise;
use crate::execution::Deadline;

/// Cancels work when it is dropped.
pub(crate) struct CancelOnDrop(pub(crate) CancelToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The same plan, whose joins end soon after the token is cancelled, or after the deadline.
pub(crate) fn stoppable(
    plan: Arc<dyn ExecutionPlan>,
    token: &CancelToken,
    deadline: Deadline,
) -> Result<Arc<dyn ExecutionPlan>> {
    let stop = Stop::new(token.clone(), deadline);
    plan.transform_up(|plan| {
        Ok(match stop.join(&plan)? {
            Some(join) => Transformed::yes(stop.rows(join)?),
            None => Transformed::no(plan),
        })
    })
    .data()
}

/// Conditions that fail when a query was stopped.
struct Stop {
    /// Returns its argument.
    function: Arc<ScalarUDF>,
    config: Arc<ConfigOptions>,
}

impl Stop {
    fn new(token: CancelToken, deadline: Deadline) -> Self {
        let check = move |arguments: &[ColumnarValue]| {
            if token.is_cancelled() {
                return Err(raise(ArchiveError::Stopped));
            }
            deadline.check()?;
            Ok(arguments[0].clone())
        };
        let function = create_udf(
            "unless_stopped",
            vec![DataType::Boolean],
            DataType::Boolean,
            Volatility::Volatile,
            Arc::new(check),
        );
        Self { function: Arc::new(function), config: Arc::default() }
    }

    /// A join that can be stopped.
    fn join(&self, plan: &Arc<dyn ExecutionPlan>) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        if plan.downcast_ref::<CrossJoinExec>().is_some() {
            return Ok(Some(Arc::clone(plan)));
        }
        if let Some(join) = plan.downcast_ref::<NestedLoopJoinExec>() {
            let filter = join.filter().map(|filter| self.filter(filter)).transpose()?;
            let join = NestedLoopJoinExecBuilder::from(join).with_filter(filter).build()?;
            return Ok(Some(Arc::new(join)));
        }
        let Some(join) = plan.downcast_ref::<HashJoinExec>() else { return Ok(None) };
        let filter = match join.filter() {
            Some(filter) => Some(self.filter(filter)?),
            None if returns_pairs(*join.join_type()) => None,
            None => {
                let always = JoinFilter::new(lit(true), Vec::new(), Arc::new(Schema::empty()));
                Some(self.filter(&always)?)
            }
        };
        join.builder().with_filter(filter).build_exec().map(Some)
    }

    /// The rows of a join, until the query is stopped. It yields after some batches.
    fn rows(&self, join: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
        let always = self.condition(lit(true), &join.schema())?;
        Ok(Arc::new(FilterExec::try_new(always, Arc::new(CooperativeExec::new(join)))?))
    }

    /// The same filter, until the query is stopped.
    fn filter(&self, filter: &JoinFilter) -> Result<JoinFilter> {
        let (schema, columns) = (Arc::clone(filter.schema()), filter.column_indices().to_vec());
        let condition = self.condition(Arc::clone(filter.expression()), &schema)?;
        Ok(JoinFilter::new(condition, columns, schema))
    }

    /// The same condition, until the query is stopped.
    fn condition(&self, condition: PhysicalExprRef, schema: &Schema) -> Result<PhysicalExprRef> {
        let (function, config) = (Arc::clone(&self.function), Arc::clone(&self.config));
        let condition = ScalarFunctionExpr::try_new(function, vec![condition], schema, config)?;
        Ok(Arc::new(condition))
    }
}

/// Returns true if a join without a filter returns every pair that it finds, and so yields.
fn returns_pairs(join: JoinType) -> bool {
    matches!(join, JoinType::Inner | JoinType::Left | JoinType::Right | JoinType::Full)
}
