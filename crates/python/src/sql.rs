//! Queries in SQL.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use futures::StreamExt;
use futures::future::abortable;
use futures::stream::{Abortable, abortable as abortable_stream};
use halfmove_archive::{Archive, RoaringTreemap};
use halfmove_sql::{Place, QueryResult, Sql, SqlError as Failure, SqlOptions};
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyTimeoutError, PyValueError};
use pyo3::prelude::*;
use tokio::runtime::{Handle, Runtime};

use crate::archive::PyArchive;
use crate::error::SqlError;
use crate::rows::{Batches, Open, Reader, Source};
use crate::work::{Stop, interruptible};

fn of_sql(error: Failure, query: &str) -> PyErr {
    let excerpt = error.place().and_then(|place| excerpt(query, place));
    let message = error.to_string() + &excerpt.unwrap_or_default();
    match error {
        Failure::Memory { .. } => PyMemoryError::new_err(message),
        Failure::Time { .. } => PyTimeoutError::new_err(message),
        _ => SqlError::new_err(message),
    }
}

/// A time limit.
#[derive(FromPyObject)]
enum Limit {
    Seconds(f64),
    Duration(Duration),
}

impl Limit {
    fn duration(self) -> PyResult<Duration> {
        let wrong = |_| PyValueError::new_err("time_limit: expected a number of seconds from 0");
        match self {
            Self::Seconds(seconds) => Duration::try_from_secs_f64(seconds).map_err(wrong),
            Self::Duration(duration) => Ok(duration),
        }
    }
}

/// The line of a query that has an error, and below it a mark for the word at its place.
fn excerpt(query: &str, place: Place) -> Option<String> {
    let line = query.lines().nth(usize::try_from(place.line.checked_sub(1)?).ok()?)?;
    let before = usize::try_from(place.column.checked_sub(1)?).ok()?;
    let is_name = |char: &char| char.is_alphanumeric() || ['_', '.'].contains(char);
    let word = line.chars().skip(before).take_while(is_name).count().max(1);
    let line = line.replace('\t', " ");
    Some(format!("\n  {line}\n  {}{}", " ".repeat(before), "^".repeat(word)))
}

/// The threads of a query, which has its own: threads do not survive a fork. A query that was interrupted is not waited for, because
/// the engine may be in a long step.
struct Threads {
    handle: Handle,
    runtime: Option<Runtime>,
}

impl Threads {
    fn new() -> PyResult<Self> {
        let runtime = Runtime::new()?;
        Ok(Self { handle: runtime.handle().clone(), runtime: Some(runtime) })
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.runtime.take().into_iter().for_each(Runtime::shutdown_background);
    }
}

/// Waits for work of the query engine, which Ctrl-C cancels.
fn wait<T: Send>(
    py: Python<'_>,
    threads: &Threads,
    query: &str,
    work: impl Future<Output = Result<T, Failure>> + Send,
) -> PyResult<T> {
    let (work, handle) = abortable(work);
    let done = interruptible(py, || threads.handle.block_on(work), || handle.abort())?;
    done.map_err(|_| PyKeyboardInterrupt::new_err(()))?.map_err(|error| of_sql(error, query))
}

/// The ids of the games that meet a condition in SQL.
pub(crate) fn ids_where(py: Python<'_>, archive: &Archive, sql: &str) -> PyResult<RoaringTreemap> {
    let engine = Sql::new(archive, &SqlOptions::default()).map_err(|error| of_sql(error, sql))?;
    wait(py, &Threads::new()?, sql, engine.ids_where(sql))
}

/// The batches of an answer, with the threads of its query.
struct AnswerReader {
    schema: SchemaRef,
    batches: Abortable<QueryResult>,
    threads: Threads,
}

impl AnswerReader {
    fn of(answer: QueryResult, threads: Threads, stop: &Stop) -> Self {
        let schema = answer.schema();
        let (batches, handle) = abortable_stream(answer);
        stop.also(move || handle.abort());
        Self { schema, batches, threads }
    }
}

impl Iterator for AnswerReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.threads.handle.block_on(self.batches.next())?;
        let external = |error| ArrowError::ExternalError(Box::new(of_sql(error, "")));
        Some(batch.map(|batch| batch.record_batch().clone()).map_err(external))
    }
}

impl RecordBatchReader for AnswerReader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

#[pymethods]
impl PyArchive {
    /// The answer of a query of the tables `games`, `halfmoves` and `history`, computed while it is read.
    ///
    /// >>> import halfmove
    /// >>> answer = halfmove.open(folder).sql("select white, san(moves, 2) as opening from games where id = 1")
    /// >>> answer.read_all().to_pylist()
    /// [{'white': 'Morphy, Paul', 'opening': '1. e4 e5'}]
    ///
    /// Sorts, groups and joins take `memory_bytes` of memory, 1 GiB without it; sorts and groups beyond that use temporary files, others
    /// raise MemoryError. `time_limit`, a number of seconds or a timedelta, is the time from the call to the last row, after which
    /// reading raises TimeoutError.
    #[pyo3(signature = (query, *, memory_bytes=None, time_limit=None))]
    fn sql(
        &self,
        py: Python<'_>,
        query: String,
        memory_bytes: Option<usize>,
        time_limit: Option<Limit>,
    ) -> PyResult<Batches> {
        let mut options = SqlOptions::default();
        options.memory_bytes = memory_bytes.unwrap_or(options.memory_bytes);
        options.time_limit = time_limit.map(Limit::duration).transpose()?;
        let engine = Sql::new(&self.now(), &options);
        let engine = engine.map_err(|error| of_sql(error, &query))?;
        let threads = Threads::new()?;
        let answer = wait(py, &threads, &query, engine.query(&query))?;
        let schema = answer.schema();
        // The query that was planned is that of the first reader; another reader runs it again.
        let first = Mutex::new(Some((answer, threads)));
        let open: Open = Box::new(move |stop| {
            let first = first.lock().unwrap_or_else(PoisonError::into_inner).take();
            let (answer, threads) = match first {
                Some(first) => first,
                None => {
                    let threads = Threads::new()?;
                    let answer = threads.handle.block_on(engine.query(&query));
                    (answer.map_err(|error| of_sql(error, &query))?, threads)
                }
            };
            Ok(Box::new(AnswerReader::of(answer, threads, stop)) as Reader)
        });
        Ok(Batches { source: Source { schema, open }, skipped: None })
    }
}
