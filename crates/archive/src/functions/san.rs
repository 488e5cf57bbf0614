//! `san(moves) -> VARCHAR`: the moves as text with their numbers, without the result.
//!
//! `1. e4 e5 2. Nf3`; a game that Black begins reads `3... Nf6 4. Bb5`.

use std::fmt::Write;
use std::sync::Arc;

use datafusion::arrow::array::StringBuilder;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use halfmove_game::codec::{Codec, DecodeError, halfmove::Halfmove};
use halfmove_rules::Color;

use super::args::{Call, Kind, coerce};

/// The moves as text.
pub(crate) fn san(moves: &[u8]) -> std::result::Result<String, DecodeError> {
    let bytes = moves;
    let mut moves = Vec::new();
    let mut position = Halfmove.decode_moves(bytes, &mut moves)?;
    let mut text = String::with_capacity(moves.len() * 6);
    for (index, mv) in moves.into_iter().enumerate() {
        let space = if index == 0 { "" } else { " " };
        let number = position.fullmove_number();
        let san = position.san(mv);
        // Writing into a string cannot fail.
        let _ = match position.side_to_move() {
            Color::White => write!(text, "{space}{number}. {san}"),
            Color::Black if index == 0 => write!(text, "{number}... {san}"),
            Color::Black => write!(text, "{space}{san}"),
        };
        position.play_unchecked(mv);
    }
    Ok(text)
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct SanOf {
    signature: Signature,
}

impl Default for SanOf {
    fn default() -> Self {
        Self { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for SanOf {
    fn name(&self) -> &str {
        "san"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Utf8)
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        coerce("san", "san(moves)", &[Kind::Moves], given)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let call = Call::new(args)?;
        let moves = call.bytes(0)?;
        let mut answers = StringBuilder::new();
        for row in 0..call.rows() {
            let Some(moves) = moves.at(row) else {
                answers.append_null();
                continue;
            };
            answers.append_value(san(moves).map_err(|error| call.bad_moves("san", error))?);
        }
        Ok(ColumnarValue::Array(Arc::new(answers.finish())))
    }
}
