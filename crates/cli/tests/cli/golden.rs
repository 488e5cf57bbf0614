//! Stable output formats: each output against a file in `tests/golden`.
//!
//! `HALFMOVE_BLESS=1 cargo test -p halfmove-cli` rewrites the files.

use crate::program::{archive_of, ok, run, testdata};
use serde_json::Value;
use std::fs;
use std::path::Path;

pub(crate) fn check(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("HALFMOVE_BLESS").is_some() {
        fs::write(&path, found).expect("a golden file");
    }
    let expected = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert_eq!(found, expected, "{name}");
}

/// JSON over several lines, so that a diff shows the place of a change. Measured times are left out.
pub(crate) fn json(text: &str) -> String {
    let mut value: Value = serde_json::from_str(text).expect("JSON");
    for name in ["elapsed_ms", "nps", "bytes"] {
        if let Some(number) = value.get_mut(name) {
            assert!(number.is_u64(), "{name} is {number}");
            *number = Value::from(0);
        }
    }
    format!("{value:#}\n")
}

#[test]
fn perft_as_json() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let divided = ok(&["perft", "--fen", kiwipete, "--depth", "2", "--divide", "--format", "json"]);
    check("perft_divide.json", &json(&divided));
    check("perft.json", &json(&ok(&["perft", "--depth", "3", "--format", "json"])));
    let chess960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let args = ["perft", "--fen", chess960, "--depth", "2", "--format", "json"];
    check("perft_chess960.json", &json(&ok(&args)));
}

/// Threads and a table change only the speed.
#[test]
fn perft_by_threads_and_with_a_table() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let plain = ["perft", "--fen", kiwipete, "--depth", "4", "--divide", "--format", "csv"];
    let expected = ok(&plain);
    let nodes = expected.lines().skip(1).map(|line| line.split_once(',').expect("two fields").1);
    assert_eq!(nodes.map(|nodes| nodes.parse::<u64>().unwrap()).sum::<u64>(), 4_085_603);
    for more in [&["--threads", "3"][..], &["--hash", "1"], &["--threads", "2", "--hash", "4"]] {
        assert_eq!(ok(&[&plain, more].concat()), expected, "{more:?}");
    }
    let args = ["perft", "--depth", "0", "--threads", "2", "--hash", "1", "--format", "json"];
    let text = ok(&args);
    let found: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        (&found["nodes"], &found["threads"], &found["hash_mib"]),
        (&1.into(), &2.into(), &1.into())
    );
}

#[test]
fn moves_as_json() {
    for (name, fen) in [
        ("moves_castling.json", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
        ("moves_chess960.json", "4k3/8/8/8/8/8/8/2R1K1R1 w CG - 0 1"),
        ("moves_checkmate.json", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"),
        ("moves_stalemate.json", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
    ] {
        check(name, &json(&ok(&["moves", "--fen", fen, "--format", "json"])));
    }
}

/// Leaves of games other than chess, as counted by other programs.
#[test]
fn perft_of_other_games() {
    for (variant, depth, nodes) in
        [("makruk", "4", 273_026_u64), ("Makpong", "3", 12_012), ("asean", "3", 12_012)]
    {
        let plain = ["perft", "--variant", variant, "--depth", depth, "--format", "json"];
        for more in
            [&[][..], &["--threads", "2"], &["--hash", "1"], &["--threads", "2", "--hash", "1"]]
        {
            let text = ok(&[&plain, more].concat());
            let found: Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(found["nodes"], nodes, "{variant} {more:?}");
            assert_eq!(found["variant"], variant.to_lowercase());
        }
    }
    let args = ["perft", "--variant", "makruk", "--depth", "2", "--divide", "--format", "json"];
    check("perft_makruk.json", &json(&ok(&args)));
}

#[test]
fn moves_of_makruk_as_json() {
    let fen = "8/3k4/8/1F3P2/8/8/2E5/2RK4 w 70".replace('P', "B");
    for (name, style) in [
        ("moves_makruk.json", &[][..]),
        ("moves_makruk_js.json", &["--san", "makruk-js"]),
        ("moves_makruk_playok.json", &["--san", "playok"]),
        ("moves_makruk_thai.json", &["--san", "thai"]),
    ] {
        let args = ["moves", "--variant", "makruk", "--fen", &fen, "--format", "json"];
        check(name, &json(&ok(&[&args, style].concat())));
    }
}

#[test]
fn positions() {
    let count = "8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 41";
    let shuffle = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    let kings = "d1d2 e8e7 d2d1 e7e8 d1d2 e8e7 d2d1 e7e8";
    for (name, args) in [
        ("position.json", &["--moves", "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. h5f7"][..]),
        ("position_threefold.json", &["--moves", shuffle]),
        (
            "position_chess960.json",
            &["--fen", "4k3/8/8/8/8/8/8/2R1K1R1 w CG - 0 1", "--moves", "e1g1"],
        ),
        ("position_makruk.json", &["--variant", "makruk", "--moves", "e3e4 d6d5 exd5"]),
        ("position_makruk_threefold.json", &["--variant", "makruk", "--moves", kings]),
        (
            "position_counting.json",
            &[
                "--variant",
                "makruk",
                "--counting",
                "thai",
                "--fen",
                count,
                "--moves",
                "Kb6 Kf4 count Kc5",
            ],
        ),
        (
            "position_stopped.json",
            &[
                "--variant",
                "makruk",
                "--counting",
                "thai",
                "--fen",
                count,
                "--moves",
                "count Kb6 Kf4 stop",
            ],
        ),
        (
            "position_makruk_js.json",
            &["--variant", "makruk", "--counting", "makruk-js", "--fen", count, "--moves", "count"],
        ),
        (
            "position_counted_out.json",
            &[
                "--variant",
                "makruk",
                "--fen",
                "8/3k4/8/8/8/5K2/8/2R4R b - 16 16 5",
                "--moves",
                "Kd6",
            ],
        ),
    ] {
        check(name, &json(&ok(&[&["position"], args, &["--format", "json"]].concat())));
    }
    for (name, args) in [
        ("position.txt", &["--moves", shuffle][..]),
        (
            "position_makruk.txt",
            &[
                "--variant",
                "makruk",
                "--fen",
                "8/8/4k3/8/6K1/s5R1/7R/8 w - - 0 1",
                "--moves",
                "Rxa3",
            ],
        ),
        (
            "position.csv",
            &[
                "--variant",
                "makruk",
                "--fen",
                "8/8/4k3/8/6K1/s5R1/7R/8 w - - 0 1",
                "--moves",
                "Rxa3",
                "--format",
                "csv",
            ],
        ),
    ] {
        check(name, &ok(&[&["position"], args].concat()));
    }
}

#[test]
fn answers_of_an_archive() {
    let (_folder, archive) =
        archive_of(&["games/lichess.pgn.zst", "games/chess960.pgn", "games/setup.pgn"]);
    let archive = archive.as_str();
    let italian = "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O";
    for (name, args) in [
        ("explore.json", &["explore", archive, "--format", "json"][..]),
        (
            "explore_castling.json",
            &["explore", archive, "--moves", "e4 e5 Nf3 Nc6 Bc4 Bc5", "--format", "json"],
        ),
        ("search.json", &["search", archive, "--moves", italian, "--format", "json"]),
        (
            "search_count.json",
            &["search", archive, "--moves", italian, "--count", "--format", "json"],
        ),
        ("info.json", &["info", archive, "--format", "json"]),
        #[cfg(feature = "sql")]
        (
            "sql.json",
            &[
                "sql",
                archive,
                "select result, count(*) as games, sum(plies(moves)) as plies from games group by result order by result",
                "--format",
                "json",
            ],
        ),
    ] {
        let text = ok(args);
        // The result of SQL has the columns of the query, on separate lines.
        check(name, &if name == "sql.json" { text } else { json(&text) });
    }
    for (name, args) in [
        ("explore.csv", &["explore", archive, "--moves", "d4 d5", "--format", "csv"][..]),
        ("search.csv", &["search", archive, "--moves", italian, "--limit", "3", "--format", "csv"]),
        ("show.txt", &["show", archive, "1"]),
        ("show_ply.txt", &["show", archive, "440", "--ply", "5"]),
    ] {
        check(name, &ok(args));
    }
}

/// CSV has the values that JSON has under the same names.
#[test]
fn csv_is_json_in_lines() {
    let (_folder, archive) = archive_of(&["games/lichess.pgn.zst", "games/setup.pgn"]);
    for (verb, list) in [
        ("explore", Some("moves")),
        ("history", Some("changes")),
        ("search", Some("games")),
        ("info", None),
    ] {
        let answer = |format| ok(&[verb, &archive, "--format", format]);
        let json: Value = serde_json::from_str(&answer("json")).expect("JSON");
        let objects = match list {
            Some(name) => json[name].as_array().expect("a list").clone(),
            None => vec![json],
        };
        let text = answer("csv");
        let mut csv = csv::Reader::from_reader(text.as_bytes());
        let names = csv.headers().expect("a heading").clone();
        let rows: Vec<csv::StringRecord> = csv.records().collect::<Result<_, _>>().expect("CSV");
        assert!(rows.len() == objects.len() && !rows.is_empty(), "{verb}: {text}");
        for (row, object) in rows.iter().zip(&objects) {
            for (name, cell) in names.iter().zip(row) {
                let expected = match object.get(name).expect("a field of JSON") {
                    Value::Null => String::new(),
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                assert_eq!(cell, expected, "{verb}: {name}");
            }
            // The only game of a move is an object, or null.
            let object = object.as_object().expect("an object");
            let is_nested = |(name, value): &(&String, &Value)| {
                value.is_object() || value.is_array() || *name == "game"
            };
            let nested = object.iter().filter(is_nested).count();
            assert_eq!(names.len() + nested, object.len());
        }
    }
}

/// Games of several variants in one archive.
#[test]
fn answers_about_makruk() {
    let (_folder, archive) =
        archive_of(&["games/setup.pgn", "games/makruk.pgn", "games/chess960.pgn"]);
    let archive = archive.as_str();
    let fen = "rnsmksnr/8/pp1ppppp/2p5/2P5/PP1PPPPP/8/RNSKMSNR w - - 0 2";
    for (name, args) in [
        ("info_variants.json", &["info", archive, "--format", "json"][..]),
        ("explore_makruk.json", &["explore", archive, "--variant", "makruk", "--format", "json"]),
        (
            "search_makruk.json",
            &["search", archive, "--variant", "makruk", "--moves", "c3c4 c5", "--format", "json"],
        ),
        (
            "search_makruk_fen.json",
            &["search", archive, "--variant", "Makruk", "--fen", fen, "--format", "json"],
        ),
    ] {
        check(name, &json(&ok(args)));
    }
    check("show_makruk.txt", &ok(&["show", archive, "50"]));
    check("show_makruk_ply.txt", &ok(&["show", archive, "50", "--ply", "45"]));
    if cfg!(feature = "sql") {
        let query = "select variant, count(*) as games, sum(plies) as plies from games group by variant order by variant";
        let table = ok(&["sql", archive, query, "--format", "csv"]);
        assert_eq!(table, "variant,games,plies\nchess,49,3440\nchess960,34,2997\nmakruk,18,2372\n");
    }

    // The variant alone chooses games; with a position, it is also the variant of the position.
    let count = |more: &[&str]| {
        let output = run(&[&["search", archive, "--count"], more].concat());
        (output.code, output.out.trim().to_owned())
    };
    for (variant, games) in [("chess", "49"), ("chess960", "34"), ("makruk", "18")] {
        assert_eq!(count(&["--variant", variant]), (0, games.to_owned()));
    }
    assert_eq!(count(&["--variant", "asean"]), (1, "0".to_owned()));
    assert_eq!(count(&["--variant", "makpong", "--fen", fen]), (1, "0".to_owned()));
    let pgn = fs::read_to_string(testdata("games/makruk.pgn")).expect("a file");
    assert_eq!(ok(&["export", archive, "--variant", "makruk"]), pgn);
    let reached = ok(&["export", archive, "--variant", "makruk", "--moves", "c4"]);
    assert!(!reached.is_empty() && pgn.contains(&reached[..400]), "{reached}");
}
