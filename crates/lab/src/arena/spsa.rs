//! The tuning of an engine's parameters by [SPSA](halfmove_lab::spsa): matches between two settings of one engine.
//!
//! The parameters are options of the engine. After each iteration the state is saved to a file, from which the same
//! command resumes.

use super::contest::{self, Contest, Standings, Stop};
use super::openings::Openings;
use super::player::Engine;
use super::settings::{self, Settings};
use super::{INTERRUPTED, USAGE, complain, on_interruption, warn};
use crate::arguments::failed;
use halfmove_lab::Tally;
use halfmove_lab::spsa::{Parameter, Spsa, State};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Tune the parameters of an engine by SPSA, in matches against itself
///
/// A parameter is a whole number among the options of the engine. Each iteration plays a few pairs of games
/// between two settings, on both sides of the current values, and moves the values toward the winner. After each
/// iteration a line on standard error reports the values; at the end, they are printed.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SpsaArgs {
    /// The engine; its KEY=VALUE are those of arena
    #[arg(long, value_names = ["COMMAND", "KEY=VALUE"], num_args = 1.., required = true)]
    engine: Vec<String>,
    /// An option to tune: NAME=START,MIN,MAX[,PERTURBATION]; may be repeated
    #[arg(long = "parameter", value_name = "NAME=N,…", required = true)]
    parameters: Vec<Parameter>,
    /// File for the state, as JSON; if it exists, the tuning in it goes on
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// The number of iterations
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    iterations: u64,
    /// Pairs of games in each iteration
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pairs: u64,
    /// The last step for each game won, as a share of the perturbation
    #[arg(long, value_name = "X", default_value_t = 0.002, value_parser = rate)]
    rate: f64,
    #[command(flatten)]
    settings: Settings,
    /// Print nothing after each iteration
    #[arg(long, short)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  halfmove-lab spsa --engine ./engine option.Hash=8 --parameter FutilityMargin=160,40,400,15 \\
      --parameter \"LMR Base=77,0,200,10\" --tc 2+0.02 --concurrency 4 --iterations 5000 --state tuning.json";

fn rate(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number| *number > 0.0 && *number <= 1.0);
    number.ok_or("expected a number above 0, at most 1")
}

/// Runs the tuning that the command line describes.
pub(crate) fn run(args: &SpsaArgs) -> ExitCode {
    let engine = match args.engine() {
        Ok(engine) => engine,
        Err(error) => {
            complain(&error);
            return ExitCode::from(USAGE);
        }
    };
    match tune(args, &engine) {
        Ok(Stop::Interrupted) => ExitCode::from(INTERRUPTED),
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

impl SpsaArgs {
    fn engine(&self) -> Result<Engine, String> {
        self.settings.check()?;
        let mut names: Vec<_> =
            self.parameters.iter().map(|parameter| parameter.name.to_ascii_lowercase()).collect();
        names.sort();
        if let Some(twice) = names.windows(2).find(|two| two[0] == two[1]) {
            return Err(format!("--parameter: {} is given twice", twice[0]));
        }
        settings::engine(&self.engine, &[], self.settings.limit())
            .map_err(|error| format!("--engine: {error}"))
    }

    /// The settings that must not change during a tuning.
    fn identity(&self, engine: &Engine) -> Value {
        let mut settings = self.settings.identity();
        settings["limit"] = json!(engine.limit.to_string());
        settings
    }

    fn spsa(&self) -> Spsa {
        Spsa {
            parameters: self.parameters.clone(),
            iterations: self.iterations,
            rate: self.rate,
            seed: self.settings.seed,
        }
    }
}

/// The file with the state of a tuning.
struct File<'a> {
    path: &'a Path,
    /// The arguments that must not change during a tuning.
    arguments: Value,
}

impl<'a> File<'a> {
    fn new(path: &'a Path, spsa: &Spsa, pairs: u64, engine: &[String], settings: &Value) -> Self {
        let parameters = spsa.parameters.iter().map(|parameter| {
            json!({
                "name": parameter.name,
                "start": parameter.start,
                "min": parameter.least,
                "max": parameter.most,
                "perturbation": parameter.perturbation,
            })
        });
        let arguments = json!({
            "engine": engine,
            "settings": settings,
            "pairs": pairs,
            "iterations": spsa.iterations,
            "rate": spsa.rate,
            "parameters": parameters.collect::<Vec<_>>(),
        });
        Self { path, arguments }
    }

    /// Reads the state and the results so far; `None` if there is no file yet.
    fn read(&self) -> Result<Option<(State, Tally)>, String> {
        let text = match fs::read(self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(self.path)(error)),
        };
        let refused = |reason: &str| format!("{}: {reason}", self.path.display());
        let stored: Map<String, Value> = serde_json::from_slice(&text)
            .map_err(|error| refused(&format!("not the state of a tuning: {error}")))?;
        if stored.get("arguments") != Some(&self.arguments) {
            return Err(refused("the state of a tuning with other arguments"));
        }
        let number = |name| stored.get(name).and_then(Value::as_u64);
        let values = stored.get("values").and_then(Value::as_array);
        let values: Option<Vec<f64>> =
            values.and_then(|values| values.iter().map(Value::as_f64).collect());
        let read = || {
            let state = State { iteration: number("iteration")?, values: values? };
            let [wins, losses, draws] = [number("wins")?, number("losses")?, number("draws")?];
            let parameters = self.arguments["parameters"].as_array()?.len();
            let tally = Tally { wins, losses, draws, ..Tally::default() };
            (state.values.len() == parameters).then_some((state, tally))
        };
        read().map(Some).ok_or_else(|| refused("not the state of a tuning: a field is missing"))
    }

    /// Replaces the state in the file atomically.
    fn write(&self, state: &State, tally: &Tally) -> Result<(), String> {
        let json = json!({
            "version": 1,
            "arguments": self.arguments,
            "iteration": state.iteration,
            "values": state.values,
            "wins": tally.wins,
            "losses": tally.losses,
            "draws": tally.draws,
        });
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(".new");
        let new = self.path.with_file_name(name);
        let written = fs::write(&new, format!("{json:#}\n"));
        written.and_then(|()| fs::rename(&new, self.path)).map_err(failed(self.path))
    }
}

/// The engine with some values of its parameters.
fn with_values(engine: &Engine, name: &str, parameters: &[Parameter], values: &[i64]) -> Engine {
    let mut engine = Engine { name: name.to_owned(), ..engine.clone() };
    for (parameter, value) in parameters.iter().zip(values) {
        engine.options.retain(|(known, _)| !known.eq_ignore_ascii_case(&parameter.name));
        engine.options.push((parameter.name.clone(), value.to_string()));
    }
    engine
}

/// Plays the remaining iterations.
fn tune(args: &SpsaArgs, engine: &Engine) -> Result<Stop, String> {
    let (spsa, settings) = (args.spsa(), &args.settings);
    let file = File::new(&args.state, &spsa, args.pairs, &args.engine, &args.identity(engine));
    let found = file.read()?;
    let mut openings = Openings::new(&settings.source(), settings.game, settings.seed)
        .map_err(|error| error.to_string())?;
    warn(&openings);
    let interrupted = on_interruption()?;
    let mut contest = Contest {
        engines: [engine.clone(), engine.clone()],
        variant: settings.game,
        pairs: args.pairs,
        concurrency: settings.concurrency(args.pairs),
        terms: settings.terms(),
        patience: settings.patience()?,
        sprt: None,
    };
    let is_new = found.is_none();
    let (mut state, mut tally) = found.unwrap_or_else(|| (spsa.start(), Tally::default()));
    if is_new {
        // Before the first match, so that a path that cannot be written is reported at once.
        file.write(&state, &tally)?;
    }
    while state.iteration < spsa.iterations {
        let trial = spsa.trial(&state);
        contest.engines = [("plus", &trial.plus), ("minus", &trial.minus)]
            .map(|(name, values)| with_values(engine, name, &spsa.parameters, values));
        openings.for_match(state.iteration, args.pairs, settings.seed);
        let played = contest::run(&contest, &mut openings, None, &interrupted, |_, _| Ok(()));
        let (standings, stop) = match played {
            Ok(played) => played,
            Err(error) => {
                // A first match that cannot begin, because of a misspelled option, leaves no file.
                if is_new && state.iteration == 0 {
                    let _ = fs::remove_file(file.path);
                }
                return Err(error.to_string());
            }
        };
        if stop == Stop::Interrupted {
            return Ok(stop);
        }
        check(&standings)?;
        let new = standings.tally;
        spsa.learn(&mut state, &trial, new.wins as f64 - new.losses as f64);
        tally.wins += new.wins;
        tally.losses += new.losses;
        tally.draws += new.draws;
        file.write(&state, &tally)?;
        if !args.quiet {
            let mut line = format!("{:>6}/{}", state.iteration, spsa.iterations);
            let _ = write!(line, "  +{} -{} ={} ", new.wins, new.losses, new.draws);
            for (parameter, value) in spsa.parameters.iter().zip(&state.values) {
                let _ = write!(line, "  {} {value:.1}", parameter.name);
            }
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
    io::stdout().write_all(summary(&spsa, &state, &tally).as_bytes()).map_err(|e| e.to_string())?;
    Ok(Stop::Played)
}

/// Rejects results that are due to faults of an engine: the values would move away from crashes instead of toward
/// better play.
fn check(standings: &Standings) -> Result<(), String> {
    for (name, work) in ["plus", "minus"].into_iter().zip(&standings.work) {
        for (number, fault) in
            [(work.crashes, "crashes or no move"), (work.illegal_moves, "illegal moves")]
        {
            if number > 0 {
                return Err(format!(
                    "the engine with the values of \"{name}\": {fault}: {number}; nothing is learned from these games"
                ));
            }
        }
    }
    Ok(())
}

/// The values, one per line.
fn summary(spsa: &Spsa, state: &State, tally: &Tally) -> String {
    let mut text =
        format!("{} iterations, {} games, {} drawn\n", state.iteration, tally.games(), tally.draws);
    let names = spsa.parameters.iter().map(|parameter| parameter.name.chars().count());
    let width = names.max().unwrap_or_default();
    for (parameter, value) in spsa.parameters.iter().zip(&state.values) {
        let Parameter { name, start, .. } = parameter;
        let _ = writeln!(text, "  {name:<width$}  {:>8}  from {start}", value.round());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_comes_back_and_belongs_to_its_arguments() {
        let folder = std::env::temp_dir().join(format!("halfmove-spsa-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("state.json");
        let parameters =
            ["a=1,0,9", "b=-3,-9,9,0.7"].map(|text| text.parse().expect("a parameter"));
        let spsa = Spsa { parameters: parameters.into(), iterations: 9, rate: 0.002, seed: 1 };
        let engine = ["./engine".to_owned(), "option.Hash=8".to_owned()];
        let settings = json!({"game": "chess", "limit": "100 nodes", "seed": 1});
        let file = File::new(&path, &spsa, 2, &engine, &settings);
        assert_eq!(file.read(), Ok(None));
        let state = State { iteration: 5, values: vec![0.1 + 0.2, -1.0 / 3.0] };
        let tally = Tally { wins: 4, losses: 3, draws: 13, ..Tally::default() };
        for _ in 0..2 {
            file.write(&state, &tally).expect("it is written");
            let (found, results) = file.read().expect("a state").expect("a file");
            assert_eq!((found.iteration, results), (5, tally));
            let near = |(found, value): (&f64, &f64)| (found - value).abs() < 1e-12;
            assert!(found.values.iter().zip(&state.values).all(near), "{found:?}");
        }
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);
        for other in [
            File::new(&path, &Spsa { rate: 0.1, ..spsa.clone() }, 2, &engine, &settings),
            File::new(&path, &spsa, 4, &engine, &settings),
            File::new(&path, &spsa, 2, &engine[..1], &settings),
            File::new(&path, &spsa, 2, &engine, &json!({"game": "makruk"})),
        ] {
            let error = other.read().expect_err("another tuning");
            assert!(error.ends_with("the state of a tuning with other arguments"), "{error}");
        }
        fs::write(&path, "[]").expect("a file");
        assert!(file.read().is_err_and(|error| error.contains("not the state of a tuning")));
        fs::remove_dir_all(&folder).expect("a folder");
    }

    #[test]
    fn the_values_are_aligned() {
        let parameters = ["a=1,0,9", "long name=-3,-9,9"].map(|text| text.parse().unwrap());
        let spsa = Spsa { parameters: parameters.into(), iterations: 9, rate: 0.002, seed: 1 };
        let state = State { iteration: 9, values: vec![7.6, -2.4] };
        let tally = Tally { wins: 4, losses: 3, draws: 13, ..Tally::default() };
        let expected = "9 iterations, 20 games, 13 drawn\n  a                 8  from 1\n  \
                        long name        -2  from -3\n";
        assert_eq!(summary(&spsa, &state, &tally), expected);
    }
}
