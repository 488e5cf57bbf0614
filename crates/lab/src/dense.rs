//! The model of the codec `dense`, fitted to games.
//!
//! The weights are those of a softmax over the legal moves, and of a net. Stochastic gradient descent with a learning rate for each weight
//! (Adagrad; its paper is named in `net.rs`) makes the played moves more likely, game by game in an order that the seed gives. All is done in one
//! thread, with operations that every machine rounds alike: the same games and the same seed give the same file.

mod book;
mod games;
mod net;

use halfmove_codecs::dense::learning::{self, Net, SETTINGS, Sample, WEIGHT_UNIT, WEIGHTS};
use halfmove_codecs::dense::{Model, TABLES};
use halfmove_rules::Chess;

use book::Counts;
pub use games::{Games, Source};

/// The name of the net among the tables that a fit may be [without](Fit::without).
pub const NET: &str = "net";

/// The settings of a fit.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Passes over all games.
    pub epochs: u32,
    /// Adagrad's base learning rate at the start. It falls linearly to a tenth at the end.
    pub step: f32,
    /// The seed of the order of games.
    pub seed: u64,
    /// The greatest number of games to learn from.
    pub games: usize,
    /// Names of [tables](TABLES) that stay zero, or [`NET`]: the difference is what they give.
    pub without: Vec<String>,
}

impl Fit {
    /// The settings of the shipped model.
    pub const DEFAULT: Self =
        Self { epochs: 2, step: 0.07, seed: 1, games: usize::MAX, without: Vec::new() };

    /// Fits a model. `report` gets the number of games learned, and the bits a half-move of the last ones before they
    /// were learned.
    pub fn run(&self, games: &Games, report: &mut dyn FnMut(usize, f64)) -> Model {
        let mut order: Vec<usize> = games.training().collect();
        let mut random = Random(self.seed);
        random.shuffle(&mut order);
        order.truncate(self.games);
        let counts = Counts::of(games, &order);
        let mut learner = Learner::new(&self.without, &mut random);
        let steps = self.epochs as usize * order.len();
        let mut learned = 0;
        for _ in 0..self.epochs {
            random.shuffle(&mut order);
            for &game in &order {
                let rest = 1.0 - learned as f32 / steps as f32;
                learner.step = self.step * (0.1 + 0.9 * rest);
                let (moves, setting) = games.game(game);
                learning::visit(&Chess::default(), moves, setting, &counts, |sample| {
                    learner.learn(sample);
                });
                learned += 1;
                if learned % 10_000 == 0 {
                    report(learned, learner.bits());
                }
            }
        }
        let mut settings = [0; SETTINGS];
        order.iter().for_each(|game| settings[games.game(*game).1] += 1);
        let weights = learner.weights();
        let net = learner.net.map_or_else(Net::zero, net::Learner::finish);
        Model::new(&settings, weights, net, counts.table())
    }
}

/// Numbers from a seed: the generator of Knuth's MMIX.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(self.0) * end as u128) >> 64) as usize
    }

    fn shuffle(&mut self, order: &mut [usize]) {
        for at in (1..order.len()).rev() {
            order.swap(at, self.below(at + 1));
        }
    }
}

/// Smaller gradients change nothing: those of unlikely moves that were not played.
const LEAST_GRADIENT: f32 = 0.002;

/// A weight with Adagrad's accumulator: the sum of the squares of its gradients, from 1.
#[derive(Copy, Clone)]
struct Weight {
    value: f32,
    accumulator: f32,
}

struct Learner {
    weights: Vec<Weight>,
    net: Option<net::Learner>,
    step: f32,
    scores: Vec<f32>,
    /// The cost of the moves since the last report, and their number.
    cost: f64,
    plies: u64,
}

impl Learner {
    fn new(without: &[String], random: &mut Random) -> Self {
        let mut weights = Vec::with_capacity(WEIGHTS);
        for table in TABLES {
            let is_without = without.iter().any(|name| name == table.name);
            // An infinite accumulator makes the learning rate 0.
            let accumulator = if is_without { f32::INFINITY } else { 1.0 };
            weights.resize(weights.len() + table.len, Weight { value: 0.0, accumulator });
        }
        let is_without_net = without.iter().any(|name| name == NET);
        let net = (!is_without_net).then(|| net::Learner::new(random));
        Self { weights, net, step: 0.0, scores: Vec::new(), cost: 0.0, plies: 0 }
    }

    fn learn(&mut self, sample: &Sample) {
        let weights = &mut self.weights;
        self.scores.clear();
        let mut begin = 0;
        for &end in &sample.ends {
            let features = &sample.features[begin..end];
            self.scores.push(features.iter().map(|at| weights[*at as usize].value).sum());
            begin = end;
        }
        if let Some(net) = &mut self.net {
            net.score(sample, &mut self.scores);
        }
        let best = self.scores.iter().copied().fold(f32::MIN, f32::max);
        self.scores.iter_mut().for_each(|score| *score = exponential(*score - best));
        let sum: f32 = self.scores.iter().sum();
        self.cost -= f64::from(self.scores[sample.chosen] / sum).log2();
        self.plies += u64::from(sample.chosen > 0);
        begin = 0;
        // The scores become gradients.
        for (at, score) in self.scores.iter_mut().enumerate() {
            *score = *score / sum - if at == sample.chosen { 1.0 } else { 0.0 };
        }
        if let Some(net) = &mut self.net {
            net.learn(sample, &self.scores, self.step);
        }
        for (gradient, &end) in self.scores.iter().zip(&sample.ends) {
            if gradient.abs() > LEAST_GRADIENT {
                let (square, change) = (gradient * gradient, gradient * self.step);
                for at in &sample.features[begin..end] {
                    let weight = &mut weights[*at as usize];
                    weight.accumulator += square;
                    weight.value -= change / weight.accumulator.sqrt();
                }
            }
            begin = end;
        }
    }

    /// The bits a half-move since the last call, with the ends of games.
    fn bits(&mut self) -> f64 {
        let bits = self.cost / self.plies.max(1) as f64;
        (self.cost, self.plies) = (0.0, 0);
        bits
    }

    fn weights(&self) -> Vec<i8> {
        let unit = WEIGHT_UNIT as f32;
        let rounded = |weight: &Weight| (weight.value * unit).round().clamp(-127.0, 127.0) as i8;
        self.weights.iter().map(rounded).collect()
    }
}

/// e^x for x up to 0, from additions and multiplications alone: those of libraries differ between machines.
fn exponential(x: f32) -> f32 {
    let power = (x * std::f32::consts::LOG2_E).max(-100.0);
    let whole = power.floor();
    let rest = (power - whole) * std::f32::consts::LN_2;
    let factors = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    let series = factors.iter().fold(0.0f32, |sum, factor| sum * rest + factor);
    series * f32::from_bits(((whole as i32 + 127) as u32) << 23)
}

/// The size of held-out games in a model.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Held {
    /// Games.
    pub games: usize,
    /// Their half-moves.
    pub plies: usize,
    /// Their bytes, each by itself, with everything in.
    pub bytes: usize,
    /// The bits of their half-moves and ends in one block, in which the model goes on learning.
    pub bits_in_block: f64,
}

/// Encodes the held-out games of each source, at most so many of each.
pub fn held_out(model: &Model, games: &Games, most: usize) -> Vec<Held> {
    let mut held = vec![Held::default(); games.sources().len()];
    let mut bytes = Vec::new();
    for game in games.held_out() {
        let of = &mut held[games.source(game)];
        if of.games == most {
            continue;
        }
        let (moves, setting) = games.game(game);
        bytes.clear();
        if model.encode(&Chess::default().into(), moves, setting, &mut bytes).is_ok() {
            of.games += 1;
            of.plies += moves.len();
            of.bytes += bytes.len();
        }
    }
    for (source, of) in held.iter_mut().enumerate() {
        let of_source = games.held_out().filter(|game| games.source(*game) == source).take(most);
        of.bits_in_block = learning::bits_in_block(model, of_source.map(|game| games.game(game)));
    }
    held
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials() {
        for at in -2_000..=0 {
            let x = at as f32 / 100.0;
            let error = exponential(x) / x.exp() - 1.0;
            assert!(error.abs() < 2e-5, "{x}: {error}");
        }
    }
}
