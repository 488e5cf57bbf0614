//! The threads that parse text and encode columns.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::builders::Builders;
use super::parse::Segment;
use crate::change::encode::{Encoded, RowGroup};
use crate::error::ArchiveError;

/// A task for a thread.
pub(super) enum Task {
    Parse(Segment),
    Encode(RowGroup, SyncSender<Result<Encoded, ArchiveError>>),
}

/// A thread pool that processes tasks in order.
///
/// The threads hold no files. When the pool is dropped, they end after the current block of text or row group.
#[derive(Debug)]
pub(super) struct Pool {
    tasks: Sender<Task>,
    stopped: Arc<AtomicBool>,
}

impl Pool {
    pub(super) fn new(threads: usize) -> std::io::Result<Self> {
        let (tasks, receiver) = channel::<Task>();
        let receiver = Arc::new(Mutex::new(receiver));
        let stopped = Arc::new(AtomicBool::new(false));
        for _ in 0..threads {
            let (receiver, stopped) = (Arc::clone(&receiver), Arc::clone(&stopped));
            thread::Builder::new()
                .name("halfmove-work".to_owned())
                .spawn(move || work(&receiver, &stopped))?;
        }
        Ok(Self { tasks, stopped })
    }

    /// Returns a sender of tasks for another thread. The pool's threads do not end before it is dropped.
    pub(super) fn tasks(&self) -> Sender<Task> {
        self.tasks.clone()
    }

    /// Returns a flag that is set when results are no longer needed.
    pub(super) fn stopped(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stopped)
    }

    /// Queues a task; returns it if there are no threads.
    pub(super) fn give(&self, task: Task) -> Result<(), Task> {
        self.tasks.send(task).map_err(|unsent| unsent.0)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

fn work(tasks: &Mutex<Receiver<Task>>, stopped: &AtomicBool) {
    let mut columns = Builders::new();
    loop {
        let task = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
        // After a stop the remaining tasks are only dropped, which closes the channels of their results.
        match task {
            Err(_) => return,
            Ok(_) if stopped.load(Ordering::Relaxed) => {}
            Ok(Task::Parse(segment)) => segment.parse(&mut columns, stopped),
            Ok(Task::Encode(group, result)) => {
                // The receiver may be gone.
                let _ = result.send(group.encode());
            }
        }
    }
}
