//! Any text as a sequence of moves, looked for in any bytes.
#![no_main]

#[path = "../../crates/game/tests/game/portions.rs"]
mod portions;
#[path = "../../crates/game/tests/game/properties.rs"]
#[expect(dead_code, reason = "a target takes its own property")]
mod properties;
#[path = "../../crates/game/tests/game/recorder.rs"]
#[allow(dead_code, reason = "a target takes its own property")]
mod recorder;
#[path = "../../crates/game/tests/game/slow_reader.rs"]
mod slow_reader;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::sequences(bytes));
