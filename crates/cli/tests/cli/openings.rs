//! Openings: filters, and the names that `explore` and `show` print.

use serde_json::Value;

use crate::program::{archive_of, ok, run};

const MASTERS: &str = "games/masters.pgn.zst";

fn count(archive: &str, filter: &[&str]) -> u64 {
    ok(&[&["search", archive, "--count"], filter].concat()).trim().parse().expect("a number")
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&run(&[args, &["--format", "json"]].concat()).out).expect("JSON")
}

/// Filters, each against SQL over the positions and the tags.
#[cfg(feature = "sql")]
#[test]
fn filters_by_opening_and_code() {
    let (_folder, archive) = archive_of(&[MASTERS, "games/lichess.pgn.zst"]);
    let archive = archive.as_str();
    for (name, condition) in [
        ("sicilian", "opening(moves) like '%Sicilian%'"),
        ("King's Indian", "opening(moves) ~* '\\bking''s\\b' and opening(moves) ~* '\\bindian\\b'"),
        (
            "najdorf english attack",
            "opening(moves) like 'Sicilian Defense: Najdorf Variation, English Attack%'",
        ),
    ] {
        let found = count(archive, &["--opening", name]);
        assert!(found > 0, "{name}");
        assert_eq!(found, count(archive, &["--where", condition]), "{name}");
    }
    let code = "case when eco ~ '^[A-E][0-9][0-9]' then left(eco, 3) else eco(moves) end";
    for (codes, first, last) in [
        ("E60-E99", "E60", "E99"),
        ("b9", "B90", "B99"),
        ("C", "C00", "C99"),
        ("B90", "B90", "B90"),
    ] {
        let condition = format!("{code} between '{first}' and '{last}'");
        let found = count(archive, &["--eco", codes]);
        assert!(found > 50, "{codes}");
        assert_eq!(found, count(archive, &["--where", &condition]), "{codes}");
    }
    let some = count(archive, &["--eco", "B90, E6"]);
    assert_eq!(some, count(archive, &["--eco", "B90"]) + count(archive, &["--eco", "E60-E69"]));
    let columns = ["--columns", "id,opening,eco", "--format", "csv"];
    let listed = ok(&[&["search", archive], &columns[..]].concat());
    let query = "select id, opening(moves) as opening, eco from games order by id";
    assert_eq!(listed, ok(&["sql", archive, query, "--format", "csv"]));
    // A filter matches the same games in all verbs.
    let filter = ["--opening", "winawer", "--result", "1-0"];
    let found = count(archive, &filter);
    let exported = ok(&[&["export", archive], &filter[..]].concat());
    assert_eq!(exported.matches("[Event \"").count() as u64, found);
    let tree = json(&[&["explore", archive], &filter[..]].concat());
    assert_eq!(tree["white"].as_u64(), Some(found));
}

/// The opening of a position, and of the moves to it.
#[test]
fn explore_names_the_opening() {
    let (_folder, archive) = archive_of(&[MASTERS]);
    let archive = archive.as_str();
    let after = |moves: &str| json(&["explore", archive, "--moves", moves])["opening"].clone();
    let najdorf =
        serde_json::json!({ "eco": "B90", "name": "Sicilian Defense: Najdorf Variation" });
    assert_eq!(after("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"), najdorf);
    assert_eq!(after("Nf3 c5 e4 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"), najdorf);
    // The last name on the way: 6. a4 h6 has no name.
    let quiet = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Qd3";
    assert_eq!(after(quiet), najdorf);
    let fen = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2NQ4/PPP2PPP/R1B1KB1R b KQkq - 1 6";
    let of_fen = json(&["explore", archive, "--fen", fen]);
    assert_eq!(of_fen["opening"], Value::Null);
    let fen = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6";
    assert_eq!(json(&["explore", archive, "--fen", fen])["opening"], najdorf);
    assert_eq!(json(&["explore", archive])["opening"], Value::Null);
    let makruk = json(&["explore", archive, "--variant", "makruk", "--moves", "e4"]);
    assert_eq!(makruk["opening"], Value::Null);
    // In tables, above the results; not in CSV, which has rows of moves.
    let table = ok(&["explore", archive, "--moves", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"]);
    assert!(table.contains("\nB90 Sicilian Defense: Najdorf Variation\n"), "{table}");
    let csv = ok(&["explore", archive, "--moves", "e4 c5", "--format", "csv"]);
    assert!(!csv.contains("Sicilian"), "{csv}");
}

/// The tree of an opening begins where the opening does.
#[test]
fn explore_begins_at_an_opening() {
    let (_folder, archive) = archive_of(&[MASTERS]);
    let archive = archive.as_str();
    let explore = |more: &[&str]| ok(&[&["explore", archive, "--games", "0"], more].concat());
    let tree = |more: &[&str]| json(&[&["explore", archive], more].concat());
    let moves = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6";
    let najdorf = ["--opening", "najdorf"];
    assert_eq!(tree(&najdorf), tree(&[&najdorf[..], &["--moves", moves]].concat()));
    let output = explore(&najdorf);
    let begin = "\nB90 Sicilian Defense: Najdorf Variation\n\
        after 1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 (the tree from the start: --moves \"\")\n";
    assert!(output.contains(begin), "{output}");
    // A given position takes precedence.
    let start = tree(&[&najdorf[..], &["--moves", ""]].concat());
    assert_eq!(start["moves"][0]["san"], "e4");
    let output = explore(&[&najdorf[..], &["--moves", "e4"]].concat());
    assert!(output.starts_with("move") && !output.contains("the start"), "{output}");
    // Of several openings, none is chosen.
    let output = explore(&["--opening", "king's indian"]);
    let several = "\nfrom the start, since several openings have this name; to begin at one: \
        --opening \"King's Indian Attack\" or --opening \"King's Indian Defense\"\n";
    assert!(output.contains(several), "{output}");
    assert_eq!(tree(&["--opening", "King's Indian Defense"])["opening"]["eco"], "E61");
    // Names and spellings that others use.
    for (typed, name) in [
        ("sicilian defence", "Sicilian Defense"),
        ("gruenfeld", "Grünfeld Defense"),
        ("Grünfeld Defence", "Grünfeld Defense"),
        ("spanish game", "Ruy Lopez"),
        ("russian", "Petrov's Defense"),
        ("petroff defence", "Petrov's Defense"),
    ] {
        assert_eq!(tree(&["--opening", typed])["opening"]["name"], name, "{typed}");
    }
    // A synonym is an additional name, not a replacement.
    let spanish = count(archive, &["--opening", "spanish"]);
    if cfg!(feature = "sql") {
        let both = "opening(moves) ~ 'Ruy Lopez|Spanish'";
        assert_eq!(spanish, count(archive, &["--where", both]));
    }
}

/// No game, no numbers.
#[test]
fn explore_where_no_game_is() {
    let (_folder, archive) = archive_of(&["games/setup.pgn"]);
    let output = run(&["explore", &archive, "--moves", "a3 a6 b3 b6 c3 c6 Ra2"]);
    let nothing = "A00 Anderssen's Opening\nno game reaches this position\n";
    assert_eq!((output.code, output.out.as_str()), (1, nothing), "{output:?}");
    let output = run(&["explore", &archive, "--year", "1066"]);
    let nothing = "no game reaches this position and meets the conditions\n";
    assert_eq!((output.code, output.out.as_str()), (1, nothing), "{output:?}");
}

#[cfg(feature = "sql")]
#[test]
fn show_names_the_opening() {
    let (_folder, archive) = archive_of(&[MASTERS, "games/chess960.pgn", "games/makruk.pgn"]);
    let archive = archive.as_str();
    let query = "select id, eco(moves) || ' ' || opening(moves) as o from games \
        where id in (1, 7000, 20000) or id > 20816 order by id";
    let rows = json(&["sql", archive, query]);
    let (mut named, mut unnamed) = (0, 0);
    for row in rows.as_array().expect("rows").iter().step_by(2) {
        let shown = ok(&["show", archive, &row["id"].to_string()]);
        let (above, _) = shown.split_once("\n[").expect("tags");
        let last = above.trim_end().lines().last().expect("a line");
        match row["o"].as_str() {
            Some(opening) => {
                assert_eq!(last, opening);
                named += 1;
            }
            None => {
                assert!(last.contains('/'), "the position: {last}");
                unnamed += 1;
            }
        }
    }
    assert!(named > 0 && unnamed > 5, "{named} {unnamed}");
}
