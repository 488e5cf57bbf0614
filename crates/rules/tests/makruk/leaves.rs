//! Leaf counts.

use super::{position, rows, shipped, text, variant};
use halfmove_rules::makruk::{Dialect, Rules, Setup};
use halfmove_rules::{Color, Makruk, Move, Outcome, Position};
use std::collections::BTreeMap;

/// Counts leaf by leaf, by playing every move, where `perft` adds up sizes of sets.
fn leaf_by_leaf(position: &Makruk, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    assert_eq!(moves.len(), position.count_moves(), "{position}");
    moves.iter().map(|&mv| leaf_by_leaf(&Position::play(position, mv).unwrap(), depth - 1)).sum()
}

#[test]
fn leaf_counts() {
    let rows = rows(&shipped("perft.jsonl"));
    for row in &rows {
        let position = position(text(row, "fen"));
        for (depth, nodes) in (1..).zip(row["perft"].as_array().unwrap()) {
            let nodes = nodes.as_u64().unwrap();
            if nodes < 20_000_000 {
                assert_eq!(position.perft(depth), nodes, "{position} depth {depth}");
            }
            if nodes < 20_000 {
                assert_eq!(leaf_by_leaf(&position, depth), nodes, "{position} depth {depth}");
            }
        }
    }
    assert_eq!(rows.len(), 26);
}

#[test]
#[ignore = "142 million leaves: make verify"]
fn leaf_counts_of_the_start() {
    // Depth six is in the file; depth seven was counted by Fairy-Stockfish 11.1 and another program.
    let start = Makruk::default();
    assert_eq!(start.perft(6), 142_078_049);
    assert_eq!(start.perft(7), 3_299_342_874);
}

#[test]
fn leaf_counts_by_first_move() {
    for row in rows(&shipped("divide.jsonl")) {
        let position = position(text(&row, "fen"));
        let depth = row["depth"].as_u64().unwrap() as u32;
        let uci = |mv: &Move| position.uci(*mv).to_string();
        let ours: BTreeMap<String, u64> = position
            .legal_moves()
            .iter()
            .map(|mv| (uci(mv), position.play(*mv).unwrap().perft(depth - 1)))
            .collect();
        let theirs: BTreeMap<String, u64> = row["divide"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(mv, nodes)| (mv.clone(), nodes.as_u64().unwrap()))
            .collect();
        assert_eq!(ours, theirs, "{position}");
    }
}

#[test]
fn leaf_counts_of_the_games_beside_it() {
    let mut checked = BTreeMap::new();
    for row in rows(&shipped("variants_perft.jsonl")) {
        let name = text(&row, "variant");
        let Some(variant) = variant(name) else { continue };
        let setup = Setup::parse(text(&row, "fen"), variant, Dialect::Fairy).unwrap();
        let position = Makruk::from_setup(setup).unwrap();
        assert_eq!(position.to_setup().fen(Dialect::Fairy).to_string(), text(&row, "fen"));
        for (depth, nodes) in (1..).zip(row["perft"].as_array().unwrap()) {
            let nodes = nodes.as_u64().unwrap();
            assert_eq!(position.perft(depth), nodes, "{name} {position} depth {depth}");
            if nodes < 20_000 {
                assert_eq!(leaf_by_leaf(&position, depth), nodes, "{name} {position} {depth}");
            }
        }
        *checked.entry(variant.name()).or_insert(0) += 1;
    }
    // Makruk itself is not in the file.
    assert_eq!(checked.len(), Rules::ALL.len() - 1, "{checked:?}");
    assert!(checked.values().all(|rows| *rows == 2), "{checked:?}");
}

/// In Makpong no move answers a double check, not even the king capturing a checker; it may capture a lone
/// checker. Moves as Fairy-Stockfish 11.1 lists them.
#[test]
fn makpong_has_no_move_against_a_double_check() {
    for (fen, moves) in [
        ("3r3k/8/8/4m3/3K4/8/8/8 w - - 0 1", 0),
        ("7k/8/8/4m2r/3K4/8/8/8 w - - 0 1", 0),
        ("7k/8/7r/4m3/3K4/8/8/8 w - - 0 1", 1),
        ("3r3k/8/8/8/3K4/8/8/8 w - - 0 1", 0),
    ] {
        let setup = Setup::parse(fen, Rules::Makpong, Dialect::Fairy).unwrap();
        let position = Makruk::from_setup(setup).unwrap();
        assert_eq!(position.count_moves(), moves, "{fen}");
        assert_eq!(position.legal_moves().len(), moves, "{fen}");
        let mate = Outcome::Checkmate { winner: Color::Black };
        assert_eq!(position.outcome(), (moves == 0).then_some(mate), "{fen}");
    }
}
