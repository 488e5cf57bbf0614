//! SQL that would write, or read something else than the archive.

use std::fs;
use std::path::Path;

use halfmove_archive::ArchiveError;

use crate::Outcome;
use crate::sql::{ask, three};

/// What is in a folder and below it, with the bytes of all files.
fn everything_in(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let bytes = if path.is_dir() {
                folders.push(path.clone());
                Vec::new()
            } else {
                fs::read(&path).expect("a file")
            };
            found.push((path.display().to_string(), bytes));
        }
    }
    found.sort();
    found
}

#[test]
fn nothing_is_written_and_nothing_else_is_read() {
    let (folder, archive) = three();
    let out = folder.path().join("out");
    let data = archive_file(&folder.path().join("games"));
    let before = everything_in(folder.path());
    let (out, data) = (out.display(), data.display());
    for (query, wanted) in [
        (
            format!("CREATE EXTERNAL TABLE x STORED AS PARQUET LOCATION '{data}'"),
            "only SELECT queries",
        ),
        (format!("CREATE EXTERNAL TABLE x STORED AS CSV LOCATION '{out}'"), "only SELECT queries"),
        (format!("COPY games TO '{out}/x.parquet'"), "only SELECT queries"),
        (format!("COPY (SELECT 1) TO '{out}.csv'"), "only SELECT queries"),
        (format!("EXPLAIN COPY games TO '{out}/x.parquet'"), "only SELECT queries"),
        (format!("EXPLAIN ANALYZE COPY games TO '{out}/x.parquet'"), "only SELECT queries"),
        ("PREPARE p AS SELECT 1".to_owned(), "only SELECT queries"),
        ("EXECUTE p".to_owned(), "only SELECT queries"),
        ("DEALLOCATE p".to_owned(), "only SELECT queries"),
        ("INSERT INTO games SELECT * FROM games".to_owned(), "only SELECT queries"),
        ("INSERT INTO games (id) VALUES (9)".to_owned(), "only SELECT queries"),
        ("UPDATE games SET white = 'x'".to_owned(), "only SELECT queries"),
        ("DELETE FROM games WHERE id = 1".to_owned(), "only SELECT queries"),
        ("TRUNCATE TABLE games".to_owned(), "only SELECT queries"),
        ("DROP TABLE games".to_owned(), "only SELECT queries"),
        ("DROP VIEW games".to_owned(), "only SELECT queries"),
        ("CREATE VIEW v AS SELECT 1".to_owned(), "only SELECT queries"),
        ("CREATE TABLE t AS SELECT 1".to_owned(), "only SELECT queries"),
        ("CREATE TABLE t (a INT)".to_owned(), "only SELECT queries"),
        ("CREATE SCHEMA s".to_owned(), "only SELECT queries"),
        ("CREATE DATABASE d".to_owned(), "only SELECT queries"),
        ("CREATE FUNCTION f(INT) RETURNS INT RETURN $1".to_owned(), "only SELECT queries"),
        ("DROP FUNCTION plies".to_owned(), "only SELECT queries"),
        ("SELECT 1 INTO t".to_owned(), "only SELECT queries"),
        ("SET datafusion.execution.batch_size = 1".to_owned(), "only SELECT queries"),
        ("RESET datafusion.execution.batch_size".to_owned(), "only SELECT queries"),
        ("BEGIN".to_owned(), "only SELECT queries"),
        ("COMMIT".to_owned(), "only SELECT queries"),
        (format!("SELECT * FROM '{data}'"), "there is no table"),
        (format!("SELECT * FROM read_parquet('{data}')"), "read_parquet"),
        (format!("SELECT * FROM parquet_scan('{data}')"), "parquet_scan"),
        ("SELECT * FROM datafusion.secret.games".to_owned(), "secret"),
        ("SELECT 1; SELECT 2".to_owned(), "several statements, expected one"),
        ("SELECT 1; DROP TABLE games".to_owned(), "several statements, expected one"),
        (String::new(), "no query, expected one"),
        (" \n\t ".to_owned(), "no query, expected one"),
        (";".to_owned(), "no query, expected one"),
        ("-- only a comment".to_owned(), "no query, expected one"),
        ("/* only a comment */".to_owned(), "no query, expected one"),
    ] {
        match ask(&archive, &query) {
            Err(ArchiveError::Query(text)) => assert!(text.contains(wanted), "{query}: {text}"),
            other => panic!("{query}: {other:?}"),
        }
        assert_eq!(everything_in(folder.path()), before, "{query}");
    }
}

/// The only data file of an archive.
fn archive_file(archive: &Path) -> std::path::PathBuf {
    let entries = fs::read_dir(archive).expect("a folder").map(|entry| entry.expect("a file"));
    let mut files = entries.map(|entry| entry.path());
    files.find(|path| path.extension().is_some_and(|end| end == "parquet")).expect("a data file")
}

/// What tells about the archive is answered.
#[test]
fn descriptions() -> Outcome {
    let (_folder, archive) = three();
    let tables = ask(&archive, "SHOW TABLES")?;
    assert!(tables.iter().any(|row| row.contains(&"games".to_owned())), "{tables:?}");
    let columns = ask(&archive, "DESCRIBE games")?;
    assert_eq!(columns[0][0], "id", "{columns:?}");
    assert_eq!(columns.len(), halfmove_archive::schema::COLUMNS.len());
    let columns = ask(
        &archive,
        "SELECT column_name FROM information_schema.columns WHERE table_name = 'games' LIMIT 1",
    )?;
    assert_eq!(columns, [["id"]]);
    for query in
        ["EXPLAIN SELECT count(*) FROM games", "EXPLAIN ANALYZE SELECT max(plies) FROM games"]
    {
        let plan = ask(&archive, query)?;
        assert!(!plan.is_empty(), "{query}");
    }
    assert_eq!(ask(&archive, "SELECT 1;")?, [["1"]]);
    Ok(())
}
