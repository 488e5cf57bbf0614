//! The arguments of `halfmove analyze`.

use super::batch::{nodes, some};
use super::{Batch, Filter, Position};
use clap::Args;
use std::num::NonZero;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Each move of the main line gets the evaluation of the position after it, from White's side, as
[%eval 0.17] or [%eval #-3]; a move that mates gets none. A move other than the engine's that loses
at least 5, 10 or 15 percentage points of winning chances, in a second, longer search too, gets the
glyph $6 (?!), $2 (?) or $4 (??), unless it has one of $1 to $6, and the better line as a variation.
Existing evaluations are replaced (see --keep-evals); everything else in a game is kept. Games of
variants that the engine does not play are copied unchanged.

The results depend only on the game, --nodes, --hash and the engine, not on the number of threads.

Unfinished output is in FILE.part, its progress in FILE.journal (likewise beside an archive). The
same command resumes it, but not with other settings or games; the result is the same to the byte.

Examples:
  halfmove analyze season.pgn --nodes 100000 -o season-analyzed.pgn
  halfmove analyze club --player carlsen --year 2024 --nodes 1000000 --into carlsen
  halfmove analyze a.pgn --engine stockfish --engine-option Threads=2 --movetime 500")]
pub(crate) struct Analyze {
    /// An archive; or PGN files, folders of them, coded files, or - for standard input
    #[arg(required = true, value_name = "GAMES")]
    pub(crate) games: Vec<PathBuf>,
    /// Nodes for each position
    #[arg(long, value_name = "N", default_value = "100000", value_parser = nodes)]
    pub(crate) nodes: NonZero<u64>,
    /// Another engine that speaks UCI: its path, or its name on PATH
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) engine: Option<String>,
    /// An option of that engine; may be given several times
    #[arg(long = "engine-option", value_name = "NAME=VALUE", requires = "engine", value_parser = option, hide_short_help = true)]
    pub(crate) engine_options: Vec<(String, String)>,
    /// Depth of that engine for each position, instead of nodes
    #[arg(long, value_name = "N", requires = "engine", conflicts_with = "nodes", value_parser = some, hide_short_help = true)]
    pub(crate) depth: Option<NonZero<u32>>,
    /// Milliseconds of that engine for each position, instead of nodes
    #[arg(long, value_name = "MS", requires = "engine", conflicts_with_all = ["nodes", "depth"], value_parser = milliseconds, hide_short_help = true)]
    pub(crate) movetime: Option<NonZero<u64>>,
    /// Mark the novelty ($146) of each game of an archive: the first move after which no earlier game has the position
    #[arg(long, conflicts_with = "against", hide_short_help = true)]
    pub(crate) novelty: bool,
    /// Mark the novelty of each game compared with the games of this archive
    #[arg(long, value_name = "ARCHIVE", hide_short_help = true)]
    pub(crate) against: Option<PathBuf>,
    /// Keep existing evaluations
    #[arg(long)]
    pub(crate) keep_evals: bool,
    /// Maximum number of half-moves of a better line; 0 for none
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) line: usize,
    #[command(flatten)]
    pub(crate) batch: Batch,
    #[command(flatten)]
    pub(crate) position: Position,
    #[command(flatten)]
    pub(crate) filter: Filter,
}

/// An option of an engine.
fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, such as Threads=2")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// A duration.
fn milliseconds(text: &str) -> Result<NonZero<u64>, String> {
    text.parse().map_err(|_| "expected a number of milliseconds, such as 500".to_owned())
}
