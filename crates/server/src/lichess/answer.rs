//! The JSON of Lichess's explorer.

use halfmove_archive::{
    Archive, Details, ExploreOptions, ExplorerGame, ExplorerMove, Filter, GameSummary, Results,
    ScoresBy, SearchOptions,
};
use halfmove_game::openings::Opening;
use halfmove_game::{Date, Speed, TimeControl};
use halfmove_rules::AnyPosition;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

use super::query::{Database, Query};
use crate::api::{opening_after, winner};
use crate::problem::Problem;

/// The response to a request.
pub(super) fn answer(archive: &Archive, query: &Query) -> Result<Value, Problem> {
    let here = query.position();
    let mut options = ExploreOptions::default();
    options.details = true;
    options.games = query.top_games.max(query.recent_games);
    let mut explorer = archive.explore_with(&query.filter, here.clone(), &options)?;
    explorer.moves.truncate(query.moves);
    let (top, recent) = (&explorer.top_games, &explorer.recent_games);
    let top = &top[..query.top_games.min(top.len())];
    let mut recent: Vec<&ExplorerGame> =
        recent.iter().filter(|game| !top.iter().any(|top| top.game.id == game.game.id)).collect();
    recent.truncate(query.recent_games);
    let only = explorer.moves.iter().filter_map(|mv| mv.details.as_ref()?.game.as_ref());
    let listed = top.iter().chain(recent.iter().copied()).map(|game| &game.game);
    let online = match query.database {
        Database::Masters => BTreeMap::new(),
        _ => online(archive, only.chain(listed))?,
    };
    let moves = explorer.moves.iter().map(|mv| of_move(here, mv, query.database, &online));
    let moves: Vec<Value> = moves.collect();
    let mut answer = counts(explorer.results);
    answer.insert("moves".to_owned(), moves.into());
    let listed = |game: &ExplorerGame| {
        let mut object = Map::new();
        // A game that ends in the position has no move.
        object.insert("uci".to_owned(), game.uci.clone().unwrap_or_default().into());
        object.extend(of_game(&game.game, &online));
        Value::Object(object)
    };
    if query.database != Database::Player {
        answer.insert("topGames".to_owned(), top.iter().map(listed).collect());
    }
    if query.database != Database::Masters {
        answer.insert("recentGames".to_owned(), recent.into_iter().map(listed).collect());
    }
    answer.insert("opening".to_owned(), named(query.line.opening()));
    if query.database == Database::Player {
        answer.insert("queuePosition".to_owned(), 0.into());
    }
    if query.history {
        answer.insert("history".to_owned(), history(archive, query)?);
    }
    Ok(Value::Object(answer))
}

/// The results of the position by month, without gaps.
pub(super) fn history(archive: &Archive, query: &Query) -> Result<Value, Problem> {
    let filter = Filter { position: Some(query.position().clone()), ..query.filter.clone() };
    let groups = archive.scores(&filter, ScoresBy::Month)?;
    let mut months: BTreeMap<(i32, i32), Results> = BTreeMap::new();
    for group in groups {
        let month = group.value.as_deref().and_then(|month| {
            let (year, month) = month.split_once('-')?;
            Some((year.parse().ok()?, month.parse().ok()?))
        });
        if let Some(month) = month {
            months.insert(month, group.results);
        }
    }
    let (Some(&first), Some(&last)) = (months.keys().next(), months.keys().next_back()) else {
        return Ok(json!([]));
    };
    let (mut all, mut month) = (Vec::new(), first);
    while month <= last {
        let mut object = Map::new();
        object.insert("month".to_owned(), format!("{:04}-{:02}", month.0, month.1).into());
        object.extend(counts(months.get(&month).copied().unwrap_or_default()));
        all.push(Value::Object(object));
        month = if month.1 == 12 { (month.0 + 1, 1) } else { (month.0, month.1 + 1) };
    }
    Ok(all.into())
}

/// Won, drawn and lost games; others are not counted.
fn counts(results: Results) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("white".to_owned(), results.white.into());
    object.insert("draws".to_owned(), results.draws.into());
    object.insert("black".to_owned(), results.black.into());
    object
}

fn named(opening: Option<&'static Opening>) -> Value {
    opening.map(|opening| json!({ "eco": opening.eco(), "name": opening.name() })).into()
}

fn of_move(here: &AnyPosition, mv: &ExplorerMove, database: Database, online: &Online) -> Value {
    let mut object = Map::new();
    object.insert("uci".to_owned(), mv.uci.clone().into());
    object.insert("san".to_owned(), mv.san.clone().into());
    let details = mv.details.clone().unwrap_or_default();
    let Details { average_rating, average_opponent_rating, performance, game, .. } = details;
    let ratings = match database {
        Database::Player => {
            vec![("averageOpponentRating", average_opponent_rating), ("performance", performance)]
        }
        _ => vec![("averageRating", average_rating)],
    };
    // As with games, 0 is unknown: clients expect numbers.
    for (name, rating) in ratings {
        object.insert(name.to_owned(), rating.unwrap_or(0).into());
    }
    object.extend(counts(mv.results));
    let game = game.map(|game| Value::Object(of_game(&game, online)));
    object.insert("game".to_owned(), game.into());
    object.insert("opening".to_owned(), named(opening_after(here, &mv.uci)));
    Value::Object(object)
}

/// The speeds and modes of games by their ids.
type Online = BTreeMap<i64, (Option<Speed>, &'static str)>;

/// Reads the speeds and modes of some games.
fn online<'a>(
    archive: &Archive,
    games: impl Iterator<Item = &'a GameSummary>,
) -> Result<Online, Problem> {
    let mut filter = Filter::default();
    filter.restrict(games.filter_map(|game| u64::try_from(game.id).ok()));
    let mut options = SearchOptions::first(1000);
    options.columns = vec!["tag:TimeControl".to_owned()];
    let found = archive.search_with(&filter, &options)?;
    let games = found.games.into_iter().map(|game| {
        let control = game.more.first().and_then(Option::as_deref);
        let speed = control.and_then(TimeControl::of_tag).map(TimeControl::speed);
        let is_casual = game.event.is_some_and(|event| event.to_lowercase().contains("casual"));
        (game.id, (speed, if is_casual { "casual" } else { "rated" }))
    });
    Ok(games.collect())
}

/// A game. Missing values are empty or 0, since clients expect texts and numbers.
fn of_game(game: &GameSummary, online: &Online) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("id".to_owned(), game.id.to_string().into());
    object.insert("winner".to_owned(), winner(&game.result).into());
    if let Some((speed, mode)) = online.get(&game.id) {
        let speed = match speed {
            Some(Speed::UltraBullet) => "ultraBullet",
            Some(speed) => speed.name(),
            None => Speed::Classical.name(),
        };
        object.insert("speed".to_owned(), speed.into());
        object.insert("mode".to_owned(), (*mode).into());
    }
    let player = |name: &Option<String>, rating: Option<i32>| json!({ "name": name.as_deref().unwrap_or("?"), "rating": rating.unwrap_or(0) });
    object.insert("white".to_owned(), player(&game.white, game.white_elo));
    object.insert("black".to_owned(), player(&game.black, game.black_elo));
    let date = game.date.as_deref().and_then(Date::of_tag);
    object.insert("year".to_owned(), date.map_or(0, Date::year).into());
    object.insert("month".to_owned(), date.and_then(Date::year_and_month).into());
    object
}
