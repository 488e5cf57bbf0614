//! `reaches_anywhere(moves, annotations, fen [, variant]) -> BOOLEAN`: whether the position arises in the game or in one of its
//! variations.
//!
//! As [`reaches`](super::reaches), with the variations. A game without annotations has none.

use std::ops::ControlFlow;
use std::sync::Arc;

use datafusion::arrow::array::BooleanBuilder;
use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;
use halfmove_game::codec::whole::{self, PartError};
use halfmove_game::replay;
use halfmove_rules::AnyPosition;

use super::args::{Kind, raise};
use super::function::Function;
use super::position::Targets;

/// Where the first variation branches off that has the position.
pub(crate) fn variation_with(
    moves: &[u8],
    annotations: &[u8],
    wanted: &AnyPosition,
) -> Result<Option<u32>, PartError> {
    let mut found = None;
    whole::variations(moves, annotations, |ply, position| {
        if position == wanted {
            found = Some(ply);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    Ok(found)
}

pub(super) fn udf() -> ScalarUDF {
    const NAME: &str = "reaches_anywhere";
    Function {
        name: NAME,
        usage: "reaches_anywhere(moves, annotations, fen) or reaches_anywhere(moves, annotations, fen, variant)",
        form: &[Kind::Moves, Kind::Annotations, Kind::Text],
        optional: &[Kind::Text],
        answer: DataType::Boolean,
        call: |call| {
            let (moves, annotations) = (call.bytes(0)?, call.bytes(1)?);
            let (fens, variants) = (call.texts(2)?, call.optional_texts(3)?);
            let mut answers = BooleanBuilder::with_capacity(call.rows());
            let mut targets = Targets::default();
            for row in 0..call.rows() {
                let variant = variants.as_ref().map(|variants| variants.at(row));
                let (Some(moves), Some(fen)) = (moves.at(row), fens.at(row)) else {
                    answers.append_null();
                    continue;
                };
                if variant == Some(None) {
                    answers.append_null();
                    continue;
                }
                let (position, target) = targets.of(fen, variant.flatten()).map_err(raise)?;
                let ply = replay::find(moves, target);
                let mut is_there = ply.map_err(|error| call.bad_moves(NAME, error))?.is_some();
                if let Some(annotations) = annotations.at(row).filter(|_| !is_there) {
                    let found = variation_with(moves, annotations, position);
                    is_there = found
                        .map_err(|PartError { part, error }| match part {
                            "moves" => call.bad_moves(NAME, error),
                            part => call.bad_part(NAME, 1, part, error),
                        })?
                        .is_some();
                }
                answers.append_value(is_there);
            }
            Ok(Arc::new(answers.finish()))
        },
    }
    .udf()
}
