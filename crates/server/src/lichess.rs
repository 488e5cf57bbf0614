//! Lichess's opening explorer: its routes, parameters, JSON and errors, over the games of an archive.
//!
//! `/masters`, `/lichess` and `/player`, their old names, and all of them below `/archives/NAME` for an archive other than the first.
//! Ids of games are the archive's numbers as text. Where a client needs a number that a game lacks (a rating, a year), it is 0.

mod answer;
mod query;

use axum::Router;
use axum::extract::{Path, State as Extract};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use serde_json::json;

use self::query::{Database, Query};
use crate::api::{JSON, PGN};
use crate::parameters::QueryParameters;
use crate::problem::Problem;
use crate::state::State;

/// The routes of the explorer, for the first archive and for each by its name.
pub(crate) fn routes() -> Router<State> {
    let routes = [("/masters", "/master", Database::Masters), ("/lichess", "", Database::Lichess)];
    let mut router = Router::new();
    for prefix in ["", "/archives/{archive}"] {
        for (name, old, database) in routes {
            let answer = move |state: Extract<State>,
                               place: Option<Path<String>>,
                               parameters: QueryParameters| {
                json(state, place, parameters, database)
            };
            for name in [name, old].into_iter().filter(|name| !name.is_empty()) {
                router = router.route(&format!("{prefix}{name}"), get(answer));
            }
        }
        for name in ["/player", "/personal"] {
            router = router.route(&format!("{prefix}{name}"), get(player));
        }
        router = router.route(&format!("{prefix}/lichess/history"), get(history));
    }
    router
        .route("/masters/pgn/{id}", get(pgn))
        .route("/master/pgn/{id}", get(pgn))
        .route("/archives/{archive}/masters/pgn/{id}", get(pgn_of))
        .route("/archives/{archive}/master/pgn/{id}", get(pgn_of))
}

/// The archive of a path, or the first.
fn number(state: &State, place: Option<&str>) -> Result<usize, Problem> {
    state.archives.number(place)
}

async fn json(
    Extract(state): Extract<State>,
    place: Option<Path<String>>,
    parameters: QueryParameters,
    database: Database,
) -> Response {
    let answer =
        explored(&state, place.as_ref().map(|place| place.0.as_str()), parameters, database);
    match answer.await {
        Ok(json) => ([(CONTENT_TYPE, JSON)], json).into_response(),
        Err(problem) => problem.into_text(),
    }
}

/// One line of NDJSON: the result is complete, and clients can also read it as JSON.
async fn player(
    Extract(state): Extract<State>,
    place: Option<Path<String>>,
    parameters: QueryParameters,
) -> Response {
    let place = place.as_ref().map(|place| place.0.as_str());
    match explored(&state, place, parameters, Database::Player).await {
        Ok(json) => {
            let line = [&json[..], b"\n"].concat();
            ([(CONTENT_TYPE, "application/x-ndjson")], line).into_response()
        }
        Err(problem) => problem.into_text(),
    }
}

async fn history(
    Extract(state): Extract<State>,
    place: Option<Path<String>>,
    parameters: QueryParameters,
) -> Response {
    let place = place.as_ref().map(|place| place.0.as_str());
    let query = number(&state, place)
        .and_then(|number| Ok((number, Query::read(parameters, Database::Lichess)?)));
    let answer = async {
        let (number, query) = query?;
        state
            .ask(number, move |archive| Ok(json!({ "history": answer::history(archive, &query)? })))
            .await
    };
    match answer.await {
        Ok(answer) => axum::Json(answer).into_response(),
        Err(problem) => problem.into_text(),
    }
}

async fn explored(
    state: &State,
    place: Option<&str>,
    parameters: QueryParameters,
    database: Database,
) -> Result<Bytes, Problem> {
    let number = number(state, place)?;
    let query = Query::read(parameters, database)?;
    state.ask_once(number, query.key(), move |archive| answer::answer(archive, &query)).await
}

async fn pgn(Extract(state): Extract<State>, Path(id): Path<String>) -> Response {
    game(&state, None, &id).await
}

async fn pgn_of(
    Extract(state): Extract<State>,
    Path((place, id)): Path<(String, String)>,
) -> Response {
    game(&state, Some(&place), &id).await
}

async fn game(state: &State, place: Option<&str>, id: &str) -> Response {
    let answer = async {
        let number = number(state, place)?;
        let id: i64 = id.parse().map_err(|_| {
            Problem::new(axum::http::StatusCode::NOT_FOUND, format!("no game has the id {id}"))
        })?;
        state.ask(number, move |archive| crate::api::text(&archive.game(id)?.game)).await
    };
    match answer.await {
        Ok(text) => ([(CONTENT_TYPE, PGN)], text).into_response(),
        Err(problem) => problem.into_text(),
    }
}
