//! Files of games in the place of archives: imported once, into a cache.
//!
//! ```text
//! ~/.cache/halfmove/games/1f0c3a…/season       the archive
//!                                /.used        changed with each use; locked while a program reads the archive
//! ```

use crate::command::import::files::refuse_coded;
use crate::command::pack::{Unpacked, is_packed};
use crate::output::{self, Advised, counted};
use crate::progress::Progress;
use crate::quote;
use anyhow::{Context, anyhow};
use halfmove_archive::{Archive, ArchiveOptions, ChangeWatch, Importer, PgnInput};
use halfmove_game::Input;
use halfmove_game::pgn::{PgnError, Skip};
use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};
use std::{env, io};

/// The maximum number of files whose games are kept.
const MAX_FILES: usize = 16;

/// The maximum number of bytes that the games of all files take, except for those of the last file.
const MAX_BYTES: u64 = 2 << 30;

/// The name of the file that is changed and locked by each use. No archive is called so: their names have no dot.
const USED: &str = ".used";

/// The beginning of the name of a folder that is not finished.
const UNFINISHED: &str = "unfinished-";

/// The age of an unfinished folder whose program has died.
const ABANDONED: Duration = Duration::from_secs(3_600);

/// Opens the games of a file as an archive.
pub(super) fn open(path: &Path, options: &ArchiveOptions) -> anyhow::Result<Archive> {
    let cache = Cache::open().map_err(|error| {
        let name = quote::path(path);
        Advised::new(
            error.context("cannot keep the games of a file"),
            format!("halfmove import ARCHIVE {name}, or name another folder in XDG_CACHE_HOME"),
        )
    })?;
    let entry = cache.entry(path)?;
    if let Ok(archive) = entry.open(options) {
        return Ok(archive);
    }
    cache.import(path, &entry)?;
    let archive = entry.open(options)?;
    cache.forget_others(&entry);
    Ok(archive)
}

/// The folder with the games of all files.
struct Cache(PathBuf);

impl Cache {
    fn open() -> anyhow::Result<Self> {
        let absolute =
            |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let folder = absolute("XDG_CACHE_HOME")
            .or_else(|| absolute("LOCALAPPDATA"))
            .or_else(|| Some(absolute("HOME")?.join(".cache")))
            .ok_or_else(|| anyhow!("no folder for caches: HOME and XDG_CACHE_HOME are not set"))?;
        let folder = folder.join("halfmove").join("games");
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot create the folder {}", folder.display()))?;
        Ok(Self(folder))
    }

    /// The place for the games of a file as it is now.
    fn entry(&self, path: &Path) -> anyhow::Result<Entry> {
        let unreadable = || format!("cannot read {}", path.display());
        let whole = path.canonicalize().with_context(unreadable)?;
        let data = whole.metadata().with_context(unreadable)?;
        // Messages and results show the name of the archive, so it is the file's, or that of a link to it.
        let stem = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
        let stem = stem.split('.').find(|part| !part.is_empty()).unwrap_or("games");
        let mut hasher = DefaultHasher::new();
        let version = env!("CARGO_PKG_VERSION");
        (version, &whole, stem, data.len(), data.modified()?).hash(&mut hasher);
        let folder = self.0.join(format!("{:016x}", hasher.finish()));
        Ok(Entry { archive: folder.join(stem), folder })
    }

    fn import(&self, path: &Path, entry: &Entry) -> anyhow::Result<()> {
        let clock = Instant::now();
        let source = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default().into_owned();
        let input = match is_packed(path) {
            true => PgnInput::named(source, Unpacked::new(path, Input::open(path)?)?),
            false => {
                refuse_coded(path)?;
                PgnInput::named(source, Input::open(path)?)
            }
        };
        let folder = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(&self.0)?;
        let archive = folder.path().join(entry.archive.file_name().unwrap_or_default());
        let mut importer = Importer::open(&archive)?;
        let mut watch = Watch { progress: Progress::new(None, "game"), faults: 0 };
        let read = importer.read_pgn([Ok(input)], &mut watch);
        let done = read.and_then(|()| importer.commit_watched(&mut watch));
        watch.progress.finish();
        let report = done?;
        if report.games == 0 {
            let error = anyhow!("{}: there is no game in this file", path.display());
            let hint = format!("its faults: halfmove pgn check {}", quote::path(path));
            return Err(Advised::new(error, hint).into());
        }
        fs::write(folder.path().join(USED), [])?;
        if fs::rename(folder.path(), &entry.folder).is_err()
            && entry.open(&ArchiveOptions::default()).is_err()
        {
            // What is there is damaged; else another program was faster.
            let _ = fs::remove_dir_all(&entry.folder);
            fs::rename(folder.path(), &entry.folder)?;
        }
        let (games, seconds) = (counted(report.games, "game"), clock.elapsed().as_secs_f64());
        let name = output::input_name(path);
        output::note(format_args!(
            "{games} of {name} read in {seconds:.2} s, kept for the next command"
        ));
        if watch.faults > 0 {
            let (faults, name) = (counted(watch.faults, "game"), quote::path(path));
            output::note(format_args!(
                "{faults} with a fault or left out: halfmove pgn check {name}"
            ));
        }
        Ok(())
    }

    /// Forgets the files that were not used for the longest time, and what killed programs have left.
    fn forget_others(&self, latest: &Entry) {
        // What cannot be read or removed stays; the next program tries again.
        let Ok(entries) = fs::read_dir(&self.0) else { return };
        let mut kept = Vec::new();
        for entry in entries.flatten().filter(|entry| entry.path() != latest.folder) {
            let folder = entry.path();
            if !entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
                let used = folder.join(USED).metadata().and_then(|data| data.modified());
                kept.push((used.unwrap_or(SystemTime::UNIX_EPOCH), folder));
            } else if entry.metadata().and_then(|data| data.modified()).is_ok_and(is_old) {
                let _ = fs::remove_dir_all(folder);
            }
        }
        kept.sort_unstable_by(|one, other| other.cmp(one));
        let mut bytes = 0;
        for (number, (_, folder)) in (1..).zip(kept) {
            bytes += size(&folder).unwrap_or(0);
            if (number >= MAX_FILES || bytes > MAX_BYTES) && !is_in_use(&folder) {
                let _ = fs::remove_dir_all(folder);
            }
        }
    }
}

/// The games of one file.
struct Entry {
    folder: PathBuf,
    archive: PathBuf,
}

impl Entry {
    /// Opens the archive. It stays until the end of the program.
    fn open(&self, options: &ArchiveOptions) -> anyhow::Result<Archive> {
        let used = File::options().write(true).open(self.folder.join(USED))?;
        used.lock_shared()?;
        used.set_modified(SystemTime::now())?;
        let archive = Archive::open_with(&self.archive, options)?;
        // The lock ends with the program.
        std::mem::forget(used);
        Ok(archive)
    }
}

/// Returns true if a program reads these games, or if that cannot be known.
fn is_in_use(folder: &Path) -> bool {
    match File::options().write(true).open(folder.join(USED)) {
        Ok(used) => {
            matches!(used.try_lock(), Err(TryLockError::WouldBlock | TryLockError::Error(_)))
        }
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

fn is_old(modified: SystemTime) -> bool {
    modified.elapsed().is_ok_and(|age| age > ABANDONED)
}

/// The size of the files in a folder in bytes.
fn size(folder: &Path) -> io::Result<u64> {
    fs::read_dir(folder)?.try_fold(0, |sum, entry| {
        let entry = entry?;
        let data = entry.metadata()?;
        Ok(sum + if data.is_dir() { size(&entry.path())? } else { data.len() })
    })
}

/// Shows the number of games that were read.
struct Watch {
    progress: Progress,
    /// Games with a fault, and those that are no games of an archive.
    faults: u64,
}

impl ChangeWatch for Watch {
    fn faulty(&mut self, _: usize, _: &PgnError) -> ControlFlow<()> {
        self.faults += 1;
        ControlFlow::Continue(())
    }

    fn skipped(&mut self, _: usize, _: &Skip) -> ControlFlow<()> {
        self.faults += 1;
        ControlFlow::Continue(())
    }

    fn tick(&mut self, games: u64) -> ControlFlow<()> {
        self.progress.show(games, games);
        ControlFlow::Continue(())
    }
}
