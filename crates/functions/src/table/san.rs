//! `san(moves [, n])`: the moves as text.

use std::fmt::Write;

use halfmove_game::codec::{DecodeError, halfmove};
use halfmove_rules::{Color, Move};

use crate::function::{Body, Example, Function, MOVES, N, ResultKind};
use crate::rows::texts_of_moves;

pub(crate) const FUNCTION: Function = Function::new(
    "san",
    &[MOVES, N.optional()],
    ResultKind::Text,
    Body::Rows(|arguments| {
        let mut moves = Vec::new();
        texts_of_moves(arguments, |bytes, most, text| san(bytes, most, text, &mut moves))
    }),
)
.with_help(
    "the moves, or the first n half-moves, as text",
    "\
The moves as text with their numbers, without the result; with `n`, the first n half-moves. With an n of 0 or less, the text is
empty.",
    Example::new(
        &["san(moves, 3)"],
        &[1, 4, 6],
        &[&["1. e4 e5 2. Nf3"], &["60... a1=Q+ 61. Qf1 Qxf1+"], &["1. e4 d5 2. exd5"]],
    ),
);

/// Appends at most `most` half-moves as text. `moves` is scratch space.
fn san(
    bytes: &[u8],
    most: usize,
    text: &mut String,
    moves: &mut Vec<Move>,
) -> Result<(), DecodeError> {
    moves.clear();
    let mut position = halfmove::first_moves(bytes, most, moves)?;
    for (index, &mv) in moves.iter().enumerate() {
        let space = if index == 0 { "" } else { " " };
        let number = position.fullmove_number();
        let san = position.san(mv);
        // Writing into a string cannot fail.
        let _ = match position.side_to_move() {
            Color::White => write!(text, "{space}{number}. {san}"),
            Color::Black if index == 0 => write!(text, "{number}... {san}"),
            Color::Black => write!(text, "{space}{san}"),
        };
        position.play_unchecked(mv);
    }
    Ok(())
}
