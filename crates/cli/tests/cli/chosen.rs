//! Imports by conditions.

use crate::program::{ok, run};
use serde_json::Value;
use std::fs;
use std::path::Path;

const GAMES: &str = "\
[White \"Tal, Mihail\"]\n[Black \"Short, Nigel\"]\n[Date \"1988.05.01\"]\n[WhiteElo \"2600\"]\n[BlackElo \"2610\"]\n\
[TimeControl \"180+2\"]\n[Result \"1-0\"]\n\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 1-0\n\n\
[White \"Short, Nigel\"]\n[Black \"Adams, Michael\"]\n[Date \"1990.??.??\"]\n[Result \"0-1\"]\n\n1. d4 d5 2. c4 e6 0-1\n\n\
[White \"Adams, Michael\"]\n[Black \"Tal, Mihail\"]\n[Date \"1991.02.03\"]\n[Result \"1/2-1/2\"]\n\n1. e4 c5 2. Nf3 Ke7 1/2-1/2\n\n\
[White \"Polgar, Judit\"]\n[Black \"Short, Nigel\"]\n[Date \"1992.02.03\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Ke6 1-0\n\n\
[White \"Tal, Mihail\"]\n[Black \"Short, Nigel\"]\n[Date \"1988.05.01\"]\n[WhiteElo \"2600\"]\n[BlackElo \"2610\"]\n\
[TimeControl \"180+2\"]\n[Result \"1-0\"]\n\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 1-0\n\n";

fn file(folder: &Path) -> String {
    let file = folder.join("games.pgn");
    fs::write(&file, GAMES).expect("a file");
    file.to_str().expect("text").to_owned()
}

fn archive(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("text").to_owned()
}

/// An import by conditions has the games that a search by them finds in the whole.
#[test]
fn the_same_games_as_a_search() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, whole) = (file(folder.path()), archive(folder.path(), "whole"));
    ok(&["import", &whole, &file, "-q"]);
    let conditions: [&[&str]; 12] = [
        &["--player", "tal"],
        &["--player", "tal", "--as", "black"],
        &["--min-elo", "2500"],
        &["--since", "1990", "--until", "1991-12"],
        &["--result", "1-0"],
        &["--player", "short", "--result", "loss"],
        &["--eco", "B9"],
        &["--speed", "blitz"],
        &["--max-plies", "4"],
        &["--moves", "e4 c5"],
        &["--fen", "rnbqkbnr/pp2pppp/3p4/2p5/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3"],
        &["--played", "d4 cxd4"],
    ];
    for (number, conditions) in conditions.iter().enumerate() {
        let expected = ok(&[&["export", &whole], *conditions].concat());
        let chosen = archive(folder.path(), &format!("chosen{number}"));
        let imported = run(&[&["import", &chosen, &file], *conditions].concat());
        assert_eq!(imported.code, 0, "{conditions:?}: {imported:?}");
        let left = expected.matches("[White ").count();
        assert!(left > 0 && left < 5, "{conditions:?}");
        let note = match 5 - left {
            1 => "1 game left out by the conditions".to_owned(),
            games => format!("{games} games left out by the conditions"),
        };
        assert!(imported.err.contains(&note), "{conditions:?}: {imported:?}");
        assert_eq!(ok(&["export", &chosen]), expected, "{conditions:?}");
        let verified = run(&["verify", &chosen]);
        assert_eq!(verified.code, 0, "{verified:?}");
    }
}

/// Duplicates are counted among the chosen games, by their places in the file.
#[test]
fn duplicates_of_chosen_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, club) = (file(folder.path()), archive(folder.path(), "club"));
    let imported = run(&["import", &club, &file, "--player", "tal", "--duplicates", "skip"]);
    let place = "games.pgn: game 5 is left out, it is a duplicate of game 1, id 1";
    assert!(imported.err.contains(place), "{imported:?}");
    assert!(imported.err.contains("2 games left out by the conditions"), "{imported:?}");
    // Of the two games with a fault, one is chosen.
    assert!(imported.err.contains("1 game with a fault (column fault)"), "{imported:?}");
    assert!(imported.out.starts_with("2 games "), "{imported:?}");
    let history = run(&["history", &club, "--format", "json"]).out;
    let history: Value = serde_json::from_str(&history).expect("JSON");
    let change = &history["changes"][1];
    assert_eq!((&change["reason"], &change["games_added"]), (&"--player tal".into(), &2.into()));
    assert_eq!(change["sources"][0]["games"], 2, "{change}");
    // The same again is known, other conditions are not.
    let again = ok(&["import", &club, &file, "--player", "tal"]);
    assert!(again.contains("nothing new"), "{again}");
    let others = run(&["import", &club, &file, "--player", "polgar"]);
    assert!(others.out.starts_with("1 game "), "{others:?}");
    let all = run(&["import", &club, &file, "--duplicates", "skip"]);
    assert!(all.out.starts_with("1 game ") || all.out.starts_with("2 games "), "{all:?}");
}

#[test]
fn nothing_chosen() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, club) = (file(folder.path()), archive(folder.path(), "club"));
    let none = run(&["import", &club, &file, "--player", "carlsen"]);
    assert_eq!(
        (none.code, none.out.trim()),
        (1, "5 games read, none meets the conditions: nothing is imported")
    );
    // No archive is left, and another import can create it.
    assert_eq!(run(&["info", &club]).code, 2);
    ok(&["import", &club, &file, "--player", "tal", "-q"]);
    let sql = run(&["import", &club, &file, "--where", "plies > 3"]);
    assert!(sql.code == 2 && sql.err.contains("--where asks the games of an archive"), "{sql:?}");
    // An impossible condition is rejected before anything is read.
    let wrong = run(&["import", &club, &file, "--opponent", "tal"]);
    assert!(wrong.code == 2 && wrong.err.contains("it needs --player"), "{wrong:?}");
}

#[test]
fn names_of_several_players() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, club) = (folder.path().join("a.pgn"), archive(folder.path(), "club"));
    let game = |white: &str| format!("[White \"{white}\"]\n[Black \"Tal, M\"]\n\n1. e4 *\n\n");
    fs::write(&file, game("Aronian, Levon") + &game("Aronian, Laurel")).expect("a file");
    let file = file.to_str().expect("text");
    let imported = run(&["import", &club, file, "--player", "aronian"]);
    assert!(imported.err.contains("\"aronian\" matches 2 names"), "{imported:?}");
}
