//! Adding one entry to the log, durably and atomically.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use delta_kernel::arrow::array::{Array, AsArray, StructArray};
use delta_kernel::committer::{CommitMetadata, CommitResponse, Committer, PublishMetadata};
use delta_kernel::engine::arrow_data::ArrowEngineData;
use delta_kernel::transaction::{
    CommitResult, Transaction, UpdateTableOperation, UpdateTableTransactionBuilder,
};
use delta_kernel::{
    Engine, FileMeta, FilteredEngineData, KernelError, KernelResult, KernelResultIterator,
};
use delta_kernel_default_engine::build_add_file_metadata;
use delta_kernel_default_engine::parquet::DataFileMetadata;
use url::Url;
use uuid::Uuid;

use super::sums::{Sums, seal};
use super::unfinished::UNFINISHED_PREFIX;
use super::{Archive, DataFile, WRITER};
use crate::error::ArchiveError;
use crate::schema::{DERIVED_PREFIX, Format, delta_field, derived_properties, format_properties};

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
        let mut committer = DurableCommitter::new(self.path()).with_files(files);
        committer.properties = self.grown_properties();
        let linked = Arc::clone(&committer.linked);
        let change =
            self.snapshot().clone().update_table(UpdateTableOperation::Write, WRITER, true);
        let change = match self.shape().missing.is_empty() {
            true => change.with_blind_append(),
            false => self.grow(change)?,
        };
        let transaction = change.build(self.engine(), Box::new(committer))?;
        self.commit(transaction, files, &linked)
    }

    /// Adds one entry to the log that replaces some files by others, which hold the same games. The schema becomes the
    /// current one, and so do the properties of an archive of format 0. Otherwise like [`Archive::add_files`].
    pub(crate) fn replace_files(
        &self,
        old: &[DataFile],
        new: &[NewFile],
    ) -> Result<Option<u64>, ArchiveError> {
        let mut committer = DurableCommitter::new(self.path()).with_files(new);
        committer.properties = self.grown_properties();
        let (operation, changes_data) = match self.format() {
            // The bytes of the moves change their meaning.
            Format::Zero => {
                committer.properties.extend(format_properties());
                (UpdateTableOperation::Write, true)
            }
            Format::One => (UpdateTableOperation::Optimize, false),
        };
        let linked = Arc::clone(&committer.linked);
        let change = self.snapshot().clone().update_table(operation, WRITER, changes_data);
        let mut transaction = self.grow(change)?.build(self.engine(), Box::new(committer))?;
        let names: HashSet<&str> =
            old.iter().filter_map(|file| file.path.file_name()?.to_str()).collect();
        let scan = self.snapshot().clone().scan_builder().build()?;
        let mut removed = 0;
        for metadata in scan.scan_metadata(self.engine())? {
            let (data, mut selected) = metadata?.scan_files.into_parts();
            let batch = ArrowEngineData::try_from_engine_data(data)?;
            let paths = batch.record_batch().column_by_name("path");
            let paths = paths.and_then(|paths| paths.as_string_opt::<i32>());
            let paths = paths.ok_or_else(|| ArchiveError::damaged("the log names no files"))?;
            selected.resize(paths.len(), true);
            for (row, selected) in selected.iter_mut().enumerate() {
                *selected &= paths.is_valid(row) && names.contains(paths.value(row));
                removed += usize::from(*selected);
            }
            transaction.remove_files(FilteredEngineData::try_new(batch, selected)?);
        }
        // What is no longer there has been replaced by somebody else.
        if removed != names.len() {
            return Ok(None);
        }
        self.commit(transaction, new, &linked)
    }

    /// Adds the columns that the table lacks.
    fn grow(
        &self,
        mut change: UpdateTableTransactionBuilder,
    ) -> Result<UpdateTableTransactionBuilder, ArchiveError> {
        for column in &self.shape().missing {
            change = change.add_column(delta_field(column)?);
        }
        Ok(change)
    }

    /// The properties that come with these columns.
    fn grown_properties(&self) -> Vec<(String, String)> {
        let missing = &self.shape().missing;
        let is_of = |property: &str| {
            missing.iter().any(|column| property.strip_prefix(DERIVED_PREFIX) == Some(column.name))
        };
        derived_properties().filter(|(property, _)| is_of(property)).collect()
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
