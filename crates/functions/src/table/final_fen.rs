//! `final_fen(moves)`: the position at the end.

use std::fmt::Write;

use halfmove_game::replay;

use crate::function::{Body, Example, Function, MOVES, ResultKind};
use crate::rows::texts_of_games;

pub(crate) const FUNCTION: Function = Function::new(
    "final_fen",
    &[MOVES],
    ResultKind::Text,
    Body::Rows(|arguments| {
        texts_of_games(arguments, |moves, text| {
            let position = replay::final_position(moves)?;
            // Writing into a string cannot fail.
            let _ = write!(text, "{position}");
            Ok(true)
        })
    }),
)
.with_help(
    "the position at the end",
    "The position at the end.",
    Example::new(
        &["final_fen(moves)"],
        &[2],
        &[&["rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"]],
    ),
);
