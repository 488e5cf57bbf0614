//! `--in-variations` with positions, moves and conditions on the board.

use crate::program::{ok, run};
use serde_json::Value;
use std::fs;

#[test]
fn conditions_hold_in_the_game_or_in_a_variation() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "1. e4 e5 2. Nf3 Nc6 (2... d6 3. d4 exd4 (3... Bg4 4. dxe5 Bxf3)) 3. Bb5 *\n\n\
                1. e4 e5 2. Nf3 d6 3. d4 exd4 *\n\n1. d4 d5 2. c4 (2. e4 dxe4) 2... e6 *\n\n1. c4 *\n";
    let file = folder.path().join("lines.pgn");
    fs::write(&file, text).expect("a file");
    let archive = folder.path().join("club").to_str().expect("text").to_owned();
    ok(&["import", &archive, file.to_str().expect("text"), "-q"]);
    // The ids that are found, and the plies: without variations, and with them.
    let found = |condition: &[&str]| {
        let answer = ok(&[&["search", &archive, "--format", "json"], condition].concat());
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        let games = answer["games"].as_array().expect("games").iter();
        games
            .map(|game| [&game["id"], &game["ply"]].map(|n| n.as_i64().expect("a number")))
            .collect::<Vec<_>>()
    };
    type Found<'a> = &'a [[i64; 2]];
    let cases: [(&[&str], Found, Found); 6] = [
        (&["--played", "exd4"], &[[2, 6]], &[[1, 3], [2, 6]]),
        (&["--played", "Nf3 d6 d4 Bg4 dxe5 Bxf3"], &[], &[[1, 3]]),
        (&["--moves", "e4 e5 Nf3 d6"], &[[2, 4]], &[[1, 3], [2, 4]]),
        (&["--imbalance", "vP", "--final"], &[[2, 6]], &[[1, 3], [2, 6], [3, 2]]),
        (&["--pattern", "8/8/8/4P3/8/8/8/8"], &[], &[[1, 3]]),
        (&["--doubled", "black:e"], &[], &[[3, 2]]),
    ];
    for (condition, main, anywhere) in cases {
        let fails = run(&[&["search", &archive], condition].concat());
        assert_eq!(fails.code, i32::from(main.is_empty()), "{condition:?}");
        if !main.is_empty() {
            assert_eq!(found(condition), main, "{condition:?}");
        }
        let with = [condition, &["--in-variations"]].concat();
        assert_eq!(found(&with), anywhere, "{condition:?}");
    }
    // Each condition may hold in another line; those on the end of the game are not about variations.
    let both = ["--played", "e4 dxe4", "--doubled", "black:e", "--in-variations"];
    assert_eq!(found(&both), [[3, 2]]);
    let nothing = run(&["search", &archive, "--ended", "checkmate", "--in-variations"]);
    assert!(nothing.code == 2, "{nothing:?}");
    let text = "--in-variations needs a position, moves or a condition on the board";
    assert!(nothing.err.contains(text) && nothing.err.contains("played"), "{nothing:?}");
}
