//! Planning and execution with limits: a large stack, panics that become errors, a time limit.
//!
//! The engine's memory pool limits memory, see [`SqlOptions`](crate::SqlOptions).

use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use datafusion::error::Result;
use datafusion::execution::SessionStateBuilder;
use datafusion::physical_plan::SendableRecordBatchStream as Batches;
use datafusion::physical_plan::common::spawn_buffered;
use datafusion::physical_plan::execute_stream;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::prelude::DataFrame;
use futures::channel::oneshot;
use futures::future::{Either, select};
use futures::{FutureExt, StreamExt, TryStreamExt, stream};
use halfmove_archive::CancelToken;
use tokio::runtime::Handle;
use tokio::time::{Instant, sleep_until, timeout_at};

use crate::error::{SqlError, lost_in_filter, panicked, raise};
use crate::stopping::{CancelOnDrop, stoppable};

/// The size of the stack. The engine's planner takes some ten thousand bytes for each level of a plan. Only the pages
/// in use are taken from the system.
const STACK: usize = 256 << 20;

/// Runs some work on a separate thread, with a large stack. The work is dropped at its next `await` if the future is
/// dropped.
pub(crate) async fn on_large_stack<T, F>(work: impl FnOnce() -> F + Send + 'static) -> Result<T>
where
    T: Send + 'static,
    F: Future<Output = Result<T>>,
{
    let runtime = Handle::try_current().map_err(|_| raise(SqlError::NoRuntime))?;
    let (mut sender, receiver) = oneshot::channel();
    let thread = thread::Builder::new().name("halfmove-plan".to_owned()).stack_size(STACK);
    thread.spawn(move || {
        let done = runtime.block_on(async {
            // The state that a panic leaves behind is not used again.
            let work = AssertUnwindSafe(async { work().await }).catch_unwind();
            match select(pin!(work), sender.cancellation()).await {
                Either::Left((done, _)) => {
                    Some(done.unwrap_or_else(|panic| Err(raise(panicked(panic.as_ref())))))
                }
                Either::Right(_) => None,
            }
        });
        if let Some(done) = done {
            // The future may have been dropped.
            let _ = sender.send(done);
        }
    })?;
    receiver.await.unwrap_or_else(|_| Err(raise(SqlError::Panicked("a thread ended".to_owned()))))
}

/// Starts the execution of a plan. It ends soon after its batches are dropped, the token is cancelled, or the deadline.
pub(crate) async fn start(
    frame: DataFrame,
    cancel: CancelToken,
    deadline: Deadline,
) -> Result<Batches> {
    let batches = execute(frame.clone(), &cancel, deadline).await?;
    let schema = batches.schema();
    let batches = batches.then(move |next| {
        let (frame, cancel) = (frame.clone(), cancel.clone());
        async move {
            match next {
                Err(error) if lost_in_filter(&error) => {
                    on_large_stack(move || find_error(frame, cancel, deadline)).await?;
                    Err(error)
                }
                next => next,
            }
        }
    });
    Ok(Box::pin(RecordBatchStreamAdapter::new(schema, batches)))
}

/// Executes a plan that has failed once more, to get its error: now conditions are not evaluated while files are read,
/// because there the engine keeps only the text of an error.
async fn find_error(frame: DataFrame, cancel: CancelToken, deadline: Deadline) -> Result<()> {
    let (state, plan) = frame.into_parts();
    let mut config = state.config().clone();
    config.options_mut().execution.parquet.pushdown_filters = false;
    let state = SessionStateBuilder::new_from_existing(state).with_config(config).build();
    let batches = execute(DataFrame::new(state, plan), &cancel, deadline).await?;
    batches.try_for_each(|_| async { Ok(()) }).await
}

async fn execute(frame: DataFrame, cancel: &CancelToken, deadline: Deadline) -> Result<Batches> {
    let token = cancel.child();
    let guard = CancelOnDrop(token.clone());
    let context = Arc::new(frame.task_ctx());
    let plan = stoppable(frame.create_physical_plan().await?, &token, deadline)?;
    let batches = without_panics(execute_stream(plan, context)?);
    let schema = batches.schema();
    // The guard lives as long as the batches.
    let batches = batches.inspect(move |_| {
        let _ = &guard;
    });
    Ok(Box::pin(RecordBatchStreamAdapter::new(schema, batches)))
}

/// The same batches, with an error in place of a panic. They are produced on the threads of the runtime, and not on the
/// waiting thread, so a program can recognize by the names of the threads the panics that become errors.
fn without_panics(batches: Batches) -> Batches {
    let schema = batches.schema();
    let batches = AssertUnwindSafe(spawn_buffered(batches, 1)).catch_unwind();
    let batches =
        batches.map(|next| next.unwrap_or_else(|panic| Err(raise(panicked(panic.as_ref())))));
    Box::pin(RecordBatchStreamAdapter::new(schema, batches))
}

/// The time limit of a query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(Option<(Instant, Duration)>);

impl Deadline {
    /// The deadline of a query that begins now.
    pub(crate) fn of(limit: Option<Duration>) -> Self {
        Self(limit.and_then(|limit| Some((Instant::now().checked_add(limit)?, limit))))
    }

    /// Returns an error after the deadline.
    pub(crate) fn check(self) -> Result<()> {
        match self.0 {
            Some((end, limit)) if Instant::now() >= end => Err(raise(SqlError::Time { limit })),
            _ => Ok(()),
        }
    }

    /// Waits for some work until the deadline.
    pub(crate) async fn wait<T>(self, work: impl Future<Output = Result<T>>) -> Result<T> {
        match self.0 {
            None => work.await,
            Some((end, limit)) => {
                timeout_at(end, work).await.unwrap_or_else(|_| Err(raise(SqlError::Time { limit })))
            }
        }
    }

    /// The same batches until the deadline, and then an error.
    pub(crate) fn bound(self, batches: Batches) -> Batches {
        let Some((end, limit)) = self.0 else { return batches };
        let schema = batches.schema();
        let late = sleep_until(end).map(move |()| Err(raise(SqlError::Time { limit })));
        let late = stream::once(late).map(Some);
        let ended = batches.map(Some).chain(stream::once(async { None }));
        // The end of either stream ends both.
        let batches = stream::select(ended, late.chain(stream::once(async { None })))
            .take_while(|next| std::future::ready(next.is_some()))
            .filter_map(std::future::ready);
        Box::pin(RecordBatchStreamAdapter::new(schema, batches))
    }
}
