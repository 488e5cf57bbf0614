//! Malformed and duplicate tags: neither changes another tag.

use halfmove_game::Game;
use halfmove_game::pgn::{Checker, Format, GameReader, Reader, Reading, write_game};

use crate::data::testdata;

fn field(name: &str) -> String {
    std::fs::read_to_string(testdata().join("field").join(name)).expect("test data")
}

/// All games of a text.
fn games(text: &str) -> Vec<Game> {
    let games = GameReader::new(text.as_bytes()).games();
    games
        .map(|game| {
            let (reading, game) = game.expect("memory does not fail");
            assert_eq!(reading, Reading::Whole, "{text}");
            game
        })
        .collect()
}

fn faults(text: &str) -> Vec<String> {
    let (mut reader, mut checker) = (Reader::new(text.as_bytes()), Checker::new());
    let mut faults = Vec::new();
    while checker.read_game(&mut reader).expect("memory does not fail") {
        faults.extend(checker.faults().iter().map(|fault| fault.kind.name().to_owned()));
    }
    faults
}

/// An annotator writes tags whose values have no quote where they begin.
#[test]
fn a_tag_that_cannot_be_read_changes_no_other() {
    for (name, broken) in [("06-annotator.pgn", 2), ("06-first.pgn", 1)] {
        let text = field(name);
        assert_eq!(faults(&text), vec!["malformed_tag"; broken], "{name}");
        let found = games(&text);
        assert_eq!(found.len(), 1, "{name}");
        let tags: Vec<_> = found[0].tags.iter().collect();
        let expected = [("Event", "T"), ("White", "Alpha"), ("Black", "Beta"), ("Result", "1-0")];
        assert_eq!(tags, expected, "{name}");
        for format in [Format::new(), Format::new().in_standard_order(), Format::new().reduced()] {
            let written = format.write(&found[0]).expect("names of tags");
            assert!(!written.contains("ACPL"), "{written}");
            assert_eq!(games(&written)[0].tags.value("White"), Some("Alpha"), "{written}");
        }
    }
}

/// It does not begin a game either, wherever it occurs.
#[test]
fn a_tag_that_cannot_be_read_begins_no_game() {
    for broken in ["White ACPL \"252\"", "Event ACPL \"2\"", "White x \"y\" z", "White", "\"x\""] {
        for before in ["", "\n"] {
            let text = format!("[Event \"T\"]\n[White \"A\"]\n{before}[{broken}]\n\n1. e4 *\n");
            let found = games(&text);
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(found[0].tags.iter().count(), 2, "{text}");
            assert_eq!(found[0].moves.len(), 1, "{text}");
            assert_eq!(faults(&text), ["malformed_tag"], "{text}");
        }
    }
    // A tag that lacks only one or both quotes is read as before.
    for sloppy in ["[White Paul Morphy]", "[White \"Paul Morphy]", "[White Paul Morphy\"]"] {
        let found = games(&format!("[Event \"T\"]\n{sloppy}\n\n1. e4 *\n"));
        assert_eq!(found[0].tags.value("White"), Some("Paul Morphy"), "{sloppy}");
        let written = write_game(&found[0]).expect("names of tags");
        assert_eq!(games(&written), found, "{written}");
    }
}

/// One game with two tags `Event`, as python-chess and pgn-extract read it.
#[test]
fn a_second_event_does_not_split_a_game() {
    for text in [
        "[Event \"A\"]\n[White \"x\"]\n[Event \"B\"]\n\n1. e4 e5 *\n\n",
        "[Event \"A\"]\n[White \"x\"]\n[Event \"B\"]\n[Black \"y\"]\n\n1. e4 e5 *\n\n",
        "[Event \"A\"]\n[Event \"B\"]\n[White \"x\"]\n\n1. e4 e5 *\n\n",
        "[Event \"A\"]\r\n[White \"x\"]\r\n[Event \"B\"]\r\n\r\n1. e4 e5 *\r\n\r\n",
        "[Event \"A\"] [White \"x\"] [Event \"B\"]\n\n1. e4 e5 *\n\n",
        "[Event \"A\"]\n[White \"x\"]\n[Event \"B \\\"b\\\"\"]\n\n1. e4 e5 *\n\n",
        "[Event \"A\"]\n[White \"x\"]\n[Event \"B\"]\n{c}\n[White \"y\"]\n\n1. e4 e5 *\n\n",
    ] {
        let found = games(&text.repeat(3));
        assert_eq!(found.len(), 3, "{text}");
        for game in &found {
            let events: Vec<_> = game.tags.iter().filter(|(name, _)| *name == "Event").collect();
            assert_eq!(events.len(), 2, "{text}");
            assert_eq!((events[0].1, game.tags.value("White")), ("A", Some("x")), "{text}");
            assert_eq!(game.moves.len(), 2, "{text}");
            let written = write_game(game).expect("names of tags");
            assert_eq!(games(&written).as_slice(), std::slice::from_ref(game), "{written}");
            let written = Format::new().in_standard_order().write(game).expect("names of tags");
            assert_eq!(games(&written).len(), 1, "{written}");
        }
    }
}

/// Games without moves and blank lines between them are still separated by the tags after `Event`.
#[test]
fn a_second_event_begins_a_game_if_the_next_tag_repeats_too() {
    let tags = "[Event \"A\"]\n[White \"x\"]\n[Black \"y\"]\n";
    let wide = " ".repeat(300);
    for between in ["", " ", "\t\t", &wide, "\n[White ACPL \"3\"]"] {
        let text = tags.replace('\n', &format!("{between}\n")).repeat(4);
        assert_eq!(games(&text).len(), 4, "{text}");
    }
    // So a tag that lacks its quotes or its bracket is one.
    for sloppy in ["[White y]", "White \"y\"]"] {
        let text = format!("{tags}[Event \"B\"]\n{sloppy}\n\n1. e4 *\n");
        assert_eq!(games(&text).len(), 2, "{text}");
    }
    // A blank line before `Event` suffices.
    let text = format!("{tags}\n[Event \"B\"]\n[Site \"z\"]\n\n1. e4 *\n");
    assert_eq!(games(&text).len(), 2, "{text}");
}
