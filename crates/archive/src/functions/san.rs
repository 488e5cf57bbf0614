//! `san(moves [, n]) -> VARCHAR`: the moves, or the first n half-moves, as text with their numbers, without the result.
//!
//! `1. e4 e5 2. Nf3`; a game that Black begins reads `3... Nf6 4. Bb5`. `san(moves, 2)` of the first is `1. e4 e5`. With
//! an n of 0 or less, the text is empty.

use std::fmt::Write;

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;
use halfmove_game::codec::{DecodeError, halfmove};
use halfmove_rules::Color;

use super::args::Kind;
use super::function::{Function, texts_of_moves};

/// Appends at most so many half-moves as text.
pub(crate) fn san(bytes: &[u8], most: usize, text: &mut String) -> Result<(), DecodeError> {
    let mut moves = Vec::new();
    let mut position = halfmove::first_moves(bytes, most, &mut moves)?;
    for (index, mv) in moves.into_iter().enumerate() {
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

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "san",
        usage: "san(moves) or san(moves, n)",
        form: &[Kind::Moves],
        optional: &[Kind::Number],
        answer: DataType::Utf8,
        call: |call| texts_of_moves(call, "san", san),
    }
    .udf()
}
