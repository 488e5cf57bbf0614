//! Games as bytes and back: our codecs and other libraries, turn about.
//!
//! Who takes part, and with which games, is in the two definitions of `bench/definitions/codecs`. `bench/peers` runs all of them.

use crate::definition::{self, Places};
use crate::table::{self, Spread, grouped};
use crate::{machine, process};
use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// All codecs but `dense`, on all games.
pub(crate) const ALL: &str = "bench/definitions/codecs/codecs.toml";

/// `dense` and others, on the games that its model has not seen.
pub(crate) const HELD_OUT: &str = "bench/definitions/codecs/dense.toml";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Definition {
    rounds: usize,
    /// Only games that are held out.
    #[serde(default)]
    held_out: bool,
    collection: Vec<Collection>,
    contender: Vec<Contender>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Collection {
    name: String,
    path: String,
    /// Of the games that all contenders can hold.
    games: u64,
    half_moves: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contender {
    name: String,
    /// The package, if it is not ours.
    library: Option<String>,
    checks: Checks,
    /// It only goes through bytes that another one has made.
    #[serde(default)]
    replays: bool,
    /// In how many rounds, if not in all.
    rounds: Option<usize>,
    /// The results, by collection.
    #[serde(skip)]
    figures: BTreeMap<String, Figures>,
}

/// When it is made sure that moves are legal.
#[derive(Copy, Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Checks {
    Never,
    Decoding,
    Both,
}

/// Of each round, the bytes of all games, and seconds.
#[derive(Debug, Default)]
struct Figures {
    bytes: u64,
    encode: Vec<f64>,
    decode: Vec<f64>,
}

impl Contender {
    /// Reads a line of the program: bytes, seconds to encode, seconds to decode.
    fn read(&mut self, fields: &[&str], collection: &str) -> anyhow::Result<()> {
        let [bytes, encode, decode] = fields else { bail!("expected four fields") };
        let bytes = bytes.parse()?;
        let figures = self.figures.entry(collection.to_owned()).or_default();
        ensure!(figures.encode.is_empty() || figures.bytes == bytes, "other bytes than before");
        figures.bytes = bytes;
        figures.encode.push(encode.parse()?);
        figures.decode.push(decode.parse()?);
        Ok(())
    }
}

impl Definition {
    /// Reads one from a repository.
    pub(crate) fn read(root: &Path, path: &str) -> anyhow::Result<Self> {
        definition::read(root, path)
    }

    /// The rows that a record may have.
    pub(crate) fn rows(&self) -> Vec<String> {
        let names = self.contender.iter().map(|contender| &contender.name);
        let rows = names.flat_map(|name| {
            self.collection.iter().map(move |collection| format!("{name} > {}", collection.name))
        });
        rows.collect()
    }

    /// Lets everybody encode and decode one collection, in turn.
    fn measure(&mut self, at: usize, program: &str, path: &str) -> anyhow::Result<()> {
        let collection = &self.collection[at];
        let rounds = self.rounds.to_string();
        let mut words = [program, "codecs", path, rounds.as_str()].map(str::to_owned).to_vec();
        words.extend(self.held_out.then(|| "held-out".to_owned()));
        for contender in &self.contender {
            if let Some(rounds) = contender.rounds {
                words.push(format!("{}={rounds}", contender.name));
            }
        }
        let text = String::from_utf8(process::run(&words)?.stdout)?;
        let mut lines = text.lines();
        let held = format!("{}\t{}", collection.games, collection.half_moves);
        let found = lines.next();
        ensure!(found == Some(held.as_str()), "games, half-moves: {found:?}, expected {held:?}");
        for line in lines {
            let fields = line.split('\t').collect::<Vec<_>>();
            let contender = self.contender.iter_mut().find(|one| one.name == fields[0]);
            let contender = contender.with_context(|| format!("the definition lacks {line:?}"))?;
            contender.read(&fields[1..], &collection.name).with_context(|| line.to_owned())?;
        }
        for contender in &self.contender {
            let rounds = contender.figures.get(&collection.name).map(|all| all.decode.len());
            let wanted = contender.rounds.unwrap_or(self.rounds).min(self.rounds);
            ensure!(rounds == Some(wanted), "{}: {rounds:?} rounds", contender.name);
        }
        Ok(())
    }

    fn report(&self) -> anyhow::Result<String> {
        let mut text = String::from(
            "| codec | games | bits a half-move | bytes a game | encode, M half-moves/s | \
             decode, M half-moves/s | moves are checked in | version |\n\
             | --- | --- | ---: | ---: | ---: | ---: | --- | --- |\n",
        );
        for contender in &self.contender {
            for Collection { name, games, half_moves, .. } in &self.collection {
                let Some(figures) = contender.figures.get(name) else { continue };
                let speed = |seconds: &[f64]| {
                    let speeds = seconds.iter().map(|seconds| *half_moves as f64 / 1e6 / seconds);
                    table::spread(Spread::of(speeds.collect()).as_ref(), |speed| {
                        format!("{speed:.2}")
                    })
                };
                let (bits, bytes, encode) = if contender.replays {
                    ("–".to_owned(), "–".to_owned(), "–".to_owned())
                } else {
                    let bits = 8.0 * figures.bytes as f64 / *half_moves as f64;
                    let bytes = figures.bytes as f64 / *games as f64;
                    (format!("{bits:.2}"), format!("{bytes:.1}"), speed(&figures.encode))
                };
                let checks = match contender.checks {
                    Checks::Never => "neither",
                    Checks::Decoding => "decoding",
                    Checks::Both => "encoding, decoding",
                };
                let version = contender.library.as_deref().map(machine::peer_version);
                writeln!(
                    text,
                    "| {} | {name} | {bits} | {bytes} | {encode} | {} | {checks} | {} |",
                    contender.name,
                    speed(&figures.decode),
                    version.as_deref().unwrap_or("ours"),
                )?;
            }
        }
        Ok(text)
    }
}

/// Runs it, and gives what to write: the facts, the tables.
pub(crate) fn run(places: &Places, path: &str) -> anyhow::Result<(String, String)> {
    let mut definition = Definition::read(Path::new("."), path)?;
    let program = places.fill("{peers}").context("HALFMOVE_PEERS names no program")?;
    let mut about = machine::machine(&[
        ("Build", "release profile, for any CPU of the architecture".to_owned()),
        ("shakmaty", machine::peer_version("shakmaty")),
    ]);
    writeln!(
        about,
        "- Time: CPU time of one thread, {} rounds, fewer for those far behind; in parentheses the least and the most of the \
         rounds",
        definition.rounds
    )?;
    writeln!(about, "- Bits: of the bytes of all games, without their lengths")?;
    for at in 0..definition.collection.len() {
        let Collection { name, path, games, half_moves } = &definition.collection[at];
        let [games, half_moves] = [*games, *half_moves].map(|count| grouped(count as f64));
        let path = places.fill(path).filter(|path| Path::new(path).is_file());
        let path =
            path.with_context(|| format!("{name} is not there: HALFMOVE_DATA names its folder"))?;
        let held_out = if definition.held_out { ", held out of the training of dense" } else { "" };
        writeln!(
            about,
            "- Games, {name}: {games}, {half_moves} half-moves, from the usual start{held_out}"
        )?;
        eprintln!("{name}");
        definition.measure(at, &program, &path)?;
    }
    Ok((about, definition.report()?))
}

#[cfg(test)]
mod tests {
    use super::{ALL, Checks, Definition, HELD_OUT};
    use halfmove_codecs::CODECS;
    use std::path::Path;

    #[test]
    fn every_codec_takes_part() -> anyhow::Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let definition = Definition::read(&root, ALL)?;
        let ours = definition.contender.iter().filter(|one| one.library.is_none() && !one.replays);
        let ours = ours.map(|one| one.name.as_str()).collect::<Vec<_>>();
        // The games of this definition are those that the model of `dense` was made of; it has its own.
        let all = CODECS.map(|codec| codec.name());
        let all = all.into_iter().filter(|name| *name != "dense").collect::<Vec<_>>();
        assert_eq!(ours, all);
        let held_out = Definition::read(&root, HELD_OUT)?;
        assert!(held_out.held_out && held_out.contender.iter().any(|one| one.name == "dense"));
        let never = definition.contender.iter().filter(|one| one.checks == Checks::Never);
        assert!(never.clone().count() > 0 && never.clone().all(|one| one.replays));
        Ok(())
    }

    #[test]
    fn bytes_do_not_change_between_rounds() -> anyhow::Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut definition = Definition::read(&root, ALL)?;
        let contender = &mut definition.contender[0];
        contender.read(&["100", "0.5", "0.25"], "masters")?;
        contender.read(&["100", "0.25", "0.5"], "masters")?;
        assert!(contender.read(&["101", "0.5", "0.5"], "masters").is_err());
        assert!(contender.read(&["100", "0.5"], "masters").is_err());
        let half_moves = definition.collection[0].half_moves as f64;
        let report = definition.report()?;
        let bits = format!("| halfmove | masters | {:.2} |", 800.0 / half_moves);
        assert!(report.contains(&bits), "{report}");
        Ok(())
    }
}
