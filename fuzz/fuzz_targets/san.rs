//! Any bytes as a SAN, in the position of the FEN on the line before, or at the start.
#![no_main]

#[path = "../../crates/rules/tests/properties.rs"]
#[expect(dead_code, reason = "a target takes its own property")]
mod properties;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let end = data.iter().position(|byte| *byte == b'\n');
    let (fen, san) = end.map_or((&[][..], data), |end| (&data[..end], &data[end + 1..]));
    let position = str::from_utf8(fen).ok().and_then(|fen| fen.parse().ok()).unwrap_or_default();
    properties::san(&position, san);
});
