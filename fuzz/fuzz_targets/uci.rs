//! Any text as a UCI move, in the position of the FEN on the line before, or at the start.
#![no_main]

#[path = "../../crates/rules/tests/properties.rs"]
#[expect(dead_code, reason = "a target takes its own property")]
mod properties;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let (fen, uci) = text.split_once('\n').unwrap_or(("", text));
    properties::uci(&fen.parse().unwrap_or_default(), uci);
});
