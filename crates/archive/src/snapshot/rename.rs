//! Gives a finished entry of the log its name, unless that name exists.
//!
//! A hard link does that in one step, but some file systems have no links: exFAT, and some network file systems. There,
//! the file is renamed. Most systems can do that without replacing another; on the others, a lock keeps other programs
//! from writing while we check that the name is free.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;

use super::LOCK_FILE;

/// A way to give a file another name, unless that exists, which is the error [`ErrorKind::AlreadyExists`].
type Way = fn(root: &Path, from: &Path, to: &Path) -> io::Result<()>;

/// All ways, the best first.
const WAYS: [Way; 3] = [link, rename_without_replacing, rename_under_lock];

/// Gives a file of an archive another name. The caller holds the lock of the archive, if the file system has locks. The
/// old name may remain.
pub(super) fn rename_new(root: &Path, from: &Path, to: &Path) -> io::Result<()> {
    rename_by(&WAYS, root, from, to)
}

fn rename_by(ways: &[Way], root: &Path, from: &Path, to: &Path) -> io::Result<()> {
    let mut last = io::Error::from(ErrorKind::Unsupported);
    for way in ways {
        match way(root, from, to) {
            Err(error) if is_unsupported(&error) => last = error,
            done => return done,
        }
    }
    Err(last)
}

/// Returns true if an error means that the file system does not support the operation, and has changed nothing.
fn is_unsupported(error: &io::Error) -> bool {
    // Linux returns EPERM for links on file systems without them, and EINVAL for flags of a rename.
    matches!(
        error.kind(),
        ErrorKind::Unsupported | ErrorKind::PermissionDenied | ErrorKind::InvalidInput
    )
}

fn link(_root: &Path, from: &Path, to: &Path) -> io::Result<()> {
    std::fs::hard_link(from, to)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn rename_without_replacing(_root: &Path, from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn rename_without_replacing(_root: &Path, _from: &Path, _to: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// If there are neither links nor locks, two programs could overwrite each other's entries, so this is an error.
fn rename_under_lock(root: &Path, from: &Path, to: &Path) -> io::Result<()> {
    let lock = File::options().write(true).open(root.join(LOCK_FILE))?;
    // The lock is ours, if there are locks.
    if !matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
        let why = "the file system has neither hard links nor locks";
        return Err(io::Error::new(ErrorKind::Unsupported, why));
    }
    if to.try_exists()? {
        return Err(ErrorKind::AlreadyExists.into());
    }
    std::fs::rename(from, to)
}

/// Flushes a folder's entries to the disk.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    // Only Unix needs (and allows) opening a folder for this; other systems do it on their own.
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each way places one of two files, reports that the name exists for the other, and leaves the first one unchanged.
    #[test]
    fn no_way_replaces_a_file() -> io::Result<()> {
        let none: Way = |_, _, _| Err(ErrorKind::Unsupported.into());
        for skipped in 0..WAYS.len() {
            let ways: Vec<Way> = WAYS
                .iter()
                .enumerate()
                .map(|(at, way)| if at < skipped { none } else { *way })
                .collect();
            let folder = tempfile::tempdir()?;
            let root = folder.path();
            let lock = File::create(root.join(LOCK_FILE))?;
            lock.lock()?;
            let (first, second, to) = (root.join("1"), root.join("2"), root.join("to"));
            std::fs::write(&first, "first")?;
            std::fs::write(&second, "second")?;
            rename_by(&ways, root, &first, &to)?;
            let refused = rename_by(&ways, root, &second, &to).expect_err("there is one");
            assert_eq!(refused.kind(), ErrorKind::AlreadyExists, "way {skipped}");
            assert_eq!(std::fs::read_to_string(&to)?, "first", "way {skipped}");
        }
        Ok(())
    }

    #[test]
    fn without_links_and_locks_nothing_is_done() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let root = folder.path();
        // No lock is held, as on a file system without locks.
        File::create(root.join(LOCK_FILE))?;
        std::fs::write(root.join("from"), "")?;
        let refused = rename_by(&WAYS[2..], root, &root.join("from"), &root.join("to"));
        assert_eq!(refused.expect_err("no lock").kind(), ErrorKind::Unsupported);
        assert!(!root.join("to").exists());
        Ok(())
    }
}
