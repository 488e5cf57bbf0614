//! The arguments of long-running verbs.

use super::help::RARE;
use super::{ToFile, threads};
use clap::Args;
use std::num::NonZero;
use std::path::PathBuf;

/// Threads, memory and output of a batch.
#[derive(Debug, Args)]
pub(crate) struct Batch {
    /// Number of threads, each with its own game [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = threads, help_heading = RARE)]
    pub(crate) threads: Option<NonZero<usize>>,
    /// Hash table of each thread, in MiB
    #[arg(long, value_name = "MIB", default_value = "16", value_parser = hash, help_heading = RARE)]
    pub(crate) hash: usize,
    #[command(flatten)]
    pub(crate) to: ToFile,
    /// Import the games into this archive, which may be new
    #[arg(long, value_name = "ARCHIVE", conflicts_with = "output", help_heading = "Output")]
    pub(crate) into: Option<PathBuf>,
    /// Start over instead of resuming unfinished output
    #[arg(long, help_heading = RARE)]
    pub(crate) restart: bool,
}

/// A number of nodes.
pub(super) fn nodes(text: &str) -> Result<NonZero<u64>, String> {
    text.parse().map_err(|_| "expected a number of nodes, such as 100000".to_owned())
}

/// A number of games or half-moves.
pub(super) fn some(text: &str) -> Result<NonZero<u32>, String> {
    text.parse().map_err(|_| "expected a number of at least 1".to_owned())
}

/// The size of a table.
fn hash(text: &str) -> Result<usize, String> {
    let mib = text.parse().ok().filter(|mib| (1..=65_536).contains(mib));
    mib.ok_or_else(|| "expected a number from 1 to 65536".to_owned())
}
