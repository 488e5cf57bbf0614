//! The engine's search: Makruk beside Fairy-Stockfish, bitboards beside the 0x88 board, two threads beside one.
//!
//! What is measured, and what is aimed at, is in `bench/definitions/engine`. A wrong answer fails: a search that does not
//! reach its nodes, or two boards that do not agree.

use crate::process::{self, Run};
use crate::table::{self, Spread, geometric_means, grouped};
use crate::{definition, flags, machine};
use anyhow::{Context, ensure};
use halfmove_engine::{
    Answer, KeyedMakruk, Limits, Mailbox, Memory, Search, SearchBoard, Settings,
};
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
    boards: Boards,
    threads: Threads,
    published: Vec<Published>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Position {
    name: String,
    fen: String,
    /// How deeply it is searched on both boards.
    depth: Option<u32>,
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
struct Boards {
    hash_mib: usize,
    rounds: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Threads {
    nodes: u64,
    hash_mib: usize,
    rounds: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Published {
    job: String,
    mailbox_ms: f64,
    bitboards_ms: f64,
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
    /// A run of an engine, which tells its nodes in the last line of information.
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

    /// Nodes a second of CPU time for the search alone.
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

/// A search with an empty table, and its milliseconds.
fn timed<B: SearchBoard>(memory: &Memory, position: &B, depth: u32) -> (Answer, f64) {
    memory.clear();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let clock = Instant::now();
    let answer = Search::new(memory).run(position, &[], &limits, &mut |_| {});
    (answer, clock.elapsed().as_secs_f64() * 1e3)
}

impl Boards {
    fn table(&self, positions: &[Position]) -> anyhow::Result<String> {
        let mut text = "\
| position | depth | nodes | 0x88 board, ms | bitboards, ms | times as fast |
| --- | ---: | ---: | ---: | ---: | ---: |
"
        .to_owned();
        let memory = Memory::new(self.hash_mib);
        for position in positions {
            let Some(depth) = position.depth else { continue };
            let new = KeyedMakruk::new(from_fen(&position.fen)?);
            let old = Mailbox::<halfmove_mailbox::Makruk>::of(new.position());
            let old = old.with_context(|| format!("{}: the 0x88 board has none", position.name))?;
            let (mut olds, mut news, mut times) = (Vec::new(), Vec::new(), Vec::new());
            let mut nodes = 0;
            for round in 1..=self.rounds {
                eprintln!("both boards, {}, round {round} of {}", position.name, self.rounds);
                let (slow, old_ms) = timed(&memory, &old, depth);
                let (fast, new_ms) = timed(&memory, &new, depth);
                let found = [&slow, &fast].map(|found| (found.nodes, found.best, found.value));
                ensure!(found[0] == found[1], "{}: the boards differ: {found:?}", position.name);
                ensure!(fast.depth == depth && fast.nodes > 1_000, "{}: {fast:?}", position.name);
                nodes = fast.nodes;
                olds.push(old_ms);
                news.push(new_ms);
                times.push(old_ms / new_ms);
            }
            let cell = |values: Vec<f64>, digits: usize| {
                let spread = Spread::of(values);
                table::spread(spread.as_ref(), |value| format!("{value:.digits$}"))
            };
            let (olds, news, times) = (cell(olds, 0), cell(news, 1), cell(times, 1));
            let (name, nodes) = (&position.name, grouped(nodes as f64));
            writeln!(text, "| {name} | {depth} | {nodes} | {olds} | {news} | {times} |")?;
        }
        Ok(text)
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

fn published(rows: &[Published]) -> anyhow::Result<String> {
    let mut text = "\
| makruk-js, as published | 0x88 board, ms | bitboards, ms | times as fast |
| --- | ---: | ---: | ---: |
"
    .to_owned();
    for Published { job, mailbox_ms, bitboards_ms } in rows {
        let times = grouped(mailbox_ms / bitboards_ms);
        writeln!(text, "| {job} | {} | {bitboards_ms} | {times} |", grouped(*mailbox_ms))?;
    }
    Ok(text)
}

/// Measures, and gives what to write: the facts, the tables.
pub(crate) fn run() -> anyhow::Result<(String, String)> {
    let definition: Definition = definition::read(Path::new(""), DEFINITION)?;
    let Definition { position, fairy, boards, threads, published: rows } = definition;
    let program = process::find("fairy-stockfish");
    let version =
        program.as_ref().and_then(|program| process::first_line(std::slice::from_ref(program)));
    let version = version.unwrap_or_else(|| "not installed".to_owned());
    let about = machine::machine(&[("Fairy-Stockfish", version), ("Build", flags::flags())]);
    let fairy = fairy.table(&position, program.as_ref())?;
    let boards = boards.table(&position)?;
    let (rows, threads) = (published(&rows)?, threads.table(&position)?);
    Ok((about, format!("{fairy}\n{boards}\n{rows}\n{threads}\n{EXPLAINED}")))
}

const EXPLAINED: &str = "\
- A figure is the median of the rounds; in parentheses the least and the most of them. Ratios are taken within a round.
- Against Fairy-Stockfish: whole programs with one thread, driven through UCI, CPU time less that of a search of one node. A
  node is a move made, in quiescence too; a null move is none. More nodes are not more strength: the searches and evaluations
  differ. Both are built for any CPU of the architecture; ours chooses its instructions when it runs (POPCNT, AVX2), Debian's
  Fairy-Stockfish has no such choice.
- Both boards: the same search in one process, with an empty table each time. Nodes, move and score have to be the same. On
  the 0x88 board keys are computed afresh and exchanges played out, because it is there to be compared with.
- makruk-js measured on an Apple M1 with Node 24, its boards with different searches. Its bitboard rows do not depend on the
  depth: the table was still full from runs before the clock started, so they time a look into it.
- Threads: nodes of all threads by the clock on the wall.
";

#[cfg(test)]
mod tests {
    use super::*;

    fn definition() -> anyhow::Result<Definition> {
        definition::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), DEFINITION)
    }

    #[test]
    fn both_boards_search_the_same() -> anyhow::Result<()> {
        let Definition { mut position, .. } = definition()?;
        position.iter_mut().for_each(|position| position.depth = position.depth.map(|_| 6));
        let boards = Boards { hash_mib: 1, rounds: 1 };
        assert_eq!(boards.table(&position)?.lines().count(), 2 + 3);
        position[0].fen = "8/8/8/8/8/8/8/8 w - - 0 1".to_owned();
        assert!(boards.table(&position).is_err());
        Ok(())
    }
}
