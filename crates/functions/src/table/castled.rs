//! `castled(moves, side)`: the kind of castling of a side.

use halfmove_game::codec::DecodeError;
use halfmove_game::replay;
use halfmove_rules::{CastlingSide, Color};

use crate::function::{Body, Example, Function, MOVES, ResultKind, SIDE};
use crate::rows::{Sides, texts};

pub(crate) const FUNCTION: Function = Function::new(
    "castled",
    &[MOVES, SIDE],
    ResultKind::Text,
    Body::Rows(|arguments| {
        let (moves, mut sides) = (arguments.bytes(0)?, Sides::of(arguments, 1)?);
        texts(arguments, |row, text| {
            let (Some(moves), Some([side, ..])) = (moves.at(row), sides.at(row)?) else {
                return Ok(false);
            };
            let castled = castled(moves, *side).map_err(|error| arguments.invalid(0, error))?;
            text.extend(castled);
            Ok(castled.is_some())
        })
    }),
)
.with_help(
    "`O-O` or `O-O-O` if the side castled, or null",
    "`O-O` or `O-O-O`, the castling of the side; null if it did not castle. Null in Makruk and its variants, which have no castling.",
    Example::new(
        &["castled(moves, 'white')", "castled(moves, 'black')"],
        &[1, 5, 6],
        &[&["O-O-O", "null"], &["O-O-O", "O-O"], &["null", "null"]],
    ),
);

/// The kind of castling of a side.
fn castled(moves: &[u8], side: Color) -> Result<Option<&'static str>, DecodeError> {
    Ok(replay::tally(moves)?.castled(side).map(|side| match side {
        CastlingSide::KingSide => "O-O",
        CastlingSide::QueenSide => "O-O-O",
    }))
}
