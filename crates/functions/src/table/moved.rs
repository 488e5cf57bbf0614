//! `moved(moves, piece [, side])`: the number of half-moves with a kind of piece.

use halfmove_game::codec::DecodeError;
use halfmove_game::replay;
use halfmove_rules::{Color, Role};

use crate::function::{Argument, Body, Example, Function, Kind, MOVES, ResultKind, SIDE};
use crate::literals::{self, Last};
use crate::rows::{Sides, ints};

pub(crate) const FUNCTION: Function = Function::new(
    "moved",
    &[MOVES, Argument::new("piece", Kind::Piece), SIDE.optional()],
    ResultKind::Int,
    Body::Rows(|arguments| {
        let (moves, pieces) = (arguments.bytes(0)?, arguments.texts(1)?);
        let (mut sides, mut last) = (Sides::of(arguments, 2)?, Last::new());
        ints(arguments, |row| {
            let (Some(moves), Some(piece), Some(sides)) =
                (moves.at(row), pieces.at(row), sides.at(row)?)
            else {
                return Ok(None);
            };
            let roles = last.of(piece, literals::piece)?;
            moved(moves, roles, sides).map(Some).map_err(|error| arguments.invalid(0, error))
        })
    }),
)
.with_help(
    "the number of half-moves with a kind of piece",
    "The number of half-moves made with a kind of piece. Castling is a move of the king, a promotion one of the pawn.",
    Example::new(
        &["moved(moves, 'N')", "moved(moves, 'N', 'white')", "moved(moves, 'K')"],
        &[1],
        &[&["7", "3", "1"]],
    ),
);

/// The number of half-moves of the sides with pieces of these roles.
fn moved(moves: &[u8], roles: &[Role], sides: &[Color]) -> Result<i32, DecodeError> {
    let tally = replay::tally(moves)?;
    let of = |side| roles.iter().map(|role| tally.moved(side, *role)).sum::<u32>();
    let sum: u32 = sides.iter().map(|side| of(*side)).sum();
    Ok(i32::try_from(sum).unwrap_or(i32::MAX))
}
