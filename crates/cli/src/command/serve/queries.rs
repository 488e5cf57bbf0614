//! The engine that answers `/api/sql`.

use crate::query;
use futures::TryStreamExt as _;
use futures::future::{Either, select};
use halfmove_archive::{Archive, ArchiveError, CancelToken};
use halfmove_server::{Query, QueryAnswer, QueryEngine, QueryError, RowForm};
use halfmove_sql::{ArrowEncoder, QueryResult, Sql, SqlError, SqlOptions};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::{Builder, Handle, Runtime};

/// The threads on which queries run: not those of the server, which a query would keep from answering others.
pub(super) fn runtime() -> std::io::Result<Runtime> {
    Builder::new_multi_thread().enable_all().thread_name("halfmove-query").build()
}

/// The query engine, on the threads of a runtime.
pub(super) struct Engine(pub(super) Handle);

impl QueryEngine for Engine {
    fn query(&self, archive: &Archive, query: &Query) -> Result<QueryAnswer, QueryError> {
        let mut options = SqlOptions::default();
        (options.memory_bytes, options.time_limit) = (query.memory_bytes, Some(query.time));
        let cancel = archive.cancel_token().clone();
        let explain = |error| query::explain_to_client(error, &query.text);
        let sql = Sql::new(archive, &options).map_err(explain)?;
        let answer = wait(&self.0, &cancel, sql.query(&query.text)).map_err(explain)?;
        let columns: Vec<String> =
            answer.columns().iter().map(|column| column.name.clone()).collect();
        if let Some((message, hint)) = query::repeated(&answer) {
            return Err(QueryError::invalid(message).with_hint(hint));
        }
        let form = match query.form {
            RowForm::Arrow => Form::Arrow(Box::new(ArrowEncoder::new(&answer).map_err(explain)?)),
            _ => Form::Lines,
        };
        let (handle, text) = (self.0.clone(), query.text.clone());
        let pieces = Pieces { handle, cancel, text, answer: Some(answer), form, left: query.rows };
        Ok(QueryAnswer::new(columns, pieces))
    }
}

/// The pieces of an answer.
struct Pieces {
    handle: Handle,
    cancel: CancelToken,
    text: String,
    /// `None` after its end.
    answer: Option<QueryResult>,
    form: Form,
    /// The number of rows that may still come.
    left: usize,
}

enum Form {
    Lines,
    Arrow(Box<ArrowEncoder>),
    /// The last piece has been taken.
    Over,
}

impl Pieces {
    fn piece(&mut self) -> Result<Option<Vec<u8>>, SqlError> {
        let mut batch = None;
        if let Some(answer) = self.answer.as_mut().filter(|_| self.left > 0) {
            batch = wait(&self.handle, &self.cancel, answer.try_next())?;
        }
        let Some(batch) = batch.map(|batch| batch.slice(0, self.left)) else {
            self.answer = None;
            return match std::mem::replace(&mut self.form, Form::Over) {
                Form::Arrow(encoder) => encoder.finish().map(Some),
                Form::Lines | Form::Over => Ok(None),
            };
        };
        self.left -= batch.rows();
        match &mut self.form {
            Form::Arrow(encoder) => encoder.encode(&batch).map(Some),
            Form::Lines | Form::Over => Ok(Some(batch.json_lines()?.into_bytes())),
        }
    }
}

impl Iterator for Pieces {
    type Item = Result<Vec<u8>, QueryError>;

    fn next(&mut self) -> Option<Self::Item> {
        let piece = self.piece();
        if piece.is_err() {
            (self.answer, self.form) = (None, Form::Over);
        }
        piece.map_err(|error| query::explain_to_client(error, &self.text)).transpose()
    }
}

/// The interval at which a query looks if its client is gone.
const POLL: Duration = Duration::from_millis(20);

/// Waits for work, or until it is cancelled.
fn wait<T>(
    handle: &Handle,
    cancel: &CancelToken,
    work: impl Future<Output = Result<T, SqlError>>,
) -> Result<T, SqlError> {
    let cancelled = async {
        while !cancel.is_cancelled() {
            tokio::time::sleep(POLL).await;
        }
    };
    handle.block_on(async {
        match select(pin!(work), pin!(cancelled)).await {
            Either::Left((done, _)) => done,
            Either::Right(_) => Err(SqlError::Archive(Arc::new(ArchiveError::Stopped))),
        }
    })
}
