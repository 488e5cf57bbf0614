//! `move_at(moves, n) -> VARCHAR`: the n-th half-move in SAN, from 1; null if there is none.
//!
//! `move_at(moves, 1)` of 1. e4 e5 2. Nf3 is `e4`. Negative numbers count from the end: `move_at(moves, -1)` is `Nf3`.

use datafusion::arrow::array::Array;
use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;
use halfmove_game::codec::{DecodeError, halfmove};
use halfmove_game::replay;

use super::args::Kind;
use super::function::{Function, texts};

/// Appends the n-th half-move. Returns whether there is one.
pub(crate) fn move_at(moves: &[u8], n: i64, text: &mut String) -> Result<bool, DecodeError> {
    let ply = match n {
        1.. => n - 1,
        0 => return Ok(false),
        _ => i64::from(halfmove::plies(moves)).saturating_add(n),
    };
    match u32::try_from(ply) {
        Ok(ply) => replay::write_san(moves, ply, text),
        Err(_) => Ok(false),
    }
}

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "move_at",
        usage: "move_at(moves, n)",
        form: &[Kind::Moves, Kind::Number],
        optional: &[],
        answer: DataType::Utf8,
        call: |call| {
            let (moves, numbers) = (call.bytes(0)?, call.numbers(1)?);
            texts(call, |row, text| match moves.at(row).filter(|_| numbers.is_valid(row)) {
                Some(moves) => move_at(moves, numbers.value(row), text)
                    .map_err(|error| call.bad_moves("move_at", error)),
                None => Ok(false),
            })
        },
    }
    .udf()
}
