//! The definitions of the benchmarks: the files in `bench/definitions`.

use anyhow::{Context, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::Path;

/// The contents of the folder of definitions.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Definitions {
    /// Collections of games to measure with, the preferred one first.
    #[serde(default)]
    pub(crate) collection: Vec<Collection>,
    /// The command that prints the version of each program.
    #[serde(default)]
    pub(crate) version: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub(crate) benchmark: Vec<Benchmark>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Collection {
    pub(crate) name: String,
    /// The path of the file; `{data}` stands for the folder of the large collections, `{repository}` for this
    /// repository.
    pub(crate) path: String,
    pub(crate) games: u64,
    pub(crate) half_moves: u64,
}

/// One job, done by several programs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Benchmark {
    pub(crate) name: String,
    /// The job, in the words of the table.
    pub(crate) job: String,
    #[serde(default)]
    pub(crate) fen: String,
    /// The unit: seconds, something per second, or bytes per game.
    pub(crate) measure: Measure,
    pub(crate) runs: usize,
    /// The expected result, for each collection by name, or for `any`.
    pub(crate) expected: BTreeMap<String, u64>,
    pub(crate) program: Vec<Program>,
}

#[derive(Copy, Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Measure {
    Time,
    /// Games per second.
    Games,
    /// Half-moves per second.
    HalfMoves,
    /// Bytes per game, of the command's output, or of the folder that it names.
    Bytes,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Program {
    pub(crate) name: String,
    /// The words of the command; `{fen}` and the like are replaced.
    pub(crate) command: Vec<String>,
    /// The paths to remove before each run.
    pub(crate) fresh: Option<String>,
    /// A command that prints the result, if the measured one does not. It is not timed.
    pub(crate) check: Option<Vec<String>>,
    /// The number of games that it processes, if not all. Times are then scaled up, which the table notes.
    pub(crate) games: Option<u64>,
    /// Its result, if it differs from that for all games.
    pub(crate) expected: Option<BTreeMap<String, u64>>,
    /// The folder whose Parquet files are measured.
    pub(crate) weigh: Option<String>,
}

/// Reads one file of a repository.
pub(crate) fn read<T: DeserializeOwned>(root: &Path, path: &str) -> anyhow::Result<T> {
    let text = std::fs::read_to_string(root.join(path))
        .with_context(|| format!("{path}: the benchmarks run in the root of the repository"))?;
    toml::from_str(&text).with_context(|| path.to_owned())
}

impl Definitions {
    /// Reads every file of a folder, in the order of their names.
    pub(crate) fn read(folder: &Path) -> anyhow::Result<Self> {
        let entries = folder.read_dir().with_context(|| format!("reading {}", folder.display()))?;
        let mut paths =
            entries.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<Vec<_>>>()?;
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
        paths.sort();
        let mut all = Self::default();
        for path in paths {
            let text = std::fs::read_to_string(&path)?;
            let one: Self =
                toml::from_str(&text).with_context(|| format!("reading {}", path.display()))?;
            all.collection.extend(one.collection);
            all.version.extend(one.version);
            all.benchmark.extend(one.benchmark);
        }
        Ok(all)
    }
}

impl Benchmark {
    pub(crate) fn expected(
        &self,
        program: &Program,
        collection: &Collection,
    ) -> anyhow::Result<u64> {
        let answers = program.expected.as_ref().unwrap_or(&self.expected);
        match answers.get(&collection.name).or_else(|| answers.get("any")) {
            Some(answer) => Ok(*answer),
            None => bail!("{}: no expected answer for {}", self.name, collection.name),
        }
    }
}

/// The values of the words in braces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places(BTreeMap<&'static str, String>);

impl Places {
    pub(crate) fn set(&mut self, name: &'static str, value: impl Into<String>) {
        self.0.insert(name, value.into());
    }

    /// Fills in a word; `None` if something that it names does not exist.
    pub(crate) fn fill(&self, word: &str) -> Option<String> {
        let mut word = word.to_owned();
        for (name, value) in &self.0 {
            word = word.replace(&format!("{{{name}}}"), value);
        }
        (!word.contains('{')).then_some(word)
    }

    pub(crate) fn fill_all(&self, words: &[String]) -> Option<Vec<String>> {
        words.iter().map(|word| self.fill(word)).collect()
    }
}
