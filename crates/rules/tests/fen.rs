//! FENs compared with the verdicts of other programs.

use crate::suites::{collection, shipped, table};
use halfmove_rules::{
    CastlingRights, CastlingSide, CastlingStyle, Chess, Color, Flaw, Flaws, Outcome, Setup,
};
use std::collections::{BTreeMap, BTreeSet};

fn forgiven() -> Flaws {
    Flaws::LEFTOVERS | Flaws::UNREACHABLE
}

/// FENs that chess.js (which checks the text and the kings) rejects, but we accept.
const CHESSJS_REFUSES: [(&str, &str); 3] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0",
        "move 0 is common in files; it is read as move 1",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 ",
        "the counters may be missing, as in EPD",
    ),
    (
        "rnbqkbnr/pppppppp/17/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "a count in two parts leaves no doubt",
    ),
];

#[test]
fn validity_as_chessjs_sees_it() {
    let rows = table(&shipped("fen/chessjs_validate_fen.tsv"));
    assert_eq!(rows.len(), 132);
    let mut differences = 0;
    for row in &rows {
        let (fen, valid) = (&row[0], row[1] == "true");
        let ours = fen.parse::<Chess>();
        let deliberate = CHESSJS_REFUSES.iter().any(|(known, _)| known == fen);
        differences += usize::from(deliberate);
        assert_eq!(ours.is_ok(), valid || deliberate, "{fen}: {ours:?}");
    }
    assert_eq!(differences, CHESSJS_REFUSES.len());
}

/// The rights in a form that allows comparing two programs: `KQkq`, or files in Chess960.
fn rights(castling: &CastlingRights, chess960: bool) -> BTreeSet<char> {
    castling
        .iter()
        .map(|(color, side, rook)| {
            let letter = match side {
                _ if chess960 => rook.file().letter(),
                CastlingSide::KingSide => 'k',
                CastlingSide::QueenSide => 'q',
            };
            if color == Color::White { letter.to_ascii_uppercase() } else { letter }
        })
        .collect()
}

/// A field of letters, `-` for none.
fn letters(field: &str) -> BTreeSet<char> {
    field.chars().filter(|letter| *letter != '-').collect()
}

/// The fields of a FEN, with the letters of its castling rights in one order: Kokopu writes the files
/// from a to h, we write the king side first, as in `KQkq`.
fn by_wing(fen: &str) -> (Vec<&str>, BTreeSet<char>) {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    let castling = fields.remove(2);
    (fields, letters(castling))
}

/// Rows of Kokopu that we deliberately treat differently: their label, and why.
const KOKOPU_DIFFERENCES: [(&str, &str); 8] = [
    ("Invalid en-passant (rank)", "a square on the wrong rank is not corrected: it is a leftover"),
    ("Ambiguous FEN style with flag on king file", "two flags of a king's file are no wing"),
    ("Wrong white castling flags (king not on e)", "our chess has Chess960's castling in it"),
    ("Wrong black castling flags (king not on e)", "the same"),
    ("Chess960 - Wrong castling flags (king not between rooks 1)", "two rooks for a wing: refused"),
    (
        "Chess960 - Wrong castling flags (king in corner)",
        "no king starts in a corner, but published counts castle from there",
    ),
    ("Chess960 - Wrong castling flags (two many rooks)", "two rooks for a wing: refused"),
    ("Chess960 - Wrong castling flags (solvable conflicts)", "two rooks for a wing: refused"),
];

fn is_deliberate(label: &str) -> bool {
    KOKOPU_DIFFERENCES.iter().any(|(known, _)| *known == label)
}

fn is_chess(variant: &str) -> bool {
    matches!(variant, "regular" | "chess960")
}

#[test]
#[ignore = "reads suites/fen: make verify"]
fn fens_as_kokopu_reads_them() {
    let mut checked = 0;
    for row in table(&collection("suites/fen/kokopu_fens.csv")) {
        let [label, fen, variant, _, castling, ep_file, clock, number, out, _, without_xfen, ..] =
            row.as_slice()
        else {
            panic!("a row of eleven cells: {row:?}")
        };
        if !is_chess(variant) || is_deliberate(label) {
            continue;
        }
        let setup: Setup = fen.parse().unwrap_or_else(|e| panic!("{label}: {e}"));
        let chess960 = variant == "chess960";
        assert_eq!(rights(&setup.castling, chess960), letters(castling), "{label}");
        let file = setup.ep_square.map(|square| square.file().letter());
        assert_eq!(file.into_iter().collect::<BTreeSet<_>>(), letters(ep_file), "{label}");
        // A move number of 0 is read as 1.
        let number = number.parse::<u16>().unwrap().max(1);
        let counters = (setup.halfmove_clock, setup.fullmove_number);
        assert_eq!(counters, (clock.parse().unwrap(), number), "{label}");
        checked += 1;
        let Ok(position) = Chess::from_setup_in(setup, None, forgiven()) else {
            assert!(!label.starts_with("Base"), "{label}");
            continue;
        };
        let mut setup = position.to_setup();
        (setup.halfmove_clock, setup.fullmove_number) = (0, 1);
        let ours = if chess960 { setup.shredder().to_string() } else { setup.to_string() };
        assert_eq!(by_wing(&ours), by_wing(out), "{label}");
        if !without_xfen.is_empty() {
            assert_eq!(by_wing(&setup.to_string()), by_wing(without_xfen), "{label}");
        }
    }
    assert_eq!(checked, 25);
}

#[test]
#[ignore = "reads suites/fen: make verify"]
fn positions_as_kokopu_sees_them() {
    let mut checked = 0;
    for row in table(&collection("suites/fen/kokopu_positions.csv")) {
        let cell: BTreeMap<&str, &str> =
            KOKOPU_COLUMNS.into_iter().zip(row.iter().map(String::as_str)).collect();
        let label = cell["LABEL"];
        if !is_chess(cell["VARIANT"]) || is_deliberate(label) {
            continue;
        }
        let setup: Setup = cell["FEN"].parse().unwrap_or_else(|e| panic!("{label}: {e}"));
        let position = Chess::from_setup_in(setup, None, forgiven());
        assert_eq!(position.is_ok(), cell["LEGAL"] == "true", "{label}");
        checked += 1;
        let Ok(position) = position else { continue };
        let chess960 = cell["VARIANT"] == "chess960";
        assert_eq!(
            rights(&position.castling(), chess960),
            letters(cell["EFF_CASTLING"]),
            "{label}"
        );
        let file = position.ep_square().map(|square| square.file().letter());
        assert_eq!(
            file.into_iter().collect::<BTreeSet<_>>(),
            letters(cell["EFF_EN_PASSANT"]),
            "{label}"
        );
        assert_eq!(position.king(Color::White).to_string(), cell["WHITE_KING"], "{label}");
        assert_eq!(position.king(Color::Black).to_string(), cell["BLACK_KING"], "{label}");
        assert_eq!(position.is_check(), cell["CHECK"] == "true", "{label}");
        let outcome = position.outcome();
        let mate = matches!(outcome, Some(Outcome::Checkmate { .. }));
        assert_eq!(mate, cell["CHECKMATE"] == "true", "{label}");
        assert_eq!(position.is_checkmate(), mate, "{label}");
        let stalemate = outcome == Some(Outcome::Stalemate);
        assert_eq!(stalemate, cell["STALEMATE"] == "true", "{label}");
        assert_eq!(position.is_stalemate(), stalemate, "{label}");
        assert_eq!(position.is_game_over(), outcome.is_some(), "{label}");
        // A position may be stalemate and dead at once; an outcome names the first.
        if outcome != Some(Outcome::Stalemate) {
            let dead = outcome == Some(Outcome::InsufficientMaterial);
            assert_eq!(dead, cell["DEAD"] == "true", "{label}");
        }
        let style =
            if chess960 { CastlingStyle::KingTakesRook } else { CastlingStyle::KingToTarget };
        let ours: BTreeSet<_> = position
            .legal_moves()
            .iter()
            .map(|mv| (mv.uci(style).to_string(), position.san(*mv).to_string()))
            .collect();
        let split = |cell: &str| -> BTreeSet<String> {
            cell.split('/').filter(|text| !text.is_empty()).map(str::to_owned).collect()
        };
        let (uci, san): (BTreeSet<_>, BTreeSet<_>) = ours.into_iter().unzip();
        assert_eq!(uci, split(cell["UCI_MOVES"]), "{label}");
        assert_eq!(san, split(cell["NOTATIONS"]), "{label}");
    }
    assert_eq!(checked, 89);
}

const KOKOPU_COLUMNS: [&str; 20] = [
    "LABEL",
    "CONSTRUCTOR",
    "VARIANT",
    "FEN",
    "TURN",
    "LEGAL",
    "WHITE_KING",
    "BLACK_KING",
    "EFF_CASTLING",
    "EFF_EN_PASSANT",
    "CHECK",
    "CHECKMATE",
    "STALEMATE",
    "DEAD",
    "DEAD_USCF",
    "HAS_MOVE",
    "MOVES",
    "UCI_MOVES",
    "NOTATIONS",
    "SUCCESSORS",
];

#[test]
#[ignore = "reads suites/fen: make verify"]
fn chess960_starts_by_number() {
    let rows = table(&collection("suites/fen/kokopu_scharnagl.csv"));
    assert_eq!(rows.len(), 960);
    for row in rows {
        let number: u16 = row[0].parse().unwrap();
        let position = Chess::chess960(number).unwrap();
        assert_eq!(by_wing(&position.to_setup().shredder().to_string()), by_wing(&row[3]));
        assert_eq!(position.chess960_number(), Some(number));
    }
}

/// The examples in the source of the numbering: the first, the last and chess.
#[test]
fn chess960_numbers() {
    for (number, rank) in [(0, "BBQNNRKR"), (518, "RNBQKBNR"), (959, "RKRNNQBB")] {
        let position = Chess::chess960(number).unwrap();
        let expected = format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{rank} ", rank.to_lowercase());
        assert!(position.to_string().starts_with(&expected), "{position}");
        assert_eq!(position.chess960_number(), Some(number));
    }
    assert_eq!(Chess::chess960(960), None);
    let after: Chess =
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".parse().unwrap();
    assert_eq!(after.chess960_number(), None);
    let without_rights: Chess =
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1".parse().unwrap();
    assert_eq!(without_rights.chess960_number(), None);
}

#[test]
fn castling_fields() {
    for (castling, written, shredder) in [
        ("KQkq", "KQkq", "HAha"),
        ("qkQK", "KQkq", "HAha"),
        ("HAha", "KQkq", "HAha"),
        ("GBgb", "GBgb", "GBgb"),
        ("KBgq", "KBgq", "HBga"),
        ("-", "-", "-"),
    ] {
        let setup: Setup = format!("rr2k1rr/8/8/8/8/8/8/RR2K1RR w {castling} -").parse().unwrap();
        assert_eq!(setup.to_string().split(' ').nth(2), Some(written), "{castling}");
        let by_file = setup.shredder().to_string();
        assert_eq!(by_file.split(' ').nth(2), Some(shredder), "{castling}");
        assert_eq!(by_file.parse(), Ok(setup));
    }
    for (castling, offset) in [("KK", 1), ("KH", 1), ("GH", 1), ("KQkqA", 4), ("KQ-", 2), ("Ki", 1)]
    {
        let fen = format!("rr2k1rr/8/8/8/8/8/8/RR2K1RR w {castling} -");
        let start = fen.find(castling).unwrap();
        assert_eq!(fen.parse::<Setup>().unwrap_err().offset, start + offset, "{castling}");
    }
    // A king in a corner leaves no room for a rook on that side; the claimed right is still reported.
    for corner in ["r3r2k/8/8/8/8/8/8/R3R2K w KQkq -", "k2r3r/8/8/8/8/8/8/K2R3R w KQkq -"] {
        let setup: Setup = corner.parse().unwrap();
        assert_eq!(setup.flaws(), Flaw::Castling.into(), "{corner}");
        assert_eq!(setup.to_string().parse().as_ref(), Ok(&setup), "{corner}");
        assert_eq!(setup.shredder().to_string().parse().as_ref(), Ok(&setup), "{corner}");
    }
    // A right without its rook is read, and is a flaw.
    let setup: Setup = "4k3/8/8/8/8/8/8/4K3 w Kb -".parse().unwrap();
    assert_eq!(setup.flaws(), Flaw::Castling.into());
}
