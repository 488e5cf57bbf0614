//! Scores by group, against plain loops over the games. Openings are those that the 0x88 board finds, ratings those of
//! FIDE's table.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use halfmove_archive::{Archive, ArchiveError, Filter, FilterError, ScoresBy};
use halfmove_game::Game;
use halfmove_mailbox as mailbox;
use halfmove_rules::{Chess, Color};

use crate::changes::remove;
use crate::details::{Facts, difference, facts, mean};
use crate::openings::{fields, listed, positions, some_games, with_faults};
use crate::{Outcome, archive, game, import};

const ALL: [ScoresBy; 8] = [
    ScoresBy::Opening,
    ScoresBy::Variation,
    ScoresBy::PositionEco,
    ScoresBy::Color,
    ScoresBy::Opponent,
    ScoresBy::Year,
    ScoresBy::Event,
    ScoresBy::TimeControl,
];

/// The facts about a game.
struct Known {
    facts: Facts,
    positions: Vec<String>,
    /// Code and name of its opening.
    opening: Option<(String, String)>,
    names: [String; 2],
    event: Option<String>,
    control: Option<String>,
    plies: usize,
}

fn known(games: &[Game]) -> Vec<Known> {
    let (listed, usual) = (listed(), fields(&mailbox::Chess::default()));
    let games = games.iter().enumerate().map(|(index, game)| {
        let positions = positions(game).unwrap_or_default();
        let is_usual = positions.first() == Some(&usual);
        let mut from_the_end = positions.iter().rev().filter(|_| is_usual);
        let opening = from_the_end.find_map(|position| listed.get(position));
        let tag = |name| game.tags.value(name).map(str::to_owned);
        let text = |name| tag(name).filter(|text| text != "?" && !text.is_empty());
        Known {
            facts: facts(index as i64 + 1, game),
            opening: opening.map(|opening| (opening.eco().to_owned(), opening.name().to_owned())),
            positions,
            names: ["White", "Black"].map(|name| tag(name).unwrap_or_default()),
            event: text("Event"),
            control: text("TimeControl"),
            plies: game.moves.len(),
        }
    });
    games.collect()
}

fn words(name: &str) -> Vec<String> {
    let words = name.split(|char: char| !char.is_alphanumeric() && char != '_');
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// The words that identify a name.
fn identity(name: &str) -> String {
    let outside = match name.split_once('(') {
        Some((before, rest)) => format!("{before} {}", rest.split_once(')').map_or("", |it| it.1)),
        None => name.to_owned(),
    };
    let is_name = |word: &String| {
        let is_title = ["gm", "im", "fm", "wgm", "wim", "dr", "jr", "ii"].contains(&word.as_str());
        !is_title && !word.chars().all(|char| char.is_ascii_digit())
    };
    let mut words = words(&outside);
    if words.iter().any(is_name) {
        words.retain(is_name);
    }
    words.sort();
    words.join(" ")
}

/// Returns true if a name has a word with this beginning.
fn is_player(name: &str, beginning: &str) -> bool {
    words(name).iter().any(|word| word.starts_with(beginning))
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Sits {
    White,
    Black,
    Both,
}

/// The name of the group of a game.
fn name(by: ScoresBy, game: &Known, sits: Option<Sits>) -> Option<String> {
    match by {
        ScoresBy::PositionEco => Some(game.opening.as_ref()?.0.clone()),
        ScoresBy::Opening => game
            .opening
            .as_ref()?
            .1
            .split(':')
            .next()
            .map(|first| first.split(',').next().unwrap_or_default().to_owned()),
        ScoresBy::Variation => {
            let name = &game.opening.as_ref()?.1;
            let mut full = String::new();
            let mut separators = 0;
            for char in name.chars() {
                separators += i32::from(char == ':' || char == ',');
                if separators == 2 {
                    break;
                }
                full.push(char);
            }
            Some(full)
        }
        ScoresBy::Color => sits.map(|sits| format!("{sits:?}").to_lowercase()),
        ScoresBy::Opponent => match sits? {
            Sits::White => Some(game.names[1].clone()),
            Sits::Black => Some(game.names[0].clone()),
            Sits::Both => None,
        }
        .filter(|name| !identity(name).is_empty()),
        ScoresBy::Year => game.facts.when.map(|(year, _)| format!("{year:04}")),
        ScoresBy::Event => game.event.clone(),
        ScoresBy::TimeControl => game.control.clone(),
        other => panic!("{other:?}"),
    }
}

/// Results; wins, draws, losses, other and both; the opponents' mean, performance, and the last date.
type Group = (Option<String>, [u64; 4], Option<[u64; 5]>, Option<i32>, Option<i32>, Option<String>);

fn group(name: Option<String>, games: &[(&Known, Option<Sits>)], is_scored: bool) -> Group {
    let (mut results, mut score) = ([0; 4], [0; 5]);
    let (mut opponents, mut points) = (Vec::new(), 0.0);
    for (game, sits) in games {
        let white = game.facts.points;
        let index = |points: Option<f64>| match points {
            Some(points) => 2 - (2.0 * points) as usize,
            None => 3,
        };
        results[index(white)] += 1;
        let (own, opponent) = match sits {
            Some(Sits::White) => (white, game.facts.black),
            Some(Sits::Black) => (white.map(|points| 1.0 - points), game.facts.white),
            Some(Sits::Both) => {
                score[4] += 1;
                continue;
            }
            None => continue,
        };
        score[index(own)] += 1;
        if let (Some(own), Some(opponent)) = (own, opponent) {
            opponents.push(opponent);
            points += own;
        }
    }
    let performance = mean(&opponents).filter(|_| opponents.len() >= 5);
    let performance = performance.map(|mean| mean + difference(points, opponents.len()));
    let last = games.iter().filter_map(|(game, _)| game.facts.when).max();
    let last = last.map(|(year, day)| match day {
        Some((month, day)) => format!("{year:04}-{month:02}-{day:02}"),
        None => format!("{year:04}"),
    });
    (name, results, is_scored.then_some(score), mean(&opponents), performance, last)
}

/// The groups of some games, in order.
fn expected(by: ScoresBy, games: &[(&Known, Option<Sits>)], is_scored: bool) -> Vec<Group> {
    let mut groups: BTreeMap<Option<String>, Vec<_>> = BTreeMap::new();
    for (game, sits) in games {
        groups.entry(name(by, game, *sits)).or_default().push((*game, *sits));
    }
    let mut spellings: Vec<_> = groups.into_iter().collect();
    spellings.sort_by_key(|(name, games)| (Reverse(games.len()), name.is_none(), name.clone()));
    let mut joined: Vec<(Option<String>, Vec<_>)> = Vec::new();
    for (name, games) in spellings {
        let is_same = |other: &Option<String>| match (by, other, &name) {
            (ScoresBy::Opponent, Some(one), Some(two)) => identity(one) == identity(two),
            _ => *other == name,
        };
        match joined.iter_mut().find(|(other, _)| is_same(other)) {
            Some((_, all)) => all.extend(games),
            None => joined.push((name, games)),
        }
    }
    joined.sort_by_key(|(name, games)| (Reverse(games.len()), name.is_none(), name.clone()));
    joined.into_iter().map(|(name, games)| group(name, &games, is_scored)).collect()
}

fn found(archive: &Archive, filter: &Filter, by: ScoresBy) -> Result<Vec<Group>, ArchiveError> {
    let groups = archive.scores(filter, by)?.into_iter().map(|group| {
        let (results, score) = (group.results, group.score);
        let last = group.last_played.map(|period| period.to_string());
        (
            group.value,
            [results.white, results.draws, results.black, results.other],
            score.map(|it| [it.wins, it.draws, it.losses, it.other, it.both]),
            group.average_opponent_rating,
            group.performance,
            last,
        )
    });
    Ok(groups.collect())
}

/// Two files, with games deleted from both; then one, in another order.
#[test]
fn scores_are_those_of_plain_loops() -> Outcome {
    let games = some_games(6);
    let known = known(&games);
    let (_folder, first) = archive(&with_faults(&games[..1_500]));
    import(&first, &with_faults(&games[1_500..]));
    let archive = first.refresh()?;
    assert!(remove(&archive, |game| game.id % 7 == 0)? > 500);
    let archive = archive.refresh()?;
    let left: Vec<&Known> = known.iter().filter(|game| game.facts.id % 7 != 0).collect();
    let text = |text: &str| Some(text.to_owned());
    let e4 = game(&Chess::default(), "e4");
    let after_e4_text = positions(&e4).and_then(|mut all| all.pop()).ok_or("no position")?;
    let after_e4 = e4.final_position();
    let all = Filter::default();
    // A letter, so that there are opponents of the same name; and a player of the masters.
    let m = Filter { player: text("m"), ..all.clone() };
    let cases = [
        (all.clone(), None),
        (Filter { min_plies: Some(61), ..all.clone() }, None),
        (m.clone(), Some("m")),
        (Filter { color: Some(Color::Black), ..m.clone() }, Some("m")),
        (Filter { position: Some(after_e4), ..m.clone() }, Some("m")),
        (Filter { player: text("tal"), ..all }, Some("tal")),
    ];
    let check = |archive: &Archive| -> Outcome {
        let (mut joined, mut rated) = (0, 0);
        for (filter, player) in &cases {
            let is_match = |game: &&&Known| {
                (filter.min_plies.is_none() || game.plies > 60)
                    && (filter.position.is_none() || game.positions.contains(&after_e4_text))
            };
            let seated = left.iter().filter(is_match).filter_map(|game| {
                let Some(player) = player else { return Some((*game, None)) };
                let is_it = |name: &str| match *player {
                    "tal" => words(name).contains(&"tal".to_owned()),
                    beginning => is_player(name, beginning),
                };
                let is_black = is_it(&game.names[1]);
                let is_white = is_it(&game.names[0]) && filter.color.is_none();
                match (is_white, is_black) {
                    (true, true) => Some((*game, Some(Sits::Both))),
                    (true, false) => Some((*game, Some(Sits::White))),
                    (false, true) => Some((*game, Some(Sits::Black))),
                    (false, false) => None,
                }
            });
            let seated: Vec<(&Known, Option<Sits>)> = seated.collect();
            assert!(seated.len() > 15, "{filter:?}");
            for by in ALL {
                let is_of_player = matches!(by, ScoresBy::Color | ScoresBy::Opponent);
                if player.is_none() && is_of_player {
                    let error = archive.scores(filter, by).err().ok_or("no player")?;
                    let FilterError::NoPlayer { .. } = of_filter(error) else { panic!("{by:?}") };
                    continue;
                }
                let expected = expected(by, &seated, player.is_some());
                let spelled = seated.iter().map(|(game, sits)| name(by, game, *sits));
                let spelled = spelled.collect::<std::collections::BTreeSet<_>>().len();
                joined += spelled - expected.len();
                rated += expected.iter().filter(|group| group.4.is_some()).count();
                assert_eq!(found(archive, filter, by)?, expected, "{by:?} {filter:?}");
            }
        }
        assert!(joined > 5 && rated > 10, "{joined} {rated}");
        Ok(())
    };
    check(&archive)?;
    archive.compact(&mut ())?;
    check(&archive.refresh()?)
}

fn of_filter(error: ArchiveError) -> FilterError {
    match error {
        ArchiveError::Filter(error) => error,
        other => panic!("{other}"),
    }
}

#[test]
fn names_without_a_letter_and_no_games() -> Outcome {
    let names = [
        ("Tal", "?"),
        ("Tal", ""),
        ("1924", "Tal"),
        ("GM Larsen (DEN)", "Tal"),
        ("Tal", "larsen"),
        ("Tal", "Level 2"),
        ("Level 6 (AI)", "Tal"),
    ];
    let games: Vec<_> = names
        .iter()
        .map(|(white, black)| {
            let mut game = game(&Chess::default(), "e4 c5");
            for (name, value) in [("White", white), ("Black", black), ("Event", &"?")] {
                game.tags.push(name, value);
            }
            (game, None)
        })
        .collect();
    let (_folder, archive) = archive(&games);
    let tal = Filter { player: Some("tal".to_owned()), ..Filter::default() };
    let groups = |filter: &Filter, by| {
        let groups = archive.scores(filter, by)?;
        let groups = groups.into_iter().map(|group| (group.value, group.results.games()));
        Ok::<Vec<_>, ArchiveError>(groups.collect())
    };
    let text = |text: &str| Some(text.to_owned());
    let opponents = [
        (text("GM Larsen (DEN)"), 2),
        (None, 2),
        (text("1924"), 1),
        (text("Level 2"), 1),
        (text("Level 6 (AI)"), 1),
    ];
    assert_eq!(groups(&tal, ScoresBy::Opponent)?, opponents);
    assert_eq!(groups(&tal, ScoresBy::Event)?, [(None, 7)]);
    assert_eq!(groups(&tal, ScoresBy::Year)?, [(None, 7)]);
    assert_eq!(groups(&tal, ScoresBy::Color)?, [(text("white"), 4), (text("black"), 3)]);
    let unknown = Filter { player: Some("nobody".to_owned()), ..Filter::default() };
    for by in ALL {
        assert!(groups(&unknown, by)?.is_empty(), "{by:?}");
    }
    Ok(())
}
