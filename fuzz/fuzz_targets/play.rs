//! Any FEN, and behind its line any bytes as choices among the legal moves.
#![no_main]

use halfmove_rules::Chess;

#[path = "../../crates/rules/tests/properties.rs"]
#[expect(dead_code, reason = "a target takes its own property")]
mod properties;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let end = data.iter().position(|byte| *byte == b'\n');
    let (fen, choices) = end.map_or((&[][..], data), |end| (&data[..end], &data[end + 1..]));
    let position = str::from_utf8(fen)
        .ok()
        .and_then(|fen| Chess::from_fen(fen, None).ok())
        .unwrap_or_default();
    properties::play(&position, &choices[..choices.len().min(64)]);
});
