//! Queries in SQL.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use futures::StreamExt;
use futures::future::abortable;
use futures::stream::{Abortable, abortable as abortable_stream};
use halfmove_archive::{Archive, RoaringTreemap};
use halfmove_sql::{Answer, Sql, SqlError as Failure, SqlOptions};
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyTimeoutError};
use pyo3::prelude::*;
use tokio::runtime::Runtime;

use crate::archive::PyArchive;
use crate::error::SqlError;
use crate::rows::{Batches, Open, Reader, Source};
use crate::work::{Stop, interruptible};

fn of_sql(error: Failure) -> PyErr {
    let message = error.to_string();
    match error {
        Failure::Memory { .. } => PyMemoryError::new_err(message),
        Failure::Time { .. } => PyTimeoutError::new_err(message),
        _ => SqlError::new_err(message),
    }
}

/// A runtime of its own for each query: threads do not survive a fork.
fn runtime() -> PyResult<Arc<Runtime>> {
    Ok(Arc::new(Runtime::new()?))
}

/// Waits for work of the query engine; Ctrl-C drops it.
fn wait<T: Send>(
    py: Python<'_>,
    runtime: &Runtime,
    work: impl Future<Output = Result<T, Failure>> + Send,
) -> PyResult<T> {
    let (work, handle) = abortable(work);
    let done = interruptible(py, || runtime.block_on(work), || handle.abort())?;
    done.map_err(|_| PyKeyboardInterrupt::new_err(()))?.map_err(of_sql)
}

/// The ids of the games that meet a condition in SQL.
pub(crate) fn ids_where(py: Python<'_>, archive: &Archive, sql: &str) -> PyResult<RoaringTreemap> {
    let engine = Sql::new(archive, &SqlOptions::default()).map_err(of_sql)?;
    wait(py, &*runtime()?, engine.ids_where(sql))
}

/// The batches of an answer, on the runtime of its query.
struct AnswerReader {
    schema: SchemaRef,
    batches: Abortable<Answer>,
    runtime: Arc<Runtime>,
}

impl AnswerReader {
    fn of(answer: Answer, runtime: Arc<Runtime>, stop: &Stop) -> Self {
        let schema = answer.schema();
        let (batches, handle) = abortable_stream(answer);
        stop.also(move || handle.abort());
        Self { schema, batches, runtime }
    }
}

impl Iterator for AnswerReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.runtime.block_on(self.batches.next())?;
        let external = |error| ArrowError::ExternalError(Box::new(of_sql(error)));
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
    fn sql(&self, py: Python<'_>, query: String) -> PyResult<Batches> {
        let engine = Sql::new(&self.now(), &SqlOptions::default()).map_err(of_sql)?;
        let first_runtime = runtime()?;
        let answer = wait(py, &first_runtime, engine.query(&query))?;
        let schema = answer.schema();
        // The query that was planned is that of the first reader; another reader runs it again.
        let first = Mutex::new(Some((answer, first_runtime)));
        let open: Open = Box::new(move |stop| {
            let first = first.lock().unwrap_or_else(PoisonError::into_inner).take();
            let (answer, runtime) = match first {
                Some(first) => first,
                None => {
                    let runtime = runtime()?;
                    (runtime.block_on(engine.query(&query)).map_err(of_sql)?, runtime)
                }
            };
            Ok(Box::new(AnswerReader::of(answer, runtime, stop)) as Reader)
        });
        Ok(Batches { source: Source { schema, open } })
    }
}
