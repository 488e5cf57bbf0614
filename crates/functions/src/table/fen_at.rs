//! `fen_at(moves, ply)`: the position after some half-moves.

use std::fmt::Write;

use halfmove_game::codec::DecodeError;
use halfmove_game::replay;

use crate::function::{Argument, Body, Example, Function, Kind, MOVES, ResultKind};
use crate::rows::texts;

pub(crate) const FUNCTION: Function = Function::new(
    "fen_at",
    &[MOVES, Argument::new("ply", Kind::Number)],
    ResultKind::Text,
    Body::Rows(|arguments| {
        let (moves, numbers) = (arguments.bytes(0)?, arguments.numbers(1)?);
        texts(arguments, |row, text| match (moves.at(row), numbers.at(row)) {
            (Some(moves), Some(ply)) => {
                fen_at(moves, ply, text).map_err(|error| arguments.invalid(0, error))
            }
            _ => Ok(false),
        })
    }),
)
.with_help(
    "the position after `ply` half-moves, or null",
    "The position after `ply` half-moves; 0 is the start. Null beyond the end, and for negative numbers.",
    Example::new(
        &["fen_at(moves, 2)"],
        &[1],
        &[&["rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"]],
    ),
);

/// Appends the position after `ply` half-moves. Returns true if there is one.
fn fen_at(moves: &[u8], ply: i64, text: &mut String) -> Result<bool, DecodeError> {
    let Ok(ply) = u32::try_from(ply) else { return Ok(false) };
    let Some(position) = replay::position_at(moves, ply)? else { return Ok(false) };
    // Writing into a string cannot fail.
    let _ = write!(text, "{position}");
    Ok(true)
}
