//! `captures(moves [, side])`: the number of captures.

use halfmove_game::codec::DecodeError;
use halfmove_game::replay;
use halfmove_rules::Color;

use crate::function::{Body, Example, Function, MOVES, ResultKind, SIDE};
use crate::rows::counts_of_sides;

pub(crate) const FUNCTION: Function = Function::new(
    "captures",
    &[MOVES, SIDE.optional()],
    ResultKind::Int,
    Body::Rows(|arguments| counts_of_sides(arguments, captures)),
)
.with_help(
    "the number of captures, of both sides or of one",
    "The number of captures, en passant included.",
    Example::new(
        &["captures(moves)", "captures(moves, 'white')"],
        &[1, 2, 3],
        &[&["12", "6"], &["0", "0"], &["1", "1"]],
    ),
);

/// The number of pieces that the sides captured.
fn captures(moves: &[u8], sides: &[Color]) -> Result<i32, DecodeError> {
    let tally = replay::tally(moves)?;
    let sum: u32 = sides.iter().map(|side| tally.captures(*side)).sum();
    Ok(i32::try_from(sum).unwrap_or(i32::MAX))
}
