//! `final_fen(moves) -> VARCHAR`: the position at the end of the game.
//!
//! `final_fen(moves)` is `fen_at(moves, plies(moves))`.

use std::fmt::Write;

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;
use halfmove_game::codec::DecodeError;
use halfmove_game::replay;

use super::args::Kind;
use super::function::{Function, texts};

/// Appends the position at the end of a game.
pub(crate) fn final_fen(moves: &[u8], text: &mut String) -> Result<(), DecodeError> {
    // Writing into a string cannot fail.
    let _ = write!(text, "{}", replay::final_position(moves)?);
    Ok(())
}

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "final_fen",
        usage: "final_fen(moves)",
        form: &[Kind::Moves],
        optional: &[],
        answer: DataType::Utf8,
        call: |call| {
            let moves = call.bytes(0)?;
            texts(call, |row, text| match moves.at(row) {
                Some(moves) => final_fen(moves, text)
                    .map(|()| true)
                    .map_err(|error| call.bad_moves("final_fen", error)),
                None => Ok(false),
            })
        },
    }
    .udf()
}
