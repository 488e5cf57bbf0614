//! `castled(moves, side) -> VARCHAR`: `O-O` or `O-O-O`, as `white` or `black` castled; null if it did not.
//!
//! Null in Makruk and its kin, which have no castling. `castled(moves, 'white')` of 1. Nf3 d5 2. g3 e5 3. Bg2 f5 4. O-O
//! is `O-O`.

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;
use halfmove_game::codec::DecodeError;
use halfmove_game::replay;
use halfmove_rules::{CastlingSide, Color};

use super::args::Kind;
use super::function::{Function, texts};
use super::side::Sides;

/// How a side castled.
pub(crate) fn castled(moves: &[u8], side: Color) -> Result<Option<&'static str>, DecodeError> {
    Ok(replay::tally(moves)?.castled(side).map(|side| match side {
        CastlingSide::KingSide => "O-O",
        CastlingSide::QueenSide => "O-O-O",
    }))
}

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "castled",
        usage: "castled(moves, 'white')",
        form: &[Kind::Moves, Kind::Text],
        optional: &[],
        answer: DataType::Utf8,
        call: |call| {
            let (moves, sides) = (call.bytes(0)?, Sides::of(call, 1)?);
            texts(call, |row, text| {
                let (Some(moves), Some([side, ..])) = (moves.at(row), sides.at(row)?) else {
                    return Ok(false);
                };
                let how =
                    castled(moves, *side).map_err(|error| call.bad_moves("castled", error))?;
                text.extend(how);
                Ok(how.is_some())
            })
        },
    }
    .udf()
}
