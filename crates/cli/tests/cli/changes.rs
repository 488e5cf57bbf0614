//! The verbs that change an archive and undo changes.

use crate::golden::{check, json};
use crate::program::{archive_of, halfmove, ok, run, testdata};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

fn games(archive: &str) -> u64 {
    ok(&["search", archive, "--count"]).trim().parse().expect("a number")
}

fn import(archive: &str, name: &str) {
    ok(&["import", archive, testdata(name).to_str().expect("text"), "--quiet"]);
}

/// JSON without the fields that change from run to run.
fn plain(text: &str, list: &str) -> String {
    let mut value: Value = serde_json::from_str(text).expect("JSON");
    for entry in value[list].as_array_mut().expect("a list") {
        if entry.is_string() {
            *entry = Value::from("games-….parquet");
            continue;
        }
        let time = entry["time"].as_str().expect("a time");
        assert!(time.len() == 20 && time.ends_with('Z'), "{time}");
        assert!(entry["program"].as_str().is_some_and(|program| program.starts_with("halfmove/")));
        entry["time"] = Value::Null;
        entry["program"] = Value::Null;
    }
    json(&value.to_string())
}

#[cfg(feature = "sql")]
#[test]
fn changes_as_json() {
    let (_folder, archive) = archive_of(&["games/chess960.pgn"]);
    let archive = archive.as_str();
    import(archive, "games/setup.pgn");
    let as_json = |args: &[&str]| ok(&[args, &["--format", "json"]].concat());
    let remove = ["remove", archive, "--where", "id % 10 = 0"];
    check("remove_dry.json", &json(&as_json(&[&remove[..], &["--dry-run"]].concat())));
    assert_eq!(games(archive), 83);
    check("remove.json", &json(&as_json(&remove)));
    assert_eq!(games(archive), 75);
    check("undo_dry.json", &plain(&as_json(&["undo", archive, "--dry-run"]), "undone"));
    assert_eq!(games(archive), 75);
    check("undo.json", &plain(&as_json(&["undo", archive, "--to", "1"]), "undone"));
    assert_eq!(games(archive), 34);
    check("history.json", &plain(&as_json(&["history", archive]), "changes"));
    let vacuum = ["compact", archive, "--vacuum", "--keep", "0s"];
    check("vacuum_dry.json", &plain(&as_json(&[&vacuum[..], &["--dry-run"]].concat()), "files"));
    check("vacuum.json", &plain(&as_json(&vacuum), "files"));
    check("history_after_vacuum.json", &plain(&as_json(&["history", archive]), "changes"));
    check("verify_after_vacuum.json", &json(&as_json(&["verify", archive])));
    assert_eq!(games(archive), 34);
}

#[test]
fn changes_for_people() {
    let (_folder, archive) = archive_of(&["games/chess960.pgn"]);
    let archive = archive.as_str();
    let output = ok(&["remove", archive, "--id", "1-4"]);
    let name = archive;
    assert!(
        output.ends_with(&format!("4 games removed (to undo this: halfmove undo {name} --to 1)\n")),
        "{output}"
    );
    let output = run(&["show", archive, "3"]);
    assert_eq!(output.code, 1);
    assert_eq!(
        output.err,
        "error: no game has the id 3: the archive holds 30 games, the highest id is 34\n"
    );
    assert_eq!(run(&["show", archive, "5"]).code, 0);
    let output = ok(&["undo", archive]);
    let closing = format!(
        "{name}: version 3 is version 1 again, with 34 games instead of 30\n\
         `halfmove undo {name}` would now restore version 2; to go further back: --to\n"
    );
    assert!(output.ends_with(&closing) && !output.contains("restorable"), "{output}");
    assert_eq!(run(&["show", archive, "3"]).code, 0);
    let output = ok(&["history", archive]);
    assert_eq!(output.lines().count(), 6, "{output}");
    let ends: Vec<&str> = output.lines().map(|line| line.split(' ').next_back().unwrap()).collect();
    assert_eq!(ends[..5], ["restorable", "yes", "no", "yes", "current"], "{output}");
    assert!(output.contains("  --id 1-4  "), "{output}");
    assert!(output.contains("undo to 1") && output.contains("1 to 34"), "{output}");
    assert!(
        output.ends_with(
            "34 games in version 3, with 2 versions that can be restored (halfmove undo --to)\n"
        ),
        "{output}"
    );
    // Nothing is a week old.
    let output = ok(&["compact", archive, "--vacuum"]);
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines[0], "no files deleted; 1 file kept so that undo works");
    let note = lines[1].strip_prefix("the oldest can be deleted on ").expect("a day");
    let (day, advice) = note.split_at(10);
    assert!(day.starts_with("20") && day.split('-').count() == 3, "{output}");
    assert_eq!(advice, "; `--keep 0s` deletes all now, and gives up `undo`");
    let output = ok(&["compact", archive, "--vacuum", "--keep", "0s"]);
    assert_eq!(output.lines().count(), 3, "a heading, the file that went, and nothing to come");
    let last = output.lines().last().unwrap();
    assert!(last.starts_with("1 file (") && last.ends_with(" bytes) deleted"), "{output}");
}

#[test]
fn a_compaction_is_taken_back() {
    let (_folder, archive) = archive_of(&["games/chess960.pgn"]);
    let archive = archive.as_str();
    ok(&["compact", archive]);
    let output = ok(&["undo", archive, "--dry-run"]);
    let closing = format!("{archive}: this would go back to version 1, with the same 34 games\n");
    assert!(output.ends_with(&closing), "{output}");
    let hint = format!(
        "`halfmove undo {archive}` would now restore version 2; to go further back: --to\n"
    );
    let output = ok(&["undo", archive]);
    assert!(output.ends_with(&hint), "{output}");
}

#[test]
fn changes_that_are_refused() {
    let (_folder, archive) = archive_of(&["games/chess960.pgn"]);
    let archive = archive.as_str();
    let refused = |args: &[&str], error: &str, hint: &str| {
        let output = run(args);
        assert_eq!(output.code, 2, "{output:?}");
        assert_eq!(output.out, "");
        assert!(output.err.starts_with(&format!("error: {error}")), "{}", output.err);
        assert!(output.err.contains(&format!("hint: {hint}")), "{}", output.err);
    };
    refused(&["remove", archive], "no condition says which games to remove", "give a condition");
    refused(&["remove", archive, "--dry-run"], "no condition says which games", "give a condition");
    let versions = format!("`halfmove history {archive}` lists the versions");
    refused(&["undo", archive, "--to", "9"], "cannot go back in the archive at ", &versions);
    ok(&["undo", archive]);
    ok(&["compact", archive, "--vacuum", "--keep", "0s"]);
    let output = run(&["undo", archive]);
    assert!(output.code == 2 && output.err.contains("of version 1 is gone\nhint: "), "{output:?}");
    // No game matches: nothing is written.
    let output = run(&["remove", archive, "--player", "no such name"]);
    let expected = "no player is called \"no such name\"\n";
    assert_eq!((output.code, output.err.as_str()), (1, expected));
    assert!(output.out.ends_with("no game matches, nothing is removed\n"), "{output:?}");
    let history: Value =
        serde_json::from_str(&ok(&["history", archive, "--format", "json"])).expect("JSON");
    assert_eq!(history["changes"].as_array().expect("a list").len(), 3);
    for keep in ["7", "d", "-1d", "1y", "99999999999999999999d"] {
        let output = run(&["compact", archive, "--vacuum", &format!("--keep={keep}")]);
        assert!(output.code == 2 && output.err.contains("--keep"), "{output:?}");
    }
    for condition in [["--where", "no such thing"], ["--id", "x"]] {
        let output = run(&[&["remove", archive][..], &condition].concat());
        assert_eq!(output.code, 2, "{output:?}");
    }
}

/// The content of the folder of an archive: the files that a version may need, and leftovers.
fn leftovers(archive: &str) -> usize {
    let entries = fs::read_dir(archive).expect("a folder").flatten();
    let names = entries.map(|entry| entry.file_name().into_string().expect("text"));
    names.filter(|name| name.starts_with(".halfmove-")).count()
}

fn version(archive: &str) -> String {
    let info: Value =
        serde_json::from_str(&ok(&["info", archive, "--format", "json"])).expect("JSON");
    info["version"].to_string()
}

/// Runs a verb and kills it after some time. Returns true if it finished before that.
fn killed(args: &[&str], moment: Duration) -> bool {
    let mut child = halfmove(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(moment);
    child.kill().unwrap();
    child.wait().unwrap().success()
}

/// Kills removals, undos and vacuums at some moments: a change is complete or has not happened.
fn kill_changes(attempts: u32) {
    let (_folder, archive) = archive_of(&["games/lichess.pgn.zst"]);
    let archive = archive.as_str();
    import(archive, "games/masters.pgn.zst");
    let (all, base) = (games(archive), "2");
    // Games of both files.
    let remove = ["remove", archive, "--result", "1-0"];
    let undo = ["undo", archive, "--to", base];
    let vacuum = ["compact", archive, "--vacuum", "--keep", "0s"];
    let timed = |args: &[&str]| {
        let clock = Instant::now();
        ok(args);
        clock.elapsed()
    };
    let removal = timed(&remove);
    let left = games(archive);
    assert!(0 < left && left < all);
    let times = [removal, timed(&undo), timed(&vacuum)];
    // A simple random number generator, so that a failure can be repeated.
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut moment = |whole: Duration| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        whole.mul_f64((random >> 40) as f64 / (1 << 24) as f64 * 1.1)
    };
    let sound = || {
        let output = run(&["verify", archive]);
        assert_eq!(output.code, 0, "{output:?}");
    };
    let mut stopped = 0;
    for _ in 0..attempts {
        let done = killed(&remove, moment(times[0]));
        let found = games(archive);
        assert!(found == left || !done && found == all, "{found} games of {all}, done: {done}");
        stopped += u32::from(found == all);
        sound();
        if found == all {
            ok(&remove);
            assert_eq!(leftovers(archive), 0);
        }
        let done = killed(&undo, moment(times[1]));
        let found = games(archive);
        assert!(found == all || !done && found == left, "{found} games of {left}, done: {done}");
        sound();
        if found == left {
            ok(&undo);
        }
        assert_eq!(games(archive), all);
        killed(&vacuum, moment(times[2]));
        assert_eq!(games(archive), all);
        sound();
        ok(&vacuum);
        assert_eq!(leftovers(archive), 0);
        sound();
        // The old files are gone, so their version is older than all versions that can be restored.
        let data = fs::read_dir(archive).unwrap().flatten();
        let data = data.filter(|entry| {
            Path::new(&entry.file_name()).extension().is_some_and(|it| it == "parquet")
        });
        assert_eq!(data.count(), 2, "version {}", version(archive));
    }
    assert!(stopped > 0, "every removal was done before it was killed");
}

#[test]
fn killed_changes_are_whole_or_not_at_all() {
    kill_changes(6);
}

#[test]
#[ignore = "takes minutes"]
fn changes_killed_at_many_moments() {
    kill_changes(200);
}

/// The program under strace, which makes some system calls fail.
#[cfg(target_os = "linux")]
fn failing(inject: &[String], args: &[&str]) -> crate::program::Finished {
    let mut strace = std::process::Command::new("strace");
    strace.args(["-f", "-qq", "-o", "/dev/null"]);
    strace.args(["-e", "trace=fsync,fdatasync,link,linkat,renameat2"]);
    for inject in inject {
        strace.arg("-e").arg(format!("inject={inject}"));
    }
    strace.arg(env!("CARGO_BIN_EXE_halfmove")).args(args).stdin(Stdio::null());
    crate::program::finished(strace.output().expect("strace is installed"))
}

/// A disk fails at one flush after the other: a change that was made is not reported as failed.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs strace"]
fn a_disk_that_fails() {
    for verb in ["remove", "undo"] {
        let (_folder, archive) = archive_of(&["games/setup.pgn", "games/chess960.pgn"]);
        let archive = archive.as_str();
        let (mut unknown, mut unchanged) = (0, 0);
        for flush in 1..=12 {
            let (before, old) = (games(archive), version(archive));
            let list = ["--columns", "id", "--limit", "1", "--format", "csv"];
            let first = ok(&[&["search", archive][..], &list].concat());
            let first = first.lines().nth(1).expect("a row");
            let args: &[&str] = match verb {
                "remove" => &["remove", archive, "--id", first],
                _ => &["undo", archive],
            };
            let inject = format!("fsync,fdatasync:error=EIO:when={flush}");
            let output = failing(&[inject], args);
            let (found, new) = (games(archive), version(archive));
            let has_changed = new != old;
            if verb == "remove" {
                assert_eq!(found, before - u64::from(has_changed));
            }
            match output.code {
                0 => assert!(has_changed),
                2 if output.err.contains("it is unknown whether the change was committed") => {
                    assert!(output.err.contains(&format!("hint: `halfmove history {archive}`")));
                    unknown += 1;
                }
                2 => {
                    assert!(!has_changed && output.err.contains("is unchanged"), "{output:?}");
                    unchanged += 1;
                }
                _ => panic!("{output:?}"),
            }
            assert_eq!(leftovers(archive), 0);
            assert_eq!(run(&["verify", archive]).code, 0);
        }
        assert!(unknown > 0 && unchanged > 0, "{verb}: {unknown} {unchanged}");
    }
}

/// File systems without hard links, and without renaming that replaces nothing.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs strace"]
fn without_hard_links() {
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = testdata("games/setup.pgn");
    let pgn = pgn.to_str().expect("text");
    let links = "link,linkat:error=EPERM".to_owned();
    let renaming = "renameat2:error=EINVAL".to_owned();
    for (number, inject) in [vec![links.clone()], vec![links, renaming]].iter().enumerate() {
        let archive = folder.path().join(number.to_string());
        let archive = archive.to_str().expect("text");
        for args in [
            &["import", "--again", archive, pgn, "--quiet"][..],
            &["import", "--again", archive, pgn, "--quiet"],
            &["remove", archive, "--id", "3"],
            &["undo", archive],
            &["compact", archive, "--vacuum"],
        ] {
            let output = failing(inject, args);
            assert_eq!((output.code, output.err.as_str()), (0, ""), "{args:?}");
        }
        assert_eq!((games(archive), version(archive).as_str()), (98, "4"));
        assert_eq!(run(&["verify", archive]).code, 0);
        assert_eq!(leftovers(archive), 0);
    }
}

/// Removals, imports and undos at once: each of them is complete, and those that succeeded are in the history.
#[test]
fn changes_at_once() {
    let (_folder, archive) = archive_of(&["games/lichess.pgn.zst"]);
    let archive = archive.as_str();
    let pgn = testdata("games/setup.pgn");
    let pgn = pgn.to_str().expect("text");
    let all: [&[&str]; 6] = [
        &["remove", archive, "--id", "1-100"],
        &["import", "--again", archive, pgn, "--quiet"],
        &["remove", archive, "--id", "51-150"],
        &["import", "--again", archive, pgn, "--quiet"],
        &["compact", archive, "--vacuum", "--keep", "0s"],
        &["remove", archive, "--id", "200"],
    ];
    let children: Vec<_> = all
        .iter()
        .map(|args| {
            let mut command = halfmove(args);
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let mut removals = 0;
    for (child, args) in children.into_iter().zip(all) {
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        // A vacuum that keeps nothing may delete files that a removal is about to read; the removal must report it.
        match args[0] {
            "remove" if !output.status.success() => {
                assert!(error.contains("the file is missing"), "{error}");
            }
            _ => assert!(output.status.success(), "{args:?}: {error}"),
        }
        removals += u32::from(args[0] == "remove" && output.status.success());
    }
    assert_eq!(run(&["verify", archive]).code, 0);
    let history: Value =
        serde_json::from_str(&ok(&["history", archive, "--format", "json"])).expect("JSON");
    let changes = history["changes"].as_array().expect("a list");
    let count =
        |what: &str| changes.iter().filter(|change| change["change"] == what).count() as u32;
    assert_eq!((count("import"), count("remove")), (3, removals));
    assert_eq!(changes.last().expect("a change")["games"], games(archive));
}
