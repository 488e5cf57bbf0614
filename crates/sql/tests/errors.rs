//! Errors keep their kind on the way through the query engine.

use std::fs;
use std::path::PathBuf;

use halfmove_archive::{Archive, ArchiveError};
use halfmove_functions::FunctionError;
use halfmove_rules::Chess;
use halfmove_sql::SqlError;

use crate::support::{archive, ask, error, game, three};

/// The error of the archive that a query failed with.
fn of_archive(error: &SqlError) -> &ArchiveError {
    match error {
        SqlError::Archive(error) => error,
        other => panic!("{other:?}"),
    }
}

/// The data file of an archive that has one.
fn data_file(archive: &Archive) -> PathBuf {
    let entries = fs::read_dir(archive.path()).expect("a folder");
    let mut files = entries.map(|entry| entry.expect("an entry").path());
    files.find(|path| path.extension().is_some_and(|end| end == "parquet")).expect("a data file")
}

/// The errors of several queries, each in a fresh snapshot.
fn errors(archive: &Archive) -> Vec<(&'static str, SqlError)> {
    let queries = [
        "SELECT max(plies) FROM games",
        "SELECT id FROM games WHERE white = 'Tal'",
        "SELECT san(moves) FROM games",
        "SELECT count(*) FROM games WHERE shows(moves, 'material:KvK')",
    ];
    let open = || Archive::open(archive.path()).expect("an archive");
    queries.map(|query| (query, error(&open(), query))).into()
}

#[test]
fn files_that_are_missing_or_too_short_are_damage() {
    let (_folder, archive) = three();
    let file = data_file(&archive);
    let bytes = fs::read(&file).expect("a file");
    fs::write(&file, &bytes[..bytes.len() / 2]).expect("written");
    for (name, error) in errors(&archive) {
        assert!(
            matches!(of_archive(&error), ArchiveError::Damaged(what) if what.contains("bytes")),
            "{name}: {error:?}"
        );
    }
    fs::remove_file(&file).expect("removed");
    for (name, error) in errors(&archive) {
        assert!(
            matches!(of_archive(&error), ArchiveError::Damaged(what) if what.contains("the file is missing")),
            "{name}: {error:?}"
        );
    }
}

/// A link to itself: the system refuses to open it, like a file without permission.
#[cfg(unix)]
#[test]
fn errors_of_the_system_are_kept() {
    let (_folder, archive) = three();
    let file = data_file(&archive);
    fs::remove_file(&file).expect("removed");
    std::os::unix::fs::symlink(&file, &file).expect("a link");
    for (name, error) in errors(&archive) {
        let ArchiveError::Io { path, source } = of_archive(&error) else {
            panic!("{name}: {error:?}")
        };
        assert_eq!(path, &file, "{name}");
        assert_eq!(source.raw_os_error(), fs::read(&file).expect_err("a loop").raw_os_error());
    }
}

/// Mistakes in a query have the same error if the engine evaluates a condition while it reads a file.
#[test]
fn mistakes_in_conditions() {
    let mut named = game(&Chess::default(), "e4 e5");
    named.tags.push("White", "Tal");
    let (_folder, archive) = archive(&[named]);
    for (query, expected) in [
        ("SELECT 1 / (plies - 2) FROM games", "division by zero"),
        ("SELECT id FROM games WHERE 1 / (plies - 2) > 0", "division by zero"),
        ("SELECT cast(white AS INT) FROM games", "Cannot cast string 'Tal'"),
        ("SELECT id FROM games WHERE cast(white AS INT) > 0", "Cannot cast string 'Tal'"),
        ("SELECT id FROM games WHERE white ~ '('", "regex"),
        ("SELECT id FROM games WHERE white ~ concat(white, '(')", "regex"),
    ] {
        let error = error(&archive, query);
        assert!(matches!(error, SqlError::Execution(_) | SqlError::Planning(_)), "{error:?}");
        assert!(error.to_string().contains(expected), "{query}: {error}");
    }
    for (query, expected) in [
        ("SELECT reaches(moves, concat('x', 'y')) FROM games", "xy"),
        ("SELECT id FROM games WHERE reaches(moves, concat('x', 'y'))", "xy"),
        ("SELECT id FROM games WHERE reaches(moves, white)", "Tal"),
        ("SELECT ply_of(moves, white) FROM games", "Tal"),
        ("SELECT id FROM games WHERE ply_of(moves, white) > 0", "Tal"),
        ("SELECT explore(moves, result, white) FROM games", "Tal"),
    ] {
        match error(&archive, query) {
            SqlError::Function(error) => match &*error {
                FunctionError::Fen { fen, .. } => assert_eq!(fen, expected, "{query}"),
                other => panic!("{query}: {other:?}"),
            },
            other => panic!("{query}: {other:?}"),
        }
    }
}

/// A subquery that depends on the row outside it by a function, and the same as a join, in which the position is not a
/// literal either.
#[test]
fn subqueries_that_depend_on_a_position() {
    let (_folder, archive) = three();
    const POSITIONS: &str = "(VALUES \
        ('open', 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'), \
        ('closed', 'rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2')) AS p (name, fen)";
    for query in [
        format!(
            "SELECT name, (SELECT count(*) FROM games g WHERE reaches(g.moves, p.fen)) FROM {POSITIONS}"
        ),
        format!(
            "SELECT name, (SELECT min(g.white) FROM games g WHERE reaches(g.moves, p.fen)) FROM {POSITIONS}"
        ),
    ] {
        assert!(matches!(error(&archive, &query), SqlError::Correlated), "{query}");
    }
    for (query, expected) in [
        (
            format!(
                "SELECT name, count(g.id) FROM {POSITIONS} LEFT JOIN games g ON reaches(g.moves, p.fen) GROUP BY name ORDER BY name"
            ),
            vec![vec!["closed", "0"], vec!["open", "1"]],
        ),
        (
            format!(
                "SELECT id FROM games g WHERE EXISTS (SELECT 1 FROM {POSITIONS} WHERE reaches(g.moves, p.fen))"
            ),
            vec![vec!["1"]],
        ),
    ] {
        let rows = ask(&archive, &query).unwrap_or_else(|error| panic!("{query}: {error}"));
        assert_eq!(rows, expected, "{query}");
    }
}

/// The engine would compare with days since 1970.
#[test]
fn numbers_are_not_dates() {
    let (_folder, archive) = three();
    for (query, found) in [
        ("SELECT id FROM games WHERE date > 2020", "2020"),
        ("SELECT id FROM games WHERE 1990 <= date", "1990"),
        ("SELECT id FROM games WHERE date BETWEEN 1990 AND 2000", "1990"),
        ("SELECT id FROM games WHERE date IN (1990, 2000)", "1990"),
        ("SELECT id FROM games WHERE date = year", "games.year"),
        ("SELECT max(date) > 1990 FROM games", "1990"),
    ] {
        let error = error(&archive, query);
        assert!(
            matches!(&error, SqlError::NumberAsDate { number } if number == found),
            "{query}: {error:?}"
        );
    }
    let rows = ask(&archive, "SELECT count(*) FROM games WHERE date > '1800-01-01' OR year > 1800");
    assert!(rows.is_ok(), "{rows:?}");
}

/// Rows without a value are not what a list should begin with.
#[test]
fn missing_values_come_last() {
    let (_folder, archive) = three();
    for order in ["", " DESC"] {
        let query = format!(
            "SELECT n FROM (VALUES (1), (CAST(NULL AS int)), (2)) AS v (n) ORDER BY n{order}"
        );
        let rows = ask(&archive, &query).expect("rows");
        assert_eq!(rows.last(), Some(&vec!["null".to_owned()]), "{rows:?}");
    }
}
