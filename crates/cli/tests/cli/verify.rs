//! Damage on the disk: `verify` finds it, and no verb returns results from damaged data.

use crate::golden::{check, json};
use crate::program::{archive_of, ok, run};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The one data file of an archive.
fn data_file(archive: &str) -> PathBuf {
    let entries = fs::read_dir(archive).unwrap().map(|entry| entry.unwrap().path());
    let mut files = entries.filter(|path| path.extension().is_some_and(|it| it == "parquet"));
    files.next().expect("a data file")
}

#[test]
fn a_sound_archive() {
    let (_folder, archive) = archive_of(&["games/chess960.pgn", "games/setup.pgn"]);
    check("verify.json", &json(&ok(&["verify", &archive, "--format", "json"])));
    let output = run(&["verify", &archive]);
    assert_eq!((output.code, output.err.as_str()), (0, ""));
    assert!(output.out.starts_with("no problems in "), "{output:?}");
    assert!(!output.out.contains("checksums"), "{output:?}");
    assert_eq!(ok(&["verify", &archive, "--format", "csv"]), "file,game,problem\n");
}

#[test]
fn a_damaged_page() {
    let (_folder, archive) = archive_of(&["games/lichess.pgn.zst"]);
    let file = data_file(&archive);
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4].copy_from_slice(b"oops");
    fs::write(&file, bytes).unwrap();
    let name = file.file_name().unwrap().to_str().unwrap();
    let output = run(&["verify", &archive]);
    assert_eq!((output.code, output.err.as_str()), (1, ""));
    assert!(output.out.contains(name) && output.out.contains("a page of column "), "{output:?}");
    let output = run(&["verify", &archive, "--format", "json"]);
    assert_eq!(output.code, 1);
    let found: Value = serde_json::from_str(&output.out).expect("JSON");
    let problems = found["problems"].as_array().expect("a list");
    // The file as a whole, and the page.
    assert_eq!(problems.len(), 2, "{found}");
    assert!(problems.iter().all(|problem| problem["file"] == name && problem["game"].is_null()));
    for verb in [
        &["export", archive.as_str()][..],
        #[cfg(feature = "sql")]
        &["sql", &archive, "select * from games"],
    ] {
        let output = run(verb);
        assert_eq!(output.code, 2, "{output:?}");
        assert!(
            output.err.contains("the archive is damaged: ") && output.err.contains(name),
            "{output:?}"
        );
        assert!(
            output.err.contains("a page of column ") && output.err.lines().count() == 1,
            "{output:?}"
        );
    }
}

#[test]
fn a_damaged_log() {
    let (_folder, archive) = archive_of(&["games/setup.pgn"]);
    let entry = Path::new(&archive).join("_delta_log/00000000000000000001.json");
    let text = fs::read_to_string(&entry).unwrap();
    fs::write(
        &entry,
        text.replacen("\"size\":1", "\"size\":2", 1).replacen("halfmove/", "halfmOve/", 1),
    )
    .unwrap();
    let output = run(&["verify", &archive]);
    assert_eq!((output.code, output.err.as_str()), (1, ""));
    assert!(output.out.contains("_delta_log/00000000000000000001.json"), "{output:?}");
    assert!(output.out.contains("its checksum is"), "{output:?}");
    let output = run(&["verify", &archive, "--format", "json"]);
    assert_eq!(output.code, 1);
    let found: Value = serde_json::from_str(&output.out).expect("JSON");
    assert_eq!(found["problems"][0]["file"], "_delta_log/00000000000000000001.json");
    let output = run(&["info", &archive]);
    assert_eq!(output.code, 2);
    assert!(output.err.contains("the archive is damaged"), "{output:?}");
}

/// A log that cannot be read at all: `verify` names the file, and other verbs report damage.
#[test]
fn a_log_that_cannot_be_read() {
    let entry = "_delta_log/00000000000000000001.json";
    for (name, bytes) in
        [(entry, &b"{\"add\":{\"path\":\"pa"[..]), ("_delta_log/_last_checkpoint", b"garbage")]
    {
        let (_folder, archive) = archive_of(&["games/setup.pgn"]);
        fs::write(Path::new(&archive).join(name), bytes).unwrap();
        let output = run(&["verify", &archive]);
        assert_eq!((output.code, output.err.as_str()), (1, ""), "{name}: {output:?}");
        assert!(output.out.contains("_delta_log"), "{name}: {output:?}");
        if name == entry {
            let output = run(&["info", &archive]);
            assert_eq!(output.code, 2, "{name}: {output:?}");
            assert!(output.err.contains("is damaged"), "{name}: {output:?}");
        }
    }
}

#[test]
fn archives_that_cannot_be_verified() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(&["verify", folder.path().join("none").to_str().unwrap()]);
    assert_eq!(output.code, 2);
    assert!(output.err.contains("no archive"), "{output:?}");
}
