//! `comments(annotations) -> VARCHAR`: the text of all comments of a game, those in variations too, a line each; null if it
//! has none.
//!
//! `1. e4 {best by test} (1. d4 {solid}) *` gives `best by test`, a line break and `solid`. Clocks, evaluations, arrows and
//! colored squares are left out.

use std::ops::ControlFlow;

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;
use halfmove_game::codec::{DecodeError, whole};

use super::args::Kind;
use super::function::{Function, texts};

/// Appends the comments. Returns whether there are any.
pub(crate) fn comments(annotations: &[u8], text: &mut String) -> Result<bool, DecodeError> {
    // How many half-moves there are matters only where comments stand.
    whole::comments(annotations, 0, |_, comment| {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(comment);
        ControlFlow::Continue(())
    })?;
    Ok(!text.is_empty())
}

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "comments",
        usage: "comments(annotations)",
        form: &[Kind::Annotations],
        optional: &[],
        answer: DataType::Utf8,
        call: |call| {
            let annotations = call.bytes(0)?;
            texts(call, |row, text| {
                let Some(annotations) = annotations.at(row) else { return Ok(false) };
                comments(annotations, text)
                    .map_err(|error| call.bad_part("comments", 0, "annotations", error))
            })
        },
    }
    .udf()
}
