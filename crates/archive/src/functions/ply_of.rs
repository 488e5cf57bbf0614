//! `ply_of(moves, fen [, variant]) -> INT`: after how many half-moves the position first arises, null if never.
//!
//! 0 is the start. Pieces, side to move, castling rights and a legal en passant capture count; the FEN's counters do
//! not. The variant says which game the FEN is of, chess if it is left out; a position arises only in games of that
//! variant, chess and Chess960 being one.

use std::sync::Arc;

use datafusion::arrow::array::Int32Builder;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use halfmove_game::replay;

use super::args::{Call, Kind, check_literal_fen, coerce_with, raise};
use super::position::Targets;

/// Matches the types of a call against the form with moves, a FEN and perhaps a variant.
pub(super) fn coerce_position(name: &str, given: &[DataType]) -> Result<Vec<DataType>> {
    let usage = format!("{name}(moves, fen) or {name}(moves, fen, variant)");
    coerce_with(name, &usage, &[Kind::Moves, Kind::Text], &[Kind::Text], given)
}

/// Calls `answer` for each row with the ply at which its position arises; null where an argument is null.
pub(super) fn for_each_row(
    name: &str,
    args: ScalarFunctionArgs,
    mut answer: impl FnMut(Option<Option<u32>>),
) -> Result<()> {
    let call = Call::new(args)?;
    let (moves, fens, variants) = (call.bytes(0)?, call.texts(1)?, call.optional_texts(2)?);
    let mut targets = Targets::default();
    for row in 0..call.rows() {
        let (Some(moves), Some(fen)) = (moves.at(row), fens.at(row)) else {
            answer(None);
            continue;
        };
        let variant = variants.as_ref().map(|variants| variants.at(row));
        if variant == Some(None) {
            answer(None);
            continue;
        }
        let (_, target) = targets.of(fen, variant.flatten()).map_err(raise)?;
        let ply = replay::find(moves, target);
        answer(Some(ply.map_err(|error| call.bad_moves(name, error))?));
    }
    Ok(())
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct PlyOf {
    signature: Signature,
}

impl Default for PlyOf {
    fn default() -> Self {
        Self { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for PlyOf {
    fn name(&self) -> &str {
        "ply_of"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int32)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        check_literal_fen(&args)?;
        Ok(Arc::new(Field::new(self.name(), DataType::Int32, true)))
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        coerce_position("ply_of", given)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let mut answers = Int32Builder::with_capacity(args.number_rows);
        for_each_row(self.name(), args, |ply| {
            answers.append_option(ply.flatten().map(|ply| i32::try_from(ply).unwrap_or(i32::MAX)));
        })?;
        Ok(ColumnarValue::Array(Arc::new(answers.finish())))
    }
}
