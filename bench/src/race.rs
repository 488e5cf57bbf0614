//! The race: perft, by this project and by other libraries, in alternation.
//!
//! The program of `bench/peers` counts, since some libraries may be linked only there. The contenders, their
//! builds and the targets are in `bench/definitions/perft`. A wrong count fails.

mod report;

use crate::table::Spread;
use crate::{definition, machine, process};
use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

const DEFINITION: &str = "bench/definitions/perft/race.toml";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Definition {
    rounds: usize,
    position: Vec<Position>,
    contender: Vec<Contender>,
    #[serde(default)]
    target: Vec<Target>,
    #[serde(default)]
    survey: Vec<Survey>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Position {
    name: String,
    fen: String,
    depth: u32,
    leaves: u64,
}

/// A program that counts: a build of `bench/peers`, or one whose path is given by hand.
#[derive(Copy, Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
enum Build {
    Native,
    Plain,
    Gigantua,
}

impl Build {
    const ALL: [Self; 3] = [Self::Native, Self::Plain, Self::Gigantua];

    /// The environment variable that names the program.
    fn variable(self) -> &'static str {
        match self {
            Self::Native => "HALFMOVE_PEERS_NATIVE",
            Self::Plain => "HALFMOVE_PEERS",
            Self::Gigantua => "HALFMOVE_GIGANTUA",
        }
    }
}

/// The job of a count. Only equal jobs are a race between generators of moves.
#[derive(Copy, Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Job {
    /// The library's own perft function.
    Perft,
    /// Visit and play moves; before the last half-move, add up the number of moves of each piece.
    Visit,
    /// Generate a list of moves in every position, and play each of them.
    List,
}

impl Job {
    fn name(self) -> &'static str {
        match self {
            Self::Perft => "perft",
            Self::Visit => "visit",
            Self::List => "list",
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contender {
    /// The row of the table.
    name: String,
    build: Build,
    /// The name of this contender in that program. The CPU level to which it is restricted follows after an @.
    counts: String,
    job: Job,
    /// The number of rounds, if not all.
    rounds: Option<usize>,
    /// Nanoseconds per leaf: for each position, one figure per round.
    #[serde(skip)]
    figures: Vec<Vec<f64>>,
    #[serde(skip)]
    version: String,
}

/// A target for the ratio of the speeds of two contenders.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Target {
    says: String,
    of: String,
    to: String,
    /// The geometric mean over the positions.
    least: f64,
    /// Each position.
    each: Option<f64>,
    /// The level that the CPU must have, if the target is for that level only.
    level: Option<String>,
}

/// A published measurement, for contenders that cannot be run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Survey {
    name: String,
    /// The speed relative to cozy-chess, in that survey.
    times: f64,
    source: String,
}

impl Contender {
    fn level(&self) -> Option<&str> {
        self.counts.split_once('@').map(|(_, level)| level)
    }

    fn runs_in(&self, round: usize) -> bool {
        self.rounds.is_none_or(|rounds| round <= rounds)
    }

    /// The ratio of its speed to another's at a position, round by round.
    fn rounds(&self, other: &Self, position: usize) -> Vec<f64> {
        let pairs = self.figures.get(position).zip(other.figures.get(position));
        let pairs = pairs.into_iter().flat_map(|(ours, theirs)| ours.iter().zip(theirs));
        pairs.map(|(ours, theirs)| theirs / ours).collect()
    }

    /// The ratio of its speed to another's at a position.
    fn times(&self, other: &Self, position: usize) -> Option<Spread> {
        Spread::of(self.rounds(other, position))
    }

    /// The geometric mean over the positions of the ratio of its speed to another's.
    fn mean(&self, other: &Self, positions: usize) -> Option<Spread> {
        let times = (0..positions).map(|at| self.rounds(other, at)).collect::<Vec<_>>();
        let rounds = times.iter().map(Vec::len).min()?;
        let mean = |round: usize| {
            let logarithms = times.iter().map(|times| times[round].ln()).sum::<f64>();
            (logarithms / positions as f64).exp()
        };
        Spread::of((0..rounds).map(mean).collect())
    }

    fn write(&mut self, at: usize, position: &Position, seconds: f64) {
        self.figures.resize(self.figures.len().max(at + 1), Vec::new());
        self.figures[at].push(seconds * 1e9 / position.leaves as f64);
    }

    /// Reads a line of the program: name, version, leaves, seconds.
    fn read(&mut self, line: &str, at: usize, position: &Position) -> anyhow::Result<()> {
        let fields = line.split('\t').collect::<Vec<_>>();
        let [name, version, leaves, seconds] = fields[..] else { bail!("expected four fields") };
        ensure!(name == self.counts, "expected {}", self.counts);
        ensure!(leaves.parse() == Ok(position.leaves), "expected {} leaves", position.leaves);
        version.clone_into(&mut self.version);
        self.write(at, position, seconds.parse()?);
        Ok(())
    }
}

/// Seconds of CPU time that Gigantua needs for a position, less those of a run at depth 0. Given a FEN, a depth
/// and a count, its exit code shows whether its count is the same.
fn gigantua(program: &str, position: &Position) -> anyhow::Result<f64> {
    let run = |depth: u32, leaves: u64| {
        let words = [program, &position.fen, &depth.to_string(), &leaves.to_string()];
        process::run(&words.map(str::to_owned))
    };
    let start = run(0, 1).context("counting to depth 0")?;
    let whole = run(position.depth, position.leaves).context("it counts another number")?;
    Ok(whole.cpu.saturating_sub(start.cpu).as_secs_f64())
}

impl Definition {
    /// Reads it from a repository.
    pub(crate) fn read(root: &Path) -> anyhow::Result<Self> {
        let definition: Self = definition::read(root, DEFINITION)?;
        ensure!(!definition.contender.is_empty(), "{DEFINITION}: no contender");
        for target in &definition.target {
            definition.find(&target.of)?;
            definition.find(&target.to)?;
        }
        Ok(definition)
    }

    /// The rows that a record of this race may have.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &str> {
        self.contender.iter().map(|contender| contender.name.as_str())
    }

    fn find(&self, name: &str) -> anyhow::Result<&Contender> {
        let found = self.contender.iter().find(|contender| contender.name == name);
        found.with_context(|| format!("{DEFINITION}: no contender {name}"))
    }

    /// A turn of every contender at every position.
    fn round(
        &mut self,
        number: usize,
        programs: &BTreeMap<Build, String>,
        levels: &[String],
    ) -> anyhow::Result<()> {
        // Every other round is in reverse order, so that no contender always follows the same neighbor.
        let mut order = programs.iter().collect::<Vec<_>>();
        if number.is_multiple_of(2) {
            order.reverse();
        }
        for (at, position) in self.position.iter().enumerate() {
            for (build, program) in &order {
                let turn = self.contender.iter_mut().filter(|contender| {
                    let level = contender.level();
                    contender.build == **build
                        && contender.runs_in(number)
                        && level.is_none_or(|level| levels.iter().any(|has| has == level))
                });
                let turn = turn.collect::<Vec<_>>();
                if turn.is_empty() {
                    continue;
                }
                if **build == Build::Gigantua {
                    for contender in turn {
                        let seconds = gigantua(program, position).with_context(|| {
                            format!("{}, {}: {program}", contender.name, position.name)
                        })?;
                        contender.write(at, position, seconds);
                    }
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
}

/// The description that a build of `bench/peers` prints: flags, the levels of this CPU, the highest last, and the
/// front door.
fn built(program: &str) -> anyhow::Result<[String; 3]> {
    let said = process::first_line(&[program.to_owned(), "build".to_owned()]);
    let fields = said.map(|said| said.split('\t').map(str::to_owned).collect::<Vec<_>>());
    let fields = fields.and_then(|fields| <[String; 3]>::try_from(fields).ok());
    fields.with_context(|| format!("{program} does not say how it was built"))
}

/// Runs the race. Returns the facts and the tables of the record.
pub(crate) fn run() -> anyhow::Result<(String, String)> {
    let mut definition = Definition::read(Path::new("."))?;
    let program = |build: Build| {
        let path = std::env::var(build.variable()).ok().filter(|path| Path::new(path).is_file());
        path.map(|path| (build, path))
    };
    let programs = Build::ALL.into_iter().filter_map(program).collect::<BTreeMap<_, _>>();
    let mut builds = Vec::new();
    let mut levels = Vec::new();
    for build in [Build::Plain, Build::Native] {
        let program = programs.get(&build);
        let program = program.with_context(|| format!("{} names no program", build.variable()))?;
        let [how, found, sliders] = built(program)?;
        let name = if build == Build::Plain { "Build as installed" } else { "Native build" };
        builds.push((name, format!("{how}; front door for sliders: {sliders}")));
        if build == Build::Plain {
            levels = found.split_whitespace().map(str::to_owned).collect();
        }
    }
    let mut about = machine::machine(&builds);
    let known = if levels.is_empty() { "not asked".to_owned() } else { levels.join(", ") };
    writeln!(about, "- Levels of this CPU that can be chosen at run time: {known}")?;
    writeln!(
        about,
        "- Time: CPU time of the counting thread, {} rounds, fewer for those far behind. A speed is that of the median \
         round, a quotient the median of those within a round; in parentheses the least and the most of the rounds",
        definition.rounds
    )?;
    for number in 1..=definition.rounds {
        eprintln!("round {number} of {}", definition.rounds);
        definition.round(number, &programs, &levels)?;
    }
    let text = definition.report(levels.last().map(String::as_str))?;
    Ok((about, text))
}

#[cfg(test)]
mod tests {
    use super::Contender;
    use std::path::Path;

    #[test]
    fn peers_are_built_in_the_release_profile_of_the_workspace() -> anyhow::Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let profile = |path: &str| -> anyhow::Result<[Option<toml::Value>; 5]> {
            let manifest: toml::Table = std::fs::read_to_string(root.join(path))?.parse()?;
            let profile = manifest.get("profile").and_then(|profiles| profiles.get("release"));
            let keys = ["opt-level", "lto", "codegen-units", "panic", "overflow-checks"];
            Ok(keys.map(|key| profile.and_then(|profile| profile.get(key)).cloned()))
        };
        let installed = profile("Cargo.toml")?;
        assert_eq!(installed[0], Some(toml::Value::Integer(3)), "no release profile was read");
        assert_eq!(profile("bench/peers/Cargo.toml")?, installed);
        Ok(())
    }

    #[test]
    fn quotients_are_taken_within_a_round() -> Result<(), Box<dyn std::error::Error>> {
        let contender = |figures: [[f64; 3]; 2]| -> Result<Contender, toml::de::Error> {
            let text = "name = \"a\"\nbuild = \"plain\"\ncounts = \"a@v3\"\njob = \"perft\"\n";
            let contender: Contender = toml::from_str(text)?;
            let figures = figures.map(|rounds| rounds.to_vec()).to_vec();
            Ok(Contender { figures, ..contender })
        };
        let slow = contender([[4.0, 40.0, 8.0], [9.0, 9.0, 9.0]])?;
        let fast = contender([[2.0, 10.0, 1.0], [1.0, 1.0, 9.0]])?;
        let times = fast.times(&slow, 0).ok_or("no figure")?;
        assert_eq!((times.least, times.median, times.most), (2.0, 4.0, 8.0));
        // Round by round: √(2·9), √(4·9), √(8·1).
        let mean = fast.mean(&slow, 2).ok_or("no figure")?;
        assert!((mean.least - 8_f64.sqrt()).abs() < 1e-9, "{mean:?}");
        assert!((mean.median - 18_f64.sqrt()).abs() < 1e-9, "{mean:?}");
        assert!((mean.most - 6.0).abs() < 1e-9, "{mean:?}");
        assert_eq!(fast.level(), Some("v3"));
        assert!(fast.mean(&contender([[1.0; 3]; 2])?, 3).is_none(), "a position was not counted");
        Ok(())
    }
}
