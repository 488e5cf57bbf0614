//! The arguments of `halfmove upgrade` and `halfmove verify`.

use super::Output;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_long_help = "\
An archive of an older version can be searched and exported as it is, but nothing is imported into
it until it is upgraded. The upgrade checks every move, rewrites all files in the current
format, and makes them the archive in a single change. Games and ids stay the same. Whoever reads
the archive meanwhile sees the old files. An upgrade that fails or is interrupted leaves everything
as it was.

The old files stay for those who still read them, so the archive needs its room a second time;
`halfmove vacuum` frees the old files after seven days. What older versions did not keep, such as
comments and variations, is not in the archive and does not come back: import the PGN files again to
have it. In an archive of this format, only those files are rewritten that lack what this version
computes from the moves; if there are none, it is left alone.

Examples:
  halfmove upgrade club
  halfmove upgrade club && halfmove import club season.pgn")]
pub(crate) struct Upgrade {
    /// The archive's folder
    pub(crate) archive: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
The entries of the log, the files and their pages are compared with their checksums, and each game
is decoded. All problems are reported; the exit code is 1 if there are any. Files and entries of
other programs and of earlier versions have no checksums: of these, only the games are checked.

Examples:
  halfmove verify club
  halfmove verify club --format json")]
pub(crate) struct Verify {
    /// The archive: its folder, or its URL
    pub(crate) archive: PathBuf,
    #[command(flatten)]
    pub(crate) output: Output,
}
