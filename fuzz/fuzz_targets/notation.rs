//! Any text as a FEN, as SAN and as UCI, in the position of the FEN where it is one: nothing panics, a
//! position prints as a FEN of itself, a move that is found is legal and prints as a text that finds it.
#![no_main]

use halfmove_rules::{CastlingStyle, Chess, Flaws, San, Setup, UciMove};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (fen, word) = text.split_once('\n').unwrap_or((text, text));
    if let Ok(setup) = fen.parse::<Setup>() {
        assert_eq!(setup.to_string().parse(), Ok(setup.clone()));
        let _ = Chess::from_setup(setup, Flaws::LEFTOVERS | Flaws::UNREACHABLE);
    }
    let position = fen.parse::<Chess>().unwrap_or_default();
    assert_eq!(position.to_string().parse().as_ref(), Ok(&position));
    if let Ok(mv) = San::parse(word.as_bytes()).and_then(|san| san.resolve(&position)) {
        assert!(position.is_legal(mv));
        let san = position.san(mv).to_string();
        assert_eq!(San::parse(san.as_bytes()).and_then(|san| san.resolve(&position)), Ok(mv));
    }
    if let Ok(mv) = word.parse::<UciMove>() {
        if let Ok(mv) = mv.resolve(&position) {
            assert!(position.is_legal(mv));
            let uci: UciMove = mv.uci(CastlingStyle::KingTakesRook).to_string().parse().unwrap();
            assert_eq!(uci.resolve(&position), Ok(mv));
        }
    }
});
