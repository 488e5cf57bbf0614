//! Makruk on the 0x88 board, compared with Fairy-Stockfish and makruk-js (`testdata/makruk`).

use super::{all_games, objects};
use halfmove_mailbox::{
    CountingError, CountingPolicy, Dialect, Ending, Honor, Kind, Makruk, MakrukError, Piece, Rules,
};
use halfmove_rules::{Color, Move, SanError, Square};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;

/// The objects of a file of JSON lines.
fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn shipped_rows(name: &str) -> Vec<Value> {
    objects(&format!("makruk/{name}.jsonl"))
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

fn position(fen: &str, policy: CountingPolicy) -> Makruk {
    Makruk::from_fen(fen, Rules::Makruk, Dialect::Fairy, policy)
        .unwrap_or_else(|e| panic!("{fen}: {e}"))
}

/// A move in UCI notation, such as `g5g6m`.
fn uci(mv: Move) -> String {
    format!("{mv:?}")
}

fn find(position: &Makruk, text: &str) -> Move {
    let mut moves = position.legal_moves().into_iter();
    let found = moves.find(|mv| uci(*mv) == text);
    found.unwrap_or_else(|| panic!("{text} in {}", position.to_fen(Dialect::Fairy)))
}

fn play(position: &Makruk, text: &str) -> Makruk {
    position.play(find(position, text)).expect("a legal move")
}

fn check_perft(most_nodes: u64) -> usize {
    let mut checked = 0;
    for row in shipped_rows("perft") {
        let position = position(text(&row["fen"]), CountingPolicy::Auto);
        let makruk_js = position.to_fen(Dialect::MakrukJs);
        assert_eq!(makruk_js.split(' ').next(), row["seed_board"].as_str());
        for (depth, nodes) in (1..).zip(row["perft"].as_array().unwrap()) {
            if number(nodes) <= most_nodes {
                assert_eq!(position.perft(depth), number(nodes), "{} depth {depth}", row["fen"]);
                checked += 1;
            }
        }
    }
    checked
}

#[test]
fn perft_counts() {
    assert!(check_perft(60_000) > 70);
}

#[test]
#[ignore = "a slow board: make verify"]
fn more_perft_counts() {
    assert!(check_perft(1_000_000) > 90);
}

#[test]
fn counts_by_first_move() {
    for row in shipped_rows("divide") {
        let position = position(text(&row["fen"]), CountingPolicy::Auto);
        let depth = number(&row["depth"]) as u32 - 1;
        let theirs: BTreeMap<_, _> = row["divide"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(mv, nodes)| (mv.clone(), number(nodes)))
            .collect();
        let ours: BTreeMap<_, _> = position
            .legal_moves()
            .into_iter()
            .map(|mv| (uci(mv), position.play(mv).unwrap().perft(depth)))
            .collect();
        assert_eq!(ours, theirs, "{}", row["fen"]);
    }
}

/// The end of a game, by the names in the tables.
fn reason(position: &Makruk) -> (&'static str, &'static str) {
    match position.ending() {
        None => ("*", "ongoing"),
        Some(Ending::Checkmate { winner: Color::White }) => ("1-0", "checkmate"),
        Some(Ending::Checkmate { winner: Color::Black }) => ("0-1", "checkmate"),
        Some(Ending::Stalemate) => ("1/2-1/2", "stalemate"),
        Some(Ending::InsufficientMaterial) => ("1/2-1/2", "insufficient"),
        Some(Ending::Counting) => ("1/2-1/2", "counting"),
        Some(Ending::Threefold) => ("1/2-1/2", "threefold"),
        Some(Ending::FiftyMoves) => ("1/2-1/2", "fifty"),
        Some(ending) => panic!("{ending:?} ends no game of Makruk"),
    }
}

fn check_games(games: &[Value]) -> BTreeMap<String, usize> {
    let mut reasons = BTreeMap::new();
    for game in games {
        let mut position =
            Makruk::from_fen(START, Rules::Makruk, Dialect::Fairy, CountingPolicy::Auto).unwrap();
        let mut fens: BTreeMap<usize, &str> = BTreeMap::new();
        for pair in game["fens"].as_array().unwrap() {
            fens.insert(number(&pair[0]) as usize, text(&pair[1]));
        }
        let moves = text(&game["moves"]).split(' ');
        for (ply, (mv, san)) in (1..).zip(moves.zip(text(&game["san"]).split(' '))) {
            assert_eq!(position.ending(), None, "game {} before ply {ply}", game["id"]);
            let mv = find(&position, mv);
            assert_eq!(position.san(mv), san, "game {} ply {ply}", game["id"]);
            position = position.play(mv).unwrap();
            if let Some(fen) = fens.remove(&ply) {
                assert_eq!(position.to_fen(Dialect::Fairy), fen, "game {}", game["id"]);
            }
        }
        assert!(fens.is_empty(), "game {} is shorter than its FENs", game["id"]);
        let (result, reason) = reason(&position);
        assert_eq!((result, reason), (text(&game["result"]), text(&game["reason"])));
        *reasons.entry(reason.to_owned()).or_default() += 1;
    }
    reasons
}

const START: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";

#[test]
fn whole_games() {
    let reasons = check_games(&shipped_rows("games"));
    assert_eq!(reasons.keys().collect::<Vec<_>>(), ["checkmate", "counting", "insufficient"]);
}

#[test]
#[ignore = "the whole set: make verify"]
fn more_whole_games() {
    let path = all_games();
    let games = rows(&std::fs::read_to_string(path).expect("games.jsonl"));
    let reasons = check_games(&games);
    assert_eq!(reasons.len(), 5, "games end in all ways: {reasons:?}");
}

/// Games between humans: every move is legal.
#[test]
fn real_games() {
    for game in shipped_rows("real_games") {
        let mut position = Makruk::default();
        for (mv, san) in text(&game["uci"]).split(' ').zip(text(&game["san"]).split(' ')) {
            let mv = find(&position, mv);
            assert_eq!(position.san(mv), san, "game {}", game["id"]);
            position = position.play(mv).unwrap();
        }
        let placement = |fen: &str| fen.split(' ').next().map(str::to_owned);
        let ours = position.to_fen(Dialect::Fairy);
        assert_eq!(placement(&ours), placement(text(&game["final_fen"])), "game {}", game["id"]);
    }
}

#[test]
fn san_of_every_legal_move() {
    for row in shipped_rows("san") {
        let position = position(text(&row["fen"]), CountingPolicy::Auto);
        let mut ours: Vec<(String, String)> = Vec::new();
        for mv in position.legal_moves() {
            let san = position.san(mv);
            assert_eq!(position.parse_san(&san), Ok(mv), "{san} in {}", row["fen"]);
            ours.push((uci(mv), san));
        }
        ours.sort();
        let theirs: Vec<(String, String)> = row["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mv| (text(&mv[0]).to_owned(), text(&mv[1]).to_owned()))
            .collect();
        assert_eq!(ours, theirs, "{}", row["fen"]);
    }
}

#[test]
fn fen_dialects() {
    for row in shipped_rows("fen_dialects") {
        let (fairy, makruk_js) = (text(&row["fairy"]), text(&row["seed"]));
        let read = |fen, dialect| {
            let position = Makruk::from_fen(fen, Rules::Makruk, dialect, CountingPolicy::Auto);
            position.unwrap_or_else(|e| panic!("{fen}: {e}"))
        };
        let position = read(fairy, Dialect::Fairy);
        assert_eq!(position.to_fen(Dialect::Fairy), fairy);
        let without_count = |fen: String| fen.split(' ').take(3).collect::<Vec<_>>().join(" ");
        assert_eq!(without_count(position.to_fen(Dialect::MakrukJs)), makruk_js);
        assert_eq!(read(makruk_js, Dialect::MakrukJs).board(), position.board());
        assert_eq!(read(makruk_js, Dialect::MakrukJs).to_fen(Dialect::MakrukJs), makruk_js);
        let no_tilde = text(&row["fairy_no_tilde"]);
        assert_eq!(read(no_tilde, Dialect::Fairy).to_fen(Dialect::Fairy), no_tilde);
    }
}

/// FENs with counts in the form of makruk-js. Those of its tests have limits that no rule sets.
#[test]
fn counts_in_the_dialect_of_makruk_js() {
    for (fen, honor, color, spoken, first, limit) in [
        ("4k3/8/8/8/8/8/8/4K3 w 10 w bp 63 10 64", Honor::Board, Color::White, 63, 10, 64),
        ("4k3/8/8/8/8/8/8/4K3 b 25 b pp 5 3 44", Honor::Pieces, Color::Black, 5, 3, 44),
    ] {
        let position =
            Makruk::from_fen(fen, Rules::Makruk, Dialect::MakrukJs, CountingPolicy::MakrukJs)
                .unwrap();
        let count = position.counting().unwrap();
        assert_eq!((count.honor, count.color, count.first), (honor, color, first));
        assert_eq!((count.spoken(), count.limit / 2), (spoken, limit));
        assert_eq!(position.to_fen(Dialect::MakrukJs), fen);
    }
    for fen in [
        "4k3/8/8/8/8/8/8/4K3 w 10 w bp 64 10 100",
        "4k3/8/8/8/8/8/8/4K3 b 25 b pp 5 25 50",
        "4k3/8/8/8/8/8/8/4K3 b 25 b pp 5 7 44",
        "4k3/8/8/8/8/8/8/4K3 w 25 b pp 0 1 44",
        "4k3/8/8/8/8/8/8/R3K3 b 25 w pp 5 1 16",
        "4k3/8/8/8/4B3/8/8/4K3 b 25 b pp 5 1 64",
    ] {
        let policy = CountingPolicy::MakrukJs;
        let error = Makruk::from_fen(fen, Rules::Makruk, Dialect::MakrukJs, policy).unwrap_err();
        assert!(matches!(error, MakrukError::Count(_)), "{fen}: {error}");
    }
    let none = "4k3/8/8/8/8/8/8/4K3 w 10 - - - - -";
    let position =
        Makruk::from_fen(none, Rules::Makruk, Dialect::MakrukJs, CountingPolicy::MakrukJs).unwrap();
    assert_eq!(position.counting(), None);
}

#[test]
fn a_fen_error_names_the_byte() {
    use Dialect::{Fairy, MakrukJs};
    for (fen, dialect, at) in [
        ("", Fairy, 0),
        ("", MakrukJs, 0),
        ("8/8/8/8/8/8/8/8/8 w", Fairy, 15),
        ("8/8/8/8/8/8/8 w", Fairy, 13),
        ("8/8/8/44p/8/8/8/8 w", Fairy, 8),
        ("k7/8/8/7/8/8/8/K7 w", Fairy, 8),
        ("k7/8/8/3E4/8/8/8/K7 w", Fairy, 8),
        ("k7/8/8/3S4/8/8/8/K7 w 1", MakrukJs, 8),
        ("k7/8/8/3é4/8/8/8/K7 w", Fairy, 8),
        ("k7/8/8/8/8/8/8/K6P~ w", Fairy, 18),
        ("k7/8/8/8/8/8/8/K7 x", Fairy, 18),
        ("k7/8/8/8/8/8/8/K7 w KQ", Fairy, 20),
        ("k7/8/8/8/8/8/8/K7 w - e3", Fairy, 22),
        ("k7/8/8/8/8/8/8/K7 w - 16 99999 1", Fairy, 25),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1 2", Fairy, 28),
        ("k7/8/8/8/8/8/8/K7", MakrukJs, 17),
        ("k7/8/8/8/8/8/8/K7 w 1 w", MakrukJs, 23),
        ("k7/8/8/8/8/8/8/K7 w 1 w xx 1 1 64", MakrukJs, 24),
        ("k7/8/8/8/8/8/8/K7 w 1 w pp 1 +1 64", MakrukJs, 29),
    ] {
        let error = Makruk::from_fen(fen, Rules::Makruk, dialect, CountingPolicy::Thai).err();
        let Some(MakrukError::Syntax { offset, .. }) = error else { panic!("{fen}: {error:?}") };
        assert_eq!(offset, at, "{fen}");
    }
    for (fen, expected) in [
        ("8/8/8/8/8/8/8/K7 w", MakrukError::Kings { color: Color::Black, found: 0 }),
        ("kk6/8/8/8/8/8/8/K7 w", MakrukError::Kings { color: Color::Black, found: 2 }),
        ("k7/8/3P4/8/8/8/8/K7 w", MakrukError::UnpromotedBia(Square::D6)),
        ("k7/8/8/8/8/8/p7/7K w", MakrukError::UnpromotedBia(Square::A2)),
        ("k6R/8/8/8/8/8/8/K7 w", MakrukError::OppositeCheck(Color::Black)),
    ] {
        let error =
            Makruk::from_fen(fen, Rules::Makruk, Dialect::Fairy, CountingPolicy::Thai).err();
        assert_eq!(error, Some(expected), "{fen}");
    }
}

#[test]
fn put_and_remove() {
    let start = Makruk::default();
    let queen = Piece { color: Color::White, kind: Kind::Queen };
    assert_eq!(start.put(Square::D4, queen).err(), Some(MakrukError::ForeignPiece(Square::D4)));
    // ASEAN chess does not distinguish a promoted bia from other pieces, so its FEN has no letter for one.
    let asean = Makruk::start(Rules::Asean, CountingPolicy::Auto);
    let flipped = Piece { color: Color::White, kind: Kind::FlippedBia };
    assert_eq!(asean.put(Square::D4, flipped).err(), Some(MakrukError::ForeignPiece(Square::D4)));
    assert!(start.put(Square::D4, flipped).is_ok());
    let none = Some(MakrukError::Kings { color: Color::White, found: 0 });
    assert_eq!(start.remove(Square::D1).err(), none);
    let without = start.remove(Square::A3).unwrap();
    assert_eq!(without.perft(1), 23 + 5 - 1, "four for the rook, one for the knight; no a3-a4");
    let bia = Piece { color: Color::White, kind: Kind::Pawn };
    let again = without.put(Square::A3, bia).unwrap();
    assert_eq!(again.to_fen(Dialect::Fairy), START);
}

/// The count of a position in the form of the tables: limit and progress, both 0 if there is none.
fn limit_and_ply(position: &Makruk) -> [u64; 2] {
    position.counting().map_or([0, 0], |count| [count.limit.into(), count.ply.into()])
}

/// Counts that start automatically, ply by ply.
#[test]
fn automatic_counts() {
    let mut checked = 0;
    for row in shipped_rows("counting") {
        if text(&row["kind"]).starts_with("manual") {
            continue;
        }
        let mut position = position(text(&row["start"]), CountingPolicy::Auto);
        let track = row["track"].as_array().unwrap();
        let mut expected: BTreeMap<u64, [u64; 2]> = BTreeMap::new();
        for entry in track {
            expected.insert(number(&entry[0]), [number(&entry[1]), number(&entry[2])]);
        }
        let start = [number(&row["start_limit"]), number(&row["start_ply"])];
        assert_eq!(limit_and_ply(&position), start);
        let end = number(&row["end_ply"]);
        for (ply, mv) in (1..).zip(text(&row["moves"]).split_whitespace()) {
            assert_eq!(position.ending(), None, "row {} before ply {ply}", row["id"]);
            position = play(&position, mv);
            if let Some(count) = expected.get(&ply) {
                assert_eq!(limit_and_ply(&position), *count, "row {} ply {ply}", row["id"]);
            }
            assert!(ply <= end);
        }
        let result = (text(&row["result"]), text(&row["reason"]));
        assert_eq!(reason(&position), result, "row {}", row["id"]);
        assert_eq!(position.to_fen(Dialect::Fairy), text(&row["final_fen"]));
        checked += 1;
    }
    assert_eq!(checked, 66);
}

/// Games in which board's honor is claimed at a certain move, or not at all.
#[test]
fn claimed_counts() {
    let mut checked = 0;
    for row in shipped_rows("counting") {
        if !text(&row["kind"]).starts_with("manual") {
            continue;
        }
        let mut position = position(text(&row["start"]), CountingPolicy::Thai);
        let plies_before = 2 * u64::from(position.fullmove_number() - 1)
            + u64::from(position.side_to_move() == Color::Black);
        let claimed = row["count_started"].as_u64();
        for (ply, mv) in (plies_before + 1..).zip(text(&row["moves"]).split_whitespace()) {
            if claimed == Some(ply) {
                position = position.claim_count().unwrap();
            }
            assert_eq!(position.ending(), None, "row {}", row["id"]);
            position = play(&position, mv);
        }
        let result = (text(&row["result"]), text(&row["reason"]));
        assert_eq!(reason(&position), result, "row {}", row["id"]);
        if claimed.is_some() {
            assert_eq!(position.to_fen(Dialect::Fairy), text(&row["final_fen"]));
        } else {
            assert_eq!(position.counting(), None);
        }
        checked += 1;
    }
    assert_eq!(checked, 4);
}

/// Every count of a bare king that starts in the tables also starts under Thai rules.
#[test]
fn bare_kings_count_under_thai_rules() {
    for row in shipped_rows("counting") {
        if !text(&row["kind"]).starts_with("bare") {
            continue;
        }
        let mut position = position(text(&row["start"]), CountingPolicy::Thai);
        for mv in text(&row["moves"]).split_whitespace() {
            position = play(&position, mv);
        }
        assert_eq!(position.to_fen(Dialect::Fairy), text(&row["final_fen"]), "row {}", row["id"]);
    }
}

/// Board's honor under Thai rules: it is claimed, stopped, and started again at one; mate by the counting side
/// is a draw.
#[test]
fn board_honor_under_thai_rules() {
    let fen = "7k/8/5K2/8/8/8/m7/R7 w - - 0 1";
    let start = position(fen, CountingPolicy::Thai);
    assert_eq!(start.stop_count().err(), Some(CountingError::NotRunning));
    let counting = play(&start.claim_count().unwrap(), "a1b1");
    let count = counting.counting().unwrap();
    assert_eq!((count.honor, count.color, count.spoken()), (Honor::Board, Color::White, 1));
    assert_eq!(counting.claim_count().err(), Some(CountingError::Running(Color::White)));
    let stopped = counting.stop_count().unwrap();
    assert_eq!(stopped.counting(), None);
    let again = play(&play(&stopped, "a2b3").claim_count().unwrap(), "f6f7");
    assert_eq!(again.counting().map(|count| count.spoken()), Some(1), "begun again");

    let mating = |position: Makruk| play(&play(&play(&position, "f6f7"), "a2b3"), "a1h1");
    let winner = Color::White;
    assert_eq!(mating(start.clone()).ending(), Some(Ending::Checkmate { winner }));
    assert_eq!(mating(start.claim_count().unwrap()).ending(), Some(Ending::Counting));
    // Black counts, White mates.
    let black_counts = play(&start, "f6f7").claim_count().unwrap();
    let mated = play(&play(&black_counts, "a2b3"), "a1h1");
    assert_eq!(mated.ending(), Some(Ending::Checkmate { winner }));

    let with_bia = position("7k/8/5K2/8/p7/8/m7/R7 w - - 0 1", CountingPolicy::Thai);
    assert_eq!(with_bia.claim_count().err(), Some(CountingError::Bia(Square::A4)));
    let bare = position("7k/8/5K2/8/8/8/8/R7 w - - 0 1", CountingPolicy::Thai);
    assert_eq!(bare.claim_count().err(), Some(CountingError::Bare(Color::Black)));
    let counted = play(&bare, "a1a2");
    assert_eq!(counted.counting().map(|count| count.honor), Some(Honor::Pieces));
    assert_eq!(counted.stop_count().err(), Some(CountingError::Pieces));
    let auto = position(fen, CountingPolicy::Auto);
    assert_eq!(auto.claim_count().err(), Some(CountingError::Automatic));
    assert_eq!(auto.stop_count().err(), Some(CountingError::Automatic));
}

/// First number and limit that makruk-js's own tests expect.
#[test]
fn counts_of_makruk_js() {
    for (fen, honor, first, limit) in [
        ("4k3/8/8/8/8/8/8/4K2r w 1", Honor::Pieces, 1, 16),
        ("4k3/8/8/8/8/8/8/r3K2r w 1", Honor::Pieces, 1, 8),
        ("4k3/8/8/8/8/8/8/4K2t w 1", Honor::Pieces, 1, 44),
        ("4k3/8/8/8/8/8/8/t3K2t w 1", Honor::Pieces, 1, 22),
        ("4k3/8/8/8/8/8/8/4K2m w 1", Honor::Pieces, 1, 64),
        ("4k3/8/8/8/8/8/8/m3K2m w 1", Honor::Pieces, 1, 32),
        ("4k3/8/8/8/8/8/8/4K2e w 1", Honor::Pieces, 1, 64),
        ("4k3/8/8/8/8/8/8/4KR2 w 1", Honor::Board, 3, 64),
        ("4k3/8/8/8/8/8/8/rmt1KRM1 w 1", Honor::Board, 7, 64),
    ] {
        let start =
            Makruk::from_fen(fen, Rules::Makruk, Dialect::MakrukJs, CountingPolicy::MakrukJs);
        let claimed = start.unwrap_or_else(|e| panic!("{fen}: {e}")).claim_count().unwrap();
        let count = claimed.counting().unwrap();
        assert_eq!((count.honor, count.first, count.limit / 2), (honor, first, limit), "{fen}");
        assert_eq!(count.spoken(), first - 1, "{fen}");
    }
}

/// Counts that makruk-js starts, continues, changes and ends, move by move.
#[test]
fn games_of_makruk_js() {
    let mut over = 0;
    for row in shipped_rows("makruk_js") {
        let start = Makruk::from_fen(
            text(&row["start"]),
            Rules::Makruk,
            Dialect::MakrukJs,
            CountingPolicy::MakrukJs,
        );
        let mut position = start.unwrap_or_else(|e| panic!("{}: {e}", row["start"]));
        for entry in row["moves"].as_array().unwrap() {
            position = match text(&entry[1]) {
                "start" => position.claim_count().unwrap(),
                "stop" => position.stop_count().unwrap(),
                _ => position,
            };
            position = play(&position, text(&entry[0]));
            let fen = position.to_fen(Dialect::MakrukJs);
            let count = fen.split(' ').skip(3).collect::<Vec<_>>().join(" ");
            let count = if count.is_empty() { "-" } else { &count };
            assert_eq!(count, text(&entry[2]), "game {} after {}", row["id"], entry[0]);
            let is_over = text(&entry[3]) == "over";
            over += usize::from(is_over);
            // Two bare kings are a draw in any case; without moves it is mate or stalemate.
            match position.ending() {
                Some(Ending::Counting) => assert!(is_over, "game {}: {fen}", row["id"]),
                None => assert!(!is_over, "game {}: {fen}", row["id"]),
                Some(_) => {}
            }
        }
        assert_eq!(position.to_fen(Dialect::MakrukJs), text(&row["final_fen"]));
    }
    assert!(over > 10, "{over} positions are drawn by a count");
}

/// Neither side can mate: the positions that pyffish calls insufficient, as in the table of the rules.
#[test]
fn insufficient_material() {
    for (fen, insufficient) in [
        ("7k/8/8/8/8/8/8/K7", true),
        ("7k/8/8/8/8/8/8/KN6", true),
        ("7k/8/8/8/8/P7/8/K7", true),
        ("7k/8/8/8/8/8/8/KM6", true),
        ("7k/8/8/8/8/8/8/KM1M~1m2", true),
        ("7k/8/8/8/8/8/8/KM~M5", false),
        ("7k/8/8/8/8/8/8/KM1m~4", true),
        ("7k/8/8/8/8/8/8/KMm~5", false),
        ("7k/8/8/8/8/8/8/KN1m4", false),
        ("7k/8/8/8/8/8/8/KN1n4", false),
        ("7k/8/8/8/8/8/8/KNN5", false),
        ("7k/8/8/8/8/8/8/KNM5", false),
        ("7k/8/8/8/8/8/8/KS6", false),
        ("7k/8/8/8/8/8/8/KR6", false),
    ] {
        let position = position(fen, CountingPolicy::Thai);
        let expected = insufficient.then_some(Ending::InsufficientMaterial);
        assert_eq!(position.ending(), expected, "{fen}");
    }
}

#[test]
fn the_third_time_draws() {
    let mut position = Makruk::default();
    for _ in 0..2 {
        for mv in ["h1h2", "h8h7", "h2h1", "h7h8"] {
            assert_eq!(position.ending(), None);
            position = play(&position, mv);
        }
    }
    assert_eq!(position.ending(), Some(Ending::Threefold));
    assert_eq!(position.parse_san("Nxe9"), Err(SanError::Illegal));
}

proptest! {
    #![proptest_config(super::config(40))]

    /// FEN and SAN round-trip, along random games under every policy.
    #[test]
    fn fen_and_san_read_back(
        policy in prop::sample::select(&[CountingPolicy::Thai, CountingPolicy::Auto, CountingPolicy::MakrukJs][..]),
        row in prop::sample::select(shipped_rows("perft")),
        picks in prop::collection::vec(any::<u16>(), 1..40),
    ) {
        let mut position = position(text(&row["fen"]), policy);
        for pick in picks {
            if pick % 8 == 0 && let Ok(claimed) = position.claim_count() {
                position = claimed;
            }
            for dialect in [Dialect::Fairy, Dialect::MakrukJs] {
                let fen = position.to_fen(dialect);
                let again = Makruk::from_fen(&fen, Rules::Makruk, dialect, policy).expect("our own FEN");
                prop_assert_eq!(again.board(), position.board());
                prop_assert_eq!(again.to_fen(dialect), fen);
            }
            let moves = position.legal_moves();
            let Some(mv) = moves.get(usize::from(pick) % moves.len().max(1)) else { break };
            prop_assert_eq!(position.parse_san(&position.san(*mv)), Ok(*mv));
            position = position.play(*mv).expect("a legal move");
        }
    }

    /// The reader panics on no text.
    #[test]
    fn any_text(text in "[KMSNRPETBFkmsnrpetbf~1-9/ ]{0,80}( (w|b|-|[0-9]{1,6}|bp|pp|é)){0,8}") {
        for dialect in [Dialect::Fairy, Dialect::MakrukJs] {
            if let Ok(position) = Makruk::from_fen(&text, Rules::Makruk, dialect, CountingPolicy::MakrukJs) {
                let _ = (position.ending(), position.to_fen(dialect), position.claim_count());
            }
            let _ = Makruk::default().parse_san(&text);
        }
    }
}

/// A game whose rules count as Fairy-Stockfish 11.1 does.
fn fairy11(fen: &str, rules: Rules) -> Makruk {
    let position = Makruk::from_fen(fen, rules, Dialect::Fairy, CountingPolicy::Fairy11);
    position.unwrap_or_else(|e| panic!("{fen}: {e}"))
}

#[test]
fn asean_chess_ends_after_fifty_moves_by_each_side() {
    for (rules, expected) in [(Rules::Asean, Some(Ending::FiftyMoves)), (Rules::Makpong, None)] {
        let start = fairy11("4k3/r7/8/8/8/8/7R/4K3 w - - 98 60", rules);
        let next = play(&start, "h2g2");
        assert_eq!((next.halfmove_clock(), next.ending()), (99, None));
        let next = play(&next, "a7b7");
        assert_eq!((next.halfmove_clock(), next.ending()), (100, expected));
    }
}

/// White's two mets change places, one of them a promoted bia, and change back.
#[test]
fn a_promoted_bia_repeats_as_a_met() {
    let mut game = position("7k/8/8/8/8/2M1M~3/8/K5N1 w - - 0 1", CountingPolicy::Thai);
    let round = "c3d2 h8g8 e3d4 g8h8 d2e3 h8g8 d4c3 g8h8 e3d2 h8g8 c3d4 g8h8 d2c3 h8g8 d4e3 g8h8";
    for mv in round.split(' ') {
        assert_eq!(game.ending(), None);
        game = play(&game, mv);
    }
    assert_eq!(game.ending(), Some(Ending::Threefold));
}

#[test]
fn counters_stop_at_their_highest_number() {
    let start = position("4k3/r7/8/8/8/8/7R/4K3 b - - 65534 65534", CountingPolicy::Thai);
    let next = play(&play(&start, "a7b7"), "h2g2");
    assert_eq!((next.halfmove_clock(), next.fullmove_number()), (u16::MAX, u16::MAX));
    let next = play(&next, "b7a7");
    assert_eq!((next.halfmove_clock(), next.fullmove_number()), (u16::MAX, u16::MAX));
}

#[test]
fn a_promotion_starts_a_count_but_does_not_restart_one_in_asean_chess() {
    // The last bia becomes a met: Black, bare, counts the four pieces first.
    let before = position("7k/8/8/P7/8/8/8/K5R1 w - - 0 1", CountingPolicy::Thai);
    assert_eq!(before.counting(), None);
    let count =
        play(&before, "a5a6m").counting().map(|count| (count.first, count.ply, count.limit));
    assert_eq!(count, Some((5, 8, 32)));
    let before = fairy11("8/P2k4/8/8/8/5K2/8/2R5 w - 32 7 6", Rules::Asean);
    assert_eq!(limit_and_ply(&play(&before, "a7a8n")), [32, 8]);
}

#[test]
fn marks_after_a_move_are_ignored() {
    let start = Makruk::default();
    let mv = find(&start, "a3a4");
    for san in ["a4", "a4!?", "a4?!", "a4!!", "a4+", "a4#", "a4+!"] {
        assert_eq!(start.parse_san(san), Ok(mv), "{san}");
    }
    assert_eq!(start.parse_san("!?a4"), Err(SanError::Illegal));
}
