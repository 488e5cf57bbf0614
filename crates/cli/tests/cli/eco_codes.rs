//! The ECO code of a game: that of its tag, or where the tag is not a code, that of its opening by position.

use crate::program::{archive_of, ok, run};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&ok(&[args, &["--format", "json"]].concat())).expect("JSON")
}

/// Groups of `stats`, and their games.
fn groups(answer: &Value) -> BTreeMap<Option<String>, u64> {
    let groups = answer["groups"].as_array().expect("groups").iter();
    let groups = groups.filter(|group| group["by"].as_str().is_none_or(|by| by.ends_with("eco")));
    let games = |group: &Value| group["games"].as_u64().expect("a number");
    groups.map(|group| (group["value"].as_str().map(str::to_owned), games(group))).collect()
}

#[test]
fn one_meaning_in_all_verbs() {
    let folder = tempfile::tempdir().expect("a folder");
    let moves = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *";
    let tags = ["C42", "b90k", "?", "", "Sicilian", "B9", "A1234", "D4"];
    let games = tags.iter().map(|tag| format!("[ECO \"{tag}\"]\n\n{moves}\n\n"));
    let text = games.collect::<String>() + &format!("[White \"none\"]\n\n{moves}\n\n");
    let file = folder.path().join("codes.pgn");
    fs::write(&file, text).expect("a file");
    let archive = folder.path().join("club").to_str().expect("text").to_owned();
    ok(&["import", &archive, file.to_str().expect("text"), "-q"]);
    // The exit code of a search without a match is 1.
    let count =
        |code: &str| run(&["search", &archive, "--eco", code, "--count"]).out.trim().to_owned();
    assert_eq!(
        (count("C42").as_str(), count("B90").as_str(), count("A,D").as_str()),
        ("1", "8", "0")
    );
    let twice = run(&["search", &archive, "--eco", "C42", "--eco", "B90", "--count"]);
    assert_eq!(twice.out.trim(), "9");
    let of = |codes: [(&str, u64); 2]| {
        codes.into_iter().map(|(code, games)| (Some(code.to_owned()), games)).collect()
    };
    assert_eq!(groups(&json(&["stats", &archive])), of([("C", 1), ("B", 8)]));
    assert_eq!(groups(&json(&["stats", &archive, "--by", "eco"])), of([("C42", 1), ("B90", 8)]));
    let by_position: BTreeMap<_, _> = [(Some("B90".to_owned()), 9)].into();
    assert_eq!(groups(&json(&["stats", &archive, "--by", "position-eco"])), by_position);
}

/// Each group has the games that `--eco` finds, in real games whose tags differ from the positions.
#[test]
fn groups_have_the_games_of_the_condition() {
    let (_folder, archive) = archive_of(&["games/lichess.pgn.zst", "games/masters.pgn.zst"]);
    let codes = groups(&json(&["stats", &archive, "--by", "eco", "--limit", "0"]));
    let mut letters: BTreeMap<Option<String>, u64> = BTreeMap::new();
    for (code, games) in &codes {
        *letters.entry(code.as_ref().map(|code| code[..1].to_owned())).or_default() += games;
    }
    assert_eq!(groups(&json(&["stats", &archive])), letters);
    assert!(codes.len() > 200, "{}", codes.len());
    for (code, games) in codes.iter().step_by(29) {
        let Some(code) = code else { continue };
        let found = ok(&["search", &archive, "--eco", code, "--count"]);
        assert_eq!(found.trim(), games.to_string(), "{code}");
    }
}
