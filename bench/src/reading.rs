//! Reading games: this project and other programs on the same files, in alternation.
//!
//! The contenders, the jobs and the targets are in `bench/definitions/reading`. A wrong result fails.

mod report;

use crate::definition::{self, Places};
use crate::{machine, process};
use anyhow::{Context, bail, ensure};
use halfmove_game::pgn::{Flow, GameReader, Keep, Place, Reader, Reading, Text, Visitor};
use halfmove_game::{Game, Input};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

const DEFINITION: &str = "bench/definitions/reading/reading.toml";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Definition {
    rounds: usize,
    collection: Vec<Collection>,
    job: Vec<Job>,
    target: Vec<Target>,
    speed: Vec<Speed>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Collection {
    name: String,
    path: String,
    games: u64,
    /// The length of the plain file.
    #[serde(skip)]
    bytes: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Job {
    name: String,
    says: String,
    clock: Clock,
    contender: Vec<Contender>,
}

/// The comparison.
#[derive(Copy, Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Clock {
    /// User and system time of one thread.
    Cpu,
    /// Wall time of the whole command.
    Wall,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contender {
    name: String,
    command: Vec<String>,
    /// The paths to remove before each run.
    fresh: Option<String>,
    /// A command that prints the result, if the timed one does not.
    check: Option<Vec<String>>,
    /// The numbers of the expected result, for each collection that this contender reads.
    answer: BTreeMap<String, Vec<u64>>,
    /// The number of rounds, if not all.
    rounds: Option<usize>,
    /// Seconds: for each collection, one figure per round.
    #[serde(skip)]
    seconds: BTreeMap<String, Vec<f64>>,
}

/// A target for the ratio of the speeds of two contenders at a job.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Target {
    job: String,
    of: String,
    to: String,
    least: f64,
}

/// A speed in GB/s.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Speed {
    job: String,
    of: String,
    least: f64,
}

impl Contender {
    /// One run; the result is always checked.
    fn run(&self, collection: &str, clock: Clock, places: &Places) -> anyhow::Result<f64> {
        if let Some(path) = self.fresh.as_ref().and_then(|path| places.fill(path)) {
            let path = Path::new(&path);
            if path.is_dir() {
                std::fs::remove_dir_all(path)?;
            }
        }
        let command = places.fill_all(&self.command).context("a program is not there")?;
        let run = process::run(&command)?;
        let printed = match &self.check {
            Some(check) => {
                let check = places.fill_all(check).context("a program is not there")?;
                process::run(&check)?.stdout
            }
            None => run.stdout,
        };
        let (found, expected) = (process::numbers(&printed), &self.answer[collection]);
        ensure!(found == *expected, "it answers {found:?}, expected {expected:?}");
        let time = match clock {
            Clock::Cpu => run.cpu,
            Clock::Wall => run.wall,
        };
        Ok(time.as_secs_f64())
    }
}

impl Definition {
    /// Reads it from a repository.
    pub(crate) fn read(root: &Path) -> anyhow::Result<Self> {
        let definition: Self = definition::read(root, DEFINITION)?;
        for Target { job, of, to, .. } in &definition.target {
            definition.find(job, of)?;
            definition.find(job, to)?;
        }
        for Speed { job, of, .. } in &definition.speed {
            definition.find(job, of)?;
        }
        let known = |name: &String| definition.collection.iter().any(|known| known.name == *name);
        for contender in definition.job.iter().flat_map(|job| &job.contender) {
            let Contender { name, answer, .. } = contender;
            ensure!(!answer.is_empty() && answer.keys().all(known), "{DEFINITION}: {name}: answer");
            let is_count = |numbers: &Vec<u64>| !numbers.is_empty() && !numbers.contains(&0);
            ensure!(
                answer.values().all(is_count),
                "{DEFINITION}: {name}: an answer of 0 shows nothing"
            );
        }
        Ok(definition)
    }

    fn find(&self, job: &str, name: &str) -> anyhow::Result<&Contender> {
        let job = self.job.iter().filter(|known| known.name == job);
        let mut contenders = job.flat_map(|job| &job.contender);
        let found = contenders.find(|contender| contender.name == name);
        found.with_context(|| format!("{DEFINITION}: no contender {name}"))
    }

    /// Runs every contender at every job. Missing programs are left out.
    fn round(&mut self, number: usize, collection: &str, places: &Places) -> anyhow::Result<()> {
        for job in &mut self.job {
            let mut turn = job.contender.iter_mut().collect::<Vec<_>>();
            // Every other round is in reverse order, so that no contender always follows the same
            // neighbor.
            if number.is_multiple_of(2) {
                turn.reverse();
            }
            for contender in turn {
                if contender.rounds.is_some_and(|rounds| number > rounds)
                    || !contender.answer.contains_key(collection)
                    || places.fill_all(&contender.command).is_none()
                {
                    continue;
                }
                let seconds = contender
                    .run(collection, job.clock, places)
                    .with_context(|| format!("{}, {}, {collection}", job.name, contender.name))?;
                contender.seconds.entry(collection.to_owned()).or_default().push(seconds);
            }
        }
        Ok(())
    }
}

/// Runs the benchmark. Returns the facts and the tables of the record.
pub(crate) fn run(mut places: Places, only: Option<&str>) -> anyhow::Result<(String, String)> {
    let mut definition = Definition::read(Path::new("."))?;
    if let Some(only) = only {
        definition.job.retain(|job| job.name.contains(only));
        ensure!(!definition.job.is_empty(), "no job has {only} in its name");
        let jobs = &definition.job;
        let is_there = |name: &String| jobs.iter().any(|job| job.name == *name);
        definition.target.retain(|target| is_there(&target.job));
        definition.speed.retain(|speed| is_there(&speed.job));
    }
    let temp = tempfile::tempdir()?;
    places.set("temp", temp.path().display().to_string());
    let mut read = Vec::new();
    for collection in &mut definition.collection {
        let packed = places.fill(&collection.path).filter(|path| Path::new(path).is_file());
        let Some(packed) = packed else {
            eprintln!("{} is not there: left out", collection.path);
            continue;
        };
        eprintln!("unpacking {packed}");
        let plain = temp.path().join(format!("{}.pgn", collection.name));
        collection.bytes = std::io::copy(&mut Input::open(&packed)?, &mut File::create(&plain)?)?;
        read.push((collection.name.clone(), plain.display().to_string()));
    }
    ensure!(!read.is_empty(), "none of the collections is there: HALFMOVE_DATA names their folder");
    // Before the first run, so that the load is that of the preceding minute.
    let about = machine::machine(&[
        ("Build", "release profile, for any CPU of the architecture".to_owned()),
        ("pgn-reader", machine::peer_version("pgn-reader")),
        ("shakmaty", machine::peer_version("shakmaty")),
    ]);
    // The first round is not counted: it reads the files into the page cache.
    for number in 0..=definition.rounds {
        eprintln!("round {number} of {}", definition.rounds);
        for (collection, plain) in &read {
            places.set("pgn", plain);
            definition.round(number, collection, &places)?;
            if number == 0 {
                for contender in definition.job.iter_mut().flat_map(|job| &mut job.contender) {
                    contender.seconds.remove(collection);
                }
            }
        }
    }
    let text = definition.report()?;
    Ok((about, text))
}

/// Does one of our jobs and prints its result.
pub(crate) fn do_job(job: &str, path: &Path) -> anyhow::Result<()> {
    let reader = |keep| anyhow::Ok(GameReader::new(Input::open(path)?).keeping(keep).chess_only());
    match job {
        "mainlines" => {
            let mut game = Game::default();
            count(reader(Keep::MainLine)?, |reader| reader.read(&mut game))?;
        }
        "games" => {
            let mut game = Game::default();
            count(reader(Keep::Everything)?, |reader| reader.read(&mut game))?;
        }
        "tags" => {
            let mut reader = Reader::new(Input::open(path)?);
            let mut tags = Tags::default();
            while reader.read_game(&mut tags)? {}
            println!("{} games, {} tags", tags.games, tags.tags);
        }
        _ => bail!("no job {job}: mainlines, games or tags"),
    }
    Ok(())
}

/// Reads every game, and prints the numbers of games and half-moves.
fn count(
    mut reader: GameReader<Input>,
    mut read: impl FnMut(&mut GameReader<Input>) -> std::io::Result<Option<Reading>>,
) -> anyhow::Result<()> {
    let mut games = 0_u64;
    while let Some(reading) = read(&mut reader)? {
        games += u64::from(!matches!(reading, Reading::Skipped(_)));
    }
    println!("{games} games, {} half-moves", reader.counts().half_moves);
    Ok(())
}

/// Counts the tags and skips the moves.
#[derive(Default)]
struct Tags {
    games: u64,
    tags: u64,
}

impl Visitor for Tags {
    const COMMENTS: bool = false;

    fn tag(&mut self, name: Text<'_>, value: Text<'_>, _: Place<'_>) {
        // The name and the value must be available to the caller.
        std::hint::black_box((name, value));
        self.tags += 1;
    }

    fn end_tags(&mut self) -> Flow {
        self.games += 1;
        Flow::Skip
    }
}

#[cfg(test)]
mod tests {
    use super::Definition;
    use std::path::Path;

    #[test]
    fn the_definition_is_sound() -> anyhow::Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let definition = Definition::read(&root)?;
        assert_eq!(definition.collection.len(), 2);
        // Both sides of a ratio have the same result; otherwise their jobs differ, and the row notes
        // that.
        for target in definition.target.iter().filter(|target| target.to != "pgn-extract") {
            let of = definition.find(&target.job, &target.of)?;
            let to = definition.find(&target.job, &target.to)?;
            for (collection, answer) in &to.answer {
                assert_eq!(of.answer.get(collection), Some(answer), "{}", target.to);
            }
        }
        Ok(())
    }
}
