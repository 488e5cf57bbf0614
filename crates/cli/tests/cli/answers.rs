//! Answers that say what they are about: the names that a condition matches, the games that a tree counts.

use crate::program::{ok, run};
use serde_json::{Value, json};
use std::fs;

/// An archive of some games, given as players, date and moves.
fn archive(games: &[(&str, &str, &str, &str)]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let (file, archive) = (folder.path().join("games.pgn"), folder.path().join("archive"));
    let text = games.iter().map(|(white, black, date, moves)| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{date}\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n")
    });
    fs::write(&file, text.collect::<String>()).unwrap();
    let archive = archive.to_str().unwrap().to_owned();
    ok(&["import", "-q", &archive, file.to_str().unwrap()]);
    (folder, archive)
}

fn json_of(args: &[&str]) -> Value {
    serde_json::from_str(&ok(&[args, &["--format", "json"]].concat())).unwrap()
}

const ARONIANS: &[(&str, &str, &str, &str)] = &[
    ("Aronian, Levon", "Carlsen, Magnus", "2012.01.01", "1. e4 e5"),
    ("Carlsen, Magnus", "Aronian, Levon", "2013.01.01", "1. d4 d5"),
    ("Aronian, Laurel", "Smith, John", "2014.01.01", "1. c4 c5"),
    ("Aronian,L", "Smith, John", "2015.01.01", "1. c4 e5"),
    ("Aronian, Laurel", "Aronian, Levon", "2016.01.01", "1. Nf3 d5"),
];

#[test]
fn several_names_of_a_condition_are_listed() {
    let (_folder, archive) = archive(ARONIANS);
    let archive = archive.as_str();
    let note = "\"aronian\" matches 3 names: \"Aronian, Levon\" (3 games), \"Aronian, Laurel\" (2 games), \
                \"Aronian,L\" (1 game); for one of them: --exact";
    for verb in [
        &["search"][..],
        &["search", "--count"],
        &["explore"],
        &["stats"],
        &["stats", "--by", "opening"],
        &["export"],
        &["remove", "--dry-run"],
    ] {
        let args = [&verb[..1], &[archive, "--player", "aronian"], &verb[1..]].concat();
        let output = run(&args);
        assert_eq!(output.code, 0, "{verb:?} {output:?}");
        assert_eq!(output.err.matches(note).count(), 1, "{verb:?} {output:?}");
    }
    // The names are those in the games that are found.
    let output = run(&["search", archive, "--player", "aronian", "--until", "2013"]);
    assert!(!output.err.contains("matches"), "{output:?}");
    let output =
        run(&["search", archive, "--white", "aronian", "--opponent", "x", "--player", "y"]);
    assert!(!output.err.contains("matches"), "{output:?}");
    let output = run(&["search", archive, "--player", "smith", "--opponent", "aronian"]);
    // They may be one player.
    assert!(!output.err.contains("matches"), "{output:?}");
    let output =
        run(&["search", archive, "--white", "carlsen", "--opponent", "a*", "--player", "c*"]);
    assert!(!output.err.contains("matches"), "{output:?}");
    let output = run(&["search", archive, "--player", "smith", "--opponent", "*"]);
    assert_eq!(output.code, 2, "{output:?}");
    let output = run(&["search", archive, "--black", "a*", "--moves", "d4 d5"]);
    assert!(!output.err.contains("matches"), "{output:?}");
}

#[test]
fn json_has_the_names_of_conditions() {
    let (_folder, archive) = archive(ARONIANS);
    let archive = archive.as_str();
    let levon = json!({ "name": "Aronian, Levon", "games": 3 });
    let laurel = json!({ "name": "Aronian, Laurel", "games": 2 });
    let short = json!({ "name": "Aronian,L", "games": 1 });
    let names = json!({ "player": [levon, laurel, short] });
    for verb in [
        &["search"][..],
        &["search", "--count"],
        &["explore"],
        &["stats"],
        &["stats", "--by", "opening"],
    ] {
        let args = [&verb[..1], &[archive, "--player", "aronian"], &verb[1..]].concat();
        assert_eq!(json_of(&args)["names"], names, "{verb:?}");
        let args = [&verb[..1], &[archive], &verb[1..]].concat();
        assert_eq!(json_of(&args).get("names"), None, "{verb:?}");
    }
    let both = json_of(&["search", archive, "--white", "aronian", "--black", "aronian"]);
    let white = json!([{ "name": "Aronian, Laurel", "games": 1 }]);
    let black = json!([{ "name": "Aronian, Levon", "games": 1 }]);
    assert_eq!(both["names"], json!({ "white": white, "black": black }));
}

#[test]
fn exact_names() {
    let (_folder, archive) = archive(ARONIANS);
    let archive = archive.as_str();
    let ids = |args: &[&str]| -> Vec<i64> {
        let answer = json_of(&[&["search", archive], args].concat());
        let games = answer["games"].as_array().unwrap();
        games.iter().map(|game| game["id"].as_i64().unwrap()).collect()
    };
    for (args, expected) in [
        (&["--player", "Aronian, Levon", "--exact"][..], &[1, 2, 5][..]),
        (&["--player", "aronian,levon", "--exact"], &[1, 2, 5]),
        (&["--player", "Aronian, L", "--exact"], &[4]),
        (&["--player", "Aronian, L"], &[1, 2, 3, 4, 5]),
        (&["--white", "Aronian, Laurel", "--exact"], &[3, 5]),
        (&["--black", "Aronian, Levon", "--exact"], &[2, 5]),
        (&["--player", "smith, john", "--opponent", "aronian, l", "--exact"], &[4]),
    ] {
        assert_eq!(ids(args), expected, "{args:?}");
    }
    for verb in ["explore", "stats", "export", "remove"] {
        let rest: &[&str] = if verb == "remove" { &["--dry-run"] } else { &[] };
        let args = [&[verb, archive, "--player", "Aronian, L", "--exact"], rest].concat();
        let output = run(&args);
        assert_eq!((output.code, output.err.contains("matches")), (0, false), "{output:?}");
    }
    let output = run(&["search", archive, "--player", "aronian", "--exact"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.err.contains("no player is called exactly \"aronian\""), "{output:?}");
    let output = run(&["search", archive, "--event", "x", "--exact"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(output.err.contains("--player"), "{output:?}");
}

/// Relatives are two players, even if one of them is spelled with an initial.
#[test]
fn relatives_are_not_similar() {
    let (_folder, archive) = archive(&[
        ("Vidmar, Milan Sr", "Alekhine, Alexander", "1931.01.01", "1. d4 d5"),
        ("Vidmar, Milan Jr", "Gligoric, Svetozar", "1948.01.01", "1. d4 d5"),
        ("Vidmar, M. jr.", "Gligoric, Svetozar", "1949.01.01", "1. d4 d5"),
    ]);
    let answer = json_of(&["players", &archive, "--similar"]);
    let pairs: Vec<(&str, &str)> = answer
        .as_array()
        .or_else(|| answer["pairs"].as_array())
        .unwrap()
        .iter()
        .map(|pair| {
            let name = |field: &str| pair[field]["name"].as_str().or(pair[field].as_str());
            (name("name").unwrap(), name("other").unwrap())
        })
        .collect();
    assert_eq!(pairs, [("Vidmar, M. jr.", "Vidmar, Milan Jr")]);
}

/// The replies to a move are counted in all games with its position, so their number stands beside the move.
#[test]
fn a_tree_has_the_games_that_reach_each_position() {
    let (_folder, archive) = archive(&[
        ("A", "B", "2000", "1. d4 Nf6 2. c4 e6"),
        ("A", "B", "2000", "1. c4 Nf6 2. d4 e6"),
        ("A", "B", "2000", "1. c4 Nf6 2. d4 g6"),
    ]);
    let archive = archive.as_str();
    let args = ["explore", archive, "--depth", "4", "--min-games", "1"];
    let answer = json_of(&args);
    /// Checks each move, and returns the number of those whose position more games reach.
    fn check(moves: &Value) -> usize {
        let moves = moves.as_array().unwrap();
        let games = |mv: &Value| -> u64 {
            ["white", "draws", "black", "other"].iter().map(|of| mv[of].as_u64().unwrap()).sum()
        };
        let mut joined = 0;
        for mv in moves {
            let next = mv["moves"].as_array().unwrap();
            if next.is_empty() {
                continue;
            }
            // All games go on to the end of the tree.
            let reached = mv["reached"].as_u64().unwrap();
            assert_eq!(next.iter().map(games).sum::<u64>(), reached, "{mv}");
            joined += usize::from(reached > games(mv)) + check(&mv["moves"]);
        }
        joined
    }
    assert_eq!(check(&answer["moves"]), 2);
    let d4 = &answer["moves"][1];
    let c4 = &d4["moves"][0]["moves"][0];
    assert_eq!((&d4["reached"], &c4["san"], &c4["reached"]), (&json!(1), &json!("c4"), &json!(3)));
    let table = ok(&args);
    let line = table.lines().find(|line| line.starts_with("    c4")).unwrap();
    assert!(line.split_whitespace().any(|cell| cell == "3"), "{table}");
    assert!(table.contains("reached: games with the position after the move"), "{table}");
    let csv = ok(&[&args[..], &["--format", "csv"]].concat());
    assert!(csv.lines().next().unwrap().split(',').any(|name| name == "reached"), "{csv}");
    // A tree without another order of moves has no such column.
    let table = ok(&["explore", archive, "--depth", "2"]);
    assert!(!table.contains("reached"), "{table}");
}

/// `--for N` is N half-moves, so N + 1 positions: here, those after 2. exd5 and after 2... c6.
#[test]
fn a_condition_holds_for_half_moves() {
    let (_folder, archive) = archive(&[("A", "B", "2000", "1. e4 d5 2. exd5 c6 3. dxc6 Nxc6")]);
    let archive = archive.as_str();
    // White is exactly a pawn ahead after plies 3 and 4, two after 5, and one after 6.
    for (plies, found) in [("0", true), ("1", true), ("2", false)] {
        let output = run(&["search", archive, "--imbalance", "Pv", "--for", plies]);
        assert_eq!(output.code == 0, found, "{plies} {output:?}");
    }
    let help = ok(&["search", "--help"]);
    assert!(help.contains("in N + 1 positions in a row"), "{help}");
}
