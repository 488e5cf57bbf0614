//! `opening(moves)`: the name of the opening.

use halfmove_game::openings;

use crate::function::{Body, Example, Function, MOVES, ResultKind};
use crate::rows::texts;

pub(crate) const FUNCTION: Function = Function::new(
    "opening",
    &[MOVES],
    ResultKind::Text,
    Body::Rows(|arguments| {
        let moves = arguments.bytes(0)?;
        texts(arguments, |row, text| {
            let Some(moves) = moves.at(row) else { return Ok(false) };
            let opening = openings::of_game(moves).map_err(|error| arguments.invalid(0, error))?;
            text.extend(opening.map(|opening| opening.name()));
            Ok(opening.is_some())
        })
    }),
)
.with_help(
    "the name of the opening, by its positions, or null",
    "The name of the opening, by the positions of the game, as `eco` finds it.",
    Example::new(
        &["opening(moves)"],
        &[1, 2, 3],
        &[&["Philidor Defense"], &["Barnes Opening: Fool's Mate"], &["null"]],
    ),
);
