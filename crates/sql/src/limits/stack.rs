//! Planning where there is room for it, and where a mistake of the engine ends nothing but the query.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::thread;

use datafusion::physical_plan::SendableRecordBatchStream as Batches;
use datafusion::physical_plan::common::spawn_buffered;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use futures::channel::oneshot;
use futures::future::{Either, select};
use futures::{FutureExt, StreamExt};
use tokio::runtime::Handle;

use crate::error::{ArchiveError, said};
use crate::functions::raise;

/// The engine's planner takes some ten thousand bytes of stack for each level of a plan. Only what is touched is taken
/// from the system.
const STACK: usize = 256 << 20;

/// Runs some work on a thread of its own, with a large stack. The work is dropped at its next `await` if nobody waits
/// for it any longer.
pub(crate) async fn on_large_stack<T, F>(
    work: impl FnOnce() -> F + Send + 'static,
) -> Result<T, ArchiveError>
where
    T: Send + 'static,
    F: Future<Output = Result<T, ArchiveError>>,
{
    let runtime = Handle::try_current()
        .map_err(|_| ArchiveError::Query("queries need a Tokio runtime".to_owned()))?;
    let (mut sender, receiver) = oneshot::channel();
    let thread = thread::Builder::new().name("halfmove-plan".to_owned()).stack_size(STACK);
    let spawned = thread.spawn(move || {
        let done = runtime.block_on(async {
            // What the engine leaves behind is not used again.
            let work = AssertUnwindSafe(async { work().await }).catch_unwind();
            match select(pin!(work), sender.cancellation()).await {
                Either::Left((done, _)) => {
                    Some(done.unwrap_or_else(|panic| Err(failed(panic.as_ref()))))
                }
                Either::Right(_) => None,
            }
        });
        if let Some(done) = done {
            // Nobody may be there to hear it.
            let _ = sender.send(done);
        }
    });
    spawned.map_err(|error| ArchiveError::Limit(format!("no thread for the query: {error}")))?;
    receiver.await.unwrap_or(Err(ArchiveError::ThreadLost))
}

/// The same batches; a mistake of the engine is an error at the place where it happened. They are made on the threads of the
/// runtime and not on the one that waits for them, so that whoever names those threads knows whose panics are told as errors.
pub(crate) fn without_panics(batches: Batches) -> Batches {
    let schema = batches.schema();
    let batches = spawn_buffered(batches, 1);
    let batches = AssertUnwindSafe(batches).catch_unwind();
    let batches =
        batches.map(|next| next.unwrap_or_else(|panic| Err(raise(failed(panic.as_ref())))));
    Box::pin(RecordBatchStreamAdapter::new(schema, batches))
}

/// What the engine said when it gave up.
fn failed(panic: &(dyn Any + Send)) -> ArchiveError {
    let text = said(panic);
    ArchiveError::Query(format!("the query engine failed on this query; it said: {text}"))
}
