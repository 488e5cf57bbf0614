//! Functions of the engine that look at what they will make before they make it.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema};
use datafusion::arrow::record_batch::{RecordBatch, RecordBatchOptions};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::sort_properties::{ExprProperties, SortProperties};
use datafusion::logical_expr::udf_eq::UdfEq;
use datafusion::logical_expr::{
    ColumnarValue, Expr, Operator, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature,
    Volatility, binary::BinaryTypeCoercer,
};
use datafusion::physical_expr::expressions::{Column, Literal, binary};
use datafusion::physical_plan::PhysicalExpr;

use super::growth::{Given, growth};
use super::size;
use crate::error::ArchiveError;
use crate::functions::raise;

/// A function that makes at most so many bytes in one call on a batch.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Bounded {
    inner: UdfEq<Arc<dyn ScalarUDFImpl>>,
    limit: u64,
}

impl Bounded {
    pub(super) fn new(inner: Arc<dyn ScalarUDFImpl>, limit: u64) -> Self {
        Self { inner: inner.into(), limit }
    }
}

/// The most bytes that a call makes of constants. The engine writes constants into names, again and again.
const CONSTANT: f64 = (1 << 20) as f64;

/// Rejects a call that makes more than its limit.
fn check(name: &str, args: &ScalarFunctionArgs, limit: u64) -> Result<()> {
    let given = Given::new(args);
    let bytes = growth(name, &given)?;
    let (most, of) = match given.is_constant() {
        true => (CONSTANT.min(limit as f64), "as a constant"),
        false => (limit as f64, "at once"),
    };
    if bytes <= most {
        return Ok(());
    }
    let (bytes, most) = (size(bytes), size(most));
    let what = format!("{name} would make {bytes} {of}, at most {most} are allowed");
    Err(raise(ArchiveError::Limit(what)))
}

/// What is not passed on is `simplify`: it would put the function without its limit into the plan.
impl ScalarUDFImpl for Bounded {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn schema_name(&self, args: &[Expr]) -> Result<String> {
        self.inner.schema_name(args)
    }

    fn signature(&self) -> &Signature {
        self.inner.signature()
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.inner.return_type(types)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        self.inner.return_field_from_args(args)
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        self.inner.coerce_types(given)
    }

    fn is_strict(&self) -> bool {
        self.inner.is_strict()
    }

    fn output_ordering(&self, inputs: &[ExprProperties]) -> Result<SortProperties> {
        self.inner.output_ordering(inputs)
    }

    fn preserves_lex_ordering(&self, inputs: &[ExprProperties]) -> Result<bool> {
        self.inner.preserves_lex_ordering(inputs)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        check(self.name(), &args, self.limit)?;
        self.inner.invoke_with_args(args)
    }
}

/// The operator `||` on two texts or more, as a function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Joined {
    signature: Signature,
    limit: u64,
}

impl Joined {
    pub(super) fn new(limit: u64) -> Self {
        Self { signature: Signature::variadic_any(Volatility::Immutable), limit }
    }
}

impl ScalarUDFImpl for Joined {
    fn name(&self) -> &str {
        "||"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        let Some((first, others)) = types.split_first() else { return Ok(DataType::Utf8) };
        others.iter().try_fold(first.clone(), |left, right| {
            BinaryTypeCoercer::new(&left, &Operator::StringConcat, right).get_result_type()
        })
    }

    fn is_strict(&self) -> bool {
        true
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        check(self.name(), &args, self.limit)?;
        let rows = args.number_rows;
        let mut values = args.args.into_iter();
        let first = values.next().unwrap_or(ColumnarValue::Scalar(ScalarValue::Null));
        values.try_fold(first, |left, right| join(left, right, rows))
    }
}

/// The engine's own operator, on a batch of those sides that are columns.
fn join(left: ColumnarValue, right: ColumnarValue, rows: usize) -> Result<ColumnarValue> {
    let mut columns = Vec::new();
    let mut side = |value| -> Arc<dyn PhysicalExpr> {
        match value {
            ColumnarValue::Array(array) => {
                columns.push(array);
                Arc::new(Column::new("side", columns.len() - 1))
            }
            ColumnarValue::Scalar(value) => Arc::new(Literal::new(value)),
        }
    };
    let (left, right) = (side(left), side(right));
    let fields = columns.iter().map(|column| Field::new("side", column.data_type().clone(), true));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let rows = RecordBatchOptions::new().with_row_count(Some(rows));
    let batch = RecordBatch::try_new_with_options(Arc::clone(&schema), columns, &rows)?;
    binary(left, Operator::StringConcat, right, &schema)?.evaluate(&batch)
}
