//! Undo: a new version with the files of an earlier one.
//!
//! ```text
//!  version   0      1        2          3                4
//!  files     -      a        a b        a   ◀── undo ──▶ a b
//!                            import     undo             undo of the undo
//! ```

use std::collections::HashMap;
use std::sync::Arc;

use delta_kernel::Snapshot as DeltaSnapshot;
use delta_kernel::transaction::UpdateTableOperation;

use super::watch::{ChangeWatch, lock_watched};
use crate::error::ArchiveError;
use crate::snapshot::schema::fits;
use crate::snapshot::{Change, DataFile, Replay, Snapshot, notes_of_undo};

/// The effect of an undo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct UndoReport {
    /// The version before the undo.
    pub from: u64,
    /// The version that is restored.
    pub to: u64,
    /// The new version; `None` if this is only a plan.
    pub version: Option<u64>,
    /// The number of games before the undo.
    pub games_before: u64,
    /// The number of games after it.
    pub games_after: u64,
    /// The number of files restored.
    pub files_added: u64,
    /// The number of files removed.
    pub files_removed: u64,
}

struct Plan {
    undo: UndoReport,
    /// The archive at the restored version.
    then: Snapshot,
    /// The names of the files to restore.
    back: Vec<Arc<str>>,
    remove: Vec<Arc<str>>,
}

/// Undoes the last change, or all changes after a version, by a new change.
pub(crate) fn undo(
    snapshot: &Snapshot,
    to: Option<u64>,
    watch: &mut dyn ChangeWatch,
) -> Result<UndoReport, ArchiveError> {
    let _lock = lock_watched(snapshot.folder()?, watch, 0)?;
    let now = snapshot.refresh()?;
    if now.version() != snapshot.version() {
        return Err(cannot_undo(
            snapshot,
            format!(
                "it has changed in the meantime, from version {} to {}",
                snapshot.version(),
                now.version()
            ),
        ));
    }
    let plan = plan_of(&now, to)?;
    let undo = plan.undo;
    let (added, removed) = (
        undo.games_after.saturating_sub(undo.games_before),
        undo.games_before.saturating_sub(undo.games_after),
    );
    let back = plan.back.iter().map(AsRef::as_ref).collect();
    let change = Change {
        operation: UpdateTableOperation::Custom("RESTORE".to_owned()),
        notes: notes_of_undo(undo.to, added, removed),
        add: &[],
        again: plan.then.add_actions(&back)?,
        remove: plan.remove.iter().map(AsRef::as_ref).collect(),
        last_id: now.last_id_given()?,
    };
    match now.change(change)? {
        version @ Some(_) => Ok(UndoReport { version, ..undo }),
        None => Err(ArchiveError::Conflict { path: now.path().to_owned() }),
    }
}

/// The plan of [`undo`].
pub(crate) fn undo_plan(snapshot: &Snapshot, to: Option<u64>) -> Result<UndoReport, ArchiveError> {
    Ok(plan_of(snapshot, to)?.undo)
}

fn cannot_undo(snapshot: &Snapshot, why: String) -> ArchiveError {
    ArchiveError::CannotUndo { path: snapshot.path().to_owned(), why }
}

fn plan_of(snapshot: &Snapshot, to: Option<u64>) -> Result<Plan, ArchiveError> {
    snapshot.check_current()?;
    let from = snapshot.version();
    let refuse = |why: String| Err(cannot_undo(snapshot, why));
    let to = match (to, from.checked_sub(1)) {
        (Some(to), _) if to >= from => {
            return refuse(format!("its version is {from}, not above {to}"));
        }
        (Some(to), _) | (None, Some(to)) => to,
        (None, None) => {
            return refuse("it has not changed since it was created".to_owned());
        }
    };
    // Opening reads only the entries after the last checkpoint.
    Replay::of(snapshot)?;
    let target = snapshot
        .table_at(to)
        .map_err(|error| cannot_undo(snapshot, format!("its log has no version {to} ({error})")))?;
    let schema = |table: &DeltaSnapshot| {
        serde_json::to_value(table.schema().as_ref()).map_err(ArchiveError::damaged)
    };
    if !fits(&schema(&target)?, &schema(snapshot.table())?) {
        return refuse(format!("version {to} has other columns"));
    }
    let then = snapshot.with_table(target)?;
    let files = then.files();
    let (back, gone) = (without(files, snapshot.files()), without(snapshot.files(), files));
    if back.is_empty() && gone.is_empty() {
        return refuse(format!("version {to} has the same games"));
    }
    // All files are checked, including those that stay: the version needs all of them.
    for file in files {
        let why = match snapshot.location().open(&file.path).and_then(|file| file.length()) {
            Ok(length) if length == file.bytes => continue,
            Ok(length) => format!("has {length} bytes and had {}", file.bytes),
            Err(_) => "is gone".to_owned(),
        };
        return refuse(format!("the file {} of version {to} {why}", file.name));
    }
    let undo = UndoReport {
        from,
        to,
        version: None,
        games_before: snapshot.len(),
        games_after: then.len(),
        files_added: back.len() as u64,
        files_removed: gone.len() as u64,
    };
    let names = |files: Vec<&DataFile>| files.iter().map(|file| Arc::clone(&file.name)).collect();
    let (back, remove) = (names(back), names(gone));
    Ok(Plan { undo, then, back, remove })
}

/// The files that are in one list and not in another.
fn without<'a>(files: &'a [DataFile], others: &[DataFile]) -> Vec<&'a DataFile> {
    let others: HashMap<&str, _> = others.iter().map(|file| (&*file.name, &file.deleted)).collect();
    files.iter().filter(|file| others.get(&*file.name) != Some(&&file.deleted)).collect()
}
