//! Bad input: an error with the place and the expected input.

use halfmove_rules::{Chess, FenField, Move, Setup, Square};

fn syntax(fen: &str) -> (FenField, usize) {
    let error = fen.parse::<Setup>().expect_err(fen);
    (error.field, error.offset)
}

#[test]
fn a_fen_error_names_the_field_and_the_byte() {
    use FenField::*;
    for (fen, field, offset) in [
        ("", Placement, 0),
        ("rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Placement, 13),
        ("rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Placement, 16),
        ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Placement, 17),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", Placement, 34),
        ("8/8/8/8/8/8/8/8/8 w - - 0 1", Placement, 15),
        ("8/8/8/8/8/8/8/8", SideToMove, 15),
        ("8/8/8/8/8/8/8/8 x - - 0 1", SideToMove, 16),
        ("8/8/8/8/8/8/8/8 w KQxq - 0 1", Castling, 20),
        ("8/8/8/8/8/8/8/8 w - e4 0 1", EnPassant, 20),
        ("8/8/8/8/8/8/8/8 w - - zero 1", HalfmoveClock, 22),
        ("8/8/8/8/8/8/8/8 w - - 0 -1", FullmoveNumber, 24),
        ("8/8/8/8/8/8/8/8 w - - 0 1 more", FullmoveNumber, 26),
        ("8/8/8/8/8/8/8/é w - - 0 1", Placement, 14),
    ] {
        assert_eq!(syntax(fen), (field, offset), "{fen}");
    }
}

#[test]
fn counters_may_be_missing() {
    let setup: Setup = "4k3/8/8/8/8/8/8/4K3 b - -".parse().unwrap();
    assert_eq!((setup.halfmove_clock, setup.fullmove_number), (0, 1));
}

/// A lenient FEN may end after any field; pieces and side to move must be valid.
#[test]
fn a_lenient_fen_may_end_early() {
    let board = "4k3/8/8/8/8/8/8/R3K3";
    for (rest, full) in [
        ("", "w - - 0 1"),
        (" b", "b - - 0 1"),
        (" w Q", "w Q - 0 1"),
        (" b - -", "b - - 0 1"),
        (" w Q - 7", "w Q - 7 1"),
        (" w Q - 7 9", "w Q - 7 9"),
    ] {
        let (setup, _) = Setup::parse_lenient(&format!("{board}{rest}")).unwrap();
        assert_eq!(setup.to_string(), format!("{board} {full}"));
    }
    for (text, field) in [
        ("", FenField::Placement),
        ("4k3/8/8/8/8/8/8 w", FenField::Placement),
        ("8/8/8/8/8/8/8/8 x", FenField::SideToMove),
    ] {
        assert_eq!(Setup::parse_lenient(text).unwrap_err().field, field, "{text}");
    }
    assert!(format!("{board} b").parse::<Setup>().is_err());
}

#[test]
fn an_illegal_move_is_refused() {
    let start = Chess::default();
    assert!(start.play(Move::normal(Square::E2, Square::E5)).is_err());
    assert!(start.play(Move::castle(Square::E1, Square::H1)).is_err());
}
