//! Facts that keep copies and twins apart: round, board, link, FIDE ids and ratings that contradict each other.

use crate::program::{ok, run};
use serde_json::Value;
use std::fs;

/// Ninety-four half-moves of Andersson and Anand in 1983.
const MOVES: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 \
    Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 16. d5 c4 17. Bg5 h6 18. Be3 Nc5 19. Qd2 h5 20. Bg5 Be7";

fn game(white: &str, tags: &str) -> String {
    format!(
        "[White \"{white}\"]\n[Black \"Anand, Viswanathan\"]\n[Date \"1996.??.??\"]\n{tags}[Result \"1/2-1/2\"]\n\n\
         {MOVES} 1/2-1/2\n\n"
    )
}

fn import(folder: &tempfile::TempDir, name: &str, games: &[String], more: &[&str]) -> String {
    let file = folder.path().join(format!("{name}.pgn"));
    fs::write(&file, games.concat()).expect("a file");
    let archive = folder.path().join("club").to_str().expect("text").to_owned();
    ok(&[&["import", &archive, file.to_str().expect("text")], more].concat());
    archive
}

/// The ids of the groups of a kind, with their differences.
fn groups(archive: &str, kind: &str) -> Vec<(Vec<i64>, String)> {
    let found = run(&["duplicates", archive, "--kind", kind, "--format", "json"]).out;
    let found: Value = serde_json::from_str(&found).expect("JSON");
    let groups = found["groups"].as_array().expect("groups").iter().map(|group| {
        let ids = group["games"].as_array().expect("games").iter();
        let ids = ids.map(|game| game["id"].as_i64().expect("an id")).collect();
        (ids, group["differs"].as_str().expect("a text").to_owned())
    });
    groups.collect()
}

/// Tags of two games, and the fact in which they contradict each other, if any.
const PAIRS: &[(&str, &str, &str)] = &[
    // Two public collections on one game.
    ("[Round \"36\"]\n", "[Round \"6\"]\n", "round"),
    ("[Round \"4\"]\n", "[Round \"4.2\"]\n", ""),
    ("[Round \"4.1\"]\n", "[Round \"4.2\"]\n", "round"),
    ("[Round \"4\"]\n", "[Round \"?\"]\n", ""),
    ("[Round \"4\"]\n", "", ""),
    ("[Board \"1\"]\n", "[Board \"2\"]\n", "board"),
    ("[Board \"1\"]\n", "[Round \"4.2\"]\n", ""),
    (
        "[Site \"https://lichess.org/abcdefgh\"]\n",
        "[Site \"https://lichess.org/abcdefgi\"]\n",
        "link",
    ),
    (
        "[Site \"https://lichess.org/abcdefgh\"]\n",
        "[Site \"https://lichess.org/abcdefgh/black\"]\n",
        "",
    ),
    ("[Site \"https://lichess.org/abcdefgh\"]\n", "[Site \"Wijk aan Zee\"]\n", ""),
    (
        "[Link \"https://www.chess.com/game/live/1\"]\n",
        "[Link \"https://www.chess.com/game/live/2\"]\n",
        "link",
    ),
    ("[GameId \"abcdefgh\"]\n", "[GameId \"abcdefgi\"]\n", "link"),
    ("[GameId \"abcdefgh\"]\n", "[GameId \"2081934401077249\"]\n", ""),
    ("[WhiteFideId \"1700030\"]\n", "[WhiteFideId \"1700031\"]\n", "fide_id"),
    ("[WhiteFideId \"1700030\"]\n", "[BlackFideId \"5000017\"]\n", ""),
    ("[WhiteFideId \"1700030\"]\n", "[WhiteFideId \"0\"]\n", ""),
    // Collections take ratings from different lists: 2520 and 2315 are of one game of Hebden.
    ("[WhiteElo \"2520\"]\n", "[WhiteElo \"2315\"]\n", ""),
    ("[WhiteElo \"2520\"]\n", "[WhiteElo \"1810\"]\n", "rating"),
    ("[WhiteElo \"2520\"]\n", "[WhiteElo \"0\"]\n", ""),
    ("[WhiteElo \"2520\"]\n", "[BlackElo \"1810\"]\n", ""),
];

#[test]
fn a_fact_that_both_know_keeps_games_apart() {
    for (first, second, differs) in PAIRS {
        for (kind, white) in [("exact", "Andersson, Ulf"), ("twin", "Andersson U")] {
            let folder = tempfile::tempdir().expect("a folder");
            let games = [game("Andersson, Ulf", first), game(white, second)];
            let archive = import(&folder, "games", &games, &["-q"]);
            let found = groups(&archive, kind);
            let near = groups(&archive, "near");
            let place = format!("{kind}: {first}{second}");
            match *differs {
                "" => assert_eq!((found.len(), near.len()), (1, 0), "{place}"),
                differs => {
                    assert_eq!((found.len(), near.len()), (0, 1), "{place}");
                    assert!(near[0].1.split(", ").any(|fact| fact == differs), "{place}: {near:?}");
                }
            }
        }
    }
}

#[test]
fn an_import_knows_the_same_copies() {
    for (first, second, differs) in PAIRS {
        let folder = tempfile::tempdir().expect("a folder");
        import(&folder, "first", &[game("Andersson, Ulf", first)], &["-q"]);
        let skip = ["--duplicates", "skip", "-q"];
        let archive = import(&folder, "second", &[game("Ulf ANDERSSON", second)], &skip);
        let games = run(&["search", &archive, "--count"]).out;
        let left = if differs.is_empty() { "1" } else { "2" };
        assert_eq!(games.split_whitespace().next(), Some(left), "{first}{second}: {games}");
        // Both in one import.
        let folder = tempfile::tempdir().expect("a folder");
        let both = [game("Andersson, Ulf", first), game("Ulf ANDERSSON", second)];
        let archive = import(&folder, "both", &both, &skip);
        let games = run(&["search", &archive, "--count"]).out;
        assert_eq!(games.split_whitespace().next(), Some(left), "{first}{second}: {games}");
    }
}

/// A game without a round is a copy of neither of two that have different ones.
#[test]
fn an_unknown_round_decides_nothing() {
    let of = |round: &str| game("Andersson, Ulf", &format!("[Round \"{round}\"]\n"));
    let folder = tempfile::tempdir().expect("a folder");
    let games = [of("4"), of("?"), of("5"), of("4")];
    let archive = import(&folder, "games", &games, &["-q"]);
    assert_eq!(groups(&archive, "exact"), [(vec![1, 4], String::new())]);
    assert_eq!(groups(&archive, "twin"), []);
    assert_eq!(groups(&archive, "near"), [(vec![1, 2, 3], "round".to_owned())]);
    let skipped = import(&folder, "more", &[of("?"), of("5")], &["--duplicates", "skip", "-q"]);
    // The first one has the same text as the second of these, the other one is a copy of the third.
    let games = run(&["search", &skipped, "--count"]).out;
    assert_eq!(games.split_whitespace().next(), Some("4"), "{games}");
}
