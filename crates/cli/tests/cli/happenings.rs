//! Conditions on moves, ends, comments and variations, through the program.

use crate::program::{archive_of, ok, run};
use serde_json::Value;

/// The ids and plies of a search.
fn found(archive: &str, flags: &[&str]) -> Vec<(i64, Option<u64>)> {
    let output =
        run(&[&["search", archive, "--limit", "100000", "--format", "json"], flags].concat());
    let answer: Value = serde_json::from_str(&output.out).unwrap_or_else(|_| panic!("{output:?}"));
    let games = answer["games"].as_array().expect("games");
    assert_eq!(answer["count"].as_u64(), Some(games.len() as u64));
    games.iter().map(|game| (game["id"].as_i64().expect("an id"), game["ply"].as_u64())).collect()
}

/// The ids and plies by SQL.
#[cfg(feature = "sql")]
fn queried(archive: &str, ply: &str, condition: &str) -> Vec<(i64, Option<u64>)> {
    let query = format!("select id, {ply} as ply from games where {condition} order by id");
    let answer = ok(&["sql", archive, &query, "--format", "json"]);
    let rows: Value = serde_json::from_str(&answer).expect("JSON");
    let rows = rows.as_array().expect("rows").iter();
    rows.map(|row| (row["id"].as_i64().expect("an id"), row["ply"].as_u64())).collect()
}

#[cfg(feature = "sql")]
#[test]
fn flags_and_sql_agree() {
    let (_folder, archive) = archive_of(&["games/masters.pgn.zst"]);
    let archive = archive.as_str();
    for (flags, ply, condition) in [
        (
            &["--played", "Bxh7+ Kxh7 Ng5+"][..],
            "ply_played(moves, 'Bxh7+ Kxh7 Ng5+')",
            "plays(moves, 'Bxh7+ Kxh7 Ng5+')",
        ),
        (
            &["--played", "...O-O-O * =", "--player", "alekhine"],
            "ply_played(moves, '...O-O-O * =')",
            "plays(moves, '...O-O-O * =') and (white ~* '\\balekhine\\b' or black ~* '\\balekhine\\b')",
        ),
        (&["--ended", "checkmate"], "plies", "ended(moves) = 'checkmate'"),
        (&["--ended", "insufficient_material"], "plies", "ended(moves) = 'insufficient_material'"),
        (
            &["--ended", "stalemate", "--min-plies", "80"],
            "plies",
            "ended(moves) = 'stalemate' and plies >= 80",
        ),
        (&["--min-plies", "10", "--max-plies", "20"], "null", "plies between 10 and 20"),
    ] {
        let by_flags = found(archive, flags);
        assert!(!by_flags.is_empty(), "{flags:?}");
        assert_eq!(by_flags, queried(archive, ply, condition), "{flags:?}");
    }
    // In any combination of the two words.
    let ended = |how| found(archive, &["--ended", how]);
    for how in ["insufficient-material", "Insufficient Material"] {
        assert_eq!(ended(how), ended("insufficient_material"), "{how}");
    }
}

const ANNOTATED: &str = "\
[White \"Ann\"]

1. e4 e5 {A sharp Défense} 2. Nf3 (2. f4 exf4 {accepted} (2... Nf6 3. Nc3)) 2... Nc6 *

[White \"Bob\"]

1. e4 c5 2. f4 e6 *

[White \"Cid\"]

1. f4 e5 2. e4 exf4 {accepted, too} *
";

#[test]
fn comments_and_variations() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = folder.path().join("annotated.pgn");
    std::fs::write(&text, ANNOTATED).expect("written");
    let archive = folder.path().join("games");
    let archive = archive.to_str().expect("a path");
    ok(&["import", archive, text.to_str().expect("a path")]);
    for (flags, expected) in [
        (&["--comment", "DEFENSE"][..], &[(1, Some(2))][..]),
        (&["--comment", "defense a"], &[(1, Some(2))]),
        (&["--comment", "accepted"], &[(1, Some(2)), (3, Some(4))]),
        (&["--comment", "accept*", "--white", "cid"], &[(3, Some(4))]),
        (&["--comment", "accept"], &[]),
        (&["--annotated"], &[(1, Some(2)), (3, Some(4))]),
        (&["--annotated", "--white", "ann"], &[(1, Some(2))]),
        (&["--moves", "e4 e5 f4 exf4"], &[(3, Some(4))]),
        (&["--moves", "e4 e5 f4 exf4", "--in-variations"], &[(1, Some(2)), (3, Some(4))]),
        (&["--moves", "e4 e5 f4 Nf6 Nc3", "--in-variations"], &[(1, Some(2))]),
        (&["--moves", "e4 e5 f4", "--in-variations", "--played", "e4 exf4"], &[(3, Some(3))]),
        (&["--moves", "e4 e5 f4", "--in-variations", "--comment", "too"], &[(3, Some(3))]),
        (&["--played", "exf4"], &[(3, Some(4))]),
    ] {
        assert_eq!(found(archive, flags), expected, "{flags:?}");
        let export = run(&[&["export", archive], flags].concat());
        assert_eq!(
            export.out.matches("[White \"").count(),
            expected.len(),
            "{flags:?}: {export:?}"
        );
        let removed = run(&[&["remove", archive, "--dry-run"], flags].concat());
        let line = match expected.len() {
            0 => "",
            1 => "1 game would",
            _ => "2 games would",
        };
        assert!(removed.out.contains(line) || removed.err.contains(line), "{flags:?}: {removed:?}");
    }
    // The tree of games that meet a condition.
    let tree = ok(&["explore", archive, "--played", "exf4", "--format", "json"]);
    assert!(tree.contains("f2f4") && !tree.contains("e2e4"), "{tree}");
}

#[test]
fn questions_that_make_no_sense() {
    let (_folder, archive) = archive_of(&["games/setup.pgn"]);
    for (flags, words) in [
        (
            &["search", "--played", "Nf9"][..],
            &["--played", "character 3", "the rank of the square"][..],
        ),
        (&["search", "--played", ""], &["--played", "character 1", "expected a move"]),
        (&["search", "--ended", "resignation"], &["--ended", "checkmate", "stalemate"]),
        (
            &["search", "--comment", "!?"],
            &[
                "--comment \"!?\"",
                "no word",
                #[cfg(feature = "sql")]
                "comments(annotations)",
            ],
        ),
        (&["search", "--in-variations"], &["--in-variations", "moves, played"]),
        (&["explore", "--in-variations", "--moves", "e4"], &["--in-variations", "explore"]),
        (&["search", "--min-plies", "9", "--max-plies", "8"], &["--max-plies 8", "--min-plies 9"]),
    ] {
        let args = [&flags[..1], &[archive.as_str()], &flags[1..]].concat();
        let output = run(&args);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{flags:?}: {output:?}");
        for word in words {
            assert!(output.err.contains(word), "{flags:?}: no {word:?} in {}", output.err);
        }
    }
}
