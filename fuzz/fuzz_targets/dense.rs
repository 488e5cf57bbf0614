//! Any bytes as a game of the codec `dense`: an error, or a game that comes back.
#![no_main]

#[path = "../../crates/codecs/tests/codecs/properties.rs"]
#[expect(dead_code, reason = "a target takes its own property")]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::dense(bytes));
