//! Imports in practice: many files, few descriptors, links, signals, and no leftovers.

use crate::program::{Finished, finished, halfmove, ok, run, testdata};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const GAME: &str = "[Event \"A\"]\n\n1. e4 e5 *\n\n";

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn games(archive: &str) -> u64 {
    let info: serde_json::Value =
        serde_json::from_str(&ok(&["info", archive, "--format", "json"])).unwrap();
    info["games"].as_u64().unwrap()
}

#[test]
fn an_import_of_nothing_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let fresh = path("deep/fresh");
    fs::write(path("letter.txt"), "Dear reader,\n\nthis is no game of chess.\n").unwrap();
    fs::write(path("bad.pgn"), "[Event \"x\"]\n\n1. e4 e5 2. Ke3 *\n").unwrap();
    fs::write(path("good.pgn"), GAME).unwrap();
    let packed = fs::read(testdata("games/masters.pgn.zst")).unwrap();
    fs::write(path("cut.pgn.zst"), &packed[..packed.len() / 2]).unwrap();
    let masters = testdata("games/masters.pgn.zst");
    for (args, word) in [
        (vec![path("letter.txt")], "no games"),
        (vec!["--strict".to_owned(), path("bad.pgn")], "--strict"),
        (vec![path("good.pgn"), path("missing.pgn")], "no such file"),
        (vec![masters.to_str().unwrap().to_owned(), path("cut.pgn.zst")], "truncated"),
    ] {
        let mut import = vec!["import", &fresh];
        import.extend(args.iter().map(String::as_str));
        let output = run(&import);
        assert_eq!(output.code, 2, "{output:?}");
        assert!(output.err.contains(word), "{output:?}");
        assert!(!Path::new(&path("deep")).exists(), "{args:?} leaves an archive");
    }
    // In an existing archive, nothing is left either.
    ok(&["import", &fresh, &path("good.pgn")]);
    let before = names(Path::new(&fresh));
    let output = run(&["import", &fresh, masters.to_str().unwrap(), &path("cut.pgn.zst")]);
    assert_eq!(output.code, 2);
    assert_eq!(names(Path::new(&fresh)), before);
}

#[cfg(unix)]
#[test]
fn each_file_is_read_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir_all(path("games/more")).unwrap();
    fs::write(path("games/a.pgn"), GAME).unwrap();
    fs::write(path("games/more/b.pgn"), GAME.replace('A', "B")).unwrap();
    fs::write(path("games/more/notes.txt"), "no game").unwrap();
    std::os::unix::fs::symlink("..", path("games/more/up")).unwrap();
    std::os::unix::fs::symlink(path("games"), path("games/self")).unwrap();
    std::os::unix::fs::symlink(path("games/a.pgn"), path("games/more/c.pgn")).unwrap();
    let archive = path("archive");
    let output = run(&["import", &archive, &path("games"), &path("games/more/b.pgn")]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.out.starts_with("2 games "), "{output:?}");
    for repeated in ["games/more/c.pgn", "games/more/b.pgn"] {
        let note = format!("{}: named twice, read once\n", path(repeated));
        assert!(output.err.contains(&note), "{output:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn more_files_than_descriptors() {
    let folder = tempfile::tempdir().unwrap();
    let many = folder.path().join("games");
    fs::create_dir(&many).unwrap();
    for number in 0..1_100 {
        let game = GAME.replace('A', &number.to_string());
        fs::write(many.join(format!("{number}.pgn")), game).unwrap();
    }
    let archive = folder.path().join("archive");
    let script = "ulimit -n 64 && exec \"$0\" import \"$1\" \"$2\"";
    let program = halfmove(&[]).get_program().to_owned();
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).arg(program).arg(&archive).arg(&many);
    let output = finished(shell.output().unwrap());
    assert_eq!(output.code, 0, "{output:?}");
    assert!(
        output.out.starts_with("1,100 games with 2,200 half-moves from 1,100 files"),
        "{output:?}"
    );
    assert_eq!(names(&archive).iter().filter(|name| name.ends_with(".parquet")).count(), 1);
}

/// An import that reads from a pipe and has already received some games.
#[cfg(unix)]
fn reading(archive: &Path) -> Child {
    let unfinished = |name: &String| name.ends_with(".tmp");
    let count = || match archive.is_dir() {
        true => names(archive).iter().filter(|name| unfinished(name)).count(),
        false => 0,
    };
    let before = count();
    let mut import = halfmove(&["import", archive.to_str().unwrap(), "-"]);
    import.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = import.spawn().unwrap();
    let text = GAME.repeat(100_000);
    child.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    // Until a file has been begun.
    let begun = Instant::now();
    while count() == before {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing is written");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[cfg(unix)]
fn signal(child: &Child, signal: &str) {
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
}

#[cfg(unix)]
#[test]
fn an_interrupted_import_takes_everything_back() {
    for (name, code) in [("-INT", 130), ("-TERM", 143)] {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("archive");
        let mut child = reading(&archive);
        signal(&child, name);
        // Standard input stays open: the import does not wait for the rest of it.
        let stdin = child.stdin.take();
        let output = finished(child.wait_with_output().unwrap());
        drop(stdin);
        assert_eq!(output.code, code, "{output:?}");
        assert_eq!(output.err, "error: nothing was imported: interrupted\n");
        assert!(!archive.exists());
    }
}

#[cfg(unix)]
#[test]
fn leftovers_of_a_killed_import_are_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive");
    let mut child = reading(&archive);
    child.kill().unwrap();
    child.wait().unwrap();
    let litter = names(&archive);
    assert!(litter.iter().any(|name| name.ends_with(".tmp")), "{litter:?}");
    // Another import is running: its file stays.
    let mut busy = reading(&archive);
    let pgn = testdata("games/setup.pgn");
    ok(&["import", archive.to_str().unwrap(), pgn.to_str().unwrap()]);
    let left = names(&archive);
    assert_eq!(left.iter().filter(|name| name.ends_with(".tmp")).count(), 1, "{left:?}");
    drop(busy.stdin.take());
    let output = finished(busy.wait_with_output().unwrap());
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(games(archive.to_str().unwrap()), 49 + 100_000);
    assert!(!names(&archive).iter().any(|name| name.starts_with(".halfmove")));
}

#[test]
fn waiting_for_the_lock_is_noted() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive");
    let pgn = testdata("games/setup.pgn");
    let pgn = pgn.to_str().unwrap();
    ok(&["import", archive.to_str().unwrap(), pgn]);
    let lock = File::options().write(true).open(archive.join("_halfmove.lock")).unwrap();
    lock.lock().unwrap();
    let mut import = halfmove(&["import", "--again", archive.to_str().unwrap(), pgn]);
    let mut child = import.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "waiting for another import into this archive to finish its commit\n");
    assert!(child.try_wait().unwrap().is_none());
    lock.unlock().unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(games(archive.to_str().unwrap()), 98);
}

#[test]
fn quiet_is_quiet() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("bad.pgn"), format!("{GAME}[Event \"x\"]\n\n1. e4 e5 2. Ke3 *\n")).unwrap();
    fs::write(path("letter.pgn"), "Dear reader\n").unwrap();
    let archive = path("archive");
    let (bad, letter) = (path("bad.pgn"), path("letter.pgn"));
    let output = run(&["import", "-q", &archive, &bad, &letter, &bad]);
    assert_eq!((output.code, output.out.as_str(), output.err.as_str()), (0, "", ""));
    // But an error is one.
    let output = run(&["import", "-q", "--again", "--strict", &archive, &bad]);
    assert_eq!(output.code, 2);
    assert!(output.err.contains("game 2, line 7, column 13"), "{output:?}");
}

#[cfg(unix)]
#[test]
fn an_export_to_a_device_needs_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive");
    let archive = archive.to_str().unwrap();
    let pgn = testdata("games/setup.pgn");
    ok(&["import", archive, pgn.to_str().unwrap()]);
    ok(&["export", archive, "--output", "/dev/null"]);
    assert!(!Path::new("/dev/null.part").exists());
    // A pipe gets everything, too.
    let fifo = folder.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let reader = fifo.clone();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        File::open(reader).unwrap().read_to_string(&mut text).unwrap();
        text
    });
    ok(&["export", archive, "--output", fifo.to_str().unwrap()]);
    assert!(reader.join().unwrap() == ok(&["export", archive]));
    assert!(fs::symlink_metadata(&fifo).is_ok_and(|file| !file.is_file()));
}

/// The content of a file never controls the terminal.
#[test]
fn escape_sequences_stay_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let text = "[Event \"\u{1b}]0;owned\u{7}\"]\n[White \"\u{1b}[2Jwhite\u{9b}\"]\n\n1. e4 \u{1b}[31m e5 2. \u{1b}Ke3 *\n\n\
                [Event \"x\"]\n[Variant \"\u{1b}[31m\"]\n\n1. e4 *\n\nWords \u{1b}[5m outside\n";
    fs::write(path("bad.pgn"), text).unwrap();
    fs::write(path("letter.txt"), "Dear \u{1b}[5mreader\n").unwrap();
    let (archive, bad, letter) = (path("archive"), path("bad.pgn"), path("letter.txt"));
    let clean = |output: Finished| {
        for text in [&output.out, &output.err] {
            let raw = text.chars().find(|char| char.is_control() && *char != '\n');
            assert_eq!(raw, None, "{output:?}");
        }
        output
    };
    let output = clean(run(&["import", &archive, &bad]));
    assert!(output.err.contains("\\u{1b}"), "{output:?}");
    clean(run(&["import", &archive, &letter]));
    clean(run(&["import", &archive, "--strict", &bad]));
    for args in [
        &["search", &archive][..],
        &["search", &archive, "--format", "json"],
        &["show", &archive, "1"],
        #[cfg(feature = "sql")]
        &["sql", &archive, "select event, white, other_tags from games"],
        #[cfg(feature = "sql")]
        &["sql", &archive, "select white as \"\u{1b}[2J\" from games"],
        #[cfg(feature = "sql")]
        &["sql", &archive, "select white from games", "--format", "json"],
        #[cfg(feature = "sql")]
        &["sql", &archive, "select \u{1b}[2J from games"],
        &["explore", &archive],
        &["info", &archive],
    ] {
        let output = clean(run(args));
        if args[0] == "search" && args.len() == 2 {
            assert!(output.out.contains("\\u{1b}[2Jwhite\\u{9b}"), "{output:?}");
        }
    }
}

/// For every verb that reads files, a file without games is a warning if another one has games, and else an error.
#[test]
fn a_file_without_games_is_an_error_only_if_none_has_any() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (empty, letter, good) = (path("empty.pgn"), path("letter.pgn"), path("good.pgn"));
    fs::write(&empty, "").unwrap();
    fs::write(&letter, "Dear reader,\n\nthis is no game of chess.\n").unwrap();
    fs::write(&good, GAME).unwrap();
    let (bytes, strict) = (path("bytes.hmg"), path("strict.hmg"));
    let (clean, archive) = (path("clean.pgn"), path("archive"));
    for (before, after, out) in [
        (&["import", &archive, "--again"][..], &[][..], None),
        (&["pgn", "check"], &[], None),
        (&["pgn", "stats"], &[], None),
        (&["pgn", "normalize"], &["-o", &clean], Some(&clean)),
        (&["encode"], &["-o", &bytes], Some(&bytes)),
        (&["encode", "--strict"], &["-o", &strict], Some(&strict)),
        (&["analyze"], &["--nodes", "10", "--hash", "1"], None),
        (&[], &[], None),
    ] {
        let read = |files: &[&str]| run(&[before, files, after].concat());
        for files in [&[empty.as_str()][..], &[&letter], &[&empty, &letter]] {
            let output = read(files);
            assert_eq!(output.code, 2, "{before:?} {files:?}: {output:?}");
            assert!(output.err.contains("no games"), "{before:?} {files:?}: {output:?}");
            assert!(out.is_none_or(|out| !Path::new(out).exists()), "{before:?} {files:?}");
        }
        let output = read(&[&empty, &good, &letter]);
        assert_eq!(output.code, 0, "{before:?}: {output:?}");
        for words in [
            format!("warning: {empty}: no games, the file is empty\n"),
            format!("warning: {letter}: no games, this does not look like PGN"),
        ] {
            assert!(output.err.contains(&words), "{before:?}: no {words:?} in {output:?}");
        }
        assert!(!output.err.contains("error: "), "{before:?}: {output:?}");
        assert!(out.is_none_or(|out| Path::new(out).exists()), "{before:?}");
    }
    // A file that cannot be read is an error, whatever the others are.
    let missing = path("missing.pgn");
    let output = run(&["pgn", "check", &empty, &good, &missing]);
    assert!(output.code == 2 && output.err.contains("missing.pgn: no such file"), "{output:?}");
}
