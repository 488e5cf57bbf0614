//! Any bytes as a SAN, in the position of the FEN on the line before, or at the start.
#![no_main]

#[path = "../../crates/rules/tests/inputs.rs"]
#[expect(dead_code, reason = "a target takes its own property")]
mod inputs;
#[path = "../../crates/rules/tests/properties.rs"]
#[allow(dead_code, reason = "a target takes its own property")]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| inputs::san(bytes));
