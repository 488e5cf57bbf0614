//! `fen_at(moves, [start_fen,] ply) -> VARCHAR`: the position after that many half-moves, null beyond the end.
//!
//! `fen_at(moves, 0)` is the start. A negative number counts as beyond the end.

use std::sync::Arc;

use datafusion::arrow::array::{Array, StringBuilder};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use halfmove_game::codec::halfmove;
use halfmove_rules::Chess;

use super::args::{Call, Kind, coerce, raise};
use super::start::{Starts, bad_moves};
use crate::error::ArchiveError;

/// The position after `ply` half-moves.
pub(crate) fn fen_at(
    start: &Chess,
    moves: &[u8],
    ply: i64,
) -> Result<Option<String>, ArchiveError> {
    let Ok(ply) = usize::try_from(ply) else { return Ok(None) };
    let moves = halfmove::decode(start, moves).map_err(bad_moves)?;
    let Some(played) = moves.get(..ply) else { return Ok(None) };
    let mut position = start.clone();
    for mv in played {
        position.play_unchecked(*mv);
    }
    Ok(Some(position.to_string()))
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct FenAt {
    signature: Signature,
}

impl Default for FenAt {
    fn default() -> Self {
        Self { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for FenAt {
    fn name(&self) -> &str {
        "fen_at"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Utf8)
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let forms: &[&[Kind]] =
            &[&[Kind::Moves, Kind::Number], &[Kind::Moves, Kind::Text, Kind::Number]];
        coerce("fen_at", "fen_at(moves, [start_fen,] ply)", forms, given)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let call = Call::new(args.args, args.number_rows)?;
        let given = call.len() == 3;
        let (moves, start_fens) = (call.bytes(0)?, call.start_fens(given)?);
        let numbers = call.numbers(call.len() - 1)?;
        let mut starts = Starts::new(given);
        let mut answers = StringBuilder::new();
        for row in 0..call.rows() {
            let Some(moves) = moves.at(row).filter(|_| numbers.is_valid(row)) else {
                answers.append_null();
                continue;
            };
            let (start, _) = starts.of(moves, start_fens.at(row)).map_err(raise)?;
            answers.append_option(fen_at(start, moves, numbers.value(row)).map_err(raise)?);
        }
        Ok(ColumnarValue::Array(Arc::new(answers.finish())))
    }
}
