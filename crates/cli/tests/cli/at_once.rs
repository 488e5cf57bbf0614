//! Two writers and ten readers at once: every reader sees some version of the archive.

use crate::program::{archive_of, halfmove, ok, run, testdata};
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Numbers that no two states of this test have in common.
const QUERY: &str = "select count(*), count(distinct id), max(id), sum(id), sum(plies) from games";

/// A position that many games of each file have.
const SEARCH: [&str; 4] = ["--moves", "e4", "--count", "--format"];

fn row(archive: &str) -> String {
    let csv = ok(&["sql", archive, QUERY, "--format", "csv"]);
    csv.lines().nth(1).expect("a row").to_owned()
}

fn found(archive: &str) -> String {
    ok(&[&["search", archive][..], &SEARCH, &["csv"]].concat())
}

fn exported(archive: &str) -> String {
    let mut export = halfmove(&["export", archive]);
    let output = export.output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    text.matches("[Event \"").count().to_string()
}

/// Runs verbs in order, each until it succeeds. A verb that meets a conflict begins again.
fn write(verbs: &[&[&str]]) {
    for args in verbs {
        loop {
            let mut command = halfmove(args);
            let output = command.stdout(Stdio::null()).output().expect("the program starts");
            let errors = String::from_utf8_lossy(&output.stderr);
            match output.status.code() {
                Some(0) => break,
                Some(2) if errors.contains("has changed while it was being rewritten") => {}
                _ => panic!("{args:?}: {}: {errors}", output.status),
            }
        }
    }
}

#[test]
fn two_writers_and_ten_readers() {
    let (_folder, archive) = archive_of(&["games/lichess.pgn.zst"]);
    let archive = archive.as_str();
    let [setup, chess960] = ["games/setup.pgn", "games/chess960.pgn"].map(testdata);
    let imports = [setup, chess960].map(|pgn| pgn.to_str().expect("text").to_owned());
    let [setup, chess960] =
        imports.each_ref().map(|pgn| ["import", "--again", archive, pgn, "--quiet"]);
    let remove = |condition| ["remove", archive, "--where", condition];
    let (third, few) = (remove("id % 3 = 0"), remove("id between 100 and 130"));
    let compact = ["compact", archive];
    let [first, second]: [&[&[&str]]; 2] = [
        &[&setup, &third, &setup, &compact, &setup, &setup, &compact, &setup],
        &[&chess960, &chess960, &compact, &few, &chess960, &chess960, &compact, &chess960],
    ];
    let (writing, mut seen) = (AtomicBool::new(true), Vec::new());
    thread::scope(|scope| {
        let writers = [first, second].map(|verbs| scope.spawn(move || write(verbs)));
        let writing = &writing;
        let readers: Vec<_> = (0..10)
            .map(|reader| {
                scope.spawn(move || {
                    let ask = [row, found, exported][[0, 0, 0, 0, 1, 1, 1, 2, 2, 2][reader]];
                    let mut seen = Vec::new();
                    while writing.load(Ordering::Relaxed) || seen.is_empty() {
                        seen.push(ask(archive));
                    }
                    (reader, seen)
                })
            })
            .collect();
        let written = writers.map(thread::ScopedJoinHandle::join);
        writing.store(false, Ordering::Relaxed);
        written.into_iter().for_each(|writer| writer.expect("a writer ends"));
        for reader in readers {
            seen.push(reader.join().expect("a reader sees a version"));
        }
    });
    assert!(ok(&["verify", archive]).starts_with("no problems in "));

    // The state of each version.
    let history: Value =
        serde_json::from_str(&ok(&["history", archive, "--format", "json"])).expect("JSON");
    let changes = history["changes"].as_array().expect("changes");
    let version = |change: &Value| change["version"].as_u64().expect("a version");
    let last = version(changes.last().expect("a change"));
    let count = |what: &str| changes.iter().filter(|change| change["change"] == what).count();
    assert_eq!((count("import"), count("remove")), (11, 2));
    let mut states: [BTreeSet<String>; 3] = Default::default();
    for to in 1..=last {
        let errors = run(&["undo", archive, "--to", &to.to_string()]);
        let same = errors.code == 2 && errors.err.contains("has the same games");
        assert!(errors.code == 0 || same, "{errors:?}");
        for (state, ask) in states.iter_mut().zip([row, found, exported]) {
            state.insert(ask(archive));
        }
    }
    let (mut answers, mut different) = (0, BTreeSet::new());
    for (reader, seen) in seen {
        let states = &states[[0, 0, 0, 0, 1, 1, 1, 2, 2, 2][reader]];
        for answer in seen {
            assert!(states.contains(&answer), "reader {reader}: {answer} is no version");
            different.insert(answer);
            answers += 1;
        }
    }
    assert!(answers > 20 && different.len() > 5, "{answers} answers, {}", different.len());
}
