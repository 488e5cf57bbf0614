//! The last step of a change that writes files.

use super::writer::Written;
use crate::error::ArchiveError;
use crate::snapshot::{NewFile, Snapshot, sync_folder};

/// Gives new files their names and commits the change that names them; the lock is held. Returns the new version, or
/// `None` if another program was faster. The files stay on disk only if they may be part of the archive.
pub(crate) fn publish(
    now: &Snapshot,
    files: &mut [Written],
    commit: impl FnOnce(&[NewFile]) -> Result<Option<u64>, ArchiveError>,
) -> Result<Option<u64>, ArchiveError> {
    for file in &mut *files {
        file.publish(now.path())?;
    }
    sync_folder(now.path()).map_err(|error| ArchiveError::io(now.path(), error))?;
    let new: Vec<NewFile> = files.iter().map(Written::to_new_file).collect();
    // From here on the log may name the files, even if a panic stops this program.
    files.iter_mut().for_each(|file| file.keep(true));
    let committed = commit(&new);
    if !matches!(committed, Ok(Some(_)) | Err(ArchiveError::OutcomeUnknown { .. })) {
        files.iter_mut().for_each(|file| file.keep(false));
    }
    committed
}
