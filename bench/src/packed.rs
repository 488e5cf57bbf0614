//! Whole games as one file: packed by us, and their PGN compressed by other programs.
//!
//! The games are in `bench/definitions/codecs/packed.toml`. `bench/peers` packs them, reads them again, and writes two files of text:
//! their PGN, and that PGN without the moves of main lines. aix-chess-compression has only moves, so its size is that of its bytes and of the second file,
//! compressed.

use crate::definition::{self, Places};
use crate::table::grouped;
use crate::{machine, process};
use anyhow::{Context, ensure};
use serde::Deserialize;
use std::fmt::Write;
use std::path::Path;

const PATH: &str = "bench/definitions/codecs/packed.toml";

/// The rows of each collection.
const ROWS: [&str; 5] =
    ["PGN", "halfmove pack", "aix, high, and zstd -19", "zstd -19 --long=27", "xz -9e"];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Definition {
    collection: Vec<Collection>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Collection {
    name: String,
    path: String,
    games: u64,
    half_moves: u64,
}

impl Definition {
    /// Reads it from a repository.
    pub(crate) fn read(root: &Path) -> anyhow::Result<Self> {
        definition::read(root, PATH)
    }

    /// The rows that a record may have.
    pub(crate) fn rows(&self) -> Vec<String> {
        let names = self.collection.iter().map(|collection| &collection.name);
        names.flat_map(|name| ROWS.map(|row| format!("{row} > {name}"))).collect()
    }
}

/// The number of bytes that a command writes.
fn compressed(words: &[&str], file: &Path) -> anyhow::Result<u64> {
    let mut words = words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    words.push(file.display().to_string());
    let bytes = process::run(&words)?.stdout.len();
    ensure!(bytes > 0, "{} writes nothing", words.join(" "));
    Ok(bytes as u64)
}

/// The sizes of a collection, in the order of [`ROWS`].
fn sizes(collection: &Collection, program: &str, path: &str) -> anyhow::Result<[u64; 5]> {
    let folder = tempfile::tempdir()?;
    let (pgn, rest) = (folder.path().join("games.pgn"), folder.path().join("rest.txt"));
    let words = [program, "packed", path, &folder.path().display().to_string()];
    let text = process::run(&words.map(str::to_owned))?.stdout;
    let text = String::from_utf8(text)?;
    let numbers = text.split_whitespace().map(str::parse).collect::<Result<Vec<u64>, _>>()?;
    let [games, half_moves, packed, aix] = numbers[..] else {
        anyhow::bail!("expected four numbers, found {text:?}")
    };
    let (found, expected) = ((games, half_moves), (collection.games, collection.half_moves));
    ensure!(found == expected, "games, half-moves: {found:?}, expected {expected:?}");
    Ok([
        pgn.metadata()?.len(),
        packed,
        aix + compressed(&["zstd", "-19", "--long=27", "-q", "-c"], &rest)?,
        compressed(&["zstd", "-19", "--long=27", "-q", "-c"], &pgn)?,
        compressed(&["xz", "-9e", "-c"], &pgn)?,
    ])
}

fn report(collections: &[(&Collection, [u64; 5])]) -> anyhow::Result<String> {
    let mut text = String::from(
        "| file | games | bytes | bytes a game | `halfmove pack` takes |\n\
         | --- | --- | ---: | ---: | ---: |\n",
    );
    for (collection, sizes) in collections {
        for (row, bytes) in ROWS.iter().zip(sizes) {
            let a_game = *bytes as f64 / collection.games as f64;
            let ratio = sizes[1] as f64 / *bytes as f64;
            let (name, bytes) = (&collection.name, grouped(*bytes as f64));
            writeln!(text, "| {row} | {name} | {bytes} | {a_game:.1} | {ratio:.2} × |")?;
        }
    }
    Ok(text)
}

/// Runs the benchmark. Returns the facts and the table of the record.
pub(crate) fn run(places: &Places) -> anyhow::Result<(String, String)> {
    let definition = Definition::read(Path::new("."))?;
    let program = places.fill("{peers}").context("HALFMOVE_PEERS names no program")?;
    let version = |name: &str| {
        let line = process::first_line(&[name.to_owned(), "--version".to_owned()]);
        line.map_or("unknown".to_owned(), |line| line.trim_matches(['*', ' ']).to_owned())
    };
    let mut about = machine::machine(&[
        ("aix-chess-compression", machine::peer_version("aix-chess-compression")),
        ("zstd", version("zstd")),
        ("xz", version("xz")),
    ]);
    writeln!(
        about,
        "- PGN: as `halfmove export` writes it, with tags, comments, clocks and evaluations"
    )?;
    writeln!(
        about,
        "- aix, high, and zstd -19: aix has only moves. Its bytes, without the lengths of games, and `zstd -19 --long=27` of all else in the PGN: tags, comments and \
         clocks as written, without their places among the moves; so a file of it would be larger"
    )?;
    let mut all = Vec::new();
    for collection in &definition.collection {
        let Collection { name, path, games, half_moves } = collection;
        let path = places.fill(path).filter(|path| Path::new(path).is_file());
        let path =
            path.with_context(|| format!("{name} is not there: HALFMOVE_DATA names its folder"))?;
        let [games, half_moves] = [*games, *half_moves].map(|count| grouped(count as f64));
        writeln!(
            about,
            "- Games, {name}: {games}, {half_moves} half-moves, from the usual start, held out of the training of dense"
        )?;
        eprintln!("{name}");
        all.push((collection, sizes(collection, &program, &path)?));
    }
    Ok((about, report(&all)?))
}

#[cfg(test)]
mod tests {
    use super::{Definition, ROWS, report};
    use std::path::Path;

    #[test]
    fn rows_are_those_of_the_definition() -> anyhow::Result<()> {
        let definition = Definition::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))?;
        let sizes = [8_000_000, 1_000_000, 2_000_000, 4_000_000, 5_000_000];
        let all = definition.collection.iter().map(|one| (one, sizes)).collect::<Vec<_>>();
        let text = report(&all)?;
        assert_eq!(text.lines().count(), 2 + definition.rows().len());
        assert!(text.contains(&format!("| {} | masters | 2,000,000 | 139.3 | 0.50 × |", ROWS[2])));
        Ok(())
    }
}
