//! A [net](crate::Net) in floating point: what it says of a position, and which way each weight has to go.
//!
//! It has the same rows as the net of whole numbers, in the same order, so [`Floats::whole`] only rounds.

use crate::Random;
use crate::board::mix;
use crate::eval::net::{
    BIAS, BLOCK, BUCKETS, LANES, LAST_MOST, MOST, Net, ONE, OUT, OUT_MOST, OUT_ONE, Row,
};
use halfmove_rules::Variant;

/// A row.
pub(super) type Lanes = [f32; LANES];

/// The weights of a net, or the gradient of the error by each.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Floats(pub(super) Vec<Lanes>);

/// The pieces of a position as both sides see them, and the bucket.
#[derive(Copy, Clone, Debug)]
pub(super) struct Seen<'a> {
    pub(super) rows: &'a [[u16; 2]],
    pub(super) bucket: usize,
}

/// The random numbers of a training: the first weights, the order of the samples, moves that lead on from them.
pub(super) fn random(seed: u64) -> Random {
    Random::one_earlier(mix(seed))
}

/// The factor from a row's weights to whole numbers, and the largest weight that fits it.
fn measure(row: usize, rows: usize) -> (f32, f32) {
    let (factor, most) = if row + 1 == rows {
        (f32::from(ONE) * f32::from(OUT_ONE), LAST_MOST)
    } else if row % BLOCK < OUT {
        (f32::from(ONE), MOST)
    } else {
        (f32::from(OUT_ONE), OUT_MOST)
    };
    (factor, f32::from(most) / factor)
}

impl Floats {
    /// Small random weights.
    pub(super) fn new(blocks: usize, seed: u64) -> Self {
        let mut net = Self::zero(blocks);
        let last = blocks * BLOCK;
        let hidden = (2 * blocks * LANES) as f32;
        // Between -1 and 1.
        let mut random = random(seed).map(|bits| (bits >> 40) as f32 / (1 << 23) as f32 - 1.0);
        for (i, row) in net.0.iter_mut().enumerate().take(last) {
            let size = if i % BLOCK < OUT { 0.1 } else { 1.0 / hidden.sqrt() };
            row.iter_mut().zip(&mut random).for_each(|(weight, random)| *weight = size * random);
        }
        // About half of the sums begin between 0 and 1, where they can learn.
        for block in net.0.chunks_exact_mut(BLOCK) {
            block[BIAS] = [0.25; LANES];
        }
        net
    }

    pub(super) fn zero(blocks: usize) -> Self {
        Self(vec![[0.0; LANES]; blocks * BLOCK + 1])
    }

    /// The sums of each block, ours and theirs, and the lead.
    #[inline(always)]
    pub(super) fn lead(&self, seen: Seen<'_>, sums: &mut Vec<[Lanes; 2]>) -> f32 {
        sums.clear();
        let mut products = [0.0; LANES];
        let (blocks, last) = self.0.as_chunks::<BLOCK>();
        for block in blocks {
            let mut both = [block[BIAS]; 2];
            for numbers in seen.rows {
                for (sums, number) in both.iter_mut().zip(numbers) {
                    add(sums, &block[usize::from(*number)]);
                }
            }
            let weights = [0, 1].map(|side| &block[OUT + 2 * seen.bucket + side]);
            for (sums, weights) in both.iter().zip(weights) {
                for ((product, sum), weight) in products.iter_mut().zip(sums).zip(weights) {
                    let clipped = sum.clamp(0.0, 1.0);
                    *product += clipped * clipped * weight;
                }
            }
            sums.push(both);
        }
        products.iter().sum::<f32>() + last[0][seen.bucket]
    }

    /// Adds to a gradient what a position gives: `slope` says how fast its error grows with the lead.
    #[inline(always)]
    pub(super) fn descend(
        &self,
        seen: Seen<'_>,
        sums: &[[Lanes; 2]],
        slope: f32,
        gradient: &mut Self,
    ) {
        let (blocks, _) = self.0.as_chunks::<BLOCK>();
        let (gradients, last) = gradient.0.as_chunks_mut::<BLOCK>();
        last[0][seen.bucket] += slope;
        for ((block, gradient), both) in blocks.iter().zip(gradients).zip(sums) {
            for (side, sums) in both.iter().enumerate() {
                let out = OUT + 2 * seen.bucket + side;
                let mut slopes = [0.0; LANES];
                for lane in 0..LANES {
                    let clipped = sums[lane].clamp(0.0, 1.0);
                    gradient[out][lane] += slope * clipped * clipped;
                    let moves = if sums[lane] > 0.0 && sums[lane] < 1.0 { 2.0 } else { 0.0 };
                    slopes[lane] = slope * block[out][lane] * moves * clipped;
                }
                add(&mut gradient[BIAS], &slopes);
                for numbers in seen.rows {
                    add(&mut gradient[usize::from(numbers[side])], &slopes);
                }
            }
        }
    }

    /// Keeps every weight where a whole number can follow.
    pub(super) fn clip(&mut self) {
        let rows = self.0.len();
        for (i, row) in self.0.iter_mut().enumerate() {
            let (_, most) = measure(i, rows);
            row.iter_mut().for_each(|weight| *weight = weight.clamp(-most, most));
        }
    }

    /// The net in whole numbers.
    pub(super) fn whole(&self, game: Variant, origin: String) -> Net {
        let rows = self.0.iter().enumerate().map(|(i, row)| {
            let (factor, most) = measure(i, self.0.len());
            Row(row.map(|weight| (weight.clamp(-most, most) * factor).round() as i16))
        });
        let mut rows: Box<[Row]> = rows.collect();
        if let Some(last) = rows.last_mut() {
            last.0[BUCKETS..].fill(0);
        }
        Net::new(game, origin, &rows)
    }
}

#[inline(always)]
fn add(sums: &mut Lanes, more: &Lanes) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::net::CENTIPAWNS;
    use crate::eval::net::input::Input;
    use crate::{Count, KeyedMakruk, SearchBoard};
    use halfmove_rules::Makruk;

    fn inputs() -> Vec<(Makruk, Input)> {
        let fens = [
            "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
            "2r2r2/3nks2/p1spp2p/1pm3p1/1P1PPP1P/P1PSN1P1/3NKS2/2R1MR2 b - - 0 1",
            "8/3k4/2m1n3/8/3NS3/2M1K3/8/4R3 w - - 0 1",
            "8/8/3k4/8/3KS3/8/8/3R4 w - 32 9 60",
        ];
        let of = |fen: &str| {
            let position: Makruk = fen.parse().unwrap();
            let count = position.counting().map(Count::of);
            let us = position.side_to_move();
            let input = Input::of(Variant::Makruk, position.board(), us, count);
            (position, input)
        };
        fens.map(of).into()
    }

    /// Each weight that matters, moved a little to both sides.
    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        let mut net = Floats::new(1, 5);
        for (_, input) in inputs() {
            let seen = Seen { rows: &input.rows, bucket: input.bucket };
            let mut sums = Vec::new();
            net.lead(seen, &mut sums);
            let mut gradient = Floats::zero(1);
            net.descend(seen, &sums, 1.0, &mut gradient);
            let mut checked = 0;
            for row in 0..=BLOCK {
                for lane in (row % 3..LANES).step_by(3) {
                    let slope = gradient.0[row][lane];
                    let weight = net.0[row][lane];
                    let mut lead = |by: f32| {
                        net.0[row][lane] = weight + by;
                        net.lead(seen, &mut sums)
                    };
                    // In eighths of 2^-9 floating point is exact enough; the sum may cross a bend only once.
                    let by = 1.0 / 512.0;
                    let found = (lead(by) - lead(-by)) / (2.0 * by);
                    net.0[row][lane] = weight;
                    assert!((found - slope).abs() < 2e-3, "{row} {lane}: {found}, not {slope}");
                    checked += u32::from(slope.abs() > 1e-2);
                }
            }
            assert!(checked > 30, "{checked}");
        }
    }

    /// Rounding to whole numbers changes a lead by some centipawns and a twentieth at most.
    #[test]
    fn whole_numbers_are_near() {
        for (blocks, seed) in [(1, 1), (1, 2), (2, 3), (3, 4)] {
            let mut net = Floats::new(blocks, seed);
            // Weights as large as those of a trained net.
            net.0.iter_mut().flatten().for_each(|weight| *weight *= 3.0);
            let whole = net.whole(Variant::Makruk, String::new());
            assert_eq!(Net::from_bytes(&whole.to_bytes()).as_ref(), Ok(&whole));
            let mut largest = 0.0_f32;
            for (position, input) in inputs() {
                let seen = Seen { rows: &input.rows, bucket: input.bucket };
                let lead = net.lead(seen, &mut Vec::new()) * CENTIPAWNS as f32;
                let board = KeyedMakruk::new(position);
                let us = board.side_to_move();
                let found = whole.lead(board.board(), us, board.count()) as f32;
                let most = 16.0 + lead.abs() / 20.0;
                assert!((found - lead).abs() < most, "{found}, not {lead}");
                largest = largest.max(lead.abs());
            }
            assert!(largest > 50.0, "{largest}");
        }
    }
}
