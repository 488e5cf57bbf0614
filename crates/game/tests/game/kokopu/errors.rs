//! The errors that kokopu finds: three lines, with the offset of the fault in the file, its line, and a message.
//!
//! It reports one error per game and drops the game. We report faults by line, and continue.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use halfmove_game::Game;
use halfmove_game::pgn::{GameReader, Reader, Reading};

use crate::data::{all_files, collections, name_below};
use crate::recorder::{Recorder, Skips};
use crate::slow_reader::Event;

/// The lines with faults, by our reading: faults of the format or of a game, or text outside games.
fn faulty_lines(path: &Path) -> BTreeSet<u64> {
    let bytes = fs::read(path).expect("a file of the suite");
    let mut recorder = Recorder::<true>::new(Skips::NONE);
    let mut reader = Reader::new(bytes.as_slice());
    while reader.read_game(&mut recorder).expect("memory does not fail") {}
    let mut lines: BTreeSet<u64> = recorder
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Problem(_, at) | Event::Outside(_, at) => Some(at.line),
            _ => None,
        })
        .collect();
    let mut reader = GameReader::new(bytes.as_slice());
    let mut game = Game::default();
    while let Some(reading) = reader.read(&mut game).expect("memory does not fail") {
        if let Reading::Faulty(error) = reading {
            lines.insert(error.at.line);
        }
    }
    lines
}

/// The results that differ: the file, the line of kokopu's error (or 0), ours (or 0).
const DIFFERING: &[(&str, u64, u64, &str)] = &[
    ("syntactic-error-1", 8, 0, PAWN),
    ("syntactic-error-1", 31, 0, "quotes inside a value do no harm"),
    ("syntactic-error-1", 44, 0, PAWN),
    ("syntactic-error-1", 58, 0, PAWN),
    ("syntactic-error-1", 64, 0, PAWN),
    ("syntactic-error-1", 76, 79, "an open variation is reported where it must be closed at last"),
    (
        "syntactic-error-1",
        81,
        0,
        "a variation before the first move of a variation can be distinguished",
    ),
    ("syntactic-error-1", 93, 0, "a tag after the moves begins the next game"),
    ("syntactic-error-1", 0, 100, "a result without a game, because the tag above is not one"),
    ("syntactic-error-1", 105, 103, "the line without its bracket, not the one after it"),
];

const PAWN: &str = "Pe4 names a pawn's move";

#[test]
#[ignore = "needs HALFMOVE_DATA"]
fn errors() {
    let root = collections().join("malformed/kokopu");
    let (mut compared, mut broken) = (0, Vec::new());
    let errors =
        all_files(&root).into_iter().filter(|path| path.extension().is_some_and(|e| e == "err"));
    let mut folders: Vec<_> =
        errors.map(|path| path.parent().expect("a folder").to_owned()).collect();
    folders.dedup();
    for folder in folders {
        let name = name_below(&folder, &root);
        let mut ours = faulty_lines(&folder.join("database.pgn"));
        let mut theirs = BTreeSet::new();
        for path in all_files(&folder)
            .into_iter()
            .filter(|path| path.extension().is_some_and(|e| e == "err"))
        {
            let text = fs::read_to_string(&path).expect("an error");
            let line =
                text.lines().nth(1).and_then(|line| line.parse().ok()).expect("a line number");
            assert!(theirs.insert(line));
            compared += 1;
        }
        for (_, line, our_line, reason) in DIFFERING.iter().filter(|(file, ..)| *file == name) {
            if *our_line > 0 && !ours.remove(our_line) || *line > 0 && !theirs.remove(line) {
                broken.push(format!("{name}: no longer {our_line} for {line} ({reason})"));
            }
        }
        let only =
            |a: &BTreeSet<u64>, b: &BTreeSet<u64>| a.difference(b).copied().collect::<Vec<_>>();
        if ours != theirs {
            let (only_ours, only_theirs) = (only(&ours, &theirs), only(&theirs, &ours));
            broken.push(format!("{name}: only ours {only_ours:?}, only theirs {only_theirs:?}"));
        }
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
    assert_eq!(compared, 27);
}
