//! Programs that read Parquet or Delta see the same games as we do, and we see the changes of one of them.
//!
//! `readers.py` runs them. It needs a Python with the packages duckdb, polars, pyarrow and deltalake: the one that `PYTHON`
//! names, or the one that `make readers` makes in `target/venv`. An empty `PYTHON` leaves these tests out.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use crate::compact::copy;
use crate::program::{archive_of, halfmove, ok, run, testdata};
use crate::round_trip::Games;
use halfmove_archive::Archive;
use serde_json::{Map, Value};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The Python with the other readers; `None` if these tests are to be left out.
fn interpreter() -> Option<PathBuf> {
    match std::env::var_os("PYTHON") {
        Some(path) => Some(PathBuf::from(path)).filter(|path| !path.as_os_str().is_empty()),
        None => {
            let target = Path::new(env!("CARGO_BIN_EXE_halfmove")).ancestors().nth(2);
            Some(target.expect("a target folder").join("venv/bin/python3"))
        }
    }
}

/// The output of a script; `None` if these tests are to be left out.
pub(crate) fn python(script: &Path, args: &[&str]) -> Option<String> {
    let Some(python) = interpreter() else {
        eprintln!("SKIPPED: PYTHON is empty, so other readers are not asked");
        return None;
    };
    let missing = |why: &str| -> ! {
        panic!(
            "{}: {why}\n`make readers` installs the other readers; PYTHON names another Python that has them, and an empty \
             PYTHON leaves these tests out",
            python.display()
        )
    };
    let output = Command::new(&python).arg(script).args(args).output();
    let output = output.unwrap_or_else(|error| missing(&error.to_string()));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.code() == Some(77) {
        missing(errors.trim());
    }
    assert!(output.status.success(), "{args:?}: {errors}");
    Some(String::from_utf8(output.stdout).expect("text"))
}

/// The JSON that `readers.py` prints; `None` if these tests are to be left out.
fn read(args: &[&str]) -> Option<Vec<Value>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/readers.py");
    let lines = python(&script, args)?;
    Some(lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect())
}

/// Rows of the archive, as our SQL has them.
fn rows(archive: &str, condition: &str) -> Vec<Value> {
    let query = format!("select * from games where {condition} order by id");
    let answer = ok(&["sql", archive, &query, "--format", "json"]);
    serde_json::from_str(&answer).expect("JSON")
}

/// A reader sees all rows, with all values. Columns that the table does not have are null for us.
fn same_rows(who: &str, found: &Value, expected: &[Value]) {
    let found = found.as_array().expect("rows");
    assert_eq!(found.len(), expected.len(), "{who}: rows");
    let object = |row: &Value| row.as_object().cloned().expect("a row");
    for (found, expected) in found.iter().map(object).zip(expected.iter().map(object)) {
        let mut whole: Map<String, Value> =
            expected.keys().map(|name| (name.clone(), Value::Null)).collect();
        whole.extend(found);
        assert_eq!(whole, expected, "{who}: game {}", expected["id"]);
    }
}

/// All readers agree with our SQL, our export and our history. Returns false if there are no readers.
fn all_see_the_same(archive: &str) -> bool {
    let Some(answers) = read(&["read", archive]) else { return false };
    let expected = rows(archive, "true");
    let narrow = rows(archive, "year >= 1992 and plies < 60");
    assert!(!narrow.is_empty() && narrow.len() < expected.len(), "{} rows", narrow.len());
    let pgn = format!("{archive}.pgn");
    ok(&["export", archive, "--force", "--output", &pgn]);
    let mut exported = 0;
    for (game, row) in Games::open(Path::new(&pgn)).zip(&expected) {
        assert_eq!(game.moves.len(), row["plies"], "game {}", row["id"]);
        for (tag, column) in [("White", "white"), ("Black", "black")] {
            assert_eq!(game.tags.value(tag), row[column].as_str(), "game {}", row["id"]);
        }
        exported += 1;
    }
    assert_eq!(exported, expected.len());
    let half_moves: u64 = expected.iter().map(|row| row["plies"].as_u64().expect("plies")).sum();
    let history: Value =
        serde_json::from_str(&ok(&["history", archive, "--format", "json"])).expect("JSON");
    let (mut whole, mut narrowed) = (0, 0);
    for answer in &answers {
        let who = answer["reader"].as_str().expect("a name");
        let object = answer.as_object().expect("an object");
        let (kind, found) = object.iter().find(|(kind, _)| *kind != "reader").expect("an answer");
        match kind.as_str() {
            "rows" => {
                same_rows(who, found, &expected);
                whole += 1;
            }
            "narrow" => {
                same_rows(who, found, &narrow);
                narrowed += 1;
            }
            "count" | "half_moves" => {
                assert_eq!(answer["count"], expected.len(), "{who}");
                assert_eq!(answer["half_moves"], half_moves, "{who}");
            }
            "versions" => {
                let found = found.as_object().expect("versions");
                assert!(!found.is_empty(), "{who}");
                let changes = history["changes"].as_array().expect("changes");
                for change in changes {
                    let found = &found[&change["version"].to_string()];
                    assert_eq!(found["games"], change["games"], "{who}: {change}");
                    let what = &found["change"];
                    assert!(what.is_null() || *what == change["change"], "{who}: {change}");
                }
                assert_eq!(found.len(), changes.len(), "{who}");
            }
            // Readers that do not know deletion vectors, for instance.
            "skipped" => {}
            _ => panic!("{who}: {found}"),
        }
    }
    assert!(whole >= 7 && narrowed >= 7, "{whole} and {narrowed} answers");
    true
}

/// An archive of two imports, the first of several files.
fn two_imports() -> (tempfile::TempDir, String) {
    let first = ["games/chess960.pgn", "games/setup.pgn", "games/lichess.pgn.zst"];
    let (folder, archive) = archive_of(&first);
    ok(&["import", &archive, testdata("games/makruk.pgn").to_str().expect("text"), "--quiet"]);
    (folder, archive)
}

#[test]
fn every_version_of_an_archive() {
    let (_folder, archive) = two_imports();
    let archive = archive.as_str();
    if !all_see_the_same(archive) {
        return;
    }
    // A file is rewritten, and both are merged.
    ok(&["remove", archive, "--where", "id % 7 = 3"]);
    all_see_the_same(archive);
    ok(&["compact", archive]);
    all_see_the_same(archive);
    ok(&["undo", archive]);
    all_see_the_same(archive);
}

/// The log of an archive begins with a checkpoint of ours.
#[test]
fn an_archive_with_a_checkpoint() {
    let (_folder, archive) = archive_of(&["games/lichess.pgn.zst"]);
    if read(&["read", &archive]).is_none() {
        return;
    }
    ok(&["remove", &archive, "--where", "id % 3 = 0"]);
    let open = || Archive::open(&archive).unwrap();
    while open().version() < 101 {
        open().undo(None, &mut ()).unwrap();
    }
    let log = Path::new(&archive).join("_delta_log");
    assert!(log.join("_last_checkpoint").exists(), "no checkpoint");
    all_see_the_same(&archive);
    for version in 0..100 {
        fs::remove_file(log.join(format!("{version:020}.json"))).unwrap();
    }
    ok(&["import", &archive, testdata("games/setup.pgn").to_str().expect("text"), "--quiet"]);
    all_see_the_same(&archive);
}

/// 1. e4 e5.
const OPEN: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

/// We see the changes of deltalake as deltalake does. The archive can be changed again, or the change is refused explicitly.
#[test]
fn a_table_that_deltalake_has_changed() {
    let (_original, original) = two_imports();
    let all = rows(&original, "true");
    let changes = [
        ("delete", all.len() - all.len() / 3, &[][..]),
        ("update", all.len(), &[]),
        ("append", all.len() + 3, &[]),
        ("compact", all.len(), &[]),
        ("z_order", all.len(), &[]),
        ("restore", 520, &[]),
        ("checkpoint", all.len(), &[]),
        ("vacuum", all.len(), &[]),
        ("add column", all.len(), &[("remove", "the column mood"), ("compact", "the column mood")]),
        ("property", all.len(), &[("remove", "Append-only tables cannot remove files")]),
        ("deletion vectors", all.len(), &[]),
    ];
    let folder = tempfile::tempdir().unwrap();
    let archive_of = |how: &str| folder.path().join(how).to_str().expect("text").to_owned();
    for (how, ..) in changes {
        copy(Path::new(&original), Path::new(&archive_of(how)));
    }
    let Some(theirs) = read(&["change", folder.path().to_str().expect("text")]) else { return };
    assert_eq!(theirs.len(), changes.len());
    for ((how, count, refused), mut theirs) in changes.into_iter().zip(theirs) {
        let archive = &archive_of(how);
        for row in theirs.as_array_mut().expect("rows") {
            // A column of theirs is not ours.
            row.as_object_mut().expect("a row").remove("mood");
        }
        let expected = rows(archive, "true");
        assert_eq!(expected.len(), count, "{how}");
        same_rows(how, &theirs, &expected);
        let is_sound = || {
            let output = run(&["verify", archive]);
            assert_eq!(output.code, 0, "{how}: {output:?}");
        };
        is_sound();
        // Searches read the files by other code.
        let search = |filter: &[&str]| {
            let count = ok(&[&["search", archive, "--count"], filter].concat());
            count.trim().replace(',', "").parse::<usize>().expect("a number")
        };
        // Without signatures.
        let reaching = rows(archive, &format!("ply_of(moves, '{OPEN}') is not null"));
        assert!(reaching.len() > 20, "{how}");
        assert_eq!(search(&["--fen", OPEN]), reaching.len(), "{how}");
        let named = |row: &&Value| row["white"] == expected[0]["white"];
        let name = expected[0]["white"].as_str().expect("a name");
        assert_eq!(search(&["--white", name]), expected.iter().filter(named).count(), "{how}");
        assert_eq!(ok(&["export", archive]).matches("[Event \"").count(), count, "{how}");
        // So do changes.
        let setup = testdata("games/setup.pgn");
        ok(&["import", "--again", archive, setup.to_str().expect("text"), "--quiet"]);
        let mut left = rows(archive, "id <> 4");
        let old: Vec<&Value> = expected.iter().filter(|row| row["id"] != 4).collect();
        // The games of the import come last.
        assert_eq!(left.len(), old.len() + 49, "{how}");
        assert!(left.iter().zip(&old).all(|(now, before)| now == *before), "{how}");
        for args in [&["remove", archive, "--where", "id = 4"][..], &["compact", archive]] {
            let output = run(args);
            match refused.iter().find(|(verb, _)| *verb == args[0]) {
                Some((_, words)) => {
                    assert!(output.code == 2 && output.err.contains(words), "{how}: {output:?}");
                    left = rows(archive, "true");
                }
                None => assert_eq!(output.code, 0, "{how}, {args:?}: {output:?}"),
            }
            is_sound();
            assert_eq!(rows(archive, "true"), left, "{how}, {args:?}");
        }
    }
}

/// A file and a stream of Arrow IPC, with all types of the columns.
#[test]
fn other_readers_see_arrow() {
    let (folder, archive) = archive_of(&["games/lichess.pgn.zst", "games/setup.pgn"]);
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let (file, stream) = (path("games.arrow"), path("games.arrows"));
    let query = "select * from games order by id";
    ok(&["sql", &archive, query, "-o", &file]);
    let output = halfmove(&["sql", &archive, query, "--format", "arrow"]).output();
    fs::write(&stream, output.expect("the program runs").stdout).expect("written");
    let Some(answers) = read(&["arrow", &file, &stream]) else { return };
    let expected = rows(&archive, "true");
    for answer in &answers {
        same_rows(answer["reader"].as_str().expect("a name"), &answer["rows"], &expected);
    }
    assert_eq!(answers.len(), 4);
}
