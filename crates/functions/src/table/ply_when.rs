//! `ply_when(moves, conditions)`: the ply at which the board first meets conditions.

use halfmove_game::replay::BoardQuery;

use crate::arguments::Arguments;
use crate::error::FunctionError;
use crate::function::{Body, CONDITIONS, Example, Function, MOVES, ResultKind};
use crate::literals::{self, Last};
use crate::rows::plies;

pub(crate) const FUNCTION: Function = Function::new(
    "ply_when",
    &[MOVES, CONDITIONS],
    ResultKind::Int,
    Body::Rows(|arguments| {
        let mut ply = plies_when(arguments)?;
        plies(arguments, |row| Ok(ply(row)?.flatten()))
    }),
)
.with_help(
    "the ply at which the board first meets conditions, or null",
    "\
The number of half-moves after which the board of the game first meets the conditions, for as many half-moves as they require; null if
never. With `final`, the ply from which on it meets them until the end.",
    Example::new(
        &["ply_when(moves, 'isolated:d either-color')"],
        &[1, 2, 3],
        &[&["null"], &["null"], &["0"]],
    ),
);

/// The ply at which the conditions of each row are met, if they are; null where an argument is null.
pub(super) fn plies_when<'a>(
    arguments: &'a Arguments<'a>,
) -> Result<impl FnMut(usize) -> Result<Option<Option<u32>>, FunctionError> + 'a, FunctionError> {
    let (moves, texts, mut last) = (arguments.bytes(0)?, arguments.texts(1)?, Last::new());
    Ok(move |row| {
        let (Some(moves), Some(text)) = (moves.at(row), texts.at(row)) else { return Ok(None) };
        let query = last.of(text, |text| Ok(BoardQuery::new(&literals::conditions(text)?)))?;
        query.find(moves).map(Some).map_err(|error| arguments.invalid(0, error))
    })
}
