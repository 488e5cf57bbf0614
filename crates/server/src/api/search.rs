//! Games that match a filter: a page of them, or their number.

use std::time::Instant;

use axum::Json;
use axum::extract::State as Extract;
use halfmove_archive::{GameSummary, SearchOptions};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::numbers::PlayerScore;
use super::{Answer, milliseconds};
use crate::parameters::{
    ARCHIVE, FILTER, Filtered, POSITION, Parameter, QueryParameters, parameter, parameters,
};
use crate::problem::Problem;
use crate::state::State;

/// A page of the games that match
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Found {
    archive: String,
    version: u64,
    /// The number of all games that match
    count: u64,
    offset: usize,
    /// The time of the search
    milliseconds: f64,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    score: Option<PlayerScore>,
    games: Vec<Listed>,
}

/// A game in a list
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Listed {
    id: i64,
    variant: &'static str,
    white: Option<String>,
    black: Option<String>,
    /// The tag as it was written, even if incomplete: 1924.??.??
    date: Option<String>,
    result: String,
    /// The half-move at which the position or the other conditions first match
    ply: Option<u32>,
    event: Option<String>,
    site: Option<String>,
    round: Option<String>,
    eco: Option<String>,
    white_elo: Option<i32>,
    black_elo: Option<i32>,
    plies: u32,
    /// The columns that were asked for
    #[serde(flatten)]
    more: Map<String, Value>,
}

impl Listed {
    pub(super) fn of(game: GameSummary, columns: &[String]) -> Self {
        let more = columns.iter().cloned().zip(game.more.into_iter().map(Value::from));
        Self {
            id: game.id,
            variant: game.variant.name(),
            white: game.white,
            black: game.black,
            date: game.date,
            result: game.result,
            ply: game.ply,
            event: game.event,
            site: game.site,
            round: game.round,
            eco: game.eco,
            white_elo: game.white_elo,
            black_elo: game.black_elo,
            plies: game.plies,
            more: more.collect(),
        }
    }
}

/// The order of games.
pub(super) const SORT: Parameter = parameter(
    "sort",
    "id, date, rating, plies, white, black, result, eco or event; after a - the largest first: -date",
);

const PAGE: &[Parameter] = &[
    SORT,
    parameter("offset", "The number of games to skip"),
    parameter("limit", "The maximum number of games, up to 10000; the default is 50"),
    parameter(
        "columns",
        "Further columns, with commas: year, opening, start_fen, fault, source, tag_order, tag:NAME",
    ),
];

parameters!(SearchParameters: ARCHIVE, PAGE, FILTER, POSITION);
parameters!(CountParameters: ARCHIVE, FILTER, POSITION);

/// The games that match a filter, sorted and in pages
#[utoipa::path(get, path = "/api/search", params(SearchParameters), responses((status = 200, body = Found), (status = 400, body = Problem)))]
pub(super) async fn search(
    Extract(state): Extract<State>,
    mut parameters: QueryParameters,
) -> Answer<Found> {
    let number = super::archive(&mut parameters, &state.archives)?;
    let Filtered { filter, .. } = Filtered::read(&mut parameters, || state.last_id(number))?;
    let mut options = SearchOptions::default();
    options.sort = parameters.parsed("sort")?.unwrap_or_default();
    options.limit = parameters.limit(50)?;
    options.offset = parameters.number("offset", 0, u64::from(u32::MAX))?.unwrap_or(0) as usize;
    options.columns = parameters.list("columns")?;
    parameters.end()?;
    let name = state.archives.name(number).to_owned();
    let found = state.ask(number, move |archive| {
        let begun = Instant::now();
        let found = archive.search_with(&filter, &options)?;
        let milliseconds = milliseconds(begun);
        let games = found.games.into_iter().map(|game| Listed::of(game, &options.columns));
        Ok(Found {
            archive: name,
            version: archive.version(),
            count: found.count,
            offset: options.offset,
            milliseconds,
            score: found.score.map(PlayerScore::from),
            games: games.collect(),
        })
    });
    found.await.map(Json)
}

/// The number of games that match
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Counted {
    archive: String,
    version: u64,
    count: u64,
    milliseconds: f64,
}

/// The number of games that match a filter
#[utoipa::path(get, path = "/api/count", params(CountParameters), responses((status = 200, body = Counted), (status = 400, body = Problem)))]
pub(super) async fn count(
    Extract(state): Extract<State>,
    mut parameters: QueryParameters,
) -> Answer<Counted> {
    let number = super::archive(&mut parameters, &state.archives)?;
    let Filtered { filter, .. } = Filtered::read(&mut parameters, || state.last_id(number))?;
    parameters.end()?;
    let name = state.archives.name(number).to_owned();
    let counted = state.ask(number, move |archive| {
        let begun = Instant::now();
        let count = archive.count(&filter)?;
        let milliseconds = milliseconds(begun);
        Ok(Counted { archive: name, version: archive.version(), count, milliseconds })
    });
    counted.await.map(Json)
}
