//! Filters, each compared with the tags.

use std::cell::Cell;

use halfmove_archive::{Archive, ArchiveError, Filter, PlayerResult, Score};
use halfmove_game::{Game, GameResult, openings};
use halfmove_rules::{Chess, Color};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::string::string_regex;
use proptest::test_runner::TestRunner;

use crate::{Outcome, archive, exported, game, read, testdata};

fn tag<'a>(game: &'a Game, name: &str) -> &'a str {
    game.tags.value(name).unwrap_or("")
}

/// The words of a tag. The names of these collections are in Latin letters without accents.
fn words(game: &Game, name: &str) -> Vec<String> {
    let text = tag(game, name).replace('\'', "").to_ascii_lowercase();
    let words = text.split(|char: char| !char.is_ascii_alphanumeric() && char != '_');
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn has_word(game: &Game, name: &str, word: &str) -> bool {
    words(game, name).iter().any(|other| other == word)
}

fn has_beginning(game: &Game, name: &str, beginning: &str) -> bool {
    words(game, name).iter().any(|word| word.starts_with(beginning))
}

#[test]
fn filters_agree_with_the_tags() -> Outcome {
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
                has_word(game, "White", "capablanca") || has_word(game, "Black", "capablanca")
            }),
        ),
        (
            "white and black",
            Filter { white: text("tal"), black: text("b a*"), ..Filter::default() },
            Box::new(|game| {
                let black = words(game, "Black");
                let of =
                    |letter: char| black.iter().filter(|word| word.starts_with(letter)).count();
                has_word(game, "White", "tal") && of('a') > 0 && of('b') > 0
            }),
        ),
        (
            "initials and order",
            Filter { player: text("M. Tal"), ..Filter::default() },
            Box::new(|game| {
                ["White", "Black"]
                    .iter()
                    .any(|name| has_word(game, name, "tal") && has_beginning(game, name, "m"))
            }),
        ),
        (
            "player and opponent",
            Filter { player: text("tal"), opponent: text("botvinnik"), ..Filter::default() },
            Box::new(|game| {
                let meet =
                    |one, other| has_word(game, one, "tal") && has_word(game, other, "botvinnik");
                meet("White", "Black") || meet("Black", "White")
            }),
        ),
        (
            "player with black who won",
            Filter {
                player: text("alekhine a"),
                color: Some(Color::Black),
                player_result: Some(PlayerResult::Win),
                ..Filter::default()
            },
            Box::new(|game| {
                let name = words(game, "Black");
                let others = name.iter().filter(|word| *word != "alekhine");
                tag(game, "Result") == "0-1"
                    && has_word(game, "Black", "alekhine")
                    && others.filter(|word| word.starts_with('a')).count() > 0
            }),
        ),
        (
            "player who lost",
            Filter {
                player: text("alekhine"),
                player_result: Some(PlayerResult::Loss),
                ..Filter::default()
            },
            Box::new(|game| match tag(game, "Result") {
                "1-0" => has_word(game, "Black", "alekhine"),
                "0-1" => has_word(game, "White", "alekhine"),
                _ => false,
            }),
        ),
        (
            "event",
            Filter { event: text("olymp*"), ..Filter::default() },
            Box::new(|game| has_beginning(game, "Event", "olymp")),
        ),
        (
            "site",
            Filter { site: text("LONDON"), ..Filter::default() },
            Box::new(|game| has_word(game, "Site", "london")),
        ),
        (
            "words of a site",
            Filter { site: text("york new"), ..Filter::default() },
            Box::new(|game| has_word(game, "Site", "york") && has_word(game, "Site", "new")),
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
                // An unknown part may be the first one.
                let first = date.replace('?', "0");
                !year.contains('?') && year > "0000" && first.as_str() <= "1900.06.15"
            }),
        ),
        (
            "eco",
            Filter { eco: Some("b9".parse()?), ..Filter::default() },
            Box::new(|game| {
                let opening = openings::of_moves(&Chess::default(), &game.moves);
                match tag(game, "ECO") {
                    "" | "?" => opening.is_some_and(|opening| opening.eco().starts_with("B9")),
                    code => code.starts_with("B9"),
                }
            }),
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
            "low elo",
            Filter { min_elo: Some(1500), max_elo: Some(1900), ..Filter::default() },
            Box::new(|game| {
                ["WhiteElo", "BlackElo"].iter().all(|name| {
                    tag(game, name).parse().is_ok_and(|elo: i32| (1500..=1900).contains(&elo))
                })
            }),
        ),
        (
            "length and result",
            Filter {
                max_plies: Some(19),
                result: Some(GameResult::WhiteWins),
                ..Filter::default()
            },
            Box::new(|game| game.moves.len() < 20 && tag(game, "Result") == "1-0"),
        ),
        (
            "ids",
            Filter { ids: Some((0..=9_000).step_by(7).collect()), ..Filter::default() },
            Box::new(|_| true),
        ),
        (
            "ids and a player",
            Filter {
                ids: Some((0..=9_000).step_by(7).collect()),
                player: text("tal"),
                ..Filter::default()
            },
            Box::new(|game| has_word(game, "White", "tal") || has_word(game, "Black", "tal")),
        ),
    ];
    for (name, filter, check) in cases {
        let is_match = |id: &i64, game: &Game| match &filter.ids {
            Some(ids) => ids.contains(*id as u64) && check(game),
            None => check(game),
        };
        let numbered = (1..).zip(&games).filter(|(id, (game, _))| is_match(id, game));
        let expected: Vec<i64> = numbered.map(|(id, _)| id).collect();
        assert!(!expected.is_empty(), "{name} finds something");
        let found = archive.search(&filter, usize::MAX)?;
        let ids: Vec<i64> = found.games.iter().map(|game| game.id).collect();
        assert_eq!(ids, expected, "{name}");
        assert_eq!(found.count, expected.len() as u64, "{name}");
        assert_eq!(
            found.score,
            filter.player.as_ref().map(|_| score(&games, &expected, &filter)),
            "{name}"
        );
        let few = archive.search(&filter, 7)?;
        assert_eq!(few.score, found.score, "{name}");
        assert_eq!(few.count, found.count, "{name}");
        assert_eq!(few.games[..], found.games[..found.games.len().min(7)], "{name}");
        assert_eq!(archive.search(&filter, 0)?.count, found.count, "{name}");
    }
    Ok(())
}

/// A date that is not whole may be any of its days: of its month, or where that is not known of its year.
#[test]
fn dates_that_are_not_whole_may_be_any_day() -> Outcome {
    const DATES: [&str; 17] = [
        "????.??.??",
        "2019.??.??",
        "2019.12.??",
        "2019.12.31",
        "2020.??.??",
        "2020.??.15",
        "2020.01.??",
        "2020.02.??",
        "2020.02.30",
        "2020.03.??",
        "2020.03.15",
        "2020.03.16",
        "2020.04.??",
        "2020.13.??",
        "2020.12.??",
        "2021.01.??",
        "2021.??.??",
    ];
    // The first and the last day that it may be, as far as the characters show it.
    let days = |date: &str| {
        let parts: Vec<&str> = date.split('.').collect();
        let year = parts[0].parse::<u32>().ok()?;
        let month = parts[1].parse::<u32>().ok().filter(|month| (1..=12).contains(month));
        let whole = date.bytes().all(|byte| byte != b'?') && date != "2020.02.30";
        let day = parts[2].parse::<u32>().ok().filter(|_| whole);
        let of = |month: Option<u32>, day: Option<u32>, other: u32| {
            (year, month.unwrap_or(other), day.unwrap_or(other))
        };
        Some((of(month, day, 0), of(month, day, 99)))
    };
    let dated = |date: &str| {
        let mut game = game(&Chess::default(), "e4 e5");
        game.tags.push("Date", date);
        (game, None)
    };
    // With few other games, and with many: their tags are read in two ways.
    for others in [0, 300] {
        let mut games: Vec<_> = DATES.into_iter().map(dated).collect();
        games.extend((0..others).map(|_| dated("1999.09.09")));
        let (_folder, archive) = archive(&games);
        let bounds = ["2019", "2019-12", "2020", "2020-01", "2020-02", "2020-03", "2020-03-15"];
        for bound in bounds.into_iter().chain(["2020-03-16", "2020-04", "2020-12-31", "2021-02"]) {
            let parts: Vec<u32> =
                bound.split('-').map(|part| part.parse().expect("digits")).collect();
            let at = |other: u32| {
                let part = |index: usize| parts.get(index).copied().unwrap_or(other);
                (parts[0], part(1), part(2))
            };
            let expected = |is_within: &dyn Fn(&str) -> bool| {
                let ids =
                    games.iter().zip(1..).filter(|((game, _), _)| is_within(tag(game, "Date")));
                ids.map(|(_, id)| id).collect::<Vec<i64>>()
            };
            let since = Filter { since: Some(bound.parse()?), ..Filter::default() };
            let late = |date: &str| days(date).is_some_and(|(_, last)| last >= at(0));
            assert_eq!(meant(&archive, &since), expected(&late), "since {bound}");
            let until = Filter { until: Some(bound.parse()?), ..Filter::default() };
            let early = |date: &str| days(date).is_some_and(|(first, _)| first <= at(99));
            assert_eq!(meant(&archive, &until), expected(&early), "until {bound}");
        }
    }
    Ok(())
}

/// The score of the player in some games, counted one by one. The last word of the filter is the player's.
fn score(games: &[(Game, Option<String>)], ids: &[i64], filter: &Filter) -> Score {
    let name = filter.player.as_deref().expect("a player").to_lowercase();
    let word = name.split([' ', ',']).find(|word| word.len() > 2).expect("a word");
    let mut score = Score::default();
    for id in ids {
        let (game, _) = &games[*id as usize - 1];
        let is_white = has_word(game, "White", word) && filter.color != Some(Color::Black);
        let is_black = has_word(game, "Black", word) && filter.color != Some(Color::White);
        let count = match (is_white, is_black, tag(game, "Result")) {
            (true, true, _) => &mut score.both,
            (.., "1/2-1/2") => &mut score.draws,
            (true, _, "1-0") | (_, true, "0-1") => &mut score.wins,
            (_, true, "1-0") | (true, _, "0-1") => &mut score.losses,
            _ => &mut score.other,
        };
        *count += 1;
    }
    score
}

/// Letters of some alphabets, including those with more than two cases or none, each with its base letter.
const BASES: &[(&str, &str)] = &[
    ("σςΣ", "σ"),
    ("sSſ", "s"),
    ("ßẞ", "ss"),
    ("kK\u{212a}", "k"),
    ("iIıİ", "i"),
    ("éÉêe", "e"),
    ("åÅ\u{212b}äa", "a"),
    ("ǆǅǄ", "dz"),
    ("łŁl", "l"),
    ("дД", "д"),
    ("йИ", "и"),
    ("日", "日"),
    ("ΐ\u{1fd3}Ι", "ι"),
    ("'’", ""),
    (" ,-", " "),
];

/// The words of a text by this list.
fn bases(text: &str) -> Vec<String> {
    let base = |char| BASES.iter().find(|(all, _)| all.contains(char)).expect("a letter").1;
    let text: String = text.chars().map(base).collect();
    text.split_whitespace().map(str::to_owned).collect()
}

/// Returns true if each of some words matches a different word of a name; a single letter matches a beginning.
fn fit(typed: &[String], name: &[String]) -> bool {
    let Some((first, rest)) = typed.split_first() else { return true };
    (0..name.len()).any(|index| {
        let mut left = name.to_vec();
        let word = left.remove(index);
        let is_initial = first.chars().count() == 1 && word.starts_with(first.as_str());
        (is_initial || word == *first) && fit(rest, &left)
    })
}

/// These letters.
const LETTERS: &str = "[σςΣsSſßẞkK\u{212a}iIıİéÉêeåÅ\u{212b}äaǆǅǄłŁlдДйИ日ΐ\u{1fd3}Ι'’ ,-]";

/// This number of these letters, as a regular expression.
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

/// The games that a filter matches, by all ways to use it: they must agree.
pub(crate) fn meant(archive: &Archive, filter: &Filter) -> Vec<i64> {
    let found = archive.search(filter, usize::MAX).expect("a search");
    let ids: Vec<i64> = found.games.iter().map(|game| game.id).collect();
    assert_eq!(exported(archive, filter).expect("games"), ids, "export {filter:?}");
    let set = archive.ids(filter).expect("ids");
    assert!(set.iter().eq(ids.iter().map(|id| *id as u64)), "ids {filter:?}");
    let count = ids.len() as u64;
    assert_eq!(archive.count(filter).expect("a count"), count, "count {filter:?}");
    let remover = archive.remover(filter).expect("games");
    assert_eq!(remover.games(), count, "remove {filter:?}");
    let tree = archive.explore(filter, Chess::default()).expect("moves");
    assert_eq!(tree.results.games(), count, "explore {filter:?}");
    ids
}

#[test]
fn names_of_any_alphabet_mean_the_same_games_everywhere() {
    let mut runner = TestRunner::deterministic();
    let one = (letters("{0,3}"), letters("{1,4}")).prop_map(|(one, two)| format!("{one} {two}"));
    let names = prop::collection::vec(one, 300);
    let names = names.new_tree(&mut runner).expect("names").current();
    let [(_one, before), (_two, after)] = named(&names);
    let (found, several) = (Cell::new(0), Cell::new(0));
    let backwards = (0..names.len()).prop_map(|index| {
        let words: Vec<&str> = names[index].split(' ').rev().collect();
        words.join(" ")
    });
    proptest!(ProptestConfig::with_cases(128), |(typed in prop_oneof![letters("{1,4}"), backwards])| {
        let filter = Filter { player: Some(typed.clone()), ..Filter::default() };
        let words = bases(&typed);
        if words.is_empty() {
            let result = before.search(&filter, 1);
            prop_assert!(matches!(result, Err(ArchiveError::Filter(_))), "{result:?}");
            return Ok(());
        }
        let fits = |id: &i64| fit(&words, &bases(&names[*id as usize - 1]));
        let ids: Vec<i64> = (1..=names.len() as i64).filter(fits).collect();
        prop_assert_eq!(&meant(&before, &filter), &ids);
        prop_assert_eq!(&meant(&after, &filter), &ids);
        found.set(found.get() + ids.len());
        several.set(several.get() + ids.len() * usize::from(words.len() > 1));
    });
    assert!(found.get() > 100 && several.get() > 20, "{found:?} {several:?}");
    // These games are removed, and no others.
    let filter = Filter { white: Some("Σ".to_owned()), ..Filter::default() };
    let has_sigma =
        |id: &i64| bases(&names[*id as usize - 1]).iter().any(|word| word.starts_with('σ'));
    let gone: Vec<i64> = (1..=300).filter(has_sigma).collect();
    assert!(gone.len() > 10, "{gone:?}");
    for archive in [before, after] {
        let remover = archive.remover(&filter).expect("games");
        remover.commit(&mut ()).expect("removed");
        let archive = archive.refresh().expect("an archive");
        let left: Vec<i64> = (1..=300).filter(|id| !gone.contains(id)).collect();
        assert_eq!(meant(&archive, &Filter::default()), left);
    }
}

#[test]
fn cases_and_accents_of_names() {
    let names =
        ["ΟΔΥΣΣΕΥΣ", "Οδυσσεύς", "ſmith", "Smith, José", "KASIM", "Kasım", "Müller", "Muller"];
    let archives = named(&names.map(str::to_owned));
    for (typed, ids) in [
        ("οδυσσευς", &[1, 2][..]),
        ("οδυσσεύσ", &[1, 2]),
        ("σευσ", &[]),
        ("οδ*", &[1, 2]),
        ("SMITH", &[3, 4]),
        ("ſmi*", &[3, 4]),
        ("Jose\u{301} smith", &[4]),
        ("j. smith", &[4]),
        ("kasim", &[5, 6]),
        ("muller", &[7, 8]),
        ("MÜLLER", &[7, 8]),
        ("mueller", &[]),
    ] {
        let filter = Filter { player: Some(typed.to_owned()), ..Filter::default() };
        for (_, archive) in &archives {
            assert_eq!(meant(archive, &filter), ids, "{typed}");
        }
    }
}

/// A position in the explorer, for games that have another one.
#[test]
fn a_tree_of_games_with_another_position() -> Outcome {
    let games: Vec<_> = ["e4 e5 Nf3", "e4 e5 Nc3", "Nf3 e5 e4", "e4 c5", "d4"]
        .map(|moves| (game(&Chess::default(), moves), None))
        .into();
    let (_folder, archive) = archive(&games);
    let open = game(&Chess::default(), "e4 e5 Nf3").final_position();
    let filter = Filter::position(open.as_chess().expect("chess").clone());
    let tree = archive.explore(&filter, Chess::default())?;
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
    let found = archive.search(&Filter::position(sicilian), 10)?;
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
fn info_counts_everything() -> Outcome {
    let mut games = read(&testdata("games/setup.pgn"));
    games.extend(read(&testdata("games/chess960.pgn")));
    games.push((game(&Chess::default(), "e4"), Some("line 3: no such move".to_owned())));
    let (_folder, archive) = archive(&games);
    let info = archive.info()?;
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
    let empty = crate::archive(&[]).1.info()?;
    assert_eq!((empty.games, empty.plies, empty.years), (0, 0, None));
    Ok(())
}
