//! The server's native API, below `/api`: one file per subject. Each handler reads its parameters, queries the archive
//! on a thread that may block, and returns JSON with the field names of the command line.

mod archives;
mod changes;
mod duplicates;
mod engine;
mod explorer;
mod export;
mod game;
mod names;
mod numbers;
mod openapi;
mod position;
mod scores;
mod search;
mod sql;

use axum::Json;
use axum::extract::State as Extract;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::archives::Archives;
use crate::parameters::QueryParameters;
use crate::problem::Problem;
use crate::state::State;

pub(crate) use self::explorer::{opening_after, winner};
pub(crate) use self::export::{PGN, text};
pub use self::openapi::openapi;

/// The media type of JSON.
pub(crate) const JSON: &str = "application/json";

/// A response in JSON, or a problem.
pub(crate) type Answer<T> = Result<Json<T>, Problem>;

/// The description, without the routes.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "halfmove",
        description = "Archives of chess and Makruk games. Errors are application/problem+json. A parameter that a route does not know is an error.",
        license(name = "MIT OR Apache-2.0")
    ),
    components(schemas(Problem))
)]
struct Description;

/// All routes with their OpenAPI descriptions. Each is declared once, at its handler.
pub(crate) fn routes() -> OpenApiRouter<State> {
    OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(archives::archives))
        .routes(routes!(archives::history))
        .routes(routes!(search::search))
        .routes(routes!(search::count))
        .routes(routes!(game::game))
        .routes(routes!(export::one_pgn))
        .routes(routes!(export::pgn))
        .routes(routes!(export::ndjson))
        .routes(routes!(export::arrow))
        .routes(routes!(position::position))
        .routes(routes!(explorer::explorer))
        .routes(routes!(explorer::arrow))
        .routes(routes!(scores::stats))
        .routes(routes!(scores::scores))
        .routes(routes!(names::players))
        .routes(routes!(names::events))
        .routes(routes!(names::openings))
        .routes(routes!(duplicates::duplicates))
        .routes(routes!(engine::engine))
        .routes(routes!(sql::rows))
        .routes(routes!(sql::ndjson))
        .routes(routes!(sql::arrow))
        .routes(routes!(changes::import))
        .routes(routes!(changes::undo))
        .routes(routes!(description))
}

/// The description of this interface
#[utoipa::path(get, path = "/api/openapi.json", responses((status = 200, description = "OpenAPI 3.1", body = Object)))]
async fn description(Extract(_): Extract<State>) -> Json<utoipa::openapi::OpenApi> {
    Json(openapi())
}

/// The number of the archive that a request names.
fn archive(parameters: &mut QueryParameters, archives: &Archives) -> Result<usize, Problem> {
    let name = parameters.owned("archive")?;
    archives.number(name.as_deref())
}

/// The time since then in milliseconds, to a hundredth.
fn milliseconds(begun: std::time::Instant) -> f64 {
    (begun.elapsed().as_secs_f64() * 100_000.0).round() / 100.0
}
