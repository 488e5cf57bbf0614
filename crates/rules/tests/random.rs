//! The properties on random input: a bounded version of the fuzz targets.

use crate::properties;
use halfmove_rules::makruk;
use halfmove_rules::{Chess, Makruk};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any, proptest};
use proptest::sample::select;

const FENS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1r2k1r1/8/8/8/8/8/8/RR2K2R w KBgb - 12 20",
    "4k3/PPP1P1PP/8/3pP3/8/8/ppp1p1pp/4K3 w - d6 0 1",
    "8/5k2/8/3pP3/8/8/b7/4K2R w K d6 0 1",
    "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
];

const EPDS: [&str; 3] = [
    "4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh8+; id \"a; b\"; c0 \"\"; ce -3;",
    "8/8/8/8/8/k7/p7/K6R w - - 3 40; bm Rh3+ ; pv Rh3 Ka4 Rh1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - -0 1;;",
];

const MOVES: [&str; 12] = [
    "e4", "exd6e.p.", "Nbd7+", "R1xa3#", "O-O-O", "0-0", "b8=Q+", "bxa8(N)!", "Ng1-f3", "♘f3?!",
    "e7e8q", "0000",
];

const MAKRUK_FENS: [&str; 5] = [
    "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
    "3k4/8/2M~1s3/1pN1P3/4p3/2S2R2/1m6/r2KM3 b - - 0 30",
    "8/3k4/8/8/8/5K2/8/2R4R w - 16 17 6",
    "rmtektmr/8/bbbbbbbb/8/8/BBBBBBBB/8/RMTKETMR w 1",
    "8/2k5/8/8/8/1E3K2/8/2R5 b 70 b pp 5 5 16",
];

const MAKRUK_MOVES: [&str; 10] =
    ["e4", "Sd4", "dxe5", "f6=M+", "Nbd2", "Tc2", "Bd4", "f6=P", "ค-ง๔", "ฉ๖=M"];

/// A start, or an ending with few or no pieces left to capture, in which counts begin.
fn makruk_start() -> impl Strategy<Value = Makruk> {
    const ENDINGS: [&str; 4] = [
        "8/2r5/3k4/8/4p3/3N4/1K2R3/8 b - - 0 30",
        "8/8/2n1k3/8/3P4/2K5/4r3/8 w - - 3 60",
        "8/2k5/8/2P5/1KR5/8/8/8 b - - 0 41",
        "3k4/3n4/8/2N5/8/3K4/2RN4/8 w - - 0 70",
    ];
    (select(&makruk::Rules::ALL[..]), 0..=ENDINGS.len()).prop_map(|(rules, ending)| {
        let Some(fen) = ENDINGS.get(ending) else { return Makruk::start(rules) };
        let setup = makruk::Setup::parse(fen, rules, makruk::Dialect::Fairy).unwrap();
        Makruk::from_setup(setup).unwrap()
    })
}

/// A text with some characters replaced, removed or inserted.
fn altered(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    let edit = (
        any::<proptest::sample::Index>(),
        0..3_u8,
        select(&b"KQkqRrNnPp/12345678abcdefgh wb-;\"=+x0"[..]),
    );
    (select(texts), vec(edit, 0..5)).prop_map(|(text, edits)| {
        let mut chars: Vec<char> = text.chars().collect();
        for (index, kind, byte) in edits {
            let at = index.index(chars.len() + 1);
            match kind {
                0 => chars.insert(at, char::from(byte)),
                1 if at < chars.len() => chars[at] = char::from(byte),
                _ if at < chars.len() => drop(chars.remove(at)),
                _ => {}
            }
        }
        chars.into_iter().collect()
    })
}

fn position() -> impl Strategy<Value = Chess> {
    (select(&FENS[..]), vec(any::<u8>(), 0..40)).prop_map(|(fen, choices)| {
        let mut position = Chess::from_fen(fen, None).unwrap();
        for choice in choices {
            let moves = position.legal_moves();
            if let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) {
                position.play_unchecked(mv);
            }
        }
        position
    })
}

proptest! {
    #[test]
    fn fens(text in altered(&FENS)) {
        properties::fen(&text);
    }

    #[test]
    fn epds(text in altered(&EPDS)) {
        properties::epd(&text);
    }

    #[test]
    fn makruk_fens(text in altered(&MAKRUK_FENS)) {
        properties::makruk_fen(&text);
    }

    #[test]
    fn makruk_sans(
        variant in select(&makruk::Rules::ALL[..]),
        choices in vec(any::<u8>(), 0..60),
        text in altered(&MAKRUK_MOVES),
    ) {
        let mut position = Makruk::start(variant);
        for choice in choices {
            let moves = position.legal_moves();
            if let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) {
                position.play_unchecked(mv);
            }
        }
        properties::makruk_san(&position, &text);
    }

    #[test]
    fn makruk_games(
        start in makruk_start(),
        choices in vec(any::<u8>(), 0..40),
    ) {
        properties::makruk_play(&start, &choices);
    }

    #[test]
    fn any_text(text in ".*") {
        properties::makruk_fen(&text);
        properties::makruk_san(&Makruk::default(), &text);
        properties::fen(&text);
        properties::epd(&text);
        properties::san(&Chess::default(), text.as_bytes());
        properties::uci(&Chess::default(), &text);
    }

    #[test]
    fn moves(position in position(), text in altered(&MOVES)) {
        properties::san(&position, text.as_bytes());
        properties::uci(&position, &text);
    }

    #[test]
    fn games(fen in select(&FENS[..]), choices in vec(any::<u8>(), 0..24)) {
        properties::play(&Chess::from_fen(fen, None).unwrap(), &choices);
    }

    #[test]
    fn bytes(position in position(), edits in vec((0..32_usize, any::<u8>()), 0..3)) {
        if let Ok(mut bytes) = position.pack() {
            edits.into_iter().for_each(|(at, byte)| bytes[at] = byte);
            properties::packed(&bytes);
        }
    }
}
