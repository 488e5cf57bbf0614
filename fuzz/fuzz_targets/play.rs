//! Any FEN, and behind its line any bytes as choices among the legal moves.
#![no_main]

#[path = "../../crates/rules/tests/inputs.rs"]
#[expect(dead_code, reason = "a target takes its own property")]
mod inputs;
#[path = "../../crates/rules/tests/properties.rs"]
#[allow(dead_code, reason = "a target takes its own property")]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| inputs::play(bytes));
