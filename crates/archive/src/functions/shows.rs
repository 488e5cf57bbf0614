//! `shows(moves, conditions) -> BOOLEAN`: whether the board of the game meets the conditions in some position.
//!
//! A shorthand for `ply_when(…) IS NOT NULL`.

use std::sync::Arc;

use datafusion::arrow::array::BooleanBuilder;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};

use super::args::{Kind, coerce};
use super::ply_when::{check_literal_conditions, for_each_row};

#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Shows {
    signature: Signature,
}

impl Default for Shows {
    fn default() -> Self {
        Self { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for Shows {
    fn name(&self) -> &str {
        "shows"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        check_literal_conditions(&args)?;
        Ok(Arc::new(Field::new(self.name(), DataType::Boolean, true)))
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        coerce("shows", "shows(moves, 'material:KRPvKR')", &[Kind::Moves, Kind::Text], given)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let mut answers = BooleanBuilder::with_capacity(args.number_rows);
        for_each_row(self.name(), args, |ply| answers.append_option(ply.map(|ply| ply.is_some())))?;
        Ok(ColumnarValue::Array(Arc::new(answers.finish())))
    }
}
