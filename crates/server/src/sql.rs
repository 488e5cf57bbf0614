//! Queries in SQL. The server has no query engine; a program that has one lends it: [`Options::sql`](crate::Options::sql).

use std::time::Duration;

use halfmove_archive::Archive;

/// A query engine for `/api/sql`. It only reads: the server passes queries on as they are.
///
/// ```
/// use halfmove_archive::Archive;
/// use halfmove_server::{Query, QueryAnswer, QueryEngine, QueryError};
///
/// /// An engine for one query.
/// struct Counting;
///
/// impl QueryEngine for Counting {
///     fn query(&self, archive: &Archive, query: &Query) -> Result<QueryAnswer, QueryError> {
///         match query.text.as_str() {
///             "select count(*) as n from games" => {
///                 let line = format!("{{\"n\":{}}}\n", archive.len());
///                 Ok(QueryAnswer::new(vec!["n".to_owned()], [Ok(line.into_bytes())]))
///             }
///             _ => Err(QueryError::invalid("expected the query that this engine knows").at(1, 1)),
///         }
///     }
/// }
/// let mut options = halfmove_server::Options::default();
/// options.sql = Some(std::sync::Arc::new(Counting));
/// ```
pub trait QueryEngine: Send + Sync {
    /// Starts a query of an archive. It runs on a thread that may block, as does the iterator of the answer. When the client
    /// is gone, [the token of the archive](Archive::cancel_token) is cancelled.
    ///
    /// # Errors
    ///
    /// The query is invalid, or it fails before its first rows.
    fn query(&self, archive: &Archive, query: &Query) -> Result<QueryAnswer, QueryError>;
}

/// A query and its limits.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Query {
    /// The text.
    pub text: String,
    /// The form of the rows.
    pub form: RowForm,
    /// The maximum number of rows; the others are left out.
    pub rows: usize,
    /// The maximum time from its start to its last row.
    pub time: Duration,
    /// The maximum memory in bytes of its sorts, groups and joins.
    pub memory_bytes: usize,
}

/// The form of the rows of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowForm {
    /// A JSON object a line, each piece being whole lines.
    Lines,
    /// A stream of Arrow IPC.
    Arrow,
}

/// The answer to a query, while it is computed.
pub struct QueryAnswer {
    pub(crate) columns: Vec<String>,
    pub(crate) pieces: Box<dyn Iterator<Item = Result<Vec<u8>, QueryError>> + Send>,
}

impl QueryAnswer {
    /// An answer with these columns. The pieces are computed as they are taken, and no more after the first error.
    pub fn new(
        columns: Vec<String>,
        pieces: impl IntoIterator<Item = Result<Vec<u8>, QueryError>, IntoIter: Send + 'static>,
    ) -> Self {
        Self { columns, pieces: Box::new(pieces.into_iter()) }
    }
}

impl std::fmt::Debug for QueryAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QueryAnswer").field("columns", &self.columns).finish_non_exhaustive()
    }
}

/// The reason why a query has no answer, or no more rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryError {
    pub(crate) kind: QueryErrorKind,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    /// The line and the column, from 1.
    pub(crate) place: Option<(u64, u64)>,
}

/// The kind of an error: a fault of the query, its time limit, or a fault of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QueryErrorKind {
    Invalid,
    TooSlow,
    Failed,
}

impl QueryError {
    /// A query that cannot be answered as it is.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(QueryErrorKind::Invalid, message)
    }

    /// A query that took longer than its time, or was cancelled.
    pub fn too_slow(message: impl Into<String>) -> Self {
        Self::new(QueryErrorKind::TooSlow, message)
    }

    /// An archive that cannot be read, or an engine that fails.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(QueryErrorKind::Failed, message)
    }

    /// Adds the line and the column of the query, from 1.
    #[must_use]
    pub fn at(self, line: u64, column: u64) -> Self {
        Self { place: Some((line, column)), ..self }
    }

    /// Adds advice.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    fn new(kind: QueryErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None, place: None }
    }
}

impl std::fmt::Display for QueryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for QueryError {}
