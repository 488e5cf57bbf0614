//! `join(split(tags)) == tags`, for any tags and for those of real games, in memory and through the files.

use halfmove_archive::{Filter, Row};
use halfmove_game::{Game, Tags};
use halfmove_rules::Chess;
use proptest::prelude::*;

use crate::{Outcome, archive, read, testdata};

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::sample::select(vec![
            "Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo", "ECO", "FEN",
            "Variant", "SetUp", "PlyCount", "event", "UTCDate",
        ]).prop_map(str::to_owned),
        1 => "[ \\\\sA-Z_é]{0,4}",
    ]
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "",
            "?",
            "-",
            "1-0",
            "0-1",
            "1/2-1/2",
            "*",
            "1/2",
            "1924.03.23",
            "1924.02.30",
            "1924.??.??",
            "0000.01.01",
            "1924-03-23",
            "2400",
            "02400",
            "+2400",
            " 2400",
            "0",
            "00",
            "2147483648",
            "99999999999999999999",
            "Chess960",
            "standard",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 9",
            "4k3/8 w",
        ])
        .prop_map(str::to_owned),
        any::<String>(),
        "[0-9]{4}\\.[0-9]{2}\\.[0-9]{2}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn any_tags_come_back(
        tags in prop::collection::vec((name(), value()), 0..12),
        start in prop::sample::select(vec![
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 7",
        ]),
    ) {
        let tags: Tags = tags.into_iter().collect();
        let game = Game { tags, start: Chess::from_fen(start, None).expect("a FEN").into(), ..Game::default() };
        let row = Row::split(&game);
        prop_assert_eq!(row.join(), game.tags.clone());
        let usual = start.ends_with("KQkq - 0 1");
        prop_assert_eq!(row.start_fen.is_none(), usual);
        prop_assert!(matches!(&*row.result, "1-0" | "0-1" | "1/2-1/2" | "*"));
    }
}

#[test]
fn typed_columns_hold_the_tags() {
    let mut game = Game::default();
    for (name, value) in [
        ("Event", "?"),
        ("Date", "1858.??.??"),
        ("White", "Morphy, Paul"),
        ("White", "Morphy, P."),
        ("Result", "1/2"),
        ("WhiteElo", "02400"),
        ("BlackElo", "2500"),
    ] {
        game.tags.push(name, value);
    }
    game.result = Some(halfmove_game::GameResult::BlackWins);
    let row = Row::split(&game);
    assert_eq!(row.event.as_deref(), Some("?"));
    assert_eq!((row.date, row.year), (None, Some(1858)));
    assert_eq!(row.white.as_deref(), Some("Morphy, Paul"));
    assert_eq!(row.result, "0-1", "a tag that is no result gives way to the moves' own token");
    assert_eq!((row.white_elo, row.black_elo), (Some(2400), Some(2500)));
    assert_eq!(row.tag_order, "Event Date White White Result WhiteElo BlackElo");
    let others: Vec<&str> = row.other_tags.iter().map(|(_, value)| value.as_ref()).collect();
    assert_eq!(others, ["1858.??.??", "Morphy, P.", "1/2", "02400"]);
    assert_eq!(row.date_text().as_deref(), Some("1858.??.??"));
}

#[test]
fn real_games_come_back_from_the_archive() -> Outcome {
    let mut games = Vec::new();
    for file in ["masters.pgn.zst", "lichess.pgn.zst", "chess960.pgn", "setup.pgn"] {
        games.extend(read(&testdata("games").join(file)));
    }
    assert_eq!(games.len(), 20_816 + 437 + 34 + 49);
    let (_folder, archive) = archive(&games);
    assert_eq!(archive.len(), games.len() as u64);
    let mut stored = archive.games(&Filter::default())?;
    for (index, (game, fault)) in games.iter().enumerate() {
        let found = stored.next().ok_or("too few games")??;
        assert_eq!(found.id, index as i64 + 1);
        assert_eq!(&found.fault, fault);
        assert_eq!(found.game.tags, game.tags, "game {}", found.id);
        assert_eq!(found.game.moves, game.moves, "game {}", found.id);
        assert_eq!(found.game.start.to_string(), game.start.to_string(), "game {}", found.id);
    }
    assert!(stored.next().is_none());
    let last = games.len() as i64;
    assert_eq!(archive.game(last)?.game.tags, games[games.len() - 1].0.tags);
    let missing = archive.game(last + 1).expect_err("there are no more games");
    assert_eq!(
        missing.to_string(),
        format!(
            "no game has the id {}: the archive holds {last} games, the highest id is {last}",
            last + 1
        )
    );
    Ok(())
}
