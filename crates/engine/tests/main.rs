//! The engine, compared with slower ways to compute the same results; and its program, driven through
//! pipes.

mod analysis;
mod bench;
mod boards;
mod conformance;
mod conversation;
mod eval;
mod exchange;
mod mates;
mod net;
mod net_file;
mod pages;
mod positions;
mod program;
mod random;
mod search;
mod selfplay;
mod tactics;

use halfmove_rules::makruk::Rules;
use halfmove_rules::{Chess, Makruk};
use std::fs;
use std::path::Path;

/// A file of `testdata`.
fn shipped(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The rows of a table without its heading.
fn rows(name: &str) -> Vec<Vec<String>> {
    let rows: Vec<Vec<String>> = shipped(name)
        .lines()
        .skip(1)
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect();
    assert!(!rows.is_empty(), "{name} is empty");
    rows
}

/// The objects of a file with one in each line.
fn objects(name: &str) -> Vec<serde_json::Value> {
    let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{name}: {e}"));
    shipped(name).lines().map(parse).collect()
}

fn chess(fen: &str) -> Chess {
    Chess::from_fen(fen, None).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn makruk(fen: &str) -> Makruk {
    kin(fen, Rules::Makruk)
}

fn kin(fen: &str, rules: Rules) -> Makruk {
    Makruk::from_fen(fen, rules, None).unwrap_or_else(|e| panic!("{fen}: {e}"))
}
