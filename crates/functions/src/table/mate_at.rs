//! `mate_at(evaluations, n)`: the moves to mate after a half-move.

use halfmove_game::Score;
use halfmove_game::codec::DecodeError;

use super::eval_at::score_at;
use super::values::values_at;
use crate::function::{Body, EVALUATIONS, Example, Function, N, ResultKind};
use crate::rows::ints;

pub(crate) const FUNCTION: Function = Function::new(
    "mate_at",
    &[EVALUATIONS, N],
    ResultKind::Int,
    Body::Rows(|arguments| ints(arguments, values_at(arguments, mate_at)?)),
)
.with_help(
    "the moves to mate after the n-th half-move, or null",
    "The moves to mate in the evaluation after the n-th half-move, negative if Black mates; null if it is not a mate.",
    Example::new(&["mate_at(evaluations, 2)", "mate_at(evaluations, 3)"], &[2], &[&["null", "-1"]]),
);

/// The moves to mate after the n-th half-move.
fn mate_at(evaluations: &[u8], n: i64) -> Result<Option<i32>, DecodeError> {
    Ok(match score_at(evaluations, n)? {
        Some(Score::Mate(moves)) => Some(moves),
        _ => None,
    })
}
