//! What is no archive is refused, with a reason.

use halfmove_archive::{Archive, ArchiveError};

use crate::{Outcome, archive, game, without_checksum};

#[test]
fn what_is_no_archive_is_refused() -> Outcome {
    let folder = tempfile::tempdir()?;
    let why = |path: &std::path::Path| match Archive::open(path) {
        Err(ArchiveError::NotAnArchive { why, .. }) => why,
        other => panic!("{other:?}"),
    };
    assert_eq!(why(&folder.path().join("missing")), "there is no such folder");
    assert_eq!(why(folder.path()), "the folder is empty");
    let file = folder.path().join("games.pgn");
    std::fs::write(&file, "[Event \"?\"]\n\n*\n")?;
    assert_eq!(why(&file), "it is a file; an archive is a folder");
    assert_eq!(why(folder.path()), "the folder holds other files and no table (no _delta_log)");
    let occupied = folder.path().to_path_buf();
    for create in [Archive::create, Archive::open_or_create] {
        let refused = create(&occupied).expect_err("the folder is not empty");
        assert!(matches!(refused, ArchiveError::CannotCreate { .. }), "{refused}");
        let refused = create(&file).expect_err("there is a file");
        assert!(matches!(refused, ArchiveError::CannotCreate { .. }), "{refused}");
    }
    assert_eq!(std::fs::read_dir(folder.path())?.count(), 1, "nothing was left behind");
    Ok(())
}

#[test]
fn a_folder_of_foreign_parquet_is_refused() -> Outcome {
    let (folder, _archive) = archive(&[(game(&halfmove_rules::Chess::default(), "e4"), None)]);
    let foreign = folder.path().join("foreign");
    std::fs::create_dir(&foreign)?;
    for entry in std::fs::read_dir(folder.path().join("games"))? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().ends_with(".parquet") {
            std::fs::copy(entry.path(), foreign.join(entry.file_name()))?;
        }
    }
    assert_eq!(std::fs::read_dir(&foreign)?.count(), 1);
    let refused = Archive::open(&foreign).expect_err("there is no log");
    assert!(
        refused.to_string().ends_with("the folder holds other files and no table (no _delta_log)")
    );
    Ok(())
}

/// Replaces a text in the first entry of the log.
fn tamper(path: &std::path::Path, from: &str, to: &str) -> Outcome {
    let entry = path.join("_delta_log/00000000000000000000.json");
    let text = std::fs::read_to_string(&entry)?;
    assert!(text.contains(from), "{text}");
    let text = if text.contains("checksum") { without_checksum(&text) } else { text };
    Ok(std::fs::write(&entry, text.replace(from, to))?)
}

#[test]
fn other_formats_and_other_tables_are_refused() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("games");
    Archive::create(&path)?;
    tamper(&path, "\"halfmove.format\":\"1\"", "\"halfmove.format\":\"7\"")?;
    for open in [Archive::open, Archive::open_or_create] {
        match open(&path) {
            Err(ArchiveError::Format { found, known, .. }) => {
                assert_eq!((&*found, known), ("7", "1"))
            }
            other => panic!("{other:?}"),
        }
    }
    tamper(&path, "halfmove.format", "something.else")?;
    let refused = Archive::open(&path).expect_err("it is a table of something else");
    assert!(refused.to_string().contains("a Delta table of something else"), "{refused}");
    tamper(&path, "metaData", "meta")?;
    let refused = Archive::open(&path).expect_err("its log is damaged");
    assert!(matches!(&refused, ArchiveError::Delta(_)), "{refused:?}");
    assert!(refused.to_string().contains("No table metadata"), "{refused}");
    Ok(())
}

/// What this library cannot read is an archive nevertheless.
#[test]
fn features_of_other_programs_are_told() -> Outcome {
    let (_folder, archive) = archive(&[(game(&halfmove_rules::Chess::default(), "e4"), None)]);
    let entry = archive.path().join("_delta_log/00000000000000000002.json");
    let text = concat!(
        r#"{"commitInfo":{"timestamp":1700000000000,"operation":"UPGRADE PROTOCOL"}}"#,
        "\n",
        r#"{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["telepathy"],"writerFeatures":["telepathy"]}}"#,
        "\n",
    );
    std::fs::write(entry, text)?;
    let errors = [
        Archive::open(archive.path()).err(),
        Archive::open_or_create(archive.path()).err(),
        archive.refresh().err(),
        halfmove_archive::Importer::open(archive.path()).err(),
    ];
    for error in errors {
        assert!(
            matches!(&error, Some(ArchiveError::Unsupported(what)) if what.contains("telepathy")),
            "{error:?}"
        );
    }
    Ok(())
}

/// What may be used is said when an archive is made, as when it is opened.
#[test]
fn archives_are_made_with_options() -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut options = halfmove_archive::ArchiveOptions::default();
    options.query_bytes = 1 << 20;
    let query = "SELECT max(v) FROM (SELECT value AS v FROM generate_series(1, 1000000) \
        ORDER BY v % 1000, v LIMIT 900000)";
    let (made, opened) = (folder.path().join("made"), folder.path().join("opened"));
    for archive in [
        Archive::create_with(&made, &options)?,
        Archive::open_or_create_with(&made, &options)?,
        Archive::open_or_create_with(&opened, &options)?,
    ] {
        let answer = crate::sql::ask(&archive, query);
        assert!(matches!(answer, Err(ArchiveError::Limit(_))), "{answer:?}");
    }
    assert!(crate::sql::ask(&Archive::open(&made)?, query).is_ok());
    Ok(())
}

#[test]
fn an_archive_is_made_once() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("deep/er/games");
    let made = Archive::create(&path)?;
    assert_eq!((made.version(), made.len(), made.is_empty()), (0, 0, true));
    assert!(matches!(Archive::create(&path), Err(ArchiveError::CannotCreate { .. })));
    assert_eq!(Archive::open_or_create(&path)?.version(), 0);
    Ok(())
}

#[test]
fn many_may_make_the_same_archive_at_once() -> Outcome {
    for _ in 0..8 {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("games");
        let makers: Vec<_> = (0..4)
            .map(|_| {
                let path = path.clone();
                std::thread::spawn(move || {
                    Archive::open_or_create(path).map(|archive| archive.version())
                })
            })
            .collect();
        for maker in makers {
            assert_eq!(maker.join().expect("no panic")?, 0);
        }
    }
    Ok(())
}
