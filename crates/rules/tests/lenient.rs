//! Lenient reading of positions as people and programs write them: the position, and the warnings.

use halfmove_rules::makruk::Rules;
use halfmove_rules::{AnyPosition, CastlingMode, Chess, Epd, Makruk, Variant};

/// The FEN of what was read, and the warnings.
fn read(fen: &str, mode: Option<CastlingMode>) -> (String, Vec<String>) {
    let (position, repairs) =
        Chess::from_fen_lenient(fen, mode).unwrap_or_else(|error| panic!("{fen}: {error}"));
    (position.to_string(), repairs.iter().map(ToString::to_string).collect())
}

/// Each impossible field is dropped separately; a strict reader rejects all of these.
#[test]
fn a_field_that_cannot_be_costs_only_itself() {
    for (fen, rest, warning) in [
        ("2r5/5p1k/6p1/8/8/8/5PPP/2R3K1 b KQkq - 0 1", "b - - 0 1", "castling rights \"KQkq\""),
        ("3qk1nb/1p3p2/p1r1p1p1/3p4/3P4/2N1BP2/PPPQ1P2/R3K3 w Qk - 0 15", "w Q - 0 15", "\"k\""),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1RK1 b HQkq - 0 1", "b kq - 0 1", "\"HQ\""),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KKkq - 0 1", "w Kkq - 0 1", "\"K\""),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQXq - 0 1", "w KQq - 0 1", "\"X\""),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e5 0 1", "b - - 0 1", "en passant square \"e5\""),
        ("4k3/8/8/8/4P3/8/8/4K3 b - d3 0 1", "b - - 0 1", "en passant square \"d3\""),
        ("4k3/8/8/8/8/8/8/4K3 w - - -5 7", "w - - 0 7", "half-move clock \"-5\""),
        ("4k3/8/8/8/8/8/8/4K3 w - - 3 99999", "w - - 3 1", "full-move number \"99999\""),
        ("4k3/8/8/8/8/8/8/4K3 w - - ? ?", "w - - 0 1", "half-move clock \"?\""),
        ("4k3/8/8/8/8/8/8/4K3 w 3 7", "w - - 3 7", "no castling rights"),
        ("4k3/8/8/8/8/8/8/4K3 b", "b - - 0 1", "no castling rights"),
        ("4k3/8/8/8/8/8/8/4K3", "w - - 0 1", "no side to move"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 and more", "w - - 0 1", ""),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2 3", "w - - 0 1", "\"2 3\" behind the position"),
    ] {
        let board = fen.split(' ').next().unwrap();
        let (found, warnings) = read(fen, None);
        assert_eq!(found, format!("{board} {rest}"), "{fen}");
        match warning {
            // An operation of EPD.
            "" => assert_eq!(warnings, [""; 0], "{fen}"),
            _ => {
                assert!(warnings[0].contains(warning), "{fen}: {warnings:?}");
                assert!(Chess::from_fen(fen, None).is_err(), "{fen}");
            }
        }
    }
}

/// Signs that change nothing are read without a warning.
#[test]
fn white_space_and_separators_are_free() {
    let nrb = "nrbknbrq/pppppppp/8/8/8/8/PPPPPPPP/NRBKNBRQ";
    for (fen, expected) in [
        ("  4k3/8/8/8/8/8/4P3/4K3   w  -  -  0  1 ", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/4P3/4K3\tw\t-\t-\t4\t9\r\n", "4k3/8/8/8/8/8/4P3/4K3 w - - 4 9"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - -5 7", "4k3/8/8/8/8/8/4P3/4K3 w - - 5 7"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - -; id \"one\";", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 2; fmvn 5;", "4k3/8/8/8/8/8/4P3/4K3 w - - 2 5"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - -\thmvc\t2;\tfmvn\t5;", "4k3/8/8/8/8/8/4P3/4K3 w - - 2 5"),
        (&format!("{nrb} w GBgb - 0 1;"), &format!("{nrb} w KQkq - 0 1")),
    ] {
        assert_eq!(read(fen, None), (expected.to_owned(), vec![]), "{fen}");
    }
}

/// Rights behind a king that has castled do not make a game of Chess960, and those of Chess960 are not dropped where
/// the caller plays standard chess: to drop them would make it another game.
#[test]
fn the_castling_mode_follows_from_rights_that_fit() {
    let leftover = "2r3k1/8/8/8/8/8/8/2R3K1 w KQkq - 0 1";
    let (position, _) = Chess::from_fen_lenient(leftover, None).unwrap();
    assert!(!position.is_chess960());
    let chess960 = "1rk4r/8/8/8/8/8/8/1RK4R w KQkq - 0 1";
    let (position, repairs) = Chess::from_fen_lenient(chess960, None).unwrap();
    assert!(position.is_chess960() && repairs.is_empty());
    assert!(Chess::from_fen_lenient(chess960, Some(CastlingMode::Standard)).is_err());
    assert!(AnyPosition::from_fen_lenient(leftover, Variant::Chess).is_ok());
    let named = "rkrnnbbq/pppppppp/8/8/8/8/PPPPPPPP/RKRNNBBQ w HEhe - 0 1";
    let (found, warnings) = read(named, Some(CastlingMode::Chess960));
    assert_eq!(found, named.replace("HEhe", "-"));
    assert_eq!(warnings.len(), 1);
    // In Chess960, a valid right is kept when the other is dropped.
    let (found, _) = read("4k3/8/8/8/8/8/8/1RK5 w BG - 0 1", Some(CastlingMode::Chess960));
    assert_eq!(found, "4k3/8/8/8/8/8/8/1RK5 w Q - 0 1");
}

/// Ambiguous positions are rejected, with the same errors as by a strict reader.
#[test]
fn pieces_and_side_have_to_be_right() {
    for fen in [
        "",
        "?",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1",
        "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR r KQkq - 0 1",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "r1bqkb1r/ppp2ppp/2np4/3P2N1/2BQ4/7P/PPP3P1/RNB4q w - - 0 12",
    ] {
        let strict = Chess::from_fen(fen, None).unwrap_err();
        assert_eq!(Chess::from_fen_lenient(fen, None).unwrap_err(), strict, "{fen}");
    }
}

/// The counters of EPD operations count, and the operations are kept.
#[test]
fn epd_is_read_with_its_operations() {
    let text = "rn1qkb1r/ppp2ppp/4bn2/8/8/5N2/PPPP1PPP/RNBQKB1R w KQkq - hmvc 2; fmvn 5;";
    let (epd, repairs) = Epd::parse_lenient(text).unwrap();
    assert_eq!((epd.setup.halfmove_clock, epd.setup.fullmove_number), (2, 5));
    assert_eq!((epd.operations.len(), repairs.len()), (2, 0));
    let (epd, repairs) = Epd::parse_lenient("4k3/8/8/8/8/8/8/4K3 w KQkq - bm Kd1; id \"a").unwrap();
    assert_eq!((epd.operations.len(), repairs.len()), (0, 2));
}

/// XBoard leaves out the fields that Makruk does not use; other programs write some that it does not have.
#[test]
fn makruk_is_read_with_fewer_and_with_more_fields() {
    let board = "8/8/5k2/7p/6SS/8/3K4/8";
    for (rest, expected, warnings) in [
        (" w 0 1", "w - - 0 1", 0),
        (" b 3 7", "b - - 3 7", 0),
        (" b - - 3 7;", "b - - 3 7", 0),
        (" b\t-  - 3\t7\r\n", "b - - 3 7", 0),
        (" w", "w - - 0 1", 0),
        ("", "w - - 0 1", 1),
        (" w KQkq - 0 1", "w - - 0 1", 1),
        (" b - 128 4 9", "b - - 0 9", 1),
        (" b - - id \"two khons\"; ", "b - - 0 1", 0),
        (" b - -;hmvc 3; fmvn 7;", "b - - 3 7", 0),
        (" b - 0 3 7 bm Kd3;", "b - - 3 7", 0),
        (" b 3 7 bm Kd3;", "b - - 3 7", 0),
        (" b - - bm \"", "b - - 0 1", 1),
    ] {
        let fen = format!("{board}{rest}");
        let (position, repairs) = Makruk::from_fen_lenient(&fen, Rules::Makruk, None)
            .unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(position.to_string(), format!("{board} {expected}"), "{fen}");
        assert_eq!(repairs.len(), warnings, "{fen}: {repairs:?}");
    }
    let start = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR";
    for rest in [" w 0 1", " w - - 0 1", " w", ""] {
        let read = AnyPosition::from_fen_lenient(&format!("{start}{rest}"), Variant::Makruk);
        assert_eq!(read.unwrap().0, AnyPosition::start(Variant::Makruk), "{rest}");
    }
    assert_eq!(
        AnyPosition::from_fen(&format!("{board} w 0 1"), Variant::Makruk).unwrap().to_string(),
        format!("{board} w - - 0 1")
    );
}
