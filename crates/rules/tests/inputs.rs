//! The functions that the fuzz targets run on their input; tests run them on the inputs kept in `fuzz/corpus`.

use halfmove_rules::makruk::Rules;
use halfmove_rules::{AnyPosition, Chess, Makruk};

use crate::properties;

/// As much of the bytes as is text.
fn text(bytes: &[u8]) -> &str {
    match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    }
}

/// A first line, if there are two, and the rest.
fn line_and_rest(bytes: &[u8]) -> (&str, &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n');
    end.map_or(("", bytes), |end| (text(&bytes[..end]), &bytes[end + 1..]))
}

/// Any text as a FEN.
pub(crate) fn fen(bytes: &[u8]) {
    properties::fen(text(bytes));
}

/// Any text as an EPD.
pub(crate) fn epd(bytes: &[u8]) {
    properties::epd(text(bytes));
}

/// Any bytes as a SAN, in the position of the FEN on the line before, or at the start.
pub(crate) fn san(bytes: &[u8]) {
    let (fen, san) = line_and_rest(bytes);
    properties::san(&fen.parse().unwrap_or_default(), san);
}

/// Any text as a UCI move, in the position of the FEN on the line before, or at the start.
pub(crate) fn uci(bytes: &[u8]) {
    let (fen, uci) = line_and_rest(bytes);
    properties::uci(&fen.parse().unwrap_or_default(), text(uci));
}

/// The first 32 bytes as a position.
pub(crate) fn packed(bytes: &[u8]) {
    let mut packed = [0; 32];
    packed.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
    properties::packed(&packed);
}

/// Any FEN, and after its line any bytes as choices among the legal moves.
pub(crate) fn play(bytes: &[u8]) {
    let (fen, choices) = line_and_rest(bytes);
    let position = Chess::from_fen(fen, None).unwrap_or_default();
    properties::play(&position, &choices[..choices.len().min(64)]);
}

/// A text as FEN and as SAN of every dialect of Makruk, and after its line any bytes as choices among the
/// legal moves; the length of the text says which game.
pub(crate) fn makruk(bytes: &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let Ok(text) = str::from_utf8(&bytes[..end]) else { return };
    let choices = bytes.get(end + 1..).unwrap_or_default();
    properties::makruk_fen(text);
    let rules = Rules::ALL[end % Rules::ALL.len()];
    let start = match AnyPosition::from_fen(text, rules.into()) {
        Ok(AnyPosition::Makruk(position)) => position,
        _ => Makruk::start(rules),
    };
    properties::makruk_san(&start, text);
    properties::makruk_play(&start, &choices[..choices.len().min(64)]);
}
