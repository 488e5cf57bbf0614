//! Errors of requests, as `application/problem+json` (RFC 9457) or as text.

use std::time::Duration;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use halfmove_archive::{ArchiveError, FilterError};
use serde::Serialize;
use utoipa::ToSchema;

use crate::sql::{QueryError, QueryErrorKind};

/// The error of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// Always `about:blank`: the status is the kind of problem.
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    /// The name of the status.
    pub(crate) title: &'static str,
    /// The status.
    pub(crate) status: u16,
    /// The parameter at fault, if there is one.
    pub(crate) parameter: Option<String>,
    /// A description: the error, its place, and the expected value.
    pub(crate) detail: String,
    /// A hint on how to correct the request.
    pub(crate) hint: Option<String>,
    /// The place in a query in SQL, if it is known.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(crate) place: Option<Box<Place>>,
}

/// A place in a query in SQL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Place {
    /// The line, from 1.
    pub(crate) line: u64,
    /// The column in characters, from 1.
    pub(crate) column: u64,
}

impl Problem {
    /// A problem with this status.
    pub(crate) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            parameter: None,
            detail: detail.into(),
            hint: None,
            place: None,
        }
    }

    /// A parameter that cannot be read.
    pub(crate) fn parameter(name: &str, why: impl std::fmt::Display) -> Self {
        let problem = Self::new(StatusCode::BAD_REQUEST, format!("{name}: {why}"));
        Self { parameter: Some(name.to_owned()), ..problem }
    }

    pub(crate) fn with_hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// The server is at its limit.
    pub(crate) fn busy() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "too many requests are being answered")
            .with_hint("try again in a second")
    }

    pub(crate) fn too_slow() -> Self {
        Self::new(StatusCode::GATEWAY_TIMEOUT, "the search took too long and was stopped")
            .with_hint("add conditions that fewer games meet, such as a player or a date")
    }

    pub(crate) fn query_too_slow(limit: Duration) -> Self {
        let detail =
            format!("the query took longer than {} s and was stopped", limit.as_secs_f64());
        Self::new(StatusCode::GATEWAY_TIMEOUT, detail).with_hint(
            "add conditions that fewer rows meet; a join also needs an equality, or it pairs all rows",
        )
    }

    fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The same problem as plain text, like the errors of Lichess's explorer.
    pub(crate) fn into_text(self) -> Response {
        let status = self.status();
        let text = match self.hint {
            Some(hint) => format!("{} ({hint})", self.detail),
            None => self.detail,
        };
        retry(status, (status, text).into_response())
    }
}

/// Adds the header `Retry-After` for a busy server.
fn retry(status: StatusCode, mut response: Response) -> Response {
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.status();
        let mut response = (status, Json(self)).into_response();
        let json = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, json);
        retry(status, response)
    }
}

impl From<QueryError> for Problem {
    fn from(error: QueryError) -> Self {
        let QueryError { kind, message, hint, place } = error;
        let problem = match kind {
            QueryErrorKind::Invalid => Self::parameter("query", message),
            QueryErrorKind::TooSlow => Self::new(StatusCode::GATEWAY_TIMEOUT, message),
            QueryErrorKind::Failed => Self::new(StatusCode::INTERNAL_SERVER_ERROR, message),
        };
        let place = place.map(|(line, column)| Box::new(Place { line, column }));
        Self { hint, place, ..problem }
    }
}

impl From<ArchiveError> for Problem {
    fn from(error: ArchiveError) -> Self {
        let status = match &error {
            ArchiveError::Filter(FilterError::NoColumn { .. }) => {
                return Self::parameter("columns", error);
            }
            ArchiveError::Filter(_) | ArchiveError::Input(_) => StatusCode::BAD_REQUEST,
            ArchiveError::NoSuchGame { .. } | ArchiveError::NoSuchVersion { .. } => {
                StatusCode::NOT_FOUND
            }
            ArchiveError::Conflict { .. } | ArchiveError::CannotUndo { .. } => StatusCode::CONFLICT,
            ArchiveError::Stopped => return Self::too_slow(),
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, error.to_string())
    }
}
