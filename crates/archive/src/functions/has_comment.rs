//! `has_comment(annotations, words) -> BOOLEAN`: whether a comment of the game, or of one of its variations, has these words.
//!
//! Words are found in any order, without case and accents; what stands before a `*` is the beginning of a word. So
//! `has_comment(annotations, 'novel*')` finds `A novelty!`. A game without annotations has none: false.

use std::ops::ControlFlow;
use std::sync::Arc;

use datafusion::arrow::array::BooleanBuilder;
use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;
use halfmove_game::codec::{DecodeError, whole};

use super::args::{Kind, raise};
use super::function::Function;
use crate::error::ArchiveError;
use crate::words::{Words, write_words};

/// Where the first comment that holds the words stands, in a game with so many half-moves.
pub(crate) fn comment_with(
    annotations: &[u8],
    plies: u32,
    words: &Words,
) -> Result<Option<u32>, DecodeError> {
    let (mut found, mut folded) = (None, String::new());
    whole::comments(annotations, plies, |ply, comment| {
        folded.clear();
        write_words(comment, &mut folded);
        if folded.contains(words.longest()) && words.are_in(&folded) {
            found = Some(ply);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    Ok(found)
}

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "has_comment",
        usage: "has_comment(annotations, 'novelty')",
        form: &[Kind::Annotations, Kind::Text],
        optional: &[],
        answer: DataType::Boolean,
        call: |call| {
            let (annotations, texts) = (call.bytes(0)?, call.texts(1)?);
            let mut answers = BooleanBuilder::with_capacity(call.rows());
            let mut last: Option<(&str, Words)> = None;
            for row in 0..call.rows() {
                let Some(text) = texts.at(row) else {
                    answers.append_null();
                    continue;
                };
                let words = match last.take().filter(|(before, _)| *before == text) {
                    Some((_, words)) => words,
                    None => Words::of_text(text).ok_or_else(|| {
                        raise(ArchiveError::Query(format!(
                            "\"{text}\" has no word in it: expected a letter or a digit"
                        )))
                    })?,
                };
                let (_, words) = last.insert((text, words));
                let Some(annotations) = annotations.at(row) else {
                    answers.append_value(false);
                    continue;
                };
                let found = comment_with(annotations, 0, words)
                    .map_err(|error| call.bad_part("has_comment", 0, "annotations", error))?;
                answers.append_value(found.is_some());
            }
            Ok(Arc::new(answers.finish()))
        },
    }
    .udf()
}
