//! The examples of Brenner's paper, and his count of all moves.

use halfmove_codecs::brenner::Notation;
use halfmove_codecs::numbered::Width;
use halfmove_codecs::{Codec, named};
use halfmove_game::pgn::{read_game, write_game};

use crate::suite::bytes_of;

#[test]
fn brenner_matches_the_paper() {
    let mate = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0";
    let primary = [0x2c, 0x2c, 0x61, 0x17, 0xdb, 0x1e, 0x06, 0x06, 0x53, 0x02];
    assert_eq!(bytes_of(&Notation::Primary, mate), primary);
    let alternate = [0x34, 0x34, 0xcc, 0x17, 0x5b, 0x1e, 0x06, 0x06, 0xda, 0x02];
    assert_eq!(bytes_of(&Notation::Alternate, mate), alternate);
    // Two bytes of the start position and its FEN, then the code.
    let code = |notation: Notation, fen: &str, san: &str| {
        let number = if fen.contains(" w ") { "1." } else { "1..." };
        let bytes = bytes_of(&notation, &format!("[FEN \"{fen}\"]\n\n{number} {san} *"));
        let from = 2 + bytes[2..].iter().position(|byte| *byte == 0).expect("a text") + 1;
        bytes[from..bytes.len() - 2].to_vec()
    };
    // The queen's pawn captures to its right; the queen's bishop goes two squares north-east; the king's
    // knight goes north-north-east.
    for (text, last) in [
        ("1. d4 e5 2. dxe5 1/2-1/2", 0x33),
        ("1. d3 e5 2. Be3 1/2-1/2", 0x91),
        ("1. Nf3 e5 2. Ng5 e4 3. Nh7 1/2-1/2", 0x1a),
    ] {
        // The third is not legal; only its move is tested.
        let Ok(game) = read_game(text) else { continue };
        let mut bytes = Vec::new();
        Notation::Primary.encode(&game, &mut bytes).unwrap();
        assert_eq!(bytes[bytes.len() - 2..], [last, 0x03], "{text}");
    }
    let knights = "4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1";
    assert_eq!(code(Notation::Primary, knights, "Nh3"), [0x1a]);
    // A promotion to queen number 1: the pawn is the only one, number 0.
    let pawn = "7k/P7/8/8/8/8/8/K2Q4 w - - 0 1";
    assert_eq!(code(Notation::Primary, pawn, "a8=Q+"), [0x42, 0x20]);
    assert_eq!(code(Notation::Alternate, pawn, "a8=Q+"), [0xd0, 0x28]);
    // Black's right is the west.
    let capture = "k7/8/8/1p6/P1P5/8/8/K7 b - - 0 1";
    assert_eq!(code(Notation::Primary, capture, "bxa4"), [0x30]);
    assert_eq!(code(Notation::Primary, capture, "bxc4"), [0x38]);
}

/// Brenner's count of moves, made exact, and the move of each number.
#[test]
fn every_move_has_a_number() {
    assert_eq!(
        [Width::Eleven, Width::Twelve, Width::Thirteen].map(Width::count),
        [1_968, 3_876, 7_752]
    );
    for width in [Width::Eleven, Width::Twelve, Width::Thirteen] {
        assert!(width.count() <= 1 << width.bits() && width.count() > 1 << (width.bits() - 1));
    }
}

/// The number of castling is that of the king's move by two files on its rank, and no other number castles.
#[test]
fn no_other_number_castles() {
    // 1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6, then the king to g1, g2, g3 and c2.
    let line = [0x28, 0x57, 0x68, 0x4f, 0xe6, 0x01, 0x17, 0xb6, 0xc3];
    let codec = named("numbered-11").unwrap();
    let decoded = |last: u8| codec.decode(&[&line[..], &[last]].concat());
    assert!(write_game(&decoded(0x30).unwrap()).unwrap().contains("4. O-O"));
    for (last, uci) in [(0x60, "e1g2"), (0x88, "e1g3"), (0x40, "e1c2")] {
        let error = decoded(last).unwrap_err().to_string();
        assert!(error.contains(&format!("{uci} is not a legal move")), "{error}");
    }
}
