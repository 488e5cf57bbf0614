//! Hints after unexpected input and empty results: following each hint works.

use crate::program::{Finished, archive_of, ok, run, testdata};
use std::fs;
use std::path::Path;

/// Runs a command that must fail, and checks for the words of its hint.
fn fails(args: &[&str], words: &str) -> Finished {
    let output = run(args);
    assert_eq!(output.code, 2, "halfmove {args:?}: {output:?}");
    assert!(output.err.contains(words), "halfmove {args:?}: no {words:?} in {}", output.err);
    output
}

/// Options that a verb does not have: hints on what to do instead, and never on how to pass them as a value.
#[test]
fn options_of_other_verbs() {
    for (args, tip) in [
        (&["export", "club", "--format", "pgn"][..], "tip: search lists some of the games"),
        (&["export", "club", "--no-comments"], "-o - | halfmove pgn normalize --no-comments -\n"),
        (&["explore", "club", "--limit", "3"], "tip: --games N lists N games"),
        (&["players", "club", "--player", "tal"], "tip: a name is given without an option"),
        (
            &["info", "club", "--player", "tal"],
            "tip: import, search, explore and others have --player\n",
        ),
        (&["search", "club", "--depth", "3"], "tip: explore, perft and analyze have --depth\n"),
        (
            &["search", "club", "--format", "parquet"],
            "tip: sql writes Parquet: halfmove sql ARCHIVE",
        ),
        (&["search", "club", "-o", "x.parquet"], "hint: sql writes Parquet: halfmove sql ARCHIVE"),
        (
            &["duplicates", "club", "--remove", "--kind", "near"],
            "tip: near duplicates are removed by their ids: halfmove remove ARCHIVE --id 17,23\n",
        ),
        (
            &["duplicates", "club", "--remove", "--kind=exact"],
            "tip: --remove removes only exact duplicates: leave out --kind\n",
        ),
    ] {
        let output = fails(args, tip);
        assert!(!output.err.contains("as a value"), "{output:?}");
    }
    // If no verb has the option, there is no hint.
    let output = fails(&["search", "club", "--frobnicate"], "unexpected argument");
    assert!(!output.err.contains("tip"), "{output:?}");
}

/// `import` with one name, of the games or of the archive.
#[test]
fn an_import_without_archive_or_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (mess, archive) = (path("mess"), path("club"));
    fs::create_dir(&mess).unwrap();
    let games = path("mess/games.pgn");
    fs::copy(testdata("games/setup.pgn"), &games).unwrap();
    for games in [&mess, &games] {
        fails(
            &["import", games],
            &format!("tip: which archive? halfmove import ARCHIVE {games}\n"),
        );
    }
    fails(&["import", &archive], &format!("tip: which files? halfmove import {archive} FILE…\n"));
    ok(&["import", &archive, &mess, "-q"]);
    fails(&["import", &archive], &format!("tip: which files? halfmove import {archive} FILE…\n"));
}

/// Names of functions and columns of other programs, invalid dates, and other tables.
#[cfg(feature = "sql")]
#[test]
fn queries_that_other_programs_would_answer() {
    let (_folder, archive) = archive_of(&["games/setup.pgn"]);
    for (query, hint) in [
        ("select clock(moves) from games", "hint: clock_at(clocks, 10) is the clock"),
        ("select clocks(clocks) from games", "hint: clock_at(clocks, 10) is the clock"),
        ("select eval(moves) from games", "hint: eval_at(evaluations, 10) is the evaluation"),
        ("select evaluation(moves) from games", "hint: eval_at(evaluations, 10)"),
        ("select opening_name(moves) from games", "hint: opening(moves) is the name"),
        ("select opening_name from games", "hint: opening(moves) is a function"),
        (
            "select id from games where date > '1990'",
            "hint: a date is '1990-12-31', and null where",
        ),
        (
            "select date_part(date, 'year') from games",
            "hint: the part comes first, as text: date_part(",
        ),
        ("select * from 'fide.csv'", "hint: a query reads no other files: write the games to one"),
        ("select * from ratings", "hint: the tables are games, halfmoves and history"),
    ] {
        fails(&["sql", &archive, query], hint);
    }
    // The queries that the hints suggest work.
    let query = "select clock_at(clocks, 10), eval_at(evaluations, 10), mate_at(evaluations, 10), \
                 opening(moves), shows(moves, 'material:KRPvKR'), date_part('month', date) \
                 from games where date > '1990-12-31' or year >= 1990";
    ok(&["sql", &archive, query]);
}

/// A player who has no games with one color has some with the other.
#[test]
fn a_player_with_the_other_color() {
    let (folder, archive) = archive_of(&["games/lichess.pgn.zst"]);
    let other = "\"ABI2025\" has 1 game, with Black\n";
    for verb in ["search", "explore", "export", "remove"] {
        let output = run(&[verb, &archive, "--player", "ABI2025", "--as", "white"]);
        assert_eq!((output.code, output.err.contains(other)), (1, true), "{verb}: {output:?}");
    }
    let output =
        run(&["search", &archive, "--player", "ABI2025", "--as", "black", "--year", "1999"]);
    assert_eq!((output.code, output.err.as_str()), (1, ""), "{output:?}");
    // A written file is named, with the number of entries in it.
    for (args, name, words) in [
        (&["search", &archive, "--limit", "4"][..], "list.csv", "4 games"),
        (&["search", &archive, "--limit", "1"], "list.txt", "1 game"),
        (
            &["explore", &archive, "--moves", "e4", "--depth", "2", "--min-games", "60"],
            "tree.csv",
            "2 moves",
        ),
        #[cfg(feature = "sql")]
        (&["sql", &archive, "select id from games where id < 4"], "ids.csv", "3 rows"),
        #[cfg(feature = "sql")]
        (&["sql", &archive, "select id from games where id < 4"], "ids.json", "3 rows"),
        #[cfg(feature = "sql")]
        (&["sql", &archive, "select id from games where id < 4"], "ids.ndjson", "3 rows"),
        #[cfg(feature = "sql")]
        (&["sql", &archive, "select id from games where id < 4"], "ids.parquet", "3 rows"),
        #[cfg(feature = "sql")]
        (&["sql", &archive, "select id from games where id < 4"], "ids", "3 rows"),
    ] {
        let path = folder.path().join(name);
        let path = path.to_str().unwrap();
        let output = run(&[args, &["-o", path]].concat());
        assert_eq!((output.code, output.out.as_str()), (0, ""), "{args:?}: {output:?}");
        assert_eq!(output.err, format!("{words} written to {path}\n"), "{args:?}");
        assert!(Path::new(path).exists());
    }
}

#[test]
fn trees_say_what_they_count() {
    let (_folder, archive) = archive_of(&["games/chess960.pgn", "games/masters.pgn.zst"]);
    let start =
        "from the standard starting position; most games of Chess960 begin elsewhere: --fen";
    let output = run(&["explore", &archive, "--variant", "chess960"]);
    assert!(output.out.contains(start), "{output:?}");
    let fens = ["--variant", "chess960", "--columns", "start_fen", "--format", "csv"];
    let fens = ok(&[&["search", &archive][..], &fens].concat());
    let fen = fens.lines().skip(1).find(|fen| !fen.is_empty()).unwrap();
    let output = ok(&["explore", &archive, "--variant", "chess960", "--fen", fen]);
    assert!(!output.contains(start), "{output}");
    // Games reach a position by other moves, too.
    let line = "reached: games with the position after the move, by any order of moves; ";
    let deep = ok(&["explore", &archive, "--moves", "d4 e6", "--depth", "2"]);
    assert!(deep.contains(line), "{deep}");
    for args in
        [&["--moves", "d4 e6"][..], &["--moves", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4", "--depth", "1"]]
    {
        let plain = ok(&[&["explore", &archive], args].concat());
        assert!(!plain.contains(line), "{plain}");
    }
}
