//! Makruk: perft with our bitboards and with Fairy-Stockfish.
//!
//! The job and the target are in `bench/definitions/makruk`. A wrong count fails.

use crate::process::{self, Run};
use crate::table::{self, Spread, grouped};
use crate::{definition, flags, machine};
use anyhow::{Context, ensure};
use serde::Deserialize;
use std::fmt::Write;
use std::path::Path;

const DEFINITION: &str = "bench/definitions/makruk/makruk.toml";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    perft: Perft,
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

/// Runs the benchmark. Returns the facts and the tables of the record.
pub(crate) fn run() -> anyhow::Result<(String, String)> {
    let Definition { perft } = definition::read(Path::new(""), DEFINITION)?;
    let about = machine::machine(&[("Build", flags::flags())]);
    Ok((about, format!("{}\n{EXPLAINED}", perft.table()?)))
}

const EXPLAINED: &str = "\
- Leaves: whole programs with one thread, CPU time less that of a run at depth 1; both count the last
  half-move without playing it. Fairy-Stockfish keeps a key and the values of its evaluation from move to move, which a
  count does not need: it is a peer in what it answers, not in what it does for it.
- A figure is the median of the rounds; in parentheses the least and the most of them.
- Operations on our two boards are in the record of the boards.
";
