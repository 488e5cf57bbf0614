//! The arguments of `halfmove compact`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Each import adds files of its own. This merges them into files of up to a million games, and orders
the games of a file by their moves: the archive usually takes less room, and searches read less.
Games, ids and all answers stay the same. The archive can be read, and games imported, meanwhile. A
compaction that fails or is interrupted leaves everything as it was.

Files that are ordered already are rewritten only where at least an eighth of the games are new; if
there is nothing to do, nothing happens. The old files stay for those who still read them, so the
archive needs its room a second time; `halfmove vacuum` frees the old files after seven days.

Examples:
  halfmove compact club
  halfmove import club season.pgn && halfmove compact club")]
pub(crate) struct Compact {
    /// The archive's folder
    pub(crate) archive: PathBuf,
}
