//! Conditions on the board: flags, the same in SQL, and the ply that is shown.

use crate::program::{Finished, archive_of, ok, run};
use serde_json::Value;

/// The ids and plies of a search.
fn found(archive: &str, flags: &[&str]) -> Vec<(i64, u64)> {
    let output =
        run(&[&["search", archive, "--limit", "100000", "--format", "json"], flags].concat());
    let answer: Value = serde_json::from_str(&output.out).unwrap_or_else(|_| panic!("{output:?}"));
    let games = answer["games"].as_array().expect("games");
    assert_eq!(answer["count"].as_u64(), Some(games.len() as u64));
    let pair = |game: &Value| Some((game["id"].as_i64()?, game["ply"].as_u64()?));
    games.iter().map(|game| pair(game).expect("an id and a ply")).collect()
}

/// The ids and plies by SQL.
#[cfg(feature = "sql")]
fn queried(archive: &str, conditions: &str) -> Vec<(i64, u64)> {
    let query = format!(
        "select id, ply_when(moves, '{conditions}') as ply from games \
        where shows(moves, '{conditions}') order by id"
    );
    let answer = ok(&["sql", archive, &query, "--format", "json"]);
    let rows: Value = serde_json::from_str(&answer).expect("JSON");
    let rows = rows.as_array().expect("rows");
    let pair = |row: &Value| Some((row["id"].as_i64()?, row["ply"].as_u64()?));
    rows.iter().map(|row| pair(row).expect("an id and a ply")).collect()
}

#[cfg(feature = "sql")]
#[test]
fn flags_and_sql_agree() {
    let (_folder, archive) = archive_of(&["games/masters.pgn.zst"]);
    let board = "8/8/8/8/3P4/8/8/8";
    let pawns = "8/pp1p1ppp/4p3/2p5/2PP4/8/PP2PPPP/8";
    let both = "r4rk1/5ppp/8/8/8/8/5PPP/R4RK1";
    for (flags, conditions) in [
        (&["--pattern", board][..], format!("pattern:{board}")),
        (&["--pattern", both], format!("pattern:{both}")),
        (
            &["--pattern", "8/8/8/8/8/8/5PPP/5RK_", "--either-color", "--mirrored", "--for", "30"],
            "pattern:8/8/8/8/8/8/5PPP/5RK_ either-color mirrored for:30".to_owned(),
        ),
        (&["--material", "KRPvKR", "--either-color"], "material:RPvR either-color".to_owned()),
        (&["--material", "B2A*vB?A*", "--final"], "material:B2A*vB?A* final".to_owned()),
        (&["--imbalance", "QvRR"], "imbalance:QvRR".to_owned()),
        (
            &["--opposite-bishops", "--material", "BP*vBP*", "--for", "10"],
            "opposite-bishops material:BP*vBP* for:10".to_owned(),
        ),
        (&["--pawns", pawns], format!("pawns:{pawns}")),
        (
            &["--isolated", "d", "--isolated", "black:a", "--doubled", "f", "--either-color"],
            "isolated:d isolated:black:a doubled:f either-color".to_owned(),
        ),
        (&["--passed", "black:c", "--final"], "passed:black:c final".to_owned()),
    ] {
        let by_flags = found(&archive, flags);
        assert!(!by_flags.is_empty(), "{flags:?}");
        assert_eq!(by_flags, queried(&archive, &conditions), "{flags:?}");
    }
    // Two flags must hold in one position, two conditions of SQL each in some position.
    let together = found(&archive, &["--material", "RP+vRP+", "--isolated", "d"]);
    let apart = ok(&[
        "sql",
        &archive,
        "select count(*) from games where shows(moves, 'material:RP+vRP+') and shows(moves, 'isolated:d')",
        "--format",
        "csv",
    ]);
    let apart: usize = apart.lines().nth(1).and_then(|n| n.parse().ok()).expect("a number");
    assert!(!together.is_empty() && together.len() < apart, "{} {apart}", together.len());
    // The ply of a position comes first.
    let after = found(&archive, &["--moves", "d4 Nf6 c4", "--material", "RP+vRP+"]);
    assert!(!after.is_empty() && after.iter().all(|(_, ply)| *ply == 3), "{after:?}");
    // The ply is that of the board that is shown.
    let (id, ply) = found(&archive, &["--material", "KRPvKR"])[0];
    let shown = ok(&["show", &archive, &id.to_string(), "--ply", &ply.to_string()]);
    let fen = shown.lines().find(|line| line.contains(" - - ")).expect("a FEN");
    let board = fen.split(' ').next().unwrap_or_default();
    let mut pieces: Vec<char> = board.chars().filter(|char| char.is_alphabetic()).collect();
    pieces.sort_unstable();
    assert_eq!(pieces, ['K', 'P', 'R', 'k', 'r'], "{shown}");
}

fn fails(flags: &[&str], words: &[&str]) {
    let output: Finished = run(&[&["search", "nowhere"], flags].concat());
    assert_eq!((output.code, output.out.as_str()), (2, ""), "{flags:?}: {output:?}");
    for word in words {
        assert!(output.err.contains(word), "{flags:?}: no {word:?} in {}", output.err);
    }
}

#[test]
fn questions_that_make_no_sense() {
    for (flags, words) in [
        (
            &["--material", "KRPvKX"][..],
            &["--material", "character 6 of the pieces", "a piece"][..],
        ),
        (&["--material", "KRP"], &["--material", "a v between"]),
        (&["--imbalance", "QvQ"], &["--imbalance", "character 3", "each kind on one side only"]),
        (&["--imbalance", "QQvQRR"], &["character 4", "as in QvRR for QQvQRR"]),
        (&["--played", "=K"], &["a piece that a pawn becomes"]),
        (&["--played", "e4 ... =P"], &["a piece that a pawn becomes"]),
        (&["--played", "N=Q"], &["only a pawn is promoted"]),
        (&["--pattern", "8/8"], &["--pattern", "character 4 of the pattern", "eight ranks"]),
        (&["--pawns", "e4"], &["--pawns", "a v and the squares of Black's pawns"]),
        (&["--isolated", "x"], &["--isolated", "a file, a to h"]),
        (&["--isolated", "red:d"], &["white or black"]),
        (&["--for", "some", "--material", "KvK"], &["--for", "some"]),
        (&["--for", "8"], &["--for needs a condition on the board", "material"]),
        (&["--final"], &["--final needs a condition"]),
        (&["--either-color", "--moves", "e4"], &["--either-color needs a condition"]),
        (&["--mirrored"], &["--mirrored needs a condition"]),
    ] {
        fails(flags, words);
    }
}
