//! Finds the factors of the folding hash and packs its table: the rows of
//! `src/lookup/folding_hash/factors.rs`, printed as they stand there.
//!
//! For each square and line, and for each length of the index, draw 32-bit factors from a seeded
//! generator. Keep those that never put two attack sets into one slot and that fill the fewest slots.
//! Then lay the lines over each other in one table, those with many slots first, each by the
//! factor and at the place that lengthen the table least and fill the fewest free entries.
//!
//! `cargo run --release -p halfmove-techniques --example folding_factors`

#![allow(clippy::print_stdout, reason = "a program")]

use halfmove_bitboard::{Bitboard, Square, lines};
use halfmove_techniques::{RayWalk, Sliders, relevant};

/// Ranks, files, diagonals, anti-diagonals.
const STEPS: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
/// Factors drawn for each line and length of the index.
const DRAWS: u32 = 2_000_000;
/// Factors kept of those.
const KEPT: usize = 256;

struct Line {
    square: usize,
    step: usize,
    /// Folded occupancies with what is attacked.
    attacks: Vec<(u32, u64)>,
    factors: Vec<Factor>,
}

struct Factor {
    factor: u32,
    /// Bits of the index.
    bits: u32,
    /// The filled slots and what they hold.
    slots: Vec<(usize, u64)>,
}

/// This cannot be a set of attacks: it has the slider's own square.
const FREE: u64 = !0;

fn fold(occupied: u64) -> u32 {
    (occupied >> 32) as u32 ^ (occupied as u32).wrapping_mul(3)
}

fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

fn line(square: Square, step: usize) -> Line {
    let oracle = RayWalk::new().expect("needs nothing");
    let (files, ranks) = STEPS[step];
    let neighbor = square.offset(files, ranks).or_else(|| square.offset(-files, -ranks));
    let whole = neighbor.map_or(Bitboard::EMPTY, |neighbor| lines::line(square, neighbor));
    let relevant = whole & if step < 2 { relevant::rook(square) } else { relevant::bishop(square) };
    let attacks = |occupied| match step {
        0 | 1 => oracle.rook(square, occupied) & whole,
        _ => oracle.bishop(square, occupied) & whole,
    };
    let attacks = relevant.subsets().map(|subset| (fold(subset.0), attacks(subset).0)).collect();
    Line { square: square.index(), step, attacks, factors: Vec::new() }
}

/// The number of slots that a factor fills, or `None` if two attack sets fall into one.
fn fill(line: &Line, factor: u32, bits: u32, slots: &mut [u64; 64]) -> Option<usize> {
    *slots = [FREE; 64];
    let mut count = 0;
    for &(folded, attacked) in &line.attacks {
        let slot = &mut slots[(u64::from(folded.wrapping_mul(factor)) << bits >> 32) as usize];
        if *slot == FREE {
            *slot = attacked;
            count += 1;
        } else if *slot != attacked {
            return None;
        }
    }
    Some(count)
}

/// Keeps, for each number of bits, the factors that fill the fewest slots.
fn find_factors(line: &mut Line, state: &mut u64) {
    let mut slots = [FREE; 64];
    for bits in 0..=6 {
        if 1 << bits > 2 * line.attacks.len() || 8 << bits < line.attacks.len() {
            continue;
        }
        let mut fewest = usize::MAX;
        let mut found = Vec::new();
        for _ in 0..DRAWS {
            let number = random(state);
            // Half of the factors have few bits: their products collide in step.
            let factor = (number & if number >> 63 == 0 { !0 } else { number >> 31 }) as u32;
            if let Some(count) = fill(line, factor, bits, &mut slots) {
                fewest = fewest.min(count);
                if count <= fewest + 1 {
                    found.push((count, factor));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(KEPT);
        for (_, factor) in found {
            fill(line, factor, bits, &mut slots);
            let filled =
                slots.iter().copied().enumerate().filter(|&(_, attacked)| attacked != FREE);
            line.factors.push(Factor { factor, bits, slots: filled.collect() });
        }
    }
    // By slots filled, then by how far they lie apart.
    line.factors.sort_by_key(|found| (found.slots.len(), found.slots.last().map(|slot| slot.0)));
}

fn main() {
    let mut state = SEED;
    let mut all: Vec<Line> = Vec::new();
    for square in Square::ALL {
        for step in 0..4 {
            let mut line = line(square, step);
            find_factors(&mut line, &mut state);
            all.push(line);
        }
    }
    all.sort_by_key(|line| (usize::MAX - line.factors[0].slots.len(), line.square, line.step));
    let needed: usize = all.iter().map(|line| line.factors[0].slots.len()).sum();
    let mut table: Vec<u64> = Vec::new();
    let mut rows = [[(0_u32, 0_u32, 0_usize); 4]; 64];
    for line in &all {
        // The number of new entries that a factor's slots take, if they fit.
        let taken = |offset: usize, slots: &[(usize, u64)]| {
            slots.iter().try_fold(0, |taken, &(slot, attacked)| match table.get(offset + slot) {
                Some(&there) if there == attacked => Some(taken),
                Some(&there) if there != FREE => None,
                _ => Some(taken + 1),
            })
        };
        let mut best = None;
        for offset in 0..=table.len() {
            for (which, found) in line.factors.iter().enumerate() {
                let Some(taken) = taken(offset, &found.slots) else { continue };
                let end = offset + found.slots.last().map_or(0, |slot| slot.0 + 1);
                let cost = (end.max(table.len()), taken, offset, which);
                best = Some(best.map_or(cost, |before| cost.min(before)));
            }
        }
        let (end, _, offset, which) = best.expect("behind the table there is room");
        table.resize(end, FREE);
        let Factor { factor, bits, slots } = &line.factors[which];
        for &(slot, attacked) in slots {
            table[offset + slot] = attacked;
        }
        rows[line.square][line.step] = (*factor, *bits, offset);
    }
    let filled = table.iter().filter(|&&entry| entry != FREE).count();
    println!("// {filled} entries filled; apart the lines would fill {needed}");
    println!("pub(super) const ENTRIES: usize = {};", table.len());
    for row in rows {
        let row = row.map(|(factor, bits, offset)| format!("({factor:#010x}, {bits}, {offset})"));
        println!("    [{}],", row.join(", "));
    }
}
