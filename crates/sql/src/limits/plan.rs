//! How large a plan is, and how large the engine may make it.

use datafusion::common::JoinType;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::error::Result;
use datafusion::logical_expr::{Distinct, Expr, LogicalPlan};

use crate::error::ArchiveError;
use crate::functions::raise;

/// The most operations of a plan.
const OPERATIONS: usize = 20_000;

/// The most parts by which a condition may grow. The engine moves conditions down to where rows are read, and on the way it replaces columns
/// by what they are computed from: `x` by `x + x`, which may double it with each subquery.
const CONDITION: f64 = 50_000.0;

/// Rejects a plan of too many operations.
pub(crate) fn check_operations(plan: &LogicalPlan) -> Result<()> {
    let mut operations = 0;
    plan.apply_with_subqueries(|_| {
        operations += 1;
        Ok(match operations > OPERATIONS {
            true => TreeNodeRecursion::Stop,
            false => TreeNodeRecursion::Continue,
        })
    })?;
    match operations > OPERATIONS {
        true => Err(raise(ArchiveError::Limit(format!(
            "the query needs more than {OPERATIONS} operations, which is more than is allowed"
        )))),
        false => Ok(()),
    }
}

/// Rejects conditions that become too large where they are moved to.
pub(super) fn check_conditions(plan: &LogicalPlan) -> Result<()> {
    parts(plan)?;
    // What is in the subqueries of expressions is not among the inputs of an operation.
    plan.apply_with_subqueries(|plan| {
        plan.apply_subqueries(|subquery| {
            parts(subquery)?;
            Ok(TreeNodeRecursion::Jump)
        })
    })?;
    Ok(())
}

/// Of how many parts each column of a plan is made, when it is computed from the columns of tables.
fn parts(plan: &LogicalPlan) -> Result<Vec<f64>> {
    let mut inputs = Vec::new();
    for input in plan.inputs() {
        inputs.push(parts(input)?);
    }
    let of = |expr: &Expr| size(expr, plan, &inputs);
    let columns = plan.schema().fields().len();
    let conditions: Vec<&Expr> = match plan {
        LogicalPlan::Filter(filter) => vec![&filter.predicate],
        LogicalPlan::Join(join) => {
            let keys = join.on.iter().flat_map(|(left, right)| [left, right]);
            keys.chain(&join.filter).collect()
        }
        _ => Vec::new(),
    };
    let growth = |expr| of(expr) - size(expr, plan, &[]);
    if conditions.into_iter().map(growth).sum::<f64>() > CONDITION {
        return Err(raise(ArchiveError::Limit(
            "a condition becomes too long when its columns are replaced by what they are computed from: compute less in subqueries and WITH".to_owned(),
        )));
    }
    let mut parts = match plan {
        LogicalPlan::Projection(projection) => projection.expr.iter().map(of).collect(),
        LogicalPlan::Aggregate(aggregate) => aggregate.group_expr.iter().map(of).collect(),
        LogicalPlan::Distinct(Distinct::On(on)) => on.select_expr.iter().map(of).collect(),
        LogicalPlan::Union(_) => inputs.iter().fold(Vec::new(), |most: Vec<f64>, input| {
            let at = |parts: &[f64], column: usize| parts.get(column).copied().unwrap_or(1.0);
            (0..columns).map(|column| at(&most, column).max(at(input, column))).collect()
        }),
        LogicalPlan::Join(join)
            if matches!(join.join_type, JoinType::RightSemi | JoinType::RightAnti) =>
        {
            inputs.pop().unwrap_or_default()
        }
        // They pass their columns on, and perhaps add some.
        _ => inputs.concat(),
    };
    parts.resize(columns, 1.0);
    Ok(parts)
}

/// The parts of an expression over the inputs of an operation.
fn size(expr: &Expr, plan: &LogicalPlan, inputs: &[Vec<f64>]) -> f64 {
    let mut size = 0.0;
    let known = expr.apply(|expr| {
        size += match expr {
            Expr::Column(column) => {
                let of = plan.inputs().into_iter().zip(inputs).find_map(|(input, parts)| {
                    let index = input.schema().maybe_index_of_column(column)?;
                    parts.get(index).copied()
                });
                of.unwrap_or(1.0)
            }
            _ => 1.0,
        };
        Ok(TreeNodeRecursion::Continue)
    });
    // The visit itself never fails.
    known.map_or(f64::INFINITY, |_| size)
}
