//! The arguments of `halfmove compact`.

use super::{ChangeArchive, DryRun, Output};
use clap::Args;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(mut_arg("dry_run", |dry_run| dry_run.requires("vacuum")))]
#[command(after_long_help = "\
Each import adds its own files. This merges them into files of up to a million games, and orders the
games of a file by their moves: the archive usually takes less space, and searches read less. Games,
ids and all results stay the same. The archive can be read, and games imported, in the meantime. A
compaction that fails or is interrupted changes nothing.

Ordered files are rewritten only where at least an eighth of the games are new, or where they lack
what this version computes from the moves. The old files stay for programs that still read them, so
the archive takes its space twice until --vacuum deletes them.

With --vacuum, nothing is merged. It deletes the files of versions that are older than --keep, and
the remains of killed imports. `undo` cannot go back to versions whose files are gone; `history`
shows which ones are left. Files that the current version needs, files that another program is
writing, and files of other programs stay. DURATION is a number with a unit: 30d, 36h, 90m, 10s;
2w is 14 days. With --keep 0s only the current version is left, and a program that is reading an
older one finds its files missing.

Examples:
  halfmove compact club
  halfmove import club season.pgn && halfmove compact club
  halfmove compact club --vacuum --dry-run
  halfmove compact club --vacuum --keep 30d")]
pub(crate) struct Compact {
    #[command(flatten)]
    pub(crate) archive: ChangeArchive,
    /// Delete the files that only old versions of the archive need, and merge nothing
    #[arg(long)]
    pub(crate) vacuum: bool,
    /// With --vacuum, keep the files of versions that were current within this time
    #[arg(
        long,
        value_name = "DURATION",
        default_value = "7d",
        value_parser = duration,
        requires = "vacuum"
    )]
    pub(crate) keep: Duration,
    #[command(flatten)]
    pub(crate) plan: DryRun,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Parses a number with a unit of time.
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
