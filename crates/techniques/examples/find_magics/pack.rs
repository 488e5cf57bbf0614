//! Many sparse tables in one: each square's slots lie in holes that other squares leave.

use super::case::Case;
use super::search::{self, Found, Random};
use std::cmp::Reverse;

/// No table is longer.
const MAX: u32 = 200_000;

/// The slots of one factor as a set, moved so that the first is slot 0.
#[derive(Clone, Debug)]
struct Pattern {
    found: Found,
    words: Vec<u64>,
}

impl Pattern {
    fn new(case: &Case, found: Found) -> Self {
        let mut words = vec![0; found.fit.span() as usize / 64 + 1];
        for occupied in &case.occupied {
            let slot = (occupied.wrapping_mul(found.factor) >> found.shift) as u32 - found.fit.low;
            words[slot as usize / 64] |= 1 << (slot % 64);
        }
        Self { found, words }
    }

    fn lanes(&self) -> u8 {
        let mut lanes = self.words.iter().fold(0, |lanes, word| lanes | word);
        lanes |= lanes >> 32;
        lanes |= lanes >> 16;
        (lanes | lanes >> 8) as u8
    }

    /// The pattern `by` slots higher, `by` below 64.
    fn shifted(&self, by: u32) -> Vec<u64> {
        let mut carry = 0;
        let mut shifted = Vec::with_capacity(self.words.len() + 1);
        for &word in &self.words {
            shifted.push(word << by | carry);
            carry = word.checked_shr(64 - by).unwrap_or(0);
        }
        shifted.push(carry);
        shifted
    }
}

/// The place of a square's slots in the shared table.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Place {
    /// The factor and its shift.
    pub(crate) found: Found,
    /// The place of the first slot in use.
    pub(crate) first: u32,
}

impl Place {
    /// The number that is added to an index.
    pub(crate) fn offset(self) -> u32 {
        self.first - self.found.fit.low
    }

    /// The first slot after those of this square.
    pub(crate) fn end(self) -> u32 {
        self.first + self.found.fit.span()
    }
}

/// The shared table while it fills.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    patterns: Vec<Vec<Pattern>>,
    places: Vec<Option<(usize, Place)>>,
    taken: Vec<u64>,
}

impl Packing {
    /// An empty table, for squares with their candidates.
    pub(crate) fn new(cases: &[Case], candidates: &[Vec<Found>]) -> Self {
        let patterns = cases
            .iter()
            .zip(candidates)
            .map(|(case, founds)| founds.iter().map(|found| Pattern::new(case, *found)).collect())
            .collect();
        Self { patterns, places: vec![None; cases.len()], taken: vec![0; 4096] }
    }

    /// The number of slots of the table.
    pub(crate) fn len(&self) -> u32 {
        self.places.iter().flatten().map(|(_, place)| place.end()).max().unwrap_or(0)
    }

    /// The number of slots in use.
    pub(crate) fn used(&self) -> u32 {
        self.taken.iter().map(|word| word.count_ones()).sum()
    }

    /// The places of all squares.
    pub(crate) fn places(&self) -> impl Iterator<Item = Place> {
        self.places.iter().map(|place| place.expect("every square is placed").1)
    }

    /// The lowest position of a pattern that ends before `end`. It is never lower than the first
    /// slot in use, so that what is added to an index is never negative.
    fn lowest(&self, pattern: &Pattern, end: u32) -> Option<u32> {
        let mut best = end.checked_sub(pattern.found.fit.span())?;
        let mut found = false;
        for by in 0..64 {
            let shifted = pattern.shifted(by);
            for word in 0..=best / 64 {
                let first = word * 64 + by;
                if first >= best {
                    break;
                }
                if first < pattern.found.fit.low {
                    continue;
                }
                let taken = &self.taken[word as usize..];
                if shifted.iter().zip(taken).all(|(slots, taken)| slots & taken == 0) {
                    (best, found) = (first, true);
                    break;
                }
            }
        }
        found.then_some(best)
    }

    fn flip(&mut self, pattern: (usize, usize), first: u32) {
        let shifted = self.patterns[pattern.0][pattern.1].shifted(first % 64);
        for (taken, slots) in self.taken[first as usize / 64..].iter_mut().zip(shifted) {
            *taken ^= slots;
        }
    }

    /// Enters a square's slots.
    fn enter(&mut self, square: usize, number: usize, first: u32) {
        let found = self.patterns[square][number].found;
        self.flip((square, number), first);
        self.places[square] = Some((number, Place { found, first }));
    }

    /// Takes a square out again.
    fn take(&mut self, square: usize) -> Option<(usize, Place)> {
        let (number, place) = self.places[square].take()?;
        self.flip((square, number), place.first);
        Some((number, place))
    }

    /// Puts a square where it ends first, if that is before `end`.
    fn put(&mut self, square: usize, mut end: u32) -> bool {
        let mut best = None;
        for (number, pattern) in self.patterns[square].iter().enumerate() {
            if let Some(first) = self.lowest(pattern, end) {
                end = first + pattern.found.fit.span();
                best = Some((number, first));
            }
        }
        best.map(|(number, first)| self.enter(square, number, first)).is_some()
    }

    /// Climbs from a square's candidates into holes before `end`.
    fn climb(
        &mut self,
        square: usize,
        case: &mut Case,
        random: &mut Random,
        end: u32,
        (tries, steps): (u64, u64),
    ) -> bool {
        let mut blocked = self.taken.clone();
        for slot in end..end + (1 << 15) {
            blocked[slot as usize / 64] |= 1 << (slot % 64);
        }
        for _ in 0..tries {
            let number = random.below(self.patterns[square].len() as u64) as usize;
            let start = self.patterns[square][number].found;
            let Some(room) = end.checked_sub(1 << (64 - start.shift)) else { continue };
            let offset = random.below(u64::from(room) + 8) as u32;
            let table = (blocked.as_slice(), offset);
            if let Some(found) = search::climb_into(case, start, table, random, steps) {
                let number = self.patterns[square].len();
                self.patterns[square].push(Pattern::new(case, found));
                self.enter(square, number, offset + found.fit.low);
                return true;
            }
        }
        false
    }

    /// Puts a square after all others, so that it leaves as many lanes of eight free as it can, the
    /// same ones as its neighbors.
    fn host(&mut self, square: usize) -> bool {
        let len = self.len();
        let least = self.dense(square);
        for (blocked, _) in search::LANES.iter().filter(|(_, extra)| *extra == 0) {
            for (number, pattern) in self.patterns[square].iter().enumerate() {
                if pattern.found.fit.span() > least {
                    continue;
                }
                let lanes = pattern.lanes();
                let fits = |first: &u32| {
                    *first >= pattern.found.fit.low
                        && u64::from(lanes.rotate_left(first % 8)) & blocked == 0
                };
                if let Some(first) = (len..len + 8).find(fits) {
                    self.enter(square, number, first);
                    return true;
                }
            }
        }
        false
    }

    /// The smallest power of two that holds a candidate of this square.
    fn dense(&self, square: usize) -> u32 {
        let spans = self.patterns[square].iter().map(|pattern| pattern.found.fit.span());
        spans.min().unwrap_or(0).next_power_of_two()
    }

    /// Puts all squares: the large ones as hosts, the others, where that is possible, into holes.
    pub(crate) fn weave(&mut self, cases: &mut [Case], random: &mut Random) {
        let mut order: Vec<usize> = (0..self.patterns.len()).collect();
        order.sort_by_key(|&square| {
            let patterns = &self.patterns[square];
            let dense = self.dense(square);
            let is_guest =
                patterns.iter().any(|p| p.found.fit.span() > dense && p.lanes().count_ones() < 5);
            let used = patterns.iter().map(|pattern| pattern.found.fit.used).min();
            (Reverse(dense), is_guest, Reverse(used), square)
        });
        for square in order {
            let len = self.len();
            let effort = if square < 64 { (40, 10_000) } else { (2_000, 4_000) };
            let _ = self.put(square, len)
                || self.climb(square, &mut cases[square], random, len, effort)
                || self.host(square)
                || self.put(square, MAX);
        }
    }

    /// Puts all squares where they fit first, those with the most slots in use and the narrowest
    /// combs first: by moving a candidate along, else by a climb into the holes, else after all
    /// others.
    pub(crate) fn first_fit(&mut self, cases: &mut [Case], random: &mut Random) {
        let rank = |square: &usize| {
            let patterns = self.patterns[*square].iter();
            patterns.map(|p| (p.found.fit.used, Reverse(p.lanes().count_ones()))).min()
        };
        let mut order: Vec<usize> = (0..self.patterns.len()).collect();
        order.sort_by_key(|square| (Reverse(rank(square)), *square));
        for square in order {
            let len = self.len();
            let effort = if square < 64 { (4, 4_000) } else { (200, 2_000) };
            let _ = self.put(square, len)
                || self.climb(square, &mut cases[square], random, len, effort)
                || self.put(square, MAX);
        }
    }

    /// Takes out the square that ends last and climbs with it into holes, as long as that works.
    pub(crate) fn shorten(&mut self, cases: &mut [Case], random: &mut Random, rounds: u32) {
        for _ in 0..rounds {
            let ends = |square: &usize| self.places[*square].map_or(0, |(_, place)| place.end());
            let Some(square) = (0..self.places.len()).max_by_key(ends) else { return };
            let Some((number, place)) = self.take(square) else { return };
            let end = place.end();
            let effort = if square < 64 { (100, 20_000) } else { (10_000, 4_000) };
            if !self.put(square, end)
                && !self.climb(square, &mut cases[square], random, end - 1, effort)
            {
                self.enter(square, number, place.first);
                return;
            }
        }
    }
}
