//! `key(fen [, variant])`: the Zobrist key of a position.

use std::sync::Arc;

use arrow_array::{ArrayRef, UInt64Array};

use crate::arguments::Arguments;
use crate::error::FunctionError;
use crate::function::{Body, Example, FEN, Function, ResultKind, VARIANT};
use crate::rows::Positions;

pub(crate) const FUNCTION: Function =
    Function::new("key", &[FEN, VARIANT], ResultKind::Key, Body::Rows(key)).with_help(
        "the Zobrist key of a position",
        "The Zobrist key of a position, the same as `halfmoves.key`. Equal positions have equal keys, whether a FEN states the en passant square \
         always or only if a capture is legal. In chess it is the key of Polyglot's books, but theirs includes a capture that a pin forbids, too.",
        Example::new(
            &["key('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1')"],
            &[1],
            &[&["5060803636482931868"]],
        ),
    );

fn key(arguments: &Arguments<'_>) -> Result<ArrayRef, FunctionError> {
    let mut positions = Positions::of(arguments, 0)?;
    let key = |row| Ok(positions.at(row)?.map(|position| position.key().0));
    let keys: UInt64Array = (0..arguments.rows()).map(key).collect::<Result<_, FunctionError>>()?;
    Ok(Arc::new(keys))
}
