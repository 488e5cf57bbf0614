//! The count, ply for ply.

use super::{position, rows, shipped, text};
use halfmove_rules::makruk::{
    Counting, CountingError, CountingPolicy, Dialect, Honor, Rules, Setup, SetupError,
};
use halfmove_rules::{Color, History, Makruk, Outcome, Role, Square};
use serde_json::Value;

/// The file's name for the end of a game.
fn reason(position: &Makruk) -> &'static str {
    match position.outcome() {
        None => "ongoing",
        Some(Outcome::Checkmate { .. }) => "checkmate",
        Some(Outcome::Stalemate) => "stalemate",
        Some(Outcome::InsufficientMaterial) => "insufficient",
        Some(outcome) => {
            assert_eq!(outcome, Outcome::CountingDraw, "{position}");
            "counting"
        }
    }
}

/// The limit and the progress of the count, both in plies; zero if there is none.
fn in_plies(counting: Option<Counting>) -> (u16, u16) {
    counting.map_or((0, 0), |count| (2 * count.limit(), count.ply()))
}

/// The limit, in plies, of a board's honor that no side has claimed: 128 once no bia is left.
fn unclaimed_limit(position: &Makruk) -> u16 {
    if position.board().by_role(Role::Pawn).is_empty() { 128 } else { 0 }
}

fn check_row(row: &Value) {
    let id = &row["id"];
    let claimed_at = row["count_started"].as_i64().unwrap();
    let automatic = claimed_at == 0;
    let policy = if automatic { CountingPolicy::Auto } else { CountingPolicy::Thai };
    let mut position = position(text(row, "start")).with_policy(policy);
    // One more than the plies played since the start, as the file counts.
    let first_ply = 2 * i64::from(position.fullmove_number() - 1)
        + i64::from(position.side_to_move() == Color::Black)
        + 1;
    let track = row["track"].as_array().unwrap();
    let mut entries = track.iter().map(|entry| {
        let number = |i: usize| entry[i].as_u64().unwrap();
        (number(0), (number(1) as u16, number(2) as u16))
    });
    let mut next = entries.next();
    let mut plies = 0;
    loop {
        // If it is not claimed, the file gives the limit that it would have, and ply 0.
        let unclaimed = !automatic && position.counting().is_none();
        if let Some((at, expected)) = next
            && at == plies
        {
            let (limit, ply) = in_plies(position.counting());
            let limit = if unclaimed { unclaimed_limit(&position) } else { limit };
            assert_eq!((limit, ply), expected, "row {id} ply {plies}: {position}");
            next = entries.next();
        }
        let Some(mv) = text(row, "moves").split_whitespace().nth(plies as usize) else { break };
        assert_eq!(position.outcome(), None, "row {id} ply {plies}: {position}");
        if first_ply + plies as i64 == claimed_at {
            position.claim_count().unwrap();
        }
        let mv = position.parse_uci(mv).unwrap_or_else(|e| panic!("row {id} {mv}: {e}"));
        position.play_unchecked(mv);
        plies += 1;
    }
    assert_eq!(next, None, "row {id}: the whole track");
    assert_eq!(plies, row["end_ply"].as_u64().unwrap(), "row {id}");
    assert_eq!(reason(&position), text(row, "reason"), "row {id}: {position}");
    if automatic {
        assert_eq!(position.to_string(), text(row, "final_fen"), "row {id}");
    }
}

#[test]
fn counts_of_other_programs() {
    let rows = rows(&shipped("counting.jsonl"));
    rows.iter().for_each(check_row);
    assert_eq!(rows.len(), 70);
}

/// The table of limits in the Thai rules, by the chaser's pieces.
#[test]
fn the_first_row_that_fits_is_the_limit() {
    for (chasers, limit) in [
        ("RR", 8),
        ("RRR", 8),
        ("RSS", 16),
        ("R", 16),
        ("SS", 22),
        ("SSNN", 22),
        ("NN", 32),
        ("SNN", 32),
        ("NNN", 32),
        ("S", 44),
        ("SN", 44),
        ("SM", 44),
        ("N", 64),
        ("M", 64),
        ("M~M", 64),
    ] {
        let empty = 8 - chasers.replace('~', "").len();
        // White's king takes Black's last piece, which may be a bia.
        for last in ["n", "p"] {
            let fen = format!("7k/8/8/8/6{last}K/8/{chasers}{empty}/8 w - - 0 1");
            let position = position(&fen);
            let after = position.play(position.parse_uci("h4g4").unwrap()).unwrap();
            let pieces = after.board().occupied().len() as u16;
            let count = after.counting().unwrap();
            assert_eq!((count.limit(), count.next_number()), (limit, pieces + 1), "{fen}");
            assert_eq!((count.honor(), count.color()), (Honor::Pieces, Color::Black), "{fen}");
        }
        // The bare king takes White's last bia.
        let fen = format!("8/8/8/6Pk/8/8/{chasers}{empty}/7K b - - 0 1");
        let position = position(&fen);
        let after = position.play(position.parse_uci("h5g5").unwrap()).unwrap();
        let count = after.counting().unwrap();
        let pieces = after.board().occupied().len() as u16;
        assert_eq!(
            (count.limit(), count.number(), count.color()),
            (limit, pieces, Color::Black),
            "{fen}"
        );
    }
}

/// A `History` counts as its positions do, and undoing a move undoes its number.
#[test]
fn a_game_under_way_is_counted() {
    let start = position("8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 41").with_policy(CountingPolicy::Thai);
    let mut history = History::new(start);
    assert_eq!(history.stop_count(), Err(CountingError::NotCounting));
    history.claim_count().unwrap();
    history.play(history.position().parse_uci("a6b6").unwrap()).unwrap();
    assert_eq!(history.position().counting().map(|count| count.number()), Some(1));
    assert_eq!(history.claim_count(), Err(CountingError::Counting(Color::White)));
    history.undo();
    assert_eq!(history.position().counting().map(|count| count.number()), Some(0));
    history.stop_count().unwrap();
    assert_eq!(history.position().counting(), None);
}

#[test]
fn board_honor_is_claimed_stopped_and_claimed_again() {
    let start = position("8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 41").with_policy(CountingPolicy::Thai);
    let play = |position: &mut Makruk, moves: &str| {
        for mv in moves.split_whitespace() {
            *position = position.play(position.parse_uci(mv).unwrap()).unwrap();
        }
    };
    let mut position = start.clone();
    play(&mut position, "a6b6 g3h3");
    assert_eq!(position.counting(), None, "not claimed yet");
    position.claim_count().unwrap();
    assert_eq!(position.claim_count(), Err(CountingError::Counting(Color::White)));
    play(&mut position, "b6a6");
    assert_eq!(position.claim_count(), Err(CountingError::Counting(Color::White)));
    play(&mut position, "h3g3 a6b6");
    assert_eq!(position.counting().map(|count| count.number()), Some(2));
    position.stop_count().unwrap();
    assert_eq!(position.stop_count(), Err(CountingError::NotCounting));
    play(&mut position, "g3h3");
    position.claim_count().unwrap();
    play(&mut position, "b6a6");
    assert_eq!(position.counting().map(|count| count.number()), Some(1));
    // The rook takes the knight: the king is bare, and pieces' honor takes over.
    play(&mut position, "e3c3");
    let count = position.counting().unwrap();
    assert_eq!((count.honor(), count.limit(), count.next_number()), (Honor::Pieces, 16, 6));
    assert_eq!(position.stop_count(), Err(CountingError::PiecesHonor));

    let mut automatic = start.with_policy(CountingPolicy::Auto);
    assert_eq!(automatic.claim_count(), Err(CountingError::Automatic));
    let mut with_bia = Makruk::default().with_policy(CountingPolicy::Thai);
    assert_eq!(with_bia.claim_count(), Err(CountingError::BiaLeft(Square::A3)));
}

/// Under Thai rules, mate by a side that is counting board's honor is a draw; engines do not implement that.
#[test]
fn a_mate_by_the_side_that_counts() {
    let before = position("k7/8/1K6/8/8/8/7m/6R1 w - 128 30 90");
    for (policy, outcome) in [
        (CountingPolicy::Thai, Outcome::CountingDraw),
        (CountingPolicy::Auto, Outcome::Checkmate { winner: Color::White }),
    ] {
        let mut mate = before.clone().with_policy(policy);
        mate.play_unchecked(mate.parse_uci("g1g8").unwrap());
        assert_eq!(mate.outcome(), Some(outcome));
    }
}

/// makruk-js: board's honor from the number of pieces, pieces' honor from one, drawn at the limit.
#[test]
fn counts_as_makruk_js_has_them() {
    let mut position =
        position("8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 41").with_policy(CountingPolicy::MakrukJs);
    position.claim_count().unwrap();
    position.play_unchecked(position.parse_uci("a6b6").unwrap());
    assert_eq!(position.counting().map(|count| (count.number(), count.limit())), Some((6, 64)));
    position.play_unchecked(position.parse_uci("e3c3").unwrap());
    position.play_unchecked(position.parse_uci("b6a6").unwrap());
    let count = position.counting().unwrap();
    assert_eq!((count.honor(), count.number(), count.limit()), (Honor::Pieces, 1, 16));
    for (i, mv) in ["c3c4", "a6b6", "c4c3", "b6a6"].into_iter().cycle().take(30).enumerate() {
        assert_eq!(position.outcome(), None, "{i}");
        position.play_unchecked(position.parse_uci(mv).unwrap());
    }
    assert_eq!(position.counting().map(|count| count.number()), Some(16));
    assert_eq!(position.outcome(), None);
    position.play_unchecked(position.parse_uci("c4c5").unwrap());
    assert_eq!(position.outcome(), Some(Outcome::CountingDraw));
}

/// Counts that makruk-js starts, continues, changes and ends, move by move.
#[test]
fn games_of_makruk_js() {
    let mut over = 0;
    for row in rows(&shipped("makruk_js.jsonl")) {
        let start = position(text(&row, "start"));
        let mut position = start.with_policy(CountingPolicy::MakrukJs);
        for entry in row["moves"].as_array().unwrap() {
            let [mv, claim, count, is_over] = [0, 1, 2, 3].map(|i| entry[i].as_str().unwrap());
            match claim {
                "start" => position.claim_count().unwrap(),
                "stop" => position.stop_count().unwrap(),
                _ => {}
            }
            position.play_unchecked(position.parse_uci(mv).unwrap());
            let fen = position.to_setup().fen(Dialect::MakrukJs).to_string();
            let ours = fen.splitn(4, ' ').nth(3).unwrap_or("-");
            assert_eq!(ours, count, "game {} after {mv}", row["id"]);
            let is_over = is_over == "over";
            over += usize::from(is_over);
            // Insufficient material is a draw in any case; without moves it is mate or stalemate.
            match position.outcome() {
                Some(Outcome::CountingDraw) => assert!(is_over, "game {}: {fen}", row["id"]),
                None => assert!(!is_over, "game {}: {fen}", row["id"]),
                Some(_) => {}
            }
        }
        let fen = position.to_setup().fen(Dialect::MakrukJs).to_string();
        assert_eq!(fen, text(&row, "final_fen"));
    }
    assert!(over > 10, "{over} positions are drawn by a count");
}

/// Fairy-Stockfish reads and writes a limit of 0 as no count.
#[test]
fn a_limit_of_zero_means_no_count() {
    let position = position("8/3k4/8/8/8/5K2/8/2R4R w - 0 6 6");
    assert_eq!((position.counting(), position.outcome()), (None, None));
    assert_eq!(position.halfmove_clock(), 6);
    assert_eq!(position.to_string(), "8/3k4/8/8/8/5K2/8/2R4R w - - 6 6");
    let next = position.play(position.parse_uci("f3f4").unwrap()).unwrap();
    assert_eq!(next.to_string(), "8/3k4/8/8/5K2/8/8/2R4R b - 16 8 6");
    let js: Setup = "8/3k4/8/8/8/5K2/8/2R4R w 6 b pp 4 1 0".parse().unwrap();
    assert_eq!(js.counting, None);
}

fn asean(fen: &str) -> Result<Makruk, SetupError> {
    Makruk::from_setup(Setup::parse(fen, Rules::Asean, Dialect::Fairy).unwrap())
}

#[test]
fn a_count_that_contradicts_the_board() {
    let from = |fen: &str| Makruk::from_setup(fen.parse().unwrap());
    let bia = "8/3k4/8/3p4/8/5K2/8/2R4R w - 128 6 6";
    assert_eq!(from(bia), Err(SetupError::CountBesideBia(Square::D5)));
    let bare = "8/3k4/8/8/3P4/5K2/8/2R4R w - 16 7 6";
    assert_eq!(from(bare), Err(SetupError::CountBesideBia(Square::D4)));
    let mut setup: Setup = "8/3k4/8/8/8/5K2/8/2R4R w - 16 7 6".parse().unwrap();
    assert!(Makruk::from_setup(setup.clone()).is_ok());
    setup.counting = Counting::new(Honor::Pieces, Color::White, 16, 8);
    let expected = Err(SetupError::CountWithPieces(Color::White));
    assert_eq!(Makruk::from_setup(setup.clone()), expected);
    setup.counting = Counting::new(Honor::Pieces, Color::Black, 16, 8);
    let expected = Err(SetupError::CountPly { color: Color::Black, ply: 8 });
    assert_eq!(Makruk::from_setup(setup), expected);
    // Under one reading of its laws, ASEAN chess counts even if the chaser has bias.
    assert!(asean("8/3k4/8/8/3P4/5K2/8/2R4R w - 32 7 6").is_ok());
    let pieces = "8/3k3r/8/8/3P4/5K2/8/2R4R w - 128 7 6";
    assert_eq!(asean(pieces), Err(SetupError::CountBesideBia(Square::D4)));
}

/// As Fairy-Stockfish 11.1 and pyffish 0.0.90 write it: the king captures the last bia, and its count begins
/// when it is next to move.
#[test]
fn asean_counts_from_the_bare_king_s_next_move() {
    for policy in [CountingPolicy::Auto, CountingPolicy::Thai, CountingPolicy::Fairy11] {
        let mut position = asean("8/8/8/8/8/1kP5/8/2K4R b - - 0 49").unwrap().with_policy(policy);
        for (mv, fen) in [
            ("b3c3", "8/8/8/8/8/2k5/8/2K4R w - - 0 50"),
            ("h1h2", "8/8/8/8/8/2k5/7R/2K5 b - 32 0 50"),
            ("c3d3", "8/8/8/8/8/3k4/7R/2K5 w - 32 1 51"),
        ] {
            position.play_unchecked(position.parse_uci(mv).unwrap());
            // Fairy-Stockfish 11.1 has a count against a rook as soon as Black is bare, too.
            assert_eq!(position.to_string(), fen, "{policy:?}");
        }
    }
}

/// The two readings of article 5.2e. White's king captures Black's last piece: the FEN after that, according to
/// pyffish 0.0.90 and to Fairy-Stockfish 11.1.
#[test]
fn asean_has_two_readings() {
    for (pieces, clarified, letter) in [
        ("R3", "32", "32"),
        ("RQ2", "32", "32"),
        ("B3", "88", "-"),
        ("N3", "128", "-"),
        ("Q3", "-", "-"),
        ("NB2", "88", "-"),
        ("BB2", "88", "-"),
        ("BQ2", "88", "88"),
        ("NQ2", "128", "128"),
        ("RP2", "-", "32"),
        ("BP2", "-", "-"),
        ("BQP1", "-", "88"),
        ("NQP1", "-", "128"),
        ("P3", "-", "-"),
    ] {
        for (policy, limit) in
            [(CountingPolicy::Auto, clarified), (CountingPolicy::Fairy11, letter)]
        {
            let before = asean(&format!("8/3k4/8/8/3q4/3K{pieces}/8/8 w - - 0 1")).unwrap();
            let after = before.with_policy(policy);
            let after = after.play(after.parse_uci("d3d4").unwrap()).unwrap();
            let fen = format!("8/3k4/8/8/3K4/4{pieces}/8/8 b - {limit} 0 1");
            assert_eq!(after.to_string(), fen, "{policy:?}");
            let after = after.play(after.parse_uci("d7d6").unwrap()).unwrap();
            assert_eq!(after.to_string(), format!("8/8/3k4/8/3K4/4{pieces}/8/8 w - {limit} 1 2"));
        }
    }
    // According to Fairy-Stockfish 11.1, a promotion during a count leaves it unchanged.
    let before = asean("8/3P4/8/1k6/8/3K4/8/R7 w - 32 7 1").unwrap();
    let before = before.with_policy(CountingPolicy::Fairy11);
    let after = before.play(before.parse_uci("d7d8r").unwrap()).unwrap();
    assert_eq!(after.to_string(), "3R4/8/8/1k6/8/3K4/8/R7 b - 32 8 1");
}

/// Random games of every variant and policy: our FEN gives the same count when it is read back.
#[test]
fn every_count_reads_back() {
    let mut state = 1_u64;
    let mut random = move |bound: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let mut counted = [0; 2];
    for game in 0..240 {
        let rules = Rules::ALL[game % 3];
        let policies = [CountingPolicy::Auto, CountingPolicy::Thai, CountingPolicy::Fairy11];
        let start = match (game / 9 % 2, rules) {
            (0, _) => Makruk::start(rules),
            (_, Rules::Asean) => asean("8/2rqk3/3p4/8/8/3P4/3KQB2/5N1R w - - 0 1").unwrap(),
            _ => {
                let mut setup: Setup = "8/2rmk3/3n4/8/8/3P4/3KMS2/5N1R w - - 0 1".parse().unwrap();
                setup.rules = rules;
                Makruk::from_setup(setup).unwrap()
            }
        };
        let mut position = start.with_policy(policies[game / 3 % 3]);
        for _ in 0..300 {
            let moves = position.legal_moves();
            if position.outcome().is_some() || moves.is_empty() {
                break;
            }
            if random(8) == 0 && position.claim_count().is_err() {
                let _ = position.stop_count();
            }
            position.play_unchecked(moves[random(moves.len())]);
            let fen = position.to_string();
            let setup = Setup::parse(&fen, rules, Dialect::Fairy).unwrap();
            let again = Makruk::from_setup(setup).unwrap_or_else(|e| panic!("{fen}: {e}"));
            let described = |position: &Makruk| {
                position.counting().map(|count| (count.color(), count.limit(), count.ply()))
            };
            assert_eq!(described(&again), described(&position), "{fen}");
            assert_eq!(again.to_string(), fen);
            counted[usize::from(described(&again).is_some())] += 1;
        }
    }
    assert!(counted[1] > 1000, "{counted:?}");
}

/// Whole games of Makruk, Makpong and ASEAN chess: limit, ply or clock, and move number after each
/// half-move, and the end of the game. ASEAN chess under both readings.
#[test]
fn games_of_the_kin_as_fairy_stockfish_counts_them() {
    let mut ends = std::collections::BTreeMap::new();
    for row in rows(&shipped("kin_games.jsonl")) {
        let rules = Rules::from_name(text(&row, "variant")).unwrap();
        let setup = Setup::parse(text(&row, "start"), rules, Dialect::Fairy).unwrap();
        let start = Makruk::from_setup(setup).unwrap();
        for (column, policy) in
            [("fields", CountingPolicy::Auto), ("fields_11", CountingPolicy::Fairy11)]
        {
            let Some(fields) = row[column].as_array() else { continue };
            let mut game = History::new(start.clone().with_policy(policy));
            let moves: Vec<_> = text(&row, "moves").split(' ').collect();
            assert_eq!(moves.len(), fields.len());
            for (ply, (mv, expected)) in moves.into_iter().zip(fields).enumerate() {
                if policy == CountingPolicy::Auto {
                    assert_eq!(game.outcome(), None, "ply {ply} of {row}");
                }
                game.play(game.position().parse_uci(mv).unwrap()).unwrap();
                let fen = game.position().to_string();
                let shown = fen.splitn(4, ' ').nth(3).unwrap();
                assert_eq!(shown, expected.as_str().unwrap(), "{rules}, ply {ply}: {fen}");
            }
            if policy == CountingPolicy::Auto {
                let reason = match game.outcome() {
                    None => "ongoing",
                    Some(Outcome::Checkmate { .. }) => "checkmate",
                    Some(Outcome::Stalemate) => "stalemate",
                    Some(Outcome::InsufficientMaterial) => "insufficient",
                    Some(Outcome::CountingDraw) => "counting",
                    Some(Outcome::ThreefoldRepetition) => "threefold",
                    Some(Outcome::FiftyMoves) => "fifty",
                    Some(other) => panic!("{other}"),
                };
                assert_eq!(reason, text(&row, "reason"), "{}", game.position());
                // The file does not mark promoted bias.
                let fen = game.position().to_string().replace('~', "");
                assert_eq!(fen, text(&row, "final_fen"));
                *ends.entry((rules.name(), reason)).or_insert(0) += 1;
            }
        }
    }
    for rules in Rules::ALL {
        assert!(ends.contains_key(&(rules.name(), "counting")), "{ends:?}");
        assert!(ends.contains_key(&(rules.name(), "threefold")), "{ends:?}");
    }
}

#[test]
fn a_flipped_count_is_the_other_side_s() {
    let position = position("8/3k4/8/8/8/5K2/2M~5/2R4R w - 16 17 6");
    let (count, flipped) = (position.counting().unwrap(), position.flipped().counting().unwrap());
    assert_eq!((count.color(), flipped.color()), (Color::Black, Color::White));
    assert_eq!((flipped.ply(), flipped.limit()), (count.ply(), count.limit()));
    assert!(Makruk::from_setup(position.flipped().to_setup()).is_ok());
}

/// The bare king's first move captures one of two rooks; for makruk-js there still are two.
#[test]
fn makruk_js_counts_the_piece_just_taken() {
    let start = position("7r/8/8/8/8/2N1r1k1/1K6/8 w - - 0 41");
    let mut position = start.with_policy(CountingPolicy::MakrukJs);
    position.claim_count().unwrap();
    for mv in ["b2b3", "e3c3", "b3c3"] {
        position = position.play(position.parse_uci(mv).unwrap()).unwrap();
    }
    let count = position.counting().unwrap();
    assert_eq!((count.honor(), count.number(), count.limit()), (Honor::Pieces, 1, 8));
}

#[test]
fn a_promotion_does_not_restart_a_count_of_asean_chess() {
    let start = asean("8/P2k4/8/8/8/5K2/8/2R5 w - 32 7 6").unwrap();
    let position = start.with_policy(CountingPolicy::Fairy11);
    let next = position.play(position.parse_uci("a7a8n").unwrap()).unwrap();
    assert_eq!(next.counting().map(|count| (count.ply(), count.limit())), Some((8, 16)));
}
