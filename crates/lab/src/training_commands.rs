//! The commands that make an evaluation from games: `datagen`, `tune` and `train`.

use crate::arena::on_interruption;
use crate::arguments::{Output, failed, positive, variants};
use clap::Args;
use halfmove_lab::training::{Datagen, DatagenSummary, Training, TrainingError, Tuning};
use halfmove_rules::Variant;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The time between two reports of datagen's progress.
const PROGRESS: Duration = Duration::from_secs(10);
const GAMES: Datagen = Datagen::new(Variant::Chess);
const TUNING: Tuning = Tuning::new(Variant::Chess);
const TRAINING: Training = Training::new(Variant::Chess);

const DATAGEN_EXAMPLES: &str = "\
Examples:
  halfmove-lab datagen --game chess --games 10000 --nodes 1000 --hand-crafted --out chess.samples
  halfmove-lab datagen --game makruk --games 30000 --nodes 300 --hand-crafted --threads 4 --out makruk.samples";

const TUNE_EXAMPLES: &str = "\
Examples:
  halfmove-lab tune --game chess --data chess.samples --epochs 60 --force \\
      --out crates/engine/src/eval/chess/weights.rs";

const TRAIN_EXAMPLES: &str = "\
Examples:
  halfmove-lab train --game makruk --data makruk.samples --hidden 64 --epochs 15 --out makruk.net
  halfmove-lab train --game chess --data some.samples --data more.samples --out chess.net";

/// Play games of the engine against itself, and write their quiet positions to a file
#[derive(Args, Debug)]
#[command(after_help = DATAGEN_EXAMPLES)]
pub(crate) struct DatagenArgs {
    /// Output file. Each line: FEN, score in centipawns, result (1, 0.5, 0), separated by tabs, both from White's side
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The game
    #[arg(long, default_value = "chess", value_parser = variants(&Variant::ALL))]
    game: Variant,
    /// The number of games
    #[arg(long, value_name = "N", default_value_t = GAMES.games, value_parser = positive::<u32>)]
    games: u32,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = GAMES.nodes, value_parser = positive::<u64>)]
    nodes: u64,
    /// Random half-moves at the start; half of the games have one more
    #[arg(long, value_name = "N", default_value_t = GAMES.random_plies)]
    random_plies: u32,
    /// Threads; they do not change the games
    #[arg(long, value_name = "N", default_value_t = GAMES.threads, value_parser = positive::<usize>)]
    threads: usize,
    /// Random seed: the same number gives the same games
    #[arg(long, value_name = "N", default_value_t = GAMES.seed)]
    seed: u64,
    /// Use the hand-crafted evaluation, even in a game that has a net
    #[arg(long)]
    hand_crafted: bool,
    /// Replace the file, if there is one
    #[arg(long)]
    force: bool,
}

/// Fit the weights of the hand-crafted evaluation to the positions that datagen has written
#[derive(Args, Debug)]
#[command(after_help = TUNE_EXAMPLES)]
pub(crate) struct TuneArgs {
    /// A file of datagen; may be repeated
    #[arg(long, value_name = "FILE", required = true)]
    data: Vec<PathBuf>,
    /// Output file for the weights, as Rust source
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The game of the positions
    #[arg(long, default_value = "chess", value_parser = variants(&Variant::ALL))]
    game: Variant,
    /// Passes over all positions
    #[arg(long, value_name = "N", default_value_t = TUNING.epochs)]
    epochs: u32,
    /// Learning rate of Adam, in centipawns
    #[arg(long, value_name = "X", default_value_t = TUNING.step, value_parser = not_negative)]
    step: f32,
    /// Strength of the regularization toward the old weights
    #[arg(long, value_name = "X", default_value_t = TUNING.pull, value_parser = not_negative)]
    pull: f32,
    /// Weight of the search scores against the game results (lambda), from 0 to 1
    #[arg(long, value_name = "X", default_value_t = TUNING.blend, value_parser = share)]
    blend: f32,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = TUNING.threads, value_parser = positive::<usize>)]
    threads: usize,
    /// Replace the file, if there is one
    #[arg(long)]
    force: bool,
}

/// Train a net on the positions that datagen has written
///
/// After each epoch a line reports the training error and the validation error.
#[derive(Args, Debug)]
#[command(after_help = TRAIN_EXAMPLES)]
pub(crate) struct TrainArgs {
    /// A file of datagen; may be repeated
    #[arg(long, value_name = "FILE", required = true)]
    data: Vec<PathBuf>,
    /// Output file for the net, for the option EvalFile
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The game of the positions
    #[arg(long, default_value = "chess", value_parser = variants(&[Variant::Chess, Variant::Makruk]))]
    game: Variant,
    /// Hidden neurons: a multiple of 32, up to 512
    #[arg(long, value_name = "N", default_value_t = TRAINING.hidden, value_parser = hidden)]
    hidden: usize,
    /// Passes over all positions
    #[arg(long, value_name = "N", default_value_t = TRAINING.epochs)]
    epochs: u32,
    /// Initial learning rate of Adam
    #[arg(long, value_name = "X", default_value_t = TRAINING.step, value_parser = not_negative)]
    step: f32,
    /// Extra positions per sample, reached by a few random moves, on which the net learns the hand-crafted evaluation
    #[arg(long, value_name = "N", default_value_t = TRAINING.taught)]
    taught: u32,
    /// Weight of the search scores against the game results (lambda), from 0 to 1
    #[arg(long, value_name = "X", default_value_t = TRAINING.blend, value_parser = share)]
    blend: f32,
    /// Random seed: the same number gives the same net
    #[arg(long, value_name = "N", default_value_t = TRAINING.seed)]
    seed: u64,
    /// Threads; they do not change the net
    #[arg(long, value_name = "N", default_value_t = TRAINING.threads, value_parser = positive::<usize>)]
    threads: usize,
    /// Replace the file, if there is one
    #[arg(long)]
    force: bool,
}

pub(crate) fn not_negative(text: &str) -> Result<f32, &'static str> {
    let number = text.parse().ok().filter(|number| (0.0..=f32::MAX).contains(number));
    number.ok_or("expected a number, not negative")
}

fn share(text: &str) -> Result<f32, &'static str> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or("expected a number from 0 to 1")
}

fn hidden(text: &str) -> Result<usize, &'static str> {
    let number = text.parse().ok().filter(|number| Training::HIDDEN.contains(number));
    number.filter(|number| number.is_multiple_of(32)).ok_or("expected a multiple of 32, up to 512")
}

/// Reports how a command ended on standard error, and gives its exit code.
pub(crate) fn finish(done: Result<String, String>) -> ExitCode {
    match done {
        Ok(said) => {
            say(&said);
            ExitCode::SUCCESS
        }
        Err(error) => {
            say(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Runs `datagen`, and returns its last line.
pub(crate) fn datagen(args: &DatagenArgs) -> Result<String, String> {
    let &DatagenArgs {
        game: variant, games, nodes, random_plies, threads, seed, hand_crafted, ..
    } = args;
    let datagen = Datagen { variant, games, nodes, random_plies, threads, seed, hand_crafted };
    let mut out = Output::create(&args.out, args.force)?;
    out.end_cleanly(on_interruption()?)?;
    let mut said = Instant::now();
    let mut report = |so_far: DatagenSummary| {
        if said.elapsed() >= PROGRESS {
            say(&format!("{} of {games} games, {} samples", so_far.games, so_far.samples));
            said = Instant::now();
        }
    };
    // Not buffered, so that only whole games are in the file if this is interrupted.
    let summary = datagen.run(&mut out, &mut report).map_err(failed(&args.out))?;
    Ok(summary.to_string())
}

/// Runs `tune`, and returns its last line.
pub(crate) fn tune(args: &TuneArgs) -> Result<String, String> {
    let &TuneArgs { game: variant, epochs, step, pull, blend, threads, .. } = args;
    let tuning = Tuning { variant, epochs, step, pull, blend, threads };
    write_result(&args.out, args.force, &args.data, || {
        let tuned = tuning.run(&mut open(&args.data)?).map_err(in_file(&args.data))?;
        let how = format!(
            "Fitted by `halfmove-lab tune --game {variant} --epochs {epochs} --step {step} --pull {pull} \
             --blend {blend}`.\n"
        );
        Ok((tuned.source(&how).into_bytes(), tuned.to_string()))
    })
}

/// Runs `train`, and returns its last line.
pub(crate) fn train(args: &TrainArgs) -> Result<String, String> {
    let &TrainArgs { game, hidden, epochs, step, taught, blend, seed, threads, .. } = args;
    let training = Training { variant: game, hidden, epochs, step, taught, blend, seed, threads };
    write_result(&args.out, args.force, &args.data, || {
        let trained = training.run(&mut open(&args.data)?, &mut |epoch, errors| {
            say(&format!("epoch {epoch}: {errors}"));
        });
        let trained = trained.map_err(in_file(&args.data))?;
        Ok((trained.net.to_bytes(), trained.to_string()))
    })
}

/// Checks before the work that the file can be written and is not one of the samples, then writes the result of the work.
fn write_result(
    out: &Path,
    force: bool,
    data: &[PathBuf],
    work: impl FnOnce() -> Result<(Vec<u8>, String), String>,
) -> Result<String, String> {
    let mut out = Output::create(out, force)?;
    if let Some(path) = data.iter().find(|path| out.replaces(path)) {
        return Err(format!("{}: --out would replace what --data reads", path.display()));
    }
    out.end_cleanly(on_interruption()?)?;
    let (bytes, said) = work()?;
    out.write_all(&bytes).map_err(failed(out.path()))?;
    Ok(said)
}

/// Files of samples, one after the other.
fn open(data: &[PathBuf]) -> Result<impl BufRead + use<>, String> {
    let mut samples: Box<dyn Read> = Box::new(io::empty());
    for path in data {
        let file = Named { file: File::open(path).map_err(failed(path))?, path: path.clone() };
        samples = Box::new(samples.chain(file).chain(&b"\n"[..]));
    }
    Ok(BufReader::new(samples))
}

/// A file whose errors have its name.
struct Named {
    file: File,
    path: PathBuf,
}

impl Read for Named {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes).map_err(|error| match error.kind() {
            // It is tried again.
            io::ErrorKind::Interrupted => error,
            kind => io::Error::new(kind, failed(&self.path)(error)),
        })
    }
}

/// Names the file in an error about one of several files of samples, and counts its lines from 1.
fn in_file(data: &[PathBuf]) -> impl Fn(TrainingError) -> String {
    move |error| match error {
        TrainingError::Sample { line, error } => match place(data, line) {
            Some((path, line)) => format!("{}: line {line}: {error}", path.display()),
            None => format!("line {line}: {error}"),
        },
        error => error.to_string(),
    }
}

/// The file with a line of all, and the number of the line there. `None` if a file can be read only once.
fn place(data: &[PathBuf], mut line: usize) -> Option<(&Path, usize)> {
    for path in data {
        if !fs::metadata(path).ok()?.is_file() {
            return (data.len() == 1).then_some((path, line));
        }
        // A line end follows each file.
        let mut lines = 1;
        let mut file = BufReader::new(File::open(path).ok()?);
        loop {
            let bytes = file.fill_buf().ok()?;
            if bytes.is_empty() {
                break;
            }
            lines += bytes.iter().filter(|byte| **byte == b'\n').count();
            let count = bytes.len();
            file.consume(count);
        }
        if line <= lines {
            return Some((path, line));
        }
        line -= lines;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_not_replaced_unasked() {
        let path = std::env::temp_dir().join(format!("halfmove-training-{}", std::process::id()));
        let result = |force, said: Result<&str, &str>| {
            let done = said.map(|said| (said.as_bytes().to_vec(), String::new()));
            write_result(&path, force, &[], || done.map_err(str::to_owned))
                .map(|_| std::fs::read_to_string(&path).expect("a file"))
        };
        assert_eq!(result(false, Err("nothing")), Err("nothing".to_owned()));
        assert!(!path.exists());
        assert_eq!(result(false, Ok("old and long")), Ok("old and long".to_owned()));
        let refused = result(false, Ok("new"));
        assert!(
            refused.is_err_and(|error| error.ends_with("the file exists; --force replaces it"))
        );
        assert_eq!(result(true, Err("nothing")), Err("nothing".to_owned()));
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), "old and long");
        assert_eq!(result(true, Ok("new")), Ok("new".to_owned()));
        std::fs::remove_file(&path).expect("a file");
    }
}
