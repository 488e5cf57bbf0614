//! Perft on several threads.

use super::after;
use crate::{Move, PerftTable, Position, perft, perft_hashed};
use alloc::vec::Vec;
use core::num::NonZero;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

/// The progress of a parallel perft.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PerftProgress {
    /// The number of completed jobs.
    pub done: usize,
    /// The total number of jobs.
    pub jobs: usize,
    /// The number of leaves counted so far.
    pub nodes: u64,
}

/// The minimum number of jobs per thread into which the tree is split: enough to keep all threads
/// busy until the end.
const PIECES_PER_THREAD: usize = 64;

/// [`perft`] on several threads, which may share a table.
///
/// `progress` is called by the worker threads after each job, in unspecified order.
///
/// ```
/// use halfmove_rules::{Chess, perft_parallel};
/// use std::num::NonZero;
///
/// let threads = NonZero::new(2).expect("not zero");
/// assert_eq!(perft_parallel(&Chess::default(), 4, threads, None, |_| {}), 197_281);
/// ```
///
/// # Panics
/// If the system cannot start a thread.
pub fn perft_parallel<P: Position + Sync>(
    position: &P,
    depth: u32,
    threads: NonZero<usize>,
    table: Option<&PerftTable>,
    progress: impl Fn(PerftProgress) + Sync,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    let counts = divide_parallel(position, depth, threads, table, progress);
    counts.into_iter().map(|(_, nodes)| nodes).sum()
}

/// [`divide`](crate::divide) on several threads, which may share a table; see [`perft_parallel`].
///
/// # Panics
/// If the system cannot start a thread.
pub fn divide_parallel<P: Position + Sync>(
    position: &P,
    depth: u32,
    threads: NonZero<usize>,
    table: Option<&PerftTable>,
    progress: impl Fn(PerftProgress) + Sync,
) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves = position.legal_moves();
    let counts: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let (pieces, depth) = split(position, depth, threads.get().saturating_mul(PIECES_PER_THREAD));

    let (next, done, nodes) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicU64::new(0));
    let work = || {
        while let Some(piece) = pieces.get(next.fetch_add(1, Relaxed)) {
            let count = match table {
                Some(table) => perft_hashed(&piece.position, depth, table),
                None => perft(&piece.position, depth),
            };
            counts[piece.root].fetch_add(count, Relaxed);
            progress(PerftProgress {
                nodes: nodes.fetch_add(count, Relaxed) + count,
                done: done.fetch_add(1, Relaxed) + 1,
                jobs: pieces.len(),
            });
        }
    };
    let helpers = threads.get().min(pieces.len()).saturating_sub(1);
    thread::scope(|scope| {
        for _ in 0..helpers {
            scope.spawn(work);
        }
        work();
    });
    moves.into_iter().zip(counts.into_iter().map(AtomicU64::into_inner)).collect()
}

/// A position whose leaves are counted in one job.
struct Piece<P> {
    position: P,
    /// The index of the root move that leads to it.
    root: usize,
}

/// Positions a few plies below the root, at least `enough` of them if possible, and the remaining
/// depth below them.
fn split<P: Position>(position: &P, depth: u32, enough: usize) -> (Vec<Piece<P>>, u32) {
    let moves = position.legal_moves().into_iter().enumerate();
    let mut pieces: Vec<Piece<P>> =
        moves.map(|(root, mv)| Piece { position: after(position, mv), root }).collect();
    let mut left = depth - 1;
    // The last two plies are the cheapest to count and the most expensive to split.
    while pieces.len() < enough && left > 2 {
        let deeper = pieces.iter().flat_map(|piece| {
            let moves = piece.position.legal_moves().into_iter();
            moves.map(|mv| Piece { position: after(&piece.position, mv), root: piece.root })
        });
        pieces = deeper.collect();
        left -= 1;
    }
    (pieces, left)
}
