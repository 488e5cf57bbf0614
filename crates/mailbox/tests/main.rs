//! The 0x88 board, compared with published counts; and the bitboards, compared with it.

mod both;
mod chess;
mod kin;
mod makruk;
mod mate;
mod spoil;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;
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

/// With a fixed seed, so that a failure can be reproduced.
fn config(cases: u32) -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(1);
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}
