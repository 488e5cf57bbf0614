//! The verbs for PGN files: their results, and their errors for other files.

use crate::golden::{check, json};
use crate::program::{Finished, finished, halfmove, ok, run, testdata};
use halfmove_game::pgn::{GameReader, Reading};
use halfmove_game::{Game, Input};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs in the folder of golden files, so that names are short and the same everywhere.
fn here(args: &[&str]) -> Finished {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    finished(halfmove(args).current_dir(folder).output().expect("the program starts"))
}

fn found(args: &[&str], code: i32) -> String {
    let output = here(args);
    assert_eq!((output.code, output.err.as_str()), (code, ""), "{args:?}: {output:?}");
    output.out
}

#[test]
fn faults_are_drawn() {
    check("pgn_check.txt", &found(&["pgn", "check", "faults.pgn", "--limit", "100"], 1));
    check("pgn_check.csv", &found(&["pgn", "check", "faults.pgn", "--format", "csv"], 1));
    check("pgn_check.json", &json(&found(&["pgn", "check", "faults.pgn", "--format", "json"], 1)));
    let limited = found(&["pgn", "check", "faults.pgn", "--limit", "2"], 1);
    assert_eq!(limited.matches("error: ").count(), 2, "{limited}");
    assert!(limited.contains(", the first 2 errors shown (--limit): "), "{limited}");
}

#[test]
fn contents_are_counted() {
    check("pgn_stats.txt", &found(&["pgn", "stats", "faults.pgn"], 0));
    check("pgn_stats.json", &json(&found(&["pgn", "stats", "faults.pgn", "--format", "json"], 0)));
    check("pgn_summary.txt", &found(&["faults.pgn"], 0));
    // Several files and folders, compressed ones, and standard input are the same thing.
    let count = |args: &[&str]| -> Value {
        let text = ok(&[&["pgn", "stats", "--format", "json"], args].concat());
        serde_json::from_str(&text).expect("JSON")
    };
    let names = ["games/lichess.pgn.zst", "games/chess960.pgn", "games/setup.pgn"];
    let paths: Vec<PathBuf> = names.iter().map(|name| testdata(name)).collect();
    let paths: Vec<&str> = paths.iter().map(|path| path.to_str().unwrap()).collect();
    let together = count(&paths);
    for what in ["games", "plies", "clocks", "variations", "lf", "bytes", "comments"] {
        let sum: u64 = paths.iter().map(|path| count(&[path])[what].as_u64().unwrap()).sum();
        assert_eq!(together[what], sum, "{what}");
    }
    assert_eq!((&together["games"], &together["faulty_games"]), (&520.into(), &0.into()));
    assert_eq!(together["variants"]["chess960"], 34);
    let mut child = halfmove(&["pgn", "stats", "-", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&fs::read(paths[0]).unwrap()).unwrap();
    let piped: Value =
        serde_json::from_str(&finished(child.wait_with_output().unwrap()).out).unwrap();
    let named = count(&paths[..1]);
    assert_eq!(piped["plies"], named["plies"]);
    assert_eq!(piped["files"][0], "standard input");
}

#[test]
fn good_files_have_no_faults() {
    for (name, games) in [("games/lichess.pgn.zst", "437"), ("games/masters.pgn.zst", "20,816")] {
        let path = testdata(name);
        assert_eq!(
            ok(&["pgn", "check", path.to_str().unwrap()]),
            format!("{games} games, no faults\n")
        );
    }
}

/// The notes of `normalize` on standard error.
const NOTES: &str = "1 game with errors copied unchanged (see halfmove pgn check)\n\
                     1 line of text outside any game left out\n";

#[test]
fn files_are_rewritten() {
    let whole = here(&["pgn", "normalize", "untidy.pgn"]);
    assert_eq!(whole.code, 0);
    check("pgn_normalize.txt", &whole.out);
    assert_eq!(whole.err, NOTES);
    check("pgn_reduced.txt", &here(&["pgn", "normalize", "--reduced", "untidy.pgn"]).out);
    // Not over a file that is read.
    let output =
        here(&["pgn", "normalize", "faults.pgn", "untidy.pgn", "--output", "./untidy.pgn"]);
    assert!(output.code == 2 && output.err.contains("is being read"), "{output:?}");
}

/// Every game of a file with its reading, with its tags in order of their names.
fn games(path: &str) -> Vec<(bool, Game)> {
    let mut reader = GameReader::new(Input::open(path).unwrap());
    let mut games = Vec::new();
    let mut game = Game::default();
    while let Some(reading) = reader.read(&mut game).unwrap() {
        let mut tags: Vec<_> = game.tags.iter().collect();
        tags.sort_by_key(|(name, _)| *name);
        game.tags = tags.into_iter().collect();
        games.push((reading == Reading::Whole, std::mem::take(&mut game)));
    }
    games
}

/// Each game is the same afterward, with the seven tags and the result added where they were missing. A second round
/// changes nothing.
#[test]
fn nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mut all = 0;
    for name in [
        "games/lichess.pgn.zst",
        "games/chess960.pgn",
        "games/setup.pgn",
        "malformed/chesslib_err.pgn",
        "malformed/pgn.net",
        "malformed/notnil",
    ] {
        let mut files = vec![testdata(name)];
        while let Some(file) = files.pop() {
            if file.is_dir() {
                files.extend(fs::read_dir(file).unwrap().map(|entry| entry.unwrap().path()));
                continue;
            }
            let file = file.to_str().unwrap();
            let (first, second) = (path("first.pgn"), path("second.pgn"));
            let output = run(&["pgn", "normalize", file, "--force", "--output", &first]);
            if output.code == 2 {
                assert!(output.err.contains("no games"), "{file}: {output:?}");
                continue;
            }
            ok(&["pgn", "normalize", &first, "--force", "--output", &second]);
            assert_eq!(fs::read(&first).unwrap(), fs::read(&second).unwrap(), "{file}");
            let (expected, found) = (games(file), games(&first));
            assert_eq!(expected.len(), found.len(), "{file}");
            for (number, ((whole, mut expected), (still_whole, found))) in
                expected.into_iter().zip(found).enumerate()
            {
                assert_eq!(whole, still_whole, "{file} game {}", number + 1);
                for (name, value) in found.tags.iter() {
                    if expected.tags.value(name).is_none() {
                        let is_added = value.contains('?') || ["Result", "Variant"].contains(&name);
                        assert!(is_added, "{file} game {}: {name} {value}", number + 1);
                    }
                }
                for (name, value) in expected.tags.iter() {
                    assert_eq!(found.tags.value(name), expected.tags.value(name), "{value}");
                }
                expected.tags.clone_from(&found.tags);
                expected.result = expected.result.or(found.result);
                assert_eq!(expected, found, "{file} game {}", number + 1);
                all += 1;
            }
        }
    }
    assert!(all > 520, "{all}");
}

/// Exactly the faulty games are copied, byte for byte; without them the file is clean.
#[test]
fn rejects_are_copies() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let good = "[Event \"Good\"]\n[White \"J\u{e9}\"]\n\n1. e4 e5 *\n\n";
    let bad = "{before the tags}\n[Event \"Bad\"]\n\n1. e4 e5 2. Ke3 {lost} (2. d4) *";
    let latin = b"[Event \"J\xe9r\xf4me\"]\r\n\r\n1. e4 e6 2. Qh6 1-0".as_slice();
    let text = [good.as_bytes(), bad.as_bytes(), b"\n\n", good.as_bytes(), latin, b"\r\n"].concat();
    fs::write(path("all.pgn"), text).unwrap();
    let output = run(&["pgn", "check", &path("all.pgn"), "--rejects", &path("rejects.pgn")]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.err.contains("2 games written to "), "{output:?}");
    let expected = [bad.as_bytes(), b"\n\n", latin, b"\n\n"].concat();
    assert_eq!(fs::read(path("rejects.pgn")).unwrap(), expected);
    // Never over an input, by whatever name.
    let before = fs::read(path("all.pgn")).unwrap();
    let other_name = folder.path().join(".").join("all.pgn");
    let output =
        run(&["pgn", "check", &path("all.pgn"), "--rejects", other_name.to_str().unwrap()]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(output.err.contains("is being read"), "{output:?}");
    assert_eq!(fs::read(path("all.pgn")).unwrap(), before);
    let output = run(&["pgn", "check", &path("all.pgn"), "--rejects", &path("none/rejects.pgn")]);
    assert!(output.code == 2 && output.err.contains("cannot write"), "{output:?}");
    // A path that is not a regular file is written directly.
    let output = run(&["pgn", "check", &path("all.pgn"), "--rejects", "/dev/null"]);
    assert!(output.code == 1, "{output:?}");
}

#[test]
fn files_that_are_no_games() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let binary: Vec<u8> =
        (0..20_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let packed = fs::read(testdata("games/lichess.pgn.zst")).unwrap();
    fs::create_dir(folder.path().join("none")).unwrap();
    let none = folder.path().join("none").to_str().unwrap().to_owned();
    for (path, words) in [
        (file("empty.pgn", b""), "no games, the file is empty"),
        (
            file("letter.txt", b"Dear reader,\n\nno game.\n"),
            "no games, this does not look like PGN",
        ),
        (file("cut.pgn.zst", &packed[..packed.len() / 2]), "truncated"),
        (file("damaged.pgn.zst", &[&packed[..50_000], &[0; 5_000]].concat()), "damaged"),
        (folder.path().join("missing.pgn").to_str().unwrap().to_owned(), "no such file"),
        (none, "no PGN files in this folder"),
        (file("archive.zip", b"PK\x03\x04aaaaaaaa"), "zip"),
    ] {
        for verb in [&["pgn", "check"][..], &["pgn", "stats"], &["pgn", "normalize"], &[]] {
            let output = run(&[verb, &[&path]].concat());
            assert_eq!(output.code, 2, "{verb:?} {path}: {output:?}");
            assert!(output.err.contains(words), "{verb:?} {path}: {output:?}");
            assert!(!output.err.contains("panicked"), "{output:?}");
        }
    }
    let binary = file("binary.pgn", &binary);
    let output = run(&["pgn", "check", &binary]);
    assert!(output.code == 1 || output.code == 2, "{output:?}");
    // Without games, nothing else is printed.
    let zeros = file("zeros.bin", &[0, b'\n'].repeat(50));
    let output = run(&["pgn", "check", &zeros]);
    assert_eq!(
        (output.code, output.out.as_str(), output.err.lines().count()),
        (2, "", 1),
        "{output:?}"
    );
    let output = run(&["pgn", "check", &zeros, "--format", "json"]);
    let report: Value = serde_json::from_str(&output.out).unwrap();
    assert_eq!(report["faults"].as_array().map(Vec::len), Some(0), "{output:?}");
    // A bad file does not stop the others.
    let good = testdata("games/setup.pgn");
    let missing = folder.path().join("missing.pgn");
    let output = run(&["pgn", "check", missing.to_str().unwrap(), good.to_str().unwrap()]);
    assert_eq!((output.code, output.out.as_str()), (2, "49 games, no faults\n"), "{output:?}");
}

#[test]
fn a_misspelled_verb_is_no_file() {
    let output = run(&["serach", "club"]);
    assert!(output.code == 2 && output.err.contains("`halfmove search`"), "{output:?}");
    let (_folder, archive) = crate::program::archive_of(&["games/setup.pgn"]);
    assert_eq!(ok(&[&archive]), ok(&["info", &archive]));
}

#[test]
fn output_without_a_reader() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/faults.pgn");
    for format in ["table", "json", "csv"] {
        let mut check = halfmove(&["pgn", "check", path.to_str().unwrap(), "--format", format]);
        // The reader is gone before the program begins.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = finished(check.stdout(writer).stderr(Stdio::piped()).output().unwrap());
        assert_eq!((output.code, output.err.as_str()), (1, ""), "there are faults: {format}");
    }
}

/// The content of a file never controls the terminal.
#[test]
fn escape_sequences_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hostile.pgn");
    let text = "[Event \"\u{1b}]0;title\u{7}\"]\n[White \"\u{1b}[2J\"]\n[Variant \"\u{1b}[31m\"]\n\n1. \u{1b}[1me4 \
                Qx\u{9b}4 *\n\n\u{1b}[5m text\n\n[Result \"\u{1b}c\"]\n\n1. e4 e\u{202e}5 \u{1b}Ke9 1-0\n";
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    for args in [&["pgn", "check", path][..], &["pgn", "stats", path], &[path]] {
        let output = run(args);
        for text in [&output.out, &output.err] {
            let raw = text.chars().find(|c| c.is_control() && *c != '\n' || *c == '\u{202e}');
            assert_eq!(raw, None, "{args:?}: {text:?}");
        }
    }
}

/// No file causes a panic, and each has one of the documented exit codes.
#[test]
#[ignore = "large collections: make verify"]
fn every_malformed_file() {
    let root = std::env::var_os("HALFMOVE_DATA").expect("HALFMOVE_DATA names the data folder");
    let mut folders = vec![Path::new(&root).join("malformed"), Path::new(&root).join("encodings")];
    let mut codes = [0; 3];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.to_str().unwrap();
            let checked = run(&["pgn", "check", name, "--limit", "1000000"]);
            let counted = run(&["pgn", "stats", name, "--format", "json"]);
            assert!(
                !checked.err.contains("panicked") && !counted.err.contains("panicked"),
                "{name}"
            );
            assert!((0..=2).contains(&checked.code), "{name}: {}", checked.code);
            codes[checked.code as usize] += 1;
            // The two verbs agree if it is PGN, and if it is faulty.
            assert_eq!(checked.code == 2, counted.code == 2, "{name}");
            if checked.code < 2 {
                let counts: Value = serde_json::from_str(&counted.out).unwrap();
                let clean = counts["faults"].as_object().unwrap().is_empty();
                assert_eq!(checked.code == 0, clean, "{name}");
                assert_eq!(checked.out.ends_with(" no faults\n"), clean, "{name}");
            }
        }
    }
    assert!(codes.iter().sum::<i32>() >= 321, "{codes:?}");
    assert!(codes[0] > 100 && codes[1] > 40, "{codes:?}");
}

/// An unfinished file replaces no other file, not even one with `.part` in its name.
#[test]
fn files_beside_the_output_stay_as_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let game = "[Event \"a\"]\n\n1. e4 *\n";
    for name in ["in.pgn.part", "other.pgn.part", "old.pgn"] {
        fs::write(path(name), game).expect("a file");
    }
    let output = run(&["pgn", "normalize", &path("in.pgn.part"), "--output", &path("in.pgn")]);
    assert_eq!(output.code, 0, "{output:?}");
    let output = run(&["pgn", "normalize", &path("in.pgn"), "--output", &path("other.pgn")]);
    assert_eq!(output.code, 0, "{output:?}");
    for name in ["in.pgn.part", "other.pgn.part"] {
        assert_eq!(fs::read_to_string(path(name)).expect("still there"), game);
    }
    let mut names: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
    names.retain(|entry| {
        entry.as_ref().is_ok_and(|e| e.file_name().to_string_lossy().starts_with('.'))
    });
    assert!(names.is_empty(), "{names:?}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        // A folder stands for its regular files: a pipe in it may never get a writer.
        fs::create_dir(path("folder")).expect("a folder");
        fs::copy(path("in.pgn"), path("folder/a.pgn")).expect("a copy");
        let pipe = Command::new("mkfifo").arg(path("folder/b.pgn")).status();
        assert!(pipe.expect("mkfifo").success());
        let output = run(&["pgn", "stats", &path("folder")]);
        assert_eq!(output.code, 0, "{output:?}");
        // Through a link, its target is written, with the permissions that it had.
        let mode =
            |name: &str| fs::metadata(path(name)).expect("a file").permissions().mode() & 0o777;
        fs::set_permissions(path("old.pgn"), PermissionsExt::from_mode(0o640)).expect("allowed");
        symlink(path("old.pgn"), path("link.pgn")).expect("a link");
        let output =
            run(&["pgn", "normalize", &path("in.pgn"), "--force", "--output", &path("link.pgn")]);
        assert_eq!(output.code, 0, "{output:?}");
        assert!(fs::symlink_metadata(path("link.pgn")).expect("a link").is_symlink());
        assert!(fs::read_to_string(path("old.pgn")).expect("a file").contains("[Site"));
        assert_eq!(mode("old.pgn"), 0o640);
        // A dangling link stays, too, and leads to the new file.
        symlink("new.pgn", path("nowhere.pgn")).expect("a link");
        let output = run(&["pgn", "normalize", &path("in.pgn"), "--output", &path("nowhere.pgn")]);
        assert_eq!(output.code, 0, "{output:?}");
        assert!(fs::symlink_metadata(path("nowhere.pgn")).expect("a link").is_symlink());
        assert!(fs::symlink_metadata(path("new.pgn")).expect("a file").is_file());
        // The file has the permissions of a new file, not those of a temporary one.
        fs::write(path("usual"), "").expect("a file");
        assert_eq!(mode("in.pgn"), mode("usual"));
    }
    let output = run(&["import", &path("archive"), &path("in.pgn")]);
    assert_eq!(output.code, 0, "{output:?}");
    for inside in ["archive/games.pgn", "archive/_delta_log/00000000000000000001.json"] {
        let output = run(&["pgn", "normalize", &path("in.pgn"), "--output", &path(inside)]);
        assert!(output.code == 2 && output.err.contains("this folder is an archive"), "{output:?}");
    }
}

/// A signal removes an unfinished file, even while the program waits for its input. A signal that the program ignores
/// does not.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_output_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = || fs::read_dir(folder.path()).expect("a folder").count();
    let program = env!("CARGO_BIN_EXE_halfmove");
    let signals =
        [("INT", 130, ""), ("TERM", 143, ""), ("HUP", 129, ""), ("HUP", 0, "trap '' HUP;")];
    for (signal, code, trap) in signals {
        let target = folder.path().join("out.pgn");
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{trap} exec \"$0\" pgn normalize - --output \"$1\"")]);
        command.arg(program).arg(&target).stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all("[Event \"a\"]\n\n1. e4 *\n\n".repeat(100_000).as_bytes()).expect("read");
        // Nothing is read before the file exists.
        assert_eq!(names(), 1);
        let (signal, id) = (format!("-{signal}"), child.id().to_string());
        assert!(Command::new("kill").args([signal, id]).status().expect("kill").success());
        if code == 0 {
            drop(stdin);
            let output = finished(child.wait_with_output().expect("it ends"));
            assert_eq!(output.code, 0, "{output:?}");
            assert!(fs::read_to_string(&target).expect("a file").ends_with("1. e4 *\n\n"));
        } else {
            let output = finished(child.wait_with_output().expect("it ends"));
            assert_eq!((output.code, names()), (code, 0), "{output:?}");
            assert_eq!(output.err, "error: nothing was written: interrupted\n");
        }
    }
}

/// The reader of the output may close it, or the disk may be full; the exit code still reports the faults.
#[cfg(target_os = "linux")]
#[test]
fn outputs_of_all_kinds() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    fs::write(path("faulty.pgn"), "[Event \"a\"]\n\n1. e5 *\n\n".repeat(3000)).expect("a file");
    fs::write(path("sound.pgn"), "[Event \"a\"]\n\n1. e4 *\n\n").expect("a file");
    let program = env!("CARGO_BIN_EXE_halfmove");
    let bash = |script: &str| {
        let mut bash = Command::new("bash");
        bash.args(["-c", script, program]).args([path("faulty.pgn"), path("sound.pgn")]);
        finished(bash.current_dir(folder.path()).stdin(Stdio::null()).output().expect("bash"))
    };
    // A reader of only the first line still gets the exit code for faults, and the rejects.
    let head = bash("$0 pgn check $1 --limit 5000 | head -1; exit ${PIPESTATUS[0]}");
    assert_eq!((head.code, head.out.as_str()), (1, "error: illegal move \"e5\"\n"), "{head:?}");
    let head =
        "$0 pgn check $1 --limit 5000 --rejects rejects.pgn | head -1; exit ${PIPESTATUS[0]}";
    assert_eq!(bash(head).code, 1);
    let rejects = fs::read_to_string(path("rejects.pgn")).expect("a file");
    assert_eq!(rejects.matches("1. e5").count(), 3000);
    // A pipe is written directly.
    for script in
        ["$0 pgn normalize $2 -o >(cat); wait $!", "$0 pgn normalize $2 -o /dev/stdout | cat"]
    {
        let piped = bash(script);
        assert!(piped.out.ends_with("\n\n1. e4 *\n\n"), "{piped:?}");
    }
    // A full disk is reported once, not for each file.
    for script in [
        "$0 pgn normalize $2 $2 $1 > /dev/full",
        "$0 pgn normalize $2 $1 -o /dev/full",
        "$0 pgn check $1 $1 > /dev/full",
        "$0 pgn check $1 $1 --rejects /dev/full > /dev/null",
    ] {
        let full = bash(script);
        assert_eq!(full.code, 2, "{script}: {full:?}");
        assert_eq!(full.err.matches("No space left").count(), 1, "{script}: {full:?}");
    }
    let missing = bash("$0 pgn normalize missing.pgn $1 -o out.pgn");
    assert_eq!(missing.code, 2);
    assert!(missing.err.ends_with("out.pgn was not written\n"), "{missing:?}");
    assert!(!Path::new(&path("out.pgn")).exists());
    let nowhere = bash("$0 pgn normalize $2 -o nowhere/out.pgn");
    assert!(nowhere.err.contains("there is no such folder"), "{nowhere:?}");
    let protected = bash("chmod 444 rejects.pgn; $0 pgn normalize $2 --force -o rejects.pgn");
    assert!(protected.code == 2 && protected.err.contains("write-protected"), "{protected:?}");
    assert_eq!(fs::read_to_string(path("rejects.pgn")).expect("a file"), rejects);
    let export =
        bash("$0 import archive $2 -q && $0 export archive --player nosuchplayer -o none.pgn");
    assert_eq!(export.code, 1, "{export:?}");
    assert!(
        export.err.ends_with("none.pgn was not written\n")
            && !Path::new(&path("none.pgn")).exists()
    );
}

#[test]
fn annotations_are_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.pgn").to_string_lossy().into_owned();
    let text = "[Event \"a\"]\n\n1. e4! {best} (1. d4 $5 {also} d5) 1... e5 {[%clk 0:01:00]} 1-0\n";
    fs::write(&path, text).expect("a file");
    for (flags, moves) in [
        (&["--no-comments"][..], "1. e4! (1. d4 $5 d5) 1... e5 1-0"),
        (&["--no-nags"], "1. e4 {best} (1. d4 {also} 1... d5) 1... e5 {[%clk 0:01:00]} 1-0"),
        (&["--no-variations"], "1. e4! {best} 1... e5 {[%clk 0:01:00]} 1-0"),
        (&["--no-comments", "--no-nags", "--no-variations"], "1. e4 e5 1-0"),
    ] {
        let out = ok(&[&["pgn", "normalize", &path], flags].concat());
        assert_eq!(out.lines().filter(|line| !line.starts_with('[')).collect::<String>(), moves);
    }
}

/// A file is not overwritten while it is standard input.
#[cfg(unix)]
#[test]
fn standard_input_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.pgn");
    let text = "1. e4 e9 *\n\n1. d4 *\n";
    fs::write(&path, text).unwrap();
    for args in [&["pgn", "check", "-", "--rejects"][..], &["pgn", "normalize", "-", "-o"]] {
        let mut verb = halfmove(&[args, &[path.to_str().unwrap()]].concat());
        let output = finished(verb.stdin(fs::File::open(&path).unwrap()).output().unwrap());
        assert!(output.code == 2 && output.err.contains("is being read"), "{output:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

/// A game after a text without an end is still a separate game.
#[test]
fn copies_stay_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (first, second, out) = (path("a.pgn"), path("b.pgn"), path("out.pgn"));
    let games = |path: &str| -> Value {
        let stats =
            finished(halfmove(&["pgn", "stats", path, "--format", "json"]).output().unwrap());
        serde_json::from_str(&stats.out).unwrap()
    };
    for (one, two) in [
        ("[White \"a\"]\n\n1. e4 e9", "[Black \"c\"]\n\n1. e4 e9 1-0\n"),
        ("1. d4 e9\n", "1. Nf3 Ke4\n"),
        ("1. e4 e9 {unclosed", "1. d4 Ke9 2. c4"),
        ("1. e4 e9 (1. d4 (1. c4", "1. d4 Ke9 {x} *"),
        ("1. e4 e9", "{about y}\n[Event \"x\"]\n\n1. d4 *\n"),
    ] {
        fs::write(&first, one).unwrap();
        fs::write(&second, two).unwrap();
        let normalize = finished(
            halfmove(&["pgn", "normalize", &first, &second, "--force", "-o", &out])
                .output()
                .unwrap(),
        );
        assert_eq!(normalize.code, 0, "{normalize:?}");
        let (a, b, both) = (games(&first), games(&second), games(&out));
        for key in ["games", "plies", "comments", "variations"] {
            let sum = a[key].as_u64().unwrap() + b[key].as_u64().unwrap();
            assert_eq!(both[key].as_u64(), Some(sum), "{key}: {one} and {two}");
        }
        fs::remove_file(&out).unwrap();
        let _ = halfmove(&["pgn", "check", &first, &second, "--rejects", &out]).output().unwrap();
        let rejected = 1 + u64::from(!two.contains("Event"));
        assert_eq!(games(&out)["games"].as_u64(), Some(rejected), "{one} and {two}");
    }
}

/// Comments before text outside of games are still comments.
#[test]
fn comments_before_prose_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    let text = "[Event \"a\"]\n\n1. e4 1-0\n\n{kept}\n% escape\nprose\n\n[Event \"b\"]\n\n\
                1. d4 *\n\n; last words\nprose\n";
    fs::write(&path, text).unwrap();
    let output =
        finished(halfmove(&["pgn", "normalize", path.to_str().unwrap()]).output().unwrap());
    for kept in ["{kept}", "% escape", "last words"] {
        assert!(output.out.contains(kept), "{kept}: {output:?}");
    }
}

/// Warnings without end do not hide an error.
#[test]
fn warnings_hide_no_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    let prose = "this is prose\n".repeat(3_000);
    fs::write(&path, format!("{prose}\n[White \"a\"]\n\n1. e4 (1. d4 Ke5) e5 1-0\n")).unwrap();
    let path = path.to_str().unwrap();
    let check = finished(halfmove(&["pgn", "check", path, "--format", "json"]).output().unwrap());
    let found: Value = serde_json::from_str(&check.out).unwrap();
    let kinds = [("outside_text", 1_000), ("more_faults", 2_000), ("illegal_move", 1)];
    for (kind, count) in kinds {
        assert_eq!(found["kinds"][kind], count, "{kind}");
    }
    let normalize = finished(halfmove(&["pgn", "normalize", path]).output().unwrap());
    assert!(normalize.err.contains("1 game with errors copied unchanged"), "{}", normalize.err);
    assert!(normalize.err.contains("3,000 lines of text outside"), "{}", normalize.err);
}
