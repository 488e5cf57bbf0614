//! Perft with a hash table: a position that is reached in several ways is counted once.

use super::after;
use crate::Position;
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A hash table of counts for [`perft_hashed`]. Threads may share one.
///
/// Each entry has 16 bytes: the position's key XOR the data, and the data, which is the count and the
/// depth. If two threads write an entry at the same time, its halves may not match. Such an entry is
/// never found, so no lock is needed.
///
/// Positions are distinguished by the 64 bits of their keys and the depth. If keys are random, the
/// probability that a look-up returns the count of another position is about 2^-63 (two entries are
/// compared); for 10^12 look-ups it is about one in ten million. A Polyglot key does not distinguish
/// which of two rooks on one side may castle, so [clear](PerftTable::clear) the table between unrelated
/// positions of Chess960.
///
/// # Source
/// Robert Hyatt and Tim Mann, *A lockless transposition-table implementation for parallel search*
/// (2002).
pub struct PerftTable {
    buckets: Vec<[Entry; 2]>,
}

/// The first word is the key, combined by exclusive or with the second; that is the count, and the
/// depth in the low byte.
type Entry = [AtomicU64; 2];

const BUCKET_BYTES: usize = size_of::<[Entry; 2]>();
const DEPTH_BITS: u32 = 8;

impl fmt::Debug for PerftTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PerftTable").field("buckets", &self.buckets.len()).finish_non_exhaustive()
    }
}

impl PerftTable {
    /// An empty table of at most `bytes` bytes (but at least 32, room for two counts); `None` if
    /// there is not enough memory.
    pub fn new(bytes: usize) -> Option<Self> {
        let count = (bytes / BUCKET_BYTES).max(1);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).ok()?;
        buckets.resize_with(count, Default::default);
        Some(Self { buckets })
    }

    /// Removes all counts.
    pub fn clear(&mut self) {
        for word in self.buckets.as_flattened_mut().as_flattened_mut() {
            *word.get_mut() = 0;
        }
    }

    fn bucket(&self, key: u64) -> &[Entry; 2] {
        // A product's upper half spreads the keys over any number of buckets (Lemire).
        let index = ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize;
        &self.buckets[index]
    }

    fn find(&self, key: u64, depth: u32) -> Option<u64> {
        self.bucket(key).iter().find_map(|[check, data]| {
            let data = data.load(Relaxed);
            let is_it = check.load(Relaxed) ^ data == key && depth_of(data) == depth;
            is_it.then_some(data >> DEPTH_BITS)
        })
    }

    fn store(&self, key: u64, depth: u32, nodes: u64) {
        if depth >= 1 << DEPTH_BITS || nodes >= 1 << (u64::BITS - DEPTH_BITS) {
            return;
        }
        // The first entry is replaced by counts that are at least as deep; shallower ones replace the
        // second.
        let [deep, new] = self.bucket(key);
        let [check, data] = if depth >= depth_of(deep[1].load(Relaxed)) { deep } else { new };
        let word = nodes << DEPTH_BITS | u64::from(depth);
        check.store(key ^ word, Relaxed);
        data.store(word, Relaxed);
    }
}

fn depth_of(data: u64) -> u32 {
    data as u32 & ((1 << DEPTH_BITS) - 1)
}

/// [`perft`](crate::perft) with a hash table. The greater the depth, the more it helps. The result is
/// the same, except with the small probability stated at [`PerftTable`].
///
/// ```
/// use halfmove_rules::{Chess, PerftTable, perft_hashed};
/// let table = PerftTable::new(1 << 20).expect("a megabyte");
/// assert_eq!(perft_hashed(&Chess::default(), 4, &table), 197_281);
/// ```
pub fn perft_hashed<P: Position>(position: &P, depth: u32, table: &PerftTable) -> u64 {
    if depth < 2 {
        return position.perft(depth);
    }
    let key = position.zobrist().0;
    if let Some(nodes) = table.find(key, depth) {
        return nodes;
    }
    let nodes = if depth == 2 {
        // The tree is too small to gain from the table, and the fast path counts it without keys.
        position.perft(depth)
    } else {
        let mut nodes = 0;
        let _: ControlFlow<()> = position.visit_moves(|piece| {
            for mv in piece {
                nodes += perft_hashed(&after(position, mv), depth - 1, table);
            }
            ControlFlow::Continue(())
        });
        nodes
    };
    table.store(key, depth, nodes);
    nodes
}
