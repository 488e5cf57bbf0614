//! The folder with the games of files.
//!
//! ```text
//! ~/.cache/halfmove/games/1f0c3a…/games      the archive
//!                                /.lock      the lock, with the seal in it; its time is that of the last use
//! ```
//!
//! The lock is shared by programs that read the archive, and exclusive to one that imports or removes it. A program that dies
//! leaves no lock. The seal names the files of the archive when its import was complete: with another seal, or none, it is
//! imported again, unless another program still reads it.

use same_file::Handle;
use std::env;
use std::fs::{self, File, Metadata, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

/// The maximum number of files whose games are kept.
const MAX_FILES: usize = 16;

/// The maximum number of bytes that the games of all files take, except for those of the last file.
const MAX_BYTES: u64 = 2 << 30;

/// The name of the lock.
const LOCK: &str = ".lock";

/// The name of the archive. That of the file need not be one that an archive may have.
const ARCHIVE: &str = "games";

/// The time that a system may take as one: files written within it may have the same times.
const TICK: Duration = Duration::from_millis(20);

/// The folder with the games of all files.
pub(super) struct Cache(PathBuf);

impl Cache {
    /// The folder in which this user's programs keep what they can make again; `None` if no variable names it.
    pub(super) fn of_user() -> Option<Self> {
        let absolute =
            |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let folder = absolute("XDG_CACHE_HOME")
            .or_else(|| absolute("LOCALAPPDATA"))
            .or_else(|| Some(absolute("HOME")?.join(".cache")))?;
        Some(Self(folder.join("halfmove").join("games")))
    }

    pub(super) fn folder(&self) -> &Path {
        &self.0
    }

    /// The entry for a file as it is now.
    pub(super) fn entry(&self, file: &Path) -> io::Result<Entry> {
        let whole = file.canonicalize()?;
        let data = whole.metadata()?;
        let changed = Stamp::of(&data)?.last_change();
        if let Some(rest) = changed.elapsed().ok().and_then(|age| TICK.checked_sub(age)) {
            // What is read from now on has at least this stamp.
            thread::sleep(rest);
        }
        let mut hasher = DefaultHasher::new();
        // Games keep the name of their file, so those of a link are kept apart.
        let name = file.file_name();
        (env!("CARGO_PKG_VERSION"), &whole, name, Stamp::of(&data)?).hash(&mut hasher);
        Ok(Entry { folder: self.0.join(format!("{:016x}", hasher.finish())) })
    }

    /// Removes the games of files that were not used for the longest time, and what killed programs have left.
    pub(super) fn forget_others(&self, latest: &Entry) {
        // What cannot be read or removed stays; the next program tries again.
        let Ok(found) = fs::read_dir(&self.0) else { return };
        let entries = found.flatten().map(|found| Entry { folder: found.path() });
        let mut kept = Vec::new();
        for entry in entries.filter(|entry| entry.folder != latest.folder) {
            match entry.open_lock().and_then(|mut lock| entry.is_sealed(&mut lock)) {
                Ok(true) => kept.push((entry.last_use(), entry)),
                _ => entry.forget_if(|entry, lock| Ok(!entry.is_sealed(lock)?)),
            }
        }
        kept.sort_unstable_by_key(|(used, _)| std::cmp::Reverse(*used));
        let mut bytes = 0;
        for (number, (_, entry)) in (1..).zip(kept) {
            bytes += size(&entry.folder).unwrap_or(0);
            if number >= MAX_FILES || bytes > MAX_BYTES {
                entry.forget_if(|_, _| Ok(true));
            }
        }
    }
}

/// The games of one file, perhaps not imported yet.
#[derive(PartialEq, Eq)]
pub(super) struct Entry {
    folder: PathBuf,
}

/// An entry that is locked until this value is dropped.
pub(super) enum Locked {
    /// For reading: the games are complete.
    Sealed(File),
    /// For an import.
    Vacant(File),
}

impl Entry {
    /// The folder of the archive.
    pub(super) fn archive(&self) -> PathBuf {
        self.folder.join(ARCHIVE)
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn lock_path(&self) -> PathBuf {
        self.folder.join(LOCK)
    }

    fn last_use(&self) -> SystemTime {
        let modified = self.lock_path().metadata().and_then(|data| data.modified());
        modified.unwrap_or(SystemTime::UNIX_EPOCH)
    }

    /// Locks the entry. If another program is importing it, calls `wait` and waits. Returns `None` if another program has removed
    /// the entry in between, or still reads damaged games.
    pub(super) fn lock(&self, wait: impl FnOnce()) -> io::Result<Option<Locked>> {
        let mut lock = match self.open_lock() {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            lock => lock?,
        };
        match lock.try_lock_shared() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                wait();
                lock.lock_shared()?;
            }
            // Some file systems have no locks: other programs could remove the games while they are read.
            Err(TryLockError::Error(error)) => return Err(error),
        }
        if !self.is_current(&lock)? {
            return Ok(None);
        }
        if self.is_sealed(&mut lock)? {
            // A cache that can only be read is of use, too.
            let _ = lock.set_modified(SystemTime::now());
            return Ok(Some(Locked::Sealed(lock)));
        }
        lock.unlock()?;
        match lock.try_lock() {
            Ok(()) if self.is_current(&lock)? && !self.is_sealed(&mut lock)? => {
                self.clear()?;
                lock.set_len(0)?;
                Ok(Some(Locked::Vacant(lock)))
            }
            Ok(()) | Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Opens the lock. What is in its way goes.
    fn open_lock(&self) -> io::Result<File> {
        let path = self.lock_path();
        remove_unless(&self.folder, Metadata::is_dir)?;
        fs::create_dir_all(&self.folder)?;
        remove_unless(&path, Metadata::is_file)?;
        let mut options = File::options();
        match options.read(true).write(true).create(true).truncate(false).open(&path) {
            Err(error) if is_protected(&error) => File::open(&path).map_err(|_| error),
            opened => opened,
        }
    }

    /// Returns true if the lock is that of the entry, not one that another program has removed.
    fn is_current(&self, lock: &File) -> io::Result<bool> {
        let locked = Handle::from_file(lock.try_clone()?)?;
        match Handle::from_path(self.lock_path()) {
            Ok(found) => Ok(found == locked),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Returns true if the archive has its files as its import has left them.
    fn is_sealed(&self, lock: &mut File) -> io::Result<bool> {
        let mut seal = Vec::new();
        lock.rewind()?;
        lock.take(64).read_to_end(&mut seal)?;
        if seal.is_empty() {
            return Ok(false);
        }
        match self.seal() {
            Ok(found) => Ok(found.as_bytes() == seal),
            Err(error) if is_missing(&error) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The names, lengths and times of the files of the archive, as a number.
    fn seal(&self) -> io::Result<String> {
        let mut hasher = DefaultHasher::new();
        let mut files = Vec::new();
        let mut folders = vec![self.archive()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                let data = fs::symlink_metadata(&path)?;
                if data.is_dir() {
                    folders.push(path);
                } else {
                    files.push((path, Stamp::of(&data)?));
                }
            }
        }
        files.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        files.hash(&mut hasher);
        Ok(format!("{:016x}", hasher.finish()))
    }

    /// Marks an import as complete.
    pub(super) fn complete(&self, lock: &mut File) -> io::Result<()> {
        let seal = self.seal()?;
        lock.rewind()?;
        lock.write_all(seal.as_bytes())
    }

    /// Marks the games as damaged. Programs that read them go on.
    pub(super) fn break_seal(&self) -> io::Result<()> {
        File::options().write(true).truncate(true).open(self.lock_path()).map(drop)
    }

    /// Removes the entry, whose lock is held.
    pub(super) fn forget(&self) -> io::Result<()> {
        self.clear()?;
        fs::remove_file(self.lock_path())?;
        // Another program may just have begun to use the folder again.
        let _ = fs::remove_dir(&self.folder);
        Ok(())
    }

    /// Removes the entry if no program uses it and this holds while it is locked.
    fn forget_if(&self, is_due: impl Fn(&Self, &mut File) -> io::Result<bool>) {
        let forget = || {
            let mut lock = self.open_lock()?;
            if lock.try_lock().is_ok() && self.is_current(&lock)? && is_due(self, &mut lock)? {
                self.forget()?;
            }
            io::Result::Ok(())
        };
        // It stays; the next program tries again.
        let _ = forget();
    }

    /// Removes all but the lock, which is held.
    fn clear(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            if entry.file_name() != LOCK {
                remove_unless(&entry.path(), |_| false)?;
            }
        }
        Ok(())
    }
}

/// The metadata that changes with the content of a file, as far as the system reports it. Elsewhere than on Unix, a file may be replaced unnoticed
/// by one of the same length and time of modification, if it was also created at the same time.
#[derive(Hash)]
struct Stamp {
    bytes: u64,
    modified: SystemTime,
    #[cfg(unix)]
    inode: (u64, u64),
    /// The time of the last change of content, name or permissions, in seconds and nanoseconds.
    #[cfg(unix)]
    changed: (i64, i64),
    #[cfg(not(unix))]
    created: Option<SystemTime>,
}

impl Stamp {
    fn of(data: &Metadata) -> io::Result<Self> {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        Ok(Self {
            bytes: data.len(),
            modified: data.modified()?,
            #[cfg(unix)]
            inode: (data.dev(), data.ino()),
            #[cfg(unix)]
            changed: (data.ctime(), data.ctime_nsec()),
            #[cfg(not(unix))]
            created: data.created().ok(),
        })
    }

    fn last_change(&self) -> SystemTime {
        #[cfg(unix)]
        if let (Ok(seconds), Ok(nanoseconds)) =
            (self.changed.0.try_into(), self.changed.1.try_into())
        {
            return SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds);
        }
        self.modified
    }
}

/// Removes a file, or a folder with all its content, unless it is of the right kind.
fn remove_unless(path: &Path, is_right: impl Fn(&Metadata) -> bool) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(data) if is_right(&data) => Ok(()),
        Ok(data) if data.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Returns true if nothing can be written at a place.
fn is_protected(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem)
}

/// Returns true if a file or folder is not there, or something else is there.
pub(super) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// The size of the files in a folder in bytes.
fn size(folder: &Path) -> io::Result<u64> {
    fs::read_dir(folder)?.try_fold(0, |sum, entry| {
        let entry = entry?;
        let data = entry.metadata()?;
        Ok(sum + if data.is_dir() { size(&entry.path())? } else { data.len() })
    })
}
