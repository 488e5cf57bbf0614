//! `ply_played(moves, sequence) -> INT`: after how many half-moves these moves have first followed each other, null if never.
//!
//! A sequence is what [`MoveSequence`] reads: `Bxh7+ Kxh7 Ng5+`, `O-O-O * =N`. The ply is that after its last move.

use std::sync::Arc;

use datafusion::arrow::array::Int32Builder;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;
use halfmove_game::replay::{self, MoveSequence};

use super::args::{Call, Kind, raise};
use super::function::Function;
use crate::error::ArchiveError;

/// Calls `answer` for each row with the ply after its sequence; null where an argument is null. A literal is parsed once.
pub(super) fn each_ply(
    call: &Call,
    name: &str,
    mut answer: impl FnMut(Option<Option<u32>>),
) -> Result<()> {
    let (moves, texts) = (call.bytes(0)?, call.texts(1)?);
    let mut last: Option<(&str, MoveSequence)> = None;
    for row in 0..call.rows() {
        let (Some(moves), Some(text)) = (moves.at(row), texts.at(row)) else {
            answer(None);
            continue;
        };
        let sequence = match last.take().filter(|(before, _)| *before == text) {
            Some((_, sequence)) => sequence,
            None => parse_sequence(text).map_err(raise)?,
        };
        let (_, sequence) = last.insert((text, sequence));
        let ply = replay::played(moves, sequence);
        answer(Some(ply.map_err(|error| call.bad_moves(name, error))?));
    }
    Ok(())
}

fn parse_sequence(text: &str) -> std::result::Result<MoveSequence, ArchiveError> {
    text.parse().map_err(|error| ArchiveError::Query(format!("the moves \"{text}\": {error}")))
}

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "ply_played",
        usage: "ply_played(moves, 'Bxh7+ Kxh7 Ng5+')",
        form: &[Kind::Moves, Kind::Text],
        optional: &[],
        answer: DataType::Int32,
        call: |call| {
            let mut answers = Int32Builder::with_capacity(call.rows());
            each_ply(call, "ply_played", |ply| {
                let ply = ply.flatten().map(|ply| i32::try_from(ply).unwrap_or(i32::MAX));
                answers.append_option(ply);
            })?;
            Ok(Arc::new(answers.finish()))
        },
    }
    .udf()
}
