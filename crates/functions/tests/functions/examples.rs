//! The examples of the table, and more calls on the same games.

use halfmove_functions::FUNCTIONS;

use crate::call::{cell, evaluate};
use crate::games;

#[test]
fn examples_of_the_table_are_true() {
    let games = games::all();
    for function in &FUNCTIONS {
        let example = function.example;
        let rows = example.games.len().max(1);
        assert!(!example.calls.is_empty(), "{} has no example", function.name);
        assert_eq!(example.answers.len(), rows, "{}", function.name);
        assert_eq!(example.games.is_empty(), function.is_aggregate(), "{}", function.name);
        for (index, call) in example.calls.iter().enumerate() {
            assert!(call.starts_with(&format!("{}(", function.name)), "{call}");
            let answers = evaluate(call, &games).unwrap_or_else(|error| panic!("{call}: {error}"));
            for (number, expected) in example.answers.iter().enumerate() {
                let row = example.games.get(number).map_or(0, |id| *id as usize - 1);
                assert_eq!(cell(&answers, row), expected[index], "{call} of game {}", row + 1);
            }
        }
    }
}

#[test]
fn calls_and_their_answers() {
    let games = games::all();
    for (call, id, expected) in [
        ("clock_at(clocks, -4)", 2, "180.0"),
        ("clock_at(clocks, -5)", 2, "null"),
        ("clock_at(clocks, 9223372036854775807)", 2, "null"),
        ("clock_at(clocks, -9223372036854775808)", 2, "null"),
        ("fen_at(moves, -1)", 1, "null"),
        ("fen_at(moves, 99)", 1, "null"),
        ("move_at(moves, 0)", 1, "null"),
        ("san(moves, 0)", 1, ""),
        ("san(moves)", 8, "1. e4 e5 2. Bc2"),
        ("uci(moves)", 9, ""),
        ("positions(moves)", 9, "[]"),
        ("comments(annotations)", 1, "Philidor's defense\nSolid; José likes it"),
        ("has_comment(annotations, 'philidors solid')", 1, "false"),
        ("has_comment(annotations, 'sol')", 1, "false"),
        ("has_comment(annotations, 'sol*')", 1, "true"),
        ("moved(moves, 's')", 6, "1"),
        ("captures(moves, ' B ')", 1, "6"),
        ("ply_when(moves, 'final')", 9, "0"),
        (
            "reaches(moves, 'rnsmksnr/8/pppp1ppp/4p3/4P3/PPPP1PPP/8/RNSKMSNR w - - 0 2', 'makpong')",
            7,
            "true",
        ),
        (
            "reaches(moves, 'rnsmksnr/8/pppp1ppp/4p3/4P3/PPPP1PPP/8/RNSKMSNR w - - 0 2', 'makruk')",
            7,
            "false",
        ),
        ("tag('white')", 2, "the same in lower case"),
        ("tag('WHITE')", 2, "Ann"),
        ("tag('variant')", 5, "Chess960"),
        ("tag(other_tags, 'Opening')", 1, "Philidor Defense"),
        ("tag('')", 1, "null"),
        ("octet_length('Ståhlberg')", 1, "10"),
    ] {
        let answers = evaluate(call, &games).unwrap_or_else(|error| panic!("{call}: {error}"));
        assert_eq!(cell(&answers, id - 1), expected, "{call} of game {id}");
    }
}

#[test]
fn invalid_calls() {
    let games = games::all();
    for (call, expected) in [
        (
            "plies(result)",
            "argument 1 of plies is Utf8, expected bytes (the column moves): plies(moves)",
        ),
        ("captures(moves, 'green')", "the side \"green\" is not known: expected white or black"),
        ("castled(moves)", "castled was called with 1 arguments, expected castled(moves, 'white')"),
        (
            "comments(moves, 1)",
            "comments was called with 2 arguments, expected comments(annotations)",
        ),
        (
            "move_at(moves, 'e4')",
            "argument 2 of move_at is Utf8, expected a whole number: move_at(moves, n)",
        ),
        (
            "moved(moves)",
            "moved was called with 1 arguments, expected moved(moves, 'N') or moved(moves, 'N', 'white')",
        ),
        (
            "moved(moves, 'X')",
            "the piece \"X\" is not known: expected P, N, B, R, Q or K, or in Makruk S or M",
        ),
        ("has_comment(annotations, '?')", "\"?\" has no word in it: expected a letter or a digit"),
        (
            "plays(moves, 'Nf9')",
            "the moves \"Nf9\": character 3 of the moves: expected the rank of the square",
        ),
        (
            "plays(moves)",
            "plays was called with 1 arguments, expected plays(moves, 'Bxh7+ Kxh7 Ng5+')",
        ),
        (
            "reaches(moves, 'x')",
            "the FEN \"x\": FEN, placement of pieces, byte 0: expected a piece (PNBRQK pnbrqk), a count (1-8) or '/'",
        ),
        (
            "reaches(moves, '4k3/8/8/8/8/8/8/4K3 w KQ - 0 1')",
            "the FEN \"4k3/8/8/8/8/8/8/4K3 w KQ - 0 1\": not a legal position: white cannot castle with a rook on h1: king or rook is not in place; white cannot castle with a rook on a1: king or rook is not in place; did you mean \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"?",
        ),
        (
            "reaches(moves, '4k3/8/8/8/8/8/8/4K3')",
            "the FEN \"4k3/8/8/8/8/8/8/4K3\": FEN, side to move, byte 19: expected 'w' or 'b'; for either side: shows(moves, 'pattern:____k___/________/________/________/________/________/________/____K___')",
        ),
        (
            "reaches(moves, 'x', 'checkers')",
            "the variant \"checkers\" is not known: expected chess, chess960, makruk, makpong or asean",
        ),
        (
            "shows(moves, 'KRPvKR')",
            "the conditions \"KRPvKR\": character 1 of the conditions: expected pattern:, structure:, material:, imbalance:, opposite-bishops, pawns:, isolated:, doubled:, passed:, either-color, mirrored, for: or final: did you mean 'material:KRPvKR'?",
        ),
        (
            "tag(7)",
            "tag was called in an unknown way, expected tag('NAME') or tag(other_tags, 'NAME')",
        ),
        // Bytes of another column.
        (
            "clock_at(moves, 1)",
            "argument 1 of clock_at holds no clocks, expected bytes like those of the column clocks: byte 1: 0x11 is not a code of this version",
        ),
    ] {
        match evaluate(call, &games) {
            Err(error) => assert_eq!(error.to_string(), expected, "{call}"),
            Ok(_) => panic!("{call}: an answer"),
        }
    }
}
