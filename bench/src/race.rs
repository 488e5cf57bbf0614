//! The race: leaves of the game tree, counted by us and by other libraries, turn about.
//!
//! The program of `bench/peers` counts, since some libraries may be linked only there. Who counts what,
//! and what is aimed at, is in `bench/definitions/perft`. A wrong count fails.

use crate::table::{self, grouped, median};
use crate::{machine, process};
use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

const DEFINITION: &str = "bench/definitions/perft/race.toml";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    rounds: usize,
    position: Vec<Position>,
    contender: Vec<Contender>,
    #[serde(default)]
    ratio: Vec<Ratio>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Position {
    name: String,
    fen: String,
    depth: u32,
    leaves: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contender {
    /// The row of the table.
    name: String,
    /// Which build of `bench/peers` counts, if not the usual one.
    build: Option<String>,
    /// What that program calls this contender.
    counts: String,
    /// In how many rounds, if not in all.
    rounds: Option<usize>,
    /// Nanoseconds a leaf: of each position, a figure a round.
    #[serde(skip)]
    figures: Vec<Vec<f64>>,
    #[serde(skip)]
    version: String,
}

/// The speeds of two contenders, and what their quotient should be.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ratio {
    says: String,
    of: String,
    to: String,
    least: Option<f64>,
}

impl Contender {
    /// How many times as fast as another at a position: the median of the rounds that both ran.
    fn times(&self, other: &Self, position: usize) -> Option<f64> {
        let pairs = self.figures.get(position)?.iter().zip(other.figures.get(position)?);
        let ratios = pairs.map(|(ours, theirs)| theirs / ours).collect::<Vec<_>>();
        (!ratios.is_empty()).then(|| median(ratios))
    }

    /// Reads a line of the program: name, version, leaves, seconds.
    fn read(&mut self, line: &str, at: usize, position: &Position) -> anyhow::Result<()> {
        let fields = line.split('\t').collect::<Vec<_>>();
        let [name, version, leaves, seconds] = fields[..] else { bail!("expected four fields") };
        ensure!(name == self.counts, "expected {}", self.counts);
        ensure!(leaves.parse() == Ok(position.leaves), "expected {} leaves", position.leaves);
        version.clone_into(&mut self.version);
        self.figures.resize(self.figures.len().max(at + 1), Vec::new());
        self.figures[at].push(seconds.parse::<f64>()? * 1e9 / position.leaves as f64);
        Ok(())
    }
}

impl Definition {
    /// All builds of `bench/peers` that are there, by the names that contenders give them.
    fn builds(&self) -> BTreeMap<Option<String>, String> {
        let named = self.contender.iter().map(|contender| contender.build.clone());
        let program = |build: &Option<String>| {
            let suffix = build.as_ref().map(|build| format!("_{}", build.to_uppercase()));
            let variable = format!("HALFMOVE_PEERS{}", suffix.unwrap_or_default());
            std::env::var(variable).ok().filter(|path| Path::new(path).is_file())
        };
        named.filter_map(|build| program(&build).map(|path| (build, path))).collect()
    }

    /// A turn of every contender at every position.
    fn round(
        &mut self,
        number: usize,
        builds: &BTreeMap<Option<String>, String>,
    ) -> anyhow::Result<()> {
        for (at, position) in self.position.iter().enumerate() {
            for (build, program) in builds {
                let mut turn = self.contender.iter_mut().filter(|contender| {
                    contender.build == *build
                        && contender.rounds.is_none_or(|rounds| number <= rounds)
                });
                let turn = turn.by_ref().collect::<Vec<_>>();
                if turn.is_empty() {
                    continue;
                }
                let names = turn.iter().map(|contender| contender.counts.as_str());
                let names = names.collect::<Vec<_>>().join(",");
                let depth = position.depth.to_string();
                let words = [program, "race", &names, &position.fen, &depth];
                let run = process::run(&words.map(str::to_owned))?;
                let text = String::from_utf8(run.stdout)?;
                ensure!(text.lines().count() == turn.len(), "{program} says {text:?} of {names}");
                for (line, contender) in text.lines().zip(turn) {
                    contender.read(line, at, position).with_context(|| {
                        format!("{}, {}: {program} says {line:?}", contender.name, position.name)
                    })?;
                }
            }
        }
        Ok(())
    }

    fn table(&self) -> anyhow::Result<String> {
        let first = self.contender.first().context("no contender")?;
        let names = self
            .position
            .iter()
            .map(|position| format!("{}, depth {}", position.name, position.depth));
        let names = names.collect::<Vec<_>>().join(" | ");
        let columns = " ---: |".repeat(self.position.len());
        let mut speeds = format!("| millions of leaves a second | {names} |\n| --- |{columns}\n");
        let mut times = format!(
            "| times {} | {names} | geometric mean |\n| --- |{columns} ---: |\n",
            first.name
        );
        for contender in self.contender.iter().filter(|contender| !contender.figures.is_empty()) {
            let row = format!("| {} ({})", contender.name, contender.version);
            write!(speeds, "{row}")?;
            write!(times, "{row}")?;
            for (at, figures) in contender.figures.iter().enumerate() {
                write!(speeds, " | {}", grouped(1e3 / median(figures.clone())))?;
                write!(times, " | {:.2}", contender.times(first, at).unwrap_or(f64::NAN))?;
            }
            writeln!(speeds, " |")?;
            let mean = self.mean(contender, first).unwrap_or(f64::NAN);
            writeln!(times, " | **{mean:.2}** |")?;
        }
        Ok(format!("{times}\n{speeds}"))
    }

    /// The geometric mean, over the positions, of how many times as fast one is as another.
    fn mean(&self, contender: &Contender, other: &Contender) -> Option<f64> {
        let times = (0..self.position.len()).map(|at| contender.times(other, at));
        let logarithms = times.map(|times| times.map(f64::ln)).sum::<Option<f64>>()?;
        Some((logarithms / self.position.len() as f64).exp())
    }

    fn ratios(&self) -> anyhow::Result<String> {
        let find = |name: &str| {
            let found = self.contender.iter().find(|contender| contender.name == name);
            found.with_context(|| format!("{DEFINITION}: no contender {name}"))
        };
        let mut text = table::RATIOS.to_owned();
        for Ratio { says, of, to, least } in &self.ratio {
            let is = self.mean(find(of)?, find(to)?);
            text.push_str(&table::ratio(says, is, *least, None));
        }
        Ok(text)
    }
}

/// Runs the race, and gives what to write: the facts, the tables.
pub(crate) fn run() -> anyhow::Result<(String, String)> {
    let text = std::fs::read_to_string(DEFINITION).with_context(|| {
        format!("{DEFINITION}: the benchmarks run in the root of the repository")
    })?;
    let mut definition: Definition = toml::from_str(&text).context(DEFINITION)?;
    let builds = definition.builds();
    let usual = builds.get(&None).context("HALFMOVE_PEERS names no program")?;
    let built = |program: &str| {
        process::first_line(&[program.to_owned(), "build".to_owned()])
            .with_context(|| format!("{program} does not say how it was built"))
    };
    let built_so = built(usual)?;
    let (flags, sliders) = built_so.split_once('\t').context("expected flags and front door")?;
    let mut about = machine::machine(flags);
    writeln!(about, "- The front door for sliders is bound to: {sliders}")?;
    writeln!(
        about,
        "- Time: CPU time of the counting thread; {} rounds, fewer for those far behind. A speed is that of the median \
         round, a quotient the median of those within a round",
        definition.rounds
    )?;

    for number in 1..=definition.rounds {
        eprintln!("round {number} of {}", definition.rounds);
        definition.round(number, &builds)?;
    }
    let text = format!("{}\n{EXPLAINED}\n{}", definition.table()?, definition.ratios()?);
    Ok((about, text))
}

const EXPLAINED: &str = "\
- All count the last half-move without playing it; none keeps a table of what it has counted; one thread. A wrong count
  fails the run.
- `perft` is `halfmove_rules::perft`: a lean twin of the position, without key or clocks.
- Moves by the library: `visit_moves`, `clone`, `play_unchecked` of whole positions, the key kept from move to move, and
  `count_moves` before the last half-move: what a program that uses the crate would write.
- Pieces at the leaves are taken all at once where the CPU has AVX-512 with VPOPCNTDQ, which is asked at run time unless the
  compiler may use it; one by one through the front door elsewhere. \"No wide registers\": as on a CPU without.
";
