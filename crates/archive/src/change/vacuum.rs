//! Deleting the files of versions that nobody wants back.

use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Datelike};
use uuid::Uuid;

use super::Archive;
use super::location::{Location, names};
use super::unfinished::{can_remove, is_free, sweep_unfinished};
use crate::error::ArchiveError;
use crate::history::Replay;
use crate::import::{ImportWatch, lock_watched};

/// What a vacuum has deleted, or would delete.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct VacuumReport {
    /// The names of the files, sorted.
    pub files: Vec<String>,
    /// Their total size in bytes.
    pub bytes: u64,
    /// How many data files stay, besides those of the current version, because a version that is kept needs them.
    pub kept: u64,
    /// How many data files stay because another program has written them: that program deletes them.
    pub foreign: u64,
    /// When the first of the files that are kept was removed from the archive, in milliseconds since 1970, if the log says so.
    pub kept_since_ms: Option<i64>,
}

impl VacuumReport {
    /// The day, in UTC, on which the first of the files that stay can be deleted by a vacuum that keeps what was removed in a
    /// time as long as this: `2026-07-29`.
    pub fn next_day(&self, keep: Duration) -> Option<String> {
        let keep = i64::try_from(keep.as_millis()).ok()?;
        let time = DateTime::from_timestamp_millis(self.kept_since_ms?.checked_add(keep)?)?;
        Some(format!("{:04}-{:02}-{:02}", time.year(), time.month(), time.day()))
    }
}

impl Archive {
    /// Deletes data files needed only by versions that were superseded before `before`, and what killed imports have left. [`Archive::undo`] cannot go back to versions whose files are gone; [`Archive::history`] says which ones
    /// these are. Files of the current version, files that somebody is writing, and files that are not named like ours
    /// stay.
    ///
    /// Whoever still reads an older version may then find files missing: so the moment should lie some days ago. It can be
    /// stopped while it waits for another change; once it deletes, it goes on to the end.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games");
    /// use std::time::{Duration, SystemTime};
    /// use halfmove_archive::Archive;
    ///
    /// let archive = Archive::create(&path)?;
    /// let week = Duration::from_secs(7 * 24 * 60 * 60);
    /// let vacuumed = archive.vacuum(SystemTime::now() - week, &mut ())?;
    /// assert!(vacuumed.files.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::ReadOnly`], [`ArchiveError::Io`] if a file cannot be deleted, after which the others stay for the next time; any error from
    /// reading the log, and [`ArchiveError::Stopped`].
    pub fn vacuum(
        &self,
        before: SystemTime,
        watch: &mut dyn ImportWatch,
    ) -> Result<VacuumReport, ArchiveError> {
        let lock = lock_watched(self.folder()?, watch, 0)?;
        let now = self.refresh()?;
        let found = now.unneeded(before, |path| can_remove(path, &lock))?;
        for name in &found.files {
            let path = now.path().join(name);
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(ArchiveError::io(&path, error));
                }
                _ => {}
            }
        }
        sweep_unfinished(now.path(), &lock);
        Ok(found)
    }

    /// What [`Archive::vacuum`] would delete. Nothing is changed, and nobody has to wait: files that somebody is committing in
    /// this moment may be among them.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::ReadOnly`], and any error from reading the log.
    pub fn vacuum_plan(&self, before: SystemTime) -> Result<VacuumReport, ArchiveError> {
        self.folder()?;
        self.refresh()?.unneeded(before, is_free)
    }

    /// The data files that are needed only by versions that were superseded before this moment. `is_free` says whether
    /// nobody is writing a file that the log does not name.
    fn unneeded(
        &self,
        before: SystemTime,
        is_free: impl Fn(&Path) -> bool,
    ) -> Result<VacuumReport, ArchiveError> {
        let replay = Replay::of(self)?;
        let current: HashSet<&str> = self.files().iter().map(|file| &*file.name).collect();
        let since_1970 = before.duration_since(UNIX_EPOCH).unwrap_or_default();
        let before_ms = i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX);
        let mut found = VacuumReport::default();
        for name in names(self.path())? {
            if current.contains(name.as_str()) {
                continue;
            }
            if !is_data_file(&name) {
                found.foreign += u64::from(replay.removed_ms.contains_key(&name));
                continue;
            }
            let path = self.path().join(&name);
            let Ok(metadata) = std::fs::metadata(&path) else { continue };
            let removed = replay.removed_ms.get(&name).copied();
            let is_unneeded = match removed {
                Some(removed) => removed < before_ms,
                // Only an incomplete log names a file that is neither there nor removed.
                None if replay.names(&name) => false,
                // It is left from an import that was killed.
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
}

/// Whether a file has a name as we give it.
pub(super) fn is_data_file(name: &str) -> bool {
    let id = name.strip_prefix("games-").and_then(|rest| rest.strip_suffix(".parquet"));
    id.is_some_and(|id| id.len() == 36 && Uuid::try_parse(id).is_ok())
}

/// The names of the data files in the folder of an archive.
pub(crate) fn data_files(archive: &Location) -> Result<HashSet<String>, ArchiveError> {
    Ok(archive
        .names(archive.path())?
        .into_iter()
        .filter(|name| name.ends_with(".parquet"))
        .collect())
}
