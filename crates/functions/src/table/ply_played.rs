//! `ply_played(moves, sequence)`: the ply after the first occurrence of a sequence of moves.

use halfmove_game::replay;

use crate::arguments::Arguments;
use crate::error::FunctionError;
use crate::function::{Body, Example, Function, MOVES, ResultKind, SEQUENCE};
use crate::literals::{self, Last};
use crate::rows::plies;

pub(crate) const FUNCTION: Function = Function::new(
    "ply_played",
    &[MOVES, SEQUENCE],
    ResultKind::Int,
    Body::Rows(|arguments| {
        let mut ply = plies_played(arguments)?;
        plies(arguments, |row| Ok(ply(row)?.flatten()))
    }),
)
.with_help(
    "the ply after these moves have first been played, or null",
    "\
The ply after the last of these moves, where they first follow each other; null if they never do.",
    Example::new(
        &["ply_played(moves, 'Nxb5 cxb5 Bxb5+')", "ply_played(moves, '=N')"],
        &[1, 2, 3],
        &[&["21", "null"], &["null", "null"], &["null", "3"]],
    ),
);

/// The ply after the sequence of each row, if it is played; null where an argument is null.
pub(super) fn plies_played<'a>(
    arguments: &'a Arguments<'a>,
) -> Result<impl FnMut(usize) -> Result<Option<Option<u32>>, FunctionError> + 'a, FunctionError> {
    let (moves, texts, mut last) = (arguments.bytes(0)?, arguments.texts(1)?, Last::new());
    Ok(move |row| {
        let (Some(moves), Some(text)) = (moves.at(row), texts.at(row)) else { return Ok(None) };
        let sequence = last.of(text, literals::sequence)?;
        replay::played(moves, sequence).map(Some).map_err(|error| arguments.invalid(0, error))
    })
}
