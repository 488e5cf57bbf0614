//! Openings in an archive: against a list played on the 0x88 board, and against loops over all positions.

use std::collections::HashMap;

use halfmove_archive::{Archive, ArchiveError, Filter, FilterError, SearchOptions};
use halfmove_game::Game;
use halfmove_game::openings::{self, Opening};
use halfmove_game::pgn::read_game;
use halfmove_mailbox as mailbox;
use halfmove_rules::{AnyPosition, Chess};

use crate::{Outcome, archive, read, testdata};

/// The fields of a FEN that identify a position.
pub(crate) fn fields(position: &mailbox::Chess) -> String {
    position.to_fen().split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// All positions of a game of chess, on the 0x88 board.
pub(crate) fn positions(game: &Game) -> Option<Vec<String>> {
    let AnyPosition::Chess(start) = &game.start else { return None };
    let mut position = mailbox::Chess::from_fen(&start.to_string()).expect("a start");
    let mut all = vec![fields(&position)];
    for mv in &game.moves {
        position = position.play(*mv).expect("a legal move");
        all.push(fields(&position));
    }
    Some(all)
}

/// The positions of the list on the 0x88 board.
pub(crate) fn listed() -> HashMap<String, &'static Opening> {
    let mut listed = HashMap::new();
    for opening in openings::all() {
        let game = read_game(format!("{} *", opening.moves())).expect("a line");
        let mut positions = positions(&game).expect("chess");
        listed.entry(positions.pop().expect("a position")).or_insert(opening);
    }
    listed
}

/// Games of all sorts: of every file of `testdata/games`, but not all of the masters.
pub(crate) fn some_games(step: usize) -> Vec<Game> {
    let mut games = Vec::new();
    for (file, step) in [
        ("games/masters.pgn.zst", step),
        ("games/lichess.pgn.zst", 1),
        ("games/chess960.pgn", 1),
        ("games/setup.pgn", 1),
        ("games/makruk.pgn", 1),
    ] {
        games.extend(read(&testdata(file)).into_iter().step_by(step).map(|(game, _)| game));
    }
    games
}

pub(crate) fn with_faults(games: &[Game]) -> Vec<(Game, Option<String>)> {
    games.iter().map(|game| (game.clone(), None)).collect()
}

/// The names of openings in an archive, for each game.
fn names_in(archive: &Archive) -> Result<Vec<Option<String>>, ArchiveError> {
    let mut options = SearchOptions::first(usize::MAX);
    options.columns = vec!["opening".to_owned()];
    let found = archive.search_with(&Filter::default(), &options)?.games;
    Ok(found.into_iter().map(|mut game| game.more.remove(0)).collect())
}

#[test]
fn openings_are_those_of_the_0x88_board() -> Outcome {
    let (listed, games) = (listed(), some_games(20));
    assert_eq!(listed.len(), openings::all().len());
    let usual = fields(&mailbox::Chess::default());
    let (_folder, archive) = archive(&with_faults(&games));
    let (mut named, mut unnamed) = (0, 0);
    for (name, game) in names_in(&archive)?.iter().zip(&games) {
        let positions = positions(game).filter(|positions| positions[0] == usual);
        let mut from_the_end = positions.iter().flatten().rev();
        let expected = from_the_end.find_map(|position| listed.get(position)).copied();
        assert_eq!(name.as_deref(), expected.map(Opening::name), "{game:?}");
        *if expected.is_some() { &mut named } else { &mut unnamed } += 1;
    }
    assert!(named > 1_000 && unnamed > 50, "{named} named, {unnamed} not");
    Ok(())
}

/// Returns true if a name has some words.
fn has(name: &str, words: &[&str]) -> bool {
    let name = name.replace('\'', "").to_lowercase();
    let all: Vec<&str> = name.split(|char: char| !char.is_alphanumeric()).collect();
    words.iter().all(|word| match word.strip_suffix('*') {
        Some(beginning) => all.iter().any(|other| other.starts_with(beginning)),
        None => all.contains(word),
    })
}

/// The tag as a code, if it is one.
fn tag(game: &Game) -> Option<&str> {
    let tag = game.tags.value("ECO")?;
    let is_code = matches!(tag.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']);
    is_code.then_some(tag)
}

/// Games of all kinds, those of online players and a third of the masters without the tag: by name, by code, and with a
/// position.
#[test]
fn filters_by_opening() -> Outcome {
    let mut games = some_games(1);
    for (number, game) in games.iter_mut().enumerate() {
        match number % 6 {
            0 => drop(game.tags.remove("ECO")),
            1 => game.tags.set("ECO", "?"),
            _ => {}
        }
    }
    let of = |game: &Game| {
        game.start.as_chess().and_then(|start| openings::of_moves(start, &game.moves))
    };
    let slow: Vec<Option<&Opening>> = games.iter().map(of).collect();
    let (_folder, archive) = archive(&with_faults(&games));
    for (name, opening) in names_in(&archive)?.iter().zip(&slow) {
        assert_eq!(name.as_deref(), opening.map(Opening::name));
    }

    let check =
        |filter: &Filter, is_match: &dyn Fn(usize) -> bool| -> Result<usize, ArchiveError> {
            let expected: Vec<i64> =
                (0..games.len()).filter(|row| is_match(*row)).map(|row| row as i64 + 1).collect();
            let found = archive.search(filter, usize::MAX)?;
            let ids: Vec<i64> = found.games.iter().map(|game| game.id).collect();
            assert_eq!(ids, expected, "{filter:?}");
            assert_eq!(archive.count(filter)?, expected.len() as u64, "{filter:?}");
            Ok(expected.len())
        };
    let has_name =
        |row: usize, words: &[&str]| slow[row].is_some_and(|opening| has(opening.name(), words));
    for (typed, words) in [
        ("King's Indian", &["kings", "indian"][..]),
        ("sicilian", &["sicilian"]),
        ("variation najdorf", &["najdorf", "variation"]),
        ("NAJD* sicilian", &["najd*", "sicilian"]),
        ("reti", &["réti"]),
        ("Grünfeld", &["grünfeld"]),
        ("ruy lopez: berlin", &["ruy", "lopez", "berlin"]),
    ] {
        let filter = Filter { opening: Some(typed.to_owned()), ..Filter::default() };
        assert!(check(&filter, &|row| has_name(row, words))? > 5, "{typed}");
    }

    // In quotation marks, a name is that of an opening and its variations.
    for (typed, name) in [
        ("\"Sicilian Defense: Najdorf Variation\"", "Sicilian Defense: Najdorf Variation"),
        ("“sicilian defense”", "Sicilian Defense"),
        ("\"Queen's Gambit Declined\"", "Queen's Gambit Declined"),
        (" \"Reti Opening\" ", "Réti Opening"),
    ] {
        let is_match = |row: usize| {
            slow[row].is_some_and(|opening| {
                let rest = opening.name().strip_prefix(name);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ',']))
            })
        };
        let filter = Filter { opening: Some(typed.to_owned()), ..Filter::default() };
        assert!(check(&filter, &is_match)? > 5, "{typed}");
    }
    let gambits = |typed: &str| {
        archive.count(&Filter { opening: Some(typed.to_owned()), ..Filter::default() })
    };
    assert!(gambits("\"Queen's Gambit\"")? < gambits("Queen's Gambit")?);

    let code = |row: usize| tag(&games[row]).or(slow[row].map(Opening::eco));
    let mut by_position = 0;
    for (typed, first, last) in [
        ("B90", "B90", "B90"),
        ("b9", "B90", "B99"),
        ("E60-E99", "E60", "E99"),
        ("C", "C00", "C99"),
        ("B90-C10", "B90", "C10"),
    ] {
        let filter = Filter { eco: Some(typed.parse()?), ..Filter::default() };
        let is_code = |row: usize| code(row).is_some_and(|code| (first..=last).contains(&code));
        assert!(check(&filter, &is_code)? > 20, "{typed}");
        by_position +=
            (0..games.len()).filter(|row| tag(&games[*row]).is_none() && is_code(*row)).count();
    }
    assert!(by_position > 500, "{by_position}");

    // With a position, a player and combined.
    let najdorf = read_game("1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *")?;
    let position = najdorf.position(10);
    let reaches =
        |row: usize| (0..=games[row].moves.len()).any(|ply| games[row].position(ply) == position);
    let filter = Filter {
        position: Some(position.clone()),
        opening: Some("english attack".to_owned()),
        eco: Some("B90".parse()?),
        ..Filter::default()
    };
    let is_match = |row: usize| {
        has_name(row, &["english", "attack"]) && code(row) == Some("B90") && reaches(row)
    };
    assert!(check(&filter, &is_match)? > 0);
    let player = Filter {
        player: Some("kasparov".to_owned()),
        opening: Some("indian".to_owned()),
        ..Filter::default()
    };
    let plays = |game: &Game| {
        ["White", "Black"]
            .iter()
            .any(|name| game.tags.value(name).is_some_and(|name| has(name, &["kasparov"])))
    };
    assert!(check(&player, &|row| plays(&games[row]) && has_name(row, &["indian"]))? > 5);
    let tree = archive.explore(&player, Chess::default())?;
    assert_eq!(tree.results.games(), archive.count(&player)?);
    Ok(())
}

#[test]
fn unknown_names_of_openings() {
    let check = |text: &str| {
        Filter { opening: Some(text.to_owned()), ..Filter::default() }
            .check()
            .map_err(|error| error.to_string())
    };
    assert_eq!(check("najdorf"), Ok(()));
    for (text, expected) in [
        (
            "sicillian defence",
            "no opening is called \"sicillian defence\"; did you mean \"Sicilian Defense\" or ",
        ),
        (
            "najdrof",
            "no opening is called \"najdrof\"; did you mean \"Sicilian Defense: Najdorf Variation\"",
        ),
        ("xyzzy", "no opening is called \"xyzzy\""),
        (
            "\"Najdorf Variation\"",
            "no opening is called \"Najdorf Variation\"; did you mean \"Sicilian Defense: Najdorf Variation\"",
        ),
        ("?", "opening \"?\" has no word in it: expected a letter or a digit"),
    ] {
        let error = check(text).expect_err(text);
        assert!(error.starts_with(expected), "{error}");
        assert!(error.matches('"').count() <= 8, "{error}");
    }
    let (_folder, archive) = archive(&[]);
    let filter = Filter { opening: Some("najdrof".to_owned()), ..Filter::default() };
    let error = archive.count(&filter).expect_err("no such opening");
    assert!(matches!(error, ArchiveError::Filter(FilterError::NoSuchOpening { .. })), "{error}");
}
