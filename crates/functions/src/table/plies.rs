//! `plies(moves)`: the number of half-moves.

use halfmove_game::codec::halfmove;

use crate::function::{Body, Example, Function, MOVES, ResultKind};
use crate::rows;

pub(crate) const FUNCTION: Function = Function::new(
    "plies",
    &[MOVES],
    ResultKind::Int,
    Body::Rows(|arguments| {
        let moves = arguments.bytes(0)?;
        rows::plies(arguments, |row| Ok(moves.at(row).map(halfmove::plies)))
    }),
)
.with_help(
    "the number of half-moves",
    "The number of half-moves. The column `plies` has it, too.",
    Example::new(&["plies(moves)"], &[1, 2, 3], &[&["33"], &["4"], &["10"]]),
);
