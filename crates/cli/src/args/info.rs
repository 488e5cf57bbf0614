//! The arguments of `halfmove info`.

use super::Output;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Counts games, half-moves, results and variants, and says what the archive takes on the disk.
`halfmove ARCHIVE` does the same.

Examples:
  halfmove info club
  halfmove info club --format json")]
pub(crate) struct Info {
    /// The archive: its folder, or its URL
    pub(crate) archive: PathBuf,
    #[command(flatten)]
    pub(crate) output: Output,
}
