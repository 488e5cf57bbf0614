//! Queries over moves, and those that are rejected.

use std::io::{self, Write};

use bytes::Bytes;
use futures::TryStreamExt;
use halfmove_rules::Chess;
use halfmove_sql::datafusion::arrow::array::{Array, AsArray};
use halfmove_sql::datafusion::arrow::datatypes::{Float64Type, Int64Type};
use halfmove_sql::datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use halfmove_sql::{Sql, SqlError, SqlOptions};

use crate::support::{Outcome, archive, ask, error, game, three, wait};

/// The result is read by the Parquet library, independently of the query.
#[test]
fn an_answer_is_written_as_parquet() -> Outcome {
    let (_folder, archive) = three();
    let query =
        "SELECT id, result, date, moves, id / 2.0 AS half, other_tags FROM games ORDER BY id";
    let sql = Sql::new(&archive, &SqlOptions::default())?;
    let mut file = Vec::new();
    assert_eq!(wait(async { sql.query(query).await?.write_parquet(&mut file).await })?, 3);
    let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(file))?;
    let names: Vec<&str> =
        reader.schema().fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(names, ["id", "result", "date", "moves", "half", "other_tags"]);
    let batches = reader.build()?.collect::<Result<Vec<_>, _>>()?;
    let [batch] = &batches[..] else { panic!("{} batches", batches.len()) };
    assert_eq!(batch["id"].as_primitive::<Int64Type>().values()[..], [1, 2, 3]);
    assert_eq!(batch["half"].as_primitive::<Float64Type>().values()[..], [0.5, 1.0, 1.5]);
    let results: Vec<_> = batch["result"].as_string::<i32>().iter().flatten().collect();
    assert_eq!(results, ["1-0", "1/2-1/2", "*"]);
    assert!(batch["date"].is_null(0) && batch["moves"].as_binary::<i32>().value(0).len() > 6);
    // A result without rows is a file, too.
    let mut empty = Vec::new();
    let none = "SELECT id FROM games WHERE false";
    assert_eq!(wait(async { sql.query(none).await?.write_parquet(&mut empty).await })?, 0);
    assert_eq!(
        ParquetRecordBatchReaderBuilder::try_new(Bytes::from(empty))?.schema().fields().len(),
        1
    );
    Ok(())
}

/// A full disk.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn errors_of_the_output_are_kept() -> Outcome {
    let (_folder, archive) = three();
    let sql = Sql::new(&archive, &SqlOptions::default())?;
    let written =
        wait(async { sql.query("SELECT id FROM games").await?.write_parquet(Full).await });
    match written {
        Err(SqlError::Output(error)) => assert_eq!(error.kind(), io::ErrorKind::StorageFull),
        other => panic!("{other:?}"),
    }
    Ok(())
}

/// Games that start at move 7: from another position, by either side, and from the usual position.
#[test]
fn moves_are_numbered_from_the_start_of_the_game() -> Outcome {
    let mut games = Vec::new();
    for (fen, moves) in [
        ("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 7", "Ng5 d5 exd5"),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p1N1/2B1P3/8/PPPP1PPP/RNBQK2R b KQkq - 5 7", "d5 exd5"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 7", "e4 c5 Nf3"),
    ] {
        let start = Chess::from_fen(fen, None).expect("a FEN");
        let mut game = game(&start, moves);
        game.tags.push("FEN", fen);
        games.push(game);
    }
    let (_folder, archive) = archive(&games);
    for (query, expected) in [
        (
            "SELECT san(moves) FROM games ORDER BY id",
            "7. Ng5 d5 8. exd5|7... d5 8. exd5|7. e4 c5 8. Nf3",
        ),
        (
            "SELECT split_part(fen_at(moves, 2), ' ', 2), split_part(fen_at(moves, 2), ' ', 6) \
            FROM games ORDER BY id",
            "w,8|b,8|w,8",
        ),
        ("SELECT split_part(fen_at(moves, 0), ' ', 6) FROM games ORDER BY id", "7|7|7"),
        (
            "SELECT ply_of(moves, 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2') \
            FROM games ORDER BY id",
            "null|null|2",
        ),
    ] {
        let rows: Vec<String> = ask(&archive, query)?.iter().map(|row| row.join(",")).collect();
        assert_eq!(rows.join("|"), expected, "{query}");
    }
    Ok(())
}

#[test]
fn functions_over_moves() -> Outcome {
    let (_folder, archive) = three();
    for (query, expected) in [
        ("SELECT plies(moves), plies FROM games ORDER BY id", "7,7|3,3|0,0"),
        (
            "SELECT san(moves) FROM games ORDER BY id",
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O|17... Kd7 18. O-O Ke6|",
        ),
        ("SELECT san(moves) FROM games WHERE id = 1", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O"),
        (
            "SELECT fen_at(moves, 2) FROM games ORDER BY id",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2|8/3k4/8/8/8/8/4P3/5RK1 b - - 5 18|null",
        ),
        ("SELECT fen_at(moves, 0) FROM games WHERE id = 2", "4k3/8/8/8/8/8/4P3/4K2R b K - 3 17"),
        (
            "SELECT fen_at(moves, 7), fen_at(moves, 8), fen_at(moves, -1) FROM games WHERE id = 1",
            "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4,null,null",
        ),
        (
            "SELECT ply_of(moves, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2') FROM games \
            ORDER BY id",
            "2|null|null",
        ),
        (
            "SELECT ply_of(moves, '8/3k4/8/8/8/8/4P3/5RK1 b - - 0 1') FROM games ORDER BY id",
            "null|2|null",
        ),
        (
            "SELECT reaches(moves, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1') FROM games \
            ORDER BY id",
            "true|false|true",
        ),
        ("SELECT id FROM games WHERE reaches(moves, fen_at(moves, 3)) ORDER BY id", "1|2"),
        (
            "SELECT plies(NULL), san(NULL), reaches(NULL, '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'), ply_of(NULL, '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'), fen_at(NULL, 1)",
            "null,null,null,null,null",
        ),
        ("SELECT reaches(moves, NULL), fen_at(moves, NULL) FROM games WHERE id = 1", "null,null"),
        (
            "SELECT plies(arrow_cast(moves, 'Binary')), plies(arrow_cast(moves, 'LargeBinary')), \
            san(arrow_cast(moves, 'Binary')) FROM games WHERE id = 2",
            "3,3,17... Kd7 18. O-O Ke6",
        ),
        (
            "SELECT explore(moves, result, \
            'r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4') FROM games",
            "{white: 1, draws: 0, black: 0, other: 0, moves: [{uci: e1h1, san: O-O, white: 1, draws: 0, black: 0, \
            other: 0}]}",
        ),
        (
            "SELECT explore(moves, result, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1')\
            ['other'] FROM games",
            "1",
        ),
        (
            "SELECT result, explore(moves, result, '8/3k4/8/8/8/8/4P3/5RK1 b - - 0 1')['draws'] FROM games \
            GROUP BY result ORDER BY result",
            "*,0|1-0,0|1/2-1/2,1",
        ),
        (
            "SELECT explore(moves, result, 'no FEN') FROM games WHERE id > 9",
            "{white: 0, draws: 0, black: 0, other: 0, moves: []}",
        ),
    ] {
        let rows: Vec<String> = ask(&archive, query)?.iter().map(|row| row.join(",")).collect();
        assert_eq!(rows.join("|"), expected, "{query}");
    }
    Ok(())
}

#[test]
fn mistakes_are_explained() {
    let (_folder, archive) = three();
    for (query, expected) in [
        ("SELEC 1", &["SELEC", "at line 1, column 1"][..]),
        ("SELECT count(* FROM games", &["at line 1, column 16"]),
        ("SELECT whit FROM games", &["there is no column whit: did you mean white?"]),
        ("SELECT g.whit FROM games g", &["there is no column g.whit: did you mean g.white?"]),
        ("SELECT xyzzy FROM games", &["there is no column xyzzy, expected id, event, "]),
        (
            "SELECT * FROM game",
            &["there is no table \"game\": the tables are games, halfmoves and history"],
        ),
        (
            "SELECT reache(moves, 'x') FROM games",
            &["there is no function reache: did you mean reaches?"],
        ),
        ("SELECT san(white) FROM games", &["argument 1 of san", "san(moves)"]),
        ("SELECT plies() FROM games", &["plies was called with 0 arguments", "plies(moves)"]),
        (
            "SELECT reaches(moves) FROM games",
            &["reaches(moves, fen)", "reaches(moves, fen, variant)"],
        ),
        (
            "SELECT reaches(moves, start_fen, '4k3/8/8/8/8/8/8/4K3 w - - 0 1') FROM games",
            &[
                "the variant \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\" is not known",
                "expected chess, chess960",
            ],
        ),
        (
            "SELECT id FROM games WHERE reaches(moves, '8/8/8/8 w - -')",
            &["the FEN \"8/8/8/8 w - -\": ", "placement of pieces"],
        ),
        (
            "SELECT id FROM games WHERE reaches(moves, '4k3/8/8/8/8/8/8/4K3 x - - 0 1')",
            &["the FEN \"4k3/8/8/8/8/8/8/4K3 x - - 0 1\": ", "side to move"],
        ),
        ("SELECT explore(moves, result, 'nonsense') FROM games", &["\"nonsense\""]),
        ("SELECT explore(moves, result, fen_at(moves, 0)) FROM games", &["two positions"]),
        ("SELECT plies(X'00ff') FROM games WHERE san(X'00ff') = ''", &["moves"]),
        ("DROP TABLE games", &["only SELECT queries"]),
        ("DELETE FROM games", &["only SELECT queries"]),
        ("COPY games TO 'x.parquet'", &["only SELECT queries"]),
        ("SET datafusion.execution.batch_size = 1", &["only SELECT queries"]),
        ("CREATE TABLE x AS SELECT 1", &["only SELECT queries"]),
    ] {
        let text = error(&archive, query).to_string();
        for part in expected {
            assert!(text.contains(part), "{query}: {text}");
        }
    }
}

/// Errors give the place of the mistake.
#[test]
fn mistakes_have_places() {
    let (_folder, archive) = three();
    for (query, line, column) in [
        ("SELECT 1,\n  whit FROM games", 2, 3),
        ("SELECT white FROM games WHERE elo > 3", 1, 31),
        ("SELECT g.whit FROM games g", 1, 8),
        ("SELECT white FROM games ORDER BY whit", 1, 34),
        ("SELECT count(*) FROM games GROUP BY whit", 1, 37),
        ("SELECT id FROM games JOIN games b ON true", 1, 8),
        ("SELECT id, reache(moves, 'x') FROM games", 1, 12),
        ("SELECT * FROM generate_serie(1, 2)", 1, 15),
        ("SELECT *\nFROM game", 2, 6),
        ("SELECT id FROM games WHERE id IN (SELECT id FROM gamez)", 1, 50),
        ("SELECT é, 'Grünfeld' FRM games", 1, 26),
        ("SELECT 'open", 1, 8),
        ("SELECT id FROM games; SELECT id FORM games", 1, 38),
    ] {
        let error = error(&archive, query);
        let place = error.place().map(|place| (place.line, place.column));
        assert_eq!(place, Some((line, column)), "{query}: {error:?}");
    }
}

/// Invalid bytes in the query are a mistake in the query; the archive is sound.
#[test]
fn literals_do_not_damage_the_archive() {
    let (_folder, archive) = three();
    const FEN: &str = "'4k3/8/8/8/8/8/8/4K3 w - - 0 1'";
    for (name, call) in [
        ("san", "san(X'ff')".to_owned()),
        ("fen_at", "fen_at(X'ff', 1)".to_owned()),
        ("ply_of", format!("ply_of(X'ff', {FEN})")),
        ("reaches", format!("reaches(X'ff', {FEN})")),
        ("explore", format!("explore(X'ff', result, {FEN})")),
    ] {
        for query in
            [format!("SELECT {call} FROM games"), format!("SELECT {call} FROM games LIMIT 1")]
        {
            let text = error(&archive, &query).to_string();
            assert!(text.starts_with(&format!("argument 1 of {name} is not a game")), "{text}");
            assert!(text.ends_with("byte 0: 0xff is not a code of this version"), "{text}");
        }
    }
}

#[test]
fn answers_have_columns_and_json() -> Outcome {
    let (_folder, archive) = three();
    let sql = Sql::new(&archive, &SqlOptions::default())?;
    wait(async {
        let mut answer =
            sql.query("SELECT id, white, moves, other_tags FROM games WHERE id = 2").await?;
        let columns: Vec<_> =
            answer.columns().iter().map(|column| (&*column.name, column.numeric)).collect();
        assert_eq!(
            columns,
            [("id", true), ("white", false), ("moves", false), ("other_tags", false)]
        );
        let mut json = String::new();
        while let Some(batch) = answer.try_next().await? {
            json.push_str(&batch.json_lines()?);
        }
        assert!(json.starts_with("{\"id\":2,\"white\":null,\"moves\":\""), "{json}");
        assert!(json.ends_with("\",\"other_tags\":[]}\n"), "{json}");
        Ok(())
    })
}

/// A column of `USING` is one column in every part of a query.
#[test]
fn columns_of_using_are_one() {
    let (_folder, archive) = three();
    let all = ask(&archive, "SELECT count(*) FROM halfmoves WHERE id = 2").expect("rows");
    for query in [
        "SELECT count(*) FROM halfmoves JOIN games USING (id) WHERE id = 2",
        "SELECT count(*) FROM halfmoves h LEFT JOIN games g USING (id) WHERE ID = 2 AND id < 3",
        "SELECT count(*) FROM halfmoves h JOIN games g USING (id) JOIN games o USING (id) WHERE id = 2",
        "SELECT count(*) FROM halfmoves h JOIN games g USING (id) WHERE id IN (SELECT id FROM games WHERE id = 2)",
        "SELECT n FROM (SELECT id, count(*) AS n FROM halfmoves h JOIN games g USING (id) WHERE id > 1 GROUP BY id) AS x \
         JOIN games USING (id) WHERE id = 2",
        "SELECT count(*) FROM games RIGHT JOIN halfmoves h USING (id) WHERE h.id = 2",
    ] {
        let rows = ask(&archive, query).unwrap_or_else(|error| panic!("{query}: {error}"));
        assert_eq!(rows, all, "{query}");
    }
}
