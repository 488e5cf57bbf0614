//! `opening(moves) -> VARCHAR`: the name of the opening, by the positions of the game; null if none is listed.

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;
use halfmove_game::codec::DecodeError;
use halfmove_game::openings;

use super::args::Kind;
use super::function::{Function, texts};

/// The name of a game's opening.
pub(crate) fn opening(moves: &[u8]) -> Result<Option<&'static str>, DecodeError> {
    Ok(openings::of_game(moves)?.map(openings::Opening::name))
}

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "opening",
        usage: "opening(moves)",
        form: &[Kind::Moves],
        optional: &[],
        answer: DataType::Utf8,
        call: |call| {
            let moves = call.bytes(0)?;
            texts(call, |row, text| {
                let Some(moves) = moves.at(row) else { return Ok(false) };
                let name = opening(moves).map_err(|error| call.bad_moves("opening", error))?;
                text.extend(name);
                Ok(name.is_some())
            })
        },
    }
    .udf()
}
