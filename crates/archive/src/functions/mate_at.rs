//! `mate_at(evaluations, n) -> INT`: the moves to mate in the evaluation after the n-th half-move, negative if Black
//! mates; null if it is no mate.
//!
//! After `30. Qh7 {[%eval #3]}`, `mate_at(evaluations, 59)` is 3. Negative numbers count from the last half-move with an
//! evaluation.

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;
use halfmove_game::Score;
use halfmove_game::codec::DecodeError;

use super::args::Kind;
use super::eval_at::score_at;
use super::function::{Function, ints};
use super::values::values_at;

/// The moves to mate after the n-th half-move.
pub(crate) fn mate_at(evaluations: &[u8], n: i64) -> Result<Option<i32>, DecodeError> {
    Ok(match score_at(evaluations, n)? {
        Some(Score::Mate(moves)) => Some(moves),
        _ => None,
    })
}

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "mate_at",
        usage: "mate_at(evaluations, n)",
        form: &[Kind::Evaluations, Kind::Number],
        optional: &[],
        answer: DataType::Int32,
        call: |call| ints(call, values_at(call, "mate_at", "evaluations", mate_at)?),
    }
    .udf()
}
