//! The columns of Lichess's data set: games there and back, and what is not of it.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Int32Array, LargeStringArray, RecordBatch,
    RecordBatchIterator, StringArray, new_null_array,
};
use arrow_schema::DataType;
use halfmove_archive::{Archive, ArchiveError, Filter, Importer, LichessRows, lichess_schema};
use halfmove_game::pgn::write_game;

use crate::{Outcome, read, testdata};

#[test]
fn games_come_back_from_its_columns() -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut importer = Importer::open(folder.path().join("pgn"))?;
    let games = read(&testdata("games/lichess.pgn.zst"));
    for (game, fault) in &games {
        importer.push(game, fault.as_deref())?;
    }
    importer.commit()?;
    let archive = Archive::open(folder.path().join("pgn"))?;
    let batches = archive.lichess(&Filter::default())?.collect::<Result<Vec<_>, _>>()?;
    assert!(batches.iter().all(|batch| batch.schema() == lichess_schema()));

    let stream = RecordBatchIterator::new(batches.into_iter().map(Ok), lichess_schema());
    let mut row = 0;
    for found in LichessRows::of("a stream", stream)? {
        for found in found? {
            let mut expected = games[row].0.clone();
            row += 1;
            assert_eq!((found.row, found.fault), (row as u64, None));
            // The tags that the data set does not have; it has its own order.
            let kept: Vec<_> = found.game.tags.iter().map(|(name, _)| name.to_owned()).collect();
            for name in &kept {
                assert_eq!(found.game.tags.value(name), expected.tags.value(name), "{name}");
            }
            let lost = expected.tags.iter().filter(|(name, _)| !kept.iter().any(|it| it == name));
            let lost: Vec<_> = lost.map(|(name, _)| name.to_owned()).collect();
            assert!(lost.iter().all(|name| ["Date", "Round"].contains(&&**name)), "{lost:?}");
            expected.tags = found.game.tags.clone();
            assert_eq!(write_game(&found.game)?, write_game(&expected)?);
        }
    }
    assert_eq!(row, games.len());
    Ok(())
}

#[test]
fn other_rows_are_errors() -> Outcome {
    let folder = tempfile::tempdir()?;
    let missing = LichessRows::open(folder.path().join("no.parquet"));
    assert!(matches!(missing, Err(ArchiveError::Io { .. })), "{missing:?}");
    let path = folder.path().join("text.parquet");
    std::fs::write(&path, "1. e4 *")?;
    let error = LichessRows::open(&path).expect_err("not a Parquet file").to_string();
    assert!(error.starts_with(&format!("{}: ", path.display())), "{error}");

    let texts = |texts: Vec<Option<&str>>| -> ArrayRef { Arc::new(StringArray::from(texts)) };
    let rows = |columns: Vec<(&str, ArrayRef)>| {
        let columns = columns.into_iter().map(|(name, column)| (name, column, true));
        let batch = RecordBatch::try_from_iter_with_nullable(columns)?;
        let schema = batch.schema();
        let some = batch.slice(0, 1);
        let stream = RecordBatchIterator::new([Ok(some), Ok(batch)], schema);
        LichessRows::of("rows", stream)?.collect::<Result<Vec<_>, _>>()
    };
    let two = || texts(vec![Some("1. e4 *"), Some("1. e4 e5 2. Ke3 *")]);
    let found = rows(vec![("movetext", two())])?;
    let fault = found[1][1].fault.as_deref();
    assert!(fault.is_some_and(|fault| fault.starts_with("move 2: ")), "{fault:?}");
    assert_eq!((found[1][1].row, found[1][1].game.moves.len()), (3, 2));

    let ratings: ArrayRef = Arc::new(Int32Array::from(vec![70_000, 2_000]));
    for (columns, expected) in [
        (vec![("White", two())], "rows: no column movetext, expected the columns of"),
        (
            vec![("movetext", texts(vec![Some("1. e4 *"), None]))],
            "rows: row 3: movetext is null, expected the text of a game",
        ),
        (vec![("movetext", two()), ("WhiteElo", ratings)], "rows: WhiteElo: "),
    ] {
        let error = rows(columns).expect_err(expected);
        assert!(matches!(error, ArchiveError::Rows { .. }), "{error:?}");
        assert!(error.to_string().starts_with(expected), "{error}");
    }
    Ok(())
}

/// A cast would make texts of numbers, and days of years.
#[test]
fn columns_of_other_types_are_errors() -> Outcome {
    let numbers = || -> ArrayRef { Arc::new(Int32Array::from(vec![7])) };
    let truths = || -> ArrayRef { Arc::new(BooleanArray::from(vec![true])) };
    let moves = || -> ArrayRef { Arc::new(StringArray::from(vec!["1. e4 *"])) };
    let rows = |columns: Vec<(&str, ArrayRef)>| {
        let batch = RecordBatch::try_from_iter(columns)?;
        let schema = batch.schema();
        LichessRows::of("rows", RecordBatchIterator::new([Ok(batch)], schema))
    };
    for (columns, expected) in [
        (vec![("movetext", numbers())], "rows: the column movetext is Int32, expected texts"),
        (
            vec![("movetext", moves()), ("White", numbers())],
            "rows: the column White is Int32, expected texts",
        ),
        (
            vec![("movetext", moves()), ("WhiteElo", truths())],
            "rows: the column WhiteElo is Boolean, expected numbers",
        ),
        (
            vec![("movetext", moves()), ("UTCDate", numbers())],
            "rows: the column UTCDate is Int32, expected dates",
        ),
        (
            vec![("movetext", moves()), ("UTCTime", numbers())],
            "rows: the column UTCTime is Int32, expected times of day",
        ),
    ] {
        let error = rows(columns).expect_err(expected);
        assert!(matches!(error, ArchiveError::ColumnType { .. }), "{error:?}");
        assert_eq!(error.to_string(), expected);
    }
    // Types that hold the same values, and columns without any.
    let texts: ArrayRef = Arc::new(LargeStringArray::from(vec!["1. e4 *"]));
    let names: DictionaryArray<Int8Type> = vec!["Tal"].into_iter().collect();
    let elo: ArrayRef = Arc::new(StringArray::from(vec!["2700"]));
    let columns = vec![
        ("movetext", texts),
        ("White", Arc::new(names) as ArrayRef),
        ("WhiteElo", elo),
        ("Event", new_null_array(&DataType::Null, 1)),
    ];
    let games = rows(columns)?.next().ok_or("rows")??;
    let tags: Vec<_> = games[0].game.tags.iter().collect();
    assert_eq!(tags, [("White", "Tal"), ("WhiteElo", "2700")]);
    Ok(())
}

/// The typed columns are those of the archive, whatever the filter.
#[test]
fn a_filter_selects_rows() -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut importer = Importer::open(folder.path().join("pgn"))?;
    for (game, fault) in &read(&testdata("games/lichess.pgn.zst")) {
        importer.push(game, fault.as_deref())?;
    }
    importer.commit()?;
    let archive = Archive::open(folder.path().join("pgn"))?;
    let filter = Filter { min_elo: Some(2_000), ..Filter::default() };
    let (mut rows, mut found) = (archive.lichess(&filter)?, Vec::new());
    assert_eq!(rows.games(), archive.count(&filter)?);
    for batch in &mut rows {
        let batch = batch?;
        let names = batch.column_by_name("White").ok_or("White")?.as_string::<i32>().clone();
        found.extend(names.iter().map(|name| name.map(str::to_owned)));
    }
    let games = archive.games(&filter)?.collect::<Result<Vec<_>, _>>()?;
    let expected = games.iter().map(|it| it.game.tags.value("White").map(str::to_owned));
    assert_eq!(found, expected.collect::<Vec<_>>());
    assert!(!found.is_empty());
    Ok(())
}
