//! The occupancies for one slider on one square, which a factor has to tell apart.

use halfmove_bitboard::{Bitboard, Square};
use halfmove_techniques::{RayWalk, Sliders, relevant};
use std::collections::HashMap;

/// A slider of the two kinds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Slider {
    /// Moves along ranks and files.
    Rook,
    /// Moves along diagonals.
    Bishop,
}

/// One slider on one square: all subsets of its relevant squares, numbered by their attacks.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The squares that matter.
    pub(crate) relevant: Bitboard,
    /// The subsets, the hardest to place first: the order learns from failures.
    pub(crate) occupied: Vec<u64>,
    /// The number of the attack set of each subset.
    pub(crate) attack: Vec<u8>,
    /// The number of attack sets.
    pub(crate) distinct: usize,
    /// The slots of the last trial: its number and the attack set there.
    slots: Vec<u32>,
    trial: u32,
}

/// The slots that a factor that works uses.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fit {
    /// The first slot in use.
    pub(crate) low: u32,
    /// The last slot in use.
    pub(crate) high: u32,
    /// The number of slots in use.
    pub(crate) used: u32,
}

impl Fit {
    /// Slots from the first to the last in use.
    pub(crate) fn span(self) -> u32 {
        self.high - self.low + 1
    }
}

impl Case {
    /// The case of a slider on a square. With `black`, every irrelevant square is set.
    pub(crate) fn new(slider: Slider, square: Square, black: bool) -> Self {
        let oracle = RayWalk::new().expect("needs nothing");
        let relevant = match slider {
            Slider::Rook => relevant::rook(square),
            Slider::Bishop => relevant::bishop(square),
        };
        let mut numbers: HashMap<Bitboard, u8> = HashMap::new();
        let (mut occupied, mut attack) = (Vec::new(), Vec::new());
        for subset in relevant.subsets() {
            let attacks = match slider {
                Slider::Rook => oracle.rook(square, subset),
                Slider::Bishop => oracle.bishop(square, subset),
            };
            let next = numbers.len() as u8;
            attack.push(*numbers.entry(attacks).or_insert(next));
            occupied.push(if black { (subset | !relevant).0 } else { subset.0 });
        }
        let distinct = numbers.len();
        Self { relevant, occupied, attack, distinct, slots: vec![0; 1 << 14], trial: 0 }
    }

    /// Tries a factor: `None` if two attack sets fall on one slot or more than `most` slots are
    /// used.
    pub(crate) fn fit(&mut self, factor: u64, shift: u32, most: u32) -> Option<Fit> {
        self.trial += 1;
        if self.trial == 1 << 24 {
            self.slots.fill(0);
            self.trial = 1;
        }
        let mark = self.trial << 8;
        let (mut low, mut high, mut used) = (u32::MAX, 0, 0);
        let slots = &mut self.slots[..1 << 14];
        for (i, (&occupied, &attack)) in self.occupied.iter().zip(&self.attack).enumerate() {
            let index = (occupied.wrapping_mul(factor) >> shift) as u32;
            low = low.min(index);
            high = high.max(index);
            let slot = &mut slots[index as usize & ((1 << 14) - 1)];
            let here = mark | u32::from(attack);
            if *slot < mark {
                *slot = here;
                used += 1;
                if used <= most {
                    continue;
                }
            } else if *slot == here {
                continue;
            }
            // The pair that failed moves to the front, where the next factor meets it sooner.
            let earlier = i - i / 8;
            self.occupied.swap(i, earlier);
            self.attack.swap(i, earlier);
            return None;
        }
        Some(Fit { low, high, used })
    }

    /// Tries a factor on a table that others use: `blocked` slots from `offset` count five times.
    /// `None` if two attack sets fall on one slot or the sum is more than `most`.
    pub(crate) fn fit_into(
        &mut self,
        factor: u64,
        shift: u32,
        (blocked, offset): (&[u64], u32),
        most: u32,
    ) -> Option<(Fit, u32)> {
        self.trial += 1;
        if self.trial == 1 << 24 {
            self.slots.fill(0);
            self.trial = 1;
        }
        let mark = self.trial << 8;
        let (mut low, mut high, mut used, mut conflicts) = (u32::MAX, 0, 0, 0);
        let slots = &mut self.slots[..1 << 14];
        for (i, (&occupied, &attack)) in self.occupied.iter().zip(&self.attack).enumerate() {
            let index = (occupied.wrapping_mul(factor) >> shift) as u32;
            let slot = &mut slots[index as usize & ((1 << 14) - 1)];
            let here = mark | u32::from(attack);
            if *slot < mark {
                *slot = here;
                used += 1;
                low = low.min(index);
                high = high.max(index);
                let at = (index + offset) as usize;
                conflicts += (blocked[at / 64] >> (at % 64) & 1) as u32;
                if used + 4 * conflicts <= most {
                    continue;
                }
            } else if *slot == here {
                continue;
            }
            let earlier = i - i / 8;
            self.occupied.swap(i, earlier);
            self.attack.swap(i, earlier);
            return None;
        }
        Some((Fit { low, high, used }, conflicts))
    }
}
