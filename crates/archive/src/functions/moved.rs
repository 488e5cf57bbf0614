//! `moved(moves, piece [, side]) -> INT`: how many half-moves were made with a kind of piece, by both sides or by
//! `white` or `black`.
//!
//! Pieces are P, N, B, R, Q and K; in Makruk, S (or B) is the khon and M (or Q) the met. Castling is a move of the king,
//! a promotion one of the pawn. `moved(moves, 'N')` of 1. e4 e5 2. Nf3 Nc6 is 2.

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;
use halfmove_game::codec::DecodeError;
use halfmove_game::replay;
use halfmove_rules::{Color, Role};

use super::args::{Kind, raise};
use super::function::{Function, ints};
use super::side::{Sides, parse_piece};

/// How many half-moves the sides made with pieces of these roles.
pub(crate) fn moved(moves: &[u8], roles: &[Role], sides: &[Color]) -> Result<i32, DecodeError> {
    let tally = replay::tally(moves)?;
    let of = |side| roles.iter().map(|role| tally.moved(side, *role)).sum::<u32>();
    let sum: u32 = sides.iter().map(|side| of(*side)).sum();
    Ok(i32::try_from(sum).unwrap_or(i32::MAX))
}

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "moved",
        usage: "moved(moves, 'N') or moved(moves, 'N', 'white')",
        form: &[Kind::Moves, Kind::Text],
        optional: &[Kind::Text],
        answer: DataType::Int32,
        call: |call| {
            let (moves, pieces, sides) = (call.bytes(0)?, call.texts(1)?, Sides::of(call, 2)?);
            ints(call, |row| {
                let (Some(moves), Some(piece), Some(sides)) =
                    (moves.at(row), pieces.at(row), sides.at(row)?)
                else {
                    return Ok(None);
                };
                let roles = parse_piece(piece).map_err(raise)?;
                moved(moves, roles, sides).map(Some).map_err(|error| call.bad_moves("moved", error))
            })
        },
    }
    .udf()
}
