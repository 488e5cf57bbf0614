//! The engine's search: Makruk compared with Fairy-Stockfish, two threads with one.
//!
//! The jobs and the targets are in `bench/definitions/engine`. A search that does not reach its number of
//! nodes fails.

use crate::process::{self, Run};
use crate::table::{self, Spread, geometric_means, grouped};
use crate::{definition, flags, machine};
use anyhow::{Context, ensure};
use halfmove_engine::{KeyedMakruk, Limits, Memory, Search, Settings};
use halfmove_rules::Makruk;
use halfmove_rules::makruk::{Dialect, Rules, Setup};
use serde::Deserialize;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

const DEFINITION: &str = "bench/definitions/engine/engine.toml";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    position: Vec<Position>,
    fairy: Fairy,
    threads: Threads,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Position {
    name: String,
    fen: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fairy {
    nodes: u64,
    hash_mib: usize,
    rounds: usize,
    least: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Threads {
    nodes: u64,
    hash_mib: usize,
    rounds: usize,
}

fn from_fen(text: &str) -> anyhow::Result<Makruk> {
    let setup = Setup::parse(text, Rules::Makruk, Dialect::Fairy)?;
    Ok(Makruk::from_setup(setup)?)
}

/// The engine that was built with this program.
fn own_program() -> anyhow::Result<String> {
    let program = std::env::current_exe()?.with_file_name("halfmove-engine");
    ensure!(
        program.is_file(),
        "{} is missing: cargo build --release -p halfmove-engine",
        program.display()
    );
    Ok(program.display().to_string())
}

impl Fairy {
    /// Runs an engine, which reports its nodes in the last `info` line.
    fn search(&self, program: &str, fen: &str, nodes: u64) -> anyhow::Result<(Run, u64)> {
        let input = format!(
            "setoption name UCI_Variant value makruk\nsetoption name Hash value {}\n\
             position fen {fen}\ngo nodes {nodes}\n",
            self.hash_mib
        );
        let run = process::converse(&[program.to_owned()], &input, "bestmove")?;
        let text = String::from_utf8_lossy(&run.stdout);
        let searched = text.lines().rev().find_map(|line| {
            let (_, rest) = line.split_once(" nodes ")?;
            rest.split_whitespace().next()?.parse().ok()
        });
        Ok((run, searched.context("it says nothing about nodes")?))
    }

    /// Nodes per second of CPU time, for the search alone.
    fn speed(&self, run: impl Fn(u64) -> anyhow::Result<(Run, u64)>) -> anyhow::Result<f64> {
        let ((start, few), (whole, many)) = (run(1)?, run(self.nodes)?);
        ensure!(
            many >= self.nodes && many < 2 * self.nodes && few < self.nodes / 10,
            "it searches {many} nodes, expected {}",
            self.nodes
        );
        Ok((many - few) as f64 / whole.cpu.saturating_sub(start.cpu).as_secs_f64())
    }

    fn table(&self, positions: &[Position], program: Option<&String>) -> anyhow::Result<String> {
        let mut text = "\
| Makruk, one thread | halfmove-engine, nodes/s | Fairy-Stockfish, nodes/s | times as fast |
| --- | ---: | ---: | ---: |
"
        .to_owned();
        let own = own_program()?;
        let mut all = Vec::new();
        for position in positions {
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            for round in 1..=self.rounds {
                eprintln!("{}, round {round} of {}", position.name, self.rounds);
                let fen = &position.fen;
                let speed = self.speed(|nodes| self.search(&own, fen, nodes));
                ours.push(speed.context("halfmove-engine")?);
                if let Some(program) = program {
                    let speed = self.speed(|nodes| self.search(program, fen, nodes));
                    theirs.push(speed.context("fairy-stockfish")?);
                }
            }
            let times =
                ours.iter().zip(&theirs).map(|(ours, theirs)| ours / theirs).collect::<Vec<_>>();
            let cell = |values: &[f64], show: fn(f64) -> String| {
                table::spread(Spread::of(values.to_vec()).as_ref(), show)
            };
            let (ours, theirs) = (cell(&ours, grouped), cell(&theirs, grouped));
            let ratio = cell(&times, |times| format!("{times:.2}"));
            writeln!(text, "| {} | {ours} | {theirs} | {ratio} |", position.name)?;
            all.push(times);
        }
        let mean = Spread::of(geometric_means(&all));
        let says = "nodes a second against Fairy-Stockfish, geometric mean";
        let ratio = table::ratio(says, mean.as_ref(), Some(self.least), None);
        Ok(format!("{text}\n{}{ratio}", table::RATIOS))
    }
}

impl Threads {
    fn table(&self, positions: &[Position]) -> anyhow::Result<String> {
        let mut text = "\
| Makruk, threads | one thread, nodes/s | two threads, nodes/s | times as fast |
| --- | ---: | ---: | ---: |
"
        .to_owned();
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let memory = Memory::new(self.hash_mib);
        for position in positions {
            let board = KeyedMakruk::new(from_fen(&position.fen)?);
            let mut speeds = [Vec::new(), Vec::new()];
            for round in 1..=self.rounds {
                eprintln!("threads, {}, round {round} of {}", position.name, self.rounds);
                for (threads, speeds) in (1..).zip(&mut speeds) {
                    memory.clear();
                    let settings = Settings { threads, ..Settings::default() };
                    let search = Search::new(&memory).with_settings(settings);
                    let clock = Instant::now();
                    let answer = search.run(&board, &[], &limits, &mut |_| {});
                    ensure!(answer.nodes >= self.nodes, "{}: {answer:?}", position.name);
                    speeds.push(answer.nodes as f64 / clock.elapsed().as_secs_f64());
                }
            }
            let [one, two] = speeds;
            let times = one.iter().zip(&two).map(|(one, two)| two / one).collect();
            let cell = |values: Vec<f64>, show: fn(f64) -> String| {
                table::spread(Spread::of(values).as_ref(), show)
            };
            let times = cell(times, |times| format!("{times:.2}"));
            let (one, two) = (cell(one, grouped), cell(two, grouped));
            writeln!(text, "| {} | {one} | {two} | {times} |", position.name)?;
        }
        Ok(text)
    }
}

/// Runs the benchmark. Returns the facts and the tables of the record.
pub(crate) fn run() -> anyhow::Result<(String, String)> {
    let definition: Definition = definition::read(Path::new(""), DEFINITION)?;
    let Definition { position, fairy, threads } = definition;
    let program = process::find("fairy-stockfish");
    let version =
        program.as_ref().and_then(|program| process::first_line(std::slice::from_ref(program)));
    let version = version.unwrap_or_else(|| "not installed".to_owned());
    let about = machine::machine(&[("Fairy-Stockfish", version), ("Build", flags::flags())]);
    let fairy = fairy.table(&position, program.as_ref())?;
    let threads = threads.table(&position)?;
    Ok((about, format!("{fairy}\n{threads}\n{EXPLAINED}")))
}

const EXPLAINED: &str = "\
- A figure is the median of the rounds; in parentheses the least and the most of them. Ratios are taken within a round.
- Against Fairy-Stockfish: whole programs with one thread, driven through UCI, CPU time less that of a search of one node. A
  node is a move made, in quiescence too; a null move is none. More nodes are not more strength: the searches and evaluations
  differ. Both are built for any CPU of the architecture; ours chooses its instructions when it runs (POPCNT, AVX2), Debian's
  Fairy-Stockfish has no such choice.
- Threads: nodes of all threads by the clock on the wall.
";

#[cfg(test)]
mod tests {
    use super::*;

    fn definition() -> anyhow::Result<Definition> {
        definition::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), DEFINITION)
    }

    #[test]
    fn threads_reach_their_nodes() -> anyhow::Result<()> {
        let Definition { mut position, .. } = definition()?;
        let threads = Threads { nodes: 3_000, hash_mib: 1, rounds: 1 };
        assert_eq!(threads.table(&position)?.lines().count(), 2 + position.len());
        position[0].fen = "8/8/8/8/8/8/8/8 w - - 0 1".to_owned();
        assert!(threads.table(&position).is_err());
        Ok(())
    }
}
