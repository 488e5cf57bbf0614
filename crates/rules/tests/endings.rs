//! The ends of games: material, dead positions, repetition and the counters, against another program.

use crate::suites::{position, shipped, table};
use halfmove_rules::{
    Board, Chess, Color, Flaws, History, MaterialKey, Outcome, ParseMaterialError, Piece, Role,
    Square, UciMove,
};
use std::collections::HashSet;

#[test]
fn sides_that_can_still_mate() {
    let rows = table(&shipped("outcomes/material.tsv"));
    assert_eq!(rows.len(), 768);
    for row in rows {
        let position = position(&row[0]);
        let expected = [row[1] == "1", row[2] == "1"];
        assert_eq!(Color::ALL.map(|color| position.can_mate(color)), expected, "{position}");
        assert_eq!(position.is_insufficient_material(), expected == [false; 2], "{position}");
    }
}

/// Every position that play can lead to.
fn reachable(start: &Chess) -> Vec<Chess> {
    let mut seen = HashSet::new();
    let mut found = vec![start.clone()];
    seen.insert((start.board().clone(), start.side_to_move()));
    let mut next = 0;
    while next < found.len() {
        let position = found[next].clone();
        for mv in position.legal_moves() {
            let after = position.play(mv).unwrap();
            if seen.insert((after.board().clone(), after.side_to_move())) {
                found.push(after);
            }
        }
        next += 1;
    }
    found
}

fn is_mate(position: &Chess) -> bool {
    matches!(position.outcome(), Some(Outcome::Checkmate { .. }))
}

/// Positions called dead are searched exhaustively: no play leads to mate.
#[test]
fn nothing_leads_out_of_a_dead_position() {
    let mut state = 1_u64;
    let mut random = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut dead = 0;
    for _ in 0..20_000 {
        // Each file has a white pawn with a black one in front of it, or, now and then, none.
        let mut board = Board::default();
        for file in 0..8 {
            let rank = 2 + random(3);
            if random(6) > 0 {
                for (color, rank) in [(Color::White, rank), (Color::Black, rank + 1)] {
                    let square = Square::wrapping((8 * rank + file) as u8);
                    board.put(square, Piece { color, role: Role::Pawn });
                }
            }
        }
        board.put(Square::E1, Piece { color: Color::White, role: Role::King });
        board.put(Square::E8, Piece { color: Color::Black, role: Role::King });
        let setup = halfmove_rules::Setup { board, ..Chess::default().to_setup() };
        let Ok(position) = Chess::from_setup_in(setup, None, Flaws::LEFTOVERS | Flaws::UNREACHABLE)
        else {
            continue;
        };
        if MaterialKey::of(position.board()).len() > 2 && position.is_dead() && dead < 40 {
            dead += 1;
            assert!(!reachable(&position).iter().any(is_mate), "{position}");
        }
    }
    assert_eq!(dead, 40);
}

#[test]
fn positions_that_are_not_dead() {
    for fen in [
        // A way around the wall; a pawn that can capture, one that can advance, one that is not protected.
        "4k3/8/1p1p1p2/1P1P1P2/8/8/8/4K3 w - - 0 1",
        "4k3/8/1p1ppp1p/1P1PPP1P/8/8/8/4K3 w - - 0 1",
        "4k3/1p6/3p1p1p/1P1P1P1P/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/3pP3/3P4/4K3 w - - 0 1",
        // The same wall, with a piece that can jump it, or a pawn that may capture en passant.
        "4k1n1/8/1p1p1p1p/1P1P1P1P/8/8/8/4K3 w - - 0 1",
        "4k3/8/1p3p1p/1PpP1P1P/2P5/8/8/4K3 w - c6 0 1",
        // Mate has been given.
        "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
    ] {
        assert!(!position(fen).is_dead(), "{fen}");
    }
    for fen in [
        "8/8/8/4k3/8/4K3/8/8 w - - 0 1",
        "8/8/8/4k3/8/3BK3/8/8 w - - 0 1",
        "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/4K3 w - - 0 1",
        "1k6/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3 b - - 0 1",
    ] {
        let position = position(fen);
        assert!(position.is_dead(), "{fen}");
        assert!(!reachable(&position).iter().any(is_mate), "{fen}");
    }
}

#[test]
fn material_in_words() {
    for (text, pieces, flipped) in [
        ("KvK", 2, "KvK"),
        ("KQPvKR", 5, "KRvKQP"),
        ("KBBNNPPPvKQRRM", 13, "KQRRMvKBBNNPPP"),
        ("KRRNNSSMPPPPPPPPvK", 17, "KvKRRNNSSMPPPPPPPP"),
    ] {
        let key: MaterialKey = text.parse().unwrap();
        assert_eq!(key.to_string(), text);
        assert_eq!((key.len(), key.flipped().to_string().as_str()), (pieces, flipped));
        assert_eq!(MaterialKey::from_bits(key.to_bits()), key);
    }
    assert_eq!("PQKvRK".parse::<MaterialKey>().unwrap().to_string(), "KQPvKR");
    let parse = |text: &str| text.parse::<MaterialKey>().unwrap_err();
    assert_eq!(parse("KQvKX"), ParseMaterialError::Letter(4));
    assert_eq!(parse("KvKvK"), ParseMaterialError::Letter(3));
    assert_eq!(parse("KQKR"), ParseMaterialError::OneSide);
    assert_eq!(parse("KPPPPPPPPPPPPPPPPvK"), ParseMaterialError::TooMany(16));
    let start = MaterialKey::of(Chess::default().board());
    assert_eq!(start.to_string(), "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP");
    assert_eq!(start.flipped(), start);
    // More pieces of a kind than are counted.
    let queens = position("QQQQQQQQ/QQQQQQQQ/QQ6/8/8/7k/8/K7 b - - 0 1");
    let queen = Piece { color: Color::White, role: Role::Queen };
    assert_eq!(MaterialKey::of(queens.board()).count(queen), MaterialKey::MAX_COUNT);
}

/// Games with repetitions and games that run out the counters: each ply is compared with another program, and
/// once more while the moves are undone.
#[test]
fn repetition_and_counters() {
    let rows = table(&shipped("outcomes/repetitions.tsv"));
    assert_eq!(rows.len(), 73);
    let mut seen = [0; 4];
    for row in rows {
        let verdict = |history: &History<Chess>| {
            let count = history.occurrences().min(9).to_string();
            let end = match history.outcome() {
                None => "-",
                Some(Outcome::Checkmate { .. }) => "m",
                Some(Outcome::Stalemate) => "s",
                Some(Outcome::InsufficientMaterial) => "i",
                Some(Outcome::FivefoldRepetition) => "5",
                Some(Outcome::SeventyFiveMoves) => "7",
                Some(other) => panic!("{other} ends no game by itself"),
            };
            (count, end, history.claim())
        };
        let mut history = History::new(position(&row[0]));
        let mut verdicts = vec![verdict(&history)];
        for uci in row[1].split_whitespace() {
            let mv = uci.parse::<UciMove>().unwrap().resolve(history.position()).unwrap();
            history.play(mv).unwrap();
            verdicts.push(verdict(&history));
        }
        assert_eq!(row[2].len(), verdicts.len());
        for (ply, (count, end, claim)) in verdicts.iter().enumerate() {
            let at = |column: usize| &row[column][ply..=ply];
            assert_eq!((count.as_str(), *end), (at(2), at(3)), "{} ply {ply}", row[0]);
            let expected = match at(4) {
                _ if at(3) != "-" => None,
                "3" | "b" => Some(Outcome::ThreefoldRepetition),
                "f" => Some(Outcome::FiftyMoves),
                _ => None,
            };
            assert_eq!(*claim, expected, "{} ply {ply}", row[0]);
            seen[0] += usize::from(*end == "5");
            seen[1] += usize::from(*end == "7");
            seen[2] += usize::from(*claim == Some(Outcome::ThreefoldRepetition));
            seen[3] += usize::from(*claim == Some(Outcome::FiftyMoves));
        }
        while let Some(expected) = verdicts.pop() {
            assert_eq!(verdict(&history), expected);
            assert_eq!(history.plies(), verdicts.len());
            assert_eq!(history.undo().is_some(), !verdicts.is_empty());
        }
        assert_eq!(history.position(), &position(&row[0]));
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

#[test]
fn mate_comes_before_a_draw() {
    let mut history = History::new(position("7k/8/6K1/8/8/8/8/1Q6 w - - 149 120"));
    let mv = "b1b8".parse::<UciMove>().unwrap().resolve(history.position()).unwrap();
    history.play(mv).unwrap();
    let outcome = history.outcome().unwrap();
    assert_eq!(outcome, Outcome::Checkmate { winner: Color::White });
    assert_eq!(outcome.result(), "1-0");
    assert_eq!(history.claim(), None);
    assert!(history.play(mv).is_err());
    assert_eq!(history.plies(), 1);
}

#[test]
fn a_history_knows_its_start_and_its_moves() {
    let start = Chess::default();
    let mut history = History::new(start.clone());
    assert_eq!((history.start(), history.moves()), (&start, &[][..]));
    let uci = |history: &History<Chess>, text: &str| history.position().parse_uci(text).unwrap();
    let first = uci(&history, "e2e4");
    history.play(first).unwrap();
    let second = uci(&history, "c7c5");
    history.play_unchecked(second);
    let third = history.play_san("Nf3").unwrap();
    let fourth = history.play_uci("d7d6").unwrap();
    assert_eq!(history.moves(), [first, second, third, fourth]);
    assert_eq!((history.start(), history.plies()), (&start, 4));
    // A refused move leaves no trace.
    assert!(history.play(first).is_err() && history.play_san("Ke3").is_err());
    assert!(history.play_uci("e1e3").is_err());
    assert_eq!(history.moves().len(), 4);

    let last = history.position().clone();
    assert_eq!(history.undo(), Some(last));
    assert_eq!(history.moves(), [first, second, third]);
    assert_eq!(history.start(), &start);
    for _ in 0..3 {
        assert!(history.undo().is_some());
    }
    assert_eq!((history.start(), history.position()), (&start, &start));
    assert!(history.moves().is_empty() && history.undo().is_none());
}
