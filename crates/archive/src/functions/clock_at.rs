//! `clock_at(clocks, n) -> DOUBLE`: the clock after the n-th half-move, from 1, in seconds; null if there is none.
//!
//! After `1. e4 {[%clk 0:02:59.9]}`, `clock_at(clocks, 1)` is 179.9. It is the time that the player of that move has
//! left. Negative numbers count from the last half-move with a clock.

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;
use halfmove_game::codec::{DecodeError, whole};

use super::args::Kind;
use super::function::{Function, doubles};
use super::values::{most_values, nth, values_at};

/// The clock after the n-th half-move, in seconds.
pub(crate) fn clock_at(clocks: &[u8], n: i64) -> Result<Option<f64>, DecodeError> {
    let clocks = whole::clocks(clocks, most_values(clocks))?;
    Ok(nth(&clocks, n).map(|clock| clock.seconds()))
}

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "clock_at",
        usage: "clock_at(clocks, n)",
        form: &[Kind::Clocks, Kind::Number],
        optional: &[],
        answer: DataType::Float64,
        call: |call| doubles(call, values_at(call, "clock_at", "clocks", clock_at)?),
    }
    .udf()
}
