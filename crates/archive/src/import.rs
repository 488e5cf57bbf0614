//! Adding many games in a single change of the archive.

mod columns;
mod writer;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use datafusion::arrow::array::RecordBatch;
use halfmove_game::Game;

use self::columns::Columns;
use self::writer::{DataFiles, Written};
use crate::error::ArchiveError;
use crate::store::{Archive, LOCK_FILE, NewFile, sync_folder};

/// The number of games that are handed to the encoding thread at a time.
const BATCH: usize = 8_192;

/// Batches that may wait for the encoding thread: enough to smooth out delays, few enough to save memory.
const WAITING: usize = 4;

/// How often a commit is retried when others are faster each time.
const ATTEMPTS: u32 = 64;

/// Collects games and adds them to an archive, all of them or none.
///
/// Games become columns on the caller's thread; columns become Parquet on a second one. Memory stays bounded: a
/// few thousand games as columns, and one encoded row group of 16,384 games. Until [`Importer::commit`] returns,
/// readers see none of it; an importer that is dropped before that deletes its files.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use halfmove_archive::Archive;
/// use halfmove_game::Game;
///
/// let folder = tempfile::tempdir()?;
/// let archive = Archive::create(folder.path().join("games"))?;
/// let mut importer = archive.importer();
/// let mut game = Game::default();
/// game.tags.push("White", "Anderssen, Adolf");
/// importer.push(&game, None)?;
/// let report = importer.commit()?;
/// assert_eq!((report.games, report.first_id, report.last_id), (1, 1, 1));
/// assert_eq!(archive.refresh()?.len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Importer {
    archive: Archive,
    games_per_file: u64,
    first_id: i64,
    columns: Columns,
    games: u64,
    plies: u64,
    encoder: Option<Encoder>,
}

#[derive(Debug)]
struct Encoder {
    batches: SyncSender<RecordBatch>,
    thread: JoinHandle<Result<Vec<Written>, ArchiveError>>,
}

/// What an import has added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportReport {
    /// How many games were added.
    pub games: u64,
    /// How many half-moves they have in total.
    pub plies: u64,
    /// The id of the first of them; for an import without games, the id that it would have had.
    pub first_id: i64,
    /// The id of the last of them; for an import without games, one less than `first_id`.
    pub last_id: i64,
    /// The number of files that hold them.
    pub files: usize,
    /// The total size of these files in bytes.
    pub bytes: u64,
}

impl Archive {
    /// Begins an import. Nothing is written until games are pushed.
    pub fn importer(&self) -> Importer {
        Importer {
            archive: self.clone(),
            games_per_file: 1_000_000,
            first_id: self.last_id() + 1,
            columns: Columns::new(BATCH),
            games: 0,
            plies: 0,
            encoder: None,
        }
    }
}

impl Importer {
    /// Sets the number of games after which a new file begins; the default is a million.
    ///
    /// Only files that have not been begun are affected. Numbers below one batch of 8,192 games mean one batch.
    #[must_use]
    pub fn games_per_file(mut self, games: u64) -> Self {
        self.games_per_file = games;
        self
    }

    /// Adds a game; `fault` says why its moves end early, if the reader found a fault in it.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::NotChess`] for another game, which is then left out; [`ArchiveError::Io`] if the files cannot
    /// be written, and the import is then lost.
    pub fn push(&mut self, game: &Game, fault: Option<&str>) -> Result<(), ArchiveError> {
        let id = self.first_id + self.games as i64;
        self.columns.push(id, game, fault)?;
        self.games += 1;
        self.plies += game.moves.len() as u64;
        if self.columns.is_full() { self.hand_over() } else { Ok(()) }
    }

    /// How many games have been pushed.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Passes the columns so far to the encoding thread.
    fn hand_over(&mut self) -> Result<(), ArchiveError> {
        let batch = self.columns.finish()?;
        if self.encoder.is_none() {
            let (batches, receiver) = sync_channel::<RecordBatch>(WAITING);
            let mut files = DataFiles::new(self.archive.path(), self.games_per_file);
            let thread = std::thread::Builder::new()
                .name("halfmove-encode".to_owned())
                .spawn(move || {
                    for batch in receiver {
                        files.write(&batch)?;
                    }
                    files.finish()
                })
                .map_err(|error| ArchiveError::io(self.archive.path(), error))?;
            self.encoder = Some(Encoder { batches, thread });
        }
        let sent = self.encoder.as_ref().is_some_and(|encoder| encoder.batches.send(batch).is_ok());
        if sent {
            return Ok(());
        }
        // The thread has failed; it has the reason.
        self.written()?;
        Err(ArchiveError::io(
            self.archive.path(),
            std::io::Error::other("the import has already failed"),
        ))
    }

    /// Waits for the encoding thread and takes its files.
    fn written(&mut self) -> Result<Vec<Written>, ArchiveError> {
        let Some(Encoder { batches, thread }) = self.encoder.take() else { return Ok(Vec::new()) };
        drop(batches);
        thread.join().unwrap_or_else(|_| {
            Err(ArchiveError::io(
                self.archive.path(),
                std::io::Error::other("the encoding thread panicked"),
            ))
        })
    }

    /// Makes the games part of the archive, for all readers at once. When this returns, they are on disk.
    ///
    /// Ids follow those of the archive as it is now: if others have imported in the meantime, the files are rewritten
    /// with higher ids.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Io`], [`ArchiveError::Delta`] or [`ArchiveError::Conflict`]. The archive is then unchanged.
    pub fn commit(mut self) -> Result<ImportReport, ArchiveError> {
        if !self.columns.is_empty() {
            self.hand_over()?;
        }
        let mut files = self.written()?;
        let path = self.archive.path().to_owned();
        let mut first_id = self.first_id;
        let report = |first_id: i64, files: &[Written]| ImportReport {
            games: self.games,
            plies: self.plies,
            first_id,
            last_id: first_id + self.games as i64 - 1,
            files: files.len(),
            bytes: files.iter().map(|file| file.bytes).sum(),
        };
        if files.is_empty() {
            return Ok(report(first_id, &files));
        }
        // While the lock is held, no other import changes the ids. The log would reject the second of two commits even
        // without it; the lock only saves rewriting a long import again and again.
        let _lock = lock(&path);
        for _ in 0..ATTEMPTS {
            let now = self.archive.refresh()?;
            let free = now.last_id() + 1;
            if free != first_id {
                files = shifted(files, &path, free - first_id)?;
                first_id = free;
            }
            for file in &mut files {
                file.publish(&path)?;
            }
            sync_folder(&path).map_err(|error| ArchiveError::io(&path, error))?;
            let new: Vec<NewFile> = files.iter().map(Written::to_new_file).collect();
            // From here on the log may name the files, whatever is reported, so they must not be deleted.
            files.iter_mut().for_each(|file| file.keep = true);
            if now.add_files(&new)?.is_some() {
                return Ok(report(first_id, &files));
            }
            files.iter_mut().for_each(|file| file.keep = false);
        }
        Err(ArchiveError::Conflict { path, attempts: ATTEMPTS })
    }
}

/// Rewrites the files with higher ids; the old ones are deleted.
fn shifted(files: Vec<Written>, folder: &Path, by: i64) -> Result<Vec<Written>, ArchiveError> {
    files.into_iter().map(|file| writer::shift_ids(&file, folder, by)).collect()
}

/// Waits until no other import of this archive is committing. On file systems without locks, it does without.
fn lock(folder: &Path) -> Option<File> {
    let path: PathBuf = folder.join(LOCK_FILE);
    let file = File::options().create(true).truncate(false).write(true).open(path).ok()?;
    file.lock().ok()?;
    Some(file)
}
