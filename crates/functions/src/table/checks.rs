//! `checks(moves [, side])`: the number of checks.

use halfmove_game::codec::{DecodeError, halfmove};
use halfmove_rules::{Color, Move};

use crate::function::{Body, Example, Function, MOVES, ResultKind, SIDE};
use crate::rows::counts_of_sides;

pub(crate) const FUNCTION: Function = Function::new(
    "checks",
    &[MOVES, SIDE.optional()],
    ResultKind::Int,
    Body::Rows(|arguments| {
        let mut moves = Vec::new();
        counts_of_sides(arguments, |bytes, sides| checks(bytes, sides, &mut moves))
    }),
)
.with_help(
    "the number of checks, of both sides or of one",
    "The number of half-moves that gave check. Checkmate counts, and a double check counts once.",
    Example::new(
        &["checks(moves)", "checks(moves, 'black')"],
        &[1, 2, 3],
        &[&["4", "0"], &["1", "1"], &["1", "0"]],
    ),
);

/// The number of half-moves of the sides that gave check. `moves` is scratch space.
fn checks(bytes: &[u8], sides: &[Color], moves: &mut Vec<Move>) -> Result<i32, DecodeError> {
    moves.clear();
    let mut position = halfmove::decode_moves(bytes, moves)?;
    let mut checks = 0;
    for &mv in moves.iter() {
        let us = position.side_to_move();
        position.play_unchecked(mv);
        checks += i32::from(sides.contains(&us) && position.is_check());
    }
    Ok(checks)
}
