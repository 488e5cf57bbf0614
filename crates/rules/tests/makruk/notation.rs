//! FEN and SAN in every dialect.

use super::{position, rows, shipped, text};
use halfmove_rules::makruk::{Dialect, FenError, FenField, Rules, SanStyle, Setup, SetupError};
use halfmove_rules::{Color, Makruk, Move, Role, SanError, Square};
use std::collections::BTreeSet;

#[test]
fn every_legal_move_in_san_and_in_thai() {
    let rows = rows(&shipped("san.jsonl"));
    for row in &rows {
        let position = position(text(row, "fen"));
        let ours: BTreeSet<[String; 3]> = position
            .legal_moves()
            .iter()
            .map(|&mv| {
                for style in SanStyle::ALL {
                    let written = position.san_in(mv, style);
                    assert_eq!(position.parse_san_in(&written, style), Ok(mv), "{written}");
                }
                let uci = position.uci(mv).to_string();
                assert_eq!(position.parse_uci(&uci), Ok(mv));
                let thai = position.san_in(mv, SanStyle::Thai).to_string();
                [uci, position.san(mv).to_string(), thai]
            })
            .collect();
        let theirs: BTreeSet<[String; 3]> = row["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mv| [0, 1, 2].map(|i| mv[i].as_str().unwrap().to_owned()))
            .collect();
        assert_eq!(ours, theirs, "{position}");
    }
    assert_eq!(rows.len(), 40);
}

#[test]
fn one_position_in_both_dialects() {
    for row in rows(&shipped("fen_dialects.jsonl")) {
        let [fairy, plain, js] =
            ["fairy", "fairy_no_tilde", "seed"].map(|column| text(&row, column));
        let setup: Setup = fairy.parse().unwrap();
        assert_eq!(setup.fen(Dialect::Fairy).to_string(), fairy);
        // What makruk-js has no field for is left out: the clock and, in these rows, the count.
        let mut bare = setup.clone();
        (bare.counting, bare.halfmove_clock) = (None, 0);
        assert_eq!(bare.fen(Dialect::MakrukJs).to_string(), js);
        assert_eq!(js.parse(), Ok(bare));
        let mut unmarked = setup.clone();
        unmarked.promoted = Default::default();
        assert_eq!(unmarked.fen(Dialect::Fairy).to_string(), plain);
        assert_eq!(plain.parse(), Ok(unmarked));
        let position = Makruk::from_setup(setup).unwrap();
        assert_eq!(position, self::position(plain), "the same for repetition");
        assert_eq!(position.zobrist(), self::position(js).zobrist());
    }
    for row in rows(&shipped("perft.jsonl")) {
        let placement = text(&row, "seed_board");
        let js = self::position(&format!(
            "{placement} {} 1",
            text(&row, "fen").split(' ').nth(1).unwrap()
        ));
        assert_eq!(js, position(text(&row, "fen")));
    }
}

#[test]
fn a_count_in_both_dialects() {
    for fen in [
        "8/4k3/8/8/8/8/1K6/R7 b - 32 8 70",
        "8/4k3/8/8/8/8/1K6/R7 w - 32 9 70",
        "8/4k2r/8/8/8/8/1K6/RS6 w - 128 0 70",
        "8/4k2r/8/8/8/8/1K6/RS6 b - 128 77 70",
        // A board's-honor count that continues against a bare king, as makruk-js allows.
        "8/3k4/8/8/8/5K2/8/2R4R w - 128 6 6",
    ] {
        let setup: Setup = fen.parse().unwrap();
        let js = setup.fen(Dialect::MakrukJs).to_string();
        let again = Setup::parse(&js, Rules::Makruk, Dialect::MakrukJs).unwrap();
        assert_eq!(again.fen(Dialect::Fairy).to_string(), fen, "{js}");
        assert_eq!(again.fen(Dialect::MakrukJs).to_string(), js);
    }
}

/// Texts that no count can produce: limits that no rule sets (the first two are in makruk-js's own tests),
/// numbers that cannot have been announced, a chaser that counts.
#[test]
fn a_count_that_cannot_be() {
    use FenField::*;
    for (fen, field, offset) in [
        ("4k3/8/8/8/8/8/8/4K3 w 10 w bp 64 10 100", CountLimit, 36),
        ("4k3/8/8/8/8/8/8/4K3 b 25 b pp 5 25 50", CountLimit, 35),
        ("4k3/8/8/8/8/8/8/4K3 b 25 b pp 5 25 16", CountFirst, 32),
        ("4k3/8/8/8/8/8/8/4K3 w 25 b pp 0 1 16", CountNumber, 30),
        ("4k3/8/8/8/8/8/8/4K3 b 25 b pp 40000 1 16", CountNumber, 30),
        ("8/3k4/8/8/8/5K2/8/2R4R w - 18 7 6", CountLimit, 27),
        ("8/3k3r/8/8/8/5K2/8/2R4R w - 16 7 6", CountLimit, 28),
        ("8/3k4/8/8/8/5K2/8/2R4R w - 16 6 6", CountPly, 30),
    ] {
        match fen.parse::<Setup>() {
            Err(FenError::Syntax { field: at, offset: byte, .. }) => {
                assert_eq!((at, byte), (field, offset), "{fen}");
            }
            other => panic!("{fen}: {other:?}"),
        }
    }
}

#[test]
fn fields_may_be_missing() {
    let pieces = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR";
    for rest in ["", " w", " w -", " w - -", " w - - 0", " w - - 0 1"] {
        assert_eq!(position(&format!("{pieces}{rest}")).to_string(), format!("{pieces} w - - 0 1"));
    }
}

#[test]
fn a_fen_error_names_the_field_and_the_byte() {
    use FenField::*;
    for (fen, field, offset) in [
        ("", Placement, 0),
        ("rnsmksnr/8/ppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", Placement, 18),
        ("rnsmksnr/8/pppppppp/8/8/PPPPPPPPP/8/RNSKMSNR w - - 0 1", Placement, 32),
        ("rnsxksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", Placement, 3),
        ("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/~8/RNSKMSNR w - - 0 1", Placement, 33),
        ("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8 w - - 0 1", Placement, 34),
        ("8/8/8/8/8/8/8/KkS5 x - - 0 1", SideToMove, 19),
        ("8/8/8/8/8/8/8/KkS5 w KQkq - 0 1", Castling, 21),
        ("8/8/8/8/8/8/8/KkS5 w - 15 0 1", CountLimit, 23),
        ("8/8/8/8/8/8/8/KkS5 w - 16 x 1", CountPly, 26),
        ("8/8/8/8/8/8/8/KkS5 w - - 99999 1", HalfmoveClock, 25),
        ("8/8/8/8/8/8/8/KkS5 w - - 0 -1", FullmoveNumber, 27),
        ("8/8/8/8/8/8/8/KkS5 w - - 0 1 2", FullmoveNumber, 29),
        ("8/8/8/8/8/8/8/KkT5 w", FullmoveNumber, 20),
        ("8/8/8/8/8/8/8/KkT5 w 1 x pp 1 1 8", CountColor, 23),
        ("8/8/8/8/8/8/8/KkT5 w 1 w xx 1 1 8", CountHonor, 25),
        ("8/8/8/8/8/8/8/KkT5 w 1 w pp 1 1", CountLimit, 31),
        ("8/8/8/8/8/8/8/KkT5 w 1 w pp 1 1 40000", CountLimit, 32),
    ] {
        match fen.parse::<Setup>() {
            Err(FenError::Syntax { field: at, offset: byte, .. }) => {
                assert_eq!((at, byte), (field, offset), "{fen}");
            }
            other => panic!("{fen}: {other:?}"),
        }
    }
    let error = |fen: &str| fen.parse::<Makruk>().unwrap_err();
    assert_eq!(error("8/8/8/8/8/8/8/KSkE4 w"), FenError::MixedDialects { offset: 17 });
    assert_eq!(error("8/8/8/8/8/8/8/K1kM4 w"), FenError::UnknownDialect { offset: 17 });
}

/// PlayOK's letters, in which a met is `Q` and a khon `B`, in each form of the fields.
#[test]
fn letters_of_playok_are_read() {
    for (playok, fairy) in [
        (
            "rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBKQBNR",
            "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR",
        ),
        ("8/8/5k2/7p/6BQ/8/3K4/8", "8/8/5k2/7p/6SM/8/3K4/8"),
        ("8/8/5k2/7p/6BB/8/3K4/8", "8/8/5k2/7p/6SS/8/3K4/8"),
        ("4k3/8/2Q~5/8/8/8/8/2RK4", "4k3/8/2M~5/8/8/8/8/2RK4"),
    ] {
        for rest in ["", " w", " w - - 0 1", " b 0 1"] {
            let [read, expected] = [playok, fairy].map(|pieces| {
                Makruk::from_fen(&format!("{pieces}{rest}"), Rules::Makruk, None)
                    .map(|p| p.to_string())
            });
            assert_eq!(read, expected, "{playok}{rest}");
            assert!(expected.is_ok(), "{expected:?}");
        }
    }
    // Without a letter that makruk-js does not have, `B` is its bia.
    let js: Makruk = "8/3k4/8/2b5/2B5/8/3K4/8 w 1".parse().unwrap();
    assert_eq!(js.to_string(), "8/3k4/8/2p5/2P5/8/3K4/8 w - - 0 1");
    for (fen, offset) in [("8/8/8/8/8/8/8/KBkS4 w", 17), ("8/8/8/8/8/8/8/KQkE4 w", 17)] {
        assert_eq!(Dialect::detect(fen), Err(FenError::MixedDialects { offset }), "{fen}");
    }
}

#[test]
fn a_position_error_names_the_reason() {
    for (fen, expected) in [
        ("8/8/8/8/8/8/8/K1S5 w", SetupError::Kings { color: Color::Black, found: 0 }),
        ("8/8/8/8/8/8/8/K1S2k1k w", SetupError::Kings { color: Color::Black, found: 2 }),
        ("8/8/P7/8/8/8/8/K4k2 w", SetupError::UnpromotedBia(Square::A6)),
        ("8/8/8/8/8/p7/8/K4k2 w", SetupError::UnpromotedBia(Square::A3)),
        ("8/8/8/8/8/8/8/KN~3k2 w", SetupError::NotPromoted(Square::B1)),
        ("8/8/8/8/8/8/8/K1R2k2 w", SetupError::OppositeCheck(Color::Black)),
        ("8/8/8/8/8/8/8/KkS5 w", SetupError::OppositeCheck(Color::Black)),
    ] {
        let fen = format!("{fen} - - 0 1");
        assert_eq!(fen.parse::<Makruk>(), Err(FenError::Position(expected)), "{fen}");
    }
}

#[test]
fn sloppy_san_is_read() {
    let position = position("8/3k4/8/3rP3/2S5/3M4/3M~4/K3R3 w - - 0 1");
    for (style, sloppy, strict) in [
        (SanStyle::Fairy, "e6", "e6=M+"),
        (SanStyle::Fairy, "Pe5-e6=M!?", "e6=M+"),
        (SanStyle::Fairy, "Sc4xd5", "Sxd5"),
        (SanStyle::Fairy, "Sd5", "Sxd5"),
        (SanStyle::MakrukJs, "Be6=F", "e6=M+"),
        (SanStyle::PlayOk, "Pc3", "Mc3"),
        (SanStyle::Thai, "คxง๕", "Sxd5"),
        (SanStyle::Thai, "ม็ง๓-จ๔", "Me4"),
    ] {
        let mv = position.parse_san_in(sloppy, style).unwrap_or_else(|e| panic!("{sloppy}: {e}"));
        assert_eq!(position.san(mv).as_str(), strict, "{sloppy}");
    }
    for (style, san, error) in [
        (SanStyle::Fairy, "", SanError::Syntax { offset: 0 }),
        (SanStyle::Fairy, "S", SanError::Syntax { offset: 0 }),
        (SanStyle::Fairy, "Td5", SanError::Syntax { offset: 0 }),
        (SanStyle::Fairy, "e6=R", SanError::Syntax { offset: 3 }),
        (SanStyle::Fairy, "e6=", SanError::Syntax { offset: 3 }),
        (SanStyle::Fairy, "e6R", SanError::Syntax { offset: 2 }),
        (SanStyle::Fairy, "e6m", SanError::Syntax { offset: 2 }),
        (SanStyle::Fairy, "d5=M", SanError::Illegal),
        (SanStyle::Fairy, "Sc5=M", SanError::Illegal),
        (SanStyle::Fairy, "Sc3", SanError::Illegal),
        (SanStyle::Fairy, "é4", SanError::Syntax { offset: 0 }),
        (SanStyle::Thai, "Sd5", SanError::Syntax { offset: 2 }),
        (SanStyle::Thai, "ค-ค๓", SanError::Illegal),
    ] {
        assert_eq!(position.parse_san_in(san, style), Err(error), "{san}");
    }
    // The khon and the c-file bia, both able to capture on d5.
    let both = self::position("8/7k/8/3r4/2P5/2S5/8/K7 w - - 0 1");
    assert!(both.parse_san_in("คxง๕", SanStyle::Thai).is_ok());
    let both = self::position("8/7k/8/3r4/2PS4/8/8/K7 w - - 0 1");
    assert_eq!(both.parse_san_in("คxง๕", SanStyle::Thai), Err(SanError::Ambiguous));
}

/// The hyphen of a piece tells a khon from the bia of the c-file, a khun from that of the b-file, and a promoted bia from
/// that of the d-file.
#[test]
fn only_a_piece_takes_the_hyphen() {
    let position = position("8/7k/8/2r5/8/1PPPM~3/1KS5/8 w - - 0 1");
    let mut thai = BTreeSet::new();
    for mv in position.legal_moves() {
        let san = position.san_in(mv, SanStyle::Thai);
        assert!(thai.insert(san.to_string()), "{san} is written twice");
        assert_eq!(position.parse_san_in(&san, SanStyle::Thai), Ok(mv), "{san}");
    }
    let position = self::position("8/7k/8/8/3M~4/1PPP4/1KS5/8 w - - 0 1");
    let of = |san| position.parse_san_in(san, SanStyle::Thai).map(|mv| mv.to_string());
    assert_eq!((of("ค๔"), of("ข๔")), (Ok("c3c4".to_owned()), Ok("b3b4".to_owned())));
    // The khon cannot go there, so the hyphen is only superfluous.
    assert_eq!(of("ค-ค๔"), Ok("c3c4".to_owned()));
}

/// Of a khon and a bia that capture on a square, the one has its square in Thai, and the other its letter.
#[test]
fn captures_in_thai_have_one_meaning() {
    let in_thai = |fen: &str| {
        let position = position(fen);
        let moves = position.legal_moves();
        let mut texts: Vec<String> = moves
            .iter()
            .map(|mv| (position.san_in(*mv, SanStyle::Thai), *mv))
            .inspect(|(san, mv)| {
                assert_eq!(position.parse_san_in(san, SanStyle::Thai), Ok(*mv), "{san}");
            })
            .filter(|(san, _)| san.contains('x'))
            .map(|(san, _)| san.to_string())
            .collect();
        texts.sort();
        texts
    };
    assert_eq!(in_thai("8/7k/8/8/3p4/2P1S3/8/2K5 w - - 0 1"), ["คจ๓xง๔", "บคxง๔"]);
    // The khun on a file of its own letter; a khon that is told from another one by its rank, which is that of the bia.
    assert_eq!(in_thai("8/7k/8/8/2p5/1PK5/8/8 w - - 0 1"), ["ขค๓xค๔", "บขxค๔"]);
    assert_eq!(in_thai("8/7k/8/4S3/3p4/2P1S3/8/2K5 w - - 0 1"), ["คจ๓xง๔", "ค๕xง๔", "บคxง๔"]);
    // One of them alone needs nothing more.
    assert_eq!(in_thai("8/7k/8/8/3p4/2P5/8/2K5 w - - 0 1"), ["คxง๔"]);
    assert_eq!(in_thai("8/7k/8/8/3p4/4S3/8/2K5 w - - 0 1"), ["คxง๔"]);
    // A capture that promotes is the bia's.
    assert_eq!(in_thai("8/7k/3p4/2P1S3/8/8/8/2K5 w - - 0 1"), ["คxง๖", "คxง๖=M"]);
}

/// In the positions of whole games of Makruk, Makpong and ASEAN chess, each legal move reads back in each style.
#[test]
fn every_move_of_games_reads_back() {
    let mut moves = 0;
    let games = rows(&shipped("games.jsonl")).into_iter().chain(rows(&shipped("kin_games.jsonl")));
    for (number, row) in games.enumerate() {
        let rules = match row.get("variant").and_then(|variant| variant.as_str()) {
            Some("makpong") => Rules::Makpong,
            Some("asean") => Rules::Asean,
            _ => Rules::Makruk,
        };
        let mut position = match row.get("start").and_then(|fen| fen.as_str()) {
            Some(fen) => Makruk::from_fen(fen, rules, None).expect("a position"),
            None => Makruk::start(rules),
        };
        for (ply, uci) in text(&row, "moves").split_whitespace().enumerate() {
            if (ply + number) % 5 == 0 {
                for mv in position.legal_moves() {
                    for style in SanStyle::ALL {
                        let san = position.san_in(mv, style);
                        assert_eq!(
                            position.parse_san_in(&san, style),
                            Ok(mv),
                            "{san} in {position}"
                        );
                    }
                    moves += 1;
                }
            }
            let mv = position.parse_uci(uci).expect("a legal move");
            position.play_unchecked(mv);
        }
    }
    assert!(moves > 40_000, "{moves}");
}

/// Programs name the met that a bia becomes in several ways.
#[test]
fn promotions_of_all_programs_are_read() {
    for (rules, style) in [Rules::Makruk, Rules::Makpong]
        .into_iter()
        .flat_map(|rules| SanStyle::ALL.map(|s| (rules, s)))
    {
        let position = Makruk::from_fen("4k3/8/8/P7/7p/8/8/4K3 w - - 0 1", rules, None).unwrap();
        let mv = position.parse_uci("a5a6m").unwrap();
        let target = if style == SanStyle::Thai { "ก๖" } else { "a6" };
        for promotion in ["", "=M", "=F", "=P", "=Q", "=E", "M", "F", "P", "Q", "E", "=M+", "M!"] {
            let san = format!("{target}{promotion}");
            assert_eq!(position.parse_san_in(&san, style), Ok(mv), "{rules} {style:?} {san}");
        }
    }
    let asean = Makruk::from_fen("8/P7/4k3/8/8/8/8/4K3 w - - 0 1", Rules::Asean, None).unwrap();
    for (san, uci) in [("a8=Q", "a7a8q"), ("a8Q", "a7a8q"), ("a8=B", "a7a8b"), ("a8R", "a7a8r")] {
        let mv = asean.parse_uci(uci).unwrap();
        assert_eq!(asean.parse_san(san), Ok(mv), "{san}");
    }
    assert_eq!(asean.parse_san("a8"), Err(SanError::MissingPromotion));
    assert_eq!(asean.parse_san("a8=P"), Err(SanError::Syntax { offset: 3 }));
}

/// Of all 65,536 bit patterns, exactly those in the list of legal moves are legal.
#[test]
fn a_move_is_legal_exactly_if_it_is_listed() {
    for (rules, fen) in [
        (Rules::Makruk, "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"),
        (Rules::Makruk, "8/3k4/2p2r2/3PP3/2pp4/3PP3/8/2K5 w - - 0 1"),
        (Rules::Makruk, "8/3k4/2p2r2/3PP3/2pp4/3PP3/8/2K5 b - - 0 1"),
        (Rules::Makpong, "7k/8/7r/4m3/3K4/8/8/8 w - - 0 1"),
        (Rules::Makpong, "3r3k/8/8/4m3/3K4/8/8/8 w - - 0 1"),
        (Rules::Asean, "1r1b4/P1P3k1/8/8/8/8/2p4p/3NKR2 w - - 0 1"),
        (Rules::Asean, "1r1b4/P1P3k1/8/8/8/8/2p4p/3NKR2 b - - 0 1"),
    ] {
        let setup = Setup::parse(fen, rules, Dialect::Fairy).unwrap();
        let position = Makruk::from_setup(setup).unwrap();
        let mut listed = position.legal_moves().into_iter().collect::<Vec<_>>();
        listed.sort();
        let legal: Vec<_> = (0..=u16::MAX)
            .filter_map(Move::from_bits)
            .filter(|mv| position.is_legal(*mv))
            .collect();
        let mut sorted = legal.clone();
        sorted.sort();
        assert_eq!(sorted, listed, "{rules} {fen}");
        assert_eq!(listed.len(), position.count_moves(), "{fen}");
        for mv in listed {
            assert_eq!(position.parse_uci(&position.uci(mv).to_string()), Ok(mv), "{mv}");
            assert_eq!(position.parse_san_in(&position.san(mv), SanStyle::Fairy), Ok(mv), "{mv}");
        }
    }
}

/// The promotions of ASEAN chess as Fairy-Stockfish 11.1 lists them; what they put on the board.
#[test]
fn asean_promotions_are_those_on_the_board() {
    let fen = "8/3P4/8/1k6/8/3K4/8/B7 w - - 6 1";
    let position =
        Makruk::from_setup(Setup::parse(fen, Rules::Asean, Dialect::Fairy).unwrap()).unwrap();
    let mut promotions: Vec<_> = position
        .legal_moves()
        .into_iter()
        .filter(|mv| mv.promotion().is_some())
        .map(|mv| position.uci(mv).to_string())
        .collect();
    promotions.sort();
    assert_eq!(promotions, ["d7d8b", "d7d8n", "d7d8q", "d7d8r"]);
    for (uci, role, fen) in [
        ("d7d8q", Role::Met, "3Q4/8/8/1k6/8/3K4/8/B7 b - 88 0 1"),
        ("d7d8b", Role::Khon, "3B4/8/8/1k6/8/3K4/8/B7 b - 88 0 1"),
    ] {
        let mv = position.parse_uci(uci).unwrap();
        assert_eq!(mv.promotion(), Some(role));
        assert_eq!(position.play(mv).unwrap().to_string(), fen);
    }
    assert_eq!(position.parse_uci("d7d8m"), position.parse_uci("d7d8q"));
    assert_eq!(position.parse_uci("d7d8s"), position.parse_uci("d7d8b"));
    assert!(position.parse_uci("d7d8").is_err());
}
