//! Moves by their numbers: next to plies, in lists, and in errors.

use crate::program::{archive_of, ok, run};
use serde_json::Value;
use std::fs;

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&ok(&[args, &["--format", "json"]].concat())).expect("JSON")
}

/// The first capture of each game, with the number that the FEN before it has.
#[test]
fn lists_name_the_move() {
    let (_folder, archive) = archive_of(&["games/setup.pgn", "games/makruk.pgn"]);
    let archive = archive.as_str();
    let found = json(&["search", archive, "--played", "x", "--columns", "id,ply,move"]);
    let games = found["games"].as_array().expect("games");
    assert!(games.len() > 5, "{found}");
    let mut of_black = 0;
    for game in games {
        let shown = json(&["show", archive, &game["id"].to_string()]);
        let ply = usize::try_from(game["ply"].as_u64().expect("a ply")).expect("small");
        let before = match ply {
            1 => &shown["fen"],
            _ => &shown["moves"][ply - 2]["fen"],
        };
        let words: Vec<&str> = before.as_str().expect("a FEN").split(' ').collect();
        let (side, number) = (words[1], words[words.len() - 1]);
        let san = shown["moves"][ply - 1]["san"].as_str().expect("a move");
        let dots = if side == "w" { "." } else { "..." };
        assert_eq!(game["move"], format!("{number}{dots} {san}"), "{game}");
        of_black += u32::from(side == "b");
    }
    assert!(of_black > 0);
    // In a table, the move stands in place of the ply.
    let table = ok(&["search", archive, "--played", "x", "--limit", "1"]);
    assert!(table.lines().next().is_some_and(|head| head.ends_with("  plies  move")), "{table}");
}

#[test]
fn boards_after_a_move() {
    let (folder, archive) = archive_of(&["games/masters.pgn.zst"]);
    let board = |archive: &str, at: &[&str]| ok(&[&["show", archive, "1"], at].concat());
    for (number, ply) in [("1", "1"), ("1...", "2"), ("12.", "23"), ("12…", "24")] {
        let shown = board(&archive, &["--move", number]);
        assert_eq!(shown, board(&archive, &["--ply", ply]), "{number}");
    }
    let start = json(&["search", &archive, "--moves", "", "--limit", "1", "--columns", "ply,move"]);
    assert_eq!((&start["games"][0]["ply"], &start["games"][0]["move"]), (&0.into(), &Value::Null));
    // The numbers are those of the game, which here begins with Black's move 40.
    let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 40\"]\n\n40... Kd7 41. e4 Kd6 *\n";
    let file = folder.path().join("late.pgn");
    fs::write(&file, text).expect("a file");
    let late = folder.path().join("late").to_str().expect("text").to_owned();
    ok(&["import", &late, file.to_str().expect("text"), "-q"]);
    assert!(board(&late, &["--move", "41"]).contains("\nafter 41. e4\n"));
    for number in ["40", "42", "1"] {
        let failed = run(&["show", &late, "1", "--move", number]);
        let text = format!("--move {number}: the game has 3 half-moves, from move 40... to 41...");
        assert!(failed.code == 2 && failed.err.contains(&text), "{failed:?}");
    }
    let failed = run(&["show", &late, "1", "--move", "Nf3"]);
    assert!(failed.code == 2 && failed.err.contains("expected 18 for White's, 18... for Black's"));
}

/// Errors name the move as a book does, in main lines and variations, whatever move the game begins with.
#[test]
fn errors_name_the_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("faults.pgn");
    let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 40\"]\n\n40... Kd7 41. e4 (41. e3 Kd6 42. Ka1) \
                41... Kd1 *\n\n1. e4 e5 2. Ke3 *\n";
    fs::write(&file, text).expect("a file");
    let file = file.to_str().expect("text");
    let checked = run(&["pgn", "check", file]);
    for place in ["(game 1, move 42 of a variation)", "(game 1, move 41...)", "(game 2, move 2)"] {
        assert!(checked.out.contains(place), "{place}: {}", checked.out);
    }
    let rows = run(&["pgn", "check", file, "--format", "csv"]).out;
    let plies: Vec<&str> = rows
        .lines()
        .filter(|row| row.contains("illegal_move"))
        .filter_map(|row| row.rsplit(".pgn,").next()?.split(',').nth(4))
        .collect();
    assert_eq!(plies, ["4", "3", "3"], "{rows}");
    let archive = folder.path().join("club").to_str().expect("text").to_owned();
    let imported = run(&["import", &archive, file]);
    for place in [
        "game 1, line 3, column 45, move 41...: illegal",
        "game 2, line 5, column 13, move 2: illegal",
    ] {
        assert!(imported.err.contains(place), "{place}: {}", imported.err);
    }
}
