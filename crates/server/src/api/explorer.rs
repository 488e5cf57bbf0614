//! The moves played in a position, with the names of the fields of Lichess's explorer.

use std::time::Instant;

use axum::extract::State as Extract;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use halfmove_archive::{
    Archive, Details, ExploreOptions, Explorer, ExplorerGame, ExplorerMove, Filter, GameSummary,
    ScoresBy,
};
use halfmove_game::{Date, openings};
use halfmove_rules::AnyPosition;
use serde::Serialize;
use utoipa::ToSchema;

use super::export::{ARROW, attached};
use super::milliseconds;
use super::numbers::{Counts, PlayerScore};
use super::position::{Named, turn};
use crate::parameters::{
    ARCHIVE, FILTER, Filtered, Line, POSITION, Parameter, QueryParameters, parameter, parameters,
};
use crate::problem::Problem;
use crate::state::State;

/// The moves played in a position
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Explored {
    archive: String,
    version: u64,
    /// The time of the search
    milliseconds: f64,
    fen: String,
    turn: &'static str,
    #[serde(flatten)]
    counts: Counts,
    #[serde(flatten)]
    ratings: Ratings,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    score: Option<PlayerScore>,
    /// The last named position on the way
    opening: Option<Named>,
    /// Those with the most games first
    moves: Vec<Played>,
    #[serde(rename = "topGames")]
    top_games: Vec<InGame>,
    #[serde(rename = "recentGames")]
    recent_games: Vec<InGame>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    history: Option<Vec<Year>>,
}

/// Ratings and dates of the side to move
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Ratings {
    average_rating: Option<i32>,
    average_opponent_rating: Option<i32>,
    performance: Option<i32>,
    /// A day, or a year
    last_played: Option<String>,
}

impl Ratings {
    fn of(details: Option<&Details>) -> Self {
        details.map_or_else(Self::default, |details| Self {
            average_rating: details.average_rating,
            average_opponent_rating: details.average_opponent_rating,
            performance: details.performance,
            last_played: details.last_played.map(|period| period.to_string()),
        })
    }
}

/// A move that was played
#[derive(Debug, Serialize, ToSchema)]
struct Played {
    /// Castling is king takes rook: e1h1
    uci: String,
    san: String,
    #[serde(flatten)]
    counts: Counts,
    #[serde(flatten)]
    ratings: Ratings,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    score: Option<PlayerScore>,
    /// The opening of the position after it, if that has a name
    opening: Option<Named>,
    /// The number of games in which the position after it arises, by any order of moves
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reached: Option<u64>,
    /// The game, if there is only one
    game: Option<Short>,
}

/// A game, with the move that was played in the position
#[derive(Debug, Serialize, ToSchema)]
struct InGame {
    uci: Option<String>,
    san: Option<String>,
    #[serde(flatten)]
    game: Short,
}

/// A game in few words
#[derive(Debug, Serialize, ToSchema)]
struct Short {
    id: i64,
    winner: Option<&'static str>,
    white: Rated,
    black: Rated,
    year: Option<u16>,
    /// 2004-09
    month: Option<String>,
}

/// A player of a game
#[derive(Debug, Serialize, ToSchema)]
struct Rated {
    name: Option<String>,
    rating: Option<i32>,
}

/// The results of a year
#[derive(Debug, Serialize, ToSchema)]
struct Year {
    year: i32,
    #[serde(flatten)]
    counts: Counts,
}

/// The winner by a result.
pub(crate) fn winner(result: &str) -> Option<&'static str> {
    match result {
        "1-0" => Some("white"),
        "0-1" => Some("black"),
        _ => None,
    }
}

impl Short {
    fn of(game: &GameSummary) -> Self {
        let date = game.date.as_deref().and_then(Date::of_tag);
        Self {
            id: game.id,
            winner: winner(&game.result),
            white: Rated { name: game.white.clone(), rating: game.white_elo },
            black: Rated { name: game.black.clone(), rating: game.black_elo },
            year: date.map(Date::year),
            month: date.and_then(Date::year_and_month),
        }
    }
}

impl InGame {
    fn of(game: &ExplorerGame) -> Self {
        Self { uci: game.uci.clone(), san: game.san.clone(), game: Short::of(&game.game) }
    }
}

impl Played {
    fn of(here: &AnyPosition, mv: ExplorerMove) -> Self {
        let game = mv.details.as_ref().and_then(|details| details.game.as_ref());
        Self {
            opening: opening_after(here, &mv.uci).map(Named::from),
            counts: mv.results.into(),
            ratings: Ratings::of(mv.details.as_ref()),
            score: mv.score.map(PlayerScore::from),
            reached: mv.reached,
            game: game.map(Short::of),
            uci: mv.uci,
            san: mv.san,
        }
    }
}

/// The opening of the position after a move, if that has a name.
pub(crate) fn opening_after(here: &AnyPosition, uci: &str) -> Option<&'static openings::Opening> {
    let mut after = here.as_chess()?.clone();
    let mv = after.parse_uci(uci).ok()?;
    after.play_unchecked(mv);
    openings::of_position(&after)
}

const MOVES: &[Parameter] = &[
    parameter("limit", "The maximum number of moves, up to 10000; the default is all"),
    parameter(
        "reached",
        "1: also the number of games in which the position after each move arises, by any order of moves",
    ),
];

const LISTS: &[Parameter] = &[
    parameter(
        "games",
        "The maximum number of top-rated and of recent games, up to 15; the default is 0",
    ),
    parameter("history", "1: also the results by year"),
];

parameters!(ExplorerParameters: ARCHIVE, MOVES, LISTS, POSITION, FILTER);
parameters!(ExplorerArrowParameters: ARCHIVE, MOVES, POSITION, FILTER);

/// A request to the explorer.
struct ExplorerRequest {
    number: usize,
    filter: Filter,
    line: Line,
    limit: usize,
    options: ExploreOptions,
}

impl ExplorerRequest {
    fn read(parameters: &mut QueryParameters, state: &State) -> Result<Self, Problem> {
        let number = super::archive(parameters, &state.archives)?;
        let Filtered { mut filter, line } = Filtered::read(parameters, || state.last_id(number))?;
        let limit = parameters.limit(usize::MAX)?;
        let mut options = ExploreOptions::default();
        options.details = true;
        options.reached = parameters.flag("reached")?;
        if parameters.flag("in_variations")? {
            let why = "the explorer counts the moves of main lines";
            return Err(Problem::parameter("in_variations", why));
        }
        filter.position = None;
        Ok(Self { number, filter, line, limit, options })
    }

    /// All that the answer depends on: see [`Line::key`].
    fn key(&self, has_history: bool) -> Option<String> {
        self.line.key(&self.filter, (self.limit, has_history, &self.options))
    }

    fn answer(&self, archive: &Archive) -> Result<Explorer, Problem> {
        let here = self.line.position().clone();
        let mut explorer = archive.explore_with(&self.filter, here, &self.options)?;
        explorer.moves.truncate(self.limit);
        Ok(explorer)
    }
}

/// The moves played in a position, with results, ratings and openings
#[utoipa::path(get, path = "/api/explorer", params(ExplorerParameters), responses((status = 200, body = Explored), (status = 400, body = Problem)))]
pub(super) async fn explorer(
    Extract(state): Extract<State>,
    mut parameters: QueryParameters,
) -> Result<Response, Problem> {
    let mut request = ExplorerRequest::read(&mut parameters, &state)?;
    request.options.games = parameters.number("games", 0, 15)?.unwrap_or(0) as usize;
    let has_history = parameters.flag("history")?;
    parameters.end()?;
    let name = state.archives.name(request.number).to_owned();
    let key = request.key(has_history);
    let explored = state.ask_once(request.number, key, move |archive| {
        let (here, begun) = (request.line.position(), Instant::now());
        let explorer = request.answer(archive)?;
        let history = has_history.then(|| history(archive, &request.filter, here)).transpose()?;
        let milliseconds = milliseconds(begun);
        let Explorer { results, score, moves, details, top_games, recent_games, .. } = explorer;
        Ok(Explored {
            archive: name,
            version: archive.version(),
            milliseconds,
            fen: here.to_string(),
            turn: turn(here),
            counts: results.into(),
            ratings: Ratings::of(details.as_ref()),
            score: score.map(PlayerScore::from),
            opening: request.line.opening().map(Named::from),
            moves: moves.into_iter().map(|mv| Played::of(here, mv)).collect(),
            top_games: top_games.iter().map(InGame::of).collect(),
            recent_games: recent_games.iter().map(InGame::of).collect(),
            history,
        })
    });
    Ok(([(CONTENT_TYPE, super::JSON)], explored.await?).into_response())
}

/// The moves played in a position as a stream of Arrow IPC, a row each
#[utoipa::path(get, path = "/api/explorer.arrow", params(ExplorerArrowParameters), responses((status = 200, content_type = "application/vnd.apache.arrow.stream", body = String), (status = 400, body = Problem)))]
pub(super) async fn arrow(
    Extract(state): Extract<State>,
    mut parameters: QueryParameters,
) -> Result<Response, Problem> {
    let request = ExplorerRequest::read(&mut parameters, &state)?;
    parameters.end()?;
    let bytes =
        state.ask(request.number, move |archive| Ok(request.answer(archive)?.to_arrow()?));
    Ok(attached(ARROW, "explorer.arrow", bytes.await?))
}

/// The results of a position by year, in order.
fn history(archive: &Archive, filter: &Filter, here: &AnyPosition) -> Result<Vec<Year>, Problem> {
    let filter = Filter { position: Some(here.clone()), ..filter.clone() };
    let groups = archive.scores(&filter, ScoresBy::Year)?;
    let mut years: Vec<Year> = groups
        .into_iter()
        .filter_map(|group| {
            let year = group.value?.parse().ok()?;
            Some(Year { year, counts: group.results.into() })
        })
        .collect();
    years.sort_by_key(|year| year.year);
    Ok(years)
}
