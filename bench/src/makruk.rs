//! Makruk: leaves counted by our bitboards and by Fairy-Stockfish; single operations on our bitboards
//! and on our 0x88 board.
//!
//! What is measured, and what is aimed at, is in `bench/definitions/makruk`. A wrong answer fails.

use crate::process::{self, Run};
use crate::table::{self, Spread, grouped, median};
use crate::{definition, flags, machine};
use anyhow::{Context, ensure};
use halfmove_mailbox as mailbox;
use halfmove_rules::Makruk;
use halfmove_rules::makruk::{Dialect, Rules, Setup};
use serde::Deserialize;
use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

const DEFINITION: &str = "bench/definitions/makruk/makruk.toml";

/// An operation is repeated so often between two looks at the clock.
const PASS: u32 = 64;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    perft: Perft,
    boards: Boards,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Perft {
    fen: String,
    depth: u32,
    leaves: u64,
    rounds: usize,
    least: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Boards {
    rounds: usize,
    round_ms: u64,
    position: Vec<Position>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Position {
    name: String,
    fen: String,
    /// How many legal moves there are.
    moves: usize,
}

impl Perft {
    /// A run of our own program.
    fn ours(&self, depth: u32) -> anyhow::Result<Run> {
        let bench = std::env::current_exe()?.display().to_string();
        process::run(&[bench, "perft-makruk".to_owned(), self.fen.clone(), depth.to_string()])
    }

    /// A run of Fairy-Stockfish, whose last number is the count.
    fn fairy(&self, program: &str, depth: u32) -> anyhow::Result<Run> {
        let variant = "setoption name UCI_Variant value makruk";
        let input = format!("{variant}\nposition fen {}\ngo perft {depth}\nquit\n", self.fen);
        process::run_with(&[program.to_owned()], &input)
    }

    /// Seconds of CPU time for the count alone.
    fn seconds(&self, run: impl Fn(u32) -> anyhow::Result<Run>) -> anyhow::Result<f64> {
        let (start, whole) = (run(1)?, run(self.depth)?);
        let text = String::from_utf8_lossy(&whole.stdout);
        let counted = text.split_whitespace().next_back().context("it says nothing")?;
        ensure!(
            counted.parse() == Ok(self.leaves),
            "it counts {counted}, expected {}",
            self.leaves
        );
        Ok(whole.cpu.saturating_sub(start.cpu).as_secs_f64())
    }

    fn table(&self) -> anyhow::Result<String> {
        let fairy = process::find("fairy-stockfish");
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for round in 1..=self.rounds {
            eprintln!("leaves, round {round} of {}", self.rounds);
            ours.push(self.seconds(|depth| self.ours(depth)).context("halfmove-rules")?);
            if let Some(fairy) = &fairy {
                let run = self.seconds(|depth| self.fairy(fairy, depth));
                theirs.push(run.context("fairy-stockfish")?);
            }
        }
        let ratio =
            Spread::of(ours.iter().zip(&theirs).map(|(ours, theirs)| theirs / ours).collect());
        let version =
            fairy.as_ref().and_then(|program| process::first_line(std::slice::from_ref(program)));
        let rows = [
            ("halfmove-rules, `perft`".to_owned(), ours),
            (version.unwrap_or_else(|| "Fairy-Stockfish: not installed".to_owned()), theirs),
        ];
        let mut text = format!(
            "| leaves at depth {} | CPU time, s | millions a second |\n| --- | ---: | ---: |\n",
            self.depth
        );
        for (name, seconds) in rows {
            let speeds = seconds.iter().map(|seconds| self.leaves as f64 / seconds / 1e6);
            let speed = table::spread(Spread::of(speeds.collect()).as_ref(), grouped);
            let seconds = Spread::of(seconds);
            let seconds = table::spread(seconds.as_ref(), |seconds| format!("{seconds:.3}"));
            writeln!(text, "| {name} | {seconds} | {speed} |")?;
        }
        let least = Some(self.least);
        let says = "`perft` against Fairy-Stockfish";
        Ok(format!("{text}\n{}{}", table::RATIOS, table::ratio(says, ratio.as_ref(), least, None)))
    }
}

/// Nanoseconds of an operation: the median of the passes that fit in a time.
fn nanoseconds(least: Duration, mut operation: impl FnMut()) -> f64 {
    let mut passes = Vec::new();
    let whole = Instant::now();
    while whole.elapsed() < least {
        let clock = Instant::now();
        for _ in 0..PASS {
            operation();
        }
        passes.push(clock.elapsed().as_secs_f64() * 1e9 / f64::from(PASS));
    }
    median(passes)
}

fn from_fen(text: &str) -> anyhow::Result<Makruk> {
    let setup = Setup::parse(text, Rules::Makruk, Dialect::Fairy)?;
    Ok(Makruk::from_setup(setup)?)
}

fn from_fen_0x88(text: &str) -> anyhow::Result<mailbox::Makruk> {
    let (rules, dialect) = (mailbox::Rules::Makruk, mailbox::Dialect::Fairy);
    Ok(mailbox::Makruk::from_fen(text, rules, dialect, mailbox::CountingPolicy::Thai)?)
}

impl Position {
    /// Of each job its name, and nanoseconds on the 0x88 board and on the bitboards.
    fn round(&self, least: Duration) -> anyhow::Result<[(&'static str, f64, f64); 3]> {
        let (old, new) = (from_fen_0x88(&self.fen)?, from_fen(&self.fen)?);
        let found = [old.legal_moves().len(), new.legal_moves().len()];
        ensure!(found == [self.moves; 2], "{found:?} legal moves, expected {}", self.moves);
        let written = [old.to_fen(mailbox::Dialect::Fairy), new.to_string()];
        ensure!(written == [&*self.fen; 2], "written as {written:?}");
        Ok([
            (
                "legal moves, as a list",
                nanoseconds(least, || drop(black_box(black_box(&old).legal_moves()))),
                nanoseconds(least, || _ = black_box(black_box(&new).legal_moves())),
            ),
            (
                "FEN in",
                nanoseconds(least, || drop(black_box(from_fen_0x88(black_box(&self.fen))))),
                nanoseconds(least, || drop(black_box(from_fen(black_box(&self.fen))))),
            ),
            (
                "FEN out",
                nanoseconds(least, || {
                    drop(black_box(black_box(&old).to_fen(mailbox::Dialect::Fairy)))
                }),
                nanoseconds(least, || drop(black_box(black_box(&new).to_string()))),
            ),
        ])
    }
}

impl Boards {
    fn table(&self) -> anyhow::Result<String> {
        let mut text = "\
| position | job | 0x88 board, ns | bitboards, ns | times as fast |
| --- | --- | ---: | ---: | ---: |
"
        .to_owned();
        let least = Duration::from_millis(self.round_ms);
        for position in &self.position {
            eprintln!("both boards, {}", position.name);
            let rounds = (0..self.rounds).map(|_| position.round(least));
            let rounds = rounds.collect::<anyhow::Result<Vec<_>>>();
            let rounds = rounds.with_context(|| position.name.clone())?;
            for (at, (job, ..)) in rounds.first().into_iter().flatten().enumerate() {
                let of = |figure: fn(&(&str, f64, f64)) -> f64, digits: usize| {
                    let spread =
                        Spread::of(rounds.iter().map(|round| figure(&round[at])).collect());
                    table::spread(spread.as_ref(), |figure| format!("{figure:.digits$}"))
                };
                let (old, new) = (of(|round| round.1, 0), of(|round| round.2, 0));
                let times = of(|round| round.1 / round.2, 1);
                let name = &position.name;
                writeln!(text, "| {name} | {job} | {old} | {new} | {times} |")?;
            }
        }
        Ok(text)
    }
}

/// Measures, and gives what to write: the facts, the tables.
pub(crate) fn run() -> anyhow::Result<(String, String)> {
    let Definition { perft, boards } = definition::read(Path::new(""), DEFINITION)?;
    let about = machine::machine(&[("Build", flags::flags())]);
    Ok((about, format!("{}\n{}\n{EXPLAINED}", perft.table()?, boards.table()?)))
}

const EXPLAINED: &str = "\
- Leaves: whole programs with one thread, CPU time less that of a run at depth 1; both count the last
  half-move without playing it. Fairy-Stockfish keeps a key and the values of its evaluation from move to move, which a
  count does not need: it is a peer in what it answers, not in what it does for it.
- A figure is the median of the rounds; in parentheses the least and the most of them.
- Boards: nanoseconds an operation in one process; `halfmove_rules::Makruk` beside
  `halfmove_mailbox::Makruk`. Both find the same number of legal moves and write the same FEN.
- Searches on both boards are in the record of the engine.
";
