//! `move_at(moves, n)`: one half-move.

use halfmove_game::codec::{DecodeError, halfmove};
use halfmove_game::replay;

use crate::function::{Body, Example, Function, MOVES, N, ResultKind};
use crate::rows::texts;

pub(crate) const FUNCTION: Function = Function::new(
    "move_at",
    &[MOVES, N],
    ResultKind::Text,
    Body::Rows(|arguments| {
        let (moves, numbers) = (arguments.bytes(0)?, arguments.numbers(1)?);
        texts(arguments, |row, text| match (moves.at(row), numbers.at(row)) {
            (Some(moves), Some(n)) => {
                move_at(moves, n, text).map_err(|error| arguments.invalid(0, error))
            }
            _ => Ok(false),
        })
    }),
)
.with_help(
    "the n-th half-move; -1 is the last one",
    "The n-th half-move in SAN. Only the position before this move is needed, so it is much faster than `san`.",
    Example::new(
        &["move_at(moves, 1)", "move_at(moves, -1)"],
        &[1, 2],
        &[&["e4", "Rd8#"], &["f3", "Qh4#"]],
    ),
);

/// Appends the n-th half-move. Returns true if there is one.
fn move_at(moves: &[u8], n: i64, text: &mut String) -> Result<bool, DecodeError> {
    let ply = match n {
        1.. => n - 1,
        0 => return Ok(false),
        _ => i64::from(halfmove::plies(moves)).saturating_add(n),
    };
    match u32::try_from(ply) {
        Ok(ply) => replay::write_san(moves, ply, text),
        Err(_) => Ok(false),
    }
}
