//! `octet_length(value) -> INT`: how many bytes a text or a value of bytes has.
//!
//! `octet_length('Ståhlberg')` is 10, `octet_length(moves)` of 1. e4 e5 is 2. The engine's own function takes texts only.

use datafusion::arrow::compute::cast;
use datafusion::arrow::compute::kernels::length::length;
use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;

use super::args::Kind;
use super::function::Function;

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "octet_length",
        usage: "octet_length(value)",
        form: &[Kind::TextOrBytes],
        optional: &[],
        answer: DataType::Int32,
        call: |call| {
            let values = call.values(0)?;
            Ok(cast(&length(&values)?, &DataType::Int32)?)
        },
    }
    .udf()
}
