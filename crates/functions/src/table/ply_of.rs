//! `ply_of(moves, fen [, variant])`: the ply at which a position first arises.

use halfmove_game::replay::{self, Target};

use crate::arguments::Arguments;
use crate::error::FunctionError;
use crate::function::{Body, Example, FEN, Function, MOVES, ResultKind, VARIANT};
use crate::literals::{self, Last};
use crate::rows::plies;

pub(crate) const FUNCTION: Function = Function::new(
    "ply_of",
    &[MOVES, FEN, VARIANT],
    ResultKind::Int,
    Body::Rows(|arguments| {
        let mut ply = plies_of(arguments)?;
        plies(arguments, |row| Ok(ply(row)?.flatten()))
    }),
)
.with_help(
    "the ply at which the game first reaches the position, or null",
    "\
The number of half-moves after which the game first reaches the position; null if never. Pieces, side to move, castling rights and a legal en passant
capture count; the FEN's counters do not.",
    Example::new(
        &["ply_of(moves, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2')"],
        &[1, 2],
        &[&["2"], &["null"]],
    ),
);

/// The ply at which the position of each row arises, if it does; null where an argument is null.
pub(super) fn plies_of<'a>(
    arguments: &'a Arguments<'a>,
) -> Result<impl FnMut(usize) -> Result<Option<Option<u32>>, FunctionError> + 'a, FunctionError> {
    let moves = arguments.bytes(0)?;
    let (fens, variants) = (arguments.texts(1)?, arguments.variants(2)?);
    let mut last = Last::new();
    Ok(move |row| {
        let (Some(moves), Some(fen), Some(variant)) =
            (moves.at(row), fens.at(row), variants.at(row))
        else {
            return Ok(None);
        };
        let target = last.of((fen, variant), |(fen, variant)| {
            Ok(Target::new(&literals::position(fen, variant)?))
        })?;
        replay::find(moves, target).map(Some).map_err(|error| arguments.invalid(0, error))
    })
}
