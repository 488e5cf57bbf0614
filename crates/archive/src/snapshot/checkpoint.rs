//! Checkpoints: a file that replaces all entries of the log up to some version, so that opening an archive reads
//! only the entries after it.
//!
//! ```text
//! _delta_log/00000000000000000100.checkpoint.parquet   the files of version 100, and other state
//!            _last_checkpoint                          its version and its checksum; has a checksum, too
//! ```
//!
//! An archive is complete without checkpoints, so a failure to write one is not an error.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use serde_json::{Map, Value, json};

use super::engine::record_batch;
use super::entries::{LOG_FOLDER, entries};
use super::location::Location;
use super::sums::{Summed, check_entry, fields, from_hex, hex, mismatch, sealed, sum_from};
use super::{DeltaSnapshot, Snapshot, Unfinished, sync_folder};
use crate::error::ArchiveError;

/// The number of entries after which a checkpoint is written.
const EVERY: u64 = 100;

/// The number of files removed by one change after which a checkpoint is written.
const FILES: usize = 100;

/// The file that names the last checkpoint.
const LAST: &str = "_last_checkpoint";

/// Its tag for the checksum of the checkpoint.
const CHECKPOINT: &str = "halfmove.checkpoint.crc32";

pub(super) fn file_of(folder: &Path, version: u64) -> PathBuf {
    folder.join(format!("{version:020}.checkpoint.parquet"))
}

/// Compares the last checkpoint with its checksum; returns its version. `None` if there is none, or if another program
/// has written it, or a newer one.
pub(super) fn check(archive: &Location) -> Result<Option<u64>, ArchiveError> {
    let folder = archive.path().join(LOG_FOLDER);
    let last = folder.join(LAST);
    let damaged =
        |path: &Path, what: String| ArchiveError::damaged(format!("{}: {what}", path.display()));
    let text = match archive.read(&last) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ArchiveError::io(&last, error)),
    };
    let is_ours = check_entry(&text).map_err(|what| damaged(&last, what))?;
    let value: Option<Value> = serde_json::from_slice(&text).ok();
    if !is_ours {
        let version = value.as_ref().and_then(|value| value.get("version")?.as_u64());
        let version = version.ok_or_else(|| damaged(&last, "it names no checkpoint".to_owned()))?;
        // Other programs write several files of a version, and with longer names.
        let (_, checkpoints) = entries(archive)?;
        return match checkpoints.contains(&version) {
            true => Ok(None),
            false => {
                let what =
                    format!("it names the checkpoint of version {version}, which is missing");
                Err(damaged(&last, what))
            }
        };
    }
    let found = value.as_ref().and_then(|value| {
        let sum = value.get("tags")?.get(CHECKPOINT)?.as_str()?;
        Some((value.get("version")?.as_u64()?, from_hex(sum)?))
    });
    let (version, expected) =
        found.ok_or_else(|| damaged(&last, "it names no checkpoint".to_owned()))?;
    let path = file_of(&folder, version);
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => damaged(&path, "the file is missing".to_owned()),
        _ => ArchiveError::io(&path, error),
    };
    let sum = archive.open(&path).and_then(|file| sum_from(&file, 0)).map_err(failed)?;
    if sum != expected {
        return Err(damaged(&path, mismatch(sum, expected)));
    }
    // The table is read from the newest checkpoint, even if the file of the last checkpoint names another one.
    let (_, checkpoints) = entries(archive)?;
    Ok(Some(version).filter(|_| checkpoints.iter().all(|checkpoint| *checkpoint <= version)))
}

impl Snapshot {
    /// Writes a checkpoint of a version that has just been committed, if one is due. The caller holds the lock.
    pub(super) fn write_checkpoint_if_due(&self, version: u64, files_removed: usize) {
        let since = self.log.checkpoint.map_or(version, |last| version.saturating_sub(last));
        if since >= EVERY || files_removed >= FILES {
            // The next change tries again.
            let _ = self.write_checkpoint(version);
        }
    }

    fn write_checkpoint(&self, version: u64) -> Result<(), ArchiveError> {
        let snapshot = DeltaSnapshot::builder_from(Arc::clone(self.table())).at_version(version);
        let snapshot = snapshot.build(self.engine())?;
        let folder = self.path().join(LOG_FOLDER);
        let path = file_of(&folder, version);
        let failed = |error| ArchiveError::io(&path, error);
        if path.try_exists().map_err(failed)? {
            return Ok(());
        }
        let data =
            snapshot.create_checkpoint_writer(self.engine())?.checkpoint_data(self.engine())?;
        let state = data.state();
        let mut staged = Unfinished::create(self.path())?;
        let mut writer: Option<ArrowWriter<Summed>> = None;
        for batch in data {
            let batch = record_batch(&*batch?.apply_selection_vector()?)?;
            let writer = match &mut writer {
                Some(writer) => writer,
                none => {
                    let compression = Compression::ZSTD(ZstdLevel::try_new(2)?);
                    let properties =
                        WriterProperties::builder().set_compression(compression).build();
                    let file = Summed::new(staged.handle()?);
                    none.insert(ArrowWriter::try_new(file, batch.schema(), Some(properties))?)
                }
            };
            writer.write(&batch)?;
        }
        let Some(writer) = writer else { return Ok(()) };
        let (file, sum) = writer.into_inner()?.finish();
        file.sync_all().map_err(failed)?;
        let bytes = file.metadata().map_err(failed)?.len();
        staged.rename(path.clone())?;
        staged.keep = true;
        sync_folder(&folder).map_err(failed)?;

        let tags = [(CHECKPOINT.to_owned(), hex(sum).into())].into_iter().chain(fields());
        let last = json!({
            "version": version,
            "size": state.actions_count(),
            "sizeInBytes": bytes,
            "numOfAddFiles": state.add_actions_count(),
            "tags": tags.collect::<Map<String, Value>>(),
        });
        let text = sealed(last.to_string()).unwrap_or_default();
        let mut staged = Unfinished::create(self.path())?;
        let mut file = staged.handle()?;
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
        written.map_err(failed)?;
        staged.rename(folder.join(LAST))?;
        staged.keep = true;
        sync_folder(&folder).map_err(failed)
    }
}
