//! The arguments of `halfmove verify`.

use super::{Output, ReadArchive};
use clap::Args;

#[derive(Debug, Args)]
#[command(after_long_help = "\
The entries of the log, the files and their pages are compared with their checksums, and each game
is decoded. All problems are reported; the exit code is 1 if there are any. Files and entries of
other programs and of earlier versions have no checksums: of these, only the games are checked.

Examples:
  halfmove verify club
  halfmove verify club --format json")]
pub(crate) struct Verify {
    #[command(flatten)]
    pub(crate) archive: ReadArchive,
    #[command(flatten)]
    pub(crate) output: Output,
}
