//! The arguments of `halfmove history`, `halfmove undo` and `halfmove remove`.

use super::{ChangeArchive, DryRun, Filter, GameIds, Output, Position, ReadArchive};
use clap::Args;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Lists all changes of the archive, the first one first: imports with their files and the ids that
they gave, compactions, removals, merges of names and undos. Changes by other programs are
listed as these programs name them. `details` says what was imported, by what games were removed,
or which names were merged. `restorable` says whether `undo --to` can go back to a version: it has
other games than the current one, and its files are there until `compact --vacuum`
deletes them.

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
Takes back the last change, whatever it was: an import, a removal, a merge of names, or another
undo. With --to, all changes after a version are taken back. The archive gets a new version with the
games of the old one, which have the ids that they had. Nothing is deleted from the disk, and the
ids of games that are gone are not given to others, so an undo can be undone.

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
