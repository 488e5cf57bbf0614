//! Counting on several threads.

use super::after;
use crate::{Move, PerftTable, Position, perft, perft_hashed};
use alloc::vec::Vec;
use core::num::NonZero;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

/// The progress of a count.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PerftProgress {
    /// Jobs that are done.
    pub done: usize,
    /// Jobs in total.
    pub jobs: usize,
    /// Leaves counted so far.
    pub nodes: u64,
}

/// The tree is split until each thread can expect this many jobs: enough that the last one to
/// finish does not keep the others waiting.
const PIECES_PER_THREAD: usize = 64;

/// [`perft`] on several threads, which may share a table.
///
/// `progress` is called by whichever thread finishes a job, in unspecified order.
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

/// A position to count the leaves below.
struct Piece<P> {
    position: P,
    /// The index of the first move that led to it.
    root: usize,
}

/// Positions a few plies down, at least `enough` of them if there are that many, and the depth that
/// is left to count below them.
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
