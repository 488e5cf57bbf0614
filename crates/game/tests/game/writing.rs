//! PGN, written and read back.

use halfmove_game::pgn::{GameReader, Writer, write_game};
use halfmove_game::{Game, Tags};
use halfmove_rules::{Chess, San};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn write(game: &Game) -> String {
    let mut writer = Writer::new(Vec::new());
    writer.write(game).expect("sound names");
    String::from_utf8(writer.into_inner()).expect("text")
}

fn read(text: &str) -> Game {
    let mut game = Game::default();
    GameReader::new(text.as_bytes())
        .read(&mut game)
        .expect("memory does not fail")
        .expect("a game");
    game
}

#[test]
fn export_format() {
    let text = r#"[Event "A \"q\" and a \\"]
[Site "?"]
[Date "2020.01.01"]
[Site "again"]
[Result "1/2-1/2"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8.
Ng1 Ng8 9. Nf3 Nf6 10. Ng1 Ng8 1/2-1/2

"#;
    assert_eq!(write(&read(text)), text);
}

#[test]
fn starts_and_numbers() {
    let text = "[FEN \"4k3/8/8/8/8/8/8/R3K2R b KQ - 3 41\"]\n\n41... Kf8 42. O-O+ Kg8 *\n\n";
    assert_eq!(write(&read(text)), text);
    // The tag is added if it is missing.
    let mut game = read(text);
    game.tags = Tags::from_iter([("White", "a")]);
    assert_eq!(write(&game), format!("[White \"a\"]\n[SetUp \"1\"]\n{text}"));
    assert_eq!(read(&write(&game)).start, game.start);
}

/// A game of Chess960 is read back as one, even from the standard starting position, where only the tag
/// shows it.
#[test]
fn chess960_is_named() {
    let usual = Chess::default();
    let castles = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse::<Chess>().expect("a FEN");
    let shuffled = Chess::chess960(0).expect("a start");
    for start in [&usual, &castles, &shuffled] {
        let game = Game { start: start.clone().into_chess960().into(), ..Game::default() };
        let text = write(&game);
        assert!(text.starts_with("[Variant \"Chess960\"]\n"), "{text}");
        let again = read(&text);
        assert_eq!(again.start.to_string(), game.start.to_string());
        assert!(again.chess_start().is_some_and(Chess::is_chess960), "{text}");
        // When it is written again, the tag is already there.
        assert_eq!(write(&again), text);
    }
    for start in [usual, castles] {
        let game = Game {
            tags: Tags::from_iter([("Event", "?")]),
            start: start.into(),
            ..Game::default()
        };
        assert!(!write(&game).contains("Variant"), "{}", write(&game));
        assert!(!read(&write(&game)).chess_start().is_some_and(Chess::is_chess960));
    }
    // An existing tag stays; an empty one names no variant and is filled in.
    for (given, written) in [("Fischerandom", "Fischerandom"), ("", "Chess960"), (" ", "Chess960")]
    {
        let tags = Tags::from_iter([("Variant", given)]);
        let game = Game { tags, start: Chess::default().into_chess960().into(), ..Game::default() };
        let text = write(&game);
        assert_eq!(text, format!("[Variant \"{written}\"]\n\n*\n\n"));
        assert!(read(&text).chess_start().is_some_and(Chess::is_chess960), "{text}");
    }
}

#[test]
fn results() {
    let mut game = Game::default();
    assert_eq!(write(&game), "*\n\n");
    game.tags.push("Result", "0-1");
    assert_eq!(write(&game), "[Result \"0-1\"]\n\n0-1\n\n");
    game.tags = Tags::from_iter([("Result", "White won")]);
    assert_eq!(write(&game), "[Result \"White won\"]\n\n*\n\n");
    game.result = Some(halfmove_game::GameResult::Draw);
    assert_eq!(write(&game), "[Result \"White won\"]\n\n1/2-1/2\n\n");
}

#[test]
fn names_that_cannot_be_written() {
    for name in ["", "two words", "a]", "\"", "%a", "a\n", "\u{e9}"] {
        let game = Game { tags: Tags::from_iter([(name, "")]), ..Game::default() };
        let error = Writer::new(Vec::new()).write(&game).expect_err("no name");
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput, "{name}");
    }
}

/// Names that the standard does not allow, but that are read, are also written.
#[test]
fn odd_names() {
    let text = "[a-a.b \"\"]\n[_ \"\"]\n[1% \"\"]\n\n*\n\n";
    assert_eq!(write(&read(text)), text);
}

prop_compose! {
    fn game()(
        tags in prop::collection::vec(("[A-Za-z0-9_][A-Za-z0-9_-]{0,12}", "[^\n\r]{0,30}"), 1..6),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..120),
    ) -> Game {
        let mut game = Game::default();
        let mut event = false;
        for (name, value) in tags {
            // A second `Event` begins another game, and the reader interprets these two.
            if matches!(name.as_str(), "FEN" | "Variant") || (name == "Event" && event) {
                continue;
            }
            event |= name == "Event";
            game.tags.push(&name, &value);
        }
        game.tags.push("Last", "\\ \"quoted\" ]");
        let mut position = Chess::default();
        for choice in choices {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[choice.index(legal.len())];
            assert_eq!(San::parse(position.san(mv).as_bytes()).and_then(|san| san.resolve(&position)), Ok(mv));
            position.play_unchecked(mv);
            game.moves.push(mv);
        }
        game.result = Some(halfmove_game::GameResult::Unknown);
        game
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn written_games_read_back(game in game()) {
        let text = write(&game);
        prop_assert!(text.lines().filter(|line| !line.starts_with('[')).all(|line| line.len() <= 80));
        prop_assert_eq!(read(&text), game, "{}", text);
    }
}

/// Without tags, a game begins with a line that has a number and a move, even if the line is broken there.
#[test]
fn games_without_tags_are_found_again() {
    let read = |text: &str| {
        let mut game = Game::default();
        GameReader::new(text.as_bytes()).read(&mut game).expect("memory").map(|_| game)
    };
    for length in 1..100 {
        // The second word is not a move, so only the number shows a game.
        let text = format!("{{{}}} 1. Nf3 hello *", "x".repeat(length));
        let game = read(&text).expect("a game");
        let written = write_game(&game).expect("no tags");
        assert_eq!(read(&written).as_ref(), Some(&game), "{written}");
        assert!(length > 78 || written.lines().all(|line| line.len() <= 80), "{written}");
    }
}
