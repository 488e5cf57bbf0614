//! The transposition table: scores, best moves and depths of searched positions.
//!
//! An entry is 16 bytes, two words that several threads read and write without locks:
//!
//! ```text
//! word 0   key of the position XOR word 1
//! word 1   bits 63…48 move   47…32 score   31…16 static value   15…8 depth   7…6 bound   5…0 generation
//! ```
//!
//! If two threads write at once, the words may come from two entries. Then their XOR does not match the key of the
//! look-up, and the entry counts as missing.
//!
//! Four entries form a bucket, which is one cache line. The system provides zeroed memory, one page at a time when it
//! is first written, so a large table is allocated in no time. A new position replaces the shallowest entry of its
//! bucket; each search since an entry was written reduces its depth by four plies in this comparison.
//!
//! # Source
//! Robert Hyatt and Tim Mann, *A lockless transposition-table implementation for parallel search*, ICGA Journal 25.1
//! (2002).

use super::value::from_table;
use bytemuck::allocation::try_zeroed_slice_box;
use halfmove_rules::{Move, cpu};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// The number of entries in a bucket.
const BUCKET: usize = 4;
/// The number of words in an entry.
const SLOT: usize = 2;
/// The number of words in a bucket, which fills a cache line.
const LINE: usize = SLOT * BUCKET;
const LINE_BYTES: usize = LINE * size_of::<AtomicU64>();
const BUCKETS_PER_MIB: usize = (1 << 20) / LINE_BYTES;
const MAX_MIB: usize = 1 << 20;
const GENERATIONS: u8 = 64;

/// The relation between a stored score and the true one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// The stored score is the true score.
    Exact = 3,
}

/// An entry of the table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) mv: Option<Move>,
    pub(crate) score: i16,
    pub(crate) value: i16,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
}

/// The words of an entry: a check of the key, and the data.
type Slot = [AtomicU64; SLOT];

/// A transposition table, shared by any number of threads.
///
/// ```
/// use halfmove_engine::Table;
/// let table = Table::new(16);
/// assert_eq!((table.mib(), table.permille_full()), (16, 0));
/// ```
pub struct Table {
    words: Box<[AtomicU64]>,
    /// The index of the first word that begins a cache line.
    first: usize,
    buckets: usize,
    generation: AtomicU8,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("entries", &(BUCKET * self.buckets)).finish_non_exhaustive()
    }
}

impl Entry {
    /// The score, if it decides a node at this ply with this window.
    #[inline]
    pub(crate) fn cutoff(&self, alpha: i32, beta: i32, ply: usize) -> Option<i32> {
        let score = from_table(self.score, ply);
        let answers = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        answers.then_some(score)
    }
}

impl Table {
    /// Allocates an empty table of `mib` MiB, or of half, a quarter and so on if there is not enough memory.
    ///
    /// # Panics
    /// If there is not enough memory for 1 MiB.
    pub fn new(mib: usize) -> Self {
        let mut mib = mib.clamp(1, MAX_MIB);
        loop {
            match Self::try_new(mib) {
                Some(table) => return table,
                None => assert!(mib > 1, "no memory for a table of 1 MiB"),
            }
            mib /= 2;
        }
    }

    /// Allocates an empty table of `mib` MiB; `None` if there is not enough memory.
    ///
    /// ```
    /// use halfmove_engine::Table;
    /// assert_eq!(Table::try_new(64).map(|table| table.mib()), Some(64));
    /// assert!(Table::try_new(usize::MAX).is_none());
    /// ```
    pub fn try_new(mib: usize) -> Option<Self> {
        let buckets = mib.checked_mul(BUCKETS_PER_MIB).filter(|_| (1..=MAX_MIB).contains(&mib))?;
        // The memory is aligned to words, not to cache lines.
        let words: Box<[AtomicU64]> = try_zeroed_slice_box(buckets * LINE + LINE - 1).ok()?;
        let first = words.as_ptr().align_offset(LINE_BYTES).min(LINE - 1);
        Some(Self { words, first, buckets, generation: AtomicU8::new(0) })
    }

    /// The size in MiB.
    pub fn mib(&self) -> usize {
        self.buckets / BUCKETS_PER_MIB
    }

    /// Clears the table. Memory that was never written stays untouched.
    pub fn clear(&self) {
        for word in self.words.iter().filter(|word| word.load(Relaxed) != 0) {
            word.store(0, Relaxed);
        }
        self.generation.store(0, Relaxed);
    }

    /// Begins a new search, so that older entries count less.
    pub(crate) fn age(&self) {
        let next = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Relaxed);
    }

    /// The share of entries that the current search has written, in permille.
    pub fn permille_full(&self) -> usize {
        let generation = self.generation.load(Relaxed);
        let sample = self.buckets.min(1000 / BUCKET);
        let lines = self.words[self.first..].as_chunks::<LINE>().0;
        let used = lines[..sample].iter().flat_map(slots).filter(|[_, data]| {
            let data = data.load(Relaxed);
            data != 0 && data as u8 % GENERATIONS == generation
        });
        used.count() * 1000 / (BUCKET * sample)
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64; LINE] {
        let at = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        &self.words[self.first..].as_chunks::<LINE>().0[at]
    }

    /// Prefetches the bucket of a position.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        cpu::prefetch(self.bucket(key));
    }

    /// The entry of the position with this key.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        slots(self.bucket(key)).iter().find_map(|[check, data]| {
            let data = data.load(Relaxed);
            if check.load(Relaxed) ^ data != key || data == 0 {
                return None;
            }
            Some(Entry {
                mv: Move::from_bits((data >> 48) as u16).filter(|mv| mv.to_bits() != 0),
                score: (data >> 32) as i16,
                value: (data >> 16) as i16,
                depth: (data >> 8) as u8,
                bound: match data >> 6 & 3 {
                    1 => Bound::Upper,
                    2 => Bound::Lower,
                    _ => Bound::Exact,
                },
            })
        })
    }

    /// Stores an entry for the position with this key. If it has no move, the move of an earlier entry is kept.
    #[inline]
    pub(crate) fn store(&self, key: u64, mut entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let mut worst = (i32::MAX, 0);
        let slots = slots(self.bucket(key));
        for (i, [check, data]) in slots.iter().enumerate() {
            let data = data.load(Relaxed);
            if data != 0 && check.load(Relaxed) ^ data == key {
                if entry.mv.is_none() {
                    entry.mv = Move::from_bits((data >> 48) as u16).filter(|mv| mv.to_bits() != 0);
                }
                let depth = (data >> 8) as u8;
                let fresh = data as u8 % GENERATIONS == generation;
                if entry.bound != Bound::Exact && fresh && entry.depth.saturating_add(3) < depth {
                    return;
                }
                worst = (i32::MIN, i);
                break;
            }
            let age = generation.wrapping_sub(data as u8) % GENERATIONS;
            let worth = match data {
                0 => -1000,
                _ => i32::from((data >> 8) as u8) - 4 * i32::from(age),
            };
            if worth < worst.0 {
                worst = (worth, i);
            }
        }
        let mv = entry.mv.map_or(0, Move::to_bits);
        let data = u64::from(mv) << 48
            | u64::from(entry.score as u16) << 32
            | u64::from(entry.value as u16) << 16
            | u64::from(entry.depth) << 8
            | (entry.bound as u64) << 6
            | u64::from(generation);
        let [check, old] = &slots[worst.1];
        check.store(key ^ data, Relaxed);
        old.store(data, Relaxed);
    }
}

/// The entries of a bucket.
#[inline]
fn slots(bucket: &[AtomicU64; LINE]) -> &[Slot] {
    bucket.as_chunks::<SLOT>().0
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfmove_rules::Square;

    fn entry(depth: u8, mv: Option<Move>) -> Entry {
        Entry { mv, score: -31_990, value: 250, depth, bound: Bound::Lower }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = Table::new(1);
        let mv = Some(Move::castle(Square::E1, Square::H1));
        assert_eq!(table.probe(77), None);
        table.store(77, entry(9, mv));
        assert_eq!(table.probe(77), Some(entry(9, mv)));
        table.store(77, entry(8, None));
        assert_eq!(table.probe(77), Some(entry(8, mv)), "the move is kept");
        table.store(77, entry(2, None));
        assert_eq!(table.probe(77), Some(entry(8, mv)), "a much shallower search is not stored");
        table.clear();
        assert_eq!(table.probe(77), None);
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let table = Table::new(1);
        // Keys in the same bucket.
        for (key, depth) in [(1, 10), (2, 3), (3, 8), (4, 9)] {
            table.store(key, entry(depth, None));
        }
        table.store(5, entry(1, None));
        assert!(table.probe(2).is_none() && table.probe(5).is_some());
        table.age();
        table.store(5, entry(5, None));
        table.store(6, entry(6, None));
        assert!(table.probe(3).is_none(), "depth 8, one search ago, is worth 4");
        table.age();
        table.age();
        table.store(7, entry(1, None));
        assert!(table.probe(5).is_none(), "depth 5, two searches ago");
        assert!(table.probe(1).is_some(), "depth 10, three searches ago");
    }

    #[test]
    fn buckets_are_lines_of_the_cache() {
        let table = Table::new(3);
        for key in [0, 1 << 63, u64::MAX] {
            assert_eq!(table.bucket(key).as_ptr().addr() % LINE_BYTES, 0, "{key:x}");
        }
    }

    #[test]
    fn half_an_entry_is_none() {
        let table = Table::new(1);
        table.store(77, entry(9, None));
        let [_, data] = slots(table.bucket(77))
            .iter()
            .find(|[_, data]| data.load(Relaxed) != 0)
            .expect("an entry");
        data.fetch_xor(1 << 20, Relaxed);
        assert_eq!(table.probe(77), None);
    }
}
