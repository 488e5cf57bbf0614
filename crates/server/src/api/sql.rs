//! Queries in SQL, where the program has a query engine and its user allows it.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::State as Extract;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use halfmove_archive::CancelToken;
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::OwnedSemaphorePermit;
use utoipa::ToSchema;

use super::export::{ARROW, Broken, attached, pieces};
use super::{Answer, milliseconds};
use crate::parameters::{ARCHIVE, Parameter, QueryParameters, parameter, parameters};
use crate::problem::Problem;
use crate::sql::{Query, QueryAnswer, QueryEngine, QueryError, RowForm};
use crate::state::{Cancelling, State};
use crate::stream::written;

/// Rows of a query
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Rows {
    archive: String,
    version: u64,
    milliseconds: f64,
    /// The names of the columns, in order
    columns: Vec<String>,
    /// An object a row; bytes are in hexadecimal
    #[schema(value_type = Vec<serde_json::Map<String, serde_json::Value>>)]
    rows: Vec<Box<RawValue>>,
    /// True if there are more rows
    more: bool,
}

/// The size of the rows of an answer in bytes, after which the others are left out.
const MAX_BYTES: usize = 16 << 20;

const QUERY: &[Parameter] = &[parameter(
    "query",
    "A query in SQL: select eco, count(*) from games group by eco. The tables are games, halfmoves and history",
)];

const LIMIT: &[Parameter] =
    &[parameter("limit", "The maximum number of rows, up to 10000; the default is 1000")];

parameters!(SqlParameters: ARCHIVE, QUERY, LIMIT);
parameters!(SqlRowsParameters: ARCHIVE, QUERY);

/// A query that a request asks.
struct SqlRequest {
    number: usize,
    engine: Arc<dyn QueryEngine>,
    text: String,
    permit: OwnedSemaphorePermit,
}

impl SqlRequest {
    /// Reads the parameters, the last ones of a request.
    fn read(parameters: &mut QueryParameters, state: &State) -> Result<Self, Problem> {
        let number = super::archive(parameters, &state.archives)?;
        let text = parameters.owned("query")?;
        parameters.end()?;
        let Some(engine) = &state.options.sql else {
            let detail = "this server answers no queries in SQL";
            return Err(Problem::new(StatusCode::FORBIDDEN, detail)
                .with_hint("start it with --sql, in a program with SQL"));
        };
        let expected = || Problem::parameter("query", "expected a query, such as select 1");
        let text = text.ok_or_else(expected)?;
        Ok(Self { number, engine: Arc::clone(engine), text, permit: state.query()? })
    }

    fn query(&self, state: &State, form: RowForm, rows: usize) -> Query {
        let limits = &state.options.limits;
        let (time, memory_bytes) = (limits.time, limits.query_bytes);
        Query { text: self.text.clone(), form, rows, time, memory_bytes }
    }
}

/// The rows of a query in SQL
#[utoipa::path(get, path = "/api/sql", params(SqlParameters), responses((status = 200, body = Rows), (status = 400, body = Problem), (status = 403, body = Problem)))]
pub(super) async fn rows(
    Extract(state): Extract<State>,
    mut parameters: QueryParameters,
) -> Answer<Rows> {
    let limit = parameters.limit(1000)?;
    let request = SqlRequest::read(&mut parameters, &state)?;
    let (shared, name) = (state.clone(), state.archives.name(request.number).to_owned());
    let token = CancelToken::default();
    let cancelling = Cancelling(token.clone());
    let rows = state.work(move || {
        let begun = Instant::now();
        let archive = &shared.archives.current(request.number)?.0.with_cancel(&token);
        // One more than asked tells whether there are more.
        let query = request.query(&shared, RowForm::Lines, limit + 1);
        let QueryAnswer { columns, pieces } = request.engine.query(archive, &query)?;
        let (mut rows, mut bytes, mut more) = (Vec::new(), 0, false);
        for piece in pieces {
            let piece = piece?;
            for line in piece.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                bytes += line.len();
                more |= rows.len() == limit || bytes > MAX_BYTES;
                if !more {
                    // The rows are written as the engine has encoded them.
                    let row = serde_json::from_slice::<Box<RawValue>>(line);
                    rows.push(row.map_err(|error| QueryError::failed(error.to_string()))?);
                }
            }
            if more {
                break;
            }
        }
        drop(request.permit);
        let (version, milliseconds) = (archive.version(), milliseconds(begun));
        Ok(Rows { archive: name, version, milliseconds, columns, rows, more })
    });
    let rows = rows.await;
    drop(cancelling);
    rows.map(Json)
}

/// All rows of a query in SQL, one JSON object a line
#[utoipa::path(get, path = "/api/sql.ndjson", params(SqlRowsParameters), responses((status = 200, content_type = "application/x-ndjson", body = String), (status = 400, body = Problem), (status = 403, body = Problem)))]
pub(super) async fn ndjson(
    Extract(state): Extract<State>,
    mut parameters: QueryParameters,
) -> Result<Response, Problem> {
    let body = streamed(&state, &mut parameters, RowForm::Lines).await?;
    Ok(([(CONTENT_TYPE, "application/x-ndjson")], body).into_response())
}

/// All rows of a query in SQL, as a stream of Arrow IPC
#[utoipa::path(get, path = "/api/sql.arrow", params(SqlRowsParameters), responses((status = 200, content_type = "application/vnd.apache.arrow.stream", body = String), (status = 400, body = Problem), (status = 403, body = Problem)))]
pub(super) async fn arrow(
    Extract(state): Extract<State>,
    mut parameters: QueryParameters,
) -> Result<Response, Problem> {
    Ok(attached(ARROW, "rows.arrow", streamed(&state, &mut parameters, RowForm::Arrow).await?))
}

async fn streamed(
    state: &State,
    parameters: &mut QueryParameters,
    form: RowForm,
) -> Result<axum::body::Body, Problem> {
    let request = SqlRequest::read(parameters, state)?;
    let shared = state.clone();
    let token = CancelToken::default();
    let guard = Cancelling(token.clone());
    let started = state.work(move || {
        let archive = shared.archives.current(request.number)?.0.with_cancel(&token);
        let query = request.query(&shared, form, usize::MAX);
        let mut rows = request.engine.query(&archive, &query)?.pieces;
        // What fails before the first rows has a status.
        let first = rows.next().transpose()?;
        Ok((first, rows, request.permit))
    });
    let (first, rows, permit) = started.await?;
    Ok(written(guard, move |sink| {
        let _permit = permit;
        if let Err(Broken::Failed(error)) = pieces(first.map(Ok).into_iter().chain(rows), sink) {
            sink.fail(error);
        }
    }))
}
