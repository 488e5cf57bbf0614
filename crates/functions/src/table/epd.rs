//! `epd(fen [, variant])`: a position without its counters.

use crate::function::{Body, Example, FEN, Function, ResultKind, VARIANT};
use crate::rows::texts_of_positions;

pub(crate) const FUNCTION: Function = Function::new(
    "epd",
    &[FEN, VARIANT],
    ResultKind::Text,
    Body::Rows(|arguments| {
        texts_of_positions(arguments, |position, text| {
            let fen = position.to_string();
            let fields: Vec<&str> = fen.split(' ').take(4).collect();
            text.push_str(&fields.join(" "));
        })
    }),
)
.with_help(
    "a position without its counters",
    "The first four fields of a FEN, as in EPD. Equal positions have equal texts: an en passant square is only there if a pawn can capture.",
    Example::new(
        &["epd('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1')"],
        &[1],
        &[&["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"]],
    ),
);
