//! The rule by which calls that make long values are limited, wherever they stand in a plan.

use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::error::Result;
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{BinaryExpr, Expr, LogicalPlan, Operator, ScalarUDF};
use datafusion::optimizer::AnalyzerRule;

use super::bounded::{Bounded, Joined};
use super::growth::grows;
use super::plan::{check_conditions, check_operations};
use super::value::check_value;

/// Of the memory of queries, one call on a batch may make this part.
const PART: usize = 16;

/// Wraps the functions of which a short call may make a long value. This comes before constants are folded, which the
/// engine does while it plans.
#[derive(Debug)]
pub(crate) struct LimitGrowth {
    /// The memory of queries.
    pub(crate) bytes: usize,
}

impl AnalyzerRule for LimitGrowth {
    fn name(&self) -> &str {
        "limit_growth"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        check_operations(&plan)?;
        check_conditions(&plan)?;
        let mut calls = 0;
        plan.apply_with_subqueries(|plan| {
            plan.apply_expressions(|expr| {
                expr.apply(|expr| {
                    check_value(expr)?;
                    // Of `a || b || c` only the last operator counts.
                    calls += usize::from(is_limited(expr));
                    calls -= usize::from(left_of_join(expr).and_then(left_of_join).is_some());
                    Ok(TreeNodeRecursion::Continue)
                })
            })
        })?;
        if calls == 0 {
            return Ok(plan);
        }
        // All calls on one batch together make no more than all that queries may use.
        let limit = (self.bytes / calls.max(PART)) as u64;
        let limited = plan.transform_up_with_subqueries(|plan| {
            let names = NamePreserver::new(&plan);
            let plan = plan.map_expressions(|expr| {
                let name = names.save(&expr);
                let expr = expr.transform_up(|expr| Ok(limited(expr, limit)))?;
                Ok(expr.update_data(|expr| name.restore(expr)))
            })?;
            plan.map_data(LogicalPlan::recompute_schema)
        })?;
        Ok(limited.data)
    }
}

fn is_limited(expr: &Expr) -> bool {
    match expr {
        Expr::ScalarFunction(call) => grows(call.func.name()),
        expr => left_of_join(expr).is_some(),
    }
}

/// The left side of the operator `||`.
fn left_of_join(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::StringConcat, .. }) => Some(left),
        _ => None,
    }
}

/// The same expression, with a limit.
fn limited(expr: Expr, limit: u64) -> Transformed<Expr> {
    match expr {
        Expr::ScalarFunction(call) if grows(call.func.name()) => {
            let bounded = Bounded::new(Arc::clone(call.func.inner()), limit);
            let func = Arc::new(ScalarUDF::new_from_impl(bounded));
            Transformed::yes(Expr::ScalarFunction(ScalarFunction { func, args: call.args }))
        }
        // `a || b || c` is one call, however long: the engine takes long over calls within calls.
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::StringConcat, right }) => {
            let mut args = match *left {
                Expr::ScalarFunction(call) if call.func.inner().is::<Joined>() => call.args,
                other => vec![other],
            };
            args.push(*right);
            Transformed::yes(ScalarUDF::new_from_impl(Joined::new(limit)).call(args))
        }
        other => Transformed::no(other),
    }
}
