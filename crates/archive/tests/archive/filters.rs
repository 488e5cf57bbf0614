//! Filters, each against a look at the tags.

use std::cell::Cell;

use futures::TryStreamExt;
use halfmove_archive::{Archive, ArchiveError, Filter};
use halfmove_game::{Game, GameResult};
use halfmove_rules::Chess;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::string::string_regex;
use proptest::test_runner::TestRunner;

use crate::{Outcome, archive, game, read, testdata, wait};

fn tag<'a>(game: &'a Game, name: &str) -> &'a str {
    game.tags.value(name).unwrap_or("")
}

fn holds(game: &Game, name: &str, text: &str) -> bool {
    tag(game, name).to_lowercase().contains(text)
}

#[test]
fn filters_say_what_the_tags_say() -> Outcome {
    let mut games = read(&testdata("games/masters.pgn.zst"));
    games.extend(read(&testdata("games/lichess.pgn.zst")));
    let (_folder, archive) = archive(&games);
    let text = |text: &str| Some(text.to_owned());
    type Check = Box<dyn Fn(&Game) -> bool>;
    let cases: Vec<(&str, Filter, Check)> = vec![
        (
            "player",
            Filter { player: text("CAPABLANCA"), ..Filter::default() },
            Box::new(|game| {
                holds(game, "White", "capablanca") || holds(game, "Black", "capablanca")
            }),
        ),
        (
            "white and black",
            Filter { white: text("tal"), black: text("a"), ..Filter::default() },
            Box::new(|game| holds(game, "White", "tal") && holds(game, "Black", "a")),
        ),
        (
            "event",
            Filter { event: text("olymp"), ..Filter::default() },
            Box::new(|game| holds(game, "Event", "olymp")),
        ),
        (
            "site",
            Filter { site: text("london"), ..Filter::default() },
            Box::new(|game| holds(game, "Site", "london")),
        ),
        (
            "result",
            Filter { result: Some(GameResult::Unknown), ..Filter::default() },
            Box::new(|game| tag(game, "Result") == "*"),
        ),
        (
            "since",
            Filter { since: Some("1950".parse()?), ..Filter::default() },
            Box::new(|game| {
                tag(game, "Date").get(..4).is_some_and(|year| year >= "1950" && !year.contains('?'))
            }),
        ),
        (
            "until",
            Filter { until: Some("1900-06-15".parse()?), ..Filter::default() },
            Box::new(|game| {
                let date = tag(game, "Date");
                let year = date.get(..4).unwrap_or("????");
                let whole = !date.contains('?');
                !year.contains('?')
                    && year > "0000"
                    && if whole { date <= "1900.06.15" } else { year <= "1900" }
            }),
        ),
        (
            "eco",
            Filter { eco: text("b9"), ..Filter::default() },
            Box::new(|game| tag(game, "ECO").starts_with("B9")),
        ),
        (
            "elo",
            Filter { min_elo: Some(1900), ..Filter::default() },
            Box::new(|game| {
                ["WhiteElo", "BlackElo"]
                    .iter()
                    .all(|name| tag(game, name).parse().is_ok_and(|elo: i32| elo >= 1900))
            }),
        ),
        (
            "condition",
            Filter { condition: text("plies < 20 AND result = '1-0'"), ..Filter::default() },
            Box::new(|game| game.moves.len() < 20 && tag(game, "Result") == "1-0"),
        ),
        (
            "patterns are texts",
            Filter { event: text("%"), ..Filter::default() },
            Box::new(|game| holds(game, "Event", "%")),
        ),
    ];
    for (name, filter, check) in cases {
        let wanted: Vec<i64> =
            games.iter().zip(1..).filter(|((game, _), _)| check(game)).map(|(_, id)| id).collect();
        assert!(name == "patterns are texts" || !wanted.is_empty(), "{name} finds something");
        let found = wait(archive.search(&filter, usize::MAX))?;
        let ids: Vec<i64> = found.games.iter().map(|game| game.id).collect();
        assert_eq!(ids, wanted, "{name}");
        assert_eq!(found.count, wanted.len() as u64, "{name}");
        let few = wait(archive.search(&filter, 7))?;
        assert_eq!(few.count, found.count, "{name}");
        assert_eq!(few.games[..], found.games[..found.games.len().min(7)], "{name}");
        assert_eq!(wait(archive.search(&filter, 0))?.count, found.count, "{name}");
    }
    Ok(())
}

/// Letters of some alphabets, with those that have more than two cases or none.
const LETTERS: &str = "[σςΣsSſßẞkK\u{212a}iIıİéÉåÅ\u{212b}ǆǅǄдД日ΐ\u{1fd3} ]";

/// So many of these letters, as in a regular expression.
fn letters(count: &str) -> impl Strategy<Value = String> {
    string_regex(&(LETTERS.to_owned() + count)).expect("an expression")
}

/// Games of these players: an archive, and its compacted copy.
fn named(names: &[String]) -> [(tempfile::TempDir, Archive); 2] {
    let games = names.iter().enumerate().map(|(number, name)| {
        let sans = ["e4 e5", "d4 d5", "c4"][number % 3];
        let mut game = game(&Chess::default(), sans);
        game.tags.push("White", name);
        (game, None)
    });
    let games: Vec<_> = games.collect();
    let [before, after] = [archive(&games), archive(&games)];
    after.1.compact(&mut ()).expect("compacted");
    let compacted = after.1.refresh().expect("an archive");
    [before, (after.0, compacted)]
}

/// What all ways to use a filter make of it: they mean the same games.
fn meant(archive: &Archive, filter: &Filter) -> Vec<i64> {
    wait(async {
        let found = archive.search(filter, usize::MAX).await.expect("a search");
        let ids: Vec<i64> = found.games.iter().map(|game| game.id).collect();
        let games = archive.games(filter).await.expect("games");
        let exported: Vec<i64> = games.map_ok(|game| game.id).try_collect().await.expect("games");
        assert_eq!(exported, ids, "export {filter:?}");
        let count = ids.len() as u64;
        assert_eq!(archive.count(filter).await.expect("a count"), count, "count {filter:?}");
        let remover = archive.remover(filter).await.expect("games");
        assert_eq!(remover.games(), count, "remove {filter:?}");
        let tree = archive.explore(filter, Chess::default()).await.expect("moves");
        assert_eq!(tree.results.games(), count, "explore {filter:?}");
        ids
    })
}

/// The games that a condition of the query engine finds, which folds cases by itself.
fn asked(archive: &Archive, condition: &str) -> Vec<i64> {
    wait(async {
        let query = format!("SELECT id FROM games WHERE {condition} ORDER BY id");
        let mut answer = archive.sql(&query).await.expect("a query");
        let mut ids = Vec::new();
        while let Some(batch) = answer.try_next().await.expect("an answer") {
            let cells = batch.cells().expect("cells").into_iter().flatten();
            ids.extend(cells.map(|id| id.expect("an id").parse::<i64>().expect("a number")));
        }
        ids
    })
}

#[test]
fn names_of_any_alphabet_mean_the_same_games_everywhere() {
    let mut runner = TestRunner::deterministic();
    let names = prop::collection::vec(letters("{0,7}"), 300);
    let names = names.new_tree(&mut runner).expect("names").current();
    let [(_one, before), (_two, after)] = named(&names);
    let (found, unlike) = (Cell::new(0), Cell::new(0));
    proptest!(ProptestConfig::with_cases(128), |(needle in letters("{1,2}"))| {
        let filter = Filter { player: Some(needle.clone()), ..Filter::default() };
        let ids = meant(&before, &filter);
        prop_assert_eq!(&meant(&after, &filter), &ids);
        prop_assert_eq!(&asked(&before, &format!("white ILIKE '%{needle}%'")), &ids);
        found.set(found.get() + ids.len());
        let is_unlike = |id: &&i64| !names[**id as usize - 1].contains(&needle);
        unlike.set(unlike.get() + ids.iter().filter(is_unlike).count());
    });
    assert!(found.get() > 100 && unlike.get() > 20, "{found:?} {unlike:?}");
    // And these games go, no others.
    let filter = Filter { white: Some("Σ".to_owned()), ..Filter::default() };
    let gone = asked(&before, "white ILIKE '%ς%'");
    for archive in [before, after] {
        let remover = wait(archive.remover(&filter)).expect("games");
        remover.commit(&mut ()).expect("removed");
        let archive = archive.refresh().expect("an archive");
        let left: Vec<i64> = (1..=300).filter(|id| !gone.contains(id)).collect();
        assert_eq!(meant(&archive, &Filter::default()), left);
    }
}

/// The whole of a name, a part, and another case of it.
#[test]
fn cases_of_names() {
    let names = ["ΟΔΥΣΣΕΥΣ", "Οδυσσευς", "ſmith", "Smith", "KASIM", "Kasım"].map(str::to_owned);
    let archives = named(&names);
    for (needle, ids) in [
        ("οδυσσευς", &[1, 2][..]),
        ("σευσ", &[1, 2]),
        ("SMITH", &[3, 4]),
        ("ſmi", &[3, 4]),
        ("kasim", &[5]),
        ("kasım", &[6]),
    ] {
        let filter = Filter { player: Some(needle.to_owned()), ..Filter::default() };
        for (_, archive) in &archives {
            assert_eq!(meant(archive, &filter), ids, "{needle}");
        }
    }
}

/// A position that the explorer shows, of games that have another one.
#[test]
fn a_tree_of_games_with_another_position() -> Outcome {
    let games: Vec<_> = ["e4 e5 Nf3", "e4 e5 Nc3", "Nf3 e5 e4", "e4 c5", "d4"]
        .map(|moves| (game(&Chess::default(), moves), None))
        .into();
    let (_folder, archive) = archive(&games);
    let open = game(&Chess::default(), "e4 e5 Nf3").final_position();
    let filter = Filter::position(open.as_chess().expect("chess").clone());
    let tree = wait(archive.explore(&filter, Chess::default()))?;
    let mut moves: Vec<_> =
        tree.moves.iter().map(|mv| (mv.san.as_str(), mv.results.games())).collect();
    moves.sort_unstable();
    assert_eq!((tree.results.games(), moves), (2, vec![("Nf3", 1), ("e4", 1)]));
    Ok(())
}

#[test]
fn a_summary_holds_the_header() -> Outcome {
    let mut game = game(&Chess::default(), "e4 c5 Nf3 d6");
    for (name, value) in [
        ("Event", "Match"),
        ("Site", "Paris"),
        ("Date", "1858.??.??"),
        ("Round", "9"),
        ("White", "Anderssen, Adolf"),
        ("Black", "Morphy, Paul"),
        ("Result", "0-1"),
        ("WhiteElo", "2600"),
        ("ECO", "B50"),
    ] {
        game.tags.push(name, value);
    }
    let (_folder, archive) = archive(&[(game.clone(), None)]);
    let mut sicilian = Chess::default();
    game.moves[..2].iter().for_each(|mv| sicilian.play_unchecked(*mv));
    let found = wait(archive.search(&Filter::position(sicilian), 10))?;
    let summary = &found.games[0];
    assert_eq!(found.count, 1);
    assert_eq!((summary.id, summary.ply, summary.plies), (1, Some(2), 4));
    assert_eq!((&*summary.result, summary.date.as_deref()), ("0-1", Some("1858.??.??")));
    assert_eq!(
        (summary.white.as_deref(), summary.black.as_deref()),
        (Some("Anderssen, Adolf"), Some("Morphy, Paul"))
    );
    assert_eq!((summary.event.as_deref(), summary.site.as_deref()), (Some("Match"), Some("Paris")));
    assert_eq!((summary.round.as_deref(), summary.eco.as_deref()), (Some("9"), Some("B50")));
    assert_eq!((summary.white_elo, summary.black_elo), (Some(2600), None));
    Ok(())
}

#[test]
fn a_bad_condition_is_an_error() -> Outcome {
    let (_folder, archive) = archive(&[]);
    let filter = Filter { condition: Some("whit = 'Tal'".to_owned()), ..Filter::default() };
    match wait(archive.search(&filter, 1)) {
        Err(ArchiveError::Query(text)) => assert!(text.contains("whit"), "{text}"),
        other => panic!("{other:?}"),
    }
    Ok(())
}

#[test]
fn info_counts_what_is_there() -> Outcome {
    let mut games = read(&testdata("games/setup.pgn"));
    games.extend(read(&testdata("games/chess960.pgn")));
    games.push((game(&Chess::default(), "e4"), Some("line 3: no such move".to_owned())));
    let (_folder, archive) = archive(&games);
    let info = wait(archive.info())?;
    assert_eq!((info.games, info.plies, info.files, info.version), (84, 2_997 + 3_440 + 1, 1, 1));
    assert_eq!(
        (info.results.white, info.results.draws, info.results.black, info.results.other),
        (3, 11, 5, 65)
    );
    assert_eq!((info.faulty, &*info.format), (1, "1"));
    let own = games
        .iter()
        .filter(|(game, _)| game.start.to_string() != Chess::default().to_string())
        .count();
    assert_eq!(info.own_starts, own as u64);
    assert!(info.bytes > 0);
    let empty = wait(crate::archive(&[]).1.info())?;
    assert_eq!((empty.games, empty.plies, empty.years), (0, 0, None));
    Ok(())
}
