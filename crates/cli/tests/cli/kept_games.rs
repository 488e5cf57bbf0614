//! The cache with the games of files.

use crate::files::{kept, run};
use crate::program::{finished, halfmove, testdata};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, SystemTime};

const GAMES: &str = "games/masters.pgn.zst";

/// The folder of the only entry of a cache.
fn entry(cache: &Path) -> PathBuf {
    let [name] = &kept(cache)[..] else { panic!("{:?}", kept(cache)) };
    cache.join("halfmove/games").join(name)
}

/// The files of a folder whose names end like this.
fn ending(folder: &Path, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.to_str().unwrap().ends_with(end)).collect();
    files.sort();
    files
}

/// Starts the program.
fn begin(cache: &Path, args: &[&str]) -> Child {
    let mut command = halfmove(args);
    command.env("XDG_CACHE_HOME", cache).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// A changed file is read again, even if it has kept its length and its time.
#[test]
fn changed_files_are_read_again() {
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
    assert_eq!(kept(&cache).len(), 2);
    let write = |path: &Path, player: &str, time: SystemTime| {
        fs::write(path, format!("[White \"{player}\"]\n\n1. e4 *\n")).unwrap();
        File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
    };
    let player = |expected: &str| {
        let (_, out, err) = run(&cache, &["players", name, "--format", "csv"]);
        assert!(out.contains(expected), "{expected}: {out}{err}");
    };
    let time = SystemTime::now() - Duration::from_secs(1_000);
    write(&file, "Anna", time);
    player("Anna");
    // On other systems than Unix, these are known limits.
    if cfg!(unix) {
        // `cp -p`, `touch -r`.
        write(&file, "Bert", time);
        player("Bert");
        // `mv`.
        let other = folder.path().join("other.pgn");
        write(&other, "Cleo", time);
        fs::rename(&other, &file).unwrap();
        player("Cleo");
    }
}

/// Damages the entry in a folder.
type Damage<'a> = &'a dyn Fn(&Path);

/// Games that are damaged in the cache are read again from their file, and no message is about the cache.
#[test]
fn damaged_games_are_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let (file, cache) = (folder.path().join("club.pgn"), folder.path().join("cache"));
    fs::write(&file, "[White \"Anna\"]\n\n1. e4 e5 *\n").unwrap();
    let search = ["search", file.to_str().unwrap(), "--player", "anna", "--count"];
    let data = |entry: &Path| ending(&entry.join("games"), ".parquet").remove(0);
    let log = |entry: &Path| ending(&entry.join("games/_delta_log"), ".json").pop().unwrap();
    let damages: &[(&str, Damage<'_>)] = &[
        ("no games", &|entry| fs::remove_file(data(entry)).unwrap()),
        ("games cut", &|entry| {
            let games = File::options().write(true).open(data(entry)).unwrap();
            games.set_len(games.metadata().unwrap().len() / 2).unwrap();
        }),
        ("empty games", &|entry| fs::write(data(entry), []).unwrap()),
        ("other games", &|entry| {
            let length = fs::metadata(data(entry)).unwrap().len();
            fs::write(data(entry), vec![b'x'; length as usize]).unwrap();
        }),
        ("last entry gone", &|entry| fs::remove_file(log(entry)).unwrap()),
        ("entry cut", &|entry| fs::write(log(entry), "{").unwrap()),
        ("garbage", &|entry| {
            fs::write(entry.join("games/_delta_log/00000000000000000002.json"), "x").unwrap();
        }),
        ("no log", &|entry| fs::remove_dir_all(entry.join("games/_delta_log")).unwrap()),
        ("no archive", &|entry| fs::remove_dir_all(entry.join("games")).unwrap()),
        ("a file as archive", &|entry| {
            fs::remove_dir_all(entry.join("games")).unwrap();
            fs::write(entry.join("games"), "x").unwrap();
        }),
        ("no seal", &|entry| fs::remove_file(entry.join(".lock")).unwrap()),
        ("empty seal", &|entry| fs::write(entry.join(".lock"), []).unwrap()),
        ("another seal", &|entry| fs::write(entry.join(".lock"), [0xff; 100]).unwrap()),
        ("a folder as seal", &|entry| {
            fs::remove_file(entry.join(".lock")).unwrap();
            fs::create_dir_all(entry.join(".used/x")).unwrap();
        }),
        ("a file as entry", &|entry| {
            fs::remove_dir_all(entry).unwrap();
            fs::write(entry, "x").unwrap();
        }),
        #[cfg(unix)]
        ("a dangling link as entry", &|entry| {
            fs::remove_dir_all(entry).unwrap();
            std::os::unix::fs::symlink("nowhere", entry).unwrap();
        }),
    ];
    for (what, damage) in damages {
        assert_eq!(run(&cache, &search).1, "1\n");
        damage(&entry(&cache));
        let (code, out, err) = run(&cache, &search);
        assert_eq!((code, out.as_str()), (0, "1\n"), "{what}: {err}");
        assert!(err.starts_with("1 game of ") && !err.contains("halfmove/games"), "{what}: {err}");
        let (_, _, err) = run(&cache, &search);
        assert_eq!(err, "", "{what}");
    }
}

/// Damage that appears while a program reads is an error about the file, and the next command reads it again.
#[cfg(feature = "sql")]
#[test]
fn games_may_be_damaged_while_they_are_read() {
    use std::io::{BufRead, BufReader, Read, Write};
    let folder = tempfile::tempdir().unwrap();
    let (file, cache) = (folder.path().join("club.pgn"), folder.path().join("cache"));
    fs::write(&file, "[White \"Anna\"]\n\n1. e4 e5 *\n").unwrap();
    let query = ["sql", file.to_str().unwrap(), "-", "--format", "csv"];
    let read_damaged = || {
        let _ = fs::remove_dir_all(&cache);
        let mut command = halfmove(&query);
        command.env("XDG_CACHE_HOME", &cache).stdin(Stdio::piped());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut messages = BufReader::new(child.stderr.take().unwrap());
        let mut message = String::new();
        messages.read_line(&mut message).unwrap();
        assert!(message.starts_with("1 game of "), "{message}");
        let games = ending(&entry(&cache).join("games"), ".parquet").remove(0);
        let length = fs::metadata(&games).unwrap().len();
        fs::write(&games, vec![b'x'; length as usize]).unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"select white from games").unwrap();
        drop(input);
        message.clear();
        messages.read_to_string(&mut message).unwrap();
        (child.wait().unwrap().code(), message)
    };
    // Where the damage came before the games were opened, they were read anew.
    let mut attempts = (0..50).map(|_| read_damaged());
    let (code, message) = attempts.find(|(code, _)| *code != Some(0)).expect("an error");
    assert_eq!(code, Some(2));
    assert!(message.contains("club.pgn that were kept are damaged"), "{message}");
    assert!(
        message.contains("the same command") && !message.contains("halfmove/games"),
        "{message}"
    );
    let (code, out, err) = run(&cache, &["players", file.to_str().unwrap(), "--format", "csv"]);
    assert!(code == 0 && out.contains("Anna") && err.starts_with("1 game of "), "{out}{err}");
}

/// A program that cannot keep games says where, and what to do.
#[test]
fn games_that_cannot_be_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("club.pgn");
    fs::write(&file, "1. e4 *\n").unwrap();
    let search = ["search", file.to_str().unwrap(), "--count"];
    let blocked = folder.path().join("blocked");
    fs::write(&blocked, "no folder").unwrap();
    // No archive can be in a folder of such a name.
    let odd = folder.path().join("a%20b");
    for cache in [blocked, odd] {
        let (code, out, err) = run(&cache, &search);
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        let place = cache.join("halfmove/games");
        for part in ["cannot keep the games of ", place.to_str().unwrap(), "XDG_CACHE_HOME"] {
            assert!(err.contains(part), "{part}: {err}");
        }
        assert!(err.contains("halfmove import ARCHIVE "), "{err}");
    }
    let mut command = halfmove(&search);
    for name in ["XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"] {
        command.env_remove(name);
    }
    let output = finished(command.output().unwrap());
    assert_eq!(output.code, 2, "{output:?}");
    for part in ["no variable names a folder for caches", "XDG_CACHE_HOME"] {
        assert!(output.err.contains(part), "{output:?}");
    }
}

/// A file may have any name.
#[test]
fn files_have_any_names() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let long = "x".repeat(251) + ".pgn";
    let names =
        ["a%20b.pgn", ".pgn", "ünï.pgn", "-o.pgn", "a b.c.pgn", "$HOME 'x'.pgn", "games", &long];
    let mut names: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
    if cfg!(unix) {
        names.extend(["a\\b.pgn", "a\nb.pgn", "\"q\"?*:.pgn", "\u{1b}[2J.pgn"].map(PathBuf::from));
    }
    #[cfg(target_os = "linux")]
    names.push(
        <std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(b"\xff.pgn".to_vec())
            .into(),
    );
    for name in names {
        let file = folder.path().join(&name);
        fs::write(&file, "[White \"Anna\"]\n\n1. e4 *\n").unwrap();
        for number in 0..2 {
            let mut command = halfmove(&["search"]);
            command.arg(&file).args(["--player", "anna", "--count"]);
            let output = finished(command.env("XDG_CACHE_HOME", &cache).output().unwrap());
            assert_eq!((output.code, output.out.as_str()), (0, "1\n"), "{name:?}: {output:?}");
            assert_eq!(output.err.contains("1 game of "), number == 0, "{name:?}: {output:?}");
            assert!(!output.err.contains('\u{1b}'), "{output:?}");
        }
        fs::remove_file(file).unwrap();
    }
}

/// The name of a file, and not that of its archive in the cache, is in the tables that are made of it.
#[cfg(feature = "sql")]
#[test]
fn tables_name_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let (file, cache) = (folder.path().join("a%20b.pgn"), folder.path().join("cache"));
    fs::write(&file, "1. e4 *\n").unwrap();
    let table = folder.path().join("table.parquet");
    let query = ["sql", file.to_str().unwrap(), "select source from games", "--output"];
    let args = [&query[..], &[table.to_str().unwrap()]].concat();
    let (code, _, err) = run(&cache, &args);
    assert_eq!(code, 0, "{err}");
    let bytes = fs::read(&table).unwrap();
    let key = b"halfmove.archive";
    let at = bytes.windows(key.len()).position(|part| part == key).expect("metadata");
    assert_eq!(&bytes[at + key.len()..][2..][..9], b"a%20b.pgn");
}

/// A link and its file stay apart, and neither takes the place of the other.
#[cfg(unix)]
#[test]
fn links_and_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let (file, link) = (folder.path().join("club.pgn"), folder.path().join("link.pgn"));
    fs::write(&file, "1. e4 *\n").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    for number in 0..3 {
        for path in [&file, &link] {
            let (code, out, err) = run(&cache, &["search", path.to_str().unwrap(), "--count"]);
            assert_eq!((code, out.as_str()), (0, "1\n"), "{err}");
            assert_eq!(err.is_empty(), number > 0, "{err}");
        }
    }
    assert_eq!(kept(&cache).len(), 2);
}

/// The games of sixteen files are kept, those of the others forgotten, except for those that a program reads.
#[test]
fn caches_are_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let file = |number| folder.path().join(format!("{number}.pgn"));
    let count = |number| {
        fs::write(file(number), "1. e4 *\n").unwrap();
        let (code, out, err) = run(&cache, &["search", file(number).to_str().unwrap(), "--count"]);
        assert_eq!((code, out.as_str()), (0, "1\n"), "{err}");
    };
    let again = |number| run(&cache, &["search", file(number).to_str().unwrap(), "--count"]).2;
    count(100);
    let reader = File::open(entry(&cache).join(".lock")).unwrap();
    reader.lock_shared().unwrap();
    for number in 0..20 {
        count(number);
        assert_eq!(again(0), "", "after {number}");
    }
    assert_eq!(kept(&cache).len(), 17);
    for number in [0, 100] {
        assert_eq!(again(number), "", "{number}");
    }
    drop(reader);
    count(20);
    assert_eq!(kept(&cache).len(), 16);
}

/// An import by another program is left alone, however long it takes; what a killed one has left goes.
#[test]
fn unfinished_imports() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let search = |name: &str| {
        let file = folder.path().join(name);
        fs::write(&file, "1. e4 *\n").unwrap();
        run(&cache, &["search", file.to_str().unwrap(), "--count"]).1
    };
    let other = cache.join("halfmove/games/00000000000000aa");
    fs::create_dir_all(other.join("games")).unwrap();
    let lock = File::create(other.join(".lock")).unwrap();
    lock.lock().unwrap();
    lock.set_modified(SystemTime::now() - Duration::from_secs(100_000)).unwrap();
    assert_eq!(search("a.pgn"), "1\n");
    assert!(other.join("games").exists());
    drop(lock);
    assert_eq!(search("b.pgn"), "1\n");
    assert!(!other.exists());
    assert_eq!(kept(&cache).len(), 2);
}

/// A file whose import was killed, at any time, is read again.
#[test]
fn killed_imports() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let file = testdata(GAMES);
    let search = ["search", file.to_str().unwrap(), "--count"];
    for wait in [20, 60, 120, 200] {
        let mut child = begin(&cache, &search);
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (code, out, err) = run(&cache, &search);
    assert_eq!((code, out.as_str()), (0, "20816\n"), "{err}");
    assert_eq!(run(&cache, &search).2, "");
    assert_eq!(kept(&cache).len(), 1);
}

/// Programs that read the same file at once import it once, while others import other files.
#[test]
fn programs_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let file = testdata(GAMES);
    let search = ["search", file.to_str().unwrap(), "--count"];
    let mut children: Vec<Child> = (0..4).map(|_| begin(&cache, &search)).collect();
    let small = folder.path().join("small.pgn");
    for number in 0..5 {
        fs::write(&small, format!("1. e4 *\n\n1. d4 {{{number}}} *\n")).unwrap();
        assert_eq!(run(&cache, &["search", small.to_str().unwrap(), "--count"]).1, "2\n");
    }
    let done = children.drain(..).map(|child| finished(child.wait_with_output().unwrap()));
    let imports: usize = done
        .map(|output| {
            assert_eq!((output.code, output.out.as_str()), (0, "20816\n"), "{output:?}");
            output.err.matches("20,816 games of ").count()
        })
        .sum();
    assert_eq!(imports, 1);
    assert_eq!(kept(&cache).len(), 6);
}

/// Damaged games are not replaced while another program reads them, and the error says so.
#[test]
fn damaged_games_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let (file, cache) = (folder.path().join("club.pgn"), folder.path().join("cache"));
    fs::write(&file, "1. e4 *\n").unwrap();
    let search = ["search", file.to_str().unwrap(), "--count"];
    assert_eq!(run(&cache, &search).1, "1\n");
    let first = entry(&cache);
    let reader = File::open(first.join(".lock")).unwrap();
    reader.lock_shared().unwrap();
    fs::remove_file(ending(&first.join("games"), ".parquet").remove(0)).unwrap();
    let (code, out, err) = run(&cache, &search);
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    for part in ["another program still reads damaged ones", "XDG_CACHE_HOME"] {
        assert!(err.contains(part), "{part}: {err}");
    }
    drop(reader);
    let (_, out, err) = run(&cache, &search);
    assert!(out == "1\n" && err.starts_with("1 game of "), "{err}");
    assert_eq!(run(&cache, &search), (0, "1\n".to_owned(), String::new()));
    assert_eq!(kept(&cache).len(), 1);
}
