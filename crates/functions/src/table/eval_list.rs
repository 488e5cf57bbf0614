//! `eval_list(evaluations)`: all evaluations of a game.

use std::sync::Arc;

use arrow_array::builder::{Int32Builder, ListBuilder};
use halfmove_game::codec::whole;

use super::eval_at::centipawns;
use super::values::max_values;
use crate::function::{Body, EVALUATIONS, Example, Function, ResultKind};

pub(crate) const FUNCTION: Function = Function::new(
    "eval_list",
    &[EVALUATIONS],
    ResultKind::Ints,
    Body::Rows(|arguments| {
        let evaluations = arguments.bytes(0)?;
        let mut lists = ListBuilder::new(Int32Builder::new());
        for row in 0..arguments.rows() {
            let Some(bytes) = evaluations.at(row) else {
                lists.append_null();
                continue;
            };
            let decoded = whole::evaluations(bytes, max_values(bytes));
            let decoded = decoded.map_err(|error| arguments.invalid(0, error))?;
            lists.append_value(decoded.iter().map(|evaluation| {
                centipawns(evaluation.map(|evaluation| evaluation.score()))
            }));
        }
        Ok(Arc::new(lists.finish()))
    }),
)
.with_help(
    "the evaluations after each half-move, in centipawns",
    "The evaluation after each half-move in centipawns, from White's side, as a list up to the last evaluation; null for a mate and where one \
is missing. `evaluations` is the column of that name. The table `halfmoves` has each in a row.",
    Example::new(&["eval_list(evaluations)"], &[2], &[&["[30, -25, , ]"]]),
);
