//! Adds an entry to the log, durably and atomically.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use delta_kernel::committer::{CommitMetadata, CommitResponse, Committer, PublishMetadata};
use delta_kernel::engine_data::FilteredRowVisitor;
use delta_kernel::transaction::{
    CommitResult, Transaction, UpdateTableOperation, UpdateTableTransactionBuilder,
};
use delta_kernel::{
    Engine, FileMeta, FilteredEngineData, KernelError, KernelResult, KernelResultIterator,
};
use serde_json::{Map, Value, json};
use url::Url;
use uuid::Uuid;

use super::engine::{FileStatistics, Named, add_file, objects};
use super::entries::name_of as entry_name;
use super::rename::{rename_new, sync_folder};
use super::schema::{DERIVED_PREFIX, delta_field, derived_properties};
use super::sums::{Extras, Sums, seal};
use super::unfinished::UNFINISHED_PREFIX;
use super::{DataFile, Snapshot, WRITER};
use crate::error::{ArchiveError, of_commit};

/// A finished data file to be added to the table.
#[derive(Debug)]
pub(crate) struct NewFile {
    /// Its path within the folder of the table.
    pub(crate) path: PathBuf,
    /// Its length in bytes.
    pub(crate) bytes: u64,
    /// The number of rows, and the minimum and maximum of some columns.
    pub(crate) statistics: FileStatistics,
    pub(crate) sums: Sums,
}

/// The additional fields of an entry's `commitInfo`.
pub(crate) type Notes = Map<String, Value>;

/// The name of the transaction whose version is the highest id ever given.
pub(crate) const LAST_ID: &str = "halfmove.last_id";

/// One change of an archive.
#[derive(Debug)]
pub(crate) struct Change<'a> {
    /// The operation, as other programs name it.
    pub(crate) operation: UpdateTableOperation,
    /// The notes for the history.
    pub(crate) notes: Notes,
    /// New files.
    pub(crate) add: &'a [NewFile],
    /// Actions that add files of an earlier version again.
    pub(crate) again: Vec<Value>,
    /// The files to remove, by their names in the log.
    pub(crate) remove: HashSet<&'a str>,
    /// The highest id ever given.
    pub(crate) last_id: i64,
}

impl Snapshot {
    /// Adds an entry to the log that adds these files. `None` if another commit took the same version.
    ///
    /// After [`ArchiveError::OutcomeUnknown`] the log may name the files; after other errors it does not.
    pub(crate) fn add_files(
        &self,
        files: &[NewFile],
        notes: Notes,
        last_id: i64,
    ) -> Result<Option<u64>, ArchiveError> {
        let mut committer = DurableCommitter::new(self.path()).with_files(files);
        committer.extras.properties = self.grown_properties();
        committer.extras.notes = notes;
        let may_be_committed = Arc::clone(&committer.may_be_committed);
        let change = self.table().clone().update_table(UpdateTableOperation::Write, WRITER, true);
        let change = match self.shape().missing.is_empty() {
            true => change.with_blind_append(),
            false => self.grow(change)?,
        };
        let transaction = change.build(self.engine(), Box::new(committer))?;
        let transaction = transaction.with_transaction_id(LAST_ID.to_owned(), last_id);
        self.commit(transaction, files, 0, &may_be_committed)
    }

    /// Adds an entry to the log that replaces some files with others that hold the same games. The schema becomes the
    /// current one. `None` also if a file no longer exists. Otherwise like [`Snapshot::add_files`].
    pub(crate) fn replace_files(
        &self,
        old: &[DataFile],
        new: &[NewFile],
        notes: Notes,
    ) -> Result<Option<u64>, ArchiveError> {
        let mut committer = DurableCommitter::new(self.path()).with_files(new);
        committer.extras.properties = self.grown_properties();
        committer.extras.notes = notes;
        let may_be_committed = Arc::clone(&committer.may_be_committed);
        let change =
            self.table().clone().update_table(UpdateTableOperation::Optimize, WRITER, false);
        let mut transaction = self.grow(change)?.build(self.engine(), Box::new(committer))?;
        let names: HashSet<&str> =
            old.iter().filter_map(|file| file.path.file_name()?.to_str()).collect();
        // Another program has replaced the files that are missing.
        if self.take_out(&mut transaction, &names)? != names.len() {
            return Ok(None);
        }
        self.commit(transaction, new, names.len(), &may_be_committed)
    }

    /// Adds an entry to the log with any change of files. Otherwise like [`Snapshot::add_files`].
    pub(crate) fn change(&self, change: Change<'_>) -> Result<Option<u64>, ArchiveError> {
        let mut committer = DurableCommitter::new(self.path()).with_files(change.add);
        committer.extras.notes = change.notes;
        committer.extras.again = change.again;
        let may_be_committed = Arc::clone(&committer.may_be_committed);
        let mut update = self.table().clone().update_table(change.operation, WRITER, true);
        if !change.add.is_empty() {
            committer.extras.properties = self.grown_properties();
            update = self.grow(update)?;
        }
        let transaction = update.build(self.engine(), Box::new(committer))?;
        let mut transaction = transaction.with_transaction_id(LAST_ID.to_owned(), change.last_id);
        self.take_out(&mut transaction, &change.remove)?;
        self.commit(transaction, change.add, change.remove.len(), &may_be_committed)
    }

    /// Removes files, by their names in the log; returns the number of files found.
    fn take_out(
        &self,
        transaction: &mut Transaction,
        names: &HashSet<&str>,
    ) -> Result<usize, ArchiveError> {
        let scan = self.table().clone().scan_builder().build()?;
        let mut removed = 0;
        for metadata in scan.scan_metadata(self.engine())? {
            let files = metadata?.scan_files;
            let mut named = Named::new(names);
            named.visit_rows_of(&files)?;
            let ((data, _), selected) = (files.into_parts(), named.selected);
            let count = selected.iter().filter(|selected| **selected).count();
            if count > 0 {
                removed += count;
                transaction.remove_files(FilteredEngineData::try_new(data, selected)?);
            }
        }
        Ok(removed)
    }

    /// The actions that add some of the files again, by their names. The archive is in a folder.
    pub(crate) fn add_actions(&self, names: &HashSet<&str>) -> Result<Vec<Value>, ArchiveError> {
        let mut actions = Vec::with_capacity(names.len());
        let scan = Arc::clone(self.table()).scan_builder().build()?;
        for metadata in scan.scan_metadata(self.engine())? {
            for row in objects(&*metadata?.scan_files.apply_selection_vector()?)? {
                let name = row.get("path").and_then(Value::as_str);
                if name.is_some_and(|name| names.contains(name)) {
                    actions.push(add_action(row));
                }
            }
        }
        Ok(actions)
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

    /// The properties to set with these columns.
    fn grown_properties(&self) -> Vec<(String, String)> {
        let missing = &self.shape().missing;
        let is_of = |property: &str| {
            missing.iter().any(|column| property.strip_prefix(DERIVED_PREFIX) == Some(column.name))
        };
        derived_properties().filter(|(property, _)| is_of(property)).collect()
    }

    /// The highest id ever given, even to games that are gone, because ids are not reused. 0 if there is none.
    pub(crate) fn last_id_given(&self) -> Result<i64, ArchiveError> {
        let noted = self.table().get_app_id_version(LAST_ID, self.engine())?;
        Ok(noted.unwrap_or(0).max(self.last_id_in_use()))
    }

    /// Commits a change that adds these files. Sets `may_be_committed` to true before the log can hold the entry.
    fn commit(
        &self,
        mut transaction: Transaction,
        files: &[NewFile],
        removed: usize,
        may_be_committed: &AtomicBool,
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
            let name = context.resolve_file_path(&location)?;
            transaction.add_files(add_file(&name, file.bytes, modified, &file.statistics)?);
        }
        let error = match transaction.commit(self.engine()) {
            Ok(CommitResult::Committed(committed)) => {
                let version = committed.commit_version();
                self.write_checkpoint_if_due(version, removed);
                return Ok(Some(version));
            }
            Ok(CommitResult::Conflicted(_)) => return Ok(None),
            Ok(CommitResult::Retryable(retryable)) => retryable.error,
            Err(error) => error,
        };
        let error = of_commit(self.path(), error);
        Err(if may_be_committed.load(Ordering::Relaxed) {
            let path = self.path().to_owned();
            ArchiveError::OutcomeUnknown { path, why: error.to_string() }
        } else {
            error
        })
    }
}

/// The action that adds a file, from a row of a scan.
fn add_action(mut row: Map<String, Value>) -> Value {
    if let Some(Value::Object(constants)) = row.remove("fileConstantValues") {
        row.extend(constants);
    }
    row.entry("partitionValues").or_insert_with(|| json!({}));
    row.insert("dataChange".to_owned(), true.into());
    json!({ "add": row })
}

/// Writes log entries so that they survive a power cut: first the whole entry under another name, flushed to the
/// disk; then its own name, which fails if that version exists; then the folder is flushed.
#[derive(Debug)]
pub(crate) struct DurableCommitter {
    root: PathBuf,
    /// True if the log may hold the entry.
    may_be_committed: Arc<AtomicBool>,
    extras: Extras,
}

impl DurableCommitter {
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), may_be_committed: Arc::default(), extras: Extras::default() }
    }

    fn with_files(mut self, files: &[NewFile]) -> Self {
        let sums = files.iter().filter_map(|file| {
            let name = file.path.file_name()?.to_str()?;
            Some((name.to_owned(), file.sums))
        });
        self.extras.sums = sums.collect();
        self
    }
}

/// The temporary name of an entry, until it is complete. Dropping this value removes it, even after an error.
struct FirstName(PathBuf);

impl Drop for FirstName {
    fn drop(&mut self) {
        // Only the link matters; a leftover temporary name does no harm.
        let _ = std::fs::remove_file(&self.0);
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
        let name = format!("{UNFINISHED_PREFIX}{}.json", Uuid::new_v4());
        let first = FirstName(self.root.join(name));
        let staged = first.0.as_path();
        let staged_url = Url::from_file_path(staged)
            .map_err(|()| KernelError::generic(format!("{} is not absolute", staged.display())))?;
        // The name is unique, so replacing is safe, and needs no hard links.
        engine.json_handler().write_json_file(&staged_url, actions, true)?;
        let version = metadata.version();
        let before = version.checked_sub(1).and_then(|before| {
            let bytes = std::fs::read(entry.with_file_name(entry_name(before))).ok()?;
            Some(crc32fast::hash(&bytes))
        });
        let size = seal(staged, version, before, &self.extras)?;
        let linked = File::open(staged).and_then(|file| file.sync_all()).and_then(|()| {
            if let Some(log) = entry.parent() {
                std::fs::create_dir_all(log)?;
            }
            self.may_be_committed.store(true, Ordering::Relaxed);
            rename_new(&self.root, staged, &entry)
        });
        drop(first);
        match linked {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.may_be_committed.store(false, Ordering::Relaxed);
                return Ok(CommitResponse::Conflict { version: metadata.version() });
            }
            Err(error) => {
                // A failing disk may have made the link nevertheless.
                let none = std::fs::symlink_metadata(&entry)
                    .is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
                self.may_be_committed.store(!none, Ordering::Relaxed);
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
        // Only tables managed by a catalog have something to publish.
        Ok(())
    }
}

fn to_path(url: &Url) -> KernelResult<PathBuf> {
    url.to_file_path().map_err(|()| KernelError::generic(format!("{url} is not the URL of a file")))
}
