//! Runs the inputs that the fuzzer kept in `fuzz/corpus` through their properties.

use std::fs;
use std::path::Path;

use crate::inputs;

/// Runs a fuzz target on all inputs that are kept for it.
fn replay(target: &str, property: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut files = 0;
    for entry in fs::read_dir(&folder).expect("a folder of inputs") {
        let path = entry.expect("an entry").path();
        let bytes = fs::read(&path).expect("an input");
        let result = std::panic::catch_unwind(|| property(&bytes));
        assert!(result.is_ok(), "{}", path.display());
        files += 1;
    }
    assert!(files > 10, "only {files} inputs in {}", folder.display());
}

#[test]
fn notations() {
    replay("fen", inputs::fen);
    replay("epd", inputs::epd);
    replay("san", inputs::san);
    replay("uci", inputs::uci);
}

#[test]
fn positions_and_games() {
    replay("packed", inputs::packed);
    replay("play", inputs::play);
    replay("makruk", inputs::makruk);
}
