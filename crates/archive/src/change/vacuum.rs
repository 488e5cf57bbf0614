//! Vacuum: deleting the files of old versions.

use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Datelike};

use super::watch::{ChangeWatch, lock_watched};
use crate::error::ArchiveError;
use crate::snapshot::{Replay, Snapshot, can_remove, is_data_file, is_free, sweep_unfinished};

/// The files that a vacuum has deleted, or would delete.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct VacuumReport {
    /// The names of the files, sorted.
    pub files: Vec<String>,
    /// Their total size in bytes.
    pub bytes: u64,
    /// The number of data files of older versions that are kept because a retained version needs them.
    pub kept: u64,
    /// The number of data files that are kept because another program wrote them.
    pub foreign: u64,
    /// The time at which the first of the kept files was removed from the archive, in milliseconds since 1970, if the
    /// log has it.
    pub kept_since_ms: Option<i64>,
}

impl VacuumReport {
    /// The day, in UTC, on which a vacuum with the retention period `keep` can delete the first of the files that stay:
    /// `2026-07-29`.
    pub fn next_day(&self, keep: Duration) -> Option<String> {
        let keep = i64::try_from(keep.as_millis()).ok()?;
        let time = DateTime::from_timestamp_millis(self.kept_since_ms?.checked_add(keep)?)?;
        Some(format!("{:04}-{:02}-{:02}", time.year(), time.month(), time.day()))
    }
}

/// Deletes data files needed only by versions that were superseded before a moment, and the leftovers of killed changes.
pub(crate) fn vacuum(
    snapshot: &Snapshot,
    before: SystemTime,
    watch: &mut dyn ChangeWatch,
) -> Result<VacuumReport, ArchiveError> {
    let lock = lock_watched(snapshot.folder()?, watch, 0)?;
    let now = snapshot.refresh()?;
    let found = unneeded(&now, before, |path| can_remove(path, &lock))?;
    for name in &found.files {
        let path = now.path().join(name);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(ArchiveError::io(&path, error));
            }
            _ => {}
        }
    }
    sweep_unfinished(&now, &lock);
    Ok(found)
}

/// The plan of [`vacuum`].
pub(crate) fn vacuum_plan(
    snapshot: &Snapshot,
    before: SystemTime,
) -> Result<VacuumReport, ArchiveError> {
    snapshot.folder()?;
    unneeded(&snapshot.refresh()?, before, is_free)
}

/// The data files needed only by versions that were superseded before this moment. `is_free` returns true if no program
/// is writing a file that is not in the log.
fn unneeded(
    snapshot: &Snapshot,
    before: SystemTime,
    is_free: impl Fn(&Path) -> bool,
) -> Result<VacuumReport, ArchiveError> {
    let replay = Replay::of(snapshot)?;
    let current: HashSet<&str> = snapshot.files().iter().map(|file| &*file.name).collect();
    let since_1970 = before.duration_since(UNIX_EPOCH).unwrap_or_default();
    let before_ms = i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX);
    let mut found = VacuumReport::default();
    for name in snapshot.location().names(snapshot.path())? {
        if current.contains(name.as_str()) {
            continue;
        }
        if !is_data_file(&name) {
            found.foreign += u64::from(replay.removed_ms.contains_key(&name));
            continue;
        }
        let path = snapshot.path().join(&name);
        let Ok(metadata) = std::fs::metadata(&path) else { continue };
        let removed = replay.removed_ms.get(&name).copied();
        let is_unneeded = match removed {
            Some(removed) => removed < before_ms,
            // A file that is neither current nor removed occurs only in an incomplete log.
            None if replay.names(&name) => false,
            // A leftover of a killed import.
            None if replay.is_complete => is_free(&path),
            None => {
                let is_old = metadata.modified().is_ok_and(|written| written < before);
                is_old && is_free(&path)
            }
        };
        if is_unneeded {
            found.bytes += metadata.len();
            found.files.push(name);
        } else {
            found.kept += 1;
            found.kept_since_ms = found.kept_since_ms.into_iter().chain(removed).min();
        }
    }
    found.files.sort_unstable();
    Ok(found)
}
