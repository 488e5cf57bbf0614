//! The 0x88 board, compared with published counts; and the bitboards, compared with it.

mod both;
mod chess;
mod kin;
mod makruk;
mod mate;
mod notation;
mod program;
mod search;
mod spoil;
mod status;

use halfmove_mailbox::Board;
use halfmove_rules::{Bitboard, Color, Square};
use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A file of `testdata`.
fn shipped(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The whole set of Makruk games, which is not shipped.
fn all_games() -> PathBuf {
    let beside = || Some(Path::new(&std::env::var_os("HALFMOVE_DATA")?).join("../fixtures"));
    let root = std::env::var_os("HALFMOVE_FIXTURES").map(PathBuf::from).or_else(beside);
    root.expect("HALFMOVE_FIXTURES or HALFMOVE_DATA names a folder").join("makruk/games.jsonl")
}

/// The objects of a file of JSON lines in `testdata`.
fn objects(name: &str) -> Vec<Value> {
    shipped(name).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The rows of a table in `testdata`, without its head.
fn rows(name: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| line.split('\t').map(str::to_owned).collect();
    shipped(name).lines().skip(1).map(cells).collect()
}

/// The pieces of a side that attack a square, found by walking from each of them.
fn walked(board: &Board, color: Color, square: Square) -> Bitboard {
    let side = board.pieces().filter(|(_, piece)| piece.color == color);
    side.map(|(from, _)| from).filter(|from| board.attacks(*from).any(|to| to == square)).collect()
}

/// With a fixed seed, so that a failure can be reproduced.
fn config(cases: u32) -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(1);
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}
