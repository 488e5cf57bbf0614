//! `eval_at(evaluations, n)`: the evaluation after a half-move.

use halfmove_game::Score;
use halfmove_game::codec::{DecodeError, whole};

use super::values::{most_values, nth, values_at};
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
The evaluation after the n-th half-move in centipawns, from White's side. `evaluations` is the column of that name. A mate by White in m
moves is 100000 - m, one by Black -100000 + m, so evaluations can be compared: every mate is worth at least 90000, and everything else less.
Null for `#0`, which does not show who mates, and for an evaluation with more than two decimals, which stays a comment. Negative numbers
count from the last half-move with an evaluation. The notation and the depth of each evaluation are only in `annotations`.",
    Example::new(
        &["eval_at(evaluations, 1)", "eval_at(evaluations, 2)", "eval_at(evaluations, 3)"],
        &[2],
        &[&["30", "-25", "-99999"]],
    ),
);

/// The value of a mate in 0; one is subtracted for each move.
const MATE: i32 = 100_000;

/// The minimum value of a mate; all other values are below it.
const LEAST_MATE: i32 = 90_000;

/// The score after the n-th half-move.
pub(super) fn score_at(evaluations: &[u8], n: i64) -> Result<Option<Score>, DecodeError> {
    let evaluations = whole::evaluations(evaluations, most_values(evaluations))?;
    Ok(nth(&evaluations, n).map(|evaluation| evaluation.score()))
}

/// The score after the n-th half-move as a number.
fn eval_at(evaluations: &[u8], n: i64) -> Result<Option<i32>, DecodeError> {
    Ok(score_at(evaluations, n)?.and_then(|score| match score {
        Score::Centipawns(cp) => Some(cp.clamp(-LEAST_MATE, LEAST_MATE)),
        Score::Mate(0) => None,
        Score::Mate(moves) => {
            let worth = MATE.saturating_sub_unsigned(moves.unsigned_abs());
            Some(moves.signum() * worth.max(LEAST_MATE))
        }
    }))
}
