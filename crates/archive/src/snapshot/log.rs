//! The entries of the log that have been compared with their checksums.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::checkpoint;
use super::entries::{LOG_FOLDER, entries, file_of, name_of};
use super::location::Location;
use super::sums::check_entry_of;
use crate::error::ArchiveError;

/// The part of the log that has been read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log {
    /// The first version that has not been read.
    next: u64,
    /// The last entry that was read: its version and the checksum of the whole.
    last: Option<(u64, u32)>,
    /// The checkpoint written by this library that replaces the entries up to it, if its checksum matches.
    pub(super) checkpoint: Option<u64>,
    /// True if there are only checkpoints without a checksum.
    pub(super) trusts_checkpoint: bool,
    /// The numbers of entries that were read, and of those that have no checksum.
    pub(crate) entries: u64,
    pub(crate) unchecked: u64,
}

impl Log {
    /// The problem of a missing entry.
    pub(crate) const MISSING: &str = "the entry is missing";

    /// The name of the first entry that is missing before this version.
    pub(crate) fn lacks(&self, version: u64) -> Option<String> {
        (self.next <= version).then(|| name_of(self.next))
    }

    /// Reads all existing entries, and passes each problem to `problem`, with the name of the entry.
    pub(crate) fn read(
        archive: &Location,
        problem: impl FnMut(String, String) -> Result<(), ArchiveError>,
    ) -> Result<Self, ArchiveError> {
        Self::read_from(archive, None, problem)
    }

    /// Reads the entries after the last checkpoint, or all of them if another program wrote the checkpoint. Stops at
    /// the first problem.
    pub(crate) fn read_sound(archive: &Location) -> Result<Self, ArchiveError> {
        let checkpoint =
            checkpoint::check(archive).map_err(|error| with_way_out(archive, error))?;
        Self::read_from(archive, checkpoint, |entry, what| {
            let entry = archive.path().join(LOG_FOLDER).join(entry);
            Err(ArchiveError::damaged(format!("{}: {what}", entry.display())))
        })
    }

    fn read_from(
        archive: &Location,
        checkpoint: Option<u64>,
        mut problem: impl FnMut(String, String) -> Result<(), ArchiveError>,
    ) -> Result<Self, ArchiveError> {
        let (mut versions, checkpoints) = entries(archive)?;
        // Any checkpoint replaces the entries before it, which may be gone.
        let first = checkpoints.last().map_or(0, |version| version + 1);
        if let Some(checkpoint) = checkpoint {
            versions.retain(|version| *version > checkpoint);
        }
        let trusts_checkpoint = checkpoint.is_none() && !checkpoints.is_empty();
        let mut log = Self { checkpoint, trusts_checkpoint, ..Self::default() };
        // The entry before the first one, if it still exists and is sound.
        log.last = checkpoint.and_then(|version| {
            let bytes = archive.read(&file_of(archive, version)).ok()?;
            check_entry_of(version, None, &bytes).ok()?;
            Some((version, crc32fast::hash(&bytes)))
        });
        let mut next = first;
        let files: Vec<PathBuf> =
            versions.iter().map(|version| file_of(archive, *version)).collect();
        let read = archive.read_all(&files);
        for ((version, file), bytes) in versions.iter().copied().zip(&files).zip(read) {
            if version > next {
                problem(name_of(next), Self::MISSING.to_owned())?;
            }
            next = next.max(version + 1);
            if let Err(what) = log.check(version, file, bytes)? {
                problem(name_of(version), what)?;
            }
        }
        log.next = next;
        Ok(log)
    }

    /// Reads the newer entries, up to some version.
    pub(crate) fn read_to(&mut self, archive: &Location, version: u64) -> Result<(), ArchiveError> {
        if self.next <= version {
            self.checkpoint = checkpoint::check(archive)?;
            self.trusts_checkpoint = self.checkpoint.is_none() && !entries(archive)?.1.is_empty();
        }
        while self.next <= version {
            let entry = file_of(archive, self.next);
            if let Err(what) = self.check(self.next, &entry, archive.read(&entry))? {
                return Err(ArchiveError::damaged(format!("{}: {what}", entry.display())));
            }
            self.next += 1;
        }
        Ok(())
    }

    /// Checks an entry that was read. The inner error is the problem with it.
    fn check(
        &mut self,
        version: u64,
        file: &Path,
        bytes: std::io::Result<Bytes>,
    ) -> Result<Result<(), String>, ArchiveError> {
        let bytes = match bytes {
            Ok(bytes) => bytes,
            // A checkpoint may have replaced it.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Ok(())),
            Err(error) => return Err(ArchiveError::io(file, error)),
        };
        self.entries += 1;
        let before = self.last.filter(|(last, _)| last + 1 == version).map(|(_, sum)| sum);
        let checked = check_entry_of(version, before, &bytes);
        // An entry after a damaged one is not damaged for that reason.
        self.last = checked.is_ok().then(|| (version, crc32fast::hash(&bytes)));
        Ok(checked.map(|is_checked| self.unchecked += u64::from(!is_checked)))
    }
}

/// Adds a remedy to the error of a damaged checkpoint: if all entries exist, no checkpoint is needed.
fn with_way_out(archive: &Location, error: ArchiveError) -> ArchiveError {
    let is_complete = entries(archive).is_ok_and(|(versions, _)| {
        !versions.is_empty() && versions.iter().zip(0..).all(|(found, version)| *found == version)
    });
    match error {
        ArchiveError::Damaged(what) if is_complete => ArchiveError::Damaged(format!(
            "{what} (all entries of the log are there: if its checkpoints and _last_checkpoint are moved elsewhere, it is read from the entries, unless one of these is damaged, too)"
        )),
        error => error,
    }
}
