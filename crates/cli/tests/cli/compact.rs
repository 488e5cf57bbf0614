//! `compact`, and compactions that are killed.

use crate::crashes::{games, litter};
use crate::program::{archive_of, halfmove, ok, run, testdata, version};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

#[test]
fn small_files_become_one() {
    let (_folder, archive) = archive_of(&["games/chess960.pgn"]);
    for name in ["games/setup.pgn", "games/lichess.pgn.zst"] {
        ok(&["import", &archive, testdata(name).to_str().unwrap()]);
    }
    let answers = || {
        [
            ok(&["export", &archive]),
            ok(&["search", &archive, "--moves", "e4 e5", "--format", "csv"]),
            ok(&["explore", &archive, "--format", "csv"]),
            ok(&["show", &archive, "100"]),
            ok(&["search", &archive, "--player", "a", "--limit", "30", "--format", "csv"]),
        ]
    };
    let before = answers();
    let output = run(&["compact", &archive]);
    assert_eq!((output.code, output.err.as_str()), (0, ""));
    assert!(output.out.ends_with(" bytes, 3 → 1 file, 520 games rewritten\n"), "{output:?}");
    let (_, bytes) = output.out.split_once(": ").unwrap();
    let number = |text: &str| text.replace(',', "").parse::<u64>().unwrap();
    let (was, is) = bytes.split_once(" bytes").unwrap().0.split_once(" → ").unwrap();
    assert!(number(is) < number(was), "{output:?}");
    assert_eq!(answers(), before);
    assert!(ok(&["verify", &archive]).starts_with("no problems in 520 games"));
    let again = ok(&["compact", &archive]);
    assert_eq!(again, format!("{archive} is compact already\n"));
}

#[test]
fn errors_of_compaction() {
    let output = run(&["compact", "no-such-archive"]);
    assert_eq!(output.code, 2);
}

/// Copies a folder.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// Kills a verb that rewrites an archive at many moments: the archive is as before or as after.
fn kill(verb: &str, original: &Path, kills: u32) {
    let folder = tempfile::tempdir().unwrap();
    let small = testdata("games/setup.pgn");
    let archive = folder.path().join("archive");
    let name = archive.to_str().unwrap();
    copy(original, &archive);
    let expected = ok(&["export", name]);
    let before = version(name);
    let clock = Instant::now();
    ok(&[verb, name]);
    let whole = clock.elapsed();
    assert_eq!(version(name), before + 1);
    let (mut killed, mut swept) = (0, 0);
    for attempt in 0..kills {
        fs::remove_dir_all(&archive).unwrap();
        copy(original, &archive);
        let mut child = halfmove(&[verb, name]).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole.mul_f64(f64::from(attempt) / f64::from(kills)));
        child.kill().unwrap();
        let succeeds = child.wait().unwrap().success();
        let now = version(name);
        assert!(now == before || now == before + 1, "{now}, was {before}");
        assert!(!succeeds || now == before + 1, "what succeeded is not there");
        assert_eq!(ok(&["export", name]), expected);
        assert_eq!(run(&["verify", name]).code, 0);
        killed += u32::from(now == before);
        swept += litter(name).len();
        // It still works, and the remains are deleted.
        let output = run(&[verb, name]);
        assert_eq!(output.code, 0, "{output:?}");
        let count = games(name);
        ok(&["import", "--again", name, small.to_str().unwrap()]);
        assert_eq!(games(name), count + 49);
        assert_eq!(litter(name), Vec::<String>::new());
    }
    assert!(killed > 0, "each {verb} was done before it was killed");
    assert!(kills < 100 || swept > 0, "nothing had to be swept");
}

/// A compaction that is killed at many moments.
fn kill_compactions(kills: u32) {
    let (_folder, archive) = archive_of(&["games/masters.pgn.zst"]);
    ok(&["import", &archive, testdata("games/setup.pgn").to_str().unwrap()]);
    kill("compact", Path::new(&archive), kills);
}

#[test]
fn killed_rewrites_change_nothing() {
    kill_compactions(8);
}

#[test]
#[ignore = "takes minutes"]
fn rewrites_killed_at_many_moments() {
    kill_compactions(200);
}
