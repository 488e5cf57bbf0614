//! `promotions(moves [, side]) -> INT`: how many pawns were promoted, by both sides or by `white` or `black`.
//!
//! In Makruk and its kin, these are bia that became another piece.

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;
use halfmove_game::codec::DecodeError;
use halfmove_game::replay;
use halfmove_rules::Color;

use super::args::Kind;
use super::function::Function;
use super::side::counts_of_sides;

/// How many pawns of the sides were promoted.
pub(crate) fn promotions(moves: &[u8], sides: &[Color]) -> Result<i32, DecodeError> {
    let tally = replay::tally(moves)?;
    let sum: u32 = sides.iter().map(|side| tally.promotions(*side)).sum();
    Ok(i32::try_from(sum).unwrap_or(i32::MAX))
}

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "promotions",
        usage: "promotions(moves) or promotions(moves, 'white')",
        form: &[Kind::Moves],
        optional: &[Kind::Text],
        answer: DataType::Int32,
        call: |call| counts_of_sides(call, "promotions", promotions),
    }
    .udf()
}
