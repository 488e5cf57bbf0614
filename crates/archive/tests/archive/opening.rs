//! Paths that are not archives are rejected, with a reason.

use halfmove_archive::{Archive, ArchiveError, Filter, Importer};

use crate::{Outcome, archive, exported, game, without_checksum};

#[test]
fn paths_that_are_not_archives_are_rejected() -> Outcome {
    let folder = tempfile::tempdir()?;
    let why = |path: &std::path::Path| match Archive::open(path) {
        Err(ArchiveError::NotAnArchive { why, .. }) => why,
        other => panic!("{other:?}"),
    };
    assert_eq!(why(&folder.path().join("missing")), "the folder does not exist");
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
    assert!(refused.to_string().contains("a Delta table of another program"), "{refused}");
    tamper(&path, "metaData", "meta")?;
    let refused = Archive::open(&path).expect_err("its log is damaged");
    assert!(matches!(&refused, ArchiveError::Damaged(_)), "{refused:?}");
    assert!(refused.to_string().contains("No table metadata"), "{refused}");
    Ok(())
}

/// An archive that this library cannot read is still an archive.
#[test]
fn unsupported_features_are_named() -> Outcome {
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

/// Options apply when an archive is created, as when it is opened.
#[test]
fn archives_are_made_with_options() -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut options = halfmove_archive::ArchiveOptions::default();
    // Then no row group stays in memory, and each game is a block.
    (options.cache_bytes, options.block_bytes) = (0, 1);
    let (made, opened) = (folder.path().join("made"), folder.path().join("opened"));
    for archive in [
        Archive::create_with(&made, &options)?,
        Archive::open_or_create_with(&made, &options)?,
        Archive::open_or_create_with(&opened, &options)?,
    ] {
        crate::import(&archive, &[(game(&halfmove_rules::Chess::default(), "e4"), None)]);
        let archive = archive.refresh()?;
        let filter = Filter::position(halfmove_rules::Chess::default());
        assert_eq!(archive.search(&filter, 9)?.count, archive.len());
        assert_eq!(exported(&archive, &filter)?.len() as u64, archive.len());
    }
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

/// A log that cannot be read is damage, no matter which program wrote it: an archive is never created there.
#[test]
fn a_log_that_cannot_be_read_is_damage() -> Outcome {
    let (_folder, archive) = archive(&[(game(&halfmove_rules::Chess::default(), "e4"), None)]);
    let log = archive.path().join("_delta_log");
    for (name, text, why) in [
        (
            "00000000000000000002.json",
            "{\"add\":{\"path\":\"x.parquet\"",
            "line 1 is no JSON object",
        ),
        ("00000000000000000002.json", "{}\n[1]\n", "line 2 is no JSON object"),
        ("00000000000000000002.json", "{\"add\":5}", "its log cannot be read"),
        (
            "_last_checkpoint",
            "{\"version\":99999,\"size\":5}",
            "the checkpoint of version 99999, which is missing",
        ),
        ("_last_checkpoint", "{\"version\":\"x\"}", "it names no checkpoint"),
        ("_last_checkpoint", "garbage", "line 1 is no JSON object"),
    ] {
        std::fs::write(log.join(name), text)?;
        match Archive::open(archive.path()) {
            Err(ArchiveError::Damaged(what)) => assert!(what.contains(why), "{text}: {what}"),
            other => panic!("{text}: {other:?}"),
        }
        // An archive that is open reads only the newer entries.
        match archive.refresh() {
            Err(ArchiveError::Damaged(_)) => {}
            Ok(_) if name == "_last_checkpoint" => {}
            other => panic!("{text}: {other:?}"),
        }
        std::fs::remove_file(log.join(name))?;
    }
    assert_eq!(Archive::open(archive.path())?.len(), 1);
    Ok(())
}

/// The engines would look for some folders elsewhere, so nothing is created then.
#[cfg(unix)]
#[test]
fn names_that_cannot_be_used_leave_nothing_behind() -> Outcome {
    use std::os::unix::ffi::OsStrExt;

    let folder = tempfile::tempdir()?;
    for name in [&b"bad\xffname"[..], b"new\nline", b"a%20b", b"deep\xff/er/games"] {
        let path = folder.path().join(std::ffi::OsStr::from_bytes(name));
        let import = |path: std::path::PathBuf| Importer::open(path).map(drop);
        let create = |path: std::path::PathBuf| Archive::create(path).map(drop);
        let makers: [&dyn Fn(std::path::PathBuf) -> Result<(), ArchiveError>; 2] =
            [&import, &create];
        for make in makers {
            match make(path.clone()) {
                Err(ArchiveError::CannotCreate { why, .. }) => {
                    assert!(why.contains("the path has"), "{why}")
                }
                other => panic!("{name:?}: {other:?}"),
            }
        }
        assert_eq!(std::fs::read_dir(folder.path())?.count(), 0, "{name:?}");
    }
    Ok(())
}

#[test]
fn urls_of_files_are_folders() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().canonicalize()?.join("my games");
    let url = url::Url::from_directory_path(&path).expect("a full path").to_string();
    assert!(url.contains("my%20games"), "{url}");
    assert!(matches!(Archive::open(&url), Err(ArchiveError::NotAnArchive { .. })));
    let mut importer = Importer::open(&url)?;
    importer.read_pgn([Ok("1. e4 e5 *".as_bytes())], &mut ())?;
    importer.commit()?;
    assert_eq!(Archive::open(&url)?.len(), 1);
    assert_eq!(Archive::open(&url)?.path(), path);
    assert!(matches!(Archive::create(&url), Err(ArchiveError::CannotCreate { .. })));
    assert_eq!(Archive::open_or_create(&url)?.path(), path);
    Ok(())
}

/// Folders that are named like a part of a URL.
#[cfg(unix)]
#[test]
fn odd_names_of_folders() -> Outcome {
    let folder = tempfile::tempdir()?;
    for name in ["s3:", "s3:/bucket", "C:", "a://b"] {
        let path: std::path::PathBuf = folder.path().join(name);
        Archive::create(&path)?;
        assert_eq!(Archive::open(&path)?.path(), path.canonicalize()?);
        std::fs::remove_dir_all(&path)?;
    }
    Ok(())
}

#[test]
fn urls_that_are_not_opened() {
    let error = |url: &str| match Archive::open(url) {
        Err(error @ ArchiveError::Url { .. }) => error.to_string(),
        other => panic!("{url}: {other:?}"),
    };
    assert!(error("ftp://a/b").contains("its scheme is unknown, expected one of file, s3"));
    assert!(error("memory:///club").contains("its scheme is unknown"));
    assert!(error("file://elsewhere/club").contains("expected file:///"));
    #[cfg(not(feature = "object-store"))]
    for url in ["s3://bucket/club", "gs://bucket/club", "az://container/club", "https://a.org/club"]
    {
        assert!(error(url).contains("feature object-store, or copy the archive to a folder"));
    }
}
