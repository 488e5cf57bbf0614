//! Values that stand in a plan: each may be copied into every row of a batch.

use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::error::Result;
use datafusion::logical_expr::{Expr, LogicalPlan};

/// Values of fewer bytes do not count.
const SHORT: usize = 1 << 10;

/// How many rows the batches of a plan may have, so that the values in it take no more than `bytes` when each stands in
/// every row; at most `rows`.
pub(crate) fn batch_rows(plan: &LogicalPlan, rows: usize, bytes: usize) -> Result<usize> {
    let mut long = 0;
    plan.apply_with_subqueries(|plan| {
        plan.apply_expressions(|expr| {
            expr.apply(|expr| {
                if let Expr::Literal(value, _) = expr {
                    let size = value.size();
                    long += if size > SHORT { size } else { 0 };
                }
                Ok(TreeNodeRecursion::Continue)
            })
        })
    })?;
    Ok(bytes.checked_div(long).map_or(rows, |most| most.clamp(1, rows)))
}
