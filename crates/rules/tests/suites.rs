//! Published suites. The small ones ship in `testdata`; the whole ones are read from the folder that
//! `HALFMOVE_DATA` names, by `make verify`.

#![allow(clippy::print_stdout, reason = "long suites print the number of checks")]

use halfmove_rules::{CastlingStyle, Chess, San, UciMove, perft};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

pub(crate) fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

pub(crate) fn collection(name: &str) -> PathBuf {
    let root = std::env::var_os("HALFMOVE_DATA").expect("HALFMOVE_DATA names the data folder");
    Path::new(&root).join(name)
}

/// The lines of a table with a heading, split at tabs.
pub(crate) fn table(path: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let rows: Vec<_> =
        text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect();
    assert!(!rows.is_empty(), "{} is empty", path.display());
    rows
}

pub(crate) fn position(fen: &str) -> Chess {
    Chess::from_fen(fen, None).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

/// Counts leaves as a program would that uses the library: visit the moves, play each on a copy, and before the
/// last half-move add up the lengths.
fn leaves(position: &Chess, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut sum = 0;
    let _: ControlFlow<()> = position.visit_moves(|piece| {
        if depth == 1 {
            sum += piece.len() as u64;
        } else {
            for mv in piece {
                let mut next = position.clone();
                next.play_unchecked(mv);
                sum += leaves(&next, depth - 1);
            }
        }
        ControlFlow::Continue(())
    });
    sum
}

/// Checks every count of a table, up to a number of nodes, on all cores, with `perft` and with the public calls of a
/// program; returns how many were checked.
fn check_perft(path: &Path, most_nodes: u64) -> usize {
    let mut rows: Vec<(String, u32, u64)> = table(path)
        .into_iter()
        .map(|row| (row[0].clone(), row[1].parse().unwrap(), row[2].parse().unwrap()))
        .filter(|(_, _, nodes)| *nodes <= most_nodes)
        .collect();
    // The largest first, so that no core starts a large one last.
    rows.sort_by_key(|(_, _, nodes)| Reverse(*nodes));
    let next = AtomicUsize::new(0);
    let check = || {
        while let Some((fen, depth, nodes)) = rows.get(next.fetch_add(1, Relaxed)) {
            let position = position(fen);
            assert_eq!(perft(&position, *depth), *nodes, "perft, {fen} depth {depth}");
            assert_eq!(leaves(&position, *depth), *nodes, "visit_moves, {fen} depth {depth}");
        }
    };
    thread::scope(|scope| {
        for _ in 1..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(check);
        }
        check();
    });
    rows.len()
}

#[test]
fn perft_counts() {
    let standard = check_perft(&shipped("perft/standard.tsv"), u64::MAX);
    let chess960 = check_perft(&shipped("perft/chess960.tsv"), u64::MAX);
    assert!(standard > 1_000 && chess960 > 400, "{standard} and {chess960} counts checked");
}

#[test]
#[ignore = "whole suites, minutes of counting: make verify"]
fn perft_counts_of_the_whole_suites() {
    let most_nodes =
        std::env::var("HALFMOVE_PERFT_NODES").map_or(5_000_000, |n| n.parse().unwrap());
    for name in ["standard", "chess960"] {
        let path = collection(&format!("suites/perft/perft_{name}.tsv"));
        let (clock, counts) = (Instant::now(), check_perft(&path, most_nodes));
        let seconds = clock.elapsed().as_secs();
        println!(
            "{name}: {counts} counts by perft and by visit_moves and play_unchecked, {seconds} s"
        );
    }
}

/// Every legal move of every position, in UCI and SAN: the same set, written identically, and read back.
fn check_notation(path: &Path, style: CastlingStyle) -> usize {
    let rows = table(path);
    for row in &rows {
        let position = position(&row[0]);
        let ours: BTreeMap<String, String> = position
            .legal_moves()
            .iter()
            .map(|&mv| {
                let (uci, san) = (mv.uci(style), position.san(mv));
                assert_eq!(San::parse(san.as_bytes()).unwrap().resolve(&position), Ok(mv), "{san}");
                assert_eq!(uci.to_string().parse::<UciMove>().unwrap().resolve(&position), Ok(mv));
                (uci.to_string(), san.to_string())
            })
            .collect();
        let theirs: BTreeMap<String, String> = row[1]
            .split_whitespace()
            .map(|pair| pair.split_once('=').expect("uci=san"))
            .map(|(uci, san)| (uci.to_owned(), san.to_owned()))
            .collect();
        assert_eq!(ours, theirs, "{}", row[0]);
    }
    rows.len()
}

#[test]
fn san_and_uci_of_every_legal_move() {
    for (name, style) in [
        ("real", CastlingStyle::KingToTarget),
        ("tricky", CastlingStyle::KingToTarget),
        ("chess960", CastlingStyle::KingTakesRook),
    ] {
        check_notation(&shipped(&format!("movegen/{name}.tsv")), style);
    }
}

#[test]
#[ignore = "whole suites: make verify"]
fn san_and_uci_of_the_whole_suites() {
    for (name, style, positions) in [
        ("real_positions", CastlingStyle::KingToTarget, 1_398),
        ("tricky_positions", CastlingStyle::KingToTarget, 1_500),
        ("chess960", CastlingStyle::KingTakesRook, 400),
    ] {
        let path = collection(&format!("suites/movegen/san_uci_{name}.tsv"));
        assert_eq!(check_notation(&path, style), positions);
    }
}

/// The rampart suite: SANs of all legal moves, and the FEN after each.
#[test]
fn fen_after_every_legal_move() {
    let mut positions = 0;
    for entry in fs::read_dir(shipped("movegen")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let suite: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        for case in suite["testCases"].as_array().unwrap() {
            let start = position(case["start"]["fen"].as_str().unwrap());
            let ours: BTreeMap<String, Chess> = start
                .legal_moves()
                .iter()
                .map(|&mv| (start.san(mv).to_string(), start.play(mv).unwrap()))
                .collect();
            let theirs: BTreeMap<String, Chess> = case["expected"]
                .as_array()
                .unwrap()
                .iter()
                .map(|after| {
                    let san = after["move"].as_str().unwrap().to_owned();
                    (san, position(after["fen"].as_str().unwrap()))
                })
                .collect();
            assert_eq!(ours, theirs, "{start}");
            for (san, after) in &ours {
                let theirs = &theirs[san];
                assert_eq!(after.halfmove_clock(), theirs.halfmove_clock(), "{start} {san}");
                assert_eq!(after.fullmove_number(), theirs.fullmove_number(), "{start} {san}");
            }
            positions += 1;
        }
    }
    assert_eq!(positions, 127);
}

#[test]
fn polyglot_keys() {
    let rows = table(&shipped("polyglot/keys.tsv"));
    assert_eq!(rows.len(), 1_407);
    for row in rows {
        assert_eq!(position(&row[0]).zobrist().to_string(), row[1], "{}", row[0]);
    }
}

/// A position survives writing and reading, and writing it again changes nothing.
#[test]
fn fen_round_trip() {
    for name in ["real", "tricky", "chess960"] {
        for row in table(&shipped(&format!("movegen/{name}.tsv"))) {
            let first = position(&row[0]);
            let second = position(&first.to_string());
            assert_eq!(first, second, "{}", row[0]);
            assert_eq!(first.to_string(), second.to_string());
        }
    }
}
