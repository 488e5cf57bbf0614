//! Games in groups: by decade, opening and rating, and a player's scores by many values.

use axum::Json;
use axum::extract::State as Extract;
use halfmove_archive::{RATING_BAND, Results, Score, ScoreGroup, ScoresBy};
use serde::Serialize;
use utoipa::ToSchema;

use super::Answer;
use super::numbers::{Counts, PlayerScore, tenth};
use crate::parameters::{
    ARCHIVE, FILTER, Filtered, POSITION, Parameter, QueryParameters, parameter, parameters,
};
use crate::problem::Problem;
use crate::state::State;

/// Games by decade, opening and rating
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Statistics {
    archive: String,
    version: u64,
    games: u64,
    /// The half-moves of these games
    plies: u64,
    #[serde(flatten)]
    counts: Counts,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    score: Option<PlayerScore>,
    groups: Vec<Group>,
}

/// Games with a common value
#[derive(Debug, Serialize, ToSchema)]
struct Group {
    /// decade, eco or rating
    by: &'static str,
    /// null: unknown
    value: Option<String>,
    games: u64,
    #[serde(flatten)]
    counts: Counts,
}

parameters!(StatsParameters: ARCHIVE, FILTER, POSITION);

/// Games by decade, first letter of the ECO code, and mean rating
#[utoipa::path(get, path = "/api/stats", params(StatsParameters), responses((status = 200, body = Statistics), (status = 400, body = Problem)))]
pub(super) async fn stats(
    Extract(state): Extract<State>,
    mut parameters: QueryParameters,
) -> Answer<Statistics> {
    let number = super::archive(&mut parameters, &state.archives)?;
    let Filtered { filter, .. } = Filtered::read(&mut parameters, || state.last_id(number))?;
    parameters.end()?;
    let name = state.archives.name(number).to_owned();
    let statistics = state.ask(number, move |archive| {
        let stats = archive.stats(&filter)?;
        let mut groups = Vec::new();
        let mut add = |by, values: Vec<(Option<String>, Results)>| {
            let group = |(value, results): (Option<String>, Results)| Group {
                by,
                value,
                games: results.games(),
                counts: results.into(),
            };
            groups.extend(values.into_iter().map(group));
        };
        let of_decades = stats.decades.iter();
        let decade = |decade: i32| format!("{decade}s");
        add("decade", of_decades.map(|(from, results)| (from.map(decade), *results)).collect());
        let of_letters = stats.eco.iter();
        add("eco", of_letters.map(|(eco, results)| (eco.map(String::from), *results)).collect());
        let band = |from: i32| format!("{from}-{}", from + RATING_BAND - 1);
        let of_bands = stats.ratings.iter();
        add("rating", of_bands.map(|(from, results)| (from.map(band), *results)).collect());
        Ok(Statistics {
            archive: name,
            version: archive.version(),
            games: stats.results.games(),
            plies: stats.plies,
            counts: stats.results.into(),
            score: stats.score.map(PlayerScore::from),
            groups,
        })
    });
    statistics.await.map(Json)
}

/// Scores in groups
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Scores {
    archive: String,
    version: u64,
    by: String,
    /// The number of groups
    count: usize,
    games: u64,
    #[serde(flatten)]
    counts: Counts,
    white_percent: Option<f64>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    score: Option<PlayerScore>,
    groups: Vec<Scored>,
}

/// The score in games with a common value
#[derive(Debug, Serialize, ToSchema)]
struct Scored {
    /// null: unknown
    value: Option<String>,
    games: u64,
    #[serde(flatten)]
    counts: Counts,
    white_percent: Option<f64>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    score: Option<PlayerScore>,
    #[serde(rename = "averageOpponentRating")]
    average_opponent_rating: Option<i32>,
    performance: Option<i32>,
    #[serde(rename = "lastPlayed")]
    last_played: Option<String>,
}

impl From<ScoreGroup> for Scored {
    fn from(group: ScoreGroup) -> Self {
        Self {
            value: group.value,
            games: group.results.games(),
            counts: group.results.into(),
            white_percent: group.results.white_percent().map(tenth),
            score: group.score.map(PlayerScore::from),
            average_opponent_rating: group.average_opponent_rating,
            performance: group.performance,
            last_played: group.last_played.map(|period| period.to_string()),
        }
    }
}

/// The values by which scores can be grouped.
const BY: [(&str, ScoresBy); 11] = [
    ("opening", ScoresBy::Opening),
    ("variation", ScoresBy::Variation),
    ("eco", ScoresBy::Eco),
    ("position_eco", ScoresBy::PositionEco),
    ("color", ScoresBy::Color),
    ("opponent", ScoresBy::Opponent),
    ("year", ScoresBy::Year),
    ("month", ScoresBy::Month),
    ("event", ScoresBy::Event),
    ("time_control", ScoresBy::TimeControl),
    ("speed", ScoresBy::Speed),
];

const GROUPS: &[Parameter] = &[
    parameter(
        "by",
        "opening, variation, eco (of the tag, or by position if that is not a code), position_eco, color, opponent, year, month, event, time_control or speed; color and opponent need a player",
    ),
    parameter(
        "sort",
        "games, score or name; after a - in reverse. The default is games, the most first",
    ),
    parameter("min_games", "The minimum number of games of a group"),
    parameter("limit", "The maximum number of groups, up to 10000; the default is 1000"),
];

parameters!(ScoresParameters: ARCHIVE, GROUPS, FILTER, POSITION);

/// Scores by opening, opponent, year and more: of a player, or of White
#[utoipa::path(get, path = "/api/scores", params(ScoresParameters), responses((status = 200, body = Scores), (status = 400, body = Problem)))]
pub(super) async fn scores(
    Extract(state): Extract<State>,
    mut parameters: QueryParameters,
) -> Answer<Scores> {
    let number = super::archive(&mut parameters, &state.archives)?;
    let Filtered { filter, .. } = Filtered::read(&mut parameters, || state.last_id(number))?;
    let by_name = parameters.owned("by")?.unwrap_or_else(|| "opening".to_owned());
    let by = BY.iter().find(|(name, _)| *name == by_name).map(|(_, by)| *by).ok_or_else(|| {
        let names: Vec<&str> = BY.iter().map(|(name, _)| *name).collect();
        Problem::parameter("by", format!("\"{by_name}\": expected one of {}", names.join(", ")))
    })?;
    let sort = parameters.owned("sort")?.unwrap_or_else(|| "games".to_owned());
    let (is_reversed, key) = match sort.strip_prefix('-') {
        Some(key) => (true, key.to_owned()),
        None => (false, sort),
    };
    if !matches!(key.as_str(), "games" | "score" | "name") {
        let expected = format!("\"{key}\": expected games, score or name, or the same after a -");
        return Err(Problem::parameter("sort", expected));
    }
    let least = parameters.number("min_games", 0, u64::MAX)?.unwrap_or(0);
    let limit = parameters.limit(1000)?;
    parameters.end()?;
    if filter.player.is_none() && matches!(by, ScoresBy::Color | ScoresBy::Opponent) {
        let why = format!("{by_name} is about the player, and none is named");
        return Err(Problem::parameter("by", why).with_hint("add the parameter player"));
    }
    let name = state.archives.name(number).to_owned();
    let scores = state.ask(number, move |archive| {
        let mut groups = archive.scores(&filter, by)?;
        let (mut results, mut score) = (Results::default(), Score::default());
        for group in &groups {
            results.add(&group.results);
            score += group.score.unwrap_or_default();
        }
        groups.retain(|group| group.results.games() >= least);
        sort_groups(&mut groups, &key, is_reversed);
        let count = groups.len();
        groups.truncate(limit);
        Ok(Scores {
            archive: name,
            version: archive.version(),
            by: by_name,
            count,
            games: results.games(),
            counts: results.into(),
            white_percent: results.white_percent().map(tenth),
            score: filter.player.is_some().then(|| score.into()),
            groups: groups.into_iter().map(Scored::from).collect(),
        })
    });
    scores.await.map(Json)
}

/// Sorts groups: by games and by score the largest first, by name in order; unknown values come last.
fn sort_groups(groups: &mut [ScoreGroup], key: &str, is_reversed: bool) {
    let percent = |group: &ScoreGroup| match &group.score {
        Some(score) => score.percent(),
        None => group.results.white_percent(),
    };
    match key {
        // They come in this order.
        "games" if !is_reversed => {}
        "games" => groups.reverse(),
        "score" => groups.sort_by(|one, other| match (percent(one), percent(other)) {
            (Some(one), Some(other)) if is_reversed => one.total_cmp(&other),
            (Some(one), Some(other)) => other.total_cmp(&one),
            (one, other) => one.is_none().cmp(&other.is_none()),
        }),
        _ => groups.sort_by(|one, other| {
            let by_name = one.value.cmp(&other.value);
            let by_name = if is_reversed { by_name.reverse() } else { by_name };
            one.value.is_none().cmp(&other.value.is_none()).then(by_name)
        }),
    }
}
