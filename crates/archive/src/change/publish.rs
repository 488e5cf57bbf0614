//! The last step of a change that writes files.

use super::writer::Written;
use crate::error::ArchiveError;
use crate::snapshot::{NewFile, Snapshot, sync_folder};

/// Renames new files and commits the change that adds them; the caller holds the lock. Returns the new version, or
/// `None` if another program committed first. The files are kept on disk only if they may be part of the archive.
pub(crate) fn publish(
    now: &Snapshot,
    files: &mut [Written],
    commit: impl FnOnce(&[NewFile]) -> Result<Option<u64>, ArchiveError>,
) -> Result<Option<u64>, ArchiveError> {
    for file in &mut *files {
        file.rename(now.path())?;
    }
    sync_folder(now.path()).map_err(|error| ArchiveError::io(now.path(), error))?;
    let new: Vec<NewFile> = files.iter().map(Written::to_new_file).collect();
    // From here on the log may refer to the files, even if this program panics.
    files.iter_mut().for_each(|file| file.keep(true));
    let committed = commit(&new);
    if !matches!(committed, Ok(Some(_)) | Err(ArchiveError::OutcomeUnknown { .. })) {
        files.iter_mut().for_each(|file| file.keep(false));
    }
    committed
}
