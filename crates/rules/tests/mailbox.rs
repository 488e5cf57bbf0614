//! The 0x88 board: against published counts, and the bitboards against it.

mod both;
mod chess;
mod makruk;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;
use std::fs;
use std::path::Path;

/// A file of `testdata`.
fn shipped(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A fixed seed: what fails once fails again.
fn config(cases: u32) -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(1);
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}
