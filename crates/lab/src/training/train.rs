//! Trains a [net](Net) on the positions of games.
//!
//! It begins with small random weights. Each epoch goes through all samples in a new random order, batch by batch, and
//! after each batch moves the weights down the gradient of the error (`curves.rs`). One block of samples in ten is held
//! out for validation; the weights of the epoch with the smallest validation error are kept. The error of the
//! hand-crafted evaluation is computed on the same samples: a net with a larger error will not play better.
//!
//! Games contain few of the unusual positions that a search has to evaluate. So a few random moves from each sample
//! lead to another position, for which the net learns the value of the hand-crafted evaluation.
//!
//! The same arguments give the same net, with any number of threads: a batch has a fixed number of parts, whose gradients
//! are added up in order.

use super::adam::{DECAYS, Moments, Rate};
use super::curves::{Curves, Target};
use super::net::{Floats, Lanes, Seen, random};
use super::sample::{self, TrainingError};
use super::tune::Errors;
use halfmove_engine::learning::hand_crafted;
use halfmove_engine::learning::net::{self as layout, CENTIPAWNS, Ending, LANES, MAX_HIDDEN};
use halfmove_engine::{Net, Random};
use halfmove_rules::cpu::{self, Cpu, Level, Task};
use halfmove_rules::{AnyPosition, Color, Variant};
use std::fmt;
use std::io::BufRead;
use std::thread;

/// The number of samples per step. Not tuned.
const BATCH: usize = 4_096;
/// The parts of a batch, which threads share: more threads than these would be idle.
const PARTS: usize = 8;
/// The maximum number of random moves from a sample to a position for which the net learns the hand-crafted evaluation.
/// Not tuned.
const MAX_MOVES: usize = 4;
/// See [`Rate::epsilon`]: the paper's value.
const EPSILON: f32 = 1e-8;

/// The training of a net.
///
/// ```
/// use halfmove_lab::training::{Datagen, Training};
/// use halfmove_rules::Variant;
///
/// let mut samples = Vec::new();
/// Datagen { games: 4, nodes: 100, ..Datagen::new(Variant::Makruk) }.run(&mut samples, &mut |_| {})?;
/// let training = Training { hidden: 32, epochs: 3, ..Training::new(Variant::Makruk) };
/// let mut errors = Vec::new();
/// let trained = training.run(&mut samples.as_slice(), &mut |_, epoch| errors.push(epoch.training))?;
/// assert!(errors.is_sorted_by(|before, after| before > after));
/// assert_eq!(trained.net.hidden(), 32);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Training {
    /// The game: chess or Makruk.
    pub variant: Variant,
    /// The number of hidden neurons, a multiple of 32.
    pub hidden: usize,
    /// Passes over all samples.
    pub epochs: u32,
    /// The initial learning rate of Adam.
    pub step: f32,
    /// The number of positions after each sample for which the net learns the hand-crafted evaluation.
    pub taught: u32,
    /// The weight of the search scores against the results, from 0 to 1.
    pub blend: f32,
    /// The random seed.
    pub seed: u64,
    /// Threads. They do not change the net.
    pub threads: usize,
}

/// A trained net, and its errors, which `Display` shows.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The net, in whole numbers.
    pub net: Net,
    /// Samples to fit, and to validate.
    pub samples: [usize; 2],
    /// The error of the net.
    pub errors: Errors,
    /// The error of the hand-crafted evaluation.
    pub hand_crafted: Errors,
}

/// Positions as inputs of a net.
struct Data {
    /// The pieces of all positions, one after the other.
    pieces: Vec<[u16; 2]>,
    rows: Vec<Position>,
    /// The number of rows that are samples. For those after them, the net learns the hand-crafted evaluation.
    samples: usize,
}

struct Position {
    /// The end of its pieces.
    end: usize,
    bucket: usize,
    /// The target, for the side to move.
    target: Target,
    /// The value of the hand-crafted evaluation.
    hand_crafted: f32,
    /// The ending that scales the lead, if there is one.
    ending: Option<Box<Ending>>,
}

impl Data {
    const fn new() -> Self {
        Self { pieces: Vec::new(), rows: Vec::new(), samples: 0 }
    }

    /// A position with White's score and points, if it has been searched.
    fn push(&mut self, game: Variant, position: &AnyPosition, searched: Option<(i32, f32)>) {
        let seen = layout::Seen::of(game, position);
        self.pieces.extend(&seen.rows);
        let hand_crafted = hand_crafted(position) as f32;
        let target = match (searched, position.side_to_move()) {
            (Some((centipawns, points)), Color::White) => {
                Target { centipawns: centipawns as f32, points: Some(points) }
            }
            (Some((centipawns, points)), Color::Black) => {
                Target { centipawns: -centipawns as f32, points: Some(1.0 - points) }
            }
            (None, _) => Target { centipawns: hand_crafted, points: None },
        };
        self.samples += usize::from(searched.is_some());
        self.rows.push(Position {
            end: self.pieces.len(),
            bucket: seen.bucket,
            target,
            hand_crafted,
            ending: Ending::of(game, position).map(Box::new),
        });
    }

    /// Appends the rows of others.
    fn append(&mut self, others: Self) {
        let before = self.pieces.len();
        self.pieces.extend(others.pieces);
        let rows = others.rows.into_iter();
        self.rows.extend(rows.map(|row| Position { end: row.end + before, ..row }));
    }

    fn seen(&self, row: usize) -> Seen<'_> {
        let begin = if row == 0 { 0 } else { self.rows[row - 1].end };
        let Position { end, bucket, .. } = self.rows[row];
        Seen { rows: &self.pieces[begin..end], bucket }
    }

    /// The mean error of the values of samples.
    fn error(&self, curves: Curves, mut value: impl FnMut(usize) -> f32) -> f64 {
        let of = |row: usize| curves.error(value(row), self.rows[row].target);
        (0..self.samples).map(of).sum::<f64>() / self.samples.max(1) as f64
    }

    /// An error of samples that were held out; `None` if there are none.
    fn held_out(&self, error: impl FnOnce(&Self) -> f64) -> Option<f64> {
        (!self.rows.is_empty()).then(|| error(self))
    }

    fn error_hand_crafted(&self, curves: Curves) -> f64 {
        self.error(curves, |row| self.rows[row].hand_crafted)
    }

    fn error_of_net(&self, curves: Curves, net: &Net) -> f64 {
        self.error(curves, |row| {
            let Seen { rows, bucket } = self.seen(row);
            self.rows[row].value(layout::lead(net, rows, bucket) as f32).0
        })
    }
}

impl Position {
    /// The value of a lead for the side to move, and its derivative by the lead.
    #[inline(always)]
    fn value(&self, lead: f32) -> (f32, f32) {
        match &self.ending {
            Some(ending) => ending.value(lead),
            None => (lead, 1.0),
        }
    }
}

/// The gradient and the error of some samples.
struct Part<'a> {
    data: &'a Data,
    net: &'a Floats,
    curves: Curves,
    samples: &'a [u32],
    gradient: &'a mut Floats,
}

impl Task for Part<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> f64 {
        let Self { data, net, curves, samples, gradient } = self;
        gradient.0.fill([0.0; LANES]);
        let mut sums = Vec::new();
        let mut error = 0.0;
        for &sample in samples {
            let (row, seen) = (&data.rows[sample as usize], data.seen(sample as usize));
            let lead = net.lead(seen, &mut sums) * CENTIPAWNS as f32;
            let (value, growth) = row.value(lead);
            if (sample as usize) < data.samples {
                error += curves.error(value, row.target);
            }
            let slope = curves.slope(value, row.target) * growth * CENTIPAWNS as f32;
            net.descend(seen, &sums, slope, gradient);
        }
        error
    }
}

/// Moves the weights of a net down the gradients of batches.
struct Descent {
    moments: Vec<[Moments; LANES]>,
    steps: i32,
}

impl Descent {
    fn step(&mut self, net: &mut Floats, gradient: &Floats, size: f32, step: f32) {
        self.steps += 1;
        let begun = DECAYS.map(|decay| 1.0 - decay.powi(self.steps));
        let rate = Rate { step, begun, epsilon: EPSILON };
        let weights = net.0.iter_mut().flatten().zip(self.moments.iter_mut().flatten());
        for ((weight, moments), slope) in weights.zip(gradient.0.iter().flatten()) {
            *weight -= moments.step(slope / size, rate);
        }
        net.clip();
    }
}

impl Training {
    /// The possible numbers of hidden neurons: multiples of 32 in this range.
    pub const HIDDEN: std::ops::RangeInclusive<usize> = LANES..=MAX_HIDDEN;

    /// The parameters of the engine's own nets.
    pub const fn new(variant: Variant) -> Self {
        Self {
            variant,
            hidden: 64,
            epochs: 15,
            step: 0.002,
            taught: 1,
            blend: 0.7,
            seed: 1,
            threads: 1,
        }
    }

    /// Reads samples and trains a net on them. After each epoch, `report` is called with its number and errors.
    pub fn run(
        &self,
        samples: &mut impl BufRead,
        report: &mut dyn FnMut(u32, Errors),
    ) -> Result<Trained, TrainingError> {
        let game = self.variant;
        let [mut training, mut validation, mut taught] = [const { Data::new() }; 3];
        let mut random = random(self.seed ^ u64::MAX);
        sample::read(samples, game, |sample, is_held_out| {
            let searched = Some((sample.centipawns, sample.points));
            if is_held_out {
                validation.push(game, &sample.position, searched);
                return;
            }
            training.push(game, &sample.position, searched);
            for _ in 0..self.taught {
                let position = wander(sample.position.clone(), &mut random);
                // A search does not evaluate positions in check.
                if !position.is_check() {
                    taught.push(game, &position, None);
                }
            }
        })?;
        training.append(taught);
        let curves = Curves::fit(self.blend, |curves| training.error_hand_crafted(curves));
        let hand_crafted = Errors {
            training: training.error_hand_crafted(curves),
            validation: validation.held_out(|data| data.error_hand_crafted(curves)),
        };
        let samples = [training.samples, validation.samples];
        let net = self.fit(&training, &validation, curves, report);
        let Self { hidden, epochs, step, taught, blend, seed, .. } = self;
        let net = net.whole(
            game,
            format!(
                "halfmove-lab train --game {game} --hidden {hidden} --epochs {epochs} --step {step} \
                 --taught {taught} --blend {blend} --seed {seed}, {} samples to fit and {} to validate",
                samples[0], samples[1]
            ),
        );
        let errors = Errors {
            training: training.error_of_net(curves, &net),
            validation: validation.held_out(|data| data.error_of_net(curves, &net)),
        };
        Ok(Trained { net, samples, errors, hand_crafted })
    }

    fn fit(
        &self,
        training: &Data,
        validation: &Data,
        curves: Curves,
        report: &mut dyn FnMut(u32, Errors),
    ) -> Floats {
        let blocks = (self.hidden / LANES).max(1);
        let mut net = Floats::new(blocks, self.seed);
        let zero = Floats::zero(blocks);
        let moments = vec![[Moments::default(); LANES]; zero.0.len()];
        let mut descent = Descent { moments, steps: 0 };
        let mut gradients = vec![zero; PARTS];
        let mut order: Vec<u32> = (0..training.rows.len() as u32).collect();
        let mut best = (f64::INFINITY, net.clone());
        for epoch in 1..=self.epochs {
            random(self.seed ^ u64::from(epoch) << 32).shuffle(&mut order);
            // Long steps first, short ones at the end.
            let step = self.step * (1.0 - 0.98 * (epoch - 1) as f32 / self.epochs as f32);
            let mut error = 0.0;
            for batch in order.chunks(BATCH) {
                error += self.descend(training, &net, curves, batch, &mut gradients);
                let (gradient, others) = gradients.split_at_mut(1);
                let gradient = &mut gradient[0];
                for other in others {
                    for (sum, more) in gradient.0.iter_mut().flatten().zip(other.0.iter().flatten())
                    {
                        *sum += more;
                    }
                }
                descent.step(&mut net, gradient, batch.len() as f32, step);
            }
            let mut sums: Vec<[Lanes; 2]> = Vec::new();
            let errors = Errors {
                training: error / training.samples as f64,
                validation: validation.held_out(|data| {
                    data.error(curves, |row| {
                        let lead = net.lead(data.seen(row), &mut sums) * CENTIPAWNS as f32;
                        data.rows[row].value(lead).0
                    })
                }),
            };
            report(epoch, errors);
            // With too few samples to hold some out, the last net is as good as any.
            if errors.validation.is_none_or(|error| error < best.0) {
                best = (errors.validation.unwrap_or(best.0), net.clone());
            }
        }
        best.1
    }

    /// The gradients of the parts of a batch, and its error.
    fn descend(
        &self,
        data: &Data,
        net: &Floats,
        curves: Curves,
        batch: &[u32],
        gradients: &mut [Floats],
    ) -> f64 {
        let threads = self.threads.clamp(1, PARTS);
        let mut errors = [0.0; PARTS];
        let size = batch.len().div_ceil(PARTS);
        thread::scope(|scope| {
            let parts = gradients.chunks_mut(PARTS.div_ceil(threads)).enumerate();
            let errors = errors.chunks_mut(PARTS.div_ceil(threads));
            for ((chunk, gradients), errors) in parts.zip(errors) {
                scope.spawn(move || {
                    let first = chunk * PARTS.div_ceil(threads);
                    for (i, (gradient, error)) in gradients.iter_mut().zip(errors).enumerate() {
                        let from = ((first + i) * size).min(batch.len());
                        let samples = &batch[from..(from + size).min(batch.len())];
                        let part = Part { data, net, curves, samples, gradient };
                        *error = cpu::run_up_to(Level::V3, part);
                    }
                });
            }
        });
        errors.iter().sum()
    }
}

/// A few random moves from a position.
fn wander(mut position: AnyPosition, random: &mut Random) -> AnyPosition {
    for _ in 0..=random.below(MAX_MOVES) {
        let moves = position.legal_moves();
        let Some(mv) = moves.get(random.below(moves.len())) else { break };
        position.play_unchecked(*mv);
    }
    position
}

impl fmt::Display for Trained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { samples: [training, validation], errors, hand_crafted, .. } = self;
        writeln!(f, "{training} samples to fit, {validation} to validate.")?;
        write!(f, "The net: {errors}.\nThe hand-crafted evaluation: {hand_crafted}.")?;
        match errors.validation {
            None => f.write_str("\nWith so few samples, none were held out."),
            Some(_) => Ok(()),
        }
    }
}
