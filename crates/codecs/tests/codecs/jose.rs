//! The bytes of jose's own classes.

use halfmove_codecs::gametext::Dialect;

use crate::suite::bytes_of;

/// The codes of jose's classes, without the end of the data.
#[test]
fn gametext_matches_jose() {
    let fen = |fen: &str, text: &str| format!("[FEN \"{fen}\"]\n\n{text} *");
    let lone = |piece: char, side: char| {
        let (us, kings) = match side {
            'w' => (piece.to_ascii_uppercase(), "8/7k/8/8/3?4/8/8/K7"),
            _ => (piece.to_ascii_lowercase(), "8/7K/8/8/3?4/8/8/k7"),
        };
        format!("{} {side} - - 0 1", kings.replace('?', &us.to_string()))
    };
    for (text, codes) in [
        ("1. e4 a6 2. e5 d5 3. exd6 *", "13 00 10 0f 12"),
        ("1. e4 d5 2. exd5 c6 3. dxc6 bxc6 *", "13 0f 12 08 12 06"),
        ("1. e4 -- 2. d4 *", "13 9a 0f"),
        ("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0", "13 13 74 22 4b 2b 7e d2"),
    ] {
        check_codes(&Dialect::Jose, text, codes);
    }
    check_codes(
        &Dialect::Document,
        "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0",
        "13 13 74 25 4b 2c 7e d2",
    );
    // Kings and pieces on d4, each to all sides, for both colors.
    for side in ['w', 'b'] {
        let number = if side == 'w' { "1." } else { "1..." };
        let check = |start: &str, moves: &[(&str, &str)]| {
            for (san, code) in moves {
                check_codes(&Dialect::Jose, &fen(start, &format!("{number} {san}")), code);
            }
        };
        let other = if side == 'w' { 'k' } else { 'K' };
        let king = if side == 'w' { 'K' } else { 'k' };
        check(
            &format!("{other}7/8/8/8/3{king}4/8/8/8 {side} - - 0 1"),
            &[
                ("Ke5", "90"),
                ("Kc5", "93"),
                ("Kc3", "92"),
                ("Ke3", "91"),
                ("Kd5", "96"),
                ("Kd3", "97"),
                ("Kc4", "95"),
                ("Ke4", "94"),
            ],
        );
        check(
            &lone('n', side),
            &[
                ("Ne6", "27"),
                ("Nc6", "26"),
                ("Nb5", "25"),
                ("Nb3", "24"),
                ("Nc2", "23"),
                ("Ne2", "22"),
                ("Nf3", "21"),
                ("Nf5", "20"),
            ],
        );
        check(&lone('r', side), &[("Rd5", "54"), ("Rd8", "57"), ("Ra4", "58"), ("Rh4", "5f")]);
        check(
            &lone('q', side),
            &[("Qc5", "7c"), ("Qd8", "87"), ("Qd1", "80"), ("Qa4", "88"), ("Qh4", "8f")],
        );
        check(
            &format!(
                "{other}7/8/8/8/3{}4/8/8/{king}7 {side} - - 0 1",
                if side == 'w' { 'B' } else { 'b' }
            ),
            &[
                ("Be5", "34"),
                ("Bg7", "36"),
                ("Bc3", "32"),
                ("Bc5", "3c"),
                ("Ba7", "3e"),
                ("Be3", "3a"),
                ("Bg1", "38"),
            ],
        );
    }
    // Pawns: their right is another side for Black.
    let pawns = "k7/p7/8/1p6/P1P5/8/8/K7 b - - 0 1";
    for (san, code) in [("b4", "04"), ("bxa4", "05"), ("bxc4", "06")] {
        // In the order of the FEN, the pawn on a7 is "a" and that on b5 is "b".
        check_codes(&Dialect::Jose, &fen(pawns, &format!("1... {san}")), code);
    }
    check_codes(&Dialect::Jose, &fen("7k/P6P/8/8/8/8/8/K7 w - - 0 1", "1. a8=Q+"), "a0 23");
    let undone = "1. a8=Q Rxa8 2. a4 h6 (2... h5) 3. a5";
    let position = "3r3k/P6p/8/8/8/8/P7/K7 w - - 0 1";
    check_codes(&Dialect::Jose, &fen(position, undone), "a0 23 58 07 00 f0 03 f1 04");
}

fn check_codes(dialect: &Dialect, text: &str, codes: &str) {
    let bytes = bytes_of(dialect, text);
    let end = bytes.iter().position(|byte| *byte == 0xff).expect("an end");
    let found: Vec<_> = bytes[..end].iter().map(|byte| format!("{byte:02x}")).collect();
    let found = found.join(" ");
    // The result that makes it a game.
    let found = found.strip_suffix(" d3").unwrap_or(&found);
    assert_eq!(found, codes, "{text}");
}
