//! Archives over HTTP: the API of Lichess's opening explorer, a native API below `/api`, and the page.
//!
//! ```
//! use halfmove_archive::Archive;
//! use halfmove_server::{Archives, Options, app};
//!
//! let folder = tempfile::tempdir()?;
//! let club = Archive::create(folder.path().join("club"))?;
//! let router = app(Archives::new([("club".to_owned(), club)]), Options::default());
//! # let _ = router;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate handles only requests and responses; the results are computed by archives, rules and the engine.
//!
//! ```text
//!  connection   accepts clients, drops slow ones, ends in order
//!  guard        host, token, headers, log, metrics
//!  api          one file a subject; described by openapi()
//!  lichess      the explorer that Lichess's clients know
//!  page         the files of the page
//!  parameters   what a request asks: positions, filters, numbers
//!  state        archives, limits, threads; the cancellation of requests whose client is gone
//! ```
//!
//! # Safety
//!
//! By default a server is local and read-only: it accepts only requests that are addressed to `localhost`, does not let
//! pages of other sites read responses, and limits the time, size and number of requests. See [`Options`] and
//! [`Limits`].

mod api;
mod archives;
mod connection;
mod guard;
mod lichess;
mod metrics;
mod options;
mod page;
mod parameters;
mod problem;
mod state;
mod stream;

use axum::Router;
use axum::extract::State as Extract;
use axum::http::header::AUTHORIZATION;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{Any, CorsLayer};

pub use api::openapi;
pub use archives::Archives;
pub use connection::run;
pub use options::{Answered, Limits, Log, Options};
pub use problem::Problem;

use state::State;

/// All routes over some archives.
pub fn app(archives: Archives, options: Options) -> Router {
    let (cors, has_metrics) = (options.cors, options.metrics);
    let state = State::new(archives, options);
    let (api, _) = api::routes().split_for_parts();
    let mut router = api.merge(lichess::routes());
    if has_metrics {
        router = router.route("/metrics", get(metrics));
    }
    let router = router.method_not_allowed_fallback(wrong_method).fallback(page::file);
    let router = router.layer(CatchPanicLayer::custom(panicked));
    let guard = axum::middleware::from_fn_with_state(state.clone(), guard::guard);
    let router = router.layer(guard);
    // Outside the guard: a browser sends no token with a preflight request, and cannot read an error without CORS
    // headers.
    let router = match cors {
        true => router.layer(
            CorsLayer::new()
                .allow_origin(Any)
                .allow_methods([Method::GET])
                .allow_headers([AUTHORIZATION]),
        ),
        false => router,
    };
    router.with_state(state)
}

async fn metrics(Extract(state): Extract<State>) -> String {
    state.metrics.text()
}

async fn wrong_method(method: Method, uri: Uri) -> Problem {
    let detail = format!("{} cannot be asked with {method}", uri.path());
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, detail)
}

/// The response of a handler that has panicked.
fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    let detail = "the server failed on this request";
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail).into_response()
}
