//! The adapter that most functions share: types by [`Kind`], and one Rust function for all rows of a batch.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Float64Builder, Int32Builder, StringBuilder};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use halfmove_game::codec::DecodeError;

use super::args::{Call, Kind, coerce_with};

/// What a function is called, takes and gives.
pub(super) struct Function {
    pub(super) name: &'static str,
    /// How it is written, for messages.
    pub(super) usage: &'static str,
    pub(super) form: &'static [Kind],
    /// Arguments that may be left out.
    pub(super) optional: &'static [Kind],
    pub(super) answer: DataType,
    /// The answers for all rows.
    pub(super) call: fn(&Call) -> Result<ArrayRef>,
}

impl Function {
    pub(super) fn udf(self) -> ScalarUDF {
        let signature = Signature::user_defined(Volatility::Immutable);
        ScalarUDF::new_from_impl(Adapter { function: self, signature })
    }
}

struct Adapter {
    function: Function,
    signature: Signature,
}

impl std::fmt::Debug for Adapter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Adapter").field(&self.function.name).finish()
    }
}

impl PartialEq for Adapter {
    fn eq(&self, other: &Self) -> bool {
        self.function.name == other.function.name
    }
}

impl Eq for Adapter {}

impl Hash for Adapter {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.name.hash(state);
    }
}

impl ScalarUDFImpl for Adapter {
    fn name(&self) -> &str {
        self.function.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(self.function.answer.clone())
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let Function { name, usage, form, optional, .. } = self.function;
        coerce_with(name, usage, form, optional, given)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        Ok(ColumnarValue::Array((self.function.call)(&Call::new(args)?)?))
    }
}

/// A number for each row.
pub(super) fn ints(
    call: &Call,
    mut answer: impl FnMut(usize) -> Result<Option<i32>>,
) -> Result<ArrayRef> {
    let mut answers = Int32Builder::with_capacity(call.rows());
    for row in 0..call.rows() {
        answers.append_option(answer(row)?);
    }
    Ok(Arc::new(answers.finish()))
}

/// A number with decimals for each row.
pub(super) fn doubles(
    call: &Call,
    mut answer: impl FnMut(usize) -> Result<Option<f64>>,
) -> Result<ArrayRef> {
    let mut answers = Float64Builder::with_capacity(call.rows());
    for row in 0..call.rows() {
        answers.append_option(answer(row)?);
    }
    Ok(Arc::new(answers.finish()))
}

/// A text for each row: `answer` appends it, or says that there is none.
pub(super) fn texts(
    call: &Call,
    mut answer: impl FnMut(usize, &mut String) -> Result<bool>,
) -> Result<ArrayRef> {
    let mut answers = StringBuilder::with_capacity(call.rows(), 8 * call.rows());
    let mut text = String::new();
    for row in 0..call.rows() {
        text.clear();
        match answer(row, &mut text)? {
            true => answers.append_value(&text),
            false => answers.append_null(),
        }
    }
    Ok(Arc::new(answers.finish()))
}

/// A text for each row, for a function that takes moves and, if not all, how many of them.
pub(super) fn texts_of_moves(
    call: &Call,
    name: &str,
    write: impl Fn(&[u8], usize, &mut String) -> std::result::Result<(), DecodeError>,
) -> Result<ArrayRef> {
    let (moves, most) = (call.bytes(0)?, call.optional_counts(1)?);
    texts(call, |row, text| {
        let (Some(moves), Some(most)) = (moves.at(row), most.at(row)) else { return Ok(false) };
        let written = write(moves, most, text).map_err(|error| call.bad_moves(name, error));
        written.map(|()| true)
    })
}
