//! `legal_moves(fen [, variant])`: the legal moves of a position.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{ListBuilder, StringBuilder};

use crate::arguments::Arguments;
use crate::error::FunctionError;
use crate::function::{Body, Example, FEN, Function, ResultKind, VARIANT};
use crate::rows::{Positions, append};

pub(crate) const FUNCTION: Function = Function::new(
    "legal_moves",
    &[FEN, VARIANT],
    ResultKind::Texts,
    Body::Rows(legal_moves),
)
.with_help(
    "the legal moves of a position in UCI notation",
    "The legal moves of a position in UCI notation, as a list; `array_length` counts them, or 0 with `cardinality`.",
    Example::new(&["legal_moves('7k/8/5K2/6Q1/8/8/8/8 b - - 0 1')"], &[1], &[&["[h8h7]"]]),
);

fn legal_moves(arguments: &Arguments<'_>) -> Result<ArrayRef, FunctionError> {
    let mut positions = Positions::of(arguments, 0)?;
    let mut lists = ListBuilder::new(StringBuilder::new());
    for row in 0..arguments.rows() {
        let position = positions.at(row)?;
        if let Some(position) = position {
            for mv in position.legal_moves() {
                append(lists.values(), position.uci(mv), arguments)?;
            }
        }
        lists.append(position.is_some());
    }
    Ok(Arc::new(lists.finish()))
}
