//! Going back to an earlier version: a new version that has the files of an old one.
//!
//! ```text
//!  version   0      1        2          3                4
//!  files     -      a        a b        a   ◀── undo ──▶ a b
//!                            import     undo             undo of the undo
//! ```

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use delta_kernel::transaction::UpdateTableOperation;
use delta_kernel::{Snapshot, SnapshotRef};
use serde_json::{Map, Value, json};

use super::engine::objects;
use super::files::{self, DataFile};
use super::{Archive, Change, format_of};
use crate::error::{ArchiveError, caught_in_log};
use crate::history::{Replay, told_undo};
use crate::import::{ImportWatch, lock_watched};

/// What going back to an earlier version does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct UndoReport {
    /// The version before.
    pub from: u64,
    /// The version whose games come back.
    pub to: u64,
    /// The version that was made; `None` if this is only a plan.
    pub version: Option<u64>,
    /// How many games there are before.
    pub games_before: u64,
    /// How many games there are afterwards.
    pub games_after: u64,
    /// How many files come back.
    pub files_added: u64,
    /// How many files go.
    pub files_removed: u64,
}

struct Plan {
    undo: UndoReport,
    /// The actions that add files again.
    again: Vec<Value>,
    remove: Vec<Arc<str>>,
}

impl Archive {
    /// Takes back the last change, or all changes after a version, by a new change: the archive then has the games of that
    /// version, with the ids that they had. So an undo is taken back by another undo. Ids of games that are gone are not
    /// given to others.
    ///
    /// Nothing is rewritten, so this takes no time. Fails if the archive has changed since this value was opened.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games");
    /// use halfmove_archive::{Archive, Importer};
    ///
    /// let mut importer = Importer::open(&path)?;
    /// importer.read_pgn([Ok("1. e4 e5 *".as_bytes())], &mut ())?;
    /// importer.commit()?;
    /// let archive = Archive::open(&path)?;
    /// let undo = archive.undo(None, &mut ())?;
    /// assert_eq!((undo.games_before, undo.games_after), (1, 0));
    /// assert!(archive.refresh()?.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::OutcomeUnknown`] if the very last step fails. After all other errors the archive is unchanged:
    /// [`ArchiveError::CannotUndo`] if the files of that version are gone, if it had another format, if there is nothing
    /// to take back, or if the archive has changed since it was opened; [`ArchiveError::ReadOnly`],
    /// [`ArchiveError::OldFormat`], [`ArchiveError::Io`], [`ArchiveError::Delta`], [`ArchiveError::Conflict`] and [`ArchiveError::Stopped`].
    pub fn undo(
        &self,
        to: Option<u64>,
        watch: &mut dyn ImportWatch,
    ) -> Result<UndoReport, ArchiveError> {
        let _lock = lock_watched(self.folder()?, watch, 0)?;
        let now = self.refresh()?;
        if now.version() != self.version() {
            return Err(self.cannot_undo(format!(
                "it has changed in the meantime, from version {} to {}",
                self.version(),
                now.version()
            )));
        }
        let plan = now.plan_undo(to)?;
        let undo = plan.undo;
        let (added, removed) = (
            undo.games_after.saturating_sub(undo.games_before),
            undo.games_before.saturating_sub(undo.games_after),
        );
        let change = Change {
            operation: UpdateTableOperation::Custom("RESTORE".to_owned()),
            told: told_undo(undo.to, added, removed),
            add: &[],
            again: plan.again,
            remove: plan.remove.iter().map(AsRef::as_ref).collect(),
            last_id: now.last_id()?,
        };
        match now.change(change)? {
            version @ Some(_) => Ok(UndoReport { version, ..undo }),
            None => Err(ArchiveError::Conflict { path: now.path().to_owned() }),
        }
    }

    /// What [`Archive::undo`] would do. Nothing is changed.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::CannotUndo`] and [`ArchiveError::OldFormat`], as there, and [`ArchiveError::Damaged`] if the log is not as
    /// it was written.
    pub fn undo_plan(&self, to: Option<u64>) -> Result<UndoReport, ArchiveError> {
        Ok(self.plan_undo(to)?.undo)
    }

    fn cannot_undo(&self, why: String) -> ArchiveError {
        ArchiveError::CannotUndo { path: self.path().to_owned(), why }
    }

    fn plan_undo(&self, to: Option<u64>) -> Result<Plan, ArchiveError> {
        self.check_current()?;
        let from = self.version();
        let to = match to {
            Some(to) if to >= from => {
                return Err(self.cannot_undo(format!("its version is {from}, not above {to}")));
            }
            Some(to) => to,
            None => from.checked_sub(1).ok_or_else(|| {
                self.cannot_undo("nothing has been done to it since it was created".to_owned())
            })?,
        };
        // Opening has read only what came since the last checkpoint.
        Replay::of(self)?;
        let target = self.snapshot_at(to).map_err(|error| {
            self.cannot_undo(format!("its log does not tell what version {to} was ({error})"))
        })?;
        let format = format_of(self.path(), &target)?;
        if format != self.format() {
            return Err(self.cannot_undo(format!(
                "version {to} has format {}, and now it has format {}",
                format.name(),
                self.format().name()
            )));
        }
        let schema = |snapshot: &Snapshot| {
            serde_json::to_value(snapshot.schema().as_ref()).map_err(ArchiveError::damaged)
        };
        if !fits(&schema(&target)?, &schema(self.snapshot())?) {
            return Err(self.cannot_undo(format!("version {to} has other columns")));
        }
        let files = self.with_snapshot(Arc::clone(&target))?.files;
        let (back, gone) = (without(&files, self.files()), without(self.files(), &files));
        if back.is_empty() && gone.is_empty() {
            return Err(self.cannot_undo(format!("version {to} has the same games")));
        }
        // Also those that stay: without them, it would not be that version again.
        for file in files.iter() {
            let why = match self.location().open(&file.path).and_then(|file| file.length()) {
                Ok(length) if length == file.bytes => continue,
                Ok(length) => format!("has {length} bytes and had {}", file.bytes),
                Err(_) => "is gone".to_owned(),
            };
            let name = &file.name;
            return Err(self.cannot_undo(format!("the file {name} of version {to} {why}")));
        }
        let games = |files: &[DataFile]| files.iter().map(|file| file.games).sum();
        let undo = UndoReport {
            from,
            to,
            version: None,
            games_before: self.len(),
            games_after: games(&files),
            files_added: back.len() as u64,
            files_removed: gone.len() as u64,
        };
        let names: HashSet<&str> = back.iter().map(|file| &*file.name).collect();
        let remove = gone.iter().map(|file| Arc::clone(&file.name)).collect();
        Ok(Plan { undo, again: self.actions(&target, &names)?, remove })
    }

    /// The state of the table at an earlier version.
    pub(super) fn snapshot_at(&self, version: u64) -> Result<SnapshotRef, ArchiveError> {
        caught_in_log(self.path(), || {
            let snapshot = Snapshot::builder_for(self.location().url().as_str());
            Ok(snapshot.at_version(version).build(self.engine())?)
        })
    }

    /// The data files of an earlier version.
    pub(crate) fn files_at(&self, version: u64) -> Result<Arc<[DataFile]>, ArchiveError> {
        let snapshot = self.snapshot_at(version)?;
        caught_in_log(self.path(), || files::list(&snapshot, self.engine(), self.location()))
    }

    /// The actions that add some files of an earlier version, by their names.
    fn actions(
        &self,
        target: &SnapshotRef,
        names: &HashSet<&str>,
    ) -> Result<Vec<Value>, ArchiveError> {
        let mut actions = Vec::with_capacity(names.len());
        let scan = Arc::clone(target).scan_builder().build()?;
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
}

/// The action that adds a file, from what a scan says of it.
fn add_action(mut row: Map<String, Value>) -> Value {
    if let Some(Value::Object(constants)) = row.remove("fileConstantValues") {
        row.extend(constants);
    }
    row.entry("partitionValues").or_insert_with(|| json!({}));
    row.insert("dataChange".to_owned(), true.into());
    json!({ "add": row })
}

/// The files that are not among others.
fn without<'a>(files: &'a [DataFile], others: &[DataFile]) -> Vec<&'a DataFile> {
    let others: HashMap<&str, _> = others.iter().map(|file| (&*file.name, &file.deleted)).collect();
    files.iter().filter(|file| others.get(&*file.name) != Some(&&file.deleted)).collect()
}

/// Whether files of an older schema can be read with a newer one: it has the same columns, and possibly more, which may be
/// null.
pub(crate) fn fits(old: &Value, new: &Value) -> bool {
    let fields = |schema: &Value| schema.get("fields").and_then(Value::as_array).cloned();
    let (Some(old), Some(new)) = (fields(old), fields(new)) else { return false };
    let is_nullable = |field: &Value| field.get("nullable") == Some(&Value::Bool(true));
    old.iter().all(|field| new.contains(field))
        && new.iter().all(|field| old.contains(field) || is_nullable(field))
}
