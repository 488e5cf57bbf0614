//! A text as FEN and as SAN of every dialect of Makruk, and behind its line any bytes as choices
//! among the legal moves; the length of the text says which game.
#![no_main]

use halfmove_rules::makruk::Rules;
use halfmove_rules::{AnyPosition, Makruk};

#[path = "../../crates/rules/tests/properties.rs"]
#[expect(dead_code, reason = "a target takes its own property")]
mod properties;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let end = data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len());
    let Ok(text) = str::from_utf8(&data[..end]) else { return };
    let choices = data.get(end + 1..).unwrap_or_default();
    properties::makruk_fen(text);
    let rules = Rules::ALL[end % Rules::ALL.len()];
    let start = match AnyPosition::from_fen(text, rules.into()) {
        Ok(AnyPosition::Makruk(position)) => position,
        _ => Makruk::start(rules),
    };
    properties::makruk_san(&start, text);
    properties::makruk_play(&start, &choices[..choices.len().min(64)]);
});
