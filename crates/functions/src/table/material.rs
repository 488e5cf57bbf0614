//! `material(fen [, variant])`: the pieces of a position.

use std::fmt::Write;

use halfmove_rules::MaterialKey;

use crate::function::{Body, Example, FEN, Function, ResultKind, VARIANT};
use crate::rows::texts_of_positions;

pub(crate) const FUNCTION: Function = Function::new(
    "material",
    &[FEN, VARIANT],
    ResultKind::Text,
    Body::Rows(|arguments| {
        texts_of_positions(arguments, |position, text| {
            // Writing into a string cannot fail.
            let _ = write!(text, "{}", MaterialKey::of(position.board()));
        })
    }),
)
.with_help(
    "the pieces of a position: KRPvKR",
    "The pieces of a position, White's first, in the form of the condition `material:` of `shows`.",
    Example::new(&["material('4k3/8/8/8/8/8/4P3/4K2R w K - 0 1')"], &[1], &[&["KRPvK"]]),
);
