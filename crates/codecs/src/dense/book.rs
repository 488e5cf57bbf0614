//! The book: how often each move was played in positions that many games of the training reached.

use halfmove_game::rules::cpu;

/// A book, as the model has it or while one is trained.
pub trait Book {
    /// The class of the number of games that reached a position, by its key; `None` for a position that it lacks.
    fn total(&self, position: u64) -> Option<u8>;

    /// The class of the cost of a move in a position that it has; `None` for a rare move. A book that counts the game that
    /// is being learned leaves it out, for which it needs to know if the move was played.
    fn cost(&self, position: u64, key: u16, is_played: bool) -> Option<u8>;

    /// Prefetches a move.
    fn prefetch(&self, _position: u64, _key: u16) {}
}

/// The number of half-moves from the start after which positions are not looked up.
pub const PLIES: usize = 40;

/// The class of a move that the book lacks.
pub(super) const ABSENT: u8 = 17;

/// The class of the number of games that reached a position; `None` for too few.
///
/// ```text
/// 0 8 to 31 │ 1 32 to 127 │ 2 128 to 1,023 │ 3 1,024 and more
/// ```
pub fn class_of_total(total: u32) -> Option<u8> {
    match total {
        0..8 => None,
        8..32 => Some(0),
        32..128 => Some(1),
        128..1_024 => Some(2),
        _ => Some(3),
    }
}

/// The class of the cost of a move that `count` of `total` games played: its cost in half bits, up to 16. `None` for fewer
/// than 3 games.
pub fn class_of_cost(count: u32, total: u32) -> Option<u8> {
    let square = |number: u32| u64::from(number) * u64::from(number);
    let is_known = count >= 3 && count <= total;
    is_known.then(|| (square(total) / square(count)).ilog2().min(16) as u8)
}

/// The index in the table of weights, by the classes of a move and of its position.
pub(super) fn index(cost: Option<u8>, total: u8) -> usize {
    usize::from(cost.unwrap_or(ABSENT)) * 4 + usize::from(total)
}

/// The key of an entry. The key of a position stands for itself with a move of all ones.
fn entry(position: u64, key: u16) -> u64 {
    let mixed = (position ^ u64::from(key)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

const POSITION: u16 = u16::MAX;

/// A table of entries, each a check of 16 bits, 0 for none, and a class. An entry is in the first free place from that of
/// the upper bits of its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookTable {
    checks: Vec<u16>,
    classes: Vec<u8>,
}

/// The number of places.
const PLACES: usize = 1 << 17;

/// The number of bytes of a table in the file.
pub(super) const BYTES: usize = PLACES * 3;

impl Default for BookTable {
    fn default() -> Self {
        Self { checks: vec![0; PLACES], classes: vec![0; PLACES] }
    }
}

impl BookTable {
    /// The largest number of entries.
    pub const ENTRIES: usize = PLACES / 5 * 4;

    /// The first place of a key.
    const fn first(key: u64) -> usize {
        (key >> (64 - PLACES.trailing_zeros())) as usize
    }

    fn place(&self, key: u64) -> (usize, u16) {
        let check = (key as u16).max(1);
        let mut at = Self::first(key);
        while self.checks[at] != check && self.checks[at] != 0 {
            at = (at + 1) % PLACES;
        }
        (at, check)
    }

    fn find(&self, key: u64) -> Option<u8> {
        let (at, check) = self.place(key);
        (self.checks[at] == check).then(|| self.classes[at])
    }

    fn insert(&mut self, key: u64, class: u8) {
        let (at, check) = self.place(key);
        (self.checks[at], self.classes[at]) = (check, class);
    }

    /// Adds a position with its class, and its moves with theirs.
    pub fn add(&mut self, position: u64, total: u8, moves: &[(u16, u8)]) {
        self.insert(entry(position, POSITION), total);
        for (key, cost) in moves {
            self.insert(entry(position, *key), *cost);
        }
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (checks, classes) = bytes.split_at_checked(PLACES * 2)?;
        let checks: Vec<_> =
            checks.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect();
        // A search ends at a free place.
        let is_valid = classes.len() == PLACES
            && checks.contains(&0)
            && classes.iter().all(|class| *class < ABSENT);
        is_valid.then(|| Self { checks, classes: classes.to_vec() })
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let checks = self.checks.iter().flat_map(|check| check.to_le_bytes());
        checks.chain(self.classes.iter().copied()).collect()
    }
}

impl Book for BookTable {
    fn total(&self, position: u64) -> Option<u8> {
        Some(self.find(entry(position, POSITION))?.min(3))
    }

    fn cost(&self, position: u64, key: u16, _: bool) -> Option<u8> {
        self.find(entry(position, key))
    }

    #[inline]
    fn prefetch(&self, position: u64, key: u16) {
        cpu::prefetch(&self.checks[Self::first(entry(position, key))]);
    }
}
