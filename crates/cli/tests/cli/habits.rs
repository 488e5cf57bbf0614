//! Behavior that users rely on: no file is overwritten, nothing is imported twice, and everything that is left out is
//! reported.

use crate::program::{Finished, archive_of, finished, halfmove, ok, run, testdata, version};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

const GAME: &str = "[Event \"A\"]\n\n1. e4 e5 *\n\n";
const FAULTY: &str = "[Event \"F\"]\n\n1. e4 e5 2. Ke3 Nf6 *\n\n";
const ATOMIC: &str = "[Event \"V\"]\n[Variant \"Atomic\"]\n\n1. e4 e5 2. Nf3 *\n\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }
}

fn count(archive: &str) -> u64 {
    let info: serde_json::Value =
        serde_json::from_str(&ok(&["info", archive, "--format", "json"])).unwrap();
    info["games"].as_u64().unwrap()
}

fn fails(args: &[&str], words: &[&str]) -> Finished {
    let output = run(args);
    assert_eq!(output.code, 2, "halfmove {args:?}: {output:?}");
    for word in words {
        assert!(output.err.contains(word), "halfmove {args:?}: no {word:?} in {}", output.err);
    }
    output
}

/// An archive is created where the system would create a folder, whatever folders the path goes through.
#[cfg(unix)]
#[test]
fn archives_are_created_at_any_path() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAME);
    // A name that cannot hold an archive, but from which a path can lead elsewhere.
    let here = folder.0.path().join("%20");
    fs::create_dir(&here).unwrap();
    let import = |archive: &str| {
        let mut program = halfmove(&["import", "-q", archive, &games]);
        finished(program.current_dir(&here).output().unwrap())
    };
    for (archive, at) in [
        ("../club", "club"),
        ("../new/club", "new/club"),
        ("../a/../b/./club", "b/club"),
        ("../club/../%20/../second", "second"),
    ] {
        assert_eq!(import(archive).code, 0, "{archive}");
        assert_eq!(count(&folder.path(at)), 1, "{archive}");
    }
    assert!(!Path::new(&folder.path("a")).exists(), "`a/..` needs no folder `a`");
    // A link is resolved before the `..` after it.
    fs::create_dir_all(folder.path("far/away")).unwrap();
    std::os::unix::fs::symlink(folder.path("far/away"), folder.path("link")).unwrap();
    assert_eq!(import("../link/../club").code, 0);
    assert_eq!(count(&folder.path("far/club")), 1);

    std::os::unix::fs::symlink("nowhere", folder.path("lost")).unwrap();
    for archive in ["../lost", "../lost/club"] {
        let refused = import(archive);
        assert_eq!(refused.code, 2, "{archive}");
        assert!(refused.err.contains("is a link to nowhere, which does not exist"), "{refused:?}");
    }
    assert!(!Path::new(&folder.path("nowhere")).exists());
    let inside = import("club");
    assert_eq!(inside.code, 2);
    assert!(inside.err.contains("such as %20"), "{inside:?}");
}

/// All verbs that write a file.
#[test]
fn no_file_is_replaced_without_force() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", format!("{GAME}{FAULTY}"));
    let (archive, coded) = (folder.path("archive"), folder.path("games.hmg"));
    ok(&["import", "-q", &archive, &games]);
    ok(&["encode", &games, "-o", &coded]);
    let (archive, coded, games) = (archive.as_str(), coded.as_str(), games.as_str());
    for (args, to, code) in [
        (&["export", archive][..], "-o", 0),
        (&["encode", games], "-o", 0),
        (&["decode", coded], "-o", 0),
        (&["pgn", "normalize", games], "-o", 0),
        (&["pgn", "check", games], "--rejects", 1),
    ] {
        let out = folder.file("out", "mine");
        let args = [args, &[to, &out]].concat();
        fails(&args, &[&out, "this file exists", "hint: give another name, or --force"]);
        assert_eq!(fs::read_to_string(&out).unwrap(), "mine", "{args:?}");
        let forced = run(&[&args[..], &["--force"]].concat());
        assert_eq!(forced.code, code, "{args:?}: {forced:?}");
        let replaced = fs::read(&out).unwrap();
        assert_ne!(replaced, b"mine", "{args:?}");
        // If there is no file, it makes no difference.
        fs::remove_file(&out).unwrap();
        assert_eq!(run(&args).code, code);
        assert_eq!(fs::read(&out).unwrap(), replaced, "{args:?}");
        fails(&[&args[..args.len() - 2], &["--force"]].concat(), &[to]);
    }
    // If nothing is found, even a file that may be replaced stays.
    let out = folder.file("out", "mine");
    let none = ["export", archive, "--player", "nosuchplayer", "-o", &out, "--force"];
    assert_eq!(run(&none).code, 1);
    assert_eq!(fs::read_to_string(&out).unwrap(), "mine");
    // Not even --force replaces a file that is being read.
    fails(&["pgn", "normalize", games, "-o", games, "--force"], &["is being read"]);
}

#[test]
fn a_file_is_imported_once() {
    let folder = Folder::new();
    let archive = folder.path("archive");
    let one = folder.file("one.pgn", GAME);
    let output = run(&["import", &archive, &one]);
    assert!(output.err.is_empty() && output.out.starts_with("1 game "), "{output:?}");
    let known = "in version 1 with 1 game: nothing was imported from it\n(to import files again";
    let output = run(&["import", &archive, &one]);
    assert_eq!(
        (output.code, output.out.as_str()),
        (0, "nothing new: 1 file was imported before\n")
    );
    assert!(output.err.starts_with(&format!("{one}: imported before, at 20")), "{output:?}");
    assert!(output.err.contains(known), "{output:?}");
    let output = run(&["import", "-q", &archive, &one]);
    assert_eq!((output.code, output.out.as_str(), output.err.as_str()), (0, "", ""));
    // A file is recognized by its content, not by its name; others of the same command are imported.
    let renamed = folder.file("renamed.pgn", GAME);
    let other = folder.file("other.pgn", GAME.replace("e5", "c5"));
    let output = run(&["import", &archive, &renamed, &other]);
    assert!(output.out.starts_with("1 game with 2 half-moves from 1 file"), "{output:?}");
    assert!(output.err.contains("renamed.pgn: imported before, as one.pgn, at 20"), "{output:?}");
    // One byte more is another file.
    let longer = folder.file("longer.pgn", format!("{GAME}\n"));
    ok(&["import", &archive, &longer]);
    assert_eq!(count(&archive), 3);
    ok(&["import", "--again", &archive, &one, &renamed]);
    assert_eq!(count(&archive), 5);
}

/// A folder that is imported every week does not get a line for each of its old files.
#[test]
fn many_files_that_were_imported_before_are_counted() {
    let folder = Folder::new();
    let archive = folder.path("archive");
    fs::create_dir(folder.path("games")).unwrap();
    let (all, again) = (folder.path("games"), "(to import files again: --again)\n");
    let file = |number: usize| {
        folder.file(&format!("games/{number}.pgn"), GAME.replace("\"A\"", &format!("\"{number}\"")))
    };
    (1..=5).for_each(|number| drop(file(number)));
    ok(&["import", &archive, &all]);
    let output = run(&["import", &archive, &all]);
    assert_eq!(output.err.matches(".pgn: imported before, at 20").count(), 5, "{output:?}");
    (6..=7).for_each(|number| drop(file(number)));
    ok(&["import", &archive, &all]);
    file(8);
    let output = run(&["import", &archive, &all]);
    let note = format!("7 files imported before: nothing was imported from them\n{again}");
    assert!(output.err.starts_with(&note), "{output:?}");
    assert!(output.out.starts_with("1 game "), "{output:?}");
    let output = run(&["import", &archive, &all]);
    assert_eq!(output.out, "nothing new: 8 files were imported before\n");
}

/// An import that was undone may be repeated, and one that was restored may not.
#[test]
fn an_import_that_was_undone_does_not_count() {
    let folder = Folder::new();
    let archive = folder.path("archive");
    let (one, two) = (folder.file("one.pgn", GAME), folder.file("two.pgn", FAULTY));
    ok(&["import", "-q", &archive, &one]);
    ok(&["import", "-q", &archive, &two]);
    ok(&["undo", &archive]);
    assert_eq!(count(&archive), 1);
    ok(&["undo", &archive]);
    assert_eq!(count(&archive), 2);
    assert!(ok(&["import", &archive, &two]).starts_with("nothing new"));
    ok(&["undo", &archive, "--to", "1"]);
    assert!(ok(&["import", &archive, &one]).starts_with("nothing new"));
    assert!(ok(&["import", &archive, &two]).starts_with("1 game "));
    // Undoing other changes does not affect the import.
    ok(&["remove", &archive, "--id", "1"]);
    ok(&["compact", &archive]);
    assert!(ok(&["import", &archive, &one, &two]).starts_with("nothing new: 2 files were"));
}

#[test]
fn the_same_content_is_read_once_in_one_import() {
    let folder = Folder::new();
    let (one, two) = (folder.file("one.pgn", GAME), folder.file("two.pgn", GAME));
    let archive = folder.path("archive");
    let output = run(&["import", &archive, &one, &two]);
    assert!(output.out.starts_with("1 game with 2 half-moves from 1 file"), "{output:?}");
    assert_eq!(output.err, format!("{two}: has the same content as {one}, read once\n"));
    // The content of standard input is unknown before it is read.
    for games in 2..4 {
        let mut import = halfmove(&["import", "-q", &archive, "-"]);
        let imported = import.stdin(fs::File::open(&one).unwrap()).output().unwrap();
        assert_eq!(self::finished(imported).code, 0);
        assert_eq!(count(&archive), games);
    }
}

/// Skipped games do not hide a fault, and are not faults.
#[test]
fn skipped_games_are_no_faults() {
    let folder = Folder::new();
    let archive = folder.path("archive");
    let many = folder.file("many.pgn", format!("{}{FAULTY}", ATOMIC.repeat(50)));
    let output = run(&["import", &archive, &many]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(output.err.matches("variant \"Atomic\"").count(), 1, "{output:?}");
    for words in [
        "many.pgn: game 51, line 253, column 13, move 2: illegal move \"Ke3\"",
        "\n1 game with a fault (column fault): moves end there, 2 half-moves from there on kept",
        "\n50 games with 150 half-moves skipped: Atomic 50\n",
    ] {
        assert!(output.err.contains(words), "no {words:?} in {output:?}");
    }
    assert!(!output.err.contains("more"), "{output:?}");
    let columns = ["--columns", "source,fault", "--format", "csv"];
    let listed = ok(&[&["search", &archive][..], &columns].concat());
    assert!(listed.starts_with("source,fault\nmany.pgn,"), "{listed}");
    assert!(listed.contains("Ke3") && listed.lines().count() == 2, "{listed}");
    let strict = folder.path("strict");
    let sound = folder.file("sound.pgn", format!("{ATOMIC}{GAME}"));
    let output = run(&["import", "--strict", &strict, &sound]);
    assert!(output.code == 0 && output.out.starts_with("1 game "), "{output:?}");
    fails(&["import", "--strict", &strict, &many], &["many.pgn: game 51", "Ke3"]);
    // An invalid start is a fault of its game.
    let start = folder.file("start.pgn", "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n");
    fails(&["import", "--strict", &strict, &start], &["start.pgn: game 1", "--strict"]);
}

#[test]
fn unreadable_files_are_reported() {
    let folder = Folder::new();
    let archive = folder.path("archive");
    fs::create_dir(folder.path("games")).unwrap();
    for name in ["a.zip", "b.pgn.xz", "c.7z", "notes.txt"] {
        folder.file(&format!("games/{name}"), "");
    }
    let games = folder.path("games");
    fails(&["import", &archive, &games], &["no PGN files", "hint: ", "a.zip was passed over"]);
    folder.file("games/d.pgn", GAME);
    let words = "a.zip and 2 files more passed over: only *.pgn is read, also .zst, .gz or .bz2; \
                 unpack such files first\n";
    let output = run(&["import", &archive, &games]);
    assert!(output.code == 0 && output.err.ends_with(words), "{output:?}");
    assert!(run(&["pgn", "stats", &games]).err.ends_with(words));
    assert_eq!(run(&["import", "-q", "--again", &archive, &games]).err, "");
    // A file that is not text is not PGN.
    let base =
        folder.file("base.db", [b"SQLite format 3\0\x10\0\x01\x01\0@  ", GAME.as_bytes()].concat());
    fails(&["import", &archive, &base], &["base.db: is an SQLite database, expected PGN"]);
    fails(&["pgn", "stats", &base], &["base.db: is an SQLite database, expected PGN"]);
    let program = env!("CARGO_BIN_EXE_halfmove");
    fails(&["import", &archive, program], &["expected PGN"]);
}

#[test]
fn the_archive_comes_first() {
    let folder = Folder::new();
    let (archive, games) = (folder.path("club"), folder.file("season.pgn", GAME));
    let hint = format!("hint: the archive comes first: halfmove import {archive} {games}");
    fails(&["import", &games, &archive], &["is a file, expected the folder", &hint]);
    assert!(!Path::new(&archive).exists());
    fails(&["import", &folder.path("none.pgn"), &games], &["is the name of a PGN file", "hint"]);
    ok(&["import", "-q", &archive, &games]);
    fails(&["import", &games, &archive], &[&hint]);
    let hint = format!("hint: halfmove export {archive} writes its games as PGN\n");
    for verb in [&["import", &folder.path("new")][..], &["pgn", "check"], &["encode"]] {
        fails(&[verb, &[archive.as_str()]].concat(), &["is an archive, expected PGN", &hint]);
    }
    // Without a verb, an archive is summarized as PGN files are.
    assert_eq!(ok(&[&archive]), ok(&["info", &archive]));
}

#[test]
fn errors_of_the_command_line_say_what_is_expected() {
    let folder = Folder::new();
    let (archive, games) = (folder.path("club"), folder.file("season.pgn", GAME));
    ok(&["import", "-q", &archive, &games]);
    let archive = archive.as_str();
    for (args, option) in [
        (&["search", archive, "--limit", "x"][..], "--limit <N>"),
        (&["show", archive, "1", "--ply", "x"], "--ply <N>"),
        (&["perft", "--depth", "x"], "--depth <N>"),
        (&["perft", "--depth", "1", "--hash", "x"], "--hash <MIB>"),
        (&["undo", archive, "--to", "x"], "--to <VERSION>"),
        (&["pgn", "check", &games, "--limit", "x"], "--limit <N>"),
        (&["encode", &games, "--limit", "x"], "--limit <N>"),
    ] {
        let error = format!("error: invalid value 'x' for '{option}': expected a whole number\n");
        assert_eq!(fails(args, &[]).err, error, "{args:?}");
    }
    let expected = ["'--min-elo <ELO>': expected a number from 0 to 65535"];
    fails(&["search", archive, "--min-elo", "x"], &expected);
    for id in ["x", "99999999999999999999"] {
        fails(&["show", archive, id], &["expected ids and ranges of ids, as in 42,7,10-20"]);
    }
    let tip = "tip: put it in quotes: --moves \"e4 e5 Nf3\"\n";
    fails(&["search", archive, "--moves", "e4", "e5", "Nf3"], &[tip]);
    fails(&["explore", archive, "--moves", "e4", "e5", "Nf3", "--format", "csv"], &[tip]);
    fails(&["position", "--moves", "e4", "e5"], &["--moves \"e4 e5\""]);
    fails(&["moves", "--fen", "8/8", "w", "-"], &["put it in quotes: --fen \"8/8 w"]);
    let tip = format!("tip: the archive comes first: halfmove search {archive}\n");
    fails(&["search", "e4", archive], &[&tip]);
    let tip = "tip: a player: --player Kramnik; an opening: --opening Kramnik\n";
    fails(&["search", archive, "Kramnik"], &[tip]);
    let tip = "tip: a player: --player \"magnus carlsen\"\n";
    fails(&["export", archive, "magnus", "carlsen", "--since", "2010"], &[tip]);
    let tip = "tip: a player: --player najdorf; an opening: --opening najdorf\n";
    fails(&["explore", archive, "najdorf"], &[tip]);
    assert!(!fails(&["info", archive, "Kasparov"], &[]).err.contains("tip"));
    let tip = "tip: put it in quotes: --player \"magnus carlsen\"\n";
    fails(&["search", archive, "--player", "magnus", "carlsen"], &[tip]);
    let tip = "tip: the archive comes behind merge: halfmove players merge club \"A, B\" \"A B\"\n";
    fails(&["players", "club", "merge", "A, B", "A B"], &[tip]);
    let tip = "tip: the color of a player: --as white\n";
    fails(&["search", archive, "--player", "a", "--color", "White"], &[tip]);
    assert!(!fails(&["info", archive, "--color", "white"], &[]).err.contains("tip"));
    fails(&["search", archive, "--material", "KRPKR"], &["put a v between the sides: KRPvKR"]);
    let tip = "tip: an option says what it is: --moves \"1. e4 e5\"\n";
    fails(&["search", archive, "1. e4 e5"], &[tip]);
    fails(&["search", archive, "1.", "e4", "e5", "--count"], &[tip]);
    let tip = "search lists some of the games, in any order and format";
    assert!(!fails(&["export", archive, "--format", "csv"], &[tip]).err.contains("--force'"));
    fails(&["nothing"], &["there is no verb, file or folder of this name: `halfmove -h`"]);
    fails(
        &["moves", "--fen", "8/8/8/8/8/8/8/8"],
        &["hint: a FEN has the pieces, the side to move"],
    );
    let fen = "8/8/8/5k2/8/4K3/4P3/8 w - - 0 1";
    fails(&["explore", archive, fen], &[&format!("--fen \"{fen}\"")]);
    fails(&["explore", "e4 e5"], &["hint: the archive comes first, then --moves \"e4 e5\"\n"]);
}

/// Words of users who know other programs. Names that only look similar are not suggested, least of all those that remove or
/// replace something.
#[test]
fn words_from_other_programs() {
    for (typed, meant) in [
        ("tree", "`halfmove explore`"),
        ("Openings", "`halfmove explore`"),
        ("find", "`halfmove search`"),
        ("query", "`halfmove sql`"),
        ("dedup", "`halfmove duplicates`"),
        ("delete", "`halfmove remove`"),
        ("add", "`halfmove import`"),
        ("convert", "`halfmove encode` or `halfmove pgn normalize`"),
        ("merge", "`halfmove players merge`"),
        ("serach", "`halfmove search`"),
    ] {
        let output = fails(&[typed, "club"], &[&format!("tip: did you mean {meant}?\n")]);
        assert_eq!(output.err.matches("tip: ").count(), 1, "{output:?}");
    }
    for typed in ["remov", "vacum", "optin"] {
        let output =
            fails(&[typed, "club"], &["tip: there is no verb, file or folder of this name"]);
        assert!(!output.err.contains("similar"), "{output:?}");
    }
    for (verb, typed, meant) in [
        ("search", "--name", "--player"),
        ("search", "--side", "--as"),
        ("stats", "--from", "--since or --year"),
        ("search", "--to", "--until"),
        ("explore", "--min-rating", "--min-elo"),
        ("search", "--order", "--sort"),
        ("search", "--fields", "--columns"),
        ("search", "--json", "--format json"),
        ("history", "--json", "--format json"),
        ("search", "--tournament", "--event"),
        ("explore", "--endgame", "--material"),
        ("explore", "--position", "--fen"),
        ("search", "--move", "--moves"),
        ("sql", "--all", "--limit 0"),
        ("search", "--colums", "--columns"),
    ] {
        let output = fails(&[verb, "club", typed], &[&format!("tip: did you mean {meant}?\n")]);
        assert!(
            output.err.contains(&format!("\nUsage: halfmove {verb} [OPTIONS] <ARCHIVE>")),
            "{output:?}"
        );
        assert_eq!(output.err.matches("tip: ").count(), 1, "{output:?}");
    }
    for (verb, typed) in [("search", "--order-force"), ("decode", "--forc"), ("search", "--oder")] {
        let output = fails(&[verb, "club", typed], &[]);
        assert!(
            !output.err.contains("did you mean") && !output.err.contains("similar"),
            "{output:?}"
        );
        assert!(!output.err.contains("--force"), "{output:?}");
    }
}

/// `2>&1 | head` ends quietly, too.
#[cfg(unix)]
#[test]
fn notes_may_have_no_reader() {
    let folder = Folder::new();
    let many = folder.file("many.pgn", FAULTY.repeat(20));
    let mut import = halfmove(&["import", &folder.path("archive"), &many]);
    let mut child = import.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    assert!(child.wait().unwrap().success());
    assert_eq!(count(&folder.path("archive")), 20);
    // Games of the collection have no faults, and print nothing.
    let sound = testdata("games/setup.pgn");
    assert_eq!(run(&["import", &folder.path("two"), sound.to_str().unwrap()]).err, "");
}

/// `-` is standard output, also where a file is expected, and if nothing is found there is no file.
#[test]
fn files_that_are_none() {
    let folder = Folder::new();
    let archive = folder.path("club");
    let games = folder.file("games.pgn", GAME);
    ok(&["import", "-q", &archive, &games]);
    let in_folder = |args: &[&str]| {
        let run = halfmove(args).current_dir(folder.0.path()).output().unwrap();
        let files = fs::read_dir(folder.0.path()).unwrap().count();
        assert_eq!(files, 2, "{args:?}");
        (run.status.code(), run.stdout)
    };
    for args in [
        &["search", &archive, "--format", "csv"][..],
        &["search", &archive, "--format", "pgn"],
        &["search", &archive, "--count"],
        &["export", &archive],
        #[cfg(feature = "sql")]
        &["sql", &archive, "select 1 as one", "--format", "json"],
        &["encode", &games],
        &["pgn", "normalize", &games],
    ] {
        let written = in_folder(args);
        assert!(written.0 == Some(0) && !written.1.is_empty(), "{args:?}");
        assert_eq!(in_folder(&[args, &["-o", "-"]].concat()), written, "{args:?}");
    }
    for format in ["csv", "json", "table", "pgn"] {
        let none = ["search", &archive, "--player", "zzz", "--format", format, "-o", "none"];
        assert_eq!(in_folder(&none).0, Some(1), "{format}");
    }
    let output = run(&["search", &archive, "--player", "zzz", "-o", &folder.path("none")]);
    assert!(output.err.ends_with("none was not written\n"), "{output:?}");
}

/// A file with the name that stands for standard input.
#[test]
fn standard_input_is_not_a_file() {
    let folder = Folder::new();
    let inside = |args: &[&str]| {
        let mut child = halfmove(args)
            .current_dir(folder.0.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(GAME.as_bytes()).unwrap();
        finished(child.wait_with_output().unwrap())
    };
    for is_folder in [false, true] {
        match is_folder {
            false => fs::write(folder.path("-"), "").unwrap(),
            true => {
                fs::remove_file(folder.path("-")).unwrap();
                fs::create_dir(folder.path("-")).unwrap();
                fs::write(folder.path("-/other.pgn"), FAULTY).unwrap();
            }
        }
        for args in [&["pgn", "check", "-"][..], &["pgn", "stats", "-"]] {
            let output = inside(args);
            assert_eq!(output.code, 0, "{args:?}: {output:?}");
            assert!(output.out.contains("1 game") || output.out.contains("games"), "{output:?}");
        }
        let archive = format!("archive{is_folder}");
        assert_eq!(inside(&["import", &archive, "-"]).code, 0);
        assert_eq!(count(&folder.path(&archive)), 1);
        let events = ["search", &folder.path(&archive), "--columns", "event", "--format", "csv"];
        assert!(ok(&events).starts_with("event\nA"));
    }
}

/// An import that cannot print its report has still been made.
#[cfg(target_os = "linux")]
#[test]
fn an_import_whose_report_fails_is_reported() {
    let folder = Folder::new();
    let (archive, games) = (folder.path("archive"), folder.file("games.pgn", GAME));
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = halfmove(&["import", &archive, &games]).stdout(full).output().unwrap();
    let output = finished(output);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(output.err.contains("the games are in the archive"), "{output:?}");
    assert_eq!(count(&archive), 1);
}

/// So has any other change; a user who repeats it after the error would make it twice.
#[cfg(target_os = "linux")]
#[test]
fn changes_whose_report_fails_are_reported() {
    let (_folder, archive) = archive_of(&["games/masters.pgn.zst"]);
    let mut known = version(&archive);
    for args in [
        &["remove", &archive, "--id", "1"][..],
        &["remove", &archive, "--id", "2", "--format", "json"],
        &["players", "merge", &archive, "Spassky, Boris V", "Spassky B V"],
        &["undo", &archive],
        &["compact", &archive],
        &["compact", &archive, "--vacuum", "--keep", "0s"],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = finished(halfmove(args).stdout(full).output().unwrap());
        assert_eq!(output.code, 2, "{args:?}: {output:?}");
        assert!(output.err.contains("the archive has been changed, but"), "{args:?}: {output:?}");
        let before = std::mem::replace(&mut known, version(&archive));
        assert!(known > before || args.contains(&"--vacuum"), "{args:?}");
    }
    // A run that changes nothing does not claim a change.
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let plan = ["remove", &archive, "--id", "3", "--dry-run"];
    let output = finished(halfmove(&plan).stdout(full).output().unwrap());
    assert!(output.code == 2 && !output.err.contains("has been changed"), "{output:?}");
}

/// A search for a name that few files spell out prints a note on games with initials.
#[test]
fn more_games_under_initials_are_noted() {
    let folder = Folder::new();
    let games = ["Tal, Mikhail", "Tal,M", "Tal M", "Talbot, M", "Mikhail Tal"]
        .map(|white| format!("[White \"{white}\"]\n[Black \"Larsen,B\"]\n\n1. e4 c5 1-0\n\n"));
    let (archive, games) = (folder.path("archive"), folder.file("games.pgn", games.concat()));
    ok(&["import", "-q", &archive, &games]);
    for verb in [&["search"][..], &["stats"], &["stats", "--by", "year"], &["explore"]] {
        let search = |name: &str| run(&[verb, &[&archive, "--player", name]].concat());
        for (name, short) in [("mikhail tal", "tal, m"), ("Tal, Mikhail", "Tal, M")] {
            let output = search(name);
            let note = format!(
                "2 more games may be of this player: --player \"{short}\" finds them, too\n"
            );
            assert_eq!((output.code, output.err), (0, note), "{verb:?} {name}");
        }
        for name in ["tal", "tal, m", "m tal", "larsen, b", "talbot, m"] {
            assert_eq!(search(name).err, "", "{verb:?} {name}");
        }
    }
    assert!(run(&["search", &archive, "--player", "tal, m"]).out.contains("4 games"));
}

/// PGN is not written to a name with the ending of a table or an archive.
#[test]
fn exports_are_called_what_they_are() {
    let folder = Folder::new();
    let (archive, games) = (folder.path("archive"), folder.file("games.pgn", GAME));
    ok(&["import", "-q", &archive, &games]);
    for name in ["out.csv", "out.JSON", "out.pgn.zip", "out.si5"] {
        let path = folder.path(name);
        let output = run(&["export", &archive, "-o", &path]);
        assert!(output.code == 2 && output.err.contains("export writes PGN"), "{output:?}");
        assert!(output.err.contains("hint: name it .pgn"), "{output:?}");
        assert!(!fs::exists(&path).unwrap());
        assert_eq!(run(&["export", &archive, "-o", &path, "--force"]).code, 0);
        assert!(fs::read_to_string(&path).unwrap().starts_with("[Event"));
    }
    for name in ["out.pgn", "out.txt", "out"] {
        assert_eq!(run(&["export", &archive, "-o", &folder.path(name)]).code, 0);
    }
}

/// The commands of the other program are not ignored.
#[test]
fn the_engine_names_the_other_program() {
    for word in ["arena", "datagen", "tune", "train"] {
        let output = run(&["engine", word, "--help"]);
        assert!(output.code == 2 && output.out.is_empty(), "{output:?}");
        assert!(output.err.contains("hint: the program halfmove-lab has it"), "{output:?}");
    }
}

/// SQL reads evaluations that are spelled in several ways, or have a depth; a mate has no centipawns.
#[cfg(feature = "sql")]
#[test]
fn all_evaluations_reach_sql() {
    let folder = Folder::new();
    let games = folder.file(
        "games.pgn",
        "[Event \"A\"]\n\n1. e4 {[%eval 0.3]} e5 {[%eval 0.30]} 2. d4 {[%eval -1.5,20]} d5 {[%eval #3,12]} *\n\n\
         [Event \"B\"]\n\n1. e4 {[%eval 20000.5]} e5 {[%eval #1]} 2. d4 {[%eval #-9999999]} d5 {[%eval -1000]} *\n\n\
         [Event \"C\"]\n\n1. e4 {[%clk 0:03:00.0] good} e5 {[%clk 0:02:59.95]} *\n\n",
    );
    let archive = folder.path("archive");
    ok(&["import", "-q", &archive, &games]);
    let query = "select clock_at(clocks, 2), eval_at(evaluations, 1), eval_at(evaluations, 2), eval_at(evaluations, 3), \
        eval_at(evaluations, 4), mate_at(evaluations, 4) from games order by id";
    let answer = ok(&["sql", &archive, query, "--format", "csv"]);
    let rows: Vec<&str> = answer.lines().skip(1).collect();
    assert_eq!(rows, [",30,30,-150,,3", ",2000050,,,-100000,", "179.95,,,,,"]);
    let exported = ok(&["export", &archive]);
    for comment in ["[%eval 0.3]", "[%eval 0.30]", "[%eval -1.5,20]", "[%eval #3,12]", "0:03:00.0]"]
    {
        assert!(exported.contains(comment), "{comment} in {exported}");
    }
}

/// Conditions may name the table, as queries do.
#[cfg(feature = "sql")]
#[test]
fn a_condition_may_name_the_table() {
    let folder = Folder::new();
    let (archive, games) =
        (folder.path("archive"), folder.file("games.pgn", format!("{GAME}{GAME}")));
    ok(&["import", "-q", "--duplicates", "keep", &archive, &games]);
    for condition in ["games.id = 2", "Games.id in (select 2)", "id = 2 and games.plies = 2"] {
        assert_eq!(
            ok(&["search", &archive, "--where", condition, "--count"]).trim(),
            "1",
            "{condition}"
        );
    }
    fails(&["search", &archive, "--where", "others.id = 2"], &["others"]);
}

#[test]
fn a_player_is_not_merged_with_himself() {
    let folder = Folder::new();
    let (archive, games) = (folder.path("archive"), folder.file("games.pgn", GAME));
    ok(&["import", "-q", &archive, &games]);
    fails(&["players", "merge", &archive, "Tal", "Tal"], &["both names are the same"]);
}
