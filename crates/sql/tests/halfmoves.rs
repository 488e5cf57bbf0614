//! The table `halfmoves`: its order, conditions that reach the games, limits, deleted and compacted games, damage.

use halfmove_archive::halfmoves::{HALFMOVES, Halfmoves, Plies};
use halfmove_archive::{Archive, Filter};
use halfmove_rules::Chess;
use halfmove_sql::{SqlError, SqlOptions};

use crate::support::{Outcome, archive, ask, ask_with, delete, game, import, read};

/// The plan of a query as text.
fn plan(archive: &Archive, query: &str) -> String {
    let rows = ask(archive, &format!("EXPLAIN {query}")).expect("a plan");
    rows.concat().join("\n")
}

/// Rows of numbers and texts: ids and plies, in the order of a query.
fn places(archive: &Archive, query: &str) -> Vec<(i64, i32)> {
    let rows = ask(archive, query).unwrap_or_else(|error| panic!("{query}: {error}"));
    rows.iter()
        .map(|row| (row[0].parse().expect("an id"), row[1].parse().expect("a ply")))
        .collect()
}

#[test]
fn rows_in_order_are_not_sorted() -> Outcome {
    let games = read("games/masters.pgn.zst", 300);
    let (_folder, first) = archive(&games[..200]);
    let archive = import(&first, &games[200..]);
    for query in [
        "SELECT id, ply FROM halfmoves ORDER BY id, ply",
        "SELECT id, ply, lag(cp) OVER (PARTITION BY id ORDER BY ply) FROM halfmoves ORDER BY id, ply",
    ] {
        let plan = plan(&archive, query);
        assert!(plan.contains("HalfmovesExec") && !plan.contains("SortExec"), "{plan}");
        let found = places(&archive, query);
        let expected: Vec<(i64, i32)> = (1..)
            .zip(&games)
            .flat_map(|(id, game)| (1..=game.moves.len() as i32).map(move |ply| (id, ply)))
            .collect();
        assert_eq!(found, expected, "{query}");
    }
    Ok(())
}

/// After a compaction by openings, files are in another order.
#[test]
fn compacted_archives_are_sorted() -> Outcome {
    let games = read("games/masters.pgn.zst", 300);
    let (_folder, archive) = archive(&games);
    let before = places(&archive, "SELECT id, ply FROM halfmoves ORDER BY id, ply");
    archive.compact(&mut ())?;
    let archive = archive.refresh()?;
    let query = "SELECT id, ply FROM halfmoves ORDER BY id, ply";
    assert_eq!(places(&archive, query), before);
    assert!(plan(&archive, query).contains("SortExec"), "{}", plan(&archive, query));
    Ok(())
}

#[test]
fn deleted_games_have_no_rows() -> Outcome {
    let start = Chess::default();
    let games = [game(&start, "e4 e5"), game(&start, "d4"), game(&start, "c4 c5 Nf3")];
    let (_folder, archive) = archive(&games);
    let archive = delete(&archive, &[(1, vec![0])]);
    let found = places(&archive, "SELECT id, ply FROM halfmoves ORDER BY id, ply");
    assert_eq!(found, [(2, 1), (3, 1), (3, 2), (3, 3)]);
    Ok(())
}

/// Conditions on ids are evaluated while the games are read, those of joins and subqueries too; conditions on plies
/// before the moves are decoded.
#[test]
fn conditions_reach_the_games() -> Outcome {
    let (_folder, archive) = archive(&read("games/masters.pgn.zst", 300));
    let text = plan(&archive, "SELECT san FROM halfmoves WHERE id = 7 AND ply <= 4 AND ply > 1");
    let scan = text.lines().find(|line| line.contains("DataSourceExec")).expect("a scan");
    assert!(scan.contains("predicate=id@0 = 7"), "{text}");
    assert!(text.contains("ply=2-4"), "{text}");
    for query in [
        "SELECT count(*) FROM halfmoves h JOIN games g USING (id) WHERE g.plies < 20",
        "SELECT count(*) FROM games g JOIN halfmoves h USING (id) WHERE g.plies < 20",
        "SELECT count(*) FROM halfmoves WHERE id IN (SELECT id FROM games WHERE plies < 20)",
    ] {
        let expected = ask(&archive, "SELECT sum(plies) FROM games WHERE plies < 20")?;
        assert_eq!(ask(&archive, query)?, expected, "{query}");
        let text = plan(&archive, query);
        let scan = text.lines().filter(|line| line.contains("DataSourceExec"));
        assert!(scan.clone().any(|line| line.contains("DynamicFilter")), "{query}\n{text}");
    }
    Ok(())
}

/// Conditions that name several plies select the same rows as conditions on `abs(ply)`, which are tested row by row.
#[test]
fn conditions_on_several_plies_reach_the_games() -> Outcome {
    let (_folder, archive) = archive(&read("games/lichess.pgn.zst", 200));
    for (condition, plies) in [
        ("ply IN (1, 101)", "1,101"),
        ("ply = 1 OR 101 = ply", "1,101"),
        ("ply IN (101, 40, 3, 2, 1, -7, 0)", "1-3,40,101"),
        ("ply BETWEEN 1 AND 4 OR ply BETWEEN 40 AND 50 OR 99 < ply", "1-4,40-50,100-"),
        ("ply NOT IN (1, 2, 3, 4, 7) AND ply <> 9", "5-6,8,10-"),
        ("NOT (ply BETWEEN 3 AND 90)", "1-2,91-"),
        ("(ply = 3 AND color = 'white') OR ply = 8", "3,8"),
        ("(ply < 9 OR id = 7) AND ply IN (5, 80)", "5,80"),
        ("(ply <= 2 OR ply >= 90) AND ply > 1", "2,90-"),
        ("ply < 1 OR ply = -3", "none"),
        ("ply = 3 OR color = 'black'", ""),
    ] {
        let select =
            "SELECT id, ply, san, uci, fen, clock, time_used, cp, bits FROM halfmoves WHERE";
        let text = plan(&archive, &format!("{select} {condition}"));
        let scan = text.lines().find(|line| line.contains("HalfmovesExec")).unwrap_or_default();
        let found = scan.split_once("], ply=").map_or("", |(_, rest)| rest);
        let found = found.split(", ").next().unwrap_or_default();
        let is_empty = plies == "none" && scan.is_empty();
        assert!(is_empty || found == plies, "{condition}: {found}\n{text}");
        let each = condition.replace("ply", "abs(ply)");
        let rows =
            |condition: &str| ask(&archive, &format!("{select} ({condition}) ORDER BY id, ply"));
        assert_eq!(rows(condition)?, rows(&each)?, "{condition}");
    }
    Ok(())
}

#[test]
fn unknown_columns_get_the_names_of_this_table() -> Outcome {
    let (_folder, archive) = archive(&[game(&Chess::default(), "e4 e5")]);
    let Err(error) = ask(&archive, "SELECT clok FROM halfmoves") else { panic!("an answer") };
    let SqlError::UnknownColumn { near, expected, .. } = &error else { panic!("{error}") };
    assert_eq!((near.as_deref(), expected.len()), (Some("clock"), HALFMOVES.len()));
    Ok(())
}

/// A query with a limit of rows ends with the first games, whatever the memory.
#[test]
fn little_memory_is_enough() -> Outcome {
    let (_folder, archive) = archive(&read("games/masters.pgn.zst", 2_000));
    let mut options = SqlOptions::default();
    options.memory_bytes = 4 << 20;
    for (query, expected) in [
        ("SELECT count(*) FROM (SELECT id, ply, fen FROM halfmoves ORDER BY id, ply)", None),
        (
            "SELECT max(n) FROM (SELECT row_number() OVER (PARTITION BY id ORDER BY ply) - ply AS n FROM halfmoves)",
            Some("0"),
        ),
        ("SELECT ply FROM halfmoves ORDER BY id, ply LIMIT 1", Some("1")),
    ] {
        let found = ask_with(&archive, query, &options)?;
        match expected {
            Some(expected) => assert_eq!(found, [[expected]], "{query}"),
            None => assert_eq!(found, ask(&archive, "SELECT sum(plies) FROM games")?, "{query}"),
        }
    }
    Ok(())
}

/// The library has the same rows, for any filter.
#[test]
fn the_library_has_the_same_rows() -> Outcome {
    let (_folder, archive) = archive(&read("games/lichess.pgn.zst", 437));
    archive.compact(&mut ())?;
    let archive = archive.refresh()?;
    let filter = Filter { player: Some("alanbrito4".to_owned()), ..Filter::default() };
    for (filter, condition) in [(Filter::default(), "true"), (filter, "white = 'alanbrito4'")] {
        let halfmoves = Halfmoves::new(&HALFMOVES);
        let batches = archive.halfmoves(&filter, &halfmoves)?;
        let mut found = Vec::new();
        for batch in batches {
            let batch = batch?;
            assert_eq!(batch.schema(), *halfmoves.schema());
            found.extend(cells(&batch)?);
        }
        let query = format!(
            "SELECT * FROM halfmoves WHERE id IN (SELECT id FROM games WHERE {condition}) ORDER BY id, ply"
        );
        assert_eq!(found, ask(&archive, &query)?, "{condition}");
        assert!(!found.is_empty());
    }
    let first = Halfmoves::of_names(["ply"])?.with_plies(Plies::of([1..=1]));
    let rows = archive.halfmoves(&Filter::default(), &first)?;
    let rows: usize = rows.map(|batch| batch.map_or(0, |batch| batch.num_rows())).sum();
    let played = Filter { min_plies: Some(1), ..Filter::default() };
    assert_eq!(rows as u64, archive.count(&played)?);
    Ok(())
}

/// The cells of a batch as [`ask`] has them.
fn cells(
    batch: &halfmove_sql::datafusion::arrow::array::RecordBatch,
) -> Result<Vec<Vec<String>>, Box<dyn std::error::Error>> {
    use halfmove_sql::datafusion::arrow::array::Array;
    use halfmove_sql::datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};

    let options = FormatOptions::default();
    let formatters = batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options));
    let formatters = formatters.collect::<Result<Vec<_>, _>>()?;
    let cell = |row: usize, column: usize| match batch.column(column).is_null(row) {
        true => "null".to_owned(),
        false => formatters[column].value(row).to_string(),
    };
    let columns = 0..batch.num_columns();
    let row = |row| columns.clone().map(|column| cell(row, column)).collect();
    Ok((0..batch.num_rows()).map(row).collect())
}
