//! SAN, UCI and FEN of the 0x88 board, compared with other programs' and read back.

use super::{config, objects, rows};
use halfmove_mailbox::{Chess, CountingPolicy, Dialect, Game, Makruk, Rules, State};
use halfmove_rules::{CastlingStyle, Move, SanError, Square};
use proptest::prelude::*;

/// Positions of chess with all legal moves as UCI and SAN, by python-chess.
#[test]
fn every_move_of_chess_as_san_and_uci() {
    for (table, style) in [
        ("movegen/real.tsv", CastlingStyle::KingToTarget),
        ("movegen/tricky.tsv", CastlingStyle::KingToTarget),
        ("movegen/chess960.tsv", CastlingStyle::KingTakesRook),
    ] {
        for row in rows(table) {
            let state = Chess::from_fen(&row[0]).expect("a FEN");
            let mut ours = Vec::new();
            for mv in state.legal_moves() {
                let (uci, san) = (state.uci(mv, style), state.san(mv));
                assert_eq!(state.parse_uci(&uci, style), Ok(mv), "{uci} in {}", row[0]);
                assert_eq!(state.parse_san(&san), Ok(mv), "{san} in {}", row[0]);
                ours.push(format!("{uci}={san}"));
            }
            ours.sort();
            let theirs: Vec<&str> = row[1].split(' ').filter(|text| !text.is_empty()).collect();
            assert_eq!(ours, theirs, "{}", row[0]);
        }
    }
}

/// The source's example, whose kings both stand on the e-file, in its letters and in Fairy-Stockfish's.
#[test]
fn the_fen_of_the_source() {
    let source = "rmtektmr/8/bbbbbbbb/8/8/BBBBBBBB/8/RMTEKTMR w 1";
    assert_eq!(Dialect::of_fen(source), Dialect::MakrukJs);
    for rules in Rules::ALL {
        let read = |text: &str| {
            Makruk::from_fen(text, rules, Dialect::of_fen(text), CountingPolicy::Thai)
                .unwrap_or_else(|e| panic!("{text}: {e}"))
        };
        let state = read(source);
        let fairy = match rules {
            Rules::Asean => "rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w - - 0 1",
            _ => "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSMKSNR w - - 0 1",
        };
        assert_eq!(state.to_fen(Dialect::MakrukJs), source);
        assert_eq!(state.to_fen(Dialect::Fairy), fairy);
        assert_eq!(read(fairy).to_fen(Dialect::MakrukJs), source);
    }
    let asean = Makruk::start(Rules::Asean, CountingPolicy::Thai);
    assert_eq!(asean.to_fen(Dialect::MakrukJs), source);
    let makruk = Makruk::default().to_fen(Dialect::MakrukJs);
    assert_eq!(makruk, "rmtektmr/8/bbbbbbbb/8/8/BBBBBBBB/8/RMTKETMR w 1");
}

/// SAN in the source's letters.
#[test]
fn san_in_the_letters_of_the_source() {
    let read = |fen, rules| {
        Makruk::from_fen(fen, rules, Dialect::MakrukJs, CountingPolicy::Thai).expect("a FEN")
    };
    let game = read("4k3/8/4f3/1T1E4/8/2F1m3/1B5R/R3K1M1 w 1", Rules::Makruk);
    for (san, from, to) in [
        ("Tc6", Square::B5, Square::C6),
        ("Exe6", Square::D5, Square::E6),
        ("Fd4", Square::C3, Square::D4),
        ("Ra2", Square::A1, Square::A2),
        ("Mf3", Square::G1, Square::F3),
        ("b3", Square::B2, Square::B3),
        ("Kf2", Square::E1, Square::F2),
        ("Rh8+", Square::H2, Square::H8),
    ] {
        let mv = Move::normal(from, to);
        assert_eq!(game.san_in(mv, Dialect::MakrukJs), san);
        assert_eq!(game.parse_san_in(san, Dialect::MakrukJs), Ok(mv), "{san}");
    }
    // Letters of the other dialect, a missing file, a piece that cannot go there, and texts that are not moves.
    for san in ["Sc6", "Nf3", "xa3", "Ta5", "Bb3", "K", "", "Rd4é", "Rxi9", "B2"] {
        assert_eq!(game.parse_san_in(san, Dialect::MakrukJs), Err(SanError::Illegal), "{san}");
    }
    for (rules, fen, san) in [
        (Rules::Makruk, "4k3/8/8/3B4/8/8/8/4K3 w 1", "d6=F"),
        (Rules::Makpong, "4k3/8/8/3B4/8/8/8/4K3 w 1", "d6=F"),
        (Rules::Asean, "8/3B4/k7/8/8/8/8/4K3 w 1", "d8=E"),
        (Rules::Asean, "8/3B4/k7/8/8/8/8/4K3 w 1", "d8=T"),
        (Rules::Asean, "8/3B4/k7/8/8/8/8/4K3 w 1", "d8=M"),
        (Rules::Asean, "8/3B4/k7/8/8/8/8/4K3 w 1", "d8=R"),
        (Rules::Asean, "2r5/3B4/k7/8/8/8/8/4K3 w 1", "dxc8=M"),
    ] {
        let game = read(fen, rules);
        let mv = game.parse_san_in(san, Dialect::MakrukJs).unwrap_or_else(|e| panic!("{san}: {e}"));
        assert_eq!(game.san_in(mv, Dialect::MakrukJs), san);
    }
    let choice = read("8/3B4/k7/8/8/8/8/4K3 w 1", Rules::Asean);
    let missing = choice.parse_san_in("d8", Dialect::MakrukJs);
    assert_eq!(missing, Err(SanError::MissingPromotion));
    let sole = read("4k3/8/8/3B4/8/8/8/4K3 w 1", Rules::Makruk);
    assert_eq!(sole.parse_san_in("d6", Dialect::MakrukJs), sole.parse_san("d6=M"));
}

/// Every legal move is read back from its text, in both dialects and both notations of castling.
fn read_back<G: Game>(state: &State<G>) {
    for mv in state.legal_moves() {
        for dialect in [Dialect::Fairy, Dialect::MakrukJs] {
            let san = state.san_in(mv, dialect);
            assert_eq!(state.parse_san_in(&san, dialect), Ok(mv), "{san}\n{state}");
        }
        let uci = state.uci(mv, CastlingStyle::KingTakesRook);
        assert_eq!(state.parse_uci(&uci, CastlingStyle::KingTakesRook), Ok(mv), "{uci}\n{state}");
    }
}

fn play_on<G: Game>(mut state: State<G>, picks: &[u16]) {
    for pick in picks {
        read_back(&state);
        let moves = state.legal_moves();
        let Some(mv) = moves.get(usize::from(*pick) % moves.len().max(1)) else { return };
        state = state.play(*mv).expect("a legal move");
    }
}

/// Games of every variant with moves of another program are read, written, and end as recorded.
#[test]
fn whole_games_in_both_dialects() {
    let mut plies = 0;
    for game in objects("makruk/kin_games.jsonl") {
        let text = |key: &str| game[key].as_str().expect("a text").to_owned();
        let rules = match &*text("variant") {
            "makruk" => Rules::Makruk,
            "makpong" => Rules::Makpong,
            _ => Rules::Asean,
        };
        let start = Makruk::from_fen(&text("start"), rules, Dialect::Fairy, CountingPolicy::Auto);
        let mut state = start.expect("a FEN");
        for uci in text("moves").split_whitespace() {
            let mv = state.parse_uci(uci, CastlingStyle::KingToTarget).expect("a legal move");
            assert_eq!(state.uci(mv, CastlingStyle::KingToTarget), uci);
            for dialect in [Dialect::Fairy, Dialect::MakrukJs] {
                let san = state.san_in(mv, dialect);
                assert_eq!(state.parse_san_in(&san, dialect), Ok(mv), "{san}");
            }
            state = state.play_unchecked(mv);
            plies += 1;
        }
        assert_eq!(state.to_fen(Dialect::Fairy).replace('~', ""), text("final_fen"));
    }
    assert!(plies > 3_000, "{plies}");
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn random_games_are_read_back(
        rules in prop::option::of(0..Rules::ALL.len()), picks in prop::collection::vec(any::<u16>(), 1..50),
    ) {
        match rules {
            Some(rules) => play_on(Makruk::start(Rules::ALL[rules], CountingPolicy::Auto), &picks),
            None => play_on(Chess::default(), &picks),
        }
    }
}

proptest! {
    #![proptest_config(config(2_000))]

    /// The reader panics on no text.
    #[test]
    fn any_text(text in "[KQRBNSMTEFPa-hx1-9=+#O0é-]{0,9}") {
        for dialect in [Dialect::Fairy, Dialect::MakrukJs] {
            if let Ok(mv) = Makruk::default().parse_san_in(&text, dialect) {
                prop_assert!(Makruk::default().is_legal(mv));
            }
        }
        let _ = (Chess::default().parse_san(&text), Chess::default().parse_uci(&text, CastlingStyle::KingToTarget));
    }
}
