//! Games of the codec `dense`, decoded by `testdata/oracle/dense.py`, which was written from the page of the codec alone and takes the
//! rules from python-chess. It needs the Python of the other readers.

use crate::program::{ok, testdata};
use crate::readers::python;
use halfmove_game::Input;
use std::fs;
use std::io::Read;

/// The moves that the decoder finds, one line a game; `None` if it is to be left out.
fn decoded(args: &[&str]) -> Option<Vec<String>> {
    let text = python(&testdata("oracle/dense.py"), args)?;
    Some(text.lines().map(str::to_owned).collect())
}

#[test]
fn the_vectors_of_the_page_are_decoded_from_the_page() {
    let page = fs::read_to_string(testdata("../docs/reference/dense.md")).expect("a page");
    let rows = page.lines().filter(|line| line.starts_with("| dense |"));
    let vectors: Vec<&str> = rows.map(|row| row.rsplit('`').nth(1).expect("bytes")).collect();
    let args: Vec<&str> = vectors.iter().flat_map(|bytes| ["--hex", bytes]).collect();
    let Some(moves) = decoded(&args) else { return };
    let expected = [
        "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7",
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7",
        "e2e4 0000 d2d4",
        "f7g6",
        "e2e4 e7e5",
        "makruk",
    ];
    assert_eq!(moves, expected);
}

#[test]
fn games_are_decoded_from_the_page() {
    let folder = tempfile::tempdir().expect("a folder");
    for (games, table, halfmoves, most) in [
        ("masters.pgn.zst", "masters_games.tsv", 30..=40_usize, 12),
        ("setup.pgn", "setup_games.tsv", 0..=66, 12),
        ("chess960.pgn", "chess960_games.tsv", 0..=72, 2),
    ] {
        let mut bytes = Vec::new();
        Input::open(testdata("games").join(games))
            .expect("games")
            .read_to_end(&mut bytes)
            .expect("bytes");
        // Latin-1, as python-chess has read them; only tags hold other letters.
        let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
        let texts: Vec<&str> = text.split("[Event ").skip(1).collect();
        let theirs = fs::read_to_string(testdata("expected").join(table)).expect("a table");
        let (mut pgn, mut expected) = (String::new(), Vec::new());
        for row in theirs.lines().skip(1) {
            let cells: Vec<&str> = row.split('\t').collect();
            let count: usize = cells[2].parse().expect("a number");
            if halfmoves.contains(&count) && expected.len() < most {
                let number: usize = cells[0].parse().expect("a number");
                pgn.extend(["[Event ", texts[number - 1]]);
                expected.push(cells[4].to_owned());
            }
        }
        assert_eq!(expected.len(), most, "{table}");
        let [from, coded] =
            ["games.pgn", "games.hmg"].map(|name| folder.path().join(name).display().to_string());
        fs::write(&from, pgn).expect("written");
        ok(&["encode", "--codec", "dense", &from, "--output", &coded, "--force"]);
        let Some(moves) = decoded(&[&coded]) else { return };
        assert_eq!(moves, expected, "{games}");
    }
}
