//! Moves as text: reading, rejecting and writing them.

use crate::suites::{position as position_of, shipped, table};
use halfmove_rules::{
    CastlingStyle, Chess, Makruk, Move, San, SanError, Square, StrictSanError, UciError, UciMove,
    makruk,
};
use std::ops::ControlFlow;

/// A position with moves of every kind: both castlings, a promotion, two knights, an en passant capture.
fn position() -> Chess {
    "r3k2r/1P6/8/3pP3/8/5N2/4N3/R3K2R w KQkq d6 0 1".parse().unwrap()
}

#[test]
fn sloppy_san_is_read() {
    let position = position();
    for (sloppy, strict) in [
        ("0-0", "O-O"),
        ("o-o", "O-O"),
        ("O–O", "O-O"),
        ("0-0-0+", "O-O-O"),
        ("o-o-o!?", "O-O-O"),
        ("O−O", "O-O"),
        ("О-О-О", "O-O-O"),
        ("00", "O-O"),
        ("000!", "O-O-O"),
        ("OO+", "O-O"),
        ("ooo", "O-O-O"),
        ("e1-g1", "O-O"),
        ("e1c1", "O-O-O"),
        ("Ke1-g1", "O-O"),
        ("Ke1-h1", "O-O"),
        ("Ke1-f2", "Kf2"),
        ("f3-d4", "Nfd4"),
        ("f3–d4!", "Nfd4"),
        ("a1xa8", "Rxa8+"),
        ("a1:a8+", "Rxa8+"),
        ("e2g3", "Ng3"),
        ("b8Q", "b8=Q+"),
        ("b8(Q)!", "b8=Q+"),
        ("b8=q", "b8=Q+"),
        ("b8/Q", "b8=Q+"),
        ("b8q", "b8=Q+"),
        ("b7b8b", "b8=B"),
        ("bxa8=N", "bxa8=N"),
        ("ba8N", "bxa8=N"),
        ("bxa8nch", "bxa8=N"),
        ("Ne2g3", "Ng3"),
        ("Ne2-g3", "Ng3"),
        ("N2g3", "Ng3"),
        ("Nfd4!?", "Nfd4"),
        ("b7b8R", "b8=R+"),
        ("b7-b8=R+", "b8=R+"),
        ("Ra1xa8++", "Rxa8+"),
        ("Ra1:a8", "Rxa8+"),
        ("Ra8", "Rxa8+"),
        ("Rxa8ch", "Rxa8+"),
        ("Rxa8ch.", "Rxa8+"),
        ("Rxa8+mate", "Rxa8+"),
        ("Rxa8†", "Rxa8+"),
        ("Rxa8dis.ch", "Rxa8+"),
        ("Rxa8dbl.", "Rxa8+"),
        ("♖xa8", "Rxa8+"),
        ("♜×a8+", "Rxa8+"),
        ("♘\u{fe0e}g3", "Ng3"),
        ("♞e2–g3!!", "Ng3"),
        ("♙e6", "e6"),
        ("Pe6", "e6"),
        ("e5e6", "e6"),
        ("e5-e6", "e6"),
        ("exd6", "exd6"),
        ("ed6", "exd6"),
        ("exd6e.p.", "exd6"),
        ("exd6e.p.+?", "exd6"),
        ("exd6ep", "exd6"),
        ("ed", ""),
        ("e5xd6ep!", "exd6"),
    ] {
        let read = San::parse(sloppy.as_bytes()).and_then(|san| san.resolve(&position));
        match read {
            Ok(mv) => assert_eq!(position.san(mv).as_str(), strict, "{sloppy}"),
            Err(error) => {
                assert_eq!((error, strict), (SanError::Syntax { offset: 2 }, ""), "{sloppy}");
            }
        }
        // Apart from the standard form, a strict reader accepts none of them.
        let strictly = San::parse_strict(sloppy.as_bytes(), &position);
        assert_eq!(strictly.is_ok(), sloppy == strict, "{sloppy}");
        if let (Ok(mv), true) = (read, sloppy != strict) {
            assert_eq!(
                strictly,
                Err(StrictSanError::Loose { expected: position.san(mv) }),
                "{sloppy}"
            );
        }
    }
}

#[test]
fn invalid_san_is_rejected() {
    let position = position();
    for (san, error) in [
        ("", SanError::Syntax { offset: 0 }),
        ("+", SanError::Syntax { offset: 0 }),
        ("N", SanError::Syntax { offset: 1 }),
        ("hello", SanError::Syntax { offset: 2 }),
        ("mate", SanError::Syntax { offset: 0 }),
        ("Nf9", SanError::Syntax { offset: 2 }),
        ("Ng1f3e4", SanError::Syntax { offset: 5 }),
        ("b8=K", SanError::Syntax { offset: 3 }),
        ("b8=P", SanError::Syntax { offset: 3 }),
        ("Nd4=Q", SanError::Syntax { offset: 3 }),
        ("é4", SanError::Syntax { offset: 0 }),
        ("♔", SanError::Syntax { offset: 0 }),
        ("♚♚e2", SanError::Syntax { offset: 0 }),
        ("O-O-O-O", SanError::Syntax { offset: 0 }),
        // A capture mark or a dash must stand between the origin and the target.
        ("Nf3x", SanError::Syntax { offset: 3 }),
        ("e-4", SanError::Syntax { offset: 1 }),
        ("ex4", SanError::Syntax { offset: 1 }),
        ("Nf-3", SanError::Syntax { offset: 2 }),
        ("Nxxd4", SanError::Syntax { offset: 1 }),
        ("Nx-d4", SanError::Syntax { offset: 1 }),
        ("e5--e6", SanError::Syntax { offset: 2 }),
        ("xd6", SanError::Syntax { offset: 0 }),
        ("Pxd6", SanError::Syntax { offset: 1 }),
        ("-e6", SanError::Syntax { offset: 0 }),
        ("e6-", SanError::Syntax { offset: 2 }),
        ("e-d6", SanError::Syntax { offset: 1 }),
        ("5xd6", SanError::Syntax { offset: 1 }),
        // An unmatched parenthesis.
        ("e6)", SanError::Syntax { offset: 2 }),
        ("Ng3)", SanError::Syntax { offset: 3 }),
        ("b8=Q)", SanError::Syntax { offset: 2 }),
        ("b8(Q", SanError::Syntax { offset: 2 }),
        ("Ng3ch.dis.dbl.mate", SanError::Syntax { offset: 4 }),
        ("--", SanError::Null),
        ("Z0", SanError::Null),
        ("b8", SanError::MissingPromotion),
        ("Nd4", SanError::Ambiguous),
        ("Ke3", SanError::Illegal),
        // Not a knight's move, an empty square, pieces of the other side, another square than the king's.
        ("f3-f5", SanError::Illegal),
        ("d4-d5", SanError::Illegal),
        ("d5-d4", SanError::Illegal),
        ("a8-a7", SanError::Illegal),
        ("Kd1-c1", SanError::Illegal),
        ("Ke1-e4", SanError::Illegal),
        ("b7-b8", SanError::MissingPromotion),
        ("0", SanError::Syntax { offset: 0 }),
        ("00000", SanError::Syntax { offset: 0 }),
        ("00-0", SanError::Syntax { offset: 0 }),
        ("e4", SanError::Illegal),
        ("exf6", SanError::Illegal),
    ] {
        let read = San::parse(san.as_bytes()).and_then(|san| san.resolve(&position));
        assert_eq!(read, Err(error), "{san}");
        let strictly = San::parse_strict(san.as_bytes(), &position);
        assert_eq!(strictly, Err(StrictSanError::San(error)), "{san}");
    }
}

/// The same move in the standard form.
#[test]
fn san_prints_the_standard_form() {
    for (text, printed) in [
        ("e4", "e4"),
        ("e2-e4!", "e2e4"),
        ("♘g1:f3", "Ng1xf3"),
        ("exd6ep", "exd6"),
        ("b8(q)+", "b8=Q"),
        ("0-0-0#", "O-O-O"),
        ("R1a3", "R1a3"),
    ] {
        let san = San::parse(text.as_bytes()).unwrap();
        assert_eq!(san.to_string(), printed, "{text}");
        assert_eq!(printed.parse(), Ok(san), "{text}");
    }
}

/// Strict reading accepts the SAN of every legal move as another program writes it, and `Display` gives it
/// back, except for the mark of check or mate.
#[test]
fn the_standards_san_is_strict() {
    let mut checked = 0;
    for name in ["real", "tricky", "chess960"] {
        for row in table(&shipped(&format!("movegen/{name}.tsv"))) {
            let position = position_of(&row[0]);
            for (_, san) in row[1].split_whitespace().filter_map(|pair| pair.split_once('=')) {
                let mv = San::parse_strict(san.as_bytes(), &position);
                assert!(mv.is_ok(), "{} {san}: {mv:?}", row[0]);
                let printed = San::parse(san.as_bytes()).unwrap().to_string();
                assert_eq!(printed, san.trim_end_matches(['+', '#']), "{}", row[0]);
                checked += 1;
            }
        }
    }
    assert!(checked > 18_000, "{checked} moves checked");
}

#[test]
fn uci_moves() {
    let position = position();
    for (text, san, to_target, takes_rook) in [
        ("e1g1", "O-O", "e1g1", "e1h1"),
        ("e1h1", "O-O", "e1g1", "e1h1"),
        ("e1c1", "O-O-O", "e1c1", "e1a1"),
        ("e1a1", "O-O-O", "e1c1", "e1a1"),
        ("b7b8q", "b8=Q+", "b7b8q", "b7b8q"),
        ("b7a8N", "bxa8=N", "b7a8n", "b7a8n"),
        ("e5d6", "exd6", "e5d6", "e5d6"),
        ("e1f1", "Kf1", "e1f1", "e1f1"),
    ] {
        let mv = text.parse::<UciMove>().unwrap().resolve(&position).unwrap();
        assert_eq!(position.san(mv).as_str(), san, "{text}");
        assert_eq!(mv.uci(CastlingStyle::KingToTarget).to_string(), to_target, "{text}");
        assert_eq!(mv.uci(CastlingStyle::KingTakesRook).to_string(), takes_rook, "{text}");
    }
    for (text, error) in [
        ("", UciError::Syntax { offset: 0 }),
        ("e2", UciError::Syntax { offset: 2 }),
        ("e2e9", UciError::Syntax { offset: 3 }),
        ("e2e4k", UciError::Syntax { offset: 4 }),
        ("e2e4qq", UciError::Syntax { offset: 5 }),
        ("(none)", UciError::Syntax { offset: 0 }),
        ("0000", UciError::Null),
        ("b7b8", UciError::Illegal),
        ("e5e6q", UciError::Illegal),
        ("b7b8s", UciError::Illegal),
        ("b7b8M", UciError::Illegal),
        ("b7b8sm", UciError::Syntax { offset: 5 }),
        ("e2e2", UciError::Illegal),
        ("a1e1", UciError::Illegal),
        ("e1b1", UciError::Illegal),
    ] {
        let read = text.parse::<UciMove>().and_then(|uci| uci.resolve(&position));
        assert_eq!(read, Err(error), "{text}");
    }
}

/// Three queens, one on the file and one on the rank of the one that moves: only file and rank together identify it.
#[test]
fn san_names_file_and_rank_where_neither_is_enough() {
    let position = position_of("8/k7/8/8/4Q2Q/8/1K6/7Q w - - 0 1");
    for (from, san) in [(Square::H4, "Qh4e1"), (Square::E4, "Qee1"), (Square::H1, "Q1e1")] {
        let mv = Move::normal(from, Square::E1);
        assert_eq!(position.san(mv).as_str(), san);
        assert_eq!(position.parse_san(san), Ok(mv));
    }
    assert_eq!(position.parse_san("Qhe1"), Err(SanError::Ambiguous));
}

/// The text that a move displays is read back, for the moves of every game.
#[test]
fn a_move_shows_itself_as_uci() {
    assert_eq!(Move::from_bits(0), Some(Move::NULL));
    assert_eq!(Move::NULL.to_string(), "0000");
    for mv in (1..=u16::MAX).filter_map(Move::from_bits) {
        if (mv.from(), mv.to(), mv.promotion()) == (Square::A1, Square::A1, None) {
            continue; // Castling from a1 to a1 has the squares of the null move.
        }
        let UciMove { from, to, promotion } = mv.to_string().parse().unwrap();
        assert_eq!((from, to, promotion), (mv.from(), mv.to(), mv.promotion()), "{mv}");
        assert_eq!(format!("{mv:?}"), mv.to_string());
    }
    let setup = makruk::Setup::parse(
        "3k4/6P1/8/8/8/8/8/3K4 w - - 0 1",
        makruk::Rules::Asean,
        makruk::Dialect::Fairy,
    );
    let position = Makruk::from_setup(setup.unwrap()).unwrap();
    let promotions = position.legal_moves().into_iter().filter(|mv| mv.promotion().is_some());
    let mut texts = Vec::new();
    for mv in promotions {
        assert_eq!(position.parse_uci(&mv.to_string()), Ok(mv));
        assert_eq!(position.parse_uci(&position.uci(mv).to_string()), Ok(mv));
        texts.push(format!("{mv} {}", position.uci(mv)));
    }
    texts.sort();
    assert_eq!(texts, ["g7g8m g7g8q", "g7g8n g7g8n", "g7g8r g7g8r", "g7g8s g7g8b"]);
}

/// If the king's target is also a square that it can step to, the step is meant.
#[test]
fn a_king_step_comes_before_castling() {
    let position = position_of("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    let read = |text: &str| text.parse::<UciMove>().unwrap().resolve(&position);
    assert_eq!(read("f1g1"), Ok(Move::normal(Square::F1, Square::G1)));
    assert_eq!(read("f1h1"), Ok(Move::castle(Square::F1, Square::H1)));
}

#[test]
fn a_list_is_taken_from_both_ends() {
    let list = position().legal_moves();
    let mut expected = list.to_vec();
    let mut moves = list.into_iter();
    for turn in 0.. {
        assert_eq!(
            (moves.len(), moves.size_hint()),
            (expected.len(), (expected.len(), Some(expected.len())))
        );
        if expected.is_empty() {
            break;
        }
        if turn % 2 == 0 {
            assert_eq!(moves.next_back(), expected.pop());
        } else {
            assert_eq!(moves.next(), Some(expected.remove(0)));
        }
    }
    assert_eq!((moves.next(), moves.next_back()), (None, None));
}

#[test]
fn the_moves_of_a_piece_are_counted_along_the_way() {
    let mut promotions = 0;
    let _: ControlFlow<()> = position().visit_moves(|piece| {
        let all: Vec<Move> = piece.into_iter().collect();
        promotions += all.iter().filter(|mv| mv.promotion().is_some()).count();
        let mut moves = piece.into_iter();
        for left in (0..=all.len()).rev() {
            assert_eq!((moves.len(), moves.size_hint()), (left, (left, Some(left))));
            assert_eq!(moves.next(), all.get(all.len() - left).copied());
        }
        ControlFlow::Continue(())
    });
    assert_eq!(promotions, 8);
}
