//! The inputs that the fuzzer kept, in `fuzz/corpus`, and the properties that they reached.

use std::fs;

use crate::data::{all_files, testdata};
use crate::properties;

/// Runs a property on all inputs of a fuzz target.
fn replay(target: &str, property: fn(&[u8])) {
    let folder = testdata().join("../fuzz/corpus").join(target);
    let files = all_files(&folder);
    assert!(!files.is_empty(), "no inputs in {}", folder.display());
    for path in files {
        let bytes = fs::read(&path).expect("an input");
        let property = || property(&bytes);
        assert!(std::panic::catch_unwind(property).is_ok(), "{}", path.display());
    }
}

#[test]
fn tokens() {
    replay("tokens", properties::tokens);
}

#[test]
fn games() {
    replay("games", properties::games);
}

#[test]
fn written() {
    replay("written", properties::written);
}

#[test]
fn codec() {
    replay("codec", properties::codec);
}

#[test]
fn board() {
    replay("board", properties::board);
}

#[test]
fn sequences() {
    replay("sequences", properties::sequences);
}
