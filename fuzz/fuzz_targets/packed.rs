//! Any 32 bytes as a position.
#![no_main]

#[path = "../../crates/rules/tests/inputs.rs"]
#[expect(dead_code, reason = "a target takes its own property")]
mod inputs;
#[path = "../../crates/rules/tests/properties.rs"]
#[allow(dead_code, reason = "a target takes its own property")]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| inputs::packed(bytes));
