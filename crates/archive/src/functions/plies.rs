//! `plies(moves) -> INT`: the number of half-moves of a game. `plies(moves)` of 1. e4 e5 2. Nf3 is 3.

use std::sync::Arc;

use datafusion::arrow::array::Int32Builder;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use halfmove_game::codec::halfmove;

use super::args::{Call, Kind, coerce};

/// The number of half-moves.
pub(crate) fn plies(moves: &[u8]) -> i32 {
    i32::try_from(halfmove::plies(moves)).unwrap_or(i32::MAX)
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Plies {
    signature: Signature,
}

impl Default for Plies {
    fn default() -> Self {
        Self { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for Plies {
    fn name(&self) -> &str {
        "plies"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int32)
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        coerce("plies", "plies(moves)", &[Kind::Moves], given)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let call = Call::new(args)?;
        let moves = call.bytes(0)?;
        let mut answers = Int32Builder::with_capacity(call.rows());
        for row in 0..call.rows() {
            answers.append_option(moves.at(row).map(plies));
        }
        Ok(ColumnarValue::Array(Arc::new(answers.finish())))
    }
}
