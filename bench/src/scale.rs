//! The same jobs on a million and on ten million games, each as a process: time and memory, and their growth.
//!
//! The jobs are in `bench/definitions/scale`. A wrong result fails. The expected results are computed by playing the
//! moves with the rules, in another process: the peak memory of a program includes the memory of the process that
//! started it, so this process must stay small.

mod games;
mod report;

use crate::definition::{self, Places};
use crate::process::{self, Run};
use crate::{machine, table};
use anyhow::{Context, bail, ensure};
use games::Games;
use serde::Deserialize;
use std::io::{BufWriter, Write};
use std::path::Path;

pub(crate) const DEFINITION: &str = "bench/definitions/scale/scale.toml";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Definition {
    /// The sizes of the two archives.
    games: [u64; 2],
    source: Vec<String>,
    rounds: usize,
    memory_mib: f64,
    job: Vec<Job>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Job {
    name: String,
    command: Vec<String>,
    /// True if it is run once, because it changes the archive or takes long.
    #[serde(default)]
    changes: bool,
    #[serde(default)]
    fen: String,
    #[serde(default)]
    player: String,
    /// The required value of the first number that it prints.
    answer: Option<Answer>,
    /// The runs with each size.
    #[serde(skip)]
    runs: [Vec<Run>; 2],
}

/// A known number of the games.
#[derive(Copy, Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Answer {
    /// All games.
    Games,
    HalfMoves,
    /// Games with the position.
    Position,
    /// Games with the position that White has won.
    WhiteWins,
    /// Games in which a player has the name.
    Player,
    /// Different names of White.
    WhitePlayers,
}

impl Definition {
    /// Reads it from a repository.
    pub(crate) fn read(root: &Path) -> anyhow::Result<Self> {
        let definition: Self = definition::read(root, DEFINITION)?;
        for Job { name, fen, player, answer, .. } in &definition.job {
            let needed = match answer {
                Some(Answer::Position | Answer::WhiteWins) => fen,
                Some(Answer::Player) => player,
                _ => continue,
            };
            ensure!(!needed.is_empty(), "{DEFINITION}: {name}: nothing says what to look for");
        }
        Ok(definition)
    }

    /// The rows of the record.
    pub(crate) fn rows(&self) -> impl Iterator<Item = String> + '_ {
        self.job.iter().map(|job| job.name.clone())
    }

    fn paths(&self, places: &Places) -> anyhow::Result<Vec<String>> {
        let paths = self.source.iter();
        let paths = paths.map(|path| places.fill(path).filter(|path| Path::new(path).is_file()));
        let paths: Option<Vec<String>> = paths.collect();
        paths.context("HALFMOVE_DATA names no folder with the collections")
    }

    /// All jobs on an archive of one size.
    fn measure(&mut self, size: usize, places: &mut Places) -> anyhow::Result<()> {
        let games = self.games[size].to_string();
        let bench = places.fill("{bench}").context("there is no runner")?;
        let words = |job: &str| [&bench, "scale", job, &games].map(str::to_owned);
        let answers = process::run(&words("answers"))?.stdout;
        let answers = String::from_utf8(answers)?;
        let answers: Vec<u64> = answers.lines().map(str::parse).collect::<Result<_, _>>()?;
        ensure!(answers.len() == self.job.len(), "an answer for each job");
        let folder = tempfile::tempdir()?;
        places.set("archive", folder.path().join("archive").display().to_string());
        let rounds = self.rounds;
        for (job, expected) in self.job.iter_mut().zip(answers) {
            eprintln!("{games} games: {}", job.name);
            places.set("fen", job.fen.clone());
            places.set("player", job.player.clone());
            let command = places.fill_all(&job.command).context("HALFMOVE names no program")?;
            let pipe = command.last().is_some_and(|last| last == "-");
            for number in 0..=if job.changes { 0 } else { rounds } {
                let run = match pipe {
                    true => process::run_behind(&words("games"), &command)?,
                    false => process::run(&command)?,
                };
                if job.answer.is_some() {
                    ensure!(
                        expected > 0,
                        "{}: a program that finds nothing would be right",
                        job.name
                    );
                    let found = process::first_number(&run.stdout);
                    ensure!(
                        found == Some(expected),
                        "{}: it answers {found:?}, expected {expected}",
                        job.name
                    );
                }
                // The first round reads the files into the page cache.
                if job.changes || number > 0 {
                    job.runs[size].push(run);
                }
            }
        }
        Ok(())
    }
}

/// Runs the benchmark. Returns the facts and the tables of the record. `games` replaces the sizes of the definition.
pub(crate) fn run(mut places: Places, games: Option<[u64; 2]>) -> anyhow::Result<(String, String)> {
    let mut definition = Definition::read(Path::new("."))?;
    definition.games = games.unwrap_or(definition.games);
    definition.paths(&places)?;
    // Before the first run, so that the load is that of the preceding minute.
    let version = process::first_line(
        &places.fill_all(&["{halfmove}", "--version"].map(str::to_owned)).unwrap_or_default(),
    );
    let made = "both large collections of masters, again and again, each time in another order and with other names and years";
    let about = machine::machine(&[
        ("Build", "release profile, for any CPU of the architecture".to_owned()),
        ("Versions", version.context("HALFMOVE names no program")?),
        ("Games", made.to_owned()),
    ]);
    for size in 0..2 {
        definition.measure(size, &mut places)?;
    }
    Ok((about, definition.report()?))
}

/// Two sizes, as they are typed.
pub(crate) fn sizes(text: &str) -> anyhow::Result<[u64; 2]> {
    let sizes: Vec<u64> =
        text.split(',').map(str::parse).collect::<Result<_, _>>().context("two numbers")?;
    match sizes[..] {
        [small, large] if 0 < small && small < large => Ok([small, large]),
        _ => bail!("{text}: expected two numbers of games, the smaller one first: 1000,10000"),
    }
}

/// Writes this many games, or the results of the jobs on them, one per line.
pub(crate) fn do_job(job: &str, games: u64, places: &Places) -> anyhow::Result<()> {
    let definition = Definition::read(Path::new("."))?;
    let paths = definition.paths(places)?;
    let mut out = BufWriter::with_capacity(1 << 20, std::io::stdout().lock());
    match job {
        "games" => {
            let source = Games::read(&paths)?;
            eprintln!("ready");
            source.write(games, &mut out)?;
        }
        "answers" => {
            for answer in games::answers(&definition.job, &paths, games)? {
                writeln!(out, "{answer}")?;
            }
        }
        _ => bail!("no job {job}: games or answers"),
    }
    Ok(out.flush()?)
}

/// A figure of each run, and its median.
fn median(runs: &[Run], of: impl Fn(&Run) -> f64) -> Option<table::Spread> {
    table::Spread::of(runs.iter().map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::{Definition, sizes};
    use std::path::Path;

    #[test]
    fn the_definition_is_sound() -> anyhow::Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let definition = Definition::read(&root)?;
        let [small, large] = definition.games;
        assert!(small < large && definition.source.len() == 2);
        // Every job that changes nothing has a result.
        assert!(definition.job.iter().all(|job| job.answer.is_some() || job.changes));
        Ok(())
    }

    #[test]
    fn sizes_are_two_numbers() {
        assert_eq!(sizes("20,300").unwrap(), [20, 300]);
        for wrong in ["20", "300,20", "0,1", "1,2,3", "a,b", ""] {
            assert!(sizes(wrong).is_err(), "{wrong}");
        }
    }
}
