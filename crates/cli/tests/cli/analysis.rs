//! `halfmove analyze` with other engines, and the games that it only passes on.

use crate::engine::{Folder, fails, shipped};
use crate::program::{archive_of, halfmove, ok, run};
use halfmove_game::pgn::read_game;
use std::path::Path;

/// Games of which nothing can be analyzed: of another variant, from an invalid FEN, without a start in which their moves
/// are possible.
const PASSED_ON: [&str; 4] = [
    "[Event \"V\"]\n[Variant \"Atomic\"]\n[FEN \"8/8/3k4/8/8/8/8/K7 b - - 0 30\"]\n\n30... Kd7   31. Kb2 {odd\n spaces} *",
    "[Event \"NoFEN\"]\n\n30... Kd7 31. Kb2 *",
    "[Event \"Invalid\"]\n[FEN \"8/8/3k4/8/8/8/8/8 b - - 0 30\"]\n30...Kd7 31.Kb2 1-0",
    "[Event \"Adjourned\"]\n[White   \"A\"]\n\n\n*",
];

#[test]
fn games_that_are_only_passed_on_stay_as_they_are() {
    let folder = Folder::new();
    let played = "[Event \"P\"]\n\n1. e4 e5 *";
    let [atomic, no_fen, invalid, empty] = PASSED_ON;
    let text = format!("\u{feff}{atomic}\n\n\n\n{no_fen}\n\n{played}\n{invalid}\n\n{empty}\n");
    let output = run(&["analyze", &folder.file("a.pgn", &text), "--nodes", "50"]);
    assert_eq!(output.code, 0, "{output:?}");
    let (before, rest) = output.out.split_once("[Event \"P\"]").expect("the game");
    assert_eq!(before, format!("{atomic}\n\n{no_fen}\n\n"));
    let (analyzed, after) = rest.split_once("[Event \"Invalid\"]").expect("the game after it");
    assert!(analyzed.contains("[%eval "), "{analyzed}");
    assert_eq!(format!("[Event \"Invalid\"]{after}"), format!("{invalid}\n\n{empty}\n\n"));
    assert!(output.err.contains("3 games copied unchanged"), "{output:?}");
    // Nothing else than such games, in a file of another end of lines.
    let text = format!("{no_fen}\n\n{atomic}\n\n").replace('\n', "\r\n");
    let output = run(&["analyze", &folder.file("b.pgn", &text), "--nodes", "50"]);
    assert_eq!(output.out.replace("\r\n", "\n"), format!("{no_fen}\n\n{atomic}\n\n"));
}

/// The mate tables of the engine: two pieces mate a bare king in many more moves than so few nodes can see.
#[test]
fn mates_of_makruk_are_exact() {
    let folder = Folder::new();
    let text = "[Event \"E\"]\n[Variant \"Makruk\"]\n[FEN \"8/8/3k4/8/3S1N2/3K4/8/8 w - 88 13 60\"]\n\n60. Ke4 Kc6 *\n";
    let out = ok(&["analyze", &folder.file("a.pgn", text), "--nodes", "50"]);
    let game = read_game(&out).expect("a game");
    for ply in [1, 2] {
        let evaluation = game.node(ply).and_then(|node| node.evaluation()).expect("an evaluation");
        assert!(evaluation.mate().is_some_and(|moves| moves > 3), "{out}");
    }
}

/// Bad moves of real games get lines of at least four half-moves, if the game is long enough.
#[test]
fn better_lines_have_four_half_moves() {
    let games = shipped("games/lichess.pgn.zst");
    let folder = Folder::new();
    let few = folder.path("few.pgn");
    let (_archive_folder, archive) = archive_of(&["games/lichess.pgn.zst"]);
    ok(&["export", &archive, "--max-plies", "40", "--min-plies", "20", "-o", &few]);
    assert!(Path::new(&games).exists());
    let out = ok(&["analyze", &few, "--nodes", "400", "--hash", "1"]);
    let mut lines = 0;
    for text in out.split_inclusive("\n\n[Event ").map(|text| text.trim_end_matches("[Event ")) {
        let text =
            if text.starts_with("[Event ") { text.to_owned() } else { format!("[Event {text}") };
        let Ok(game) = read_game(&text) else { continue };
        for ply in 1..=game.moves.len() {
            let Some(node) = game.node(ply) else { continue };
            for line in node.variations() {
                let last = line.nodes().last().expect("a move").position();
                assert!(line.nodes().count() >= 4 || last.outcome().is_some(), "{text}");
                lines += 1;
            }
        }
    }
    assert!(lines > 10, "{lines}");
}

/// An external engine: our own under another name, and Stockfish where it is installed.
#[cfg(unix)]
#[test]
fn another_engine_analyzes() {
    let folder = Folder::new();
    let own = env!("CARGO_BIN_EXE_halfmove");
    let script = folder.file("engine.sh", &format!("#!/bin/sh\nexec {own} engine\n"));
    let mut permissions = std::fs::metadata(&script).expect("a file").permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    std::fs::set_permissions(&script, permissions).expect("a program");
    let text = "[Event \"E\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n\
                [Event \"M\"]\n[Variant \"Makruk\"]\n\n1. d4 e5 *\n\n\
                [Event \"N\"]\n[Variant \"Chess960\"]\n[FEN \"1rk4r/8/8/8/8/8/8/1RK4R w HBhb - 0 1\"]\n\n1. O-O Rb7 *\n\n";
    let games = folder.file("a.pgn", text);
    for limit in [["--nodes", "2000"], ["--depth", "5"], ["--movetime", "20"]] {
        let args =
            [&["analyze", &games, "--engine", &script, "--engine-option", "threads=1"], &limit[..]];
        let output = run(&args.concat());
        assert_eq!(output.code, 0, "{output:?}");
        let game = read_game(&output.out).expect("a game");
        let node = |ply| game.node(ply).expect("a node");
        assert_eq!(node(4).nags().map(|nag| nag.number()).collect::<Vec<_>>(), [4], "{output:?}");
        assert_eq!(node(4).evaluation().expect("a mate").mate(), Some(1));
        assert_eq!(node(5).evaluation(), None);
        assert_eq!(output.out.matches("[%eval ").count(), 8, "{}", output.out);
    }
    for installed in ["/usr/games/stockfish", "/usr/bin/stockfish"] {
        if !Path::new(installed).exists() {
            continue;
        }
        let output = run(&["analyze", &games, "--engine", installed, "--nodes", "5000"]);
        assert_eq!(output.code, 0, "{output:?}");
        assert!(output.out.contains("2... Ke7 $4 {[%eval #1]}"), "{output:?}");
        // Makruk is not its game.
        assert!(output.err.contains("1 game copied unchanged"), "{output:?}");
        assert!(output.out.contains("\n1. d4 e5 *\n"), "{output:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_engine_that_does_not_work_is_an_error() {
    let folder = Folder::new();
    let games = shipped("games/makruk.pgn");
    let analyze = |more: &[&str], words: &[&str]| {
        fails(&[&["analyze", &games], more].concat(), words);
    };
    let missing = folder.path("no-engine");
    analyze(&["--engine", &missing], &["--engine", "no-engine", "No such file"]);
    analyze(&["--engine", "true"], &["--engine true", "ended"]);
    analyze(&["--depth", "3"], &["--engine"]);
    let own = env!("CARGO_BIN_EXE_halfmove");
    let script = folder.file("engine.sh", &format!("#!/bin/sh\nexec {own} engine\n"));
    assert!(std::process::Command::new("chmod").args(["+x", &script]).status().is_ok());
    analyze(
        &["--engine", &script, "--engine-option", "Style=wild"],
        &["--engine-option Style", "no such option", "Hash"],
    );
    analyze(&["--engine", &script, "--engine-option", "Style"], &["expected NAME=VALUE"]);
    // One that stops in the middle of its work, whose games stay undone.
    let dies = folder.file("dies.sh", &format!("#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8 9; do read -r line && echo \"$line\"; done | {own} engine\n"));
    assert!(std::process::Command::new("chmod").args(["+x", &dies]).status().is_ok());
    let out = folder.path("out.pgn");
    let args = ["analyze", &games, "--engine", &dies, "--nodes", "10", "-o", &out];
    let output = halfmove(&args).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains(" ended"), "{output:?}");
    assert!(!Path::new(&out).exists());
}
