//! Files of games in the place of archives.

use crate::program::{archive_of, finished, halfmove, ok, testdata};
use serde_json::Value;
use std::fs;
use std::path::Path;

const GAMES: &str = "games/masters.pgn.zst";

/// Runs the program with a cache of its own.
fn run(cache: &Path, args: &[&str]) -> (i32, String, String) {
    let output = halfmove(args).env("XDG_CACHE_HOME", cache).output().expect("the program starts");
    let output = finished(output);
    (output.code, output.out, output.err)
}

/// The folders in a cache.
fn kept(cache: &Path) -> Vec<String> {
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
    let (folder, archive) = archive_of(&[GAMES]);
    let (file, cache) = (testdata(GAMES), folder.path().join("cache"));
    let file = file.to_str().unwrap();
    let packed = folder.path().join("games.hmz");
    let packed = packed.to_str().unwrap();
    ok(&["pack", &archive, "--output", packed]);
    for (number, args) in [
        &["search", "--player", "tal", "--format", "json"][..],
        &["search", "--structure", "iqp", "--count"],
        &["explore", "--moves", "e4 c5", "--format", "json"],
        &["stats", "--format", "json"],
        &["show", "7"],
        &["duplicates", "--format", "json"],
        &["export", "--player", "karpov"],
        &["players", "--format", "json"],
        &["events", "--format", "json"],
        &["sql", "select eco, count(*) from games group by eco order by eco", "--format", "csv"],
    ]
    .iter()
    .enumerate()
    {
        let with = |path| [&args[..1], &[path], &args[1..]].concat();
        let expected = ok(&with(&archive));
        for (path, first) in [(file, number == 0), (packed, number == 0)] {
            let (code, out, err) = run(&cache, &with(path));
            assert_eq!((code, &out), (0, &expected), "{args:?}: {err}");
            assert_eq!(err.contains("20,816 games of "), first, "{args:?}: {err}");
        }
    }
    assert_eq!(kept(&cache).len(), 2);
    let (code, out, _) = run(&cache, &["info", file, "--format", "json"]);
    let info: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, &info["games"]), (0, &Value::from(20_816)));
}

/// A changed file is read again, and a cache that is damaged or cannot be written does no harm.
#[test]
fn files_change_and_caches_break() {
    let folder = tempfile::tempdir().unwrap();
    let (file, cache) = (folder.path().join("club.pgn"), folder.path().join("cache"));
    let name = file.to_str().unwrap();
    let count = ["search", name, "--count"];
    fs::write(&file, "1. e4 *\n").unwrap();
    assert_eq!(run(&cache, &count).1, "1\n");
    fs::write(&file, "1. e4 *\n\n1. d4 *\n\n1. Ke5 *\n").unwrap();
    let (_, out, err) = run(&cache, &count);
    assert_eq!(out, "3\n");
    assert!(err.contains("1 game with a fault or left out: halfmove pgn check"), "{err}");
    let [_, _] = kept(&cache)[..] else { panic!("{:?}", kept(&cache)) };
    for entry in kept(&cache) {
        let log = cache.join("halfmove/games").join(entry).join("club/_delta_log");
        fs::remove_dir_all(log).unwrap();
    }
    assert_eq!(run(&cache, &count).1, "3\n");
    let blocked = folder.path().join("blocked");
    fs::write(&blocked, "no folder").unwrap();
    let (code, _, err) = run(&blocked, &count);
    assert_eq!(code, 2);
    assert!(err.contains("cannot keep the games") && err.contains("XDG_CACHE_HOME"), "{err}");
}

/// The games of sixteen files are kept, those of the others forgotten.
#[test]
fn caches_are_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let file = |number| folder.path().join(format!("{number}.pgn"));
    for number in 0..20 {
        fs::write(file(number), "1. e4 *\n").unwrap();
        for used in [0, number] {
            let (code, out, err) =
                run(&cache, &["search", file(used).to_str().unwrap(), "--count"]);
            assert_eq!((code, out.as_str()), (0, "1\n"), "{err}");
        }
    }
    assert_eq!(kept(&cache).len(), 16);
    let (_, _, err) = run(&cache, &["search", file(0).to_str().unwrap(), "--count"]);
    assert_eq!(err, "", "the file that was used all the time is forgotten");
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
    for args in [
        &["remove", &games, "--id", "1"][..],
        &["undo", &games],
        &["compact", &games],
        &["history", &games],
        &["verify", &games],
        &["duplicates", &games, "--remove"],
        &["players", "merge", &games, "B", "A"],
    ] {
        let (code, _, err) = run(&cache, args);
        assert_eq!(code, 2, "{args:?}");
        assert!(err.contains("it is a file"), "{args:?}: {err}");
        assert!(err.contains("halfmove import ARCHIVE "), "{args:?}: {err}");
    }
    for (path, part) in [
        (file("empty.pgn", b""), "there is no game in this file"),
        (file("text.pgn", b"no games at all"), "there is no game in this file"),
        (file("binary.pgn", &[0; 100]), "a binary file"),
        (folder.path().join("missing.pgn").to_str().unwrap().to_owned(), "cannot read"),
    ] {
        let (code, out, err) = run(&cache, &["search", &path]);
        assert_eq!((code, out.as_str()), (2, ""), "{path}");
        assert!(err.contains(part), "{path}: {err}");
    }
    assert_eq!(kept(&cache), Vec::<String>::new());
}
