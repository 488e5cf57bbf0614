//! `fen_at(moves, ply) -> VARCHAR`: the position after that many half-moves, null beyond the end.
//!
//! `fen_at(moves, 0)` is the start. A negative number counts as beyond the end.

use std::sync::Arc;

use datafusion::arrow::array::{Array, StringBuilder};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use halfmove_game::codec::DecodeError;
use halfmove_game::replay;

use super::args::{Call, Kind, coerce};

/// The position after `ply` half-moves.
pub(crate) fn fen_at(moves: &[u8], ply: i64) -> std::result::Result<Option<String>, DecodeError> {
    let Ok(ply) = u32::try_from(ply) else { return Ok(None) };
    let position = replay::position_at(moves, ply)?;
    Ok(position.map(|position| position.to_string()))
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
        coerce("fen_at", "fen_at(moves, ply)", &[Kind::Moves, Kind::Number], given)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let call = Call::new(args)?;
        let (moves, numbers) = (call.bytes(0)?, call.numbers(1)?);
        let mut answers = StringBuilder::new();
        for row in 0..call.rows() {
            let Some(moves) = moves.at(row).filter(|_| numbers.is_valid(row)) else {
                answers.append_null();
                continue;
            };
            let fen = fen_at(moves, numbers.value(row));
            answers.append_option(fen.map_err(|error| call.bad_moves("fen_at", error))?);
        }
        Ok(ColumnarValue::Array(Arc::new(answers.finish())))
    }
}
