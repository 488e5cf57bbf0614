//! `captures(moves [, side]) -> INT`: how many pieces were captured, by both sides or by `white` or `black`.
//!
//! `captures(moves, 'white')` of 1. e4 d5 2. exd5 Qxd5 is 1, `captures(moves)` is 2.

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;
use halfmove_game::codec::DecodeError;
use halfmove_game::replay;
use halfmove_rules::Color;

use super::args::Kind;
use super::function::Function;
use super::side::counts_of_sides;

/// How many pieces the sides captured.
pub(crate) fn captures(moves: &[u8], sides: &[Color]) -> Result<i32, DecodeError> {
    let tally = replay::tally(moves)?;
    let sum: u32 = sides.iter().map(|side| tally.captures(*side)).sum();
    Ok(i32::try_from(sum).unwrap_or(i32::MAX))
}

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "captures",
        usage: "captures(moves) or captures(moves, 'white')",
        form: &[Kind::Moves],
        optional: &[Kind::Text],
        answer: DataType::Int32,
        call: |call| counts_of_sides(call, "captures", captures),
    }
    .udf()
}
