//! Fits the weights of the evaluation to the results of games.
//!
//! The features of a sample are the count of each weight, the game phase and the scale. The value is then a linear
//! function of the weights, which is compared with the result of the game and the score of the search (`curves.rs`).
//! The weights move down the gradient of the error, with a regularization toward their old values, which prevails where
//! the samples contain little information.
//!
//! # Source
//! Peter Österlund, "Texel's Tuning Method", Chess Programming Wiki.

use super::adam::{DECAYS, Moments, Rate};
use super::curves::{Curves, Target};
use super::sample::{self, Sample, TrainingError};
use halfmove_engine::learning::{Features, Group, weights};
use halfmove_engine::{FULL_PHASE, FULL_SCALE};
use halfmove_rules::Variant;
use std::fmt;
use std::io::BufRead;
use std::thread;

/// A fit of the weights to samples.
///
/// ```
/// use halfmove_lab::training::{Datagen, Tuning};
/// use halfmove_rules::Variant;
///
/// let mut samples = Vec::new();
/// Datagen { games: 4, nodes: 100, ..Datagen::new(Variant::Makruk) }.run(&mut samples, &mut |_| {})?;
/// let tuning = Tuning { epochs: 3, ..Tuning::new(Variant::Makruk) };
/// let tuned = tuning.run(&mut samples.as_slice())?;
/// assert!(tuned.after.training < tuned.before.training);
/// assert!(tuned.source("a test").contains("// KNIGHT_SQUARES"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Tuning {
    /// The game.
    pub variant: Variant,
    /// Passes over all samples.
    pub epochs: u32,
    /// The learning rate of Adam, in centipawns.
    pub step: f32,
    /// The strength of the regularization toward the old weights: a hundred centipawns add this much to the error of a
    /// sample.
    pub pull: f32,
    /// The weight of the search scores against the results, from 0 to 1.
    pub blend: f32,
    /// Threads. They do not change the result by more than rounding.
    pub threads: usize,
}

/// The mean relative entropy of samples.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Errors {
    /// The error on the training samples.
    pub training: f64,
    /// The error on the held-out samples, one block in ten. `None` if there are too few samples to hold any out.
    pub validation: Option<f64>,
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "training error {:.5}", self.training)?;
        self.validation.map_or(Ok(()), |validation| write!(f, ", validation error {validation:.5}"))
    }
}

/// Fitted weights, and their errors, which `Display` shows.
#[derive(Clone, Debug)]
pub struct Tuned {
    variant: Variant,
    weights: Vec<[f32; 2]>,
    groups: &'static [Group],
    /// Samples to fit, and to validate.
    pub samples: [usize; 2],
    /// The steepness of the curve: centipawns for odds of 10 to 1.
    pub centipawns_for_ten: f64,
    /// The errors with the old weights.
    pub before: Errors,
    /// The errors with the new weights, rounded.
    pub after: Errors,
}

/// The number of samples per step. Not tuned.
const BATCH: usize = 8_192;
/// See [`Rate::epsilon`]. Smaller than the paper's 1e-8, because a centipawn changes the error of a sample by little,
/// so gradients are small.
const EPSILON: f32 = 1e-9;

/// Positions as sums of weights.
#[derive(Default)]
struct Data {
    /// All features one after the other: weight, and how often it counts for White.
    features: Vec<(u16, i16)>,
    rows: Vec<Row>,
}

struct Row {
    /// The end of its features.
    end: usize,
    /// The factors of the sums for the middlegame and the endgame.
    factors: [f32; 2],
    /// The part that does not depend on the weights, in centipawns.
    constant: f32,
    target: Target,
}

impl Data {
    fn push(&mut self, sample: &Sample) {
        let Features { mut counts, constant, phase, scale } = Features::of(&sample.position);
        counts.sort_unstable();
        let begin = self.features.len();
        for (index, times) in counts {
            match self.features[begin..].last_mut() {
                Some((last, sum)) if usize::from(*last) == index => *sum += times as i16,
                _ => self.features.push((index as u16, times as i16)),
            }
        }
        let mut end = begin;
        for i in begin..self.features.len() {
            if self.features[i].1 != 0 {
                self.features[end] = self.features[i];
                end += 1;
            }
        }
        self.features.truncate(end);
        let scale = scale as f32 / FULL_SCALE as f32;
        let middle = phase as f32 / FULL_PHASE as f32;
        let factors = [middle * scale, (1.0 - middle) * scale];
        let constant = constant.middle() as f32 * factors[0] + constant.end() as f32 * factors[1];
        let target = Target { centipawns: sample.centipawns as f32, points: Some(sample.points) };
        self.rows.push(Row { end, factors, constant, target });
    }

    fn features(&self, row: usize) -> &[(u16, i16)] {
        let begin = if row == 0 { 0 } else { self.rows[row - 1].end };
        &self.features[begin..self.rows[row].end]
    }

    fn value(&self, row: usize, weights: &[[f32; 2]]) -> f32 {
        let [mut middle, mut end] = [0.0; 2];
        for (index, times) in self.features(row) {
            let [m, e] = weights[usize::from(*index)];
            middle += m * f32::from(*times);
            end += e * f32::from(*times);
        }
        let row = &self.rows[row];
        middle * row.factors[0] + end * row.factors[1] + row.constant
    }

    /// The mean relative entropy.
    fn error(&self, weights: &[[f32; 2]], curves: Curves) -> f64 {
        let of = |row: usize| curves.error(self.value(row, weights), self.rows[row].target);
        (0..self.rows.len()).map(of).sum::<f64>() / self.rows.len().max(1) as f64
    }

    /// Adds the gradient of the summed relative entropy of some rows.
    fn descend(
        &self,
        rows: impl Iterator<Item = usize>,
        weights: &[[f32; 2]],
        curves: Curves,
        gradient: &mut [[f32; 2]],
    ) {
        for i in rows {
            let row = &self.rows[i];
            let slope = curves.slope(self.value(i, weights), row.target);
            let [middle, end] = row.factors.map(|factor| factor * slope);
            for (index, times) in self.features(i) {
                let sum = &mut gradient[usize::from(*index)];
                sum[0] += middle * f32::from(*times);
                sum[1] += end * f32::from(*times);
            }
        }
    }
}

impl Tuning {
    /// The defaults. The header of each file of weights gives the parameters that it was fitted with.
    pub const fn new(variant: Variant) -> Self {
        Self { variant, epochs: 20, step: 0.6, pull: 0.000_02, blend: 0.7, threads: 1 }
    }

    /// Reads samples and fits the weights to them.
    pub fn run(&self, samples: &mut impl BufRead) -> Result<Tuned, TrainingError> {
        let [mut training, mut validation] = [Data::default(), Data::default()];
        sample::read(samples, self.variant, |sample, is_held_out| {
            let data = if is_held_out { &mut validation } else { &mut training };
            data.push(&sample);
        })?;
        let (old, groups) = weights(self.variant);
        let start: Vec<_> =
            old.iter().map(|score| [score.middle() as f32, score.end() as f32]).collect();
        // The curve is that of the old weights, so that the value of a centipawn does not change.
        let curves = Curves::fit(self.blend, |curves| training.error(&start, curves));
        let errors = |weights: &[[f32; 2]]| Errors {
            training: training.error(weights, curves),
            validation: (!validation.rows.is_empty()).then(|| validation.error(weights, curves)),
        };
        let mut weights = self.fit(&training, &start, curves);
        // A weight has 16 bits.
        let fits = |weight: &f32| (-30_000.0..=30_000.0).contains(weight);
        if !weights.iter().flatten().all(fits) {
            return Err(TrainingError::Diverged);
        }
        weights.iter_mut().flatten().for_each(|weight| *weight = weight.round());
        Ok(Tuned {
            variant: self.variant,
            groups,
            samples: [training.rows.len(), validation.rows.len()],
            centipawns_for_ten: curves.centipawns_for_ten(),
            before: errors(&start),
            after: errors(&weights),
            weights,
        })
    }

    /// Moves the weights down the gradient, batch by batch.
    fn fit(&self, data: &Data, start: &[[f32; 2]], curves: Curves) -> Vec<[f32; 2]> {
        let mut weights = start.to_vec();
        let mut moments = vec![[Moments::default(); 2]; start.len()];
        let batches = data.rows.len().div_ceil(BATCH);
        let threads = self.threads.max(1);
        let mut decayed = [1.0_f32; 2];
        for epoch in 0..self.epochs {
            // Long steps first, short ones at the end.
            let step = self.step * (1.0 - 0.9 * epoch as f32 / self.epochs as f32);
            for batch in 0..batches {
                // A batch has samples of all games.
                let rows = (batch..data.rows.len()).step_by(batches);
                let size = rows.len() as f32;
                let mut gradient = vec![[0.0_f32; 2]; start.len()];
                thread::scope(|scope| {
                    let weights = &weights;
                    let parts: Vec<_> = (0..threads)
                        .map(|part| {
                            let rows = rows.clone().skip(part).step_by(threads);
                            scope.spawn(move || {
                                let mut sum = vec![[0.0_f32; 2]; weights.len()];
                                data.descend(rows, weights, curves, &mut sum);
                                sum
                            })
                        })
                        .collect();
                    for part in parts {
                        let part =
                            part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                        for (sum, part) in gradient.iter_mut().flatten().zip(part.iter().flatten())
                        {
                            *sum += part;
                        }
                    }
                });
                decayed.iter_mut().zip(DECAYS).for_each(|(decayed, decay)| *decayed *= decay);
                let rate = Rate { step, begun: decayed.map(|part| 1.0 - part), epsilon: EPSILON };
                let weights = weights.iter_mut().flatten().zip(moments.iter_mut().flatten());
                let slopes = gradient.iter().flatten().zip(start.iter().flatten());
                for ((weight, moments), (slope, start)) in weights.zip(slopes) {
                    let pulled = 2.0 * self.pull * (*weight - start) / 10_000.0;
                    *weight -= moments.step(slope / size + pulled, rate);
                }
            }
        }
        weights
    }
}

impl Tuned {
    /// The weights as Rust source. `origin` is written to the header of the file.
    pub fn source(&self, origin: &str) -> String {
        use std::fmt::Write;
        let name = match self.variant.makruk_rules() {
            Some(_) => "Makruk, Makpong and ASEAN chess",
            None => "chess",
        };
        let mut text =
            format!("//! The weights of the evaluation of {name}: middlegame and endgame.\n//!\n");
        for line in origin.lines().chain(self.to_string().lines()) {
            let _ = writeln!(text, "//! {line}");
        }
        text.push_str(
            "\nuse super::COUNT;\nuse crate::eval::Tapered;\n\n\
             const fn s(middle: i32, end: i32) -> Tapered {\n    Tapered::new(middle, end)\n}\n\n\
             #[rustfmt::skip]\npub(crate) static WEIGHTS: [Tapered; COUNT] = [\n",
        );
        let mut weights = self.weights.iter();
        for (name, rows, columns) in self.groups {
            let _ = writeln!(text, "    // {name}");
            for _ in 0..*rows {
                let row: Vec<_> = weights
                    .by_ref()
                    .take(*columns)
                    .map(|[middle, end]| format!("s({:3}, {:3}),", *middle as i32, *end as i32))
                    .collect();
                let _ = writeln!(text, "    {}", row.join(" "));
            }
        }
        text.push_str("];\n");
        text
    }
}

impl fmt::Display for Tuned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [training, validation] = self.samples;
        writeln!(f, "{training} samples to fit, {validation} to validate.")?;
        writeln!(
            f,
            "The results fit a curve with odds of 10 to 1 at {:.0} centipawns.",
            self.centipawns_for_ten
        )?;
        let [before, after] = [self.before, self.after];
        write!(f, "Training error {:.5} before, {:.5} after", before.training, after.training)?;
        match before.validation.zip(after.validation) {
            Some((before, after)) => {
                write!(f, "; validation error {before:.5} before, {after:.5} after.")
            }
            None => f.write_str("; with so few samples, none were held out."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfmove_engine::{KeyedMakruk, SearchBoard, Tapered};
    use halfmove_rules::AnyPosition;

    /// The features of a position, times the weights, are its value.
    #[test]
    fn features_times_weights_are_the_value() {
        let fens = [
            (Variant::Makruk, "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"),
            (Variant::Makruk, "r2mksnr/3sn3/pppp1ppp/4p3/4P3/PPPP1PPP/3NS3/RNSKM2R w - - 0 1"),
            (
                Variant::Makruk,
                "2r2r2/3nks2/p1spp2p/1pm3p1/1P1PPP1P/P1PSN1P1/3NKS2/2R1MR2 b - - 0 1",
            ),
            (Variant::Makruk, "8/3k4/2m1n3/8/3NS3/2M1K3/8/4R3 w - - 0 1"),
            (Variant::Makruk, "8/8/3k4/8/3KS3/8/8/3R4 w - 32 9 60"),
            (Variant::Asean, "8/3k1P2/2q1n3/2p5/3NB3/2Q1K3/8/4R3 w - - 0 1"),
            (
                Variant::Chess,
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            ),
            (Variant::Chess, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
            (Variant::Chess, "4k3/8/8/3b4/8/2B5/4P3/4K3 w - - 0 1"),
            (Variant::Chess, "8/8/8/3k4/8/8/8/KBN5 w - - 0 1"),
        ];
        for (variant, fen) in fens {
            for flip in [false, true] {
                let position = AnyPosition::from_fen(fen, variant).unwrap();
                let position = if flip { position.flipped() } else { position };
                let value = match &position {
                    AnyPosition::Chess(chess) => chess.evaluate(),
                    AnyPosition::Makruk(makruk) => KeyedMakruk::new(makruk.clone()).evaluate(),
                };
                let (scores, _) = weights(variant);
                let Features { counts, constant, phase, scale } = Features::of(&position);
                let sum = counts
                    .iter()
                    .fold(constant, |sum, (index, times)| sum + scores[*index] * *times);
                assert_eq!((sum, phase, scale), (value.lead(), value.phase, value.scale), "{fen}");

                let mut data = Data::default();
                data.push(&Sample { position, centipawns: 0, points: 0.5 });
                let floats: Vec<_> =
                    scores.iter().map(|s| [s.middle() as f32, s.end() as f32]).collect();
                let apart = (data.value(0, &floats) - value.total() as f32).abs();
                assert!(apart < 2.0, "{fen}: {apart} but for rounding");
            }
        }
    }

    #[test]
    fn the_source_has_every_weight() {
        let (scores, groups) = weights(Variant::Chess);
        let errors = Errors { training: 0.0, validation: None };
        let tuned = Tuned {
            variant: Variant::Chess,
            weights: scores.iter().map(|s| [s.middle() as f32, s.end() as f32]).collect(),
            groups,
            samples: [0, 0],
            centipawns_for_ten: 400.0,
            before: errors,
            after: errors,
        };
        // Read back what was written.
        let source = tuned.source("");
        let (_, table) = source.split_once("= [").unwrap();
        let pairs: Vec<Tapered> = table
            .split(" s(")
            .skip(1)
            .map(|pair| {
                let numbers = pair.split(')').next().unwrap_or_default();
                let mut numbers = numbers.split(',').map(|number| number.trim().parse().unwrap());
                Tapered::new(numbers.next().unwrap(), numbers.next().unwrap())
            })
            .collect();
        assert_eq!(pairs.len(), scores.len());
        assert!(pairs == scores);
    }
}
