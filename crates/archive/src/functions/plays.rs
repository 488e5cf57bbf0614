//! `plays(moves, sequence) -> BOOLEAN`: whether these moves follow each other in the game.
//!
//! A shorthand for `ply_played(…) IS NOT NULL`. `plays(moves, 'Bxh7+ Kxh7 Ng5+')` is a gift of the Greeks.

use std::sync::Arc;

use datafusion::arrow::array::BooleanBuilder;
use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;

use super::args::Kind;
use super::function::Function;
use super::ply_played::each_ply;

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "plays",
        usage: "plays(moves, 'Bxh7+ Kxh7 Ng5+')",
        form: &[Kind::Moves, Kind::Text],
        optional: &[],
        answer: DataType::Boolean,
        call: |call| {
            let mut answers = BooleanBuilder::with_capacity(call.rows());
            each_ply(call, "plays", |ply| answers.append_option(ply.map(|ply| ply.is_some())))?;
            Ok(Arc::new(answers.finish()))
        },
    }
    .udf()
}
