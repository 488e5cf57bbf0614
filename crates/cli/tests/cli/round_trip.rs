//! PGN in, PGN out: tags and main lines come back as they were.

use crate::program::{archive_of, ok, testdata};
use halfmove_game::pgn::{GameReader, Reading};
use halfmove_game::{Game, GameResult, Input};
use std::path::Path;

/// Reads the chess games of a file one by one.
pub(crate) struct Games(GameReader<Input>);

impl Games {
    pub(crate) fn open(path: &Path) -> Self {
        Self(GameReader::new(Input::open(path).unwrap()))
    }
}

impl Iterator for Games {
    type Item = Game;

    fn next(&mut self) -> Option<Game> {
        let mut game = Game::default();
        loop {
            match self.0.read(&mut game).unwrap()? {
                Reading::Skipped(_) => {}
                Reading::Whole | Reading::Faulty(_) => return Some(game),
            }
        }
    }
}

/// Checks that two files hold the same games, and returns their number. An export always ends with a
/// result token: that of the movetext if it has one, else that of the tag.
pub(crate) fn same_games(source: &Path, export: &Path) -> u64 {
    let (mut expected, mut found) = (Games::open(source), Games::open(export));
    let mut games = 0;
    loop {
        let (expected, found) = match (expected.next(), found.next()) {
            (Some(expected), Some(found)) => (expected, found),
            (Some(_), None) => panic!("the export ends after {games} games"),
            (None, Some(found)) => panic!("the export goes on after {games} games: {found:?}"),
            (None, None) => return games,
        };
        games += 1;
        assert_eq!(found.tags, expected.tags, "game {games}");
        assert_eq!(found.start, expected.start, "game {games}");
        assert_eq!(found.moves, expected.moves, "game {games}");
        let tag = expected.tags.value("Result").and_then(|tag| tag.parse::<GameResult>().ok());
        let result = tag.or(expected.result).unwrap_or(GameResult::Unknown);
        assert_eq!(found.result, Some(result), "game {games}");
    }
}

#[test]
fn tags_and_main_lines_come_back() {
    for (name, games) in [
        ("games/masters.pgn.zst", 20_816),
        ("games/lichess.pgn.zst", 437),
        ("games/chess960.pgn", 34),
        ("games/setup.pgn", 49),
    ] {
        let (folder, archive) = archive_of(&[name]);
        let export = folder.path().join("export.pgn");
        ok(&["export", &archive, "--output", export.to_str().unwrap()]);
        assert_eq!(same_games(&testdata(name), &export), games, "{name}");
        // A second round changes nothing at all.
        let again = folder.path().join("again");
        ok(&["import", again.to_str().unwrap(), export.to_str().unwrap()]);
        let second = ok(&["export", again.to_str().unwrap()]);
        assert!(
            second == std::fs::read_to_string(&export).unwrap(),
            "{name}: second export differs"
        );
    }
}

#[test]
fn a_surplus_game_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = [1, 2].map(|games| {
        let path = folder.path().join(format!("{games}.pgn"));
        std::fs::write(&path, "[White \"A\"]\n\n1. e4 e5 *\n\n".repeat(games)).unwrap();
        path
    });
    assert_eq!(same_games(&two, &two), 2);
    assert!(std::panic::catch_unwind(|| same_games(&one, &two)).is_err());
    assert!(std::panic::catch_unwind(|| same_games(&two, &one)).is_err());
}
