//! `uci(moves [, n]) -> VARCHAR`: the moves, or the first n half-moves, in UCI notation.
//!
//! `e2e4 e7e5 g1f3`. Castling is `e1g1`, in Chess960 the king taking its own rook. With an n of 0 or less, the text is
//! empty.

use std::fmt::Write;

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;
use halfmove_game::codec::{DecodeError, halfmove};

use super::args::Kind;
use super::function::{Function, texts_of_moves};

/// Appends at most so many half-moves in UCI notation.
pub(crate) fn uci(bytes: &[u8], most: usize, text: &mut String) -> Result<(), DecodeError> {
    let mut moves = Vec::new();
    // How a move is written depends on the game alone, not on the position.
    let start = halfmove::first_moves(bytes, most, &mut moves)?;
    for (index, mv) in moves.into_iter().enumerate() {
        let space = if index == 0 { "" } else { " " };
        // Writing into a string cannot fail.
        let _ = write!(text, "{space}{}", start.uci(mv));
    }
    Ok(())
}

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "uci",
        usage: "uci(moves) or uci(moves, n)",
        form: &[Kind::Moves],
        optional: &[Kind::Number],
        answer: DataType::Utf8,
        call: |call| texts_of_moves(call, "uci", uci),
    }
    .udf()
}
