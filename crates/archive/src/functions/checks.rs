//! `checks(moves [, side]) -> INT`: how many half-moves gave check, by both sides or by `white` or `black`.
//!
//! Checkmate is a check, and so is a double check, once. `checks(moves)` of 1. e4 e5 2. Qh5 Nc6 3. Qxf7+ is 1.

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;
use halfmove_game::codec::{Codec, DecodeError, halfmove::Halfmove};
use halfmove_rules::Color;

use super::args::Kind;
use super::function::Function;
use super::side::counts_of_sides;

/// How many half-moves of the sides gave check.
pub(crate) fn checks(bytes: &[u8], sides: &[Color]) -> Result<i32, DecodeError> {
    let mut moves = Vec::new();
    let mut position = Halfmove.decode_moves(bytes, &mut moves)?;
    let mut checks = 0;
    for mv in moves {
        let us = position.side_to_move();
        position.play_unchecked(mv);
        checks += i32::from(sides.contains(&us) && position.is_check());
    }
    Ok(checks)
}

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "checks",
        usage: "checks(moves) or checks(moves, 'white')",
        form: &[Kind::Moves],
        optional: &[Kind::Text],
        answer: DataType::Int32,
        call: |call| counts_of_sides(call, "checks", checks),
    }
    .udf()
}
