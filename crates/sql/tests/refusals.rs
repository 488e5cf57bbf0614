//! SQL that would write, or read anything but the archive.

use std::fs;
use std::path::Path;

use halfmove_sql::SqlError;

use crate::support::{Outcome, ask, error, three};

/// The contents of a folder and its subfolders, with the bytes of all files.
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
    let reads_only = |error: &SqlError| matches!(error, SqlError::ReadOnly { .. });
    for query in [
        format!("CREATE EXTERNAL TABLE x STORED AS PARQUET LOCATION '{data}'"),
        format!("CREATE EXTERNAL TABLE x STORED AS CSV LOCATION '{out}'"),
        format!("COPY games TO '{out}/x.parquet'"),
        format!("COPY (SELECT 1) TO '{out}.csv'"),
        format!("EXPLAIN COPY games TO '{out}/x.parquet'"),
        format!("EXPLAIN ANALYZE COPY games TO '{out}/x.parquet'"),
        "PREPARE p AS SELECT 1".to_owned(),
        "EXECUTE p".to_owned(),
        "DEALLOCATE p".to_owned(),
        "INSERT INTO games SELECT * FROM games".to_owned(),
        "INSERT INTO games (id) VALUES (9)".to_owned(),
        "WITH a AS (SELECT 1) INSERT INTO games SELECT * FROM games".to_owned(),
        "UPDATE games SET white = 'x'".to_owned(),
        "DELETE FROM games WHERE id = 1".to_owned(),
        "TRUNCATE TABLE games".to_owned(),
        "DROP TABLE games".to_owned(),
        "DROP VIEW games".to_owned(),
        "CREATE VIEW v AS SELECT 1".to_owned(),
        "CREATE TABLE t AS SELECT 1".to_owned(),
        "CREATE TABLE t (a INT)".to_owned(),
        "CREATE SCHEMA s".to_owned(),
        "CREATE DATABASE d".to_owned(),
        "CREATE FUNCTION f(INT) RETURNS INT RETURN $1".to_owned(),
        "DROP FUNCTION plies".to_owned(),
        "SELECT 1 INTO t".to_owned(),
        "SET datafusion.execution.batch_size = 1".to_owned(),
        "RESET datafusion.execution.batch_size".to_owned(),
        "BEGIN".to_owned(),
        "COMMIT".to_owned(),
    ] {
        let error = error(&archive, &query);
        assert!(reads_only(&error), "{query}: {error:?}");
        assert_eq!(everything_in(folder.path()), before, "{query}");
    }
    for query in [
        format!("SELECT * FROM '{data}'"),
        format!("SELECT * FROM \"{data}\""),
        "SELECT * FROM datafusion.secret.games".to_owned(),
    ] {
        let error = error(&archive, &query);
        assert!(matches!(error, SqlError::UnknownTable { .. }), "{query}: {error:?}");
    }
    for function in ["read_parquet", "parquet_scan"] {
        let error = error(&archive, &format!("SELECT * FROM {function}('{data}')"));
        assert!(error.to_string().contains(function), "{error:?}");
    }
    for (query, count) in [
        ("SELECT 1; SELECT 2", 2),
        ("SELECT 1; DROP TABLE games", 2),
        ("", 0),
        (" \n\t ", 0),
        (";", 0),
        ("-- only a comment", 0),
        ("/* only a comment */", 0),
    ] {
        match error(&archive, query) {
            SqlError::StatementCount { count: found } => assert_eq!(found, count, "{query}"),
            other => panic!("{query}: {other:?}"),
        }
    }
    assert_eq!(everything_in(folder.path()), before);
}

/// The only data file of an archive.
fn archive_file(archive: &Path) -> std::path::PathBuf {
    let entries = fs::read_dir(archive).expect("a folder").map(|entry| entry.expect("a file"));
    let mut files = entries.map(|entry| entry.path());
    files.find(|path| path.extension().is_some_and(|end| end == "parquet")).expect("a data file")
}

/// Statements about the archive are supported.
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
