//! `show` with several games: those with some ids, and those of conditions.

use crate::program::{archive_of, ok, run};
use serde_json::Value;

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&ok(&[args, &["--format", "json"]].concat())).expect("JSON")
}

#[test]
fn games_of_ids_and_of_conditions() {
    let (_folder, archive) = archive_of(&["games/masters.pgn.zst"]);
    let archive = archive.as_str();
    // Several games, each as alone.
    let alone = ["3", "5", "7"].map(|id| ok(&["show", archive, id]));
    assert_eq!(ok(&["show", archive, "3,5", "7"]), alone.join("\n"));
    let one = json(&["show", archive, "3"]);
    assert_eq!(json(&["show", archive, "3,5"])[0], one);
    assert_eq!(json(&["show", archive, "3-3"]), one);
    let pgn = ok(&["show", archive, "3-5", "--format", "pgn"]);
    assert_eq!(pgn, ok(&["search", archive, "--id", "3-5", "--format", "pgn", "--limit", "0"]));

    // The board is drawn where the condition holds, and each game is one that `search` finds.
    let condition = ["--played", "Bxh7+ Kxh7 Ng5+"];
    let search = [&["search", archive][..], &condition, &["--columns", "id,move"]].concat();
    let found = json(&search);
    let found = found["games"].as_array().expect("games");
    let shown = json(&[&["show", archive][..], &condition].concat());
    let ids = |games: &[Value]| games.iter().map(|game| game["id"].as_i64()).collect::<Vec<_>>();
    assert_eq!(ids(found), ids(shown.as_array().expect("games")));
    let text = ok(&[&["show", archive][..], &condition].concat());
    let after: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("after ")).collect();
    let moves = found.iter().map(|game| game["move"].as_str().expect("a move"));
    assert!(moves.eq(after.iter().copied()), "{after:?}");
    // Unless another place is requested.
    let text = ok(&[&["show", archive, "--move", "2..."][..], &condition].concat());
    assert_eq!(text.matches("\nafter 2... ").count(), found.len(), "{text}");
    assert_eq!(ids(found).len(), 5);

    // Conditions that find many games draw the first ones; programs get all.
    let many = run(&["show", archive, "--eco", "B9", "--format", "table"]);
    assert_eq!(many.out.matches("[Event ").count(), 20);
    assert!(many.err.contains("the first 20 of ") && many.err.contains("search --format pgn"));
    let games = ok(&["show", archive, "--eco", "B9", "--format", "json"]);
    let games: Value = serde_json::from_str(&games).expect("JSON");
    let all = ok(&["search", archive, "--eco", "B9", "--count"]);
    let count = games.as_array().map_or(0, Vec::len);
    assert!(count > 20 && all.trim() == count.to_string(), "{count}, {all}");
}

#[test]
fn nothing_to_show() {
    let (_folder, archive) = archive_of(&["games/setup.pgn"]);
    let archive = archive.as_str();
    let nothing = run(&["show", archive]);
    assert!(nothing.code == 2 && nothing.err.contains("expected the id of a game, or conditions"));
    assert!(nothing.err.contains("search lists ids"), "{nothing:?}");
    for args in [&["show", archive, "9999", "9998"][..], &["show", archive, "--player", "nobody"]] {
        let none = run(args);
        assert!(none.code == 1 && none.out.is_empty(), "{none:?}");
        assert!(none.err.contains("no games found"), "{none:?}");
    }
    let some = run(&["show", archive, "1,9999"]);
    assert!(some.code == 0 && some.err.contains("no game has the id 9999"), "{some:?}");
}
