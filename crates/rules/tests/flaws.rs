//! The flaws of a setup, and which of them can be forgiven.

use halfmove_rules::{
    CastlingMode, CastlingSide, Chess, Color, FenError, Flaw, Flaws, Piece, Role, Setup, Square,
};

fn setup(fen: &str) -> Setup {
    fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn flaws(fen: &str) -> Vec<Flaw> {
    setup(fen).flaws().iter().collect()
}

#[test]
fn every_reason_is_named_at_once() {
    use Flaw::*;
    for (fen, expected) in [
        ("8/8/8/8/8/8/8/K7 w - - 0 1", vec![NoKing]),
        ("8/8/8/8/8/8/8/8 w - - 0 1", vec![NoKing]),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", vec![SeveralKings]),
        ("k6P/8/8/8/8/8/8/K7 w - - 0 1", vec![PawnOnBackRank]),
        ("k6R/8/8/8/8/8/8/K7 w - - 0 1", vec![OppositeCheck]),
        ("8/8/8/8/8/8/1k6/K7 w - - 0 1", vec![OppositeCheck]),
        ("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", vec![Castling]),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", vec![Castling]),
        ("4k3/8/8/8/8/8/8/4K3 w - d6 0 1", vec![EnPassant]),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", vec![]),
        ("4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1", vec![EnPassant]),
        ("4k3/8/8/3pP3/8/8/8/4K3 b - d6 0 1", vec![EnPassant]),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", vec![Material]),
        ("4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1", vec![Material]),
        ("4k3/8/8/8/8/8/PPPPPPPP/B1B1K3 w - - 0 1", vec![Material]),
        ("4k3/8/8/8/8/8/PPPPPPPP/BB2K3 w - - 0 1", vec![]),
        ("4k3/8/8/8/8/8/PPPPPPP1/QQ2K3 w - - 0 1", vec![]),
        (
            "kk5P/8/8/8/8/8/8/4R3 w Q e3 0 1",
            vec![NoKing, SeveralKings, PawnOnBackRank, Castling, EnPassant],
        ),
    ] {
        assert_eq!(flaws(fen), expected, "{fen}");
    }
}

#[test]
fn pieces_of_makruk_are_foreign() {
    for role in [Role::Khon, Role::Met] {
        let mut setup = Chess::default().to_setup();
        setup.board.put(Square::E4, Piece { color: Color::White, role });
        assert_eq!(setup.flaws(), Flaw::ForeignPiece.into());
        let error = Chess::from_setup(setup, Flaw::ALL.into_iter().collect()).unwrap_err();
        assert_eq!(error.to_string(), "khon or met on e4, expected only pieces of chess");
    }
}

/// Checks that a last move can have given, and checks that none can.
#[test]
fn impossible_checks() {
    for (fen, possible, why) in [
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", true, "one rook"),
        ("4k3/8/8/8/8/8/4q3/r3K3 w - - 0 1", true, "a queen that left the first rank"),
        ("4k3/8/8/8/8/3n4/8/r3K3 w - - 0 1", true, "a knight that left c1"),
        ("k7/4r3/8/8/8/3n4/8/4K3 w - - 0 1", true, "a knight that left e5"),
        ("4k3/8/8/8/4r3/8/3p4/4K3 w - - 0 1", true, "a pawn that took from e3"),
        ("4k3/8/8/8/8/6b1/8/r3K3 w - - 0 1", false, "no bishop on g3 came from the first rank"),
        (
            "4k3/8/8/8/8/8/3p4/r3K3 w - - 0 1",
            false,
            "a pawn on its seventh came from no first rank",
        ),
        ("4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1", false, "two knights"),
        ("4k3/8/8/8/8/3n4/5p2/4K3 w - - 0 1", false, "a knight and a pawn"),
        (
            "4k3/8/8/8/7b/8/8/b3K2r w - - 0 1",
            false,
            "rook and bishop, neither from the other's line",
        ),
        ("4k3/8/8/8/8/6b1/3b4/4K3 w - - 0 1", false, "two bishops"),
        ("4k3/8/8/8/r2K2r1/8/8/8 w - - 0 1", false, "from both sides of one line"),
        ("4k3/8/8/8/4r3/3n4/8/r3K3 w - - 0 1", false, "three pieces"),
        ("4k3/8/8/8/8/8/8/r3K2r w - - 0 1", false, "two rooks on one rank"),
        ("3rk3/8/8/8/8/8/8/3K2r1 w - - 0 1", false, "two rooks, neither from the other's line"),
        ("3rk3/8/8/8/8/8/8/3Kq3 w - - 0 1", true, "a pawn that became a queen by taking from d2"),
        ("4k3/8/8/8/4K1r1/8/8/1b6 w - - 0 1", false, "rook on g4, bishop on b1"),
        ("4k3/8/8/8/4K3/5p2/8/1b2r3 w - - 0 1", false, "bishop and rook, a pawn that checks not"),
        ("4k3/8/8/8/1q2K3/5p2/8/7b w - - 0 1", true, "one queen, the bishop blocked"),
        // Black took a white pawn en passant, from e4 to d3, and so opened two lines.
        ("4k3/1b6/8/4K3/8/3p4/8/r3r3 w - - 0 1", true, "one rook, the file opened"),
        ("7k/7b/8/8/r4K2/3p4/8/8 w - - 0 1", true, "one rook, the rank opened"),
        ("k7/7b/8/4K3/8/3p4/8/b3r3 w - - 0 1", true, "the rook by e4, the bishop by d4"),
        ("k7/7b/8/4K3/8/8/8/b3r3 w - - 0 1", false, "the same without the pawn that took"),
        // The double step of the en passant square.
        ("4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1", true, "the pawn itself"),
        ("4k3/1b6/8/3p4/4K3/8/8/8 w - d6 0 1", false, "before it the bishop gave check"),
        ("4k3/8/8/b2p4/8/8/8/4K3 w - d6 0 1", false, "a bishop that the pawn never hid"),
        ("3rk3/8/8/8/3pP3/8/8/3K4 b - e3 0 1", true, "no check"),
        ("8/8/8/1k6/3pP3/8/8/5B1K b - e3 0 1", true, "the bishop behind e2"),
        ("8/4k3/8/8/2BpP3/8/8/4R2K b - e3 0 1", true, "no check: the pawn shuts the file"),
    ] {
        let found = !setup(fen).flaws().has(Flaw::ImpossibleCheck);
        assert_eq!(found, possible, "{fen}: {why}");
    }
}

#[test]
fn forgivable_flaws() {
    let all: Flaws = Flaw::ALL.into_iter().collect();
    let forgivable = Flaws::LEFTOVERS | Flaws::UNREACHABLE;
    for (fen, refused) in [
        ("8/8/8/8/8/8/8/K7 w - - 0 1", true),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", true),
        ("k6P/8/8/8/8/8/8/K7 w - - 0 1", true),
        ("k6R/8/8/8/8/8/8/K7 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", false),
        ("4k3/8/8/8/8/8/8/4K3 w - d6 0 1", false),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", false),
        ("4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1", false),
    ] {
        let setup = setup(fen);
        assert!(Chess::from_setup(setup.clone(), Flaws::NONE).is_err(), "{fen}");
        for forgiven in [all, forgivable] {
            assert_eq!(Chess::from_setup(setup.clone(), forgiven).is_err(), refused, "{fen}");
        }
        for flaw in setup.flaws().iter() {
            let others = forgivable - flaw;
            let error = Chess::from_setup(setup.clone(), others).unwrap_err();
            assert_eq!((error.flaws(), error.setup()), (flaw.into(), &setup), "{fen}");
        }
    }
}

#[test]
fn forgiven_leftovers_are_dropped_and_the_rest_is_kept() {
    let forgiven = Flaws::LEFTOVERS | Flaws::UNREACHABLE;
    for (fen, expected) in [
        ("4k2r/8/8/8/8/8/8/4K2R w KQkq d6 7 9", "4k2r/8/8/8/8/8/8/4K2R w Kk - 7 9"),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1", "4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1"),
    ] {
        assert_eq!(Chess::from_setup(setup(fen), forgiven).unwrap().to_string(), expected);
    }
}

#[test]
fn a_fen_may_be_unreachable_but_has_no_leftovers() {
    assert!("4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1".parse::<Chess>().is_ok());
    let error = "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1".parse::<Chess>().unwrap_err();
    assert!(matches!(&error, FenError::Position(error) if error.flaws() == Flaw::Castling.into()));
    assert_eq!(
        error.to_string(),
        "not a legal position: white cannot castle with a rook on a1: \
         king or rook is not in place"
    );
}

#[test]
fn a_position_error_says_the_details() {
    for (fen, expected) in [
        (
            "kk5P/8/8/8/8/8/8/8 w - - 0 1",
            "white has no king, expected one; black has 2 kings (a8, b8), expected one; \
             pawn on h8, expected none on the first and eighth rank",
        ),
        (
            "k6R/8/8/8/P7/P7/PPPPPPPP/K7 w - - 0 1",
            "black is in check from h8 but it is not black's move; white has 10 pawns and at least \
             0 promoted pieces, expected no more than 8 together",
        ),
        (
            "4k3/8/8/8/8/3n1n2/8/4K3 w Q e6 0 1",
            "white cannot castle with a rook on a1: king or rook is not in place; \
             no pawn can just have made a double step over e6; \
             no move can have put white in check from d3, f3",
        ),
    ] {
        let error = Chess::from_setup(setup(fen), Flaws::NONE).unwrap_err();
        assert_eq!(error.to_string(), expected, "{fen}");
    }
}

/// No FEN can say this.
#[test]
fn a_castling_rook_on_the_wrong_side_of_its_king() {
    for (side, rook) in
        [(CastlingSide::KingSide, Square::A1), (CastlingSide::QueenSide, Square::H1)]
    {
        let mut setup = setup("4k3/8/8/8/8/8/8/R3K2R w - - 0 1");
        setup.castling.set(Color::White, side, Some(rook));
        for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
            assert_eq!(setup.flaws_in(mode), Flaw::Castling.into(), "{side:?} {rook}");
        }
    }
}
