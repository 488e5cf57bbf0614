//! The count, ply for ply.

use super::{position, rows, shipped, text};
use halfmove_rules::makruk::{Counting, CountingError, CountingPolicy, Dialect, Honor};
use halfmove_rules::{Color, History, Makruk, Outcome, Square};
use serde_json::Value;

/// What the file calls the end of a game.
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

/// Limit and ply of the count in plies, zero without one.
fn in_plies(counting: Option<Counting>) -> (u16, u16) {
    counting.map_or((0, 0), |count| (2 * count.limit, count.ply))
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
        // Where it is not claimed, the file gives the limit that it would have, and the ply 0.
        let unclaimed = !automatic && position.counting().is_none();
        if let Some((at, expected)) = next
            && at == plies
        {
            let ours = if unclaimed { (expected.0, 0) } else { in_plies(position.counting()) };
            assert_eq!(ours, expected, "row {id} ply {plies}: {position}");
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

/// The table of limits as the Thai rules have it, by the pieces of the side that chases.
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
            assert_eq!((count.limit, count.next_number()), (limit, pieces + 1), "{fen}");
            assert_eq!((count.honor, count.color), (Honor::Pieces, Color::Black), "{fen}");
        }
        // The bare king takes White's last bia.
        let fen = format!("8/8/8/6Pk/8/8/{chasers}{empty}/7K b - - 0 1");
        let position = position(&fen);
        let after = position.play(position.parse_uci("h5g5").unwrap()).unwrap();
        let count = after.counting().unwrap();
        let pieces = after.board().occupied().len() as u16;
        assert_eq!(
            (count.limit, count.number(), count.color),
            (limit, pieces, Color::Black),
            "{fen}"
        );
    }
}

/// A game under way counts as its positions do, and a move taken back takes its number along.
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
fn board_honor_is_claimed_stopped_and_claimed_anew() {
    let start = position("8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 41").with_policy(CountingPolicy::Thai);
    let play = |position: &mut Makruk, moves: &str| {
        for mv in moves.split_whitespace() {
            *position = position.play(position.parse_uci(mv).unwrap()).unwrap();
        }
    };
    let mut position = start.clone();
    play(&mut position, "a6b6 g3h3");
    assert_eq!(position.counting(), None, "nobody has asked");
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
    assert_eq!((count.honor, count.limit, count.next_number()), (Honor::Pieces, 16, 6));
    assert_eq!(position.stop_count(), Err(CountingError::PiecesHonor));

    let mut automatic = start.with_policy(CountingPolicy::Auto);
    assert_eq!(automatic.claim_count(), Err(CountingError::Automatic));
    let mut with_bia = Makruk::default().with_policy(CountingPolicy::Thai);
    assert_eq!(with_bia.claim_count(), Err(CountingError::BiaLeft(Square::A3)));
}

/// By the Thai rules a side that counts for the board and mates has drawn; engines leave that out.
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
    assert_eq!(position.counting().map(|count| (count.number(), count.limit)), Some((6, 64)));
    position.play_unchecked(position.parse_uci("e3c3").unwrap());
    position.play_unchecked(position.parse_uci("b6a6").unwrap());
    let count = position.counting().unwrap();
    assert_eq!((count.honor, count.number(), count.limit), (Honor::Pieces, 1, 16));
    for (i, mv) in ["c3c4", "a6b6", "c4c3", "b6a6"].into_iter().cycle().take(30).enumerate() {
        assert_eq!(position.outcome(), None, "{i}");
        position.play_unchecked(position.parse_uci(mv).unwrap());
    }
    assert_eq!(position.counting().map(|count| count.number()), Some(16));
    assert_eq!(position.outcome(), None);
    position.play_unchecked(position.parse_uci("c4c5").unwrap());
    assert_eq!(position.outcome(), Some(Outcome::CountingDraw));
}

/// Counts that makruk-js begins, goes on with, changes and ends, move by move.
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
            // Too few pieces draw in any case; where there is no move it is mate or stalemate.
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
