//! `eval_at(evaluations, n)`: the evaluation after a half-move.

use halfmove_game::Score;
use halfmove_game::codec::{DecodeError, whole};

use super::values::{max_values, nth, values_at};
use crate::function::{Body, EVALUATIONS, Example, Function, N, ResultKind};
use crate::rows::ints;

pub(crate) const FUNCTION: Function = Function::new(
    "eval_at",
    &[EVALUATIONS, N],
    ResultKind::Int,
    Body::Rows(|arguments| ints(arguments, values_at(arguments, eval_at)?)),
)
.with_help(
    "the evaluation after the n-th half-move, in centipawns",
    "\
The evaluation after the n-th half-move in centipawns, from White's side. `evaluations` is the column of that name. Null for a mate, which
`mate_at` returns, so that means and differences are those of centipawns; null for an evaluation with more than two decimals, which stays a
comment. Negative numbers count from the last half-move with an evaluation. The notation and the depth of each evaluation are only in `annotations`.",
    Example::new(
        &["eval_at(evaluations, 1)", "eval_at(evaluations, 2)", "eval_at(evaluations, 3)"],
        &[2],
        &[&["30", "-25", "null"]],
    ),
);

/// The score after the n-th half-move.
pub(super) fn score_at(evaluations: &[u8], n: i64) -> Result<Option<Score>, DecodeError> {
    let evaluations = whole::evaluations(evaluations, max_values(evaluations))?;
    Ok(nth(&evaluations, n).map(|evaluation| evaluation.score()))
}

/// The score after the n-th half-move in centipawns.
fn eval_at(evaluations: &[u8], n: i64) -> Result<Option<i32>, DecodeError> {
    Ok(centipawns(score_at(evaluations, n)?))
}

/// A score in centipawns; `None` for a mate.
pub(super) fn centipawns(score: Option<Score>) -> Option<i32> {
    match score {
        Some(Score::Centipawns(cp)) => Some(cp),
        Some(Score::Mate(_)) | None => None,
    }
}
