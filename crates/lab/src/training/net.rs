//! A [net](halfmove_engine::Net) in floating point: its output for a position, and the gradient of each weight.
//!
//! It has the same rows as the quantized net, in the same order, so [`Floats::whole`] only rounds.

use halfmove_engine::learning::net::{
    BIAS, BLOCK, BUCKETS, LANES, LAST_MAX, MAX, ONE, OUT, OUT_MAX, OUT_ONE, net_of,
};
use halfmove_engine::{Net, Random};
use halfmove_rules::Variant;

/// A row.
pub(super) type Lanes = [f32; LANES];

/// The weights of a net, or the gradient of the error.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Floats(pub(super) Vec<Lanes>);

/// The pieces of a position as both sides see them, and the bucket.
#[derive(Copy, Clone, Debug)]
pub(super) struct Seen<'a> {
    pub(super) rows: &'a [[u16; 2]],
    pub(super) bucket: usize,
}

/// The random numbers of a training run: for the initial weights, the order of the samples, and random moves.
pub(super) fn random(seed: u64) -> Random {
    Random::one_earlier(Random::one_earlier(seed).number())
}

/// The factor from a row's weights to whole numbers, and the largest weight that fits it.
fn measure(row: usize, rows: usize) -> (f32, f32) {
    let (factor, most) = if row + 1 == rows {
        (f32::from(ONE) * f32::from(OUT_ONE), LAST_MAX)
    } else if row % BLOCK < OUT {
        (f32::from(ONE), MAX)
    } else {
        (f32::from(OUT_ONE), OUT_MAX)
    };
    (factor, f32::from(most) / factor)
}

impl Floats {
    /// Small random weights.
    pub(super) fn new(blocks: usize, seed: u64) -> Self {
        let mut net = Self::zero(blocks);
        let last = blocks * BLOCK;
        let hidden = (2 * blocks * LANES) as f32;
        // A number between -1 and 1.
        let mut random = random(seed).map(|bits| (bits >> 40) as f32 / (1 << 23) as f32 - 1.0);
        for (i, row) in net.0.iter_mut().enumerate().take(last) {
            let size = if i % BLOCK < OUT { 0.1 } else { 1.0 / hidden.sqrt() };
            row.iter_mut().zip(&mut random).for_each(|(weight, random)| *weight = size * random);
        }
        // About half of the sums begin between 0 and 1, where their gradient is not zero.
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

    /// Adds the gradient of a position. `slope` is the derivative of its error by the output.
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

    /// Clips every weight to the range of the quantized net.
    pub(super) fn clip(&mut self) {
        let rows = self.0.len();
        for (i, row) in self.0.iter_mut().enumerate() {
            let (_, most) = measure(i, rows);
            row.iter_mut().for_each(|weight| *weight = weight.clamp(-most, most));
        }
    }

    /// The quantized net.
    pub(super) fn whole(&self, game: Variant, origin: String) -> Net {
        let rows = self.0.iter().enumerate().map(|(i, row)| {
            let (factor, most) = measure(i, self.0.len());
            row.map(|weight| (weight.clamp(-most, most) * factor).round() as i16)
        });
        let mut rows: Vec<[i16; LANES]> = rows.collect();
        if let Some(last) = rows.last_mut() {
            last[BUCKETS..].fill(0);
        }
        net_of(game, origin, rows)
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
    use halfmove_engine::learning::net::{self as layout, CENTIPAWNS};
    use halfmove_rules::AnyPosition;

    fn inputs() -> Vec<layout::Seen> {
        let fens = [
            "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
            "2r2r2/3nks2/p1spp2p/1pm3p1/1P1PPP1P/P1PSN1P1/3NKS2/2R1MR2 b - - 0 1",
            "8/3k4/2m1n3/8/3NS3/2M1K3/8/4R3 w - - 0 1",
            "8/8/3k4/8/3KS3/8/8/3R4 w - 32 9 60",
        ];
        let of = |fen: &str| {
            let position = AnyPosition::from_fen(fen, Variant::Makruk).unwrap();
            layout::Seen::of(Variant::Makruk, &position)
        };
        fens.map(of).into()
    }

    /// Each weight with an effect, changed a little in both directions.
    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        let mut net = Floats::new(1, 5);
        for input in inputs() {
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
                    // With steps of an eighth of 2^-9, floating point is accurate enough, and the sum crosses
                    // at most one kink.
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

    /// Quantization changes an output by at most some centipawns plus a twentieth.
    #[test]
    fn whole_numbers_are_near() {
        for (blocks, seed) in [(1, 1), (1, 2), (2, 3), (3, 4)] {
            let mut net = Floats::new(blocks, seed);
            // Weights as large as those of a trained net.
            net.0.iter_mut().flatten().for_each(|weight| *weight *= 3.0);
            let whole = net.whole(Variant::Makruk, String::new());
            assert_eq!(Net::from_bytes(&whole.to_bytes()).as_ref(), Ok(&whole));
            let mut largest = 0.0_f32;
            for input in inputs() {
                let seen = Seen { rows: &input.rows, bucket: input.bucket };
                let lead = net.lead(seen, &mut Vec::new()) * CENTIPAWNS as f32;
                let found = layout::lead(&whole, &input.rows, input.bucket) as f32;
                let most = 16.0 + lead.abs() / 20.0;
                assert!((found - lead).abs() < most, "{found}, not {lead}");
                largest = largest.max(lead.abs());
            }
            assert!(largest > 50.0, "{largest}");
        }
    }
}
