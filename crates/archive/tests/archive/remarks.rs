//! Games with comments, glyphs or variations, compared with a walk through the games.

use halfmove_archive::{Filter, GameCondition};
use halfmove_game::{Event, Game, Part};

use crate::{Outcome, archive, read, testdata};

/// The ply of the first comment with text, squares or arrows, or glyph, or the one at which the first variation branches off.
fn first(game: &Game) -> Option<u32> {
    let mut walk = game.walk();
    while let Some((event, _)) = walk.step() {
        let ply = walk.ply() as u32;
        let is_one = match event {
            Event::Comment(comment) => comment.parts().any(|part| match part {
                Part::Text(text) => !text.trim().is_empty(),
                part => matches!(part, Part::Squares(_) | Part::Arrows(_)),
            }),
            Event::Nag(_) => true,
            Event::BeginVariation => {
                walk.step();
                return Some(walk.ply() as u32);
            }
            _ => false,
        };
        if is_one {
            return Some(ply);
        }
    }
    None
}

#[test]
fn annotated_games_are_those_of_a_walk() -> Outcome {
    let mut games = read(&testdata("games/annotated.pgn.zst"));
    games.truncate(400);
    games.extend(read(&testdata("games/lichess.pgn.zst")));
    games.extend(read(&testdata("games/makruk.pgn")));
    let has_clock = |game: &Game| {
        let comments = game.events().filter_map(|event| match event {
            Event::Comment(comment) => comment.clock(),
            _ => None,
        });
        comments.count() > 0
    };
    assert!(games.iter().any(|(game, _)| has_clock(game) && first(game).is_none()), "only clocks");
    let (_folder, archive) = archive(&games);
    let filter = Filter { conditions: vec![GameCondition::Annotated], ..Filter::default() };
    let found = archive.search(&filter, usize::MAX)?;
    let found: Vec<(i64, Option<u32>)> =
        found.games.iter().map(|game| (game.id, game.ply)).collect();
    let expected = (1..).zip(&games).filter_map(|(id, (game, _))| Some((id, Some(first(game)?))));
    let expected: Vec<(i64, Option<u32>)> = expected.collect();
    assert_eq!(found, expected);
    assert!(expected.len() > 100 && expected.len() < games.len() - 100, "{}", expected.len());
    Ok(())
}
