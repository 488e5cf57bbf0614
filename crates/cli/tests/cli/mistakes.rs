//! Bad input: a message with the problem, its place and a remedy; exit code 2; nothing lost.

use crate::program::{Finished, archive_of, finished, halfmove, ok, run, testdata};
use halfmove_game::Input;
use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;

const MIDDLE: &str = "games/setup.pgn";

/// Runs a command that must fail, and checks for the words of its error.
fn fails(args: &[&str], words: &[&str]) -> Finished {
    let output = run(args);
    assert_eq!(output.code, 2, "halfmove {args:?}: {output:?}");
    assert!(output.out.is_empty(), "{output:?}");
    for word in words {
        assert!(output.err.contains(word), "halfmove {args:?}: no {word:?} in {}", output.err);
    }
    for noise in ["panicked", "backtrace", "stack", "DataFusion", "Error {"] {
        assert!(!output.err.contains(noise), "halfmove {args:?}: {noise:?} in {}", output.err);
    }
    output
}

#[test]
fn files_that_cannot_be_imported() {
    let (folder, archive) = archive_of(&[MIDDLE]);
    let before = ok(&["info", &archive, "--format", "json"]);
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let text = file("letter.txt", b"Dear reader,\n\nthis is no game of chess.\n");
    fails(&["import", &archive, &text], &["letter.txt", "no games", "line 1", "Dear reader"]);
    let empty = file("empty.pgn", b"");
    fails(&["import", &archive, &empty], &["empty.pgn", "no games", "empty"]);
    let packed = fs::read(testdata("games/lichess.pgn.zst")).unwrap();
    let cut = file("cut.pgn.zst", &packed[..packed.len() / 2]);
    fails(&["import", &archive, &cut], &["cut.pgn.zst", "truncated", "nothing was imported"]);
    let damaged = file("damaged.pgn.zst", &[&packed[..5_000], &[0; 5_000]].concat());
    fails(&["import", &archive, &damaged], &["damaged.pgn.zst", "damaged"]);
    fails(&["import", &archive, "missing.pgn"], &["missing.pgn", "no such file"]);
    let none = folder.path().join("none");
    fs::create_dir(&none).unwrap();
    fails(&["import", &archive, none.to_str().unwrap()], &["no PGN files in this folder"]);
    // A good file does not save a bad one: all or nothing.
    let good = testdata(MIDDLE);
    fails(&["import", &archive, good.to_str().unwrap(), &cut], &["truncated"]);
    let atomic = file("atomic.pgn", b"[Variant \"Atomic\"]\n\n1. e4 e5 *\n");
    fails(&["import", &archive, &atomic], &["Atomic", "nothing was imported"]);
    let bad = file("bad.pgn", b"[Event \"x\"]\n\n1. e4 e5 2. Ke3 *\n");
    fails(&["import", &archive, "--strict", &bad], &["bad.pgn", "line 3, column 13", "Ke3"]);
    assert_eq!(ok(&["info", &archive, "--format", "json"]), before, "the archive has changed");
    // No partial archive is left.
    let fresh = folder.path().join("fresh");
    fails(&["import", fresh.to_str().unwrap(), "missing.pgn"], &["no such file"]);
    assert!(!fresh.exists());
}

/// The paths of all files and folders below a folder.
fn everything_in(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path.clone());
            }
            found.insert(path);
        }
    }
    found
}

/// Enough games that files are being written when the fault is met: more than 8,192, the size of a
/// batch, in the sound file and in the rest of the cut one.
#[test]
fn a_fault_after_writing_has_begun() {
    let (folder, archive) = archive_of(&[MIDDLE]);
    let many = testdata("games/masters.pgn.zst");
    let packed = fs::read(&many).unwrap();
    let many = many.to_str().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let cut = file("cut.pgn.zst", &packed[..packed.len() * 3 / 4]);
    let mut plain = Vec::new();
    Input::open(many).unwrap().read_to_end(&mut plain).unwrap();
    plain.extend_from_slice(b"\n[Event \"x\"]\n\n1. e4 e5 2. Ke3 *\n");
    let faulty = file("faulty.pgn", &plain);
    let fresh = folder.path().join("fresh").to_str().unwrap().to_owned();

    let before = ok(&["info", &archive, "--format", "json"]);
    let files = everything_in(folder.path());
    for into in [&archive, &fresh] {
        fails(&["import", into, &cut], &["cut.pgn.zst", "truncated", "nothing was imported"]);
        assert_eq!(everything_in(folder.path()), files, "after one file cut short");
        fails(&["import", into, many, &cut], &["cut.pgn.zst", "truncated"]);
        assert_eq!(everything_in(folder.path()), files, "after a sound file and one cut short");
        fails(&["import", into, &cut, many], &["cut.pgn.zst", "truncated"]);
        assert_eq!(everything_in(folder.path()), files, "after a file cut short and a sound one");
        fails(&["import", into, "--strict", &faulty], &["faulty.pgn", "Ke3"]);
        assert_eq!(everything_in(folder.path()), files, "after a faulty game");
    }
    assert_eq!(ok(&["info", &archive, "--format", "json"]), before, "the archive has changed");
    // The complete file is imported, so the cut was the reason.
    ok(&["import", &fresh, many]);
}

/// An import is suggested only where it can create an archive.
#[test]
fn where_there_is_no_archive() {
    let folder = tempfile::tempdir().unwrap();
    let hint = "hint: to create an archive: halfmove import ";
    let [missing, empty, full] = ["missing", "empty", "full"].map(|name| folder.path().join(name));
    fs::create_dir(&empty).unwrap();
    fs::create_dir(&full).unwrap();
    fs::write(full.join("a.pgn"), "1. e4 *").unwrap();
    for vacant in [&missing, &empty] {
        fails(&["info", vacant.to_str().unwrap()], &["no archive at", hint]);
    }
    let games = "hint: to create an archive of these games: halfmove import ARCHIVE ";
    fails(&["info", full.to_str().unwrap()], &["holds other files and no table", games]);
    fails(&["history", full.join("a.pgn").to_str().unwrap()], &["it is a file", games]);
    fs::rename(full.join("a.pgn"), full.join("a.txt")).unwrap();
    for foreign in [full.clone(), full.join("a.txt")] {
        let output = fails(&["history", foreign.to_str().unwrap()], &["no archive at"]);
        assert!(!output.err.contains("hint"), "{output:?}");
    }
    // A table with features that this program does not support is an archive, too.
    let (_folder, archive) = archive_of(&[MIDDLE]);
    let entry = Path::new(&archive).join("_delta_log/00000000000000000002.json");
    let features = r#"["telepathy"]"#;
    let protocol = format!(
        r#"{{"protocol":{{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":{features},"writerFeatures":{features}}}}}"#
    );
    fs::write(entry, protocol).unwrap();
    let output = fails(&["info", &archive], &["needs a feature of Delta Lake", "telepathy"]);
    assert!(!output.err.contains(hint) && !output.err.contains("no archive"), "{output:?}");
}

#[test]
fn a_faulty_game_is_kept_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive");
    let bad = folder.path().join("bad.pgn");
    fs::write(&bad, "[White \"A\"]\n\n1. e4 e5 2. Ke3 Nf6 *\n\n[White \"B\"]\n\n1. d4 *\n")
        .unwrap();
    let output = run(&["import", archive.to_str().unwrap(), bad.to_str().unwrap()]);
    assert_eq!(output.code, 0, "{output:?}");
    for words in [
        "game 1, line 3, column 13, move 2: illegal move \"Ke3\"",
        "1 game with a fault (column fault): moves end there, 2 half-moves from there on kept as text",
    ] {
        assert!(output.err.contains(words), "{output:?}");
    }
    assert!(output.out.starts_with("2 games with 3 half-moves from 1 file"), "{output:?}");
    // They are.
    let game = ok(&["show", archive.to_str().unwrap(), "1"]);
    assert!(
        game.contains("\n1. e4 e5 2. Ke3 Nf6 *\n\nThe moves end at a fault: game 1, line 3"),
        "{game}"
    );
    let columns = ["--columns", "id,fault", "--format", "csv"];
    let listed = ok(&[&["search", archive.to_str().unwrap()][..], &columns].concat());
    let faulty: Vec<&str> = listed.lines().skip(1).filter(|line| !line.ends_with(',')).collect();
    assert!(matches!(faulty[..], [line] if line.starts_with("1,")), "{listed}");
}

#[test]
fn archives_that_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let missing = path("missing");
    let hint = format!("halfmove import {missing} FILE");
    for verb in [&["info"][..], &["search"], &["explore"], &["export"]] {
        fails(&[verb, &[missing.as_str()]].concat(), &["no archive", &missing, &hint]);
    }
    fails(&["show", &missing, "1"], &["no archive"]);
    #[cfg(feature = "sql")]
    fails(&["sql", &missing, "select 1"], &["no archive"]);
    fs::create_dir(path("folder")).unwrap();
    fs::write(Path::new(&path("folder")).join("notes.txt"), "mine").unwrap();
    fails(&["info", &path("folder")], &["no archive", "folder"]);
    fs::write(path("file"), "mine").unwrap();
    fails(&["info", &path("file")], &["there is no game in this file", "halfmove pgn check"]);
    // A foreign folder is not taken over.
    let pgn = testdata(MIDDLE);
    fails(&["import", &path("folder"), pgn.to_str().unwrap()], &["folder"]);
    assert_eq!(fs::read_dir(path("folder")).unwrap().count(), 1);
}

#[test]
fn typing_errors() {
    let (_folder, archive) = archive_of(&[MIDDLE]);
    let archive = archive.as_str();
    let typo = "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for verb in
        [&["search", archive][..], &["explore", archive], &["moves"], &["perft", "--depth", "1"]]
    {
        fails(
            &[verb, &["--fen", typo]].concat(),
            &["--fen", typo, "placement", "byte 13", "expected"],
        );
    }
    let two_kings = "kk6/8/8/8/8/8/8/K7 w - - 0 1";
    fails(&["moves", "--fen", two_kings], &["black has 2 kings", "expected one"]);
    fails(&["search", archive, "--moves", "e4 e5 Nf4"], &["--moves", "word 3", "Nf4", "illegal"]);
    let line = ["search", archive, "--moves", "e4 e5 Nf4"];
    assert!(!fails(&line, &["hint: legal here: "]).err.contains("--played"));
    let played = "hint: these moves, wherever they follow each other in a game: --played \"Bxh7+ Kxh7 Ng5+\"";
    fails(&["explore", archive, "--moves", "Bxh7+ Kxh7 Ng5+"], &["word 1, \"Bxh7+\"", played]);
    let board = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
    let pattern = "r_bqkbnr/pppp_ppp/__n_____/____p___/____P___/_____N__/PPPP_PPP/RNBQKB_R";
    let hint = format!("hint: for any side to move: --pattern \"{pattern}\"\n");
    let output = run(&["search", archive, "--fen", board]);
    assert!(output.code < 2 && output.err.contains("no side to move: White"), "{output:?}");
    assert!(output.err.ends_with(&hint), "{output:?}");
    assert_eq!(run(&["search", archive, "--pattern", pattern]).err, "");
    #[cfg(feature = "sql")]
    {
        fails(&["sql", archive, "selct * from games"], &["selct"]);
        fails(&["sql", archive, "select whit from games"], &["whit", "white"]);
        fails(&["sql", archive, "select * from game"], &["game"]);
        fails(&["sql", archive, "drop table games"], &["not supported"]);
        let query = format!("select count(*) from games where reaches(moves, '{typo}')");
        fails(&["sql", archive, &query], &[typo, "placement", "byte 13"]);
        fails(&["search", archive, "--where", "plis > 3"], &["plis", "plies"]);
    }
    for eco in ["najdorf", "Z99", "B900", "B90-", ""] {
        fails(
            &["search", archive, "--eco", eco],
            &["--eco", "such as B90, B9 or E60-E99", "for a name: opening"],
        );
    }
    fails(&["search", archive, "--eco", "E99-E60"], &["--eco", "E60 is before E99"]);
    fails(
        &["search", archive, "--opening", "najdrof"],
        &["najdrof", "did you mean", "Najdorf Variation"],
    );
    fails(&["explore", archive, "--opening", "?"], &["--opening \"?\" has no word in it"]);
    let years = ["--since", "1950", "--until", "1949-12"];
    fails(
        &[&["search", archive][..], &years].concat(),
        &["--until 1949-12 contradicts --since 1950"],
    );
    fails(&["show", archive, "1", "--ply", "9999"], &["--ply 9999", "half-moves"]);
    fails(&["search", archive, "--since", "19x4"], &["19x4", "date"]);
    for threads in ["0", "1025", "99999999999999999999", "two"] {
        let expected = ["--threads", threads, "expected a number from 1 to 1024"];
        fails(&["perft", "--depth", "1", "--threads", threads], &expected);
        fails(&["import", archive, "x.pgn", "--threads", threads], &expected);
    }
    let too_much = u64::MAX.to_string();
    fails(&["perft", "--depth", "1", "--hash", &too_much], &["--hash", "not enough memory"]);
    fails(&["search", archive, "--result", "2-0"], &["2-0", "1/2-1/2"]);
}

/// A program that was built without SQL reports that, with a hint.
#[cfg(not(feature = "sql"))]
#[test]
fn verbs_and_options_that_need_sql() {
    let (_folder, archive) = archive_of(&[MIDDLE]);
    for (args, what) in [
        (&["sql", &archive, "select 1"][..], "sql"),
        (&["sql", &archive], "sql"),
        (&["search", &archive, "--where", "id = 1"], "--where"),
        (&["remove", &archive, "--where", "id = 1"], "--where"),
    ] {
        let expected = format!("error: {what}: this program was built without SQL\nhint: ");
        fails(args, &[&expected, "cargo install --locked --path crates/cli"]);
    }
    for help in [ok(&["--help"]), ok(&["search", "--help"])] {
        assert!(!help.contains("\n  sql ") && !help.contains("--where"), "{help}");
    }
}

/// Queries that need too much memory: the errors and their hints.
#[cfg(feature = "sql")]
#[test]
fn queries_that_need_too_much() {
    let (_folder, archive) = archive_of(&[MIDDLE]);
    let archive = archive.as_str();
    let median = "select median(value) from generate_series(1, 10000000)";
    let hint = "hint: --memory 4G";
    fails(&["sql", archive, median, "--memory", "8M"], &["more memory than 8.0 MiB", hint]);
    // A sort uses files.
    let sorted = "select value from generate_series(1, 1000000) order by value % 1000, value desc";
    let output = ok(&["sql", archive, sorted, "--memory", "8M", "--format", "csv"]);
    assert_eq!(output.lines().count(), 1_000_001);
    let many = "select value from generate_series(1, 1000000000000)";
    let csv = "hint: --format csv";
    fails(&["sql", archive, many, "--memory", "8M"], &["the table exceeds its memory limit", csv]);
    let deep = format!("select {}1{}", "(".repeat(5_000), ")".repeat(5_000));
    fails(&["sql", archive, &deep], &["words and signs"]);
    fails(&["search", archive, "--where", &deep[7..]], &["words and signs"]);
    for size in ["", "1", "4", "0G", "-1G", "512K", "4P", "G", "99999999999G", "1.5G"] {
        let output = run(&["sql", archive, "select 1", &format!("--memory={size}")]);
        assert_eq!(output.code, 2, "{size}: {output:?}");
        assert!(output.err.contains("--memory"), "{output:?}");
    }
    for size in ["1M", "64m", "2GiB", "1024K"] {
        ok(&["sql", archive, "select 1", "--memory", size]);
    }
}

/// A bug of the query engine is one line of an error, without the text of a panic.
#[cfg(feature = "sql")]
#[test]
fn queries_on_which_the_engine_fails() {
    let (_folder, archive) = archive_of(&[MIDDLE]);
    let last = "18446744073709551615 following";
    for query in [
        format!("select sum(id) over (order by id rows between {last} and {last}) from games"),
        format!(
            "select sum(id) over (order by id rows between 1 preceding and {last}) from games limit 1"
        ),
    ] {
        let output = fails(&["sql", &archive, &query], &["the query engine failed on this query"]);
        assert_eq!(output.err.lines().count(), 1, "{output:?}");
    }
}

/// Names that would make the log unreadable: nothing is left.
#[test]
fn names_of_archives_that_cannot_be_used() {
    let folder = tempfile::tempdir().unwrap();
    let games = testdata(MIDDLE);
    for name in ["new\nline", "a%20b"] {
        let archive = folder.path().join(name);
        let words = ["cannot make an archive at ", "give the folder another name"];
        fails(&["import", archive.to_str().unwrap(), games.to_str().unwrap()], &words);
        assert!(!archive.exists(), "{name}");
    }
}

#[test]
fn typing_errors_in_other_games() {
    let makruk = ["position", "--variant", "makruk"];
    let moves = |text| fails(&[&makruk[..], &["--moves", text]].concat(), &["--moves"]);
    let output = moves("e4 e5 Sc4");
    for words in ["word 3, \"Sc4\"", "illegal", "\nhint: ", "Sc2"] {
        assert!(output.err.contains(words), "{output:?}");
    }
    assert!(moves("e4 Zz").err.contains("word 2, \"Zz\": unreadable move, expected "));
    assert!(moves("e4 d6d4").err.contains("word 2, \"d6d4\""));
    assert!(moves("e4 d6d4").err.ends_with("hint: legal here: d6d5\n"));
    let output = moves("count").err;
    assert!(output.contains("automatically under this policy\nhint: "), "{output}");
    assert!(output.contains("--counting thai"), "{output}");
    let thai = [&makruk[..], &["--counting", "thai", "--moves"]].concat();
    fails(
        &[&thai[..], &["e4 count"]].concat(),
        &["word 2, \"count\"", "a bia stands on", "expected none"],
    );
    fails(&[&thai[..], &["stop"]].concat(), &["word 1, \"stop\"", "no side is counting"]);
    fails(&["position", "--moves", "1. e4 count"], &["word 3, \"count\"", "expected"]);
    fails(&["position", "--counting", "thai"], &["--counting", "chess", "--variant makruk"]);
    fails(
        &["position", "--fen", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "--moves", "Kg8"],
        &["hint: there are no legal moves, the game is over: checkmate"],
    );
    fails(&["moves", "--san", "fairy"], &["--san", "chess has only one style", "--variant makruk"]);
    fails(
        &["moves", "--variant", "makruk", "--san", "latin"],
        &["latin", "fairy", "makruk-js", "playok", "thai"],
    );
    let (_folder, archive) = archive_of(&["games/makruk.pgn"]);
    let archive = archive.as_str();
    for verb in ["search", "explore", "export"] {
        let makruk = [verb, archive, "--variant", "makruk"];
        let uncertain = "8/2k5/2M5/8/8/8/8/2RK4";
        let args = [&makruk[..], &["--fen", uncertain]].concat();
        fails(&args, &["--fen", uncertain, "--dialect fairy or --dialect makruk-js"]);
        let output = run(&[&args[..], &["--dialect", "fairy"]].concat());
        assert_eq!(output.code, 1, "{output:?}");
        fails(&[&makruk[..], &["--moves", "e4 e4"]].concat(), &["--moves", "word 2", "\"e4\""]);
        fails(&[verb, archive, "--variant", "atomic"], &["atomic", "chess960", "makpong"]);
        fails(&[verb, archive, "--dialect", "fairy"], &["--fen", "--variant"]);
        let start = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
        fails(&[verb, archive, "--fen", start], &["--fen", start, "placement"]);
        fails(&[verb, archive, "--fen", start, "--moves", "e4"], &["--fen", start, "placement"]);
    }
    fails(&["moves", "--variant", "atomic"], &["atomic", "chess960", "makruk", "makpong", "asean"]);
    let uncertain = "8/2k5/2M5/8/8/8/8/2RK4";
    for verb in [&["moves"][..], &["position"], &["perft", "--depth", "1"]] {
        let args = [verb, &["--variant", "makruk", "--fen", uncertain]].concat();
        fails(&args, &["--fen", uncertain, "byte 7", "--dialect fairy or --dialect makruk-js"]);
        ok(&[&args[..], &["--dialect", "fairy"]].concat());
        // With the wrong variant.
        fails(
            &[&args[..], &["--dialect", "makruk-js"]].concat(),
            &["--fen", uncertain, "expected"],
        );
    }
    fails(
        &[
            "moves",
            "--variant",
            "chess",
            "--fen",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "--dialect",
            "fairy",
        ],
        &["--dialect", "FEN has no dialects in chess"],
    );
}

#[test]
fn an_empty_result_has_its_exit_code() {
    let (_folder, archive) = archive_of(&[MIDDLE]);
    let archive = archive.as_str();
    for args in [
        &["search", archive, "--player", "No Such Player"][..],
        &["search", archive, "--moves", "a4 a5 Ra2", "--count"],
        &["explore", archive, "--moves", "a4 a5 Ra2"],
        &["export", archive, "--player", "No Such Player"],
        &["show", archive, "999999"],
    ] {
        let output = run(args);
        assert_eq!(output.code, 1, "halfmove {args:?}: {output:?}");
    }
}

/// Verbs of `halfmove pgn` without that word.
#[test]
fn verbs_for_files_are_found() {
    for verb in ["check", "normalize"] {
        let output = run(&[verb, "x.pgn"]);
        assert_eq!(output.code, 2, "{output:?}");
        assert!(
            output.err.contains(&format!(
                "tip: PGN files have verbs of their own: halfmove pgn {verb}\n"
            )),
            "{output:?}"
        );
    }
    // `stats` is also a verb for archives, and reads files in place of them.
    let output = run(&["stats", "x.pgn"]);
    assert!(output.code == 2 && output.err.contains("cannot read x.pgn"), "{output:?}");
    assert!(!run(&["chess", "x.pgn"]).err.contains("halfmove pgn"));
}

#[test]
fn standard_input_and_a_closed_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive");
    let archive = archive.to_str().unwrap();
    let mut import = halfmove(&["import", archive, "-"]);
    import.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = import.spawn().unwrap();
    let packed = fs::read(testdata("games/lichess.pgn.zst")).unwrap();
    child.stdin.take().unwrap().write_all(&packed).unwrap();
    let output = finished(child.wait_with_output().unwrap());
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(output.err, "");

    #[cfg(feature = "sql")]
    let all = "select * from games";
    for args in [
        &["export", archive][..],
        #[cfg(feature = "sql")]
        &["sql", archive, all, "--format", "csv"],
        #[cfg(feature = "sql")]
        &["sql", archive, all, "--format", "json"],
        &["search", archive, "--format", "csv"],
    ] {
        let mut verb = halfmove(args);
        let mut child = verb.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = crate::program::finished(child.wait_with_output().unwrap());
        assert_eq!((output.code, output.err.as_str()), (0, ""), "{args:?}");
    }
}

/// URLs of folders are folders; URLs of object stores give the reason why they are not opened.
#[test]
fn archives_named_by_urls() {
    let (_folder, archive) = archive_of(&[MIDDLE]);
    let path = fs::canonicalize(&archive).unwrap();
    let url = format!("file://{}", path.display());
    assert_eq!(ok(&["info", &url]), ok(&["info", &archive]));
    assert_eq!(ok(&["verify", &url]), ok(&["verify", &archive]));
    let games = testdata(MIDDLE);
    ok(&["import", "--again", &url, games.to_str().unwrap()]);
    let history = ok(&["history", &archive, "--format", "json"]);
    assert_eq!(history.matches("\"import\"").count(), 2, "{history}");
    fails(&["info", "ftp://a.org/club"], &["ftp://a.org/club", "scheme is unknown", "s3"]);
    fails(
        &["import", "s3://bucket/club", games.to_str().unwrap()],
        &["s3://bucket/club", "object store", "change it in a local folder", "_delta_log last"],
    );
    #[cfg(not(feature = "object-store"))]
    for verb in ["info", "verify", "history", "undo"] {
        fails(&[verb, "s3://bucket/club"], &["s3://bucket/club", "the feature object-store"]);
    }
}
