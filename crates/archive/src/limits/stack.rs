//! Planning where there is room for it.

use std::pin::pin;
use std::thread;

use futures::channel::oneshot;
use futures::future::{Either, select};
use tokio::runtime::Handle;

use crate::error::ArchiveError;

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
            match select(pin!(work()), sender.cancellation()).await {
                Either::Left((done, _)) => Some(done),
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
