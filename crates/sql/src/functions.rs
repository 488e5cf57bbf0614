//! Adapters of the [`FUNCTIONS`] for the engine: one for functions of rows, and one for aggregates.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, ScalarValue, internal_err, plan_err};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, ColumnarValue, ReturnFieldArgs,
    ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, TypeSignature, Volatility,
};
use halfmove_functions::{Aggregate, Arguments, Body, FUNCTIONS, Function, Values};

use crate::error::raise;

/// The SQL functions with one result for each row, such as `reaches` and `fen_at`, for a session of the engine.
///
/// ```
/// let names: Vec<String> = halfmove_sql::scalar_functions().iter().map(|function| function.name().to_owned()).collect();
/// assert!(names.contains(&"fen_at".to_owned()));
/// ```
pub fn scalar_functions() -> Vec<ScalarUDF> {
    let functions = FUNCTIONS.iter().filter(|function| !function.is_aggregate());
    functions.map(|function| ScalarUDF::new_from_impl(Adapter::of(function))).collect()
}

/// The SQL functions with one result for many rows, such as `explore`, for a session of the engine.
///
/// ```
/// assert_eq!(halfmove_sql::aggregate_functions()[0].name(), "explore");
/// ```
pub fn aggregate_functions() -> Vec<AggregateUDF> {
    let functions = FUNCTIONS.iter().filter(|function| function.is_aggregate());
    functions.map(|function| AggregateUDF::new_from_impl(Adapter::of(function))).collect()
}

/// The function of rows with this name.
pub(crate) fn scalar_function(name: &str) -> Option<ScalarUDF> {
    let function = halfmove_functions::function(name)?;
    (!function.is_aggregate()).then(|| ScalarUDF::new_from_impl(Adapter::of(function)))
}

/// The adapter of a function.
#[derive(Debug, Clone)]
struct Adapter {
    function: &'static Function,
    /// Any arguments: the function itself reports those that are wrong. The engine would keep only the text of that
    /// error.
    signature: Signature,
}

impl Adapter {
    fn of(function: &'static Function) -> Self {
        let any = vec![TypeSignature::Nullary, TypeSignature::VariadicAny];
        Self { function, signature: Signature::one_of(any, Volatility::Immutable) }
    }

    /// Converts the arguments of a call to the types that the function takes.
    fn coerced(&self, arrays: &[ArrayRef]) -> Result<Vec<ArrayRef>> {
        let given: Vec<DataType> = arrays.iter().map(|array| array.data_type().clone()).collect();
        let coerced = self.function.coerce(&given).map_err(raise)?;
        let arrays = arrays.iter().zip(&coerced).map(|(array, kind)| {
            Ok(if array.data_type() == kind { Arc::clone(array) } else { cast(array, kind)? })
        });
        arrays.collect()
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

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.function.coerce(types).map_err(raise)?;
        Ok(self.function.result.data_type())
    }

    /// Also checks literals, before any row is read.
    fn return_field_from_args(&self, arguments: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        let types: Vec<DataType> =
            arguments.arg_fields.iter().map(|field| field.data_type().clone()).collect();
        let kind = ScalarUDFImpl::return_type(self, &types)?;
        let literals: Vec<Option<&str>> = arguments
            .scalar_arguments
            .iter()
            .map(|argument| argument.and_then(|scalar| scalar.try_as_str().flatten()))
            .collect();
        self.function.check_literals(&literals).map_err(raise)?;
        Ok(Arc::new(Field::new(self.function.name, kind, true)))
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let Body::Rows(evaluate) = self.function.body else {
            return internal_err!("{} is an aggregate", self.function.name);
        };
        let arrays = arguments.args.iter().map(|argument| match argument {
            ColumnarValue::Array(array) => Ok(Arc::clone(array)),
            ColumnarValue::Scalar(scalar) => scalar.to_array(),
        });
        let arrays = self.coerced(&arrays.collect::<Result<Vec<ArrayRef>>>()?)?;
        let named = arguments.args.iter().zip(&arguments.arg_fields).zip(arrays);
        let values = named.map(|((argument, field), array)| match argument {
            ColumnarValue::Array(_) => Values::column(field.name(), array),
            ColumnarValue::Scalar(_) => Values::literal(array),
        });
        let values: Vec<Values> = values.collect();
        let rows = Arguments::new(self.function, &values, arguments.number_rows);
        let answers = rows.and_then(|rows| evaluate(&rows)).map_err(raise)?;
        Ok(ColumnarValue::Array(answers))
    }
}

impl AggregateUDFImpl for Adapter {
    fn name(&self) -> &str {
        self.function.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        ScalarUDFImpl::return_type(self, types)
    }

    fn accumulator(&self, arguments: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        let Body::Groups(begin) = self.function.body else {
            return internal_err!("{} is not an aggregate", self.function.name);
        };
        if arguments.is_distinct {
            return plan_err!("{} counts each game once, expected no DISTINCT", self.function.name);
        }
        let columns = arguments.expr_fields.iter().map(|field| field.name().clone()).collect();
        Ok(Box::new(Group { adapter: self.clone(), columns, state: begin() }))
    }

    fn state_fields(&self, arguments: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        let name = format!("{}[state]", arguments.name);
        Ok(vec![Arc::new(Field::new(name, DataType::Binary, true))])
    }
}

/// The state of an aggregate for one group.
#[derive(Debug)]
struct Group {
    adapter: Adapter,
    /// The names of the arguments.
    columns: Vec<String>,
    state: Box<dyn Aggregate>,
}

impl Accumulator for Group {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        let rows = arrays.first().map_or(0, |array| array.len());
        let coerced = self.adapter.coerced(arrays)?;
        let values: Vec<Values> = self
            .columns
            .iter()
            .zip(coerced)
            .map(|(name, array)| Values::column(name.as_str(), array))
            .collect();
        let arguments = Arguments::new(self.adapter.function, &values, rows);
        arguments.and_then(|arguments| self.state.update(&arguments)).map_err(raise)
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let states = states.first().and_then(|states| states.as_binary_opt::<i32>());
        for state in states.into_iter().flatten().flatten() {
            self.state.merge(state).map_err(raise)?;
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![ScalarValue::Binary(Some(self.state.to_bytes()))])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        ScalarValue::try_from_array(&self.state.finish().map_err(raise)?, 0)
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.state.size()
    }
}
