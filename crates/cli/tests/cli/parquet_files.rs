//! Parquet files with the columns of Lichess's data set, recognized by their content.

use crate::program::{archive_of, ok, run};
use std::fs;

/// Games with the columns of the data set, and its types, from an archive.
const ROWS: &str = "select tag('Event') as \"Event\", tag('Site') as \"Site\", white as \"White\", black as \"Black\", \
    result as \"Result\", white_elo as \"WhiteElo\", black_elo as \"BlackElo\", date as \"UTCDate\", san(moves) || ' ' || result as movetext from games order by id";

#[test]
fn rows_are_imported_as_their_games() {
    let (folder, club) = archive_of(&["games/lichess.pgn.zst"]);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // The content decides, not the name.
    let [rows, file, copy, pgn] = ["rows.parquet", "rows.dat", "copy", "one.pgn"].map(path);
    ok(&["sql", &club, ROWS, "--output", &rows]);
    fs::rename(&rows, &file).unwrap();
    fs::write(&pgn, "[White \"Adam\"]\n\n1. d4 d5 *\n").unwrap();
    let report = ok(&["import", &copy, &pgn, &file]);
    let games = "select white, black, result, white_elo, san(moves) as moves from games";
    let rows_of = |archive: &str, more: &str| {
        ok(&["sql", archive, &format!("{games} {more} order by id"), "--format", "json"])
    };
    assert_eq!(rows_of(&copy, "where white <> 'Adam'"), rows_of(&club, ""));
    let count = ok(&["search", &club, "--count"]);
    let count: u64 = count.trim().replace(',', "").parse().unwrap();
    assert!(report.contains("from 2 files"), "{report}");
    let sources = "select source, count(*) from games group by 1 order by 2";
    let found = ok(&["sql", &copy, sources, "--format", "csv"]);
    assert!(found.ends_with(&format!("one.pgn,1\nrows.dat,{count}\n")), "{found}");
    // It is known under another name, and conditions choose.
    let again = path("again.parquet");
    fs::copy(&file, &again).unwrap();
    let output = run(&["import", &copy, &again]);
    assert!(output.err.contains("imported before, as rows.dat"), "{output:?}");
    let best = path("best");
    ok(&["import", &best, &file, "--min-elo", "2000", "--duplicates", "keep"]);
    assert_eq!(
        ok(&["search", &best, "--count"]),
        ok(&["search", &club, "--count", "--min-elo", "2000"])
    );
}

#[test]
fn faults_and_other_tables() {
    let (folder, club) = archive_of(&["games/lichess.pgn.zst"]);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [file, copy] = ["rows.parquet", "copy"].map(path);
    let write = |columns: &str| {
        ok(&[
            "sql",
            &club,
            &format!("select {columns} from games where id < 3 order by id"),
            "--force",
            "--output",
            &file,
        ]);
    };
    write(
        "'A' as \"White\", case id when 1 then '1. e4 e5 2. Ke3 Nc6 *' else '1. d4 *' end as movetext",
    );
    let output = run(&["import", &copy, &file]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.out.starts_with("2 games with 3 half-moves from 1 file"), "{output:?}");
    let fault = format!("{file}: row 1: move 2: illegal move \"Ke3\"");
    assert!(output.err.contains(&fault), "{output:?}");
    assert!(output.err.contains("1 game with a fault (column fault)"), "{output:?}");
    let strict = run(&["import", &path("strict"), &file, "--strict"]);
    assert_eq!(strict.code, 2);
    assert!(strict.err.contains(&fault) && !folder.path().join("strict").exists(), "{strict:?}");

    for (columns, error) in [
        ("id, white", "no column movetext, expected the columns of Lichess/standard-chess-games"),
        ("id as movetext", "the column movetext is Int64, expected texts"),
        ("case id when 1 then '1. e4 *' end as movetext", "row 2: movetext is null"),
    ] {
        write(columns);
        let output = run(&["import", &path("none"), &file]);
        assert_eq!(output.code, 2, "{output:?}");
        assert!(output.err.contains(error), "{output:?}");
        assert!(!folder.path().join("none").exists());
    }
    fs::write(&file, "PAR1 and nothing else").unwrap();
    let output = run(&["import", &path("none"), &file]);
    assert!(output.code == 2 && output.err.contains(&file), "{output:?}");
    // Other verbs read PGN.
    let output = run(&["pgn", "check", &file]);
    assert!(output.err.contains("is a Parquet file, expected PGN"), "{output:?}");
    let output = run(&["import", &path("none"), folder.path().to_str().unwrap()]);
    assert!(output.err.contains("Parquet files are named one by one"), "{output:?}");
}
