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
fn codecs() {
    replay("codecs", properties::codecs);
}

#[test]
fn coded_file() {
    replay("coded_file", properties::coded_file);
}

#[test]
fn dense() {
    replay("dense", properties::dense);
}

#[test]
fn packed() {
    replay("packed_games", properties::packed);
}
