//! `ended(moves) -> VARCHAR`: how the last position ends the game, null if it does not.
//!
//! `checkmate`, `stalemate`, `insufficient_material`, or `counting` where a count of Makruk has run out. What the
//! position alone does not tell is null: resignations, time, agreements, repetitions.

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;
use halfmove_game::codec::DecodeError;
use halfmove_game::replay;
use halfmove_rules::Outcome;

use super::args::Kind;
use super::function::{Function, texts};

/// How the last position ends the game.
pub(crate) fn outcome(moves: &[u8]) -> Result<Option<Outcome>, DecodeError> {
    Ok(replay::final_position(moves)?.outcome())
}

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "ended",
        usage: "ended(moves)",
        form: &[Kind::Moves],
        optional: &[],
        answer: DataType::Utf8,
        call: |call| {
            let moves = call.bytes(0)?;
            texts(call, |row, text| {
                let Some(moves) = moves.at(row) else { return Ok(false) };
                let outcome = outcome(moves).map_err(|error| call.bad_moves("ended", error))?;
                text.extend(outcome.map(Outcome::name));
                Ok(outcome.is_some())
            })
        },
    }
    .udf()
}
