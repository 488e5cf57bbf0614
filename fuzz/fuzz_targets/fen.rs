//! Any text as a FEN.
#![no_main]

#[path = "../../crates/rules/tests/properties.rs"]
#[expect(dead_code, reason = "a target takes its own property")]
mod properties;

libfuzzer_sys::fuzz_target!(|text: &str| properties::fen(text));
