//! The words of `halfmove-engine datagen`, `halfmove-engine tune` and `halfmove-engine train`.

use super::{Datagen, Training, Tuning, TuningError};
use crate::eval::net::{LANES, MOST_HIDDEN};
use halfmove_rules::Variant;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What `halfmove-engine` can do for the training of its evaluation.
///
/// ```
/// use halfmove_engine::training::Command;
/// let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
///
/// assert!(matches!(Command::parse(&words("go depth 3")), None));
/// let datagen = Command::parse(&words("datagen --game makruk --games 20 --out games.samples"));
/// assert!(matches!(datagen, Some(Ok(Command::Datagen(games, _))) if games.games == 20));
/// let wrong = Command::parse(&words("datagen --games many --out games.samples"));
/// let message = wrong.and_then(Result::err).map(|error| error.to_string());
/// assert_eq!(message.as_deref(), Some("--games: expected a number, found \"many\""));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Play games, and write their samples to a file.
    Datagen(Datagen, PathBuf),
    /// Fit the weights to the samples of files, and write them to another.
    Tune(Tuning, Vec<PathBuf>, PathBuf),
    /// Train a net on the samples of files, and write it to another.
    Train(Training, Vec<PathBuf>, PathBuf),
    /// Say this text: what `--help` asks for.
    Help(&'static str),
}

/// Why a command cannot be obeyed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CommandError {
    /// There is no such option.
    #[error("unknown option {0:?}; --help lists those that there are")]
    Option(String),
    /// There is nothing after an option.
    #[error("{0}: expected a value after it, found nothing")]
    NoValue(String),
    /// The value is not one of the option.
    #[error("{option}: expected {expected}, found {found:?}")]
    Value {
        /// The option.
        option: String,
        /// What it takes.
        expected: &'static str,
        /// What it was given.
        found: String,
    },
    /// An option that is needed is missing.
    #[error("{0} is missing; --help says what it is")]
    Missing(&'static str),
    /// A file could not be read or written.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: io::Error,
    },
    /// The samples are of no use.
    #[error("{0}")]
    Tuning(#[from] TuningError),
}

const DATAGEN: &str = "\
Play games of the engine against itself, and write their quiet positions to a file

Usage: halfmove-engine datagen [OPTIONS] --out FILE

Options:
  --out FILE         Where to write: a line for each position with its FEN, the score and the result
  --game GAME        chess, chess960, makruk, makpong or asean [default: makruk]
  --games N          How many games [default: 1000]
  --nodes N          Nodes for each move [default: 2000]
  --random-plies N   Random half-moves at the start; half of the games have one more [default: 8]
  --threads N        Threads; they do not change the games [default: 1]
  --seed N           Another seed, other games [default: 1]
  --help             Print this help
";

const TUNE: &str = "\
Fit the weights of the evaluation to the positions that datagen has written

Usage: halfmove-engine tune [OPTIONS] --data FILE --out FILE

Options:
  --data FILE    What datagen has written; may be repeated
  --out FILE     Where to write the weights, as Rust source
  --game GAME    chess, chess960, makruk, makpong or asean: that of the positions [default: makruk]
  --epochs N     How often to go through all positions [default: 20]
  --step X       How far a step goes, in centipawns [default: 0.6]
  --pull X       How strongly the weights are drawn back to the old ones [default: 0.00002]
  --blend X      How much the scores count, from 0 to 1; the rest is for the results [default: 0.7]
  --threads N    Threads [default: 1]
  --help         Print this help
";

const TRAIN: &str = "\
Train a net on the positions that datagen has written

After each epoch a line says how large the error is: of the samples that it learned from, and of others.

Usage: halfmove-engine train [OPTIONS] --data FILE --out FILE

Options:
  --data FILE    What datagen has written; may be repeated
  --out FILE     Where to write the net, for the option EvalFile
  --game GAME    chess or makruk: that of the positions [default: makruk]
  --hidden N     How large it is: a multiple of 32 [default: 32]
  --epochs N     How often to go through all positions [default: 20]
  --step X       How far a step goes at first [default: 0.002]
  --taught N     How many positions, some random moves behind each sample, are taught by the evaluation
                 by hand [default: 1]
  --blend X      How much the scores count, from 0 to 1; the rest is for the results [default: 0.7]
  --seed N       Another seed, other weights to begin with [default: 1]
  --threads N    Threads; they do not change the net [default: 1]
  --help         Print this help
";

impl Command {
    /// Reads the arguments of the program; `None` if they are no command of this kind.
    pub fn parse(words: &[String]) -> Option<Result<Self, CommandError>> {
        let (verb, rest) = words.split_first()?;
        let helps = rest.iter().any(|word| word == "--help" || word == "-h");
        match verb.as_str() {
            "datagen" if helps => Some(Ok(Self::Help(DATAGEN))),
            "tune" if helps => Some(Ok(Self::Help(TUNE))),
            "train" if helps => Some(Ok(Self::Help(TRAIN))),
            "datagen" => Some(Self::datagen(rest)),
            "train" => Some(Self::train(rest)),
            "tune" => Some(Self::tune(rest)),
            _ => None,
        }
    }

    fn datagen(words: &[String]) -> Result<Self, CommandError> {
        let mut games = Datagen::new(Variant::Makruk);
        let mut out = None;
        for pair in words.chunks(2) {
            let [option, value] = pair else { return Err(CommandError::NoValue(pair[0].clone())) };
            match option.as_str() {
                "--game" => games.variant = variant(option, value)?,
                "--games" => games.games = number(option, value)?,
                "--nodes" => games.nodes = number(option, value)?,
                "--random-plies" => games.random_plies = number(option, value)?,
                "--threads" => games.threads = number(option, value)?,
                "--seed" => games.seed = number(option, value)?,
                "--out" => out = Some(PathBuf::from(value)),
                _ => return Err(CommandError::Option(option.clone())),
            }
        }
        Ok(Self::Datagen(games, out.ok_or(CommandError::Missing("--out"))?))
    }

    fn tune(words: &[String]) -> Result<Self, CommandError> {
        let mut tuning = Tuning::new(Variant::Makruk);
        let (mut data, mut out) = (Vec::new(), None);
        for pair in words.chunks(2) {
            let [option, value] = pair else { return Err(CommandError::NoValue(pair[0].clone())) };
            match option.as_str() {
                "--game" => tuning.variant = variant(option, value)?,
                "--data" => data.push(PathBuf::from(value)),
                "--epochs" => tuning.epochs = number(option, value)?,
                "--step" => tuning.step = up_to(f32::MAX, option, value)?,
                "--pull" => tuning.pull = up_to(f32::MAX, option, value)?,
                "--blend" => tuning.blend = up_to(1.0, option, value)?,
                "--threads" => tuning.threads = number(option, value)?,
                "--out" => out = Some(PathBuf::from(value)),
                _ => return Err(CommandError::Option(option.clone())),
            }
        }
        if data.is_empty() {
            return Err(CommandError::Missing("--data"));
        }
        Ok(Self::Tune(tuning, data, out.ok_or(CommandError::Missing("--out"))?))
    }

    fn train(words: &[String]) -> Result<Self, CommandError> {
        let mut training = Training::new(Variant::Makruk);
        let (mut data, mut out) = (Vec::new(), None);
        for pair in words.chunks(2) {
            let [option, value] = pair else { return Err(CommandError::NoValue(pair[0].clone())) };
            let wrong = |expected| CommandError::Value {
                option: option.clone(),
                expected,
                found: value.clone(),
            };
            match option.as_str() {
                "--game" => {
                    training.variant = variant(option, value)?;
                    if !matches!(training.variant, Variant::Chess | Variant::Makruk) {
                        return Err(wrong("chess or makruk"));
                    }
                }
                "--data" => data.push(PathBuf::from(value)),
                "--hidden" => {
                    training.hidden = number(option, value)?;
                    let (wide, most) = (training.hidden, MOST_HIDDEN);
                    if wide == 0 || wide > most || !wide.is_multiple_of(LANES) {
                        return Err(wrong("a multiple of 32 up to 512"));
                    }
                }
                "--epochs" => training.epochs = number(option, value)?,
                "--step" => training.step = up_to(f32::MAX, option, value)?,
                "--taught" => training.taught = number(option, value)?,
                "--blend" => training.blend = up_to(1.0, option, value)?,
                "--seed" => training.seed = number(option, value)?,
                "--threads" => training.threads = number(option, value)?,
                "--out" => out = Some(PathBuf::from(value)),
                _ => return Err(CommandError::Option(option.clone())),
            }
        }
        if data.is_empty() {
            return Err(CommandError::Missing("--data"));
        }
        Ok(Self::Train(training, data, out.ok_or(CommandError::Missing("--out"))?))
    }

    /// Obeys, and says what came of it. `say` is told how it goes.
    pub fn run(&self, say: &mut dyn FnMut(&str)) -> Result<String, CommandError> {
        match self {
            Self::Help(text) => Ok((*text).to_owned()),
            Self::Datagen(games, out) => {
                let failed = |error| CommandError::File { path: out.clone(), error };
                let mut file = BufWriter::new(File::create(out).map_err(failed)?);
                Ok(games.run(&mut file).map_err(failed)?.to_string())
            }
            Self::Tune(tuning, data, out) => {
                let tuned = tuning.run(&mut open(data)?)?;
                let Tuning { variant, epochs, step, pull, blend, .. } = tuning;
                let how = format!(
                    "Fitted by `halfmove-engine tune --game {variant} --epochs {epochs} --step {step} \
                     --pull {pull} --blend {blend}`.\n"
                );
                write(out, tuned.source(&how).as_bytes())?;
                Ok(tuned.to_string())
            }
            Self::Train(training, data, out) => {
                let trained = training.run(&mut open(data)?, &mut |epoch, errors| {
                    say(&format!(
                        "epoch {epoch}: error {:.5}; of the samples to validate {:.5}",
                        errors.training, errors.validation
                    ));
                })?;
                write(out, &trained.net.to_bytes())?;
                Ok(trained.to_string())
            }
        }
    }
}

/// Files of samples, one after the other.
fn open(data: &[PathBuf]) -> Result<impl BufRead, CommandError> {
    let mut samples: Box<dyn Read> = Box::new(io::empty());
    for path in data {
        let file =
            File::open(path).map_err(|error| CommandError::File { path: path.clone(), error })?;
        samples = Box::new(samples.chain(file));
    }
    Ok(BufReader::new(samples))
}

fn write(out: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    let failed = |error| CommandError::File { path: out.to_owned(), error };
    File::create(out).and_then(|mut file| file.write_all(bytes)).map_err(failed)
}

fn variant(option: &str, value: &str) -> Result<Variant, CommandError> {
    Variant::from_name(value).ok_or_else(|| CommandError::Value {
        option: option.to_owned(),
        expected: "chess, chess960, makruk, makpong or asean",
        found: value.to_owned(),
    })
}

fn number<T: std::str::FromStr>(option: &str, value: &str) -> Result<T, CommandError> {
    value.parse().map_err(|_| CommandError::Value {
        option: option.to_owned(),
        expected: "a number",
        found: value.to_owned(),
    })
}

/// A number from 0 to a greatest one.
fn up_to(most: f32, option: &str, value: &str) -> Result<f32, CommandError> {
    let number: f32 = number(option, value)?;
    if (0.0..=most).contains(&number) {
        return Ok(number);
    }
    Err(CommandError::Value {
        option: option.to_owned(),
        expected: if most == 1.0 {
            "a number from 0 to 1"
        } else {
            "a finite number, not negative"
        },
        found: value.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        let words: Vec<_> = text.split(' ').map(str::to_owned).collect();
        match Command::parse(&words) {
            Some(Err(error)) => error.to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn errors_say_what_was_expected() {
        assert_eq!(message("datagen --games 3"), "--out is missing; --help says what it is");
        assert_eq!(message("tune --out w"), "--data is missing; --help says what it is");
        assert_eq!(message("tune --data"), "--data: expected a value after it, found nothing");
        assert_eq!(
            message("datagen --size 3 --out s"),
            "unknown option \"--size\"; --help lists those that there are"
        );
        assert_eq!(
            message("train --data s --game asean --out n"),
            "--game: expected chess or makruk, found \"asean\""
        );
        for hidden in ["0", "48", "544"] {
            assert_eq!(
                message(&format!("train --data s --out n --hidden {hidden}")),
                format!("--hidden: expected a multiple of 32 up to 512, found {hidden:?}")
            );
        }
        for blend in ["2", "-0.1", "NaN"] {
            assert_eq!(
                message(&format!("tune --data s --out w --blend {blend}")),
                format!("--blend: expected a number from 0 to 1, found {blend:?}")
            );
        }
    }

    /// The help names every option, and the defaults that there are.
    #[test]
    fn help_says_the_defaults() {
        let Datagen { games, nodes, random_plies, .. } = Datagen::new(Variant::Makruk);
        for line in [
            format!("--games N          How many games [default: {games}]"),
            format!("--nodes N          Nodes for each move [default: {nodes}]"),
            format!("half of the games have one more [default: {random_plies}]"),
        ] {
            assert!(DATAGEN.contains(&line), "{line}");
        }
        let Tuning { epochs, step, pull, blend, .. } = Tuning::new(Variant::Makruk);
        for line in [
            format!("positions [default: {epochs}]"),
            format!("in centipawns [default: {step}]"),
            format!("the old ones [default: {pull}]"),
            format!("for the results [default: {blend}]"),
        ] {
            assert!(TUNE.contains(&line), "{line}");
        }
        let Training { hidden, epochs, step, taught, blend, .. } = Training::new(Variant::Makruk);
        for line in [
            format!("a multiple of 32 [default: {hidden}]"),
            format!("positions [default: {epochs}]"),
            format!("at first [default: {step}]"),
            format!("by hand [default: {taught}]"),
            format!("for the results [default: {blend}]"),
        ] {
            assert!(TRAIN.contains(&line), "{line}");
        }
        let help = |words: [&str; 2]| Command::parse(&words.map(str::to_owned));
        assert!(matches!(help(["tune", "-h"]), Some(Ok(Command::Help(TUNE)))));
        assert!(matches!(help(["train", "--help"]), Some(Ok(Command::Help(TRAIN)))));
        assert!(matches!(help(["datagen", "--help"]), Some(Ok(Command::Help(DATAGEN)))));
    }
}
