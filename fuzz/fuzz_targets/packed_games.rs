//! Any bytes as a file of packed games: an error, or games that come back.
#![no_main]

#[path = "../../crates/codecs/tests/codecs/properties.rs"]
#[expect(dead_code, reason = "a target takes its own property")]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::packed(bytes));
