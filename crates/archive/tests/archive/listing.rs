//! Lists of games: their order, their columns, games by id, PGN and statistics, against plain loops over the games.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use halfmove_archive::{
    ArchiveError, Filter, FilterError, RATING_BAND, SearchOptions, Sort, SortBy,
};
use halfmove_game::Game;
use halfmove_game::pgn::Writer;

use crate::{Outcome, archive, import, read, testdata};

type Games = Vec<(Game, Option<String>)>;

/// Games with and without ratings and dates.
fn games() -> Games {
    let mut games = read(&testdata("games/masters.pgn.zst"));
    games.truncate(2_000);
    games.extend(read(&testdata("games/lichess.pgn.zst")));
    games.extend(read(&testdata("games/setup.pgn")));
    games
}

fn elos(game: &Game) -> Option<(i32, i32)> {
    let elo = |name| game.tags.value(name)?.parse::<i32>().ok().filter(|elo| *elo > 0);
    elo("WhiteElo").zip(elo("BlackElo"))
}

/// Month and day with the time.
type Day = (i32, i32, Option<String>);

/// The year, and the day if it is known.
fn when(game: &Game) -> Option<(i32, Option<Day>)> {
    let date = game.tags.value("Date")?;
    let parts: Vec<Option<i32>> = date.split('.').map(|part| part.parse().ok()).collect();
    let utc = game.tags.value("UTCDate").zip(game.tags.value("UTCTime"));
    let utc = utc.map(|(date, time)| format!("{date} {time}"));
    match parts[..] {
        [Some(year), Some(month), Some(day)] => Some((year, Some((month, day, utc)))),
        [Some(year), ..] => Some((year, None)),
        _ => None,
    }
}

/// The words of a tag, without case and apostrophes.
fn words(game: &Game, tag: &str) -> Vec<String> {
    let text = game.tags.value(tag).unwrap_or_default().to_lowercase().replace('\'', "");
    assert!(text.is_ascii(), "{text}: the oracle folds no accents");
    let words = text.split(|char: char| !char.is_alphanumeric() && char != '_');
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The place of a tag's words among those of all tags; `None` if it has no word.
fn rank(game: &Game, tag: &str, all: &[Vec<String>]) -> Option<(i32, Option<Day>)> {
    let words = words(game, tag);
    let place = all.binary_search(&words).expect("a known text");
    (!words.is_empty()).then_some((place as i32, None))
}

#[test]
fn orders_are_those_of_a_sort() -> Outcome {
    let games = games();
    let tags = ["White", "Black", "ECO", "Event"];
    let mut names: Vec<Vec<String>> =
        games.iter().flat_map(|(game, _)| tags.map(|tag| words(game, tag))).collect();
    names.sort();
    names.dedup();
    let (_folder, first) = archive(&games[..1_200]);
    // Two files; after a compaction, the games are in another order.
    import(&first, &games[1_200..]);
    let two = first.refresh()?;
    let check = |archive: &halfmove_archive::Archive| -> Outcome {
        for text in
            SortBy::ALL.iter().flat_map(|by| [by.name().to_owned(), format!("-{}", by.name())])
        {
            let sort: Sort = text.parse()?;
            assert_eq!(sort.to_string(), text);
            let mut expected: Vec<usize> = (0..games.len()).collect();
            let key = |index: &usize| {
                let game = &games[*index].0;
                match text.trim_start_matches('-') {
                    "id" => Some((*index as i32, None)),
                    "date" => when(game),
                    "rating" => elos(game).map(|(white, black)| (white + black, None)),
                    "result" => ["1-0", "1/2-1/2", "0-1"]
                        .iter()
                        .position(|token| game.tags.value("Result") == Some(token))
                        .map(|place| (place as i32, None)),
                    "white" => rank(game, "White", &names),
                    "black" => rank(game, "Black", &names),
                    "eco" => rank(game, "ECO", &names),
                    "event" => rank(game, "Event", &names),
                    _ => Some((game.moves.len() as i32, None)),
                }
            };
            match sort.is_descending {
                true => expected.sort_by_key(|index| Reverse(key(index))),
                false => expected.sort_by_key(|index| (key(index).is_none(), key(index))),
            }
            for (offset, limit) in
                [(0, 10), (7, 40), (0, games.len()), (games.len() - 3, 9), (9_999, 5)]
            {
                let mut options = SearchOptions::first(limit);
                (options.offset, options.sort) = (offset, sort);
                let found = archive.search_with(&Filter::default(), &options)?;
                let ids: Vec<usize> = found.games.iter().map(|game| game.id as usize - 1).collect();
                let some = expected.iter().skip(offset).take(limit).copied();
                assert_eq!(ids, some.collect::<Vec<_>>(), "{text} {offset} {limit}");
                assert_eq!(found.count, games.len() as u64);
            }
        }
        Ok(())
    };
    check(&two)?;
    two.compact(&mut ())?;
    check(&two.refresh()?)?;
    assert!("mood".parse::<Sort>().is_err() && "--id".parse::<Sort>().is_err());
    Ok(())
}

#[test]
fn columns_are_tags() -> Outcome {
    let games = games();
    let (_folder, archive) = archive(&games);
    let mut options = SearchOptions::first(games.len());
    options.columns =
        ["tag:TimeControl", "year", "start_fen", "tag:White", "tag:Nobody", "source", "tag_order"]
            .map(str::to_owned)
            .to_vec();
    let found = archive.search_with(&Filter::default(), &options)?;
    let mut controls = 0;
    for (summary, (game, _)) in found.games.iter().zip(&games) {
        let tag = |name| game.tags.value(name).map(str::to_owned);
        let names: Vec<&str> = game.tags.iter().map(|(name, _)| name).collect();
        let expected = [
            tag("TimeControl"),
            when(game).map(|(year, _)| year.to_string()),
            tag("FEN"),
            tag("White"),
            None,
            None,
            Some(names.join(" ")),
        ];
        assert_eq!(summary.more, expected, "{}", summary.id);
        controls += usize::from(expected[0].is_some());
    }
    assert!(controls > 300);
    for name in ["moves", "tag:", "White", ""] {
        options.columns = vec![name.to_owned()];
        match archive.search_with(&Filter::default(), &options) {
            Err(ArchiveError::Filter(FilterError::NoColumn { name: found, .. })) => {
                assert_eq!(found, name);
            }
            other => panic!("{name}: {other:?}"),
        }
    }
    Ok(())
}

#[test]
fn games_and_texts_keep_their_order() -> Outcome {
    let games = games();
    let (_folder, archive) = archive(&games);
    let ids = [2_017, 3, 1_999, 3];
    let found = archive.games_of(&ids)?;
    for (stored, id) in found.iter().zip(ids) {
        assert_eq!((stored.id, &stored.game), (id, &games[id as usize - 1].0));
    }
    assert_eq!(found.len(), ids.len());
    let error = archive.games_of(&[1, 99_999]).err().ok_or("no such game")?;
    assert!(matches!(error, ArchiveError::NoSuchGame { id: 99_999, .. }), "{error}");

    let filter = Filter { result: Some(halfmove_game::GameResult::Draw), ..Filter::default() };
    for filter in [Filter::default(), filter] {
        let (mut text, mut count) = (Vec::new(), 0);
        let mut texts = archive.pgn(&filter)?;
        for some in &mut texts {
            let some = some?;
            text.extend(some.text);
            count += some.games;
        }
        let total = texts.games();
        let mut writer = Writer::new(Vec::new());
        let is_match = |game: &&(Game, Option<String>)| {
            filter.result.is_none() || game.0.tags.value("Result") == Some("1/2-1/2")
        };
        let matches: Vec<_> = games.iter().filter(is_match).collect();
        matches.iter().try_for_each(|(game, _)| writer.write(game))?;
        assert_eq!(String::from_utf8(text)?, String::from_utf8(writer.into_inner())?);
        assert_eq!((total, count), (matches.len() as u64, matches.len() as u64));
    }
    Ok(())
}

#[test]
fn statistics_are_those_of_plain_loops() -> Outcome {
    let games = games();
    let (_folder, archive) = archive(&games);
    let no_filter = Filter::default();
    let tal = Filter { player: Some("tal".to_owned()), ..Filter::default() };
    let late =
        Filter { since: Some("1950".parse()?), eco: Some("B".parse()?), ..no_filter.clone() };
    for filter in [no_filter, tal, late] {
        let found = archive.stats(&filter)?;
        let ids = archive.search(&filter, usize::MAX)?;
        let (mut decades, mut eco, mut ratings) =
            (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut plies = 0;
        for id in ids.games.iter().map(|game| game.id) {
            let game = &games[id as usize - 1].0;
            *decades.entry(when(game).map(|(year, _)| year - year % 10)).or_insert(0) += 1;
            let letter = game.tags.value("ECO").and_then(|eco| eco.chars().next());
            *eco.entry(letter.filter(char::is_ascii_uppercase)).or_insert(0) += 1;
            let mean = elos(game).map(|(white, black)| (white + black) / 2);
            *ratings.entry(mean.map(|mean| mean - mean % RATING_BAND)).or_insert(0) += 1;
            plies += game.moves.len() as u64;
        }
        let counts = |results: &halfmove_archive::Results| results.games();
        assert_eq!((found.results.games(), found.plies), (ids.count, plies));
        assert_eq!(found.score, ids.score);
        let found_decades: BTreeMap<_, _> =
            found.decades.iter().map(|(key, results)| (*key, counts(results))).collect();
        let found_eco: BTreeMap<_, _> =
            found.eco.iter().map(|(key, results)| (*key, counts(results))).collect();
        let found_ratings: BTreeMap<_, _> =
            found.ratings.iter().map(|(key, results)| (*key, counts(results))).collect();
        assert_eq!((found_decades, found_eco, found_ratings), (decades, eco, ratings));
    }
    Ok(())
}
