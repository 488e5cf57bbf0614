//! The names of the files in the log.

use std::path::PathBuf;

use super::location::Location;
use crate::error::ArchiveError;

/// The folder of the log.
pub(crate) const LOG_FOLDER: &str = "_delta_log";

/// The versions of the entries in the log of an archive, and those of its checkpoints, both in ascending order.
pub(crate) fn entries(archive: &Location) -> Result<(Vec<u64>, Vec<u64>), ArchiveError> {
    let (mut versions, mut checkpoints) = (Vec::new(), Vec::new());
    for name in archive.names(&archive.path().join(LOG_FOLDER))? {
        versions.extend(version_of(&name, ".json"));
        let checkpoint = name.split_once(".checkpoint.");
        checkpoints.extend(checkpoint.and_then(|(version, _)| version_of(version, "")));
    }
    versions.sort_unstable();
    checkpoints.sort_unstable();
    Ok((versions, checkpoints))
}

/// The file of an entry.
pub(crate) fn file_of(archive: &Location, version: u64) -> PathBuf {
    archive.path().join(LOG_FOLDER).join(name_of(version))
}

/// The name of an entry.
pub(super) fn name_of(version: u64) -> String {
    format!("{version:020}.json")
}

/// The version in the name of an entry, or of another file of the log with some ending.
pub(super) fn version_of(name: &str, ending: &str) -> Option<u64> {
    let digits = name.strip_suffix(ending)?;
    (digits.len() == 20).then(|| digits.parse().ok()).flatten()
}
