//! `promotions(moves [, side])`: the number of promotions.

use halfmove_game::codec::DecodeError;
use halfmove_game::replay;
use halfmove_rules::Color;

use crate::function::{Body, Example, Function, MOVES, ResultKind, SIDE};
use crate::rows::counts_of_sides;

pub(crate) const FUNCTION: Function = Function::new(
    "promotions",
    &[MOVES, SIDE.optional()],
    ResultKind::Int,
    Body::Rows(|arguments| counts_of_sides(arguments, promotions)),
)
.with_help(
    "the number of promotions, of both sides or of one",
    "The number of promotions of pawns; in Makruk and its variants, of bia.",
    Example::new(
        &["promotions(moves)", "promotions(moves, 'black')"],
        &[3, 4],
        &[&["2", "0"], &["1", "1"]],
    ),
);

/// The number of pawns of the sides that were promoted.
fn promotions(moves: &[u8], sides: &[Color]) -> Result<i32, DecodeError> {
    let tally = replay::tally(moves)?;
    let sum: u32 = sides.iter().map(|side| tally.promotions(*side)).sum();
    Ok(i32::try_from(sum).unwrap_or(i32::MAX))
}
