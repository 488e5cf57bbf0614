//! The rows of half-moves, from columns of games.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, BinaryArray, Float64Array, Int64Array, RecordBatch};
use arrow_select::concat::concat_batches;
use arrow_select::filter::filter_record_batch;
use halfmove_functions::FunctionError;
use halfmove_functions::halfmoves::{HALFMOVES, Halfmoves, Plies};
use halfmove_rules::{AnyPosition, Color};

use crate::Outcome;
use crate::games::{self, column};

/// The columns of the games of `games.pgn`; the increment is 2 seconds, and unknown for one game.
fn all() -> RecordBatch {
    let games = games::all();
    let increments = (0..games.len()).map(|row| (row != 3).then_some(2.0));
    let increments: ArrayRef = Arc::new(increments.collect::<Float64Array>());
    let names = ["id", "moves", "clocks", "evaluations", "annotations"];
    let columns = names.map(|name| (name, column(name, &games))).into_iter();
    let columns = columns.chain([("increment_seconds", increments)]);
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true)))
        .expect("a batch")
}

fn rows(halfmoves: &Halfmoves, most: usize) -> Vec<RecordBatch> {
    halfmoves.rows_of(all(), most).map(|batch| batch.expect("rows")).collect()
}

#[test]
fn every_column_agrees_with_the_games() -> Outcome {
    let (games, halfmoves) = (games::all(), Halfmoves::new(&HALFMOVES));
    let batches = rows(&halfmoves, usize::MAX);
    let [batch] = batches.as_slice() else { panic!("{} batches", batches.len()) };
    assert_eq!(batch.schema(), *halfmoves.schema());
    let text = |name: &str, row| {
        batch.column_by_name(name).expect("a column").as_string_view().value(row).to_owned()
    };
    let int = |name: &str, row| {
        batch.column_by_name(name).expect("a column").as_primitive::<Int32Type>().value(row)
    };
    let mut row = 0;
    for (id, game) in (1..).zip(&games) {
        let mut position: AnyPosition = game.start.clone();
        for (ply, &mv) in (1..).zip(&game.moves) {
            assert_eq!(batch.column(0).as_primitive::<Int64Type>().value(row), id);
            let color = if position.side_to_move() == Color::White { "white" } else { "black" };
            assert_eq!((int("ply", row), text("color", row).as_str()), (ply, color));
            assert_eq!(int("move_number", row), i32::from(position.fullmove_number()));
            assert_eq!(text("san", row), position.san(mv).as_str());
            assert_eq!(text("uci", row), position.uci(mv).to_string());
            assert_eq!(text("fen", row), position.to_string());
            assert_eq!(int("mobility", row), position.count_moves() as i32);
            position.play_unchecked(mv);
            assert_eq!(text("fen_after", row), position.to_string());
            row += 1;
        }
    }
    assert_eq!(row, batch.num_rows());
    Ok(())
}

#[test]
fn batches_end_with_a_game() -> Outcome {
    let halfmoves = Halfmoves::of_names(["id", "ply"])?;
    let lengths: Vec<usize> = games::all().iter().map(|game| game.moves.len()).collect();
    let counts: Vec<usize> = rows(&halfmoves, 1).iter().map(RecordBatch::num_rows).collect();
    let some: Vec<usize> = lengths.iter().copied().filter(|moves| *moves > 0).collect();
    assert_eq!(counts, some, "no batch is empty");
    let counts: Vec<usize> = rows(&halfmoves, 35).iter().map(RecordBatch::num_rows).collect();
    assert_eq!(counts.iter().sum::<usize>(), lengths.iter().sum::<usize>());
    assert_eq!(counts[0], 37);
    Ok(())
}

/// The rows of a set of half-moves are those with its numbers among all rows.
#[test]
fn plies_select_rows() -> Outcome {
    let halfmoves = Halfmoves::new(&HALFMOVES);
    let every = concat_batches(halfmoves.schema(), &rows(&halfmoves, usize::MAX))?;
    for (text, count) in [
        ("1", 9),
        ("2-4", 21),
        ("33-", 1),
        ("1,33", 10),
        ("1-2,4,7-9,30-", 35),
        ("34-40", 0),
        ("none", 0),
    ] {
        let plies: Plies = text.parse()?;
        let found = rows(&halfmoves.clone().with_plies(plies.clone()), usize::MAX);
        let found = concat_batches(halfmoves.schema(), &found)?;
        let numbers = every.column(1).as_primitive::<Int32Type>().values();
        let is_in = |ply: &i32| plies.contains(ply.unsigned_abs());
        let expected = numbers.iter().map(is_in).collect::<Vec<bool>>().into();
        assert_eq!(found, filter_record_batch(&every, &expected)?, "{text}");
        assert_eq!(found.num_rows(), count, "{text}");
    }
    Ok(())
}

#[test]
fn clocks_and_evaluations_are_null_where_they_are_missing() -> Outcome {
    let halfmoves = Halfmoves::of_names(["id", "clock", "time_used", "cp", "mate"])?;
    let batches = rows(&halfmoves, usize::MAX);
    let ids = batches[0].column(0).as_primitive::<Int64Type>();
    let rows: Vec<usize> = (0..ids.len()).filter(|row| ids.value(*row) == 2).collect();
    let double = |column: usize| {
        let column = batches[0].column(column).as_primitive::<Float64Type>();
        rows.iter().map(|row| column.is_valid(*row).then(|| column.value(*row))).collect::<Vec<_>>()
    };
    let int = |column: usize| {
        let column = batches[0].column(column).as_primitive::<Int32Type>();
        rows.iter().map(|row| column.is_valid(*row).then(|| column.value(*row))).collect::<Vec<_>>()
    };
    assert_eq!(double(1), [Some(180.0), Some(178.0), Some(179.0), Some(177.5)]);
    assert_eq!(double(2), [None, None, Some(3.0), Some(2.5)]);
    assert_eq!(
        (int(3), int(4)),
        (vec![Some(30), Some(-25), None, None], vec![None, None, Some(-1), Some(0)],)
    );
    for (column, nulls) in [(1, 68), (2, 70), (3, 70), (4, 70)] {
        assert_eq!(batches[0].column(column).null_count(), nulls, "column {column}");
    }
    Ok(())
}

#[test]
fn mistakes_and_damage_are_errors() -> Outcome {
    let halfmoves = Halfmoves::of_names(["id", "clock"])?;
    let batch = |columns: Vec<(&str, ArrayRef)>| RecordBatch::try_from_iter(columns);
    let bytes =
        |bytes: &'static [u8]| -> ArrayRef { Arc::new(BinaryArray::from_iter_values([bytes])) };
    let ids: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    for (games, expected) in [
        (
            batch(vec![("id", ids.clone()), ("moves", bytes(&[0x11]))])?,
            "the column clocks of the games is missing, expected that of the table games",
        ),
        (
            batch(vec![("id", ids.clone()), ("moves", ids.clone()), ("clocks", bytes(&[]))])?,
            "the column moves of the games is Int64, expected that of the table games",
        ),
        (
            batch(vec![
                ("id", ids.clone()),
                ("moves", bytes(&[0x11, 0xff])),
                ("clocks", bytes(&[])),
            ])?,
            "a value of the column moves: byte 1: 0xff is not a code of this version",
        ),
        (
            batch(vec![
                ("id", ids.clone()),
                ("moves", bytes(&[0x11])),
                ("clocks", bytes(&[0xff])),
            ])?,
            "a value of the column clocks: byte 0: 0xff is not a code of this version",
        ),
    ] {
        let mut rows = halfmoves.rows_of(games, 10);
        let error = rows.next().expect("an error").expect_err("an error");
        assert_eq!(error.to_string(), expected);
        assert!(rows.next().is_none(), "nothing follows an error");
    }
    // A game that is not read is not decoded.
    let games = batch(vec![("moves", bytes(&[0x11, 0xff]))])?;
    let first = Halfmoves::of_names(["uci"])?.with_plies(Plies::of([1..=1]));
    assert_eq!(
        first.rows_of(games, 1).map(|batch| batch.map_or(0, |b| b.num_rows())).sum::<usize>(),
        1
    );
    let error = Halfmoves::of_names(["fens"]).expect_err("an error");
    assert!(matches!(error, FunctionError::Column { .. }), "{error}");
    Ok(())
}
