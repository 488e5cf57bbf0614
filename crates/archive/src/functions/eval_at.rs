//! `eval_at(evaluations, n) -> INT`: the evaluation after the n-th half-move, from 1, in centipawns from White's side;
//! null if there is none.
//!
//! After `1. e4 {[%eval 0.3]}`, `eval_at(evaluations, 1)` is 30. A mate by White in m moves is 100000 - m, one by Black
//! -100000 + m, so that evaluations can be compared; `mate_at` has the moves alone. No mate is worth less than 90000, and nothing
//! else is worth more. The mate `#0`, which does not say whose it is, is null. Negative numbers count from the last half-move with
//! an evaluation.

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;
use halfmove_game::Score;
use halfmove_game::codec::{DecodeError, whole};

use super::args::Kind;
use super::function::{Function, ints};
use super::values::{most_values, nth, values_at};

/// What a mate is worth, less the moves to it.
const MATE: i32 = 100_000;

/// The least that a mate is worth, and the most that anything else is.
const LEAST_MATE: i32 = 90_000;

/// The score after the n-th half-move.
pub(super) fn score_at(evaluations: &[u8], n: i64) -> Result<Option<Score>, DecodeError> {
    let evaluations = whole::evaluations(evaluations, most_values(evaluations))?;
    Ok(nth(&evaluations, n).map(|evaluation| evaluation.score()))
}

/// The score after the n-th half-move as a number.
pub(crate) fn eval_at(evaluations: &[u8], n: i64) -> Result<Option<i32>, DecodeError> {
    Ok(score_at(evaluations, n)?.and_then(|score| match score {
        Score::Centipawns(cp) => Some(cp.clamp(-LEAST_MATE, LEAST_MATE)),
        Score::Mate(0) => None,
        Score::Mate(moves) => {
            let worth = MATE.saturating_sub_unsigned(moves.unsigned_abs());
            Some(moves.signum() * worth.max(LEAST_MATE))
        }
    }))
}

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "eval_at",
        usage: "eval_at(evaluations, n)",
        form: &[Kind::Evaluations, Kind::Number],
        optional: &[],
        answer: DataType::Int32,
        call: |call| ints(call, values_at(call, "eval_at", "evaluations", eval_at)?),
    }
    .udf()
}
