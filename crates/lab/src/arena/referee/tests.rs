use super::*;
use halfmove_rules::Variant;
use std::time::Duration;

fn shipped(name: &str) -> String {
    let path = format!("{}/../../testdata/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Plays moves until the game is over. Returns the ending, and the number of moves.
fn end_of(start: AnyPosition, moves: &str) -> Option<(usize, Ending)> {
    let mut referee = Referee::new(start, Adjudication::default(), 10_000);
    let mut moves = moves.split_whitespace();
    for plies in 0.. {
        if let Some(ending) = referee.ending() {
            return Some((plies, ending));
        }
        referee.play(referee.history().position().parse_uci(moves.next()?).expect("a legal move"));
    }
    None
}

#[test]
fn chess_ends_where_python_chess_sees_an_end_or_a_claim() {
    let mut seen = [0; 2];
    for row in shipped("outcomes/repetitions.tsv").lines().skip(1) {
        let row: Vec<_> = row.split('\t').collect();
        let start = AnyPosition::from_fen(row[0], Variant::Chess).expect("a FEN");
        // At each ply: the ending of the game, and the draws that may be claimed.
        let over = row[3].chars().zip(row[4].chars()).position(|verdict| verdict != ('-', '-'));
        let end = end_of(start, row[1]);
        assert_eq!(end.as_ref().map(|(plies, _)| *plies), over, "{}", row[1]);
        let Some((plies, ending)) = end else { continue };
        let expected = match (&row[3][plies..=plies], &row[4][plies..=plies]) {
            ("-", "3" | "b") => Outcome::ThreefoldRepetition,
            ("-", "f") => Outcome::FiftyMoves,
            ("i", _) => Outcome::InsufficientMaterial,
            other => panic!("{other:?} comes after a claim"),
        };
        assert_eq!(ending, Ending::Rules(expected));
        seen[0] += usize::from(expected == Outcome::ThreefoldRepetition);
        seen[1] += usize::from(expected == Outcome::FiftyMoves);
    }
    assert!(seen.iter().all(|count| *count > 5), "{seen:?}");
}

#[test]
fn makruk_and_its_kin_end_where_fairy_stockfish_sees_an_end() {
    let mut seen = 0;
    for name in ["makruk/games.jsonl", "makruk/kin_games.jsonl"] {
        for line in shipped(name).lines() {
            let game: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let variant = game["variant"].as_str().unwrap_or("makruk");
            let variant = Variant::from_name(variant).expect("a game");
            let start = match game["start"].as_str() {
                Some(fen) => AnyPosition::from_fen(fen, variant).expect("a FEN"),
                None => AnyPosition::start(variant),
            };
            let moves = game["moves"].as_str().expect("moves");
            let (plies, ending) = end_of(start, moves).unwrap_or_else(|| panic!("no end: {line}"));
            assert_eq!(plies, moves.split(' ').count(), "{line}");
            let reason = match &ending {
                Ending::Rules(Outcome::Checkmate { .. }) => "checkmate",
                Ending::Rules(Outcome::Stalemate) => "stalemate",
                Ending::Rules(Outcome::InsufficientMaterial) => "insufficient",
                Ending::Rules(Outcome::CountingDraw) => "counting",
                Ending::Rules(Outcome::ThreefoldRepetition) => "threefold",
                other => panic!("{other:?}"),
            };
            assert_eq!(game["reason"], reason, "{line}");
            if let Some(result) = game["result"].as_str() {
                assert_eq!(ending.result(), result, "{line}");
            }
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
}

const QUIET: [&str; 12] = [
    "g1f3", "g8f6", "b1c3", "b8c6", "e2e3", "e7e6", "d2d3", "d7d6", "f1e2", "f8e7", "a2a3", "a7a6",
];

/// The number of plies after which a game is over if the sides report these scores.
fn judged(rules: Adjudication, max_moves: u32, scores: [i32; 2]) -> Option<(usize, Ending)> {
    let start = AnyPosition::start(Variant::Chess);
    let mut referee = Referee::new(start, rules, max_moves);
    for (plies, uci) in QUIET.iter().enumerate() {
        if let Some(ending) = referee.ending() {
            return Some((plies, ending));
        }
        let mv = referee.history().position().parse_uci(uci).expect("a legal move");
        referee.play_scored(mv, Some(Score::Centipawns(scores[plies % 2])));
    }
    None
}

#[test]
fn both_engines_have_to_agree_for_so_many_moves() {
    let win = Some(WinRule { centipawns: 500, moves: 3 });
    let draw = Some(DrawRule { centipawns: 10, moves: 2, after: 4 });
    let rules = Adjudication { win, draw };
    assert_eq!(judged(rules, 99, [500, -500]), Some((6, Ending::WonByScore(Color::White))));
    assert_eq!(judged(rules, 99, [-700, 600]), Some((6, Ending::WonByScore(Color::Black))));
    assert_eq!(judged(rules, 99, [500, -499]), None);
    assert_eq!(judged(rules, 99, [500, 500]), None);
    assert_eq!(judged(rules, 99, [10, -10]), Some((8, Ending::DrawnByScore)));
    assert_eq!(judged(rules, 99, [0, 11]), None);
    let neither = Adjudication::default();
    assert_eq!(judged(neither, 99, [900, -900]), None);
    assert_eq!(judged(neither, 5, [900, -900]), Some((10, Ending::TooLong)));
}

/// A FEN sets the move number.
#[test]
fn draws_are_judged_after_a_move_of_the_game() {
    let draw = Some(DrawRule { centipawns: 10, moves: 1, after: 40 });
    let rules = Adjudication { win: None, draw };
    for (number, plies) in [(1, None), (38, Some(6)), (60, Some(2))] {
        let fen = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {number}");
        let start = AnyPosition::from_fen(&fen, Variant::Chess).expect("a FEN");
        let mut referee = Referee::new(start, rules, 99);
        let ended = QUIET.iter().enumerate().find_map(|(plies, uci)| {
            let ending = referee.ending().map(|_| plies);
            let mv = referee.history().position().parse_uci(uci).expect("a legal move");
            referee.play_scored(mv, Some(Score::Centipawns(0)));
            ending
        });
        assert_eq!(ended, plies, "{number}");
    }
}

#[test]
fn a_mate_counts_as_more_than_any_number() {
    assert!(Score::Mate(5).centipawns() > Score::Mate(6).centipawns());
    assert!(Score::Mate(99).centipawns() > 50_000);
    assert!(Score::Mate(-3).centipawns() < -50_000);
    assert!(Score::Mate(-1).centipawns() < Score::Mate(-3).centipawns());
}

#[test]
fn time_is_lost_only_to_a_side_that_can_win() {
    let late = Fault::Time(Some(Duration::from_millis(7)));
    let failed = |fen: &str, fault: &Fault| {
        let start = AnyPosition::from_fen(fen, Variant::Chess).expect("a FEN");
        Referee::new(start, Adjudication::default(), 99).failed(fault.clone())
    };
    let lost = failed("4k3/8/8/8/8/8/8/R3K3 b - - 0 1", &late);
    assert_eq!((lost.result(), lost.termination()), ("1-0", "time forfeit"));
    assert_eq!(lost.to_string(), "black loses on time, 7 ms late");
    let drawn = failed("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", &late);
    assert_eq!(drawn.result(), "1/2-1/2");
    assert_eq!(drawn.to_string(), "white loses on time, 7 ms late; black cannot win");
    // This does not apply to illegal moves.
    let illegal = failed("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", &Fault::Illegal("a1a9".into()));
    assert_eq!((illegal.result(), illegal.termination()), ("0-1", "rules infraction"));
}
