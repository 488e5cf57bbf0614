//! `eco(moves) -> VARCHAR`: the ECO code of the opening, by the positions of the game; null if none is listed.
//!
//! The column `eco` has what the tag says.

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;
use halfmove_game::codec::DecodeError;
use halfmove_game::openings;

use super::args::Kind;
use super::function::{Function, texts};

/// The ECO code of a game.
pub(crate) fn eco(moves: &[u8]) -> Result<Option<&'static str>, DecodeError> {
    Ok(openings::of_game(moves)?.map(openings::Opening::eco))
}

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "eco",
        usage: "eco(moves)",
        form: &[Kind::Moves],
        optional: &[],
        answer: DataType::Utf8,
        call: |call| {
            let moves = call.bytes(0)?;
            texts(call, |row, text| {
                let Some(moves) = moves.at(row) else { return Ok(false) };
                let eco = eco(moves).map_err(|error| call.bad_moves("eco", error))?;
                text.extend(eco);
                Ok(eco.is_some())
            })
        },
    }
    .udf()
}
