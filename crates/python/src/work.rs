//! Long work: without the GIL, on a separate thread, and cancelled by Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

use halfmove_archive::{Archive, ArchiveError, CancelToken};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::error::of_archive;

/// The interval at which signals are checked.
const PATIENCE: Duration = Duration::from_millis(50);

/// A request to end the work of a reader, which goes on from one batch to the next.
#[derive(Default)]
pub(crate) struct Stop {
    /// The token for work on archives.
    pub(crate) token: CancelToken,
    /// The ways to end other work.
    others: Mutex<Vec<Box<dyn FnOnce() + Send>>>,
}

impl Stop {
    /// Calls this, too, to end the work.
    #[cfg(feature = "sql")]
    pub(crate) fn also(&self, end: impl FnOnce() + Send + 'static) {
        self.others.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(end));
    }

    pub(crate) fn now(&self) {
        self.token.cancel();
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        others.drain(..).for_each(|end| end());
    }
}

/// Runs work on an archive. A signal, such as Ctrl-C, cancels it.
pub(crate) fn on<T: Send>(
    py: Python<'_>,
    archive: &Archive,
    work: impl FnOnce(&Archive) -> Result<T, ArchiveError> + Send,
) -> PyResult<T> {
    let token = CancelToken::default();
    let archive = archive.with_cancel(&token);
    interruptible(py, move || work(&archive), || token.cancel())?.map_err(of_archive)
}

/// Runs work on another thread, and calls `cancel` when a signal comes; the work must then end soon.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send,
    cancel: impl FnOnce(),
) -> PyResult<T> {
    let is_over = AtomicBool::new(false);
    let over = Over { is_over: &is_over, caller: thread::current() };
    let (done, signal) = thread::scope(|scope| {
        let worker = scope.spawn(move || {
            let _over = over;
            work()
        });
        let mut cancel = Some(cancel);
        let mut signal = Ok(());
        while !is_over.load(Ordering::Acquire) {
            py.detach(|| thread::park_timeout(PATIENCE));
            if signal.is_ok() {
                signal = py.check_signals();
                if signal.is_err() {
                    cancel.take().into_iter().for_each(|cancel| cancel());
                }
            }
        }
        (worker.join(), signal)
    });
    signal?;
    done.map_err(|_| PyRuntimeError::new_err("the work has ended with a bug in halfmove"))
}

/// Wakes the caller when the work is over, or has panicked.
struct Over<'a> {
    is_over: &'a AtomicBool,
    caller: Thread,
}

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        self.caller.unpark();
    }
}
