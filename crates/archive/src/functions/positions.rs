//! `positions(moves) -> LIST OF STRUCT`: each half-move with the position after it: `{ply, side, san, uci, fen}`.
//!
//! `unnest` makes a row of each: `select id, p['ply'], p['san'] from (select id, unnest(positions(moves)) as p from
//! games where id = 1)` of 1. e4 e5 gives `1, 1, e4` and `1, 2, e5`. `side` is `white` or `black`.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, Int32Builder, ListArray, StringArray, StringBuilder, StructArray,
};
use datafusion::arrow::buffer::{NullBuffer, OffsetBuffer};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields};
use datafusion::common::Result as EngineResult;
use datafusion::logical_expr::ScalarUDF;
use halfmove_game::codec::{Codec, DecodeError, halfmove::Halfmove};
use halfmove_rules::{AnyPosition, Color, Move};

use super::args::{Call, Kind};
use super::function::Function;

/// Calls `visit` for each half-move with the positions before and after it. Returns how many there are.
pub(crate) fn positions(
    bytes: &[u8],
    mut visit: impl FnMut(&AnyPosition, Move, &AnyPosition),
) -> Result<usize, DecodeError> {
    let mut moves = Vec::new();
    let mut position = Halfmove.decode_moves(bytes, &mut moves)?;
    for &mv in &moves {
        let before = position.clone();
        position.play_unchecked(mv);
        visit(&before, mv, &position);
    }
    Ok(moves.len())
}

fn fields() -> Fields {
    let texts = ["side", "san", "uci", "fen"].map(|name| Field::new(name, DataType::Utf8, false));
    [Field::new("ply", DataType::Int32, false)].into_iter().chain(texts).collect()
}

fn element() -> FieldRef {
    Arc::new(Field::new("item", DataType::Struct(fields()), false))
}

fn lists(call: &Call) -> EngineResult<ArrayRef> {
    let games = call.bytes(0)?;
    let (mut plies, mut sides) = (Int32Builder::new(), Vec::new());
    let [mut sans, mut ucis, mut fens] = [(); 3].map(|()| StringBuilder::new());
    let (mut lengths, mut valid) = (Vec::new(), Vec::new());
    for row in 0..call.rows() {
        let game = games.at(row);
        valid.push(game.is_some());
        let mut ply = 0;
        let length = positions(game.unwrap_or_default(), |before, mv, after| {
            ply += 1;
            plies.append_value(ply);
            sides.push(match before.side_to_move() {
                Color::White => "white",
                Color::Black => "black",
            });
            sans.append_value(before.san(mv).as_str());
            ucis.append_value(before.uci(mv).to_string());
            fens.append_value(after.to_string());
        });
        lengths.push(length.map_err(|error| call.bad_moves("positions", error))?);
    }
    let columns: Vec<ArrayRef> = vec![
        Arc::new(plies.finish()),
        Arc::new(StringArray::from(sides)),
        Arc::new(sans.finish()),
        Arc::new(ucis.finish()),
        Arc::new(fens.finish()),
    ];
    let all = StructArray::try_new(fields(), columns, None)?;
    let (offsets, nulls) = (OffsetBuffer::from_lengths(lengths), NullBuffer::from(valid));
    Ok(Arc::new(ListArray::try_new(element(), offsets, Arc::new(all), Some(nulls))?))
}

pub(super) fn udf() -> ScalarUDF {
    Function {
        name: "positions",
        usage: "positions(moves)",
        form: &[Kind::Moves],
        optional: &[],
        answer: DataType::List(element()),
        call: lists,
    }
    .udf()
}
