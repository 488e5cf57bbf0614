//! Makruk, Makpong and ASEAN chess, compared with leaf counts and whole games of Fairy-Stockfish.

use super::objects;
use halfmove_mailbox::{CountingPolicy, Dialect, Ending, Makruk, Rules};
use halfmove_rules::{History, Move, Outcome, Role, Square, makruk};
use serde_json::Value;
use std::collections::BTreeMap;

fn text<'a>(row: &'a Value, column: &str) -> &'a str {
    row[column].as_str().unwrap_or_else(|| panic!("no text {column} in {row}"))
}

fn rules(row: &Value) -> (Rules, makruk::Rules) {
    match text(row, "variant") {
        "makruk" => (Rules::Makruk, makruk::Rules::Makruk),
        "makpong" => (Rules::Makpong, makruk::Rules::Makpong),
        "asean" => (Rules::Asean, makruk::Rules::Asean),
        other => panic!("no game is called {other}"),
    }
}

/// A move as two squares, and the letter of the role to which a bia promotes.
fn uci(text: &str) -> Move {
    let square = |range: std::ops::Range<usize>| text[range].parse::<Square>().expect("a square");
    let (from, to) = (square(0..2), square(2..4));
    let role = match text.get(4..) {
        Some("m" | "q") => Role::Met,
        Some("s" | "b") => Role::Khon,
        Some("n") => Role::Knight,
        Some("r") => Role::Rook,
        _ => return Move::normal(from, to),
    };
    Move::promote(from, to, role).expect("a role that a bia becomes")
}

fn bitboards(fen: &str, rules: makruk::Rules) -> halfmove_rules::Makruk {
    let setup = makruk::Setup::parse(fen, rules, makruk::Dialect::Fairy);
    let setup = setup.unwrap_or_else(|e| panic!("{fen}: {e}"));
    halfmove_rules::Makruk::from_setup(setup).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

#[test]
fn leaf_counts() {
    let mut kinds: BTreeMap<(String, String), u32> = BTreeMap::new();
    for row in objects("makruk/kin_perft.jsonl") {
        let (fen, (rules, theirs)) = (text(&row, "fen"), rules(&row));
        let mailbox = Makruk::from_fen(fen, rules, Dialect::Fairy, CountingPolicy::Auto);
        let mailbox = mailbox.unwrap_or_else(|e| panic!("{fen}: {e}"));
        let bitboards = bitboards(fen, theirs);
        for (depth, nodes) in (1..).zip(row["perft"].as_array().expect("a list")) {
            let nodes = nodes.as_u64().expect("a number");
            assert_eq!(bitboards.perft(depth), nodes, "bitboards: {row}, depth {depth}");
            if nodes < 30_000 {
                assert_eq!(mailbox.perft(depth), nodes, "mailbox: {row}, depth {depth}");
            }
        }
        let kind = (text(&row, "variant").to_owned(), text(&row, "kind").to_owned());
        *kinds.entry(kind).or_default() += 1;
    }
    assert_eq!(kinds.len(), 8, "{kinds:?}");
    assert!(kinds.values().all(|rows| *rows >= 8), "{kinds:?}");
}

fn reason(ending: Option<Ending>) -> &'static str {
    match ending {
        None => "ongoing",
        Some(Ending::Checkmate { .. }) => "checkmate",
        Some(Ending::Stalemate) => "stalemate",
        Some(Ending::InsufficientMaterial) => "insufficient",
        Some(Ending::Counting) => "counting",
        Some(Ending::Threefold) => "threefold",
        Some(Ending::FiftyMoves) => "fifty",
        Some(ending) => panic!("{ending:?} ends no game of Makruk"),
    }
}

/// Plays the games on the 0x88 board and checks the count after every move, the end and its reason.
#[test]
fn games_on_the_mailbox() {
    let mut reasons: BTreeMap<&str, u32> = BTreeMap::new();
    for row in objects("makruk/kin_games.jsonl") {
        let (start, (rules, _)) = (text(&row, "start"), rules(&row));
        for (policy, fields) in
            [(CountingPolicy::Auto, "fields"), (CountingPolicy::Fairy11, "fields_11")]
        {
            // The two versions of Fairy-Stockfish differ in ASEAN chess only.
            let fields = if rules == Rules::Asean { fields } else { "fields" };
            let position = Makruk::from_fen(start, rules, Dialect::Fairy, policy);
            let mut position = position.unwrap_or_else(|e| panic!("{start}: {e}"));
            let fields = row[fields].as_array().expect("a list");
            for (mv, fields) in text(&row, "moves").split_whitespace().zip(fields) {
                if policy == CountingPolicy::Auto {
                    assert_eq!(position.ending(), None, "before {mv} in {row}");
                }
                position = position.play(uci(mv)).unwrap_or_else(|e| panic!("{mv} in {row}: {e}"));
                let fen = position.to_fen(Dialect::Fairy);
                let ours = fen.splitn(4, ' ').nth(3);
                assert_eq!(ours, fields.as_str(), "{policy:?} after {mv} in {row}");
            }
            if policy == CountingPolicy::Auto {
                // The file does not mark promoted bias.
                let fen = position.to_fen(Dialect::Fairy).replace('~', "");
                assert_eq!(fen, text(&row, "final_fen"));
                assert_eq!(reason(position.ending()), text(&row, "reason"), "{row}");
                *reasons.entry(reason(position.ending())).or_default() += 1;
            }
        }
    }
    assert!(reasons.len() >= 5 && reasons["counting"] > 20, "{reasons:?}");
}

/// The same games on the bitboards.
#[test]
fn games_on_the_bitboards() {
    for row in objects("makruk/kin_games.jsonl") {
        let (start, (_, rules)) = (text(&row, "start"), rules(&row));
        for (policy, fields) in [
            (makruk::CountingPolicy::Auto, "fields"),
            (makruk::CountingPolicy::Fairy11, "fields_11"),
        ] {
            let fields = if rules == makruk::Rules::Asean { fields } else { "fields" };
            let mut history = History::new(bitboards(start, rules).with_policy(policy));
            let fields = row[fields].as_array().expect("a list");
            for (mv, fields) in text(&row, "moves").split_whitespace().zip(fields) {
                if policy == makruk::CountingPolicy::Auto {
                    assert_eq!(history.outcome(), None, "before {mv} in {row}");
                }
                history.play(uci(mv)).unwrap_or_else(|e| panic!("{mv} in {row}: {e}"));
                let fen = history.position().to_string();
                let ours = fen.splitn(4, ' ').nth(3);
                assert_eq!(ours, fields.as_str(), "{policy:?} after {mv} in {row}");
            }
            if policy == makruk::CountingPolicy::Auto {
                let reason = match history.outcome() {
                    None => "ongoing",
                    Some(Outcome::Checkmate { .. }) => "checkmate",
                    Some(Outcome::Stalemate) => "stalemate",
                    Some(Outcome::InsufficientMaterial) => "insufficient",
                    Some(Outcome::CountingDraw) => "counting",
                    Some(Outcome::ThreefoldRepetition) => "threefold",
                    Some(Outcome::FiftyMoves) => "fifty",
                    Some(outcome) => panic!("{outcome} in {row}"),
                };
                assert_eq!(reason, text(&row, "reason"), "{row}");
            }
        }
    }
}
