//! Changes from the page: imports of PGN, and undo. They are allowed only if the server was started with
//! [`Options::changeable`](crate::Options::changeable).

use std::fs::File;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::extract::State as Extract;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use halfmove_archive::{ArchiveError, ChangeWatch, ContentSum, Importer, OnDuplicates, PgnInput};
use halfmove_game::pgn::{Counts, PgnError, Skip};
use halfmove_game::{Input, InputError};
use http_body_util::BodyExt as _;
use serde::Serialize;
use serde_json::json;
use std::io::{Seek as _, Write as _};
use utoipa::ToSchema;

use super::Answer;
use crate::parameters::{ARCHIVE, Parameter, QueryParameters, parameter, parameters};
use crate::problem::Problem;
use crate::state::State;
use crate::stream::{Sink, written};

/// The header that requests for changes must have. A page of another site cannot send it without permission (CORS).
const HEADER: &str = "x-halfmove";

fn check(state: &State, headers: &HeaderMap) -> Result<(), Problem> {
    if !state.options.changeable {
        let problem = Problem::new(StatusCode::FORBIDDEN, "the archives are read-only here");
        return Err(problem.with_hint("start the server with --changeable"));
    }
    if !headers.contains_key(HEADER) {
        let detail = "a request for a change needs the header X-Halfmove: 1";
        return Err(Problem::new(StatusCode::FORBIDDEN, detail));
    }
    Ok(())
}

/// The number of the archive that a request names, if it is changeable.
fn archive(parameters: &mut QueryParameters, state: &State) -> Result<usize, Problem> {
    let number = super::archive(parameters, &state.archives)?;
    if state.archives.is_read_only(number) {
        let detail = format!("archive: \"{}\" is read-only here", state.archives.name(number));
        let problem = Problem::new(StatusCode::FORBIDDEN, detail);
        return Err(Problem { parameter: Some("archive".to_owned()), ..problem });
    }
    Ok(number)
}

const NAME: &[Parameter] =
    &[parameter("name", "The name of the file, which is kept with its games")];

parameters!(ImportParameters: ARCHIVE, NAME);

/// Imports PGN, also compressed. Games that are in the archive already are left out. The answer is a stream of
/// server-sent events: `progress`, `problem`, and at last `done` or `error`
#[utoipa::path(post, path = "/api/import", params(ImportParameters), request_body(content = String, content_type = "application/x-chess-pgn"), responses((status = 200, content_type = "text/event-stream", body = String), (status = 403, body = Problem), (status = 413, body = Problem)))]
pub(super) async fn import(
    Extract(state): Extract<State>,
    headers: HeaderMap,
    mut parameters: QueryParameters,
    body: Body,
) -> Result<Response, Problem> {
    check(&state, &headers)?;
    let number = archive(&mut parameters, &state)?;
    let name = parameters.owned("name")?.unwrap_or_else(|| "upload.pgn".to_owned());
    parameters.end()?;
    let permit = Arc::clone(&state.changes).try_acquire_owned().map_err(|_| {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "another change is being made")
    })?;
    let file = receive(body, state.options.limits.body).await?;
    let stopped = Arc::new(AtomicBool::new(false));
    let guard = Leaving(Arc::clone(&stopped));
    let body = written(guard, move |sink| {
        let _permit = permit;
        match run(&state, number, &name, file, &stopped, sink) {
            Ok(done) => {
                let _ = sink.event("done", &done);
            }
            Err(error) => {
                let _ = sink.event("error", &json!(error));
            }
        }
    });
    Ok(([(CONTENT_TYPE, "text/event-stream")], body).into_response())
}

/// Stops an import when the client disconnects.
struct Leaving(Arc<AtomicBool>);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The maximum time between two pieces of a request body.
const SILENCE: Duration = Duration::from_secs(30);

/// Writes the body of a request to a temporary file.
async fn receive(mut body: Body, most: u64) -> Result<File, Problem> {
    let failed = |error: std::io::Error| {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, format!("temporary file: {error}"))
    };
    let mut file = tempfile::tempfile().map_err(failed)?;
    let mut size = 0_u64;
    let slow = |_| {
        let detail = format!("body: no bytes for {} seconds", SILENCE.as_secs());
        Problem::new(StatusCode::REQUEST_TIMEOUT, detail)
    };
    while let Some(frame) = tokio::time::timeout(SILENCE, body.frame()).await.map_err(slow)? {
        let broken =
            |error: axum::Error| Problem::new(StatusCode::BAD_REQUEST, format!("body: {error}"));
        let Ok(bytes) = frame.map_err(broken)?.into_data() else { continue };
        size += bytes.len() as u64;
        if size > most {
            let detail = format!("the body has more than {most} bytes");
            return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
                .with_hint("import large files on the command line: halfmove import"));
        }
        file.write_all(&bytes).map_err(failed)?;
    }
    file.rewind().map_err(failed)?;
    Ok(file)
}

fn run(
    state: &State,
    number: usize,
    name: &str,
    file: File,
    stopped: &AtomicBool,
    sink: &Sink,
) -> Result<serde_json::Value, Problem> {
    let archive = state.archives.newest(number)?;
    let io = |source| Problem::from(ArchiveError::Io { path: name.into(), source });
    let unreadable = |error: InputError| Problem::new(StatusCode::BAD_REQUEST, error.to_string());
    let sum = ContentSum::of(file.try_clone().map_err(io)?).map_err(io)?;
    let mut file = file;
    file.rewind().map_err(io)?;
    let of = file.metadata().map_err(io)?.len();
    let input = Input::from_reader(file, name).map_err(unreadable)?;
    let consumed = input.consumed();
    let mut watch = Watch { stopped, sink, of, consumed, problems: 0, why_no_games: None };
    let mut importer: Importer = archive.importer().on_duplicates(OnDuplicates::Skip);
    importer.read_pgn([Ok(PgnInput::named(name, input).with_sum(sum))], &mut watch)?;
    if let Some(why) = watch.why_no_games {
        return Err(Problem::new(StatusCode::BAD_REQUEST, format!("{name}: {why}")));
    }
    let report = importer.commit_watched(&mut watch)?;
    let newest = state.archives.newest(number)?;
    Ok(json!({
        "added": report.games,
        "duplicates": report.duplicates,
        "problems": watch.problems,
        "version": newest.version(),
        "games": newest.len(),
    }))
}

/// The maximum number of problems that are reported individually.
const REPORTED: u64 = 100;

/// Sends the progress to the client, and stops when it disconnects.
struct Watch<'a> {
    stopped: &'a AtomicBool,
    sink: &'a Sink,
    of: u64,
    consumed: Arc<AtomicU64>,
    problems: u64,
    /// The reason why a file has no games, if it has none.
    why_no_games: Option<String>,
}

impl Watch<'_> {
    fn go_on(&self) -> ControlFlow<()> {
        match self.stopped.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn problem(&mut self, problem: &serde_json::Value) -> ControlFlow<()> {
        self.problems += 1;
        if self.problems <= REPORTED && self.sink.event("problem", problem).is_err() {
            return ControlFlow::Break(());
        }
        self.go_on()
    }
}

impl ChangeWatch for Watch<'_> {
    fn faulty(&mut self, _: usize, error: &PgnError) -> ControlFlow<()> {
        self.problem(&json!({
            "game": error.game,
            "line": error.at.line,
            "column": error.at.column,
            "message": error.to_string(),
        }))
    }

    fn skipped(&mut self, _: usize, skip: &Skip) -> ControlFlow<()> {
        self.problem(&json!({ "message": skip.to_string() }))
    }

    fn end_of_input(&mut self, _: usize, counts: &Counts) {
        self.why_no_games = counts.why_no_games();
    }

    fn tick(&mut self, games: u64) -> ControlFlow<()> {
        let bytes = self.consumed.load(Ordering::Relaxed);
        let progress = json!({ "bytes": bytes, "of": self.of, "games": games });
        match self.sink.event("progress", &progress) {
            Ok(()) => self.go_on(),
            Err(_) => ControlFlow::Break(()),
        }
    }
}

/// The archive after an undo
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Undone {
    archive: String,
    /// The new version
    version: u64,
    /// The version that was restored
    restored: u64,
    games: u64,
}

const VERSIONS: &[Parameter] = &[
    parameter(
        "version",
        "The version to undo, as in the answer of an import: if it is not the newest any more, nothing is undone",
    ),
    parameter("to", "The version to go back to; the default is the one before the last change"),
];

parameters!(UndoParameters: ARCHIVE, VERSIONS);

/// Undoes the last change of an archive, or all changes after a version
#[utoipa::path(post, path = "/api/undo", params(UndoParameters), responses((status = 200, body = Undone), (status = 403, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn undo(
    Extract(state): Extract<State>,
    headers: HeaderMap,
    mut parameters: QueryParameters,
) -> Answer<Undone> {
    check(&state, &headers)?;
    let number = archive(&mut parameters, &state)?;
    let version = parameters.number("version", 0, u64::MAX)?;
    let to = parameters.number("to", 0, u64::MAX)?;
    parameters.end()?;
    let permit = Arc::clone(&state.changes).try_acquire_owned().map_err(|_| {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "another change is being made")
    })?;
    let archives = state.clone();
    // A change is not interrupted.
    let undone = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        let archive = archives.archives.newest(number)?;
        let newest = archive.version();
        if let Some(version) = version.filter(|version| *version != newest) {
            let detail =
                format!("version: the newest is {newest}, so another change followed {version}");
            return Err(Problem::new(StatusCode::CONFLICT, detail)
                .with_hint("/api/history lists the changes"));
        }
        let report = archive.undo(to, &mut ())?;
        let newest = archives.archives.newest(number)?;
        Ok(Undone {
            archive: archives.archives.name(number).to_owned(),
            version: newest.version(),
            restored: report.to,
            games: report.games_after,
        })
    });
    let undone = undone.await.unwrap_or_else(|_| Err(Problem::busy()));
    undone.map(Json)
}
