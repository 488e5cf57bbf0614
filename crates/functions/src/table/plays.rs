//! `plays(moves, sequence)`: true if a sequence of moves is played.

use super::ply_played::plies_played;
use crate::function::{Body, Example, Function, MOVES, ResultKind, SEQUENCE};
use crate::rows::booleans;

pub(crate) const FUNCTION: Function = Function::new(
    "plays",
    &[MOVES, SEQUENCE],
    ResultKind::Boolean,
    Body::Rows(|arguments| {
        let mut ply = plies_played(arguments)?;
        booleans(arguments, |row| Ok(ply(row)?.map(|ply| ply.is_some())))
    }),
)
.with_help(
    "true if these moves follow each other",
    "\
True if these moves follow each other in the game. A sequence consists of moves in SAN, many parts of which are optional, and gaps:
[Moves](../guide/searching.md#moves-endings-comments-variations) has the whole grammar.",
    Example::new(
        &["plays(moves, 'Nxb5 cxb5 Bxb5+')", "plays(moves, '=N')", "plays(moves, 'O-O-O * #')"],
        &[1, 2, 3],
        &[&["true", "false", "true"], &["false", "false", "false"], &["false", "true", "false"]],
    ),
);
