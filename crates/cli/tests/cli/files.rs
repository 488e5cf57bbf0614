//! Files of games in the place of archives.

use crate::program::{archive_of, finished, halfmove, ok};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Runs the program with a cache of its own.
pub(crate) fn run(cache: &Path, args: &[&str]) -> (i32, String, String) {
    let output = halfmove(args).env("XDG_CACHE_HOME", cache).output().expect("the program starts");
    let output = finished(output);
    (output.code, output.out, output.err)
}

/// The folders in a cache.
pub(crate) fn kept(cache: &Path) -> Vec<String> {
    let folder = fs::read_dir(cache.join("halfmove/games")).expect("a cache");
    let mut names: Vec<String> = folder
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// A verb prints the same for a file as for an archive of its games.
#[test]
fn verbs_read_files() {
    let (folder, games) = archive_of(&["games/annotated.pgn.zst", "games/lichess.pgn.zst"]);
    let cache = folder.path().join("cache");
    let name = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (file, packed, archive) = (name("club.pgn"), name("club.hmz"), name("club"));
    // One of them twice.
    let games = ok(&["export", &games]) + &ok(&["show", &games, "7", "--format", "pgn"]);
    fs::write(&file, games).unwrap();
    ok(&["import", &archive, &file, "--duplicates", "keep"]);
    ok(&["pack", &archive, "--output", &packed]);
    for (number, args) in [
        &["search", "--player", "gligoric", "--format", "json"][..],
        &["search", "--structure", "iqp", "--count"],
        &["explore", "--moves", "e4 c5", "--format", "json"],
        &["stats", "--format", "json"],
        &["show", "7"],
        &["duplicates", "--format", "json"],
        &["export", "--player", "fedorowicz"],
        &["players", "--format", "json"],
        &["events", "--format", "json"],
        #[cfg(feature = "sql")]
        &["sql", "select eco, count(*) from games group by eco order by eco", "--format", "csv"],
    ]
    .iter()
    .enumerate()
    {
        let with = |path| [&args[..1], &[path], &args[1..]].concat();
        let expected = ok(&with(&archive));
        for path in [&file, &packed] {
            let (code, out, err) = run(&cache, &with(path));
            assert_eq!((code, &out), (0, &expected), "{args:?}: {err}");
            assert_eq!(err.contains("518 games of "), number == 0, "{args:?}: {err}");
        }
    }
    assert_eq!(kept(&cache).len(), 2);
    let again = name("again.hmz");
    assert_eq!(run(&cache, &["pack", &file, "--output", &again]).0, 0);
    assert_eq!(fs::read(again).unwrap(), fs::read(&packed).unwrap());
    let (code, out, _) = run(&cache, &["info", &file, "--format", "json"]);
    let info: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, &info["games"]), (0, &Value::from(518)));
}

/// Files without a game are refused, and verbs that change games ask for an archive.
#[test]
fn what_is_no_archive() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let file = |name: &str, text: &[u8]| {
        fs::write(folder.path().join(name), text).unwrap();
        folder.path().join(name).to_str().unwrap().to_owned()
    };
    let games = file("club.pgn", b"1. e4 e5 *\n");
    let packed = folder.path().join("club.hmz").to_str().unwrap().to_owned();
    assert_eq!(run(&cache, &["pack", &games, "-o", &packed]).0, 0);
    fs::remove_dir_all(&cache).unwrap();
    fs::create_dir_all(cache.join("halfmove/games")).unwrap();
    for args in [
        &["remove", &games, "--id", "1"][..],
        &["remove", &games],
        &["remove", &packed, "--id", "1"],
        // A FEN without its last fields is read with a warning.
        &["remove", &games, "--fen", "8/8/8/8/8/8/k7/2K5 w"],
        &["undo", &games],
        &["compact", &games],
        &["history", &games],
        &["verify", &games],
        &["duplicates", &games, "--remove"],
        &["players", "merge", &games, "B", "A"],
    ] {
        let (code, _, err) = run(&cache, args);
        assert_eq!(code, 2, "{args:?}");
        assert!(err.starts_with("error: no archive at "), "{args:?}: {err}");
        assert!(err.contains("it is a file"), "{args:?}: {err}");
        assert!(err.contains("halfmove import ARCHIVE "), "{args:?}: {err}");
    }
    for (path, part) in [
        (file("empty.pgn", b""), "there is no game in this file"),
        (file("text.pgn", b"no games at all"), "there is no game in this file"),
        (file("binary.pgn", &[0; 100]), "a binary file"),
        (file("club.parquet", b"PAR1"), "a Parquet file, expected PGN"),
        (file("club.parquet", b"PAR1"), "halfmove import ARCHIVE "),
        (folder.path().join("missing.pgn").to_str().unwrap().to_owned(), "cannot read"),
    ] {
        let (code, out, err) = run(&cache, &["search", &path]);
        assert_eq!((code, out.as_str()), (2, ""), "{path}");
        assert!(err.contains(part), "{path}: {err}");
    }
    assert_eq!(kept(&cache), Vec::<String>::new());
}

/// The hint to import a folder of games looks into its folders, but not at all entries of a large tree.
#[test]
fn folders_of_games_are_recognized() {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("tree");
    let hint = || {
        let (code, _, err) = run(folder.path(), &["search", tree.to_str().unwrap()]);
        assert!(code == 2 && err.starts_with("error: no archive at "), "{err}");
        err.contains("to create an archive of these games: halfmove import ARCHIVE ")
    };
    let deep = tree.join("a/b/c");
    fs::create_dir_all(&deep).unwrap();
    fs::write(tree.join("a/notes.txt"), "").unwrap();
    fs::create_dir(deep.join("folder.pgn")).unwrap();
    assert!(!hint());
    fs::write(deep.join("club.pgn.gz"), "").unwrap();
    assert!(hint());
    for number in 0..10_000 {
        fs::write(tree.join(format!("{number}.txt")), "").unwrap();
    }
    assert!(!hint());
}

/// Pipes and devices are refused with a hint, and never read.
#[cfg(unix)]
#[test]
fn what_is_read_only_once() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let fifo = folder.path().join("club.pgn");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let fifo = fifo.to_str().unwrap();
    for path in ["-", "/dev/stdin", "/dev/null", fifo] {
        for verb in ["search", "remove", "info"] {
            let mut command = halfmove(&[verb, path]);
            command.env("XDG_CACHE_HOME", &cache).stdin(Stdio::piped());
            let output = finished(command.output().unwrap());
            assert_eq!((output.code, output.out.as_str()), (2, ""), "{verb} {path}");
            assert!(output.err.contains("can be read only once"), "{verb} {path}: {}", output.err);
            let hint = format!("halfmove import ARCHIVE {path}");
            assert!(output.err.contains(&hint), "{verb} {path}: {}", output.err);
        }
    }
    assert!(!cache.exists());
}

/// The URL of a file is that file.
#[test]
fn files_have_urls() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let file = folder.path().join("my games.pgn");
    fs::write(&file, "1. e4 e5 *\n\n1. d4 *\n").unwrap();
    let url = format!("file://{}", file.to_str().unwrap().replace(' ', "%20"));
    for path in [url.as_str(), file.to_str().unwrap()] {
        let (code, out, err) = run(&cache, &["search", path, "--count"]);
        assert_eq!((code, out.as_str()), (0, "2\n"), "{err}");
    }
    assert_eq!(kept(&cache).len(), 1);
    let (code, _, err) = run(&cache, &["remove", &url, "--id", "1"]);
    assert!(code == 2 && err.contains("halfmove import ARCHIVE"), "{err}");
}

/// No verb writes over the file that it reads, by whatever name, and none reads it before it says so.
#[test]
fn no_verb_writes_over_its_input() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let text = "[White \"Anna\"]\n\n1. e4 {[%eval 0.2]} e5 1-0\n";
    let in_folder = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (file, link, query) = (in_folder("club.pgn"), in_folder("link.pgn"), in_folder("q.sql"));
    fs::write(&file, text).unwrap();
    fs::write(&query, "select 1").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&file, &link).unwrap();
    #[cfg(not(unix))]
    fs::copy(&file, &link).unwrap();
    let mut outputs = vec!["club.pgn", "./club.pgn", &file];
    if cfg!(unix) {
        outputs.push(&link);
    }
    for output in outputs {
        for args in [
            &["export", "club.pgn"][..],
            &["pack", "club.pgn"],
            &["search", "club.pgn", "--format", "pgn"],
            &["search", "club.pgn", "--format", "json", "--count"],
            &["search", "club.pgn", "--player", "nosuchplayer"],
            &["explore", "club.pgn", "--format", "pgn"],
            #[cfg(feature = "sql")]
            &["sql", "club.pgn", "select 1", "--format", "csv"],
            &["pgn", "normalize", "club.pgn"],
            &["encode", "club.pgn"],
            &["decode", "club.pgn"],
            &["analyze", "club.pgn", "--nodes", "1"],
            &["analyze", "other.pgn", "--nodes", "1", "--against", "club.pgn"],
        ] {
            fs::write(folder.path().join("other.pgn"), text).unwrap();
            let args = [args, &["--output", output, "--force"]].concat();
            let mut command = halfmove(&args);
            command.env("XDG_CACHE_HOME", &cache).current_dir(&folder);
            let done = finished(command.output().unwrap());
            assert_eq!(done.code, 2, "{args:?}: {}", done.err);
            assert!(done.err.contains("this file is being read"), "{args:?}: {}", done.err);
            assert_eq!(fs::read_to_string(&file).unwrap(), text, "{args:?}");
            let is_read = args[0] == "analyze" && args.contains(&"--against");
            assert!(is_read || !cache.exists(), "{args:?}");
        }
        let _ = fs::remove_dir_all(&cache);
        let mut command = halfmove(&["pgn", "check", &file, "--rejects", output, "--force"]);
        let done = finished(command.current_dir(&folder).output().unwrap());
        assert!(done.code == 2 && done.err.contains("this file is being read"), "{}", done.err);
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
    // Nor one that is there, unless it is told to, nor a folder.
    let (code, _, err) = run(&cache, &["export", &file, "-o", &query]);
    assert!(code == 2 && err.contains("this file exists, and stays as it is"), "{err}");
    let whole = folder.path().to_str().unwrap();
    let (code, _, err) = run(&cache, &["export", &file, "-o", whole, "--force"]);
    assert!(code == 2 && err.contains("this is a folder, expected a file"), "{err}");
    assert!(!cache.exists());
}

/// A file has no versions.
#[cfg(feature = "sql")]
#[test]
fn files_have_no_versions() {
    let folder = tempfile::tempdir().unwrap();
    let (file, cache) = (folder.path().join("club.pgn"), folder.path().join("cache"));
    fs::write(&file, "1. e4 *\n").unwrap();
    let file = file.to_str().unwrap();
    for version in ["0", "1", "7"] {
        let query = ["sql", file, "select count(*) from games", "--archive-version", version];
        let (code, out, err) = run(&cache, &query);
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert!(err.contains("club.pgn is a file, and only archives have versions"), "{err}");
        assert!(err.contains("halfmove import ARCHIVE "), "{err}");
    }
}
