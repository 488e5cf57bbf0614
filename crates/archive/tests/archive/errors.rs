//! Errors keep their kind on the way through the query engine.

use std::fs;
use std::path::PathBuf;

use halfmove_archive::{Archive, ArchiveError, Filter};
use halfmove_rules::Chess;

use crate::sql::{ask, three};
use crate::{archive, game, wait};

/// The data file of an archive that has one.
fn data_file(archive: &Archive) -> PathBuf {
    let entries = fs::read_dir(archive.path()).expect("a folder");
    let mut files = entries.map(|entry| entry.expect("an entry").path());
    files.find(|path| path.extension().is_some_and(|end| end == "parquet")).expect("a data file")
}

/// What several ways to read an archive say, each in a fresh snapshot.
fn told(archive: &Archive) -> Vec<(&'static str, ArchiveError)> {
    let open = || Archive::open(archive.path()).expect("an archive");
    let start = Filter::position(Chess::default());
    let player = Filter { player: Some("Tal".to_owned()), ..Filter::default() };
    let errors = [
        ("sql", ask(&open(), "SELECT max(plies) FROM games").map(drop)),
        (
            "sql with a condition",
            ask(&open(), "SELECT id FROM games WHERE white = 'Tal'").map(drop),
        ),
        ("sql over moves", ask(&open(), "SELECT san(moves) FROM games").map(drop)),
        ("search for a position", wait(open().search(&start, 9)).map(drop)),
        ("search for a player", wait(open().search(&player, 9)).map(drop)),
        ("explore", wait(open().explore(&Filter::default(), Chess::default())).map(drop)),
        ("info", wait(open().info()).map(drop)),
        ("game", wait(open().game(1)).map(drop)),
    ];
    errors.into_iter().map(|(name, told)| (name, told.expect_err(name))).collect()
}

#[test]
fn files_that_are_missing_or_too_short_are_damage() {
    let (_folder, archive) = three();
    let file = data_file(&archive);
    let bytes = fs::read(&file).expect("a file");
    fs::write(&file, &bytes[..bytes.len() / 2]).expect("written");
    for (name, error) in told(&archive) {
        assert!(
            matches!(&error, ArchiveError::Damaged(what) if what.contains("bytes")),
            "{name}: {error:?}"
        );
    }
    fs::remove_file(&file).expect("removed");
    for (name, error) in told(&archive) {
        assert!(
            matches!(&error, ArchiveError::Damaged(what) if what.contains("the file is missing")),
            "{name}: {error:?}"
        );
    }
}

/// A link that leads to itself: the system refuses to open it, like a file for which one has no permission.
#[cfg(unix)]
#[test]
fn what_the_system_says_is_kept() {
    let (_folder, archive) = three();
    let file = data_file(&archive);
    fs::remove_file(&file).expect("removed");
    std::os::unix::fs::symlink(&file, &file).expect("a link");
    for (name, error) in told(&archive) {
        let ArchiveError::Io { path, source } = &error else { panic!("{name}: {error:?}") };
        assert_eq!(path, &file, "{name}");
        assert_eq!(source.raw_os_error(), fs::read(&file).expect_err("a loop").raw_os_error());
    }
}

/// Mistakes in a query are told as such, also where the engine evaluates a condition while it reads a file.
#[test]
fn mistakes_in_conditions() {
    let mut named = game(&Chess::default(), "e4 e5");
    named.tags.push("White", "Tal");
    let (_folder, archive) = archive(&[(named, None)]);
    for (query, wanted) in [
        ("SELECT 1 / (plies - 2) FROM games", "division by zero"),
        ("SELECT id FROM games WHERE 1 / (plies - 2) > 0", "division by zero"),
        ("SELECT cast(white AS INT) FROM games", "Cannot cast string 'Tal'"),
        ("SELECT id FROM games WHERE cast(white AS INT) > 0", "Cannot cast string 'Tal'"),
        ("SELECT id FROM games WHERE white ~ '('", "regex"),
        ("SELECT id FROM games WHERE white ~ concat(white, '(')", "regex"),
    ] {
        match ask(&archive, query) {
            Err(ArchiveError::Query(text)) => assert!(text.contains(wanted), "{query}: {text}"),
            other => panic!("{query}: {other:?}"),
        }
    }
    for (query, wanted) in [
        ("SELECT reaches(moves, concat('x', 'y')) FROM games", "xy"),
        ("SELECT id FROM games WHERE reaches(moves, concat('x', 'y'))", "xy"),
        ("SELECT id FROM games WHERE reaches(moves, white)", "Tal"),
        ("SELECT ply_of(moves, white) FROM games", "Tal"),
        ("SELECT id FROM games WHERE ply_of(moves, white) > 0", "Tal"),
        ("SELECT explore(moves, result, white) FROM games", "Tal"),
    ] {
        match ask(&archive, query) {
            Err(ArchiveError::Fen { fen, .. }) => assert_eq!(fen, wanted, "{query}"),
            other => panic!("{query}: {other:?}"),
        }
    }
}
