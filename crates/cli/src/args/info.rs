//! The arguments of `halfmove info`.

use super::{Output, ReadGames};
use clap::Args;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Counts games, half-moves, results and variants, and shows the size of the archive on disk.
`halfmove ARCHIVE` does the same.

Examples:
  halfmove info club
  halfmove info club --format json")]
pub(crate) struct Info {
    #[command(flatten)]
    pub(crate) archive: ReadGames,
    #[command(flatten)]
    pub(crate) output: Output,
}
