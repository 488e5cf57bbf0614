//! Conformance to the protocol, for any input of a GUI.

use crate::conversation::Gui;
use crate::{chess, makruk};
use halfmove_engine::{Budget, Clock, Limits, Memory, Search, Signals};
use halfmove_rules::{AnyPosition, Chess, Variant};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

fn number(line: &str, word: &str) -> i64 {
    let mut words = line.split(' ').skip_while(|other| *other != word).skip(1);
    words.next().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("no {word}: {line}"))
}

fn is_legal(position: &Chess, uci: &str) -> bool {
    position.parse_uci(uci).is_ok()
}

#[test]
fn it_introduces_itself() {
    let mut gui = Gui::start();
    gui.send("uci");
    let lines = gui.until("uciok");
    assert!(lines[0].starts_with("id name Halfmove "), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("id author ")));
    for name in [
        "Hash type spin default 16 min 1 max",
        "Clear Hash type button",
        "Threads type spin default 1 min 1 max",
        "MultiPV type spin default 1 min 1 max",
        "Ponder type check default false",
        "Move Overhead type spin default",
        "Evaluation type combo default net var hand var net",
        "EvalFile type string default <empty>",
        "UCI_Chess960 type check default false",
        "UCI_Variant type combo default chess var chess var makruk var makpong var asean",
        "UCI_ShowWDL type check default false",
        "UCI_LimitStrength type check default false",
        "UCI_Elo type spin default 1500 min 600 max 2400",
    ] {
        let start = format!("option name {name}");
        assert!(lines.iter().any(|line| line.starts_with(&start)), "{name}: {lines:#?}");
    }
    gui.send("quit");
    assert_eq!(gui.close(), Vec::<String>::new());
}

#[test]
fn it_is_ready_while_it_thinks() {
    let mut gui = Gui::start();
    gui.send("go infinite");
    gui.until("info depth 3 ");
    gui.send("isready");
    gui.until("readyok");
    let best = gui.best(&["stop"]);
    assert!(is_legal(&Chess::default(), &best), "{best}");
    gui.sync();
    assert_eq!(gui.close(), Vec::<String>::new());
}

/// Each kind of limit gets exactly one `bestmove`.
#[test]
fn every_go_has_one_answer() {
    let mut gui = Gui::start();
    for go in [
        "go depth 1",
        "go depth 3",
        "go nodes 1",
        "go nodes 100",
        "go movetime 1",
        "go movetime -5",
        "go wtime 1 btime 1",
        "go wtime -100 btime -100",
        "go wtime 1 btime 1 winc 1 binc 1",
        "go wtime 100 btime 100 movestogo 1",
        "go wtime 100 btime 100 movestogo 0",
        "go btime 100",
        "go wtime 99999999999999999999 movetime 5",
        "go mate 1 depth 2",
        "go depth 0",
        "go depth 2 nodes 50 movetime 1000",
        "go searchmoves e2e4 depth 2",
        "go searchmoves e2e5 depth 2",
        "go ponder blunder depth 2 x",
        "go nodes -1",
        "go depth -5",
    ] {
        gui.send(go);
        if go.contains("ponder") {
            gui.send("stop");
        }
        let lines = gui.until("bestmove");
        let best = lines.last().and_then(|line| line.split(' ').nth(1)).expect("a move");
        assert!(is_legal(&Chess::default(), best), "{go}: {lines:#?}");
        gui.sync();
    }
}

/// A word that should be a number is reported. A search still returns a move; perft returns nothing.
#[test]
fn a_bad_number_is_reported_and_answered() {
    let mut gui = Gui::start();
    for (go, reason) in [
        ("go depth x", "depth: expected a number, found \"x\""),
        ("go nodes 1e6", "nodes: expected a number, found \"1e6\""),
        ("go wtime abc btime 5", "wtime: expected a number, found \"abc\""),
        ("go infinite movetime", "movetime: expected a number, found \"\""),
        ("go mate perft 2", "mate: expected a number, found \"perft\""),
        ("go perft x", "perft: expected a number, found \"x\""),
        ("go perft", "perft: expected a number, found \"\""),
    ] {
        gui.send(go);
        assert_eq!(gui.line(), Some(format!("info string error: go: {reason}")), "{go}");
        match go {
            "go mate perft 2" => drop(gui.until("Nodes searched: 400")),
            "go perft x" | "go perft" => {}
            "go infinite movetime" => drop(gui.think(&["stop"])),
            _ => drop(gui.think(&[])),
        }
        gui.sync();
    }
}

/// Of the moves to search, those that are legal.
#[test]
fn illegal_moves_to_search_are_left_out() {
    let mut gui = Gui::start();
    let lines = gui.think(&["go searchmoves e2e5 a2a3 depth 3"]);
    assert!(lines[0].starts_with("info string error: go: searchmoves e2e5: "), "{lines:#?}");
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove a2a3")), "{lines:#?}");
}

/// A weak search leaves nothing for a strong one.
#[test]
fn strength_can_be_set_back() {
    let mut gui = Gui::start();
    let fresh = gui.think(&["go depth 4"]);
    gui.send("setoption name UCI_LimitStrength value true");
    gui.send("setoption name UCI_Elo value 600");
    for _ in 0..3 {
        gui.think(&["go depth 8"]);
    }
    gui.send("setoption name UCI_LimitStrength value false");
    let again = gui.think(&["go depth 4"]);
    let found = |lines: &[String]| {
        let last = lines.iter().rfind(|line| line.starts_with("info depth 4 "))?;
        Some((number(last, "nodes"), number(last, "cp"), lines.last()?.clone()))
    };
    assert!(found(&fresh).is_some());
    assert_eq!(found(&again), found(&fresh));
}

/// An unexpected `ponderhit` does not give more time.
#[test]
fn a_stray_ponderhit_changes_nothing() {
    let signals = Signals::default();
    signals.ponder_hit(Duration::from_secs(5));
    let memory = Memory::new(1);
    let clock = Ticks::default();
    let limits = Limits { time: Some(Budget::exactly(40, 0)), ..Limits::default() };
    let search = Search::new(&memory).with_clock(&clock).with_signals(&signals);
    search.run(&Chess::default(), &[], &limits, &mut |_| {});
    assert!(clock.now() < Duration::from_millis(100));
}

/// The clock advances by a millisecond per query.
#[derive(Default)]
struct Ticks(AtomicU64);

impl Clock for Ticks {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Relaxed))
    }
}

#[test]
fn a_stop_at_once_is_obeyed() {
    let mut gui = Gui::start();
    for _ in 0..20 {
        let best = gui.best(&["go infinite", "stop"]);
        assert!(is_legal(&Chess::default(), &best), "{best}");
    }
    gui.send("stop");
    gui.send("ponderhit");
    gui.sync();
}

#[test]
fn an_infinite_search_waits_to_be_stopped() {
    let mut gui = Gui::start();
    // There is one move, and the search soon reaches the end of the game.
    gui.send("position fen 7k/8/8/8/8/1r6/r7/7K w - - 0 1");
    gui.send("go infinite");
    gui.until("info depth 127");
    gui.sync();
    assert_eq!(gui.best(&["stop"]), "h1g1");
}

#[test]
fn pondering_waits_for_the_hit() {
    let mut gui = Gui::start();
    gui.send("setoption name Ponder value true");
    gui.send("position startpos moves e2e4 e7e5");
    gui.send("go ponder wtime 60 btime 60");
    gui.until("info depth 4 ");
    let best = gui.best(&["ponderhit"]);
    assert!(is_legal(
        &chess("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"),
        &best
    ));
    // A depth that is soon reached: `bestmove` is still withheld.
    gui.send("go ponder depth 1");
    gui.until("info depth 1 ");
    gui.sync();
    gui.best(&["ponderhit"]);
}

#[test]
fn unknown_lines_are_skipped() {
    let mut gui = Gui::start();
    for line in [
        "",
        "   ",
        "xyzzy",
        "debug on",
        "register later",
        "go\u{0}",
        "\u{fffd}\u{1f600}",
        "position",
    ] {
        gui.send(line);
    }
    gui.send("stop");
    gui.send("joho isready");
    let lines = gui.until("readyok");
    assert!(
        lines.iter().any(|line| line.starts_with("info string error: position: ")),
        "{lines:#?}"
    );
    let mut long = "x".repeat(100_000);
    long.push_str(" isready");
    gui.send(&long);
    assert_eq!(gui.line().as_deref(), Some("readyok"));
}

#[test]
fn the_end_of_the_input_ends_a_search() {
    let mut gui = Gui::start();
    gui.send("position startpos");
    gui.send("go infinite");
    gui.until("info depth 2 ");
    let rest = gui.close();
    assert!(rest.last().is_some_and(|line| line.starts_with("bestmove ")), "{rest:#?}");
}

#[test]
fn games_that_are_over_have_no_best_move() {
    let mut gui = Gui::start();
    for (fen, score) in [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "info depth 0 score mate 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "info depth 0 score cp 0"),
    ] {
        let lines = gui.think(&[&format!("position fen {fen}"), "go depth 4"]);
        assert_eq!(lines, [score, "bestmove (none)"]);
        let lines = gui.think(&["go infinite", "stop"]);
        assert_eq!(lines, [score, "bestmove (none)"]);
    }
}

#[test]
fn a_position_of_400_moves_is_read() {
    let mut gui = Gui::start();
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let moves: Vec<_> = shuffle.iter().cycle().take(400).copied().collect();
    gui.send(&format!("position startpos moves {}", moves.join(" ")));
    let lines = gui.think(&["go depth 5"]);
    let line = lines.iter().rev().find(|line| line.starts_with("info depth 5")).expect("a line");
    assert!(line.contains("score cp"), "{line}");
    gui.send("d");
    let lines = gui.until("checkers");
    assert!(
        lines.contains(
            &"fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 400 201".to_owned()
        ),
        "{lines:#?}"
    );
}

/// After a rejected position there is none, since a move in the previous position would belong to
/// another game.
#[test]
fn a_bad_position_is_refused_whole() {
    let mut gui = Gui::start();
    for (command, reason) in [
        ("position startpos moves d2d4 e2e5 a2a3", "position: move 2, e2e5: not a legal move here"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position: "),
        ("position fen", "position: "),
        ("position startpos moves x", "position: move 1, x: "),
    ] {
        gui.send("position startpos moves e2e4");
        gui.send(command);
        let line = gui.line().expect("a complaint");
        assert!(line.starts_with(&format!("info string error: {reason}")), "{line}");
        let missing = "there is no position: the last one was refused";
        let lines = gui.think(&["go depth 5"]);
        assert_eq!(lines, [&format!("info string error: go: {missing}"), "bestmove 0000"]);
        for command in ["d", "eval", "perft 2"] {
            gui.send(command);
            assert_eq!(gui.line(), Some(format!("info string error: {missing}")), "{command}");
        }
    }
    // A `bestmove` that has to be withheld is.
    gui.send("go infinite");
    gui.until("info string error: go: ");
    gui.sync();
    assert_eq!(gui.best(&["stop"]), "0000");
    gui.send("position startpos moves e2e4");
    let best = gui.best(&["go depth 1"]);
    assert!(
        AnyPosition::start(Variant::Chess).parse_uci(&best).is_err(),
        "a move of Black: {best}"
    );
}

/// The nodes, score and line of each depth, without what depends on the time.
fn findings(lines: &[String]) -> Vec<String> {
    let kept = |line: &String| {
        let (found, rest) = line.split_once(" nps ")?;
        Some(format!("{found}{}", rest.split_once(" pv ")?.1))
    };
    lines.iter().filter_map(kept).collect()
}

/// Mate tables take a while to build, and are then kept. Node counts do not depend on them.
#[test]
fn a_search_of_so_many_nodes_finds_the_same_each_time() {
    // Two pieces against a bare king, and a position that leads there.
    let ending = "position fen 8/8/3k4/8/3S1N2/3K4/8/8 w - 88 13 60";
    let before = "position fen 8/8/3k4/4p3/3S1N2/3K4/8/8 w - - 0 60";
    let start = || {
        let mut gui = Gui::start();
        gui.send("setoption name UCI_Variant value makruk");
        gui
    };
    let mut gui = start();
    let unprepared = findings(&gui.think(&[before, "go nodes 3000"]));
    let at_once = findings(&gui.think(&["ucinewgame", ending, "go nodes 3000"]));
    let later = findings(&gui.think(&["ucinewgame", ending, "go nodes 3000"]));
    assert!(!at_once.is_empty() && at_once == later, "{at_once:#?} {later:#?}");
    let prepared = findings(&gui.think(&["ucinewgame", before, "go nodes 3000"]));
    assert!(!prepared.is_empty() && unprepared == prepared, "{unprepared:#?} {prepared:#?}");
    assert!(at_once.last().is_some_and(|line| line.contains("score mate ")), "{at_once:#?}");
}

#[test]
fn bad_options_are_refused() {
    let mut gui = Gui::start();
    for (command, reason) in [
        ("setoption name Hash value 0", "Hash: \"0\", expected a number from 1 to 65536"),
        ("setoption name Hash value many", "Hash: \"many\", expected a number from 1 to 65536"),
        ("setoption name Threads", "Threads: \"\", expected a number from 1 to 256"),
        (
            "setoption name UCI_Chess960 value maybe",
            "UCI_Chess960: \"maybe\", expected true or false",
        ),
        (
            "setoption name UCI_Variant value shogi",
            "UCI_Variant: \"shogi\" is unknown, expected one of chess, makruk, makpong, asean",
        ),
        ("setoption name Style value wild", "no option is called \"Style\": uci lists them"),
        ("setoption", "no option is called \"\": uci lists them"),
    ] {
        gui.send(command);
        assert_eq!(gui.line(), Some(format!("info string error: setoption: {reason}")));
    }
    for line in [
        "setoption name Hash value 2",
        "setoption name hash value 1",
        "setoption name Clear Hash",
        "setoption name Threads value 2",
        "setoption name Move Overhead value 0",
    ] {
        gui.send(line);
    }
    gui.best(&["go depth 3"]);
    gui.sync();
}

#[test]
fn chess960_castles_onto_the_rook() {
    let mut gui = Gui::start();
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    gui.send(&format!("position fen {fen}"));
    assert_eq!(gui.best(&["go searchmoves e1g1 depth 1"]), "e1g1");
    gui.send("setoption name UCI_Chess960 value true");
    gui.send(&format!("position fen {fen}"));
    assert_eq!(gui.best(&["go searchmoves e1h1 depth 1"]), "e1h1");
    gui.send("position fen 1rk4r/8/8/8/8/8/8/1RK4R w KQkq - 0 1 moves c1h1 c8b8");
    gui.best(&["go depth 2"]);
    // The option starts a new game.
    gui.send("setoption name UCI_Chess960 value false");
    gui.send("go perft 1");
    gui.until("Nodes searched: 20");
    gui.sync();
}

#[test]
fn it_plays_makruk_and_its_kin() {
    let mut gui = Gui::start();
    for variant in ["makruk", "makpong", "asean"] {
        gui.send(&format!("setoption name UCI_Variant value {variant}"));
        gui.send("position startpos");
        let best = gui.best(&["go depth 4"]);
        let start = AnyPosition::start(Variant::from_name(variant).expect("a game"));
        assert!(start.parse_uci(&best).is_ok(), "{variant}: {best}");
    }
    // A promotion is written with its letter.
    gui.send("setoption name UCI_Variant value makruk");
    gui.send("position fen 8/8/8/2P5/5k2/8/8/2K4R w - - 0 1");
    assert_eq!(gui.best(&["go searchmoves c5c6m depth 2"]), "c5c6m");
    gui.send("setoption name UCI_Variant value chess");
    let best = gui.best(&["go depth 2"]);
    assert!(is_legal(&Chess::default(), &best));
}

/// The count is taken from the FEN, and continues with the moves.
#[test]
fn it_knows_the_count() {
    let mut gui = Gui::start();
    gui.send("setoption name UCI_Variant value makruk");
    gui.send("position fen k7/8/2K5/8/8/8/8/7R w - 32 31 70");
    let lines = gui.think(&["go depth 5"]);
    assert!(
        lines.iter().rev().nth(1).is_some_and(|line| line.contains("score cp 0 ")),
        "{lines:#?}"
    );
    // Two moves earlier it is a mate, with the count on the way.
    gui.send("position fen k7/8/2K5/8/8/8/8/7R w - 32 21 70");
    let lines = gui.think(&["go depth 5"]);
    assert!(
        lines.iter().rev().nth(1).is_some_and(|line| line.contains("score mate 2 ")),
        "{lines:#?}"
    );
    gui.send("position fen k7/8/2K5/8/8/8/8/7R w - 32 27 70 moves h1h2 a8b8 h2h1 b8a8");
    let lines = gui.think(&["go depth 5"]);
    assert!(
        lines.iter().rev().nth(1).is_some_and(|line| line.contains("score cp 0 ")),
        "{lines:#?}"
    );
    gui.send("d");
    let lines = gui.until("black counts");
    assert!(lines.iter().any(|line| line.ends_with("w - 32 31 72")), "{lines:#?}");
}

#[test]
fn several_lines_and_odds_are_reported() {
    let mut gui = Gui::start();
    gui.send("setoption name MultiPV value 3");
    gui.send("setoption name UCI_ShowWDL value true");
    let lines = gui.think(&["go depth 4"]);
    let last: Vec<_> = lines.iter().filter(|line| line.starts_with("info depth 4 ")).collect();
    assert_eq!(last.len(), 3);
    for (i, line) in last.iter().enumerate() {
        assert_eq!(number(line, "multipv"), i as i64 + 1);
        let words: Vec<_> =
            line.split(' ').skip_while(|word| *word != "wdl").skip(1).take(3).collect();
        let sum: i64 = words.iter().map(|word| word.parse::<i64>().expect("a number")).sum();
        assert_eq!(sum, 1000, "{line}");
    }
}

#[test]
fn a_weak_engine_uses_few_nodes() {
    let mut gui = Gui::start();
    gui.send("setoption name UCI_LimitStrength value true");
    gui.send("setoption name UCI_Elo value 720");
    let lines = gui.think(&["go depth 20"]);
    let most = lines
        .iter()
        .filter(|line| line.contains(" nodes "))
        .map(|line| number(line, "nodes"))
        .max();
    assert!(most.is_some_and(|nodes| nodes <= 80), "{lines:#?}");
    assert!(is_legal(
        &Chess::default(),
        lines.last().and_then(|l| l.split(' ').nth(1)).expect("a move")
    ));
}

#[test]
fn its_own_commands_answer() {
    let mut gui = Gui::start();
    gui.send("perft 3");
    let lines = gui.until("Nodes searched");
    assert_eq!(lines.len(), 22);
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 8902"));
    assert!(lines.contains(&"e2e4: 600".to_owned()));
    gui.send("go perft 1");
    assert_eq!(gui.until("Nodes searched").last().map(String::as_str), Some("Nodes searched: 20"));
    for perft in ["perft", "perft -1", "perft 51", "go perft -1", "go perft 99999999999"] {
        gui.send(perft);
        let expected = "perft: expected a depth from 0 to 50, as in perft 4";
        assert_eq!(gui.line(), Some(format!("info string error: {expected}")), "{perft}");
    }
    gui.send("eval");
    let lines = gui.until("the net's value for White");
    assert!(lines.iter().any(|line| line.starts_with("mobility")), "{lines:#?}");
    gui.send("bench 1 chess");
    assert!(gui.line().is_some_and(|line| line.contains(" nodes ")));
    gui.send("bench deep");
    assert!(gui.line().is_some_and(|line| line.starts_with("info string error: bench: \"deep\"")));
    gui.send("setoption name UCI_Variant value makruk");
    gui.send("perft 2");
    assert_eq!(gui.until("Nodes searched").last().map(String::as_str), Some("Nodes searched: 529"));
}

/// Results of one game are wrong in another, even where the pieces stand alike.
#[test]
fn another_game_begins_with_nothing_remembered() {
    let nodes = |games: &[&str]| {
        let mut gui = Gui::start();
        let mut last = None;
        for game in games {
            gui.send(&format!("setoption name UCI_Variant value {game}"));
            gui.send("position startpos");
            gui.send("go depth 6");
            let infos = gui.until("bestmove");
            let words: Vec<_> = infos.iter().flat_map(|line| line.split(' ')).collect();
            let at = words.iter().rposition(|word| *word == "nodes").expect("nodes");
            last = words.get(at + 1).map(|word| word.parse::<u64>().expect("a number"));
        }
        last
    };
    assert_eq!(nodes(&["makruk", "makpong"]), nodes(&["makpong"]));
}

/// A whole short game, as a GUI plays it: every move of the engine is legal.
#[test]
fn it_plays_a_game_against_itself() {
    let mut gui = Gui::start();
    gui.send("ucinewgame");
    gui.sync();
    let mut position = Chess::default();
    let mut moves: Vec<String> = Vec::new();
    while position.outcome().is_none() && moves.len() < 60 {
        let line = if moves.is_empty() {
            "position startpos".to_owned()
        } else {
            format!("position startpos moves {}", moves.join(" "))
        };
        let best = gui.best(&[&line, "go nodes 500"]);
        let mv = position.parse_uci(&best).unwrap_or_else(|e| panic!("{line}: {best}: {e}"));
        position.play_unchecked(mv);
        moves.push(best);
    }
    assert!(moves.len() > 20);
    // The same in Makruk.
    gui.send("setoption name UCI_Variant value makruk");
    let start = makruk("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1");
    let (mut position, mut moves) = (start, Vec::new());
    while position.outcome().is_none() && moves.len() < 40 {
        let line = if moves.is_empty() {
            "position startpos".to_owned()
        } else {
            format!("position startpos moves {}", moves.join(" "))
        };
        let best: String = gui.best(&[&line, "go nodes 300"]);
        let mv = position.parse_uci(&best).unwrap_or_else(|e| panic!("{line}: {best}: {e}"));
        position.play_unchecked(mv);
        moves.push(best);
    }
    assert!(moves.len() > 20);
}
