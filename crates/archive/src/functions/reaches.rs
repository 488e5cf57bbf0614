//! `reaches(moves, fen [, variant]) -> BOOLEAN`: whether the position arises in the game.
//!
//! A shorthand for `ply_of(…) IS NOT NULL`.

use std::sync::Arc;

use datafusion::arrow::array::BooleanBuilder;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};

use super::args::check_literal_fen;
use super::ply_of::{coerce_position, for_each_row};

#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Reaches {
    signature: Signature,
}

impl Default for Reaches {
    fn default() -> Self {
        Self { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for Reaches {
    fn name(&self) -> &str {
        "reaches"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        check_literal_fen(&args)?;
        Ok(Arc::new(Field::new(self.name(), DataType::Boolean, true)))
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        coerce_position("reaches", given)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let mut answers = BooleanBuilder::with_capacity(args.number_rows);
        for_each_row(self.name(), args, |ply| answers.append_option(ply.map(|ply| ply.is_some())))?;
        Ok(ColumnarValue::Array(Arc::new(answers.finish())))
    }
}
