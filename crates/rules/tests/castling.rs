//! The castling mode is a property of the game, not of the position.

use halfmove_rules::{
    AnyPosition, CastlingMode, Chess, EnPassantMode, FenError, Flaw, Flaws, Move, Setup, Square,
    UciError, Variant,
};

const STANDARD: Option<CastlingMode> = Some(CastlingMode::Standard);
const CHESS960: Option<CastlingMode> = Some(CastlingMode::Chess960);

fn play(position: &Chess, moves: &str) -> Chess {
    moves.split(' ').fold(position.clone(), |position, text| {
        let mv = position.parse_uci(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        position.play(mv).unwrap()
    })
}

#[test]
fn a_fen_becomes_chess960_only_on_request() {
    let fen = "r3k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1";
    for error in [fen.parse::<Chess>().unwrap_err(), Chess::from_fen(fen, STANDARD).unwrap_err()] {
        let FenError::Position(flawed) = &error else { panic!("{error}") };
        assert_eq!(flawed.flaws(), Flaw::Castling.into());
        assert!(error.to_string().contains("a rook on b1: that is Chess960"), "{error}");
    }
    assert!(AnyPosition::from_fen(fen, Variant::Chess).is_err());

    for mode in [CHESS960, None] {
        let position = Chess::from_fen(fen, mode).unwrap();
        assert_eq!(position.castling_mode(), CastlingMode::Chess960);
        assert_eq!(position.to_string(), fen);
    }
    assert_eq!(AnyPosition::from_fen(fen, Variant::Chess960).unwrap().variant(), Variant::Chess960);
}

/// The caller can have the same flaw reported or forgiven; if forgiven, only the right is dropped.
#[test]
fn the_flaw_is_forgiven_by_the_caller() {
    let fen = "r3k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1";
    let setup: Setup = fen.parse().unwrap();
    assert_eq!(setup.flaws(), Flaw::Castling.into());
    assert_eq!(setup.flaws_in(CastlingMode::Standard), Flaw::Castling.into());
    assert_eq!(setup.flaws_in(CastlingMode::Chess960), Flaws::NONE);
    assert!(Chess::from_setup(setup.clone(), Flaws::UNREACHABLE).is_err());
    let forgiven = Chess::from_setup(setup, Flaw::Castling.into()).unwrap();
    assert_eq!(forgiven.castling_mode(), CastlingMode::Standard);
    assert_eq!(forgiven.to_string(), "r3k2r/8/8/8/8/8/8/1R2K2R w Kkq - 0 1");
}

/// Kings and rooks off their squares, each of them alone.
#[test]
fn standard_castling_starts_on_the_usual_squares() {
    for (fen, is_standard) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", true),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", true),
        ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", false),
        ("4k3/8/8/8/8/8/8/R4K2 w Q - 0 1", false),
        ("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", false),
        ("2r1k3/8/8/8/8/8/8/4K3 b q - 0 1", false),
        ("4k3/8/8/8/8/8/8/4KR1R w F - 0 1", false),
    ] {
        assert_eq!(Chess::from_fen(fen, STANDARD).is_ok(), is_standard, "{fen}");
        assert!(Chess::from_fen(fen, CHESS960).is_ok(), "{fen}");
        assert_eq!(Chess::from_fen(fen, None).unwrap().is_chess960(), !is_standard, "{fen}");
    }
}

/// A game of Chess960 writes castling as king takes rook from the first move to the last, even when no
/// rights are left that only Chess960 has; a game of chess never does.
#[test]
fn a_game_writes_castling_in_one_way() {
    for (mode, white, black) in [(STANDARD, "e1g1", "e8g8"), (CHESS960, "e1h1", "e8h8")] {
        let start =
            Chess::from_fen("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1", mode).unwrap();
        let castle = Move::castle(Square::E1, Square::H1);
        assert_eq!(start.uci(castle).to_string(), white);
        assert_eq!(start.parse_uci("e1g1"), Ok(castle));
        assert_eq!(start.parse_uci("e1h1"), Ok(castle));
        // Black's last rights: White has castled, and the rook of the other wing has moved.
        let later = play(&start, "e1g1 a8b8");
        assert_eq!(later.castling_mode(), start.castling_mode());
        let later = play(&later, "a1b1");
        assert_eq!(later.uci(Move::castle(Square::E8, Square::H8)).to_string(), black);
        let end = play(&later, "e8g8");
        assert!(end.castling().is_empty());
        assert_eq!(end.castling_mode(), start.castling_mode());
        assert_eq!(end.null_move().unwrap().castling_mode(), start.castling_mode());
        assert_eq!(end.flipped().castling_mode(), start.castling_mode());
    }
    // Only the rook on b1 needs Chess960; when it has lost its right, the game is still the same.
    let start = Chess::from_fen("r3k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1", CHESS960).unwrap();
    let castle = Move::castle(Square::E1, Square::H1);
    assert_eq!(start.uci(castle).to_string(), "e1h1");
    let later = play(&start, "b1b2 a8a7");
    assert_eq!(later.uci(castle).to_string(), "e1h1");
    assert_eq!(Chess::chess960(518).unwrap().castling_mode(), CastlingMode::Chess960);
}

#[test]
fn the_mode_is_not_part_of_the_position() {
    let standard = Chess::default();
    let chess960 = Chess::chess960(518).unwrap();
    assert_eq!(standard, chess960);
    assert_eq!(standard.zobrist(), chess960.zobrist());
    assert_eq!(standard.pack(), chess960.pack());
    let hash = |position: &Chess| {
        use std::hash::{BuildHasher, RandomState};
        thread_local!(static STATE: RandomState = RandomState::new());
        STATE.with(|state| state.hash_one(position))
    };
    assert_eq!(hash(&standard), hash(&chess960));
    assert_ne!(hash(&standard), hash(&play(&standard, "e2e4")));
    // The clocks do not matter, an en passant capture does only if it is legal.
    let read = |fen: &str| fen.parse::<Chess>().unwrap();
    let pawns = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
    assert_eq!(hash(&read(&format!("{pawns} e3 0 1"))), hash(&read(&format!("{pawns} - 3 7"))));
}

/// The square that other programs write after a double step: python-chess's `en_passant="fen"`, and
/// `"xfen"` for the one that a pin forbids.
#[test]
fn the_en_passant_square_is_the_callers_choice() {
    use EnPassantMode::{Always, Legal, PseudoLegal};
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let pinned = "4k3/8/8/8/1r2pK2/8/3P4/8 w - - 0 1";
    let free = "4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1";
    // Both pawns would leave the fourth rank at once, and the rook would attack Black's king.
    let bared = "8/8/8/8/R3p2k/8/3P4/4K3 w - - 0 1";
    for (fen, mv, legal, pseudo_legal, always) in [
        (start, "e2e4", "-", "-", "e3"),
        (free, "d2d4", "d3", "d3", "d3"),
        (pinned, "d2d4", "d3", "d3", "d3"),
        (bared, "d2d4", "-", "d3", "d3"),
        (free, "d2d3", "-", "-", "-"),
    ] {
        let next = play(&fen.parse().unwrap(), mv);
        for (mode, expected) in [(Legal, legal), (PseudoLegal, pseudo_legal), (Always, always)] {
            let square =
                next.ep_square_as(mode).map_or("-".to_owned(), |square| square.to_string());
            assert_eq!(square, expected, "{fen} {mv} {mode:?}");
            let written = next.to_setup_as(mode).to_string();
            assert_eq!(written.split(' ').nth(3), Some(expected));
            let read: Chess = written.parse().unwrap();
            assert_eq!(read, next, "{written}");
            // The key counts the capture that a pin forbids, as Polyglot does.
            if mode != Legal {
                assert_eq!(read.zobrist(), next.zobrist(), "{written}");
            }
        }
        // The next move clears it, also in the key.
        for mv in next.legal_moves() {
            let after = next.play(mv).unwrap();
            let read: Chess = after.to_string().parse().unwrap();
            assert_eq!(read.zobrist(), after.zobrist(), "{after}");
        }
    }
    assert_eq!(Chess::default().to_setup(), Chess::default().to_setup_as(Legal));
}

/// A move number of 0 becomes 1, however the position is created.
#[test]
fn move_numbers_begin_at_one() {
    let setup = Setup { fullmove_number: 0, ..Chess::default().to_setup() };
    let position = Chess::from_setup(setup, Flaws::NONE).unwrap();
    assert_eq!(position.to_string(), Chess::default().to_string());
}

#[test]
fn uci_is_written_and_read_by_the_game() {
    let start = Chess::default();
    assert_eq!(start.parse_uci("e2e5"), Err(UciError::Illegal));
    assert_eq!(start.uci(Move::normal(Square::E2, Square::E4)).to_string(), "e2e4");
}
