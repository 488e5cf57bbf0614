//! Creates an archive: its folder, and the first entry of its log.

use std::borrow::Cow;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use delta_kernel::KernelError;
use delta_kernel::transaction::CommitResult;
use delta_kernel::transaction::create_table::create_table;

use super::commit::DurableCommitter;
use super::location::{Given, Location, UNUSABLE, url_of};
use super::schema::{delta_schema, properties};
use super::unfinished::UNFINISHED_PREFIX;
use super::{LOCK_FILE, POLL, WRITER, has_log, lock};
use crate::error::{ArchiveError, of_commit};

/// The folder in which an archive is created or changed.
pub(crate) fn folder_of(given: &Path) -> Result<Cow<'_, Path>, ArchiveError> {
    Given::parse(given)?.folder()
}

/// Creates the folder and the first entry of the log. It is not an error if another program was faster.
pub(crate) fn make(path: &Path) -> Result<(), ArchiveError> {
    make_folder(path)?;
    let _lock = lock(path, || {
        std::thread::sleep(POLL);
        Ok(())
    })?;
    make_table(path)
}

/// The folder of an archive that may be created. If the archive is not created, dropping this value removes the folders
/// that were created for it.
#[derive(Debug)]
pub(crate) struct NewFolder {
    /// The folder's full path.
    pub(crate) path: Arc<Path>,
    /// The folders that were created, the deepest first.
    created: Vec<PathBuf>,
}

impl NewFolder {
    pub(crate) fn make(path: &Path) -> Result<Self, ArchiveError> {
        let full = resolved(path)?;
        let missing =
            full.ancestors().take_while(|folder| std::fs::symlink_metadata(folder).is_err());
        let created = missing.map(Path::to_owned).collect();
        make_folder(path)?;
        Ok(Self { path: Location::of_folder(&full)?.path().clone(), created })
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        for folder in &self.created {
            // A folder that is not empty stays.
            if std::fs::remove_dir(folder).is_err() {
                return;
            }
        }
    }
}

/// Returns true if there is an archive in a folder.
pub(crate) fn exists(path: &Path) -> Result<bool, ArchiveError> {
    Ok(path.is_dir() && has_log(&Location::of_folder(path)?)?)
}

/// Creates the folder of an archive, and checks that nothing else is in it.
fn make_folder(path: &Path) -> Result<(), ArchiveError> {
    let refuse =
        |why: &str| ArchiveError::CannotCreate { path: path.to_owned(), why: why.to_owned() };
    let full = resolved(path)?;
    if full.exists() && !full.is_dir() {
        return Err(refuse("there is a file of that name"));
    }
    if url_of(&full).is_none() {
        return Err(refuse(UNUSABLE));
    }
    std::fs::create_dir_all(&full).map_err(|error| ArchiveError::io(path, error))?;
    for entry in std::fs::read_dir(&full).map_err(|error| ArchiveError::io(path, error))? {
        let name = entry.map_err(|error| ArchiveError::io(path, error))?.file_name();
        let ours = name == "_delta_log"
            || name == LOCK_FILE
            || name.as_encoded_bytes().starts_with(UNFINISHED_PREFIX.as_bytes());
        if !ours {
            return Err(refuse("the folder is not empty and not an archive"));
        }
    }
    Ok(())
}

/// The full path of a folder that may not exist yet, without links and without `..`: the folders that exist are those of
/// the system, and in the rest `..` takes back the name before it.
fn resolved(path: &Path) -> Result<PathBuf, ArchiveError> {
    let whole = std::path::absolute(path).map_err(|error| ArchiveError::io(path, error))?;
    let mut full = PathBuf::new();
    for part in whole.components() {
        match part {
            Component::ParentDir => {
                full.pop();
            }
            part => full.push(part),
        }
        match full.canonicalize() {
            Ok(found) => full = found,
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(ArchiveError::io(path, error));
            }
            // Missing, unless it is a link.
            Err(_) => {
                if let Ok(target) = std::fs::read_link(&full) {
                    let (link, target) = (full.display(), target.display());
                    let why = format!("{link} is a link to {target}, which does not exist");
                    return Err(ArchiveError::CannotCreate { path: path.to_owned(), why });
                }
            }
        }
    }
    Ok(full)
}

/// Removes the log of an archive without games. The caller has created it, and still holds the lock, so no other program has
/// added to it.
pub(crate) fn unmake_table(path: &Path) -> Result<(), ArchiveError> {
    let log = path.join("_delta_log");
    std::fs::remove_dir_all(&log).map_err(|error| ArchiveError::io(&log, error))
}

/// Creates the first entry of the log. The caller holds the lock.
pub(crate) fn make_table(path: &Path) -> Result<(), ArchiveError> {
    let location = Location::of_folder(path)?;
    let engine = location.engine();
    let transaction = create_table(location.url().as_str(), delta_schema()?, WRITER, true)
        .with_table_properties(properties())
        .build(engine.as_ref(), Box::new(DurableCommitter::new(location.path())));
    let transaction = match transaction {
        Err(KernelError::TableAlreadyExistsAtPath(_)) => return Ok(()),
        other => other?,
    };
    match transaction.commit(engine.as_ref()) {
        Ok(CommitResult::Committed(_) | CommitResult::Conflicted(_)) => Ok(()),
        Ok(CommitResult::Retryable(retryable)) => Err(of_commit(path, retryable.error)),
        Err(error) => Err(of_commit(path, error)),
    }
}
