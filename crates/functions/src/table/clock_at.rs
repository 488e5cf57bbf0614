//! `clock_at(clocks, n)`: the clock after a half-move.

use halfmove_game::codec::{DecodeError, whole};

use super::values::{max_values, nth, values_at};
use crate::function::{Body, CLOCKS, Example, Function, N, ResultKind};
use crate::rows::doubles;

pub(crate) const FUNCTION: Function = Function::new(
    "clock_at",
    &[CLOCKS, N],
    ResultKind::Double,
    Body::Rows(|arguments| doubles(arguments, values_at(arguments, clock_at)?)),
)
.with_help(
    "the clock after the n-th half-move, in seconds",
    "The clock after the n-th half-move, in seconds: the time that the player of that move has left. `clocks` is the column of \
that name, null in games\nwithout clocks. Negative numbers count from the last half-move with a clock.",
    Example::new(
        &["clock_at(clocks, 1)", "clock_at(clocks, -1)"],
        &[2],
        &[&["180.0", "177.5"]],
    ),
);

/// The clock after the n-th half-move, in seconds.
fn clock_at(clocks: &[u8], n: i64) -> Result<Option<f64>, DecodeError> {
    let clocks = whole::clocks(clocks, max_values(clocks))?;
    Ok(nth(&clocks, n).map(|clock| clock.seconds()))
}
