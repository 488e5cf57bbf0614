//! The command line of verbs that change an archive and tell of its changes.

use super::{Filter, Ids, Output, Position};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Lists all changes of the archive, the first one first: imports with their files and the ids that
they gave, compactions, upgrades, removals, merges of names and undos. Changes by other programs are
listed as these programs name them. `details` says what was imported, by what games were removed,
or which names were merged. `restorable` says whether `undo --to` can go back to a version: it has
other games than the current one, and its files are there until `vacuum` deletes them.

Examples:
  halfmove history club
  halfmove history club --format json")]
pub(crate) struct History {
    /// The archive: its folder, or its URL
    pub(crate) archive: PathBuf,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Takes back the last change, whatever it was: an import, a removal, a merge of names, or another
undo. With --to, all changes after a version are taken back. The archive gets a new version with the
games of the old one, which have the ids that they had. Nothing is deleted from the disk, and the
ids of games that are gone are not given to others, so an undo can be undone.

It fails if files of the version are gone (vacuum), or if the format has changed since (upgrade).

Examples:
  halfmove undo club --dry-run
  halfmove undo club --to 3")]
pub(crate) struct Undo {
    /// The archive's folder
    pub(crate) archive: PathBuf,
    /// Go back to this version, as listed by `history`; the default is the one before the last
    #[arg(long, value_name = "VERSION")]
    pub(crate) to: Option<u64>,
    /// Only say what would happen
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Removes the games that meet all conditions, in one step: if it fails or is interrupted, no game is
removed. At least one condition is needed. All other games keep their ids, so there are gaps between
them. The old files stay on the disk until `vacuum` deletes them, and `undo` brings the games back.
The exit code is 1 if no game matches.

Examples:
  halfmove remove club --event \"simul\" --dry-run
  halfmove remove club --where \"plies < 4\"
  halfmove remove club --id 1204,1250-1260")]
pub(crate) struct Remove {
    /// The archive's folder
    pub(crate) archive: PathBuf,
    #[command(flatten)]
    pub(crate) position: Position,
    /// Only games with these ids: 42,7,10-20
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub(crate) id: Vec<Ids>,
    /// Only count the games
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) filter: Filter,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Deletes the files of versions that are older than --keep, and what killed imports have left. `undo`
cannot go back to versions whose files are gone; `history` says which ones these are. Files that the
current version needs, files that another program is writing, and files of other programs stay.

DURATION is a number with a unit: 30d, 36h, 90m, 10s; 2w is 14 days. With --keep 0s only the current
version is left, and whoever reads an older one at that moment finds its files missing.

Examples:
  halfmove vacuum club --dry-run
  halfmove vacuum club --keep 30d")]
pub(crate) struct Vacuum {
    /// The archive's folder
    pub(crate) archive: PathBuf,
    /// Keep the files of versions that were current within this time
    #[arg(long, value_name = "DURATION", default_value = "7d", value_parser = duration)]
    pub(crate) keep: Duration,
    /// Only list the files
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// A number with a unit of time.
fn duration(text: &str) -> Result<Duration, String> {
    let unit = |unit: char| match unit {
        's' => Some(1),
        'm' => Some(60),
        'h' => Some(60 * 60),
        'd' => Some(24 * 60 * 60),
        'w' => Some(7 * 24 * 60 * 60),
        _ => None,
    };
    let seconds = text.chars().next_back().and_then(|last| {
        let number: u64 = text.strip_suffix(last)?.parse().ok()?;
        number.checked_mul(unit(last)?)
    });
    let seconds = seconds.ok_or("expected a number with a unit: 30d, 36h, 90m, 10s or 2w")?;
    Ok(Duration::from_secs(seconds))
}
