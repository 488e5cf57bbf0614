//! `positions(moves)`: each half-move with the position after it.

use std::sync::Arc;

use arrow_array::builder::{Int32Builder, StringBuilder};
use arrow_array::{ArrayRef, ListArray, StructArray};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field, FieldRef, Fields};
use halfmove_game::codec::halfmove;
use halfmove_rules::Color;

use crate::arguments::Arguments;
use crate::error::FunctionError;
use crate::function::{Body, Example, Function, MOVES, ResultKind};
use crate::rows::append;

pub(crate) const FUNCTION: Function = Function::new("positions", &[MOVES], ResultKind::Positions, Body::Rows(positions))
    .with_help(
        "each half-move with the position after it, for unnest",
        "\
Each half-move with the position after it: a list of `STRUCT(ply INT, side VARCHAR, san VARCHAR, uci VARCHAR, fen VARCHAR)`.
`unnest` turns each into a row.",
        Example::new(
            &["positions(moves)"],
            &[10],
            &[&[
                "[{ply: 1, side: white, san: Qg6, uci: g5g6, fen: 7k/5K2/6Q1/8/8/8/8/8 b - - 1 1}]",
            ]],
        ),
    )
.with_notes(
    "\
```sql
select p['ply'], p['side'], p['san'], p['fen']
from (select unnest(positions(moves)) as p from games where id = 2)
```

```text
1  white  f3  rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1
2  black  e5  rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2
3  white  g4  rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2
4  black  Qh4#  rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3
```

A game of 80 half-moves becomes eight thousand bytes: select the games first, or count the positions instead of listing them.",
);

fn fields() -> Fields {
    let texts = ["side", "san", "uci", "fen"].map(|name| Field::new(name, DataType::Utf8, false));
    [Field::new("ply", DataType::Int32, false)].into_iter().chain(texts).collect()
}

/// The element of the lists.
pub(crate) fn element() -> FieldRef {
    Arc::new(Field::new("item", DataType::Struct(fields()), false))
}

fn positions(arguments: &Arguments<'_>) -> Result<ArrayRef, FunctionError> {
    let games = arguments.bytes(0)?;
    let mut plies = Int32Builder::new();
    let [mut sides, mut sans, mut ucis, mut fens] = [(); 4].map(|()| StringBuilder::new());
    let (mut lengths, mut valid, mut moves) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..arguments.rows() {
        let game = games.at(row);
        valid.push(game.is_some());
        moves.clear();
        let start = halfmove::decode_moves(game.unwrap_or_default(), &mut moves);
        let mut position = start.map_err(|error| arguments.invalid(0, error))?;
        for (ply, &mv) in (1..).zip(&moves) {
            plies.append_value(ply);
            let side = match position.side_to_move() {
                Color::White => "white",
                Color::Black => "black",
            };
            append(&mut sides, side, arguments)?;
            append(&mut sans, position.san(mv), arguments)?;
            append(&mut ucis, position.uci(mv), arguments)?;
            position.play_unchecked(mv);
            append(&mut fens, &position, arguments)?;
        }
        lengths.push(moves.len());
    }
    let columns: Vec<ArrayRef> = vec![
        Arc::new(plies.finish()),
        Arc::new(sides.finish()),
        Arc::new(sans.finish()),
        Arc::new(ucis.finish()),
        Arc::new(fens.finish()),
    ];
    let all = StructArray::try_new(fields(), columns, None)?;
    // The texts of the positions, which take more room, have been counted.
    let (offsets, nulls) = (OffsetBuffer::from_lengths(lengths), NullBuffer::from(valid));
    Ok(Arc::new(ListArray::try_new(element(), offsets, Arc::new(all), Some(nulls))?))
}
