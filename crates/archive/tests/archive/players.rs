//! Games of a player: scores, opponents, and similar names.

use halfmove_archive::{ArchiveError, Filter, FilterError, PlayerResult, Score};
use halfmove_rules::{Chess, Color};

use crate::filters::meant;
use crate::{Outcome, archive, game, read, testdata};

/// Two games of Smith against Smith, and others, counted for the player in the explorer, too.
#[test]
fn scores_in_the_explorer() -> Outcome {
    let games = [
        ("Smith, J", "Jones", "1-0", "e4 e5"),
        ("Jones", "Smith, J", "1-0", "e4 c5"),
        ("Jones", "Smith, K", "0-1", "e4 c5"),
        ("Smith, K", "Smith, J", "1-0", "e4 c5"),
        ("Smith, J", "Brown", "1/2-1/2", "d4 d5"),
        ("Brown", "Smith, J", "*", "d4 d5"),
        ("Brown", "Jones", "1-0", "d4 d5"),
    ];
    let games: Vec<_> = games
        .iter()
        .map(|(white, black, result, moves)| {
            let mut game = game(&Chess::default(), moves);
            for (name, value) in [("White", white), ("Black", black), ("Result", result)] {
                game.tags.push(name, value);
            }
            (game, None)
        })
        .collect();
    let (_folder, archive) = archive(&games);
    let of = |score: Option<Score>| {
        let score = score.expect("a score");
        [score.wins, score.draws, score.losses, score.other, score.both]
    };
    let text = |text: &str| Some(text.to_owned());
    let all = Filter { player: text("smith"), ..Filter::default() };
    for filter in [
        all.clone(),
        Filter { position: Some(Chess::default().into()), ..all.clone() },
        Filter { ids: Some((1..=7).collect()), ..all.clone() },
    ] {
        let tree = archive.explore(&filter, Chess::default())?;
        assert_eq!(of(tree.score), [2, 1, 1, 1, 1]);
        assert_eq!(tree.results.games(), 6);
        let moves: Vec<_> = tree.moves.iter().map(|mv| (mv.san.as_str(), of(mv.score))).collect();
        assert_eq!(moves, [("e4", [2, 0, 1, 0, 1]), ("d4", [0, 1, 0, 1, 0])]);
        assert_eq!(of(archive.search(&filter, 0)?.score), [2, 1, 1, 1, 1]);
    }
    let after_e4 = game(&Chess::default(), "e4").final_position();
    for (filter, ids, score) in [
        (Filter { color: Some(Color::White), ..all.clone() }, &[1, 4, 5][..], [2, 1, 0, 0, 0]),
        (Filter { opponent: text("jones"), ..all.clone() }, &[1, 2, 3], [2, 0, 1, 0, 0]),
        (Filter { opponent: text("smith"), ..all.clone() }, &[4], [0, 0, 0, 0, 1]),
        (Filter { player: text("smith k"), ..all.clone() }, &[3, 4], [2, 0, 0, 0, 0]),
        (
            Filter { player_result: Some(PlayerResult::Win), ..all.clone() },
            &[1, 3, 4],
            [3, 0, 0, 0, 0],
        ),
        (Filter { player_result: Some(PlayerResult::Draw), ..all.clone() }, &[5], [0, 1, 0, 0, 0]),
        (Filter { position: Some(after_e4), ..all }, &[1, 2, 3, 4], [2, 0, 1, 0, 1]),
    ] {
        assert_eq!(meant(&archive, &filter), ids, "{filter:?}");
        assert_eq!(of(archive.search(&filter, 9)?.score), score, "{filter:?}");
        let tree = archive.explore(&filter, Chess::default())?;
        assert_eq!(of(tree.score), score, "{filter:?}");
    }
    let none = archive.search(&Filter::default(), 9)?;
    assert_eq!(none.score, None);
    Ok(())
}

/// The games of `grep -wi tal` in the names of this collection.
const TAL: u64 = 502;

#[test]
fn names_of_a_collection() -> Outcome {
    let (_folder, archive) = archive(&read(&testdata("games/masters.pgn.zst")));
    let names = archive.names_near("kasparow", 5)?;
    assert!(names.iter().all(|name| !name.is_match), "{names:?}");
    assert!(names.iter().all(|name| name.name.starts_with("Kasparov")), "{names:?}");
    assert!(names.is_sorted_by(|one, next| one.games >= next.games), "{names:?}");
    let names = archive.names_near("tal", 100)?;
    let same = names.iter().filter(|name| name.is_match).map(|name| name.games).sum::<u64>();
    let filter = Filter { player: Some("tal".to_owned()), ..Filter::default() };
    let found = archive.search(&filter, usize::MAX)?;
    assert_eq!((same, found.count), (TAL, TAL));
    for game in &found.games {
        let names = [&game.white, &game.black].map(|name| name.as_deref().unwrap_or_default());
        assert!(
            names.iter().any(|name| name.starts_with("Tal") || name.contains("Tal ")),
            "{names:?}"
        );
    }
    assert_eq!(archive.names_near("nobody at all", 3)?, []);
    let empty = crate::archive(&[]).1;
    assert_eq!(empty.names_near("tal", 3)?, []);
    Ok(())
}

#[test]
fn invalid_filters() {
    let (_folder, archive) = archive(&[]);
    let text = |text: &str| Some(text.to_owned());
    for (filter, error) in [
        (
            Filter { opponent: text("tal"), ..Filter::default() },
            FilterError::NoPlayer { field: "opponent" },
        ),
        (
            Filter { color: Some(Color::White), ..Filter::default() },
            FilterError::NoPlayer { field: "color" },
        ),
        (
            Filter {
                player_result: Some(PlayerResult::Draw),
                white: text("tal"),
                ..Filter::default()
            },
            FilterError::NoPlayer { field: "player_result" },
        ),
        (
            Filter { site: text("?"), ..Filter::default() },
            FilterError::NoWord { field: "site", text: "?".to_owned() },
        ),
    ] {
        assert_eq!(filter.check().as_ref(), Err(&error));
        assert!(!filter.is_empty());
        let results = [
            archive.search(&filter, 1).map(drop),
            archive.count(&filter).map(drop),
            archive.explore(&filter, Chess::default()).map(drop),
            archive.games(&filter).map(drop),
            archive.remover(&filter).map(drop),
        ];
        for result in results {
            assert!(
                matches!(&result, Err(ArchiveError::Filter(found)) if *found == error),
                "{result:?}"
            );
        }
    }
}
