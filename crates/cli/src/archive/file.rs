//! Files of games in the place of archives: imported once, into a [cache].

mod cache;

use self::cache::{Cache, Entry, Locked, is_missing};
use crate::command::import::files::refuse_coded;
use crate::command::pack::{Unpacked, is_packed};
use crate::output::{self, Advised, counted};
use crate::progress::Progress;
use crate::quote;
use anyhow::{Context, anyhow};
use halfmove_archive::{
    Archive, ArchiveError, ArchiveOptions, ChangeWatch, ImportReport, Importer, PgnInput,
};
use halfmove_game::Input;
use halfmove_game::pgn::{PgnError, Skip};
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The maximum number of attempts to open or import the games of a file. Other programs may remove them in between.
const ATTEMPTS: u32 = 8;

/// The time between two attempts to lock an entry.
const PAUSE: Duration = Duration::from_millis(50);

/// The entries that this program reads, locked until its end.
static READ: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

/// The entry of a file.
struct Kept {
    file: PathBuf,
    entry: Entry,
    _lock: File,
}

/// Opens the games of a file as an archive.
pub(super) fn open(path: &Path, options: &ArchiveOptions) -> anyhow::Result<Archive> {
    let cache = Cache::of_user().ok_or_else(|| {
        let error = anyhow!(
            "cannot keep the games of {}: no variable names a folder for caches",
            path.display()
        );
        Advised::new(error, instead(path))
    })?;
    let entry_now = || cache.entry(path).with_context(|| format!("cannot read {}", path.display()));
    let cannot_keep = |error| cannot_keep(path, &cache, error);
    let mut is_new = false;
    for _ in 0..ATTEMPTS {
        let entry = entry_now()?;
        let wait = || {
            let name = output::input_name(path);
            output::note(format_args!("another program is reading {name}, waiting for it"));
        };
        match entry.lock(wait).map_err(cannot_keep)? {
            None => thread::sleep(PAUSE),
            // Another file may have taken its place while this program waited.
            Some(Locked::Vacant(_)) if entry_now()? != entry => {}
            Some(Locked::Vacant(mut lock)) => {
                import(path, &cache, &entry, &mut lock)?;
                is_new = true;
            }
            Some(Locked::Sealed(lock)) => match Archive::open_with(entry.archive(), options) {
                Ok(archive) => {
                    if is_new {
                        cache.forget_others(&entry);
                    }
                    let kept = Kept { file: path.to_owned(), entry, _lock: lock };
                    READ.lock().unwrap_or_else(PoisonError::into_inner).push(kept);
                    return Ok(archive);
                }
                Err(ArchiveError::Io { source, .. }) if !is_missing(&source) => {
                    return Err(cannot_keep(source));
                }
                Err(error) if is_new => return Err(error.into()),
                // Its files have their lengths and times, but not their content.
                Err(_) => entry.break_seal().map_err(cannot_keep)?,
            },
        }
    }
    let why =
        "they were damaged or removed at each attempt, or another program still reads damaged ones";
    Err(cannot_keep(io::Error::other(why)))
}

/// Explains an error that comes from damaged games in the cache: the next command reads their file again.
pub(crate) fn explain_damage(error: anyhow::Error) -> anyhow::Error {
    let text = format!("{error:#}");
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let is_named = |kept: &Kept| text.contains(&kept.entry.folder().display().to_string());
    let Some(Kept { file, entry, .. }) = read.iter_mut().find(|kept| is_named(kept)) else {
        return error;
    };
    if entry.break_seal().is_err() {
        return error;
    }
    let error = anyhow!("the games of {} that were kept are damaged", file.display());
    Advised::new(error, "the same command, given again, reads them from the file").into()
}

/// The error for games that cannot be written to the cache, or read from it.
fn cannot_keep(path: &Path, cache: &Cache, error: io::Error) -> anyhow::Error {
    let (name, folder) = (path.display(), cache.folder().display());
    let error =
        anyhow::Error::new(error).context(format!("cannot keep the games of {name} in {folder}"));
    Advised::new(error, instead(path)).into()
}

/// The hint for games that cannot be kept.
fn instead(path: &Path) -> String {
    let name = quote::path(path);
    format!(
        "name another folder in XDG_CACHE_HOME, or make an archive: halfmove import ARCHIVE {name}"
    )
}

/// Imports a file into its entry, whose lock is held.
fn import(path: &Path, cache: &Cache, entry: &Entry, lock: &mut File) -> anyhow::Result<()> {
    let clock = Instant::now();
    let mut watch = Watch { progress: Progress::new(None, "game"), faults: 0 };
    let read = read(path, entry, &mut watch);
    watch.progress.finish();
    let games = match read {
        Ok(report) if report.games > 0 => report.games,
        read => {
            // It leaves nothing. What cannot be removed has no seal.
            let _ = entry.forget();
            read.map_err(|error| match error.downcast() {
                Ok(ArchiveError::Io { source, .. }) => cannot_keep(path, cache, source),
                Ok(ArchiveError::CannotCreate { why, .. }) => {
                    cannot_keep(path, cache, io::Error::other(why))
                }
                Ok(error) => error.into(),
                Err(error) => error,
            })?;
            let error = anyhow!("{}: there is no game in this file", path.display());
            let hint = format!("its faults: halfmove pgn check {}", quote::path(path));
            return Err(Advised::new(error, hint).into());
        }
    };
    entry.complete(lock).map_err(|error| cannot_keep(path, cache, error))?;
    let (games, seconds) = (counted(games, "game"), clock.elapsed().as_secs_f64());
    let name = output::input_name(path);
    output::note(format_args!(
        "{games} of {name} read in {seconds:.2} s, kept for the next command"
    ));
    if watch.faults > 0 {
        let (faults, name) = (counted(watch.faults, "game"), quote::path(path));
        output::note(format_args!("{faults} with a fault or left out: halfmove pgn check {name}"));
    }
    Ok(())
}

/// Reads the games of a file into the archive of its entry.
fn read(path: &Path, entry: &Entry, watch: &mut Watch) -> anyhow::Result<ImportReport> {
    let source = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default().into_owned();
    let input = if is_packed(path) {
        PgnInput::named(source, Unpacked::new(path, Input::open(path)?)?)
    } else {
        refuse_coded(path)?;
        PgnInput::named(source, Input::open(path)?)
    };
    let mut importer = Importer::open(entry.archive())?;
    importer.read_pgn([Ok(input)], watch)?;
    Ok(importer.commit_watched(watch)?)
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
