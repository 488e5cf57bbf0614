//! Ratings, performance, dates and lists of games of the explorer, against plain loops over the games.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use halfmove_archive::{Details, ExploreOptions, ExplorerMove, Filter};
use halfmove_game::Game;
use halfmove_rules::{Chess, Color};

use crate::{Outcome, archive, read, testdata, uci};

/// FIDE's table for scores from 100 % to 50 %, as printed.
const TABLE: &str = "\
    1.0 800 .99 677 .98 589 .97 538 .96 501 .95 470 .94 444 .93 422 .92 401 .91 383 .90 366 .89 351 .88 336 \
    .87 322 .86 309 .85 296 .84 284 .83 273 .82 262 .81 251 .80 240 .79 230 .78 220 .77 211 .76 202 .75 193 \
    .74 184 .73 175 .72 166 .71 158 .70 149 .69 141 .68 133 .67 125 .66 117 .65 110 .64 102 .63 95 .62 87 \
    .61 80 .60 72 .59 65 .58 57 .57 50 .56 43 .55 36 .54 29 .53 21 .52 14 .51 7 .50 0";

pub(crate) fn difference(points: f64, games: usize) -> i32 {
    let percent = (100.0 * points / games as f64 + 0.5).floor() as i32;
    let (text, sign) = if percent < 50 { (100 - percent, -1) } else { (percent, 1) };
    let text = if text == 100 { "1.0".to_owned() } else { format!(".{text:02}") };
    let mut words = TABLE.split_whitespace();
    words.find(|word| *word == text).expect("a line");
    sign * words.next().and_then(|word| word.parse::<i32>().ok()).expect("a number")
}

/// The values of a game's tags.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts {
    pub(crate) id: i64,
    pub(crate) white: Option<i32>,
    pub(crate) black: Option<i32>,
    /// White's.
    pub(crate) points: Option<f64>,
    /// The year, and the month and day if they are known.
    pub(crate) when: Option<(i32, Option<(i32, i32)>)>,
}

pub(crate) fn facts(id: i64, game: &Game) -> Facts {
    let elo = |name| game.tags.value(name)?.parse::<i32>().ok().filter(|elo| *elo > 0);
    let points = match game.tags.value("Result") {
        Some("1-0") => Some(1.0),
        Some("0-1") => Some(0.0),
        Some("1/2-1/2") => Some(0.5),
        _ => None,
    };
    let date: Vec<Option<i32>> =
        game.tags.value("Date").unwrap_or("").split('.').map(|part| part.parse().ok()).collect();
    let when = match date[..] {
        [Some(year), Some(month), Some(day)] => Some((year, Some((month, day)))),
        [Some(year), ..] => Some((year, None)),
        _ => None,
    };
    Facts { id, white: elo("WhiteElo"), black: elo("BlackElo"), points, when }
}

/// The mean to the nearest whole number, one half up.
pub(crate) fn mean(ratings: &[i32]) -> Option<i32> {
    let sum: f64 = ratings.iter().map(|rating| f64::from(*rating)).sum();
    (!ratings.is_empty()).then(|| (sum / ratings.len() as f64 + 0.5).floor() as i32)
}

/// Average, opponents' average, performance, last played, and the only game.
type Summary = (Option<i32>, Option<i32>, Option<i32>, Option<String>, Option<i64>);

fn expected(games: &[Facts], mover: Color) -> Summary {
    let (mut movers, mut opponents, mut points) = (Vec::new(), Vec::new(), 0.0);
    for game in games {
        let (own, other) = match mover {
            Color::White => (game.white, game.black),
            Color::Black => (game.black, game.white),
        };
        movers.extend(own);
        if let (Some(other), Some(white)) = (other, game.points) {
            opponents.push(other);
            points += if mover == Color::White { white } else { 1.0 - white };
        }
    }
    let performance = mean(&opponents).filter(|_| opponents.len() >= 5);
    let performance = performance.map(|mean| mean + difference(points, opponents.len()));
    let last = games.iter().filter_map(|game| game.when).max().map(|(year, day)| match day {
        Some((month, day)) => format!("{year:04}-{month:02}-{day:02}"),
        None => format!("{year:04}"),
    });
    let only = if let [game] = games { Some(game.id) } else { None };
    (mean(&movers), mean(&opponents), performance, last, only)
}

fn summary_of(details: Option<&Details>) -> Summary {
    let details = details.expect("details");
    (
        details.average_rating,
        details.average_opponent_rating,
        details.performance,
        details.last_played.map(|period| period.to_string()),
        details.game.as_ref().map(|game| game.id),
    )
}

/// The games with a position, and those with each move there.
fn visits(
    games: &[(Game, Option<String>)],
    target: &Chess,
) -> (Vec<Facts>, BTreeMap<String, Vec<Facts>>) {
    let (mut all, mut moves) = (Vec::new(), BTreeMap::<String, Vec<Facts>>::new());
    for (index, (game, _)) in games.iter().enumerate() {
        let mut position = game.chess_start().expect("chess").clone();
        let facts = facts(index as i64 + 1, game);
        let (mut played, mut visited) = (Vec::new(), false);
        for mv in game.moves.iter().map(Some).chain([None]) {
            if position == *target {
                visited = true;
                played.extend(mv.map(|mv| uci(*mv)));
            }
            if let Some(mv) = mv {
                position.play_unchecked(*mv);
            }
        }
        if visited {
            all.push(facts);
        }
        played.sort();
        played.dedup();
        for mv in played {
            moves.entry(mv).or_default().push(facts);
        }
    }
    (all, moves)
}

#[test]
fn details_are_those_of_plain_loops() -> Outcome {
    let mut games = read(&testdata("games/masters.pgn.zst"));
    // Few of them have ratings.
    let mut number = 0;
    games.retain(|(game, _)| {
        number += 1;
        number % 9 == 0 || game.tags.value("WhiteElo").is_some()
    });
    games.extend(read(&testdata("games/lichess.pgn.zst")));
    games.extend(read(&testdata("games/setup.pgn")));
    let (_folder, archive) = archive(&games);
    let mut targets = vec![Chess::default()];
    for (game, _) in games.iter().step_by(97) {
        let mut position = game.chess_start().expect("chess").clone();
        for (ply, mv) in game.moves.iter().enumerate().take(30) {
            position.play_unchecked(*mv);
            if matches!(ply, 0 | 3 | 6 | 11 | 29) {
                targets.push(position.clone());
            }
        }
    }
    let mut options = ExploreOptions::default();
    (options.details, options.games) = (true, 5);
    let (mut rated, mut single, mut listed) = (0, 0, 0);
    for position in targets.iter().step_by(2) {
        let (all, moves) = visits(&games, position);
        let mover = position.side_to_move();
        let filter = Filter::default();
        let answer = archive.explore_with(&filter, position.clone(), &options)?;
        assert_eq!(summary_of(answer.details.as_ref()), expected(&all, mover), "{position}");
        assert_eq!(answer.moves.len(), moves.len());
        for mv in &answer.moves {
            let found = summary_of(mv.details.as_ref());
            assert_eq!(found, expected(&moves[&mv.uci], mover), "{position} {}", mv.san);
            rated += usize::from(found.2.is_some());
            if let Some(game) = mv.details.as_ref().and_then(|details| details.game.as_ref()) {
                let (expected, _) = &games[game.id as usize - 1];
                assert_eq!(game.white.as_deref(), expected.tags.value("White"));
                single += 1;
            }
        }

        let mut top: Vec<Facts> =
            all.iter().filter(|game| game.white.and(game.black).is_some()).copied().collect();
        let sum = |game: &Facts| game.white.zip(game.black).map(|(one, other)| one + other);
        top.sort_by_key(|game| (Reverse(sum(game)), Reverse(game.when), game.id));
        let mut recent: Vec<Facts> =
            all.iter().filter(|game| game.when.is_some()).copied().collect();
        recent.sort_by_key(|game| (Reverse(game.when), game.id));
        for (found, expected) in [(&answer.top_games, top), (&answer.recent_games, recent)] {
            let ids: Vec<i64> = found.iter().map(|listed| listed.game.id).collect();
            let expected: Vec<i64> = expected.iter().take(5).map(|game| game.id).collect();
            assert_eq!(ids, expected, "{position}");
            for game in found {
                let among = |mv: &String| moves[mv].iter().any(|facts| facts.id == game.game.id);
                assert!(game.uci.as_ref().is_none_or(among), "{position}");
                listed += 1;
            }
        }
        // Without options, there are no details.
        let plain = archive.explore(&filter, position.clone())?;
        assert_eq!((plain.results, plain.moves.len()), (answer.results, answer.moves.len()));
        assert!(plain.details.is_none() && plain.top_games.is_empty());
        assert!(plain.moves.iter().all(|mv| mv.details.is_none()));
    }
    assert!(rated > 200 && single > 50 && listed > 200, "{rated} {single} {listed}");
    Ok(())
}

/// A deeper tree consists of the explorer's results for each of its positions.
#[test]
fn trees_are_made_of_positions() -> Outcome {
    let games = read(&testdata("games/masters.pgn.zst"));
    let (_folder, archive) = archive(&games);
    let filter = Filter { white: Some("fischer".to_owned()), ..Filter::default() };
    let mut options = ExploreOptions::default();
    (options.depth, options.min_games, options.details) = (4, 3, true);
    let tree = archive.explore_with(&filter, Chess::default(), &options)?;
    let mut flat = ExploreOptions::default();
    flat.details = true;
    let mut left: Vec<(Chess, Vec<ExplorerMove>, usize)> = vec![(Chess::default(), tree.moves, 1)];
    let mut nodes = 0;
    while let Some((position, moves, depth)) = left.pop() {
        let mut expected = archive.explore_with(&filter, position.clone(), &flat)?.moves;
        expected.retain(|mv| mv.results.games() >= 3);
        let without = |mv: &ExplorerMove| {
            let mut mv = mv.clone();
            mv.next.clear();
            mv.reached = None;
            mv
        };
        assert_eq!(moves.iter().map(without).collect::<Vec<_>>(), expected, "{position}");
        for mv in moves {
            assert!(depth < 4 || mv.next.is_empty());
            let mut after = position.clone();
            after.play_unchecked(after.parse_san(&mv.san)?);
            if depth < 4 {
                let games = archive.explore(&filter, after.clone())?.results.games();
                assert_eq!(mv.reached, Some(games), "{after}");
                left.push((after, mv.next, depth + 1));
            }
        }
        nodes += 1;
    }
    assert!(nodes > 8, "{nodes}");

    // A part of the games with the first position.
    (options.min_games, options.min_share, options.depth) = (0, 0.1, 1);
    let tree = archive.explore_with(&filter, Chess::default(), &options)?;
    let least = tree.results.games().div_ceil(10);
    assert!(!tree.moves.is_empty() && tree.moves.iter().all(|mv| mv.results.games() >= least));
    Ok(())
}

/// A rating of zero counts as none, and games without a result do not count.
#[test]
fn unknown_values_do_not_count() -> Outcome {
    let game = |white: &str, black: &str, date: &str, end: &str| {
        let text = format!(
            "[Date \"{date}\"]\n[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n[Result \"{end}\"]\n\n1. e4 {end}"
        );
        halfmove_game::pgn::read_game(&text).map(|game| (game, None))
    };
    let games = [
        game("2000", "0", "????.??.??", "1-0")?,
        game("-", "2200", "2001.13.40", "*")?,
        game("2401", "2300", "2000.12.31", "1/2-1/2")?,
        game("", "2500", "2001.??.??", "0-1")?,
        game("2401", "2300", "????.??.??", "1/2-1/2")?,
        game("", "2500", "????.??.??", "0-1")?,
        game("", "2400", "????.??.??", "1/2-1/2")?,
    ];
    let (_folder, archive) = archive(&games);
    let mut options = ExploreOptions::default();
    (options.details, options.games) = (true, 9);
    let answer = archive.explore_with(&Filter::default(), Chess::default(), &options)?;
    // 30 % against 2,400 on average, in five games; 2,267.3 is rounded.
    let expected = (Some(2267), Some(2400), Some(2400 - 149), Some("2001".to_owned()), None);
    assert_eq!(summary_of(answer.moves[0].details.as_ref()), expected);
    assert_eq!(summary_of(answer.details.as_ref()), expected);
    let top: Vec<i64> = answer.top_games.iter().map(|listed| listed.game.id).collect();
    let recent: Vec<i64> = answer.recent_games.iter().map(|listed| listed.game.id).collect();
    assert_eq!((top, recent), (vec![3, 5], vec![2, 4, 3]));
    Ok(())
}
