//! `opening(moves)`: the name of the opening.

use halfmove_game::openings;

use crate::function::{Body, Example, Function, MOVES, ResultKind};
use crate::rows::texts_of_games;

pub(crate) const FUNCTION: Function = Function::new(
    "opening",
    &[MOVES],
    ResultKind::Text,
    Body::Rows(|arguments| {
        texts_of_games(arguments, |moves, text| {
            let opening = openings::of_game(moves)?;
            text.extend(opening.map(|opening| opening.name()));
            Ok(opening.is_some())
        })
    }),
)
.with_help(
    "the name of the opening, by its positions, or null",
    "The name of the opening, by the positions of the game, as in `eco`.",
    Example::new(
        &["opening(moves)"],
        &[1, 2, 3],
        &[&["Philidor Defense"], &["Barnes Opening: Fool's Mate"], &["null"]],
    ),
);
