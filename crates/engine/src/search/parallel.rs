//! Several threads: all search the same position and share the transposition table (*Lazy SMP*).
//!
//! The table is all that they share. Threads use each other's results from the table, and because they are not
//! synchronized, they search different parts of the tree. Only the main thread reports, decides when to stop, and
//! returns the result.
//!
//! # Source
//! "Lazy SMP", Chess Programming Wiki.

use super::alphabeta::Worker;
use super::iterate;
use super::mates::Tables;
use super::{Clock, Limits, Memory, Report, SearchResult, Settings, Signals};
use crate::{Net, SearchBoard};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// The stack size of a thread, for deep recursion with large frames.
const STACK_BYTES: usize = 16 << 20;

/// The state that the threads of a search share.
pub(super) struct Context<'a> {
    pub(super) memory: &'a Memory,
    /// The mate tables that may be used.
    pub(super) tables: Tables,
    pub(super) settings: Settings,
    /// The net that evaluates positions; `None` for the hand-crafted evaluation.
    pub(super) net: Option<&'a Net>,
    pub(super) signals: &'a Signals,
    pub(super) clock: &'a dyn Clock,
    /// The time at which the search began.
    pub(super) start: Duration,
    pub(super) limits: &'a Limits,
    /// Set once the main thread has a result.
    pub(super) done: &'a AtomicBool,
    /// The nodes of each thread.
    pub(super) visited: &'a [AtomicU64],
}

impl Context<'_> {
    /// The nodes of all threads.
    pub(super) fn nodes(&self) -> u64 {
        self.visited.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }
}

/// Searches with the number of threads in the settings.
pub(super) fn run<B: SearchBoard>(
    context: &Context<'_>,
    position: &B,
    earlier: &[u64],
    report: &mut (dyn FnMut(&Report) + Send),
) -> SearchResult {
    let histories = &context.memory.histories;
    histories.keep(context.visited.len());
    let worker = |number: usize| {
        let visited = &context.visited[number];
        Worker::new(context, visited, position, earlier, histories.take(), number == 0)
    };
    thread::scope(|scope| {
        let main = thread::Builder::new().stack_size(STACK_BYTES);
        let answer = main.spawn_scoped(scope, || {
            let mut worker = worker(0);
            let answer = iterate::lead(&mut worker, position, report);
            histories.put(worker.histories);
            answer
        });
        // If a thread cannot be started, the search continues with fewer.
        let helpers: Vec<_> = (1..context.visited.len())
            .map_while(|number| {
                let helper = thread::Builder::new().stack_size(STACK_BYTES);
                let help = move || {
                    let mut worker = worker(number);
                    iterate::help(&mut worker, position, number);
                    histories.put(worker.histories);
                };
                helper.spawn_scoped(scope, help).ok()
            })
            .collect();
        let answer = answer.ok().and_then(|thread| thread.join().ok());
        context.done.store(true, Relaxed);
        for helper in helpers {
            // A failed helper thread does not matter.
            let _ = helper.join();
        }
        answer.unwrap_or_else(|| iterate::first_move(position))
    })
}
