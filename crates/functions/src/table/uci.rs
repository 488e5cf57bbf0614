//! `uci(moves [, n])`: the moves in UCI notation.

use std::fmt::Write;

use halfmove_game::codec::{DecodeError, halfmove};
use halfmove_rules::Move;

use crate::function::{Body, Example, Function, MOVES, N, ResultKind};
use crate::rows::texts_of_moves;

pub(crate) const FUNCTION: Function = Function::new(
    "uci",
    &[MOVES, N.optional()],
    ResultKind::Text,
    Body::Rows(|arguments| {
        let mut moves = Vec::new();
        texts_of_moves(arguments, |bytes, most, text| uci(bytes, most, text, &mut moves))
    }),
)
.with_help(
    "the moves, or the first n half-moves, in UCI notation",
    "The moves in UCI notation; with `n`, the first n half-moves. Castling is the king's move (`e1g1`), in Chess960 the king taking its own rook.",
    Example::new(&["uci(moves, 3)"], &[1, 5], &[&["e2e4 e7e5 g1f3"], &["c1b1 c8g8 e2e4"]]),
);

/// Appends at most `most` half-moves in UCI notation. `moves` is scratch space.
fn uci(
    bytes: &[u8],
    most: usize,
    text: &mut String,
    moves: &mut Vec<Move>,
) -> Result<(), DecodeError> {
    moves.clear();
    // The notation of a move depends on the game alone, not on the position.
    let start = halfmove::first_moves(bytes, most, moves)?;
    for (index, &mv) in moves.iter().enumerate() {
        let space = if index == 0 { "" } else { " " };
        // Writing into a string cannot fail.
        let _ = write!(text, "{space}{}", start.uci(mv));
    }
    Ok(())
}
