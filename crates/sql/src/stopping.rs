//! Joins that stop soon after their query is cancelled or its deadline has passed.
//!
//! A task of the query engine can be cancelled only when it yields, which is when it reads its inputs. Joins multiply rows: one may
//! compute for minutes between two batches of its input, on all threads of the runtime, so that not even timers run. The plans
//! made here have joins that yield between batches, and whose conditions check the cancellation token and the deadline within a batch.

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

/// A guard that cancels a token when it is dropped.
pub(crate) struct CancelOnDrop(pub(crate) CancelToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Returns the plan with joins that fail soon after the token is cancelled or the deadline has passed.
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

/// The check of the token and the deadline, as a function in conditions.
struct Stop {
    /// Returns its argument, or an error if the query was stopped.
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

    /// Returns a join with the check in its condition; `None` for a plan that is not a join.
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

    /// Returns a plan with the rows of a join, the check for each batch, and a yield after some batches.
    fn rows(&self, join: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
        let always = self.condition(lit(true), &join.schema())?;
        Ok(Arc::new(FilterExec::try_new(always, Arc::new(CooperativeExec::new(join)))?))
    }

    /// Adds the check to the filter of a join.
    fn filter(&self, filter: &JoinFilter) -> Result<JoinFilter> {
        let (schema, columns) = (Arc::clone(filter.schema()), filter.column_indices().to_vec());
        let condition = self.condition(Arc::clone(filter.expression()), &schema)?;
        Ok(JoinFilter::new(condition, columns, schema))
    }

    /// Adds the check to a condition.
    fn condition(&self, condition: PhysicalExprRef, schema: &Schema) -> Result<PhysicalExprRef> {
        let (function, config) = (Arc::clone(&self.function), Arc::clone(&self.config));
        let condition = ScalarFunctionExpr::try_new(function, vec![condition], schema, config)?;
        Ok(Arc::new(condition))
    }
}

/// Returns true if a join without a filter returns each pair of rows that it finds: it yields often enough without a check.
fn returns_pairs(join: JoinType) -> bool {
    matches!(join, JoinType::Inner | JoinType::Left | JoinType::Right | JoinType::Full)
}
