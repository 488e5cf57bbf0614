//! Batches of fewer rows, for plans whose rows are long: values that stand in a plan may be copied into every row of a
//! batch, and some functions make much of each row.

use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::error::Result;
use datafusion::logical_expr::{Expr, LogicalPlan};

/// Values of fewer bytes do not count.
const SHORT: usize = 1 << 10;

/// A function that makes thousands of bytes of each row, and how many rows it gets at once.
const LONG: (&str, usize) = ("positions", 256);

/// How many rows the batches of a plan may have, so that the values in it take no more than `bytes` when each stands in
/// every row; at most `rows`.
pub(crate) fn batch_rows(plan: &LogicalPlan, rows: usize, bytes: usize) -> Result<usize> {
    let (mut long, mut rows) = (0, rows);
    plan.apply_with_subqueries(|plan| {
        plan.apply_expressions(|expr| {
            expr.apply(|expr| {
                match expr {
                    Expr::Literal(value, _) => {
                        let size = value.size();
                        long += if size > SHORT { size } else { 0 };
                    }
                    Expr::ScalarFunction(call) if call.func.name() == LONG.0 => {
                        rows = rows.min(LONG.1);
                    }
                    _ => {}
                }
                Ok(TreeNodeRecursion::Continue)
            })
        })
    })?;
    Ok(bytes.checked_div(long).map_or(rows, |most| most.clamp(1, rows)))
}
