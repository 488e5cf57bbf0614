//! Factors by trial and error.

use super::case::{Case, Fit};

/// A seeded generator (xorshift*): the same seed gives the same factors everywhere.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// A generator for a `stream`; different streams give different factors.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self((seed ^ stream.wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1);
        for _ in 0..8 {
            random.word();
        }
        random
    }

    /// 64 bits.
    pub(crate) fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A word with few bits: factors that work have about eight.
    pub(crate) fn sparse(&mut self) -> u64 {
        self.word() & self.word() & self.word()
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(end)) >> 64) as u64
    }
}

/// A factor that works, and how it uses the slots.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Found {
    /// The factor.
    pub(crate) factor: u64,
    /// The shift.
    pub(crate) shift: u32,
    /// The slots.
    pub(crate) fit: Fit,
}

/// The first factor that works among `trials` sparse words.
pub(crate) fn first(
    case: &mut Case,
    shift: u32,
    random: &mut Random,
    trials: u64,
) -> Option<Found> {
    (0..trials).find_map(|_| {
        let factor = random.sparse();
        let fit = case.fit(factor, shift, u32::MAX)?;
        Some(Found { factor, shift, fit })
    })
}

/// A neighbor of a factor: a few bits flipped, or a power of two added.
fn neighbor(factor: u64, random: &mut Random) -> u64 {
    let word = random.word();
    let bit = |n: u32| 1u64 << (word >> (6 * n) & 63);
    match word >> 58 {
        0..12 => factor ^ bit(0),
        12..32 => factor ^ bit(0) ^ bit(1),
        32..42 => factor ^ bit(0) ^ bit(1) ^ bit(2),
        42..47 => factor.wrapping_add(bit(0)),
        47..52 => factor.wrapping_sub(bit(0)),
        52..56 => factor.wrapping_add(bit(0)).wrapping_sub(bit(1)),
        56..58 => factor.rotate_left(1 + (word & 7) as u32),
        58..60 => factor.rotate_right(1 + (word & 7) as u32),
        60..62 => factor ^ bit(0) ^ bit(1) ^ bit(2) ^ bit(3),
        _ => factor ^ (1 + (word >> 20 & 15)).wrapping_mul(bit(0)),
    }
}

/// Lowers the number of used slots by steps to neighbors that do not use more, now and then a few
/// more. Every factor that uses at most `margin` more than the best is shown to `keep`.
pub(crate) fn climb(
    case: &mut Case,
    start: Found,
    random: &mut Random,
    trials: u64,
    mut keep: impl FnMut(Found),
) -> Found {
    let (mut best, mut here) = (start, start);
    let mut since = 0;
    for _ in 0..trials {
        since += 1;
        if since > trials / 8 {
            here = best;
            since = 0;
        }
        let slack = if random.below(16) == 0 { best.fit.used / 64 } else { 0 };
        let most = here.fit.used.max(best.fit.used + slack);
        let factor = neighbor(here.factor, random);
        let Some(fit) = case.fit(factor, start.shift, most) else { continue };
        here = Found { factor, fit, ..here };
        if fit.used < best.fit.used {
            best = here;
            since = 0;
        }
        if fit.used <= best.fit.used {
            keep(here);
        }
    }
    best
}

/// The effort of a search for one slider on one square.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Effort {
    /// The fewest index bits beyond the number of relevant squares.
    pub(crate) least_extra: u32,
    /// The most.
    pub(crate) most_extra: u32,
    /// Climbs for each number of index bits.
    pub(crate) climbs: u64,
    /// Steps of a climb.
    pub(crate) steps: u64,
    /// Factors to keep for each number of index bits.
    pub(crate) keep: usize,
}

/// Factors that use few slots, the fewest first, for each number of index bits.
pub(crate) fn candidates(case: &mut Case, seed: u64, stream: u64, effort: Effort) -> Vec<Found> {
    let mut kept = Vec::new();
    for extra in effort.least_extra..=effort.most_extra {
        let shift = 64 - case.relevant.len() - extra;
        let mut found: Vec<Found> = Vec::new();
        for climb_number in 0..effort.climbs {
            let stream = (stream * 8 + u64::from(extra)) * 65_536 + climb_number;
            let mut random = Random::new(seed, stream);
            let Some(start) = first(case, shift, &mut random, 5_000_000) else { continue };
            // The last few factors on the lowest level: they differ in where their slots lie.
            let mut last: Vec<Found> = Vec::new();
            climb(case, start, &mut random, effort.steps, |next| {
                if last.first().is_some_and(|old| old.fit.used > next.fit.used) {
                    last.clear();
                }
                if last.len() == 8 {
                    last.remove(0);
                }
                last.push(next);
            });
            found.extend(last);
        }
        found.sort_by_key(|found| (found.fit.used, found.fit.span(), found.factor));
        found.dedup_by_key(|found| found.factor);
        found.truncate(effort.keep);
        kept.extend(found);
    }
    kept
}

/// Steps from a factor to neighbors until none of its slots is blocked.
pub(crate) fn climb_into(
    case: &mut Case,
    start: Found,
    table: (&[u64], u32),
    random: &mut Random,
    steps: u64,
) -> Option<Found> {
    let score = |fit: Fit, conflicts: u32| fit.used + 4 * conflicts;
    let (fit, conflicts) = case.fit_into(start.factor, start.shift, table, u32::MAX)?;
    if conflicts == 0 {
        return Some(Found { fit, ..start });
    }
    let (mut best, mut here) = (start, start);
    let (mut best_score, mut here_score) = (score(fit, conflicts), score(fit, conflicts));
    let mut since = 0;
    for _ in 0..steps {
        since += 1;
        if since > steps / 4 {
            (here, here_score) = (best, best_score);
            since = 0;
        }
        let slack = if random.below(16) == 0 { best_score / 64 } else { 0 };
        let most = here_score.max(best_score + slack);
        let factor = neighbor(here.factor, random);
        let Some((fit, conflicts)) = case.fit_into(factor, here.shift, table, most) else {
            continue;
        };
        here = Found { factor, fit, ..here };
        here_score = score(fit, conflicts);
        if conflicts == 0 {
            return Some(here);
        }
        if here_score < best_score {
            (best, best_score) = (here, here_score);
            since = 0;
        }
    }
    None
}

/// Lanes of eight that are blocked, and index bits beyond the number of relevant squares: hosts,
/// then guests.
pub(crate) const LANES: [(u64, u32); 6] = [
    (0b1100_1100, 0),
    (0b1100_1000, 0),
    (0b1000_1000, 0),
    (0b0011_0111, 1),
    (0b0011_0011, 1),
    (0b0111_0111, 2),
];

/// Combs for rooks with one or two index bits to spare, the best first.
pub(crate) const COMBS: [(u64, u32); 4] =
    [(0b1100_1100, 1), (0b1110_1110, 2), (0b1111_1100, 2), (0b1100_1100, 2)];

/// Factors whose slots keep to some lanes: hosts, which leave the same lanes of eight free
/// throughout, and guests, which use only those.
pub(crate) fn in_lanes(
    case: &mut Case,
    pool: &[Found],
    random: &mut Random,
    effort: Effort,
    lanes: &[(u64, u32)],
) -> Vec<Found> {
    let mut all = Vec::new();
    for &(lanes, extra) in lanes {
        let shift = 64 - case.relevant.len() - extra;
        let blocked = vec![lanes * 0x0101_0101_0101_0101; 300];
        let starts: Vec<Found> =
            pool.iter().filter(|found| found.shift == shift).copied().collect();
        let mut kept = 0;
        for _ in 0..effort.climbs {
            let offset = random.below(8) as u32;
            let start = if random.below(3) == 0 || starts.is_empty() {
                first(case, shift, random, 1_000_000)
            } else {
                Some(starts[random.below(starts.len() as u64) as usize])
            };
            let Some(start) = start else { continue };
            let table = (blocked.as_slice(), offset);
            all.extend(climb_into(case, start, table, random, effort.steps).inspect(|_| kept += 1));
            if kept == effort.keep {
                break;
            }
        }
    }
    all
}
