//! `score(result, side)`: the points of a side.

use halfmove_game::GameResult;
use halfmove_rules::Color;

use crate::error::FunctionError;
use crate::function::{Argument, Body, Example, Function, Kind, ResultKind, SIDE};
use crate::literals::{self, Last};
use crate::rows::doubles;

pub(crate) const FUNCTION: Function = Function::new(
    "score",
    &[Argument::new("result", Kind::Text), SIDE],
    ResultKind::Double,
    Body::Rows(|arguments| {
        let (results, sides) = (arguments.texts(0)?, arguments.texts(1)?);
        let mut last = Last::new();
        doubles(arguments, |row| {
            let (Some(result), Some(side)) = (results.at(row), sides.at(row)) else {
                return Ok(None);
            };
            score(result, *last.of(side, literals::side)?)
        })
    }),
)
.with_help(
    "the points of a side: 1, 0.5 or 0",
    "The points of a side: 1, 0.5 or 0; null for the result `*`. `result` is the column of that name.",
    Example::new(
        &["score(result, 'white')", "score(result, 'black')"],
        &[1, 2, 3, 4],
        &[&["1.0", "0.0"], &["0.0", "1.0"], &["null", "null"], &["0.5", "0.5"]],
    ),
);

/// The points of a side.
fn score(result: &str, side: Color) -> Result<Option<f64>, FunctionError> {
    let unknown = || FunctionError::Result { text: result.to_owned() };
    let won_by = |winner: Color| if winner == side { 1.0 } else { 0.0 };
    Ok(match GameResult::from_token(result.trim().as_bytes()).ok_or_else(unknown)? {
        GameResult::WhiteWins => Some(won_by(Color::White)),
        GameResult::BlackWins => Some(won_by(Color::Black)),
        GameResult::Draw => Some(0.5),
        GameResult::Unknown => None,
    })
}
