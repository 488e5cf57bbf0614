//! Archives over HTTP: the API of Lichess's opening explorer, a native API below `/api`, and the page.
//!
//! ```
//! use std::io::{Read, Write};
//! use std::net::{TcpListener, TcpStream};
//! use std::sync::atomic::{AtomicBool, Ordering};
//!
//! use halfmove_archive::{Archive, Importer};
//! use halfmove_server::{Archives, Options, run};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("club");
//! let mut importer = Importer::open(&path)?;
//! importer.read_pgn([Ok("1. e4 e5 2. Nf3 1-0\n\n1. d4 0-1\n".as_bytes())], &mut ())?;
//! importer.commit()?;
//! let archives = Archives::new([("club".to_owned(), Archive::open(&path)?)]);
//!
//! // The client may come as soon as there is a listener.
//! let listener = TcpListener::bind("127.0.0.1:0")?;
//! let mut client = TcpStream::connect(listener.local_addr()?)?;
//! let is_over = AtomicBool::new(false);
//! let is_stopped = || is_over.load(Ordering::Relaxed);
//! let (served, asked) = std::thread::scope(|scope| {
//!     let server = scope.spawn(|| run(listener, archives, Options::default(), &is_stopped));
//!     let mut answer = String::new();
//!     let asked = client
//!         .write_all(b"GET /masters HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
//!         .and_then(|()| client.read_to_string(&mut answer));
//!     is_over.store(true, Ordering::Relaxed);
//!     (server.join(), asked.map(|_| answer))
//! });
//! served.expect("no panic")?;
//! assert!(asked?.contains(r#"{"white":1,"draws":0,"black":1,"moves":[{"uci":"d2d4","san":"d4""#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`app`] is the same as a router for a program with a server of its own.
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
//!  answers      those of the explorer that are kept
//!  sql          queries, for an engine that the program lends
//! ```
//!
//! # Safety
//!
//! By default a server is local and read-only: it accepts only requests that are addressed to `localhost`, does not let
//! pages of other sites read responses, and limits the time, size and number of requests. See [`Options`] and
//! [`Limits`].

mod answers;
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
mod sql;
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
use problem::Problem;
pub use sql::{Query, QueryAnswer, QueryEngine, QueryError, RowForm};
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
    state.metrics.text(&state.running())
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
