//! Files that do not belong to a version of the table yet, and the removal of those that never will.
//!
//! A file that is being written is locked by the operating system, which releases the lock even if the program is
//! killed. So a file without a lock that the log does not name is a leftover.

use std::collections::HashSet;
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::Location;
use super::entries::{entries, file_of};
use super::{LOCK_FILE, Snapshot};
use crate::error::ArchiveError;

/// The prefix of files that are still being written.
pub(crate) const UNFINISHED_PREFIX: &str = ".halfmove-";

/// The name of a data file.
pub(crate) fn data_file_name(id: Uuid) -> String {
    format!("games-{id}.parquet")
}

/// Returns true if a name is that of a data file of ours.
pub(crate) fn is_data_file(name: &str) -> bool {
    let id = name.strip_prefix("games-").and_then(|rest| rest.strip_suffix(".parquet"));
    id.is_some_and(|id| id.len() == 36 && Uuid::try_parse(id).is_ok())
}

/// A file that is deleted when this value is dropped, unless `keep` is set.
#[derive(Debug)]
pub(crate) struct Unfinished {
    /// Holds the lock.
    file: File,
    path: PathBuf,
    pub(crate) keep: bool,
}

impl Unfinished {
    /// Creates a file under a unique name, and locks it.
    pub(crate) fn create(folder: &Path) -> Result<Self, ArchiveError> {
        loop {
            let path = folder.join(format!("{UNFINISHED_PREFIX}{}.tmp", Uuid::new_v4()));
            let failed = |error| ArchiveError::io(&path, error);
            let file = File::options().read(true).write(true).create_new(true).open(&path);
            let file = file.map_err(failed)?;
            // On a file system without locks, no files are swept either.
            let _ = file.lock();
            // Another program may have swept it before it was locked.
            if path.try_exists().map_err(failed)? {
                return Ok(Self { file, path, keep: false });
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A handle to read or write the file, at its beginning.
    pub(crate) fn handle(&self) -> Result<File, ArchiveError> {
        let failed = |error| ArchiveError::io(&self.path, error);
        let mut file = self.file.try_clone().map_err(failed)?;
        std::io::Seek::rewind(&mut file).map_err(failed)?;
        Ok(file)
    }

    pub(crate) fn rename(&mut self, path: PathBuf) -> Result<(), ArchiveError> {
        std::fs::rename(&self.path, &path).map_err(|error| ArchiveError::io(&path, error))?;
        self.path = path;
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.keep {
            // If this fails, only an unused file remains: nothing refers to it, and the next import removes it.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// The right to change an archive; `None` on a file system without locks.
#[derive(Debug)]
pub(crate) struct Lock(Option<File>);

/// Waits until no other change of this archive is committing.
///
/// `wait` is called repeatedly while the lock is held by another program; its error ends the waiting.
pub(crate) fn lock(
    folder: &Path,
    mut wait: impl FnMut() -> Result<(), ArchiveError>,
) -> Result<Lock, ArchiveError> {
    let path = folder.join(LOCK_FILE);
    let file = File::options().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(|error| ArchiveError::io(&path, error))?;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Lock(Some(file))),
            Err(TryLockError::WouldBlock) => wait()?,
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Interrupted => {}
            Err(TryLockError::Error(_)) => return Ok(Lock(None)),
        }
    }
}

/// Removes the leftovers of killed imports; returns the number of files. `archive` is the current version.
pub(crate) fn sweep(archive: &Snapshot, lock: &Lock) -> usize {
    if lock.0.is_none() {
        return 0;
    }
    let mut swept = sweep_unfinished(archive, lock);
    // A file that cannot be read or removed now stays for the next import: it does no harm.
    let Ok(names) = archive.location().names(archive.path()) else { return swept };
    let mut named = Named::new(archive);
    for name in names {
        if is_data_file(&name) && !named.has(&name) && remove_free(&archive.path().join(&name)) {
            swept += 1;
        }
    }
    swept
}

/// Removes unfinished files that are no longer being written; returns their number.
pub(crate) fn sweep_unfinished(archive: &Snapshot, lock: &Lock) -> usize {
    if lock.0.is_none() {
        return 0;
    }
    let Ok(names) = archive.location().names(archive.path()) else { return 0 };
    // Entries of the log are written only under the lock, which is ours, so such a file is a leftover.
    let names = names.iter().filter(|name| {
        name.starts_with(UNFINISHED_PREFIX) && (name.contains(".json") || name.ends_with(".tmp"))
    });
    names.filter(|name| remove_free(&archive.path().join(name))).count()
}

/// Returns true if a file that the log does not name may be removed: no program is writing it.
pub(crate) fn can_remove(path: &Path, lock: &Lock) -> bool {
    let Ok(file) = File::options().write(true).open(path) else { return false };
    lock.0.is_some() && file.try_lock().is_ok()
}

/// Returns true if no program is writing a file, as far as that can be determined without the right to write it.
pub(crate) fn is_free(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock_shared().is_ok())
}

/// Removes a file, unless another program is writing it.
fn remove_free(path: &Path) -> bool {
    let Ok(file) = File::options().write(true).open(path) else { return false };
    // The lock is held until the file is gone, so a program that has just created it and waits for it will notice.
    file.try_lock().is_ok() && std::fs::remove_file(path).is_ok()
}

/// The files that the log names. A file of an earlier version of the table must not be removed either.
struct Named {
    location: Location,
    /// The files of the newest version.
    files: HashSet<PathBuf>,
    /// The text of all entries, once needed; the inner `None` if some are gone.
    entries: Option<Option<String>>,
}

impl Named {
    fn new(archive: &Snapshot) -> Self {
        let names = archive.files().iter().filter_map(|file| file.path.file_name());
        let location = archive.location().clone();
        Self { location, files: names.map(PathBuf::from).collect(), entries: None }
    }

    fn has(&mut self, name: &str) -> bool {
        self.files.contains(Path::new(name)) || {
            let entries = self.entries.get_or_insert_with(|| read_entries(&self.location));
            entries.as_ref().is_none_or(|entries| entries.contains(name))
        }
    }
}

fn read_entries(archive: &Location) -> Option<String> {
    let (versions, _) = entries(archive).ok()?;
    // If entries are gone, a checkpoint may name files that no entry does.
    if versions.last().is_some_and(|last| *last >= versions.len() as u64) {
        return None;
    }
    let mut text = String::new();
    for version in versions {
        text.push_str(&std::fs::read_to_string(file_of(archive, version)).ok()?);
    }
    Some(text)
}
