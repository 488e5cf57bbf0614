//! `clock_list(clocks)`: all clocks of a game.

use std::sync::Arc;

use arrow_array::builder::{Float64Builder, ListBuilder};
use halfmove_game::Clock;
use halfmove_game::codec::whole;

use super::values::max_values;
use crate::function::{Body, CLOCKS, Example, Function, ResultKind};

pub(crate) const FUNCTION: Function = Function::new(
    "clock_list",
    &[CLOCKS],
    ResultKind::Doubles,
    Body::Rows(|arguments| {
        let clocks = arguments.bytes(0)?;
        let mut lists = ListBuilder::new(Float64Builder::new());
        for row in 0..arguments.rows() {
            let Some(bytes) = clocks.at(row) else {
                lists.append_null();
                continue;
            };
            let decoded = whole::clocks(bytes, max_values(bytes));
            let decoded = decoded.map_err(|error| arguments.invalid(0, error))?;
            let seconds = |clock: &Option<Clock>| clock.map(Clock::seconds);
            lists.append_value(decoded.iter().map(seconds));
        }
        Ok(Arc::new(lists.finish()))
    }),
)
.with_help(
    "the clocks after each half-move, in seconds",
    "The clock after each half-move in seconds, as a list up to the last clock; null where one is missing. `clocks` is the column of that \
name. The table `halfmoves` has each in a row.",
    Example::new(&["clock_list(clocks)"], &[2], &[&["[180.0, 178.0, 179.0, 177.5]"]]),
);
