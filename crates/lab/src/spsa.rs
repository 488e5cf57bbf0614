//! Simultaneous perturbation stochastic approximation (SPSA): many parameters tuned at once, by matches between two settings.
//!
//! ```text
//!  second    ▲         ● θ + c·δ        each iteration:
//!  parameter │        ╱                   δ, a random corner of ±1s
//!            │     θ ○ ─▶ next θ          a match between θ + c·δ and θ − c·δ
//!            │      ╱                     a step toward the winner, the longer the clearer it has won
//!            │     ● θ − c·δ
//!            └────────────────▶ first parameter
//! ```
//!
//! Each iteration compares two settings, whatever the number of parameters. One comparison says little about any of
//! them, but over thousands the noise averages out. The perturbations *c* and the steps get shorter with time, by the
//! powers that Spall recommends.
//!
//! # Source
//! James C. Spall, "Implementation of the simultaneous perturbation algorithm for stochastic optimization", IEEE
//! Transactions on Aerospace and Electronic Systems 34 (1998). Giving both by their final values follows fishtest.

use halfmove_engine::Random;
use std::str::FromStr;
use thiserror::Error;

/// The power by which steps get shorter.
const STEP_POWER: f64 = 0.602;
/// The power by which perturbations get smaller.
const PERTURBATION_POWER: f64 = 0.101;
/// The share of the iterations by which the first steps are reduced (Spall's *A*).
const STABILITY: f64 = 0.1;
/// The default perturbation at the end, as a part of the parameter's range.
const USUAL_PART: f64 = 0.05;

/// A whole number to tune.
///
/// ```
/// use halfmove_lab::spsa::Parameter;
///
/// let margin: Parameter = "Margin=160,0,400,12".parse()?;
/// assert_eq!((margin.name.as_str(), margin.start, margin.perturbation), ("Margin", 160, 12.0));
/// let usual: Parameter = "Margin=160,0,400".parse()?;
/// assert_eq!(usual.perturbation, 20.0);
/// # Ok::<(), halfmove_lab::spsa::ParameterError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The name: for an engine, that of an option.
    pub name: String,
    /// The value to begin with.
    pub start: i64,
    /// The smallest value.
    pub least: i64,
    /// The largest value.
    pub most: i64,
    /// The distance of the two settings of the last iteration from the value. A change of this size should make a
    /// difference of a few Elo.
    pub perturbation: f64,
}

/// A fault in the text of a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// It does not have the expected parts.
    #[error("\"{0}\", expected NAME=START,MIN,MAX[,PERTURBATION] with whole numbers")]
    Syntax(String),
    /// The start is not between the smallest and the largest value.
    #[error("{0}: expected MIN below MAX, and START between them")]
    Range(String),
    /// The perturbation is not a number above 0 and below the range.
    #[error("{0}: expected a perturbation above 0, at most half of MAX - MIN")]
    Perturbation(String),
}

impl FromStr for Parameter {
    type Err = ParameterError;

    /// Reads `NAME=START,MIN,MAX[,PERTURBATION]`. The perturbation is a twentieth of the range if it is left out.
    fn from_str(text: &str) -> Result<Self, ParameterError> {
        let syntax = || ParameterError::Syntax(text.to_owned());
        let (name, numbers) = text.split_once('=').ok_or_else(syntax)?;
        let (name, numbers) = (name.trim(), numbers.split(',').map(str::trim).collect::<Vec<_>>());
        let ([start, least, most] | [start, least, most, _]) = numbers[..] else {
            return Err(syntax());
        };
        let whole = |text: &str| {
            // All sums of such numbers are exact.
            let number = text.parse::<i64>().ok().filter(|number| number.abs() <= 1 << 40);
            number.ok_or_else(syntax)
        };
        let (start, least, most) = (whole(start)?, whole(least)?, whole(most)?);
        if name.is_empty() {
            return Err(syntax());
        }
        if least >= most || !(least..=most).contains(&start) {
            return Err(ParameterError::Range(name.to_owned()));
        }
        let range = (most - least) as f64;
        let perturbation = match numbers.get(3) {
            Some(number) => number.parse().map_err(|_| syntax())?,
            None => range * USUAL_PART,
        };
        if !(perturbation > 0.0 && perturbation <= range / 2.0) {
            return Err(ParameterError::Perturbation(name.to_owned()));
        }
        Ok(Self { name: name.to_owned(), start, least, most, perturbation })
    }
}

/// A tuning.
///
/// ```
/// use halfmove_lab::spsa::{Spsa, Parameter};
///
/// let parameters = vec!["x=0,-50,50".parse()?];
/// let spsa = Spsa { parameters, iterations: 400, rate: 0.02, seed: 1 };
/// let mut state = spsa.start();
/// while state.iteration < spsa.iterations {
///     let trial = spsa.trial(&state);
///     // A match that the setting nearer to 20 wins.
///     let [plus, minus] = [trial.plus[0], trial.minus[0]].map(|x: i64| (x - 20).abs());
///     spsa.learn(&mut state, &trial, (minus - plus).signum() as f64);
/// }
/// assert!((state.values[0] - 20.0).abs() < 3.0, "{state:?}");
/// # Ok::<(), halfmove_lab::spsa::ParameterError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The number of iterations, which determines the lengths of the steps.
    pub iterations: u64,
    /// The step of the last iteration for each game won more than lost, as a share of the perturbation. Fishtest's is 0.002.
    pub rate: f64,
    /// The seed of all random numbers.
    pub seed: u64,
}

/// The values so far.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The number of iterations done.
    pub iteration: u64,
    /// The values, in the order of the parameters.
    pub values: Vec<f64>,
}

/// Two settings to compare.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// One setting.
    pub plus: Vec<i64>,
    /// The setting on the other side.
    pub minus: Vec<i64>,
    /// The direction: 1 or -1 for each parameter.
    signs: Vec<f64>,
}

impl Spsa {
    /// The state before the first iteration.
    pub fn start(&self) -> State {
        let values = self.parameters.iter().map(|parameter| parameter.start as f64).collect();
        State { iteration: 0, values }
    }

    /// The perturbation of a parameter in an iteration, counted from 0.
    fn perturbation(&self, parameter: &Parameter, iteration: u64) -> f64 {
        let part = self.iterations.max(1) as f64 / (iteration + 1) as f64;
        parameter.perturbation * part.powf(PERTURBATION_POWER)
    }

    /// The step of an iteration for each point, as a share of the perturbation.
    fn step(&self, parameter: &Parameter, iteration: u64) -> f64 {
        let all = self.iterations.max(1) as f64;
        let held_back = STABILITY * all;
        let part = (held_back + all) / (held_back + (iteration + 1) as f64);
        let last = self.rate * parameter.perturbation * parameter.perturbation;
        last * part.powf(STEP_POWER) / self.perturbation(parameter, iteration)
    }

    /// The settings that the next iteration compares. They depend on the seed and the state alone.
    pub fn trial(&self, state: &State) -> Trial {
        let scrambled = |number| Random::one_earlier(number).number();
        let mut random =
            Random::new(scrambled(self.seed) ^ scrambled(state.iteration.rotate_left(32)));
        let mut trial = Trial { plus: Vec::new(), minus: Vec::new(), signs: Vec::new() };
        for (parameter, value) in self.parameters.iter().zip(&state.values) {
            let sign = if random.below(2) == 0 { -1.0 } else { 1.0 };
            // Up or down at random, so that the mean is the value itself.
            let up = (random.number() >> 11) as f64 / (1_u64 << 53) as f64;
            let by = sign * self.perturbation(parameter, state.iteration);
            let rounded = |value: f64| {
                let value = value.clamp(parameter.least as f64, parameter.most as f64);
                ((value + up).floor() as i64).clamp(parameter.least, parameter.most)
            };
            trial.plus.push(rounded(value + by));
            trial.minus.push(rounded(value - by));
            trial.signs.push(sign);
        }
        trial
    }

    /// Moves the values toward the winner of a trial. `lead` is the number of games that `plus` has won less those that it has
    /// lost.
    pub fn learn(&self, state: &mut State, trial: &Trial, lead: f64) {
        let all = self.parameters.iter().zip(&mut state.values).zip(&trial.signs);
        for ((parameter, value), sign) in all {
            *value += sign * lead * self.step(parameter, state.iteration);
            *value = value.clamp(parameter.least as f64, parameter.most as f64);
        }
        state.iteration += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A share from 0 to 1.
    fn unit(random: &mut Random) -> f64 {
        (random.number() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn parameters() -> Vec<Parameter> {
        let texts = ["a=20,0,100,5", "b=900,-1000,1000,80", "c=3,0,40,2", "d=50,0,100,5"];
        texts.map(|text| text.parse().expect("a parameter")).into()
    }

    /// The best values; the last one makes no difference.
    const BEST: [f64; 3] = [70.0, -300.0, 11.0];

    /// The strength of a setting in Elo: 8 less for each perturbation that a parameter is off.
    fn elo(setting: &[i64]) -> f64 {
        let off = BEST
            .iter()
            .zip(parameters())
            .zip(setting)
            .map(|((best, parameter), value)| (*value as f64 - best) / parameter.perturbation);
        off.map(|off| -4.0 * off * off).sum()
    }

    /// Games between two settings, half of which are drawn if they are equal: wins less losses.
    fn games(count: u32, setting: &Trial, random: &mut Random) -> f64 {
        let score = 1.0 / (1.0 + 10.0_f64.powf((elo(&setting.minus) - elo(&setting.plus)) / 400.0));
        let draws = score.min(1.0 - score);
        let results = (0..count).map(|_| match unit(random) {
            x if x < draws => 0.0,
            x if x < draws + (score - draws / 2.0) => 1.0,
            _ => -1.0,
        });
        results.sum()
    }

    fn tuned(spsa: &Spsa, mut state: State, until: u64) -> State {
        while state.iteration < until {
            let trial = spsa.trial(&state);
            // The noise of an iteration depends only on its number, so that an interruption changes nothing.
            let mut random = Random::new(state.iteration.wrapping_mul(977));
            let lead = games(8, &trial, &mut random);
            spsa.learn(&mut state, &trial, lead);
        }
        state
    }

    #[test]
    fn it_finds_the_best_values_in_noise() {
        for seed in 1..=3 {
            let spsa = Spsa { parameters: parameters(), iterations: 6_000, rate: 0.01, seed };
            let start = spsa.start();
            let state = tuned(&spsa, start.clone(), spsa.iterations);
            let setting = |state: &State| -> Vec<i64> {
                state.values.iter().map(|value| value.round() as i64).collect()
            };
            assert!(elo(&setting(&start)) < -1_000.0);
            let found = elo(&setting(&state));
            assert!(found > -20.0, "seed {seed}: {found} Elo from the best, {:?}", state.values);
            // With noise alone, there is no drift.
            assert!((state.values[3] - 50.0).abs() < 25.0, "{:?}", state.values);
        }
    }

    #[test]
    fn an_interruption_changes_nothing() {
        let spsa = Spsa { parameters: parameters(), iterations: 300, rate: 0.01, seed: 9 };
        let whole = tuned(&spsa, spsa.start(), 300);
        let half = tuned(&spsa, spsa.start(), 123);
        assert_eq!(tuned(&spsa, half.clone(), 300), whole);
        assert_ne!(half, whole);
        let other = Spsa { seed: 10, ..spsa };
        assert_ne!(tuned(&other, other.start(), 300), whole);
    }

    #[test]
    fn settings_stay_in_their_ranges_and_are_right_on_average() {
        let parameters =
            vec!["edge=0,0,10,4".parse().unwrap(), "small=5,0,100,0.3".parse().unwrap()];
        let spsa = Spsa { parameters, iterations: 1_000, rate: 1.0, seed: 4 };
        let (mut sum, mut differ) = (0, 0);
        for iteration in 0..1_000 {
            let trial = spsa.trial(&State { iteration, values: vec![0.0, 5.25] });
            assert!((0..=10).contains(&trial.plus[0]) && (0..=10).contains(&trial.minus[0]));
            sum += trial.plus[1] + trial.minus[1];
            differ += i32::from(trial.plus[1] != trial.minus[1]);
        }
        let mean = sum as f64 / 2_000.0;
        assert!((mean - 5.25).abs() < 0.05, "{mean}");
        // A perturbation of less than one half changes some of the rounded values.
        assert!((300..900).contains(&differ), "{differ}");
        let mut state = State { iteration: 0, values: vec![9.0, 5.25] };
        let trial = spsa.trial(&state);
        spsa.learn(&mut state, &trial, 1_000.0 * trial.signs[0]);
        assert_eq!(state.values[0], 10.0);
    }

    #[test]
    fn parameters_are_read() {
        let name = "Late Move Base".to_owned();
        let expected = Parameter { name, start: -5, least: -50, most: 50, perturbation: 2.5 };
        assert_eq!("Late Move Base = -5, -50, 50, 2.5".parse(), Ok(expected));
        for (text, expected) in [
            ("x", "\"x\", expected NAME=START,MIN,MAX[,PERTURBATION] with whole numbers"),
            ("x=1,2", "\"x=1,2\", expected NAME="),
            ("x=1.5,0,2", "\"x=1.5,0,2\", expected NAME="),
            ("=1,0,2", "\"=1,0,2\", expected NAME="),
            ("x=1,0,99999999999999", "expected NAME="),
            ("x=3,0,2", "x: expected MIN below MAX, and START between them"),
            ("x=2,2,2", "x: expected MIN below MAX"),
            ("x=1,0,10,0", "x: expected a perturbation above 0"),
            ("x=1,0,10,6", "x: expected a perturbation above 0, at most half"),
            ("x=1,0,10,NaN", "x: expected a perturbation"),
        ] {
            let error = text.parse::<Parameter>().expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
