//! Narrows `explore` over all games to those that have its position.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{Aggregate, Expr, Filter, LogicalPlan};
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

use crate::functions::scalar_function;
use crate::table::literal_position;

/// Adds the condition `reaches(moves, fen)` below an aggregate that consists of `explore(moves, result, fen)`,
/// optionally with a variant: games without the position add nothing to it. The scan then finds them by their
/// signatures.
///
/// Only without `GROUP BY`, because a group without such a game has a result, too.
#[derive(Debug)]
pub(crate) struct NarrowExplore;

impl OptimizerRule for NarrowExplore {
    fn name(&self) -> &str {
        "narrow_explore"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::BottomUp)
    }

    fn rewrite(
        &self,
        plan: LogicalPlan,
        _: &dyn OptimizerConfig,
    ) -> Result<Transformed<LogicalPlan>> {
        let LogicalPlan::Aggregate(aggregate) = &plan else { return Ok(Transformed::no(plan)) };
        let Some(condition) = condition(aggregate) else { return Ok(Transformed::no(plan)) };
        if has(&aggregate.input, &condition) {
            return Ok(Transformed::no(plan));
        }
        let input = Filter::try_new(condition, Arc::clone(&aggregate.input))?;
        let mut narrow = aggregate.clone();
        narrow.input = Arc::new(LogicalPlan::Filter(input));
        Ok(Transformed::yes(LogicalPlan::Aggregate(narrow)))
    }
}

/// The condition that all counted rows meet.
fn condition(aggregate: &Aggregate) -> Option<Expr> {
    if !aggregate.group_expr.is_empty() {
        return None;
    }
    let mut condition = None;
    for expr in &aggregate.aggr_expr {
        let Expr::AggregateFunction(call) = expr.clone().unalias() else { return None };
        let [moves @ Expr::Column(_), _, position @ ..] = call.params.args.as_slice() else {
            return None;
        };
        if call.func.name() != "explore"
            || call.params.filter.is_some()
            || literal_position(position).is_none()
        {
            return None;
        }
        let arguments = std::iter::once(moves).chain(position).cloned().collect();
        let reaches = scalar_function("reaches")?.call(arguments);
        if condition.as_ref().is_some_and(|other| *other != reaches) {
            return None;
        }
        condition = Some(reaches);
    }
    condition
}

/// Returns true if the rows meet the condition already.
fn has(plan: &LogicalPlan, condition: &Expr) -> bool {
    match plan {
        LogicalPlan::Filter(filter) => {
            split_conjunction(&filter.predicate).contains(&condition)
                || has(&filter.input, condition)
        }
        LogicalPlan::TableScan(scan) => scan.filters.contains(condition),
        LogicalPlan::Projection(projection) => has(&projection.input, condition),
        LogicalPlan::SubqueryAlias(alias) => has(&alias.input, condition),
        _ => false,
    }
}
