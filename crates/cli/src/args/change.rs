//! The arguments of `halfmove history`, `halfmove undo` and `halfmove remove`.

use super::{ChangeArchive, DryRun, Filter, GameIds, Output, Position, ReadArchive};
use clap::Args;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Lists all changes of the archive, the oldest first: imports with their files and the ids of their
games, compactions, removals, merges of names and undos. Changes by other programs have the names
that these programs gave them. `details` has the imported files, the conditions of a removal, or the
merged names. A version is `restorable` if `undo --to` can go back to it: its games differ from the
current ones, and `compact --vacuum` has not deleted its files.

Examples:
  halfmove history club
  halfmove history club --format json")]
pub(crate) struct History {
    #[command(flatten)]
    pub(crate) archive: ReadArchive,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Undoes the last change: an import, a removal, a merge of names, or another undo. With --to, undoes
all changes after a version. The archive gets a new version with the games of the old one, under
their old ids. Nothing is deleted from the disk, and ids are never reused, so an undo can be undone.

It fails if files of the version are gone (see `halfmove compact --vacuum`).

Examples:
  halfmove undo club --dry-run
  halfmove undo club --to 3")]
pub(crate) struct Undo {
    #[command(flatten)]
    pub(crate) archive: ChangeArchive,
    /// Go back to this version, as listed by `history`; the default is the one before the last
    #[arg(long, value_name = "VERSION")]
    pub(crate) to: Option<u64>,
    #[command(flatten)]
    pub(crate) plan: DryRun,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Removes the games that meet all conditions, in one step: if it fails or is interrupted, no game is
removed. At least one condition is needed. All other games keep their ids, so there are gaps between
them. The old files stay on the disk until `compact --vacuum` deletes them, and `undo` brings the
games back. The exit code is 1 if no game matches.

Examples:
  halfmove remove club --event \"simul\" --dry-run
  halfmove remove club --where \"plies < 4\"
  halfmove remove club --id 1204,1250-1260")]
pub(crate) struct Remove {
    #[command(flatten)]
    pub(crate) archive: ChangeArchive,
    #[command(flatten)]
    pub(crate) position: Position,
    #[command(flatten)]
    pub(crate) ids: GameIds,
    #[command(flatten)]
    pub(crate) plan: DryRun,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) filter: Filter,
}
