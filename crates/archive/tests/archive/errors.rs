//! Errors of files keep their kind on the way through the libraries that read them.

use std::fs;
use std::path::PathBuf;

use halfmove_archive::scan::Scan;
use halfmove_archive::{Archive, ArchiveError, Filter};
use halfmove_rules::Chess;

use crate::{archive, game};

/// An archive of a game.
fn one() -> (tempfile::TempDir, Archive) {
    archive(&[(game(&Chess::default(), "e4 e5 Nf3"), None)])
}

/// The data file of an archive that has one.
fn data_file(archive: &Archive) -> PathBuf {
    let entries = fs::read_dir(archive.path()).expect("a folder");
    let mut files = entries.map(|entry| entry.expect("an entry").path());
    files.find(|path| path.extension().is_some_and(|end| end == "parquet")).expect("a data file")
}

/// The errors of several ways to read an archive, each in a fresh snapshot.
fn errors_of(archive: &Archive) -> Vec<(&'static str, ArchiveError)> {
    let open = || Archive::open(archive.path()).expect("an archive");
    let all = Filter::default();
    let start = Filter::position(Chess::default());
    let player = Filter { player: Some("Tal".to_owned()), ..Filter::default() };
    let errors = [
        ("scan", Scan::of(&open()).find(&[]).map(drop)),
        ("pages", Scan::of(&open()).open(0).map(drop)),
        ("games", open().games(&all).and_then(|mut games| games.next().transpose()).map(drop)),
        ("texts", open().pgn(&all).and_then(|mut texts| texts.next().transpose()).map(drop)),
        ("search for a position", open().search(&start, 9).map(drop)),
        ("search for a player", open().search(&player, 9).map(drop)),
        ("explore", open().explore(&Filter::default(), Chess::default()).map(drop)),
        ("info", open().info().map(drop)),
        ("game", open().game(1).map(drop)),
    ];
    errors.into_iter().map(|(name, result)| (name, result.expect_err(name))).collect()
}

#[test]
fn files_that_are_missing_or_too_short_are_damage() {
    let (_folder, archive) = one();
    let file = data_file(&archive);
    let bytes = fs::read(&file).expect("a file");
    fs::write(&file, &bytes[..bytes.len() / 2]).expect("written");
    for (name, error) in errors_of(&archive) {
        assert!(
            matches!(&error, ArchiveError::Damaged(what) if what.contains("bytes")),
            "{name}: {error:?}"
        );
    }
    fs::remove_file(&file).expect("removed");
    for (name, error) in errors_of(&archive) {
        assert!(
            matches!(&error, ArchiveError::Damaged(what) if what.contains("the file is missing")),
            "{name}: {error:?}"
        );
    }
}

/// A link to itself: the system refuses to open it, like a file without permission.
#[cfg(unix)]
#[test]
fn errors_of_the_system_are_kept() {
    let (_folder, archive) = one();
    let file = data_file(&archive);
    fs::remove_file(&file).expect("removed");
    std::os::unix::fs::symlink(&file, &file).expect("a link");
    for (name, error) in errors_of(&archive) {
        let ArchiveError::Io { path, source } = &error else { panic!("{name}: {error:?}") };
        assert_eq!(path, &file, "{name}");
        assert_eq!(source.raw_os_error(), fs::read(&file).expect_err("a loop").raw_os_error());
    }
}
