//! Adding one entry to the log, durably and atomically.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use delta_kernel::arrow::array::StructArray;
use delta_kernel::committer::{CommitMetadata, CommitResponse, Committer, PublishMetadata};
use delta_kernel::transaction::{CommitResult, Transaction, UpdateTableOperation};
use delta_kernel::{
    Engine, FileMeta, FilteredEngineData, KernelError, KernelResult, KernelResultIterator,
};
use delta_kernel_default_engine::build_add_file_metadata;
use delta_kernel_default_engine::parquet::DataFileMetadata;
use url::Url;
use uuid::Uuid;

use super::sums::{Sums, seal};
use super::unfinished::UNFINISHED_PREFIX;
use super::{Archive, WRITER};
use crate::error::ArchiveError;
use crate::schema::{ADDED, COLUMNS, delta_field, format_properties};

/// A finished data file that is to be added to the table.
#[derive(Debug)]
pub(crate) struct NewFile {
    /// Its path within the folder of the table.
    pub(crate) path: PathBuf,
    /// Its length in bytes.
    pub(crate) bytes: u64,
    /// Number of rows, smallest and largest values, as the kernel counts them.
    pub(crate) statistics: StructArray,
    pub(crate) sums: Sums,
}

impl Archive {
    /// Adds one entry to the log that adds these files. `None` if another commit took the same version.
    ///
    /// After [`ArchiveError::OutcomeUnknown`] the log may name the files; after other errors it does not.
    pub(crate) fn add_files(&self, files: &[NewFile]) -> Result<Option<u64>, ArchiveError> {
        let committer = DurableCommitter::new(self.path()).with_files(files);
        let linked = Arc::clone(&committer.linked);
        let transaction = self
            .snapshot()
            .clone()
            .update_table(UpdateTableOperation::Write, WRITER, true)
            .with_blind_append()
            .build(self.engine(), Box::new(committer))?;
        self.commit(transaction, files, &linked)
    }

    /// Adds one entry to the log that replaces all files of an archive of format 0 by these, and its schema and
    /// properties by the current ones. Otherwise like [`Archive::add_files`].
    pub(crate) fn replace_files(&self, files: &[NewFile]) -> Result<Option<u64>, ArchiveError> {
        let mut committer = DurableCommitter::new(self.path()).with_files(files);
        committer.properties = format_properties();
        let linked = Arc::clone(&committer.linked);
        let mut change =
            self.snapshot().clone().update_table(UpdateTableOperation::Write, WRITER, true);
        for column in COLUMNS.iter().filter(|column| ADDED.contains(&column.name)) {
            change = change.add_column(delta_field(column)?);
        }
        let mut transaction = change.build(self.engine(), Box::new(committer))?;
        let scan = self.snapshot().clone().scan_builder().build()?;
        for metadata in scan.scan_metadata(self.engine())? {
            transaction.remove_files(metadata?.scan_files);
        }
        self.commit(transaction, files, &linked)
    }

    /// Commits a change that adds these files. `linked` tells whether the log may hold it.
    fn commit(
        &self,
        mut transaction: Transaction,
        files: &[NewFile],
        linked: &AtomicBool,
    ) -> Result<Option<u64>, ArchiveError> {
        let context = transaction.write_state()?.write_context_builder().build()?;
        for file in files {
            let location = Url::from_file_path(&file.path).map_err(|()| {
                ArchiveError::io(&file.path, io::Error::other("the path is not absolute"))
            })?;
            let modified = std::fs::metadata(&file.path)
                .and_then(|metadata| metadata.modified())
                .map_err(|error| ArchiveError::io(&file.path, error))?;
            let modified =
                modified.duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_millis();
            let modified = i64::try_from(modified).unwrap_or(i64::MAX);
            let metadata = DataFileMetadata::new(
                FileMeta::new(location, modified, file.bytes),
                file.statistics.clone(),
            );
            transaction.add_files(build_add_file_metadata(metadata, &context)?);
        }
        let error = match transaction.commit(self.engine()) {
            Ok(CommitResult::Committed(committed)) => return Ok(Some(committed.commit_version())),
            Ok(CommitResult::Conflicted(_)) => return Ok(None),
            Ok(CommitResult::Retryable(retryable)) => retryable.error,
            Err(error) => error,
        };
        let error = ArchiveError::from(error);
        Err(if linked.load(Ordering::Relaxed) {
            let path = self.path().to_owned();
            ArchiveError::OutcomeUnknown { path, why: error.to_string() }
        } else {
            error
        })
    }
}

/// Writes log entries so that they survive a power cut: first the whole entry under another name, flushed to the
/// disk; then a link under its own name, which fails if that version exists; then the folder is flushed.
#[derive(Debug)]
pub(crate) struct DurableCommitter {
    root: PathBuf,
    /// Whether the log may hold the entry.
    linked: Arc<AtomicBool>,
    /// Properties that change with the schema. The kernel can set them only when a table is created.
    properties: Vec<(String, String)>,
    /// The checksums of the files that are added, by their names.
    sums: HashMap<String, Sums>,
}

impl DurableCommitter {
    pub(crate) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            linked: Arc::default(),
            properties: Vec::new(),
            sums: HashMap::new(),
        }
    }

    fn with_files(mut self, files: &[NewFile]) -> Self {
        let sums = files.iter().filter_map(|file| {
            let name = file.path.file_name()?.to_str()?;
            Some((name.to_owned(), file.sums))
        });
        self.sums = sums.collect();
        self
    }
}

impl Committer for DurableCommitter {
    fn commit(
        &self,
        engine: &dyn Engine,
        actions: KernelResultIterator<'_, FilteredEngineData>,
        metadata: CommitMetadata,
    ) -> KernelResult<CommitResponse> {
        let location = metadata.published_commit_path()?;
        let entry = to_path(&location)?;
        let staged = self.root.join(format!("{UNFINISHED_PREFIX}{}.json", Uuid::new_v4()));
        let staged_url = Url::from_file_path(&staged)
            .map_err(|()| KernelError::generic(format!("{} is not absolute", staged.display())))?;
        engine.json_handler().write_json_file(&staged_url, actions, false)?;
        let size = seal(&staged, &self.properties, &self.sums)?;
        let linked = File::open(&staged).and_then(|file| file.sync_all()).and_then(|()| {
            if let Some(log) = entry.parent() {
                std::fs::create_dir_all(log)?;
            }
            self.linked.store(true, Ordering::Relaxed);
            std::fs::hard_link(&staged, &entry)
        });
        // The link is what counts; a temporary name that stays behind does no harm.
        let _ = std::fs::remove_file(&staged);
        match linked {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.linked.store(false, Ordering::Relaxed);
                return Ok(CommitResponse::Conflict { version: metadata.version() });
            }
            Err(error) => {
                // A disk that fails may have made the link nevertheless.
                let none = std::fs::symlink_metadata(&entry)
                    .is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
                self.linked.store(!none, Ordering::Relaxed);
                return Err(error.into());
            }
        }
        if let Some(log) = entry.parent() {
            sync_folder(log)?;
        }
        sync_folder(&self.root)?;
        let file_meta = FileMeta::new(location, metadata.in_commit_timestamp(), size);
        Ok(CommitResponse::Committed { file_meta })
    }

    fn is_catalog_committer(&self) -> bool {
        false
    }

    fn publish(&self, _engine: &dyn Engine, _metadata: PublishMetadata) -> KernelResult<()> {
        // Only catalog-managed tables have something to publish.
        Ok(())
    }
}

fn to_path(url: &Url) -> KernelResult<PathBuf> {
    url.to_file_path().map_err(|()| KernelError::generic(format!("{url} is no path of a file")))
}

/// Flushes a folder's entries to the disk.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    // Only Unix needs (and allows) opening a folder for this; other systems do it by themselves.
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}
