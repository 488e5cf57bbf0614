//! The lowest layer: an archive as its log describes it. Its location, the files of a version, the names of its
//! columns, and the commit of the next version.
//!
//! Imports no other layer: no caches, no searches.
//!
//! ```text
//! archive/
//! ├── _delta_log/00000000000000000000.json   created: schema, format
//! │              00000000000000000001.json   first import: which files, how many games, ids from … to …
//! ├── games-6e1f….parquet                    the games, up to a million per file
//! └── _halfmove.lock                         locked during a commit
//! ```
//!
//! It is a Delta Lake table, so a change is visible as a whole or not at all: it writes its Parquet files under names
//! that nothing refers to, and then adds one entry to the log that names them all. A change that is killed before
//! that leaves files that no reader uses; the next change removes them.

mod checkpoint;
mod commit;
mod create;
mod engine;
mod entries;
mod files;
mod history;
mod location;
mod log;
#[cfg(feature = "object-store")]
mod objects;
mod reader;
mod rename;
pub mod schema;
mod sources;
mod storage;
mod sums;
mod unfinished;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use delta_kernel::{Engine, Snapshot as DeltaSnapshot, SnapshotRef};

pub(crate) use self::commit::{Change, NewFile, Notes};
pub(crate) use self::create::{NewFolder, exists, folder_of, make, make_table, unmake_table};
pub(crate) use self::engine::FileStatistics;
pub(crate) use self::entries::LOG_FOLDER;
use self::entries::entries;
pub(crate) use self::files::DataFile;
pub use self::history::HistoryEntry;
pub(crate) use self::history::{
    Replay, imports, notes_of, notes_of_import, notes_of_merge, notes_of_removal, notes_of_undo,
};
pub use self::location::is_url;
pub(crate) use self::location::{Given, Location};
pub(crate) use self::log::Log;
pub(crate) use self::reader::{FileReader, FileStream};
pub(crate) use self::rename::sync_folder;
use self::schema::{FORMAT, FORMAT_PROPERTY, Shape, codecs};
pub use self::sources::{ContentSum, ImportedSource};
pub(crate) use self::sums::{Summed, Sums, mismatch, sum_from};
pub(crate) use self::unfinished::{
    Lock, Unfinished, can_remove, data_file_name, is_data_file, is_free, lock, sweep,
    sweep_unfinished,
};
use crate::error::{ArchiveError, caught_in_log, of_file, of_log};
use crate::options::StoreOptions;

/// The name of the writer in the log.
pub(crate) const WRITER: &str = concat!("halfmove/", env!("CARGO_PKG_VERSION"));

/// Held while committing, so that two changes that end at the same time do not conflict again and again.
pub(crate) const LOCK_FILE: &str = "_halfmove.lock";

/// The time between two attempts to take the lock.
pub(crate) const POLL: Duration = Duration::from_millis(20);

/// One version of an archive: its files and its schema, as the log describes them.
#[derive(Clone)]
pub(crate) struct Snapshot {
    location: Location,
    engine: Arc<dyn Engine>,
    table: SnapshotRef,
    shape: Arc<Shape>,
    files: Arc<[DataFile]>,
    log: Arc<Log>,
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshot")
            .field("path", &self.path())
            .field("version", &self.version())
            .finish_non_exhaustive()
    }
}

impl Snapshot {
    /// Opens the newest version of the archive that a path or a URL names.
    pub(crate) fn open(given: &Path, options: &StoreOptions) -> Result<Self, ArchiveError> {
        match Given::parse(given)? {
            Given::Folder(path) => Self::open_folder(&path),
            Given::Store(url) => {
                let location = Location::of_url(&url, options)?;
                let shown = location.path().clone();
                Self::open_location(&shown, location)
            }
        }
    }

    fn open_folder(given: &Path) -> Result<Self, ArchiveError> {
        let refuse =
            |why: &str| ArchiveError::NotAnArchive { path: given.to_owned(), why: why.to_owned() };
        match std::fs::metadata(given) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(refuse("it is a file; an archive is a folder")),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(refuse("the folder does not exist"));
            }
            Err(error) => return Err(ArchiveError::io(given, error)),
        }
        Self::open_location(given, Location::of_folder(given)?)
    }

    /// Opens the newest version of the archive in a location; errors name it `given`.
    pub(crate) fn open_location(given: &Path, location: Location) -> Result<Self, ArchiveError> {
        if !has_log(&location)? {
            let why = match location.names(location.path())?.is_empty() {
                true => "the folder is empty",
                false => "the folder holds other files and no table (no _delta_log)",
            };
            return Err(ArchiveError::NotAnArchive { path: given.to_owned(), why: why.to_owned() });
        }
        let engine = location.engine();
        let mut log = Log::read_sound(&location)?;
        let table = caught_in_log(given, || {
            let table = DeltaSnapshot::builder_for(location.url().as_str()).build(engine.as_ref());
            table.map_err(|error| of_log(given, error))
        })?;
        log.read_to(&location, table.version())?;
        check_format(given, &table)?;
        let shape = Arc::new(Shape::of(&table.schema())?);
        let files = caught_in_log(given, || files::list(&table, engine.as_ref(), &location))?;
        Self { location, engine, table, shape, files, log: Arc::new(log) }.checked()
    }

    /// An earlier version.
    pub(crate) fn at_version(&self, version: u64) -> Result<Self, ArchiveError> {
        let no_such = |why: String| ArchiveError::NoSuchVersion {
            path: self.path().to_owned(),
            version,
            why,
        };
        if version > self.version() {
            return Err(no_such(format!("its version is {}", self.version())));
        }
        // Opening has read only the entries after the last checkpoint.
        Replay::of(self)?;
        self.with_table(self.table_at(version).map_err(|error| no_such(error.to_string()))?)
    }

    /// Another version, if no checkpoint contradicts the log's entries.
    pub(crate) fn with_table(&self, table: SnapshotRef) -> Result<Self, ArchiveError> {
        check_format(self.path(), &table)?;
        let shape = Arc::new(Shape::of(&table.schema())?);
        let files = files::list(&table, self.engine(), &self.location)?;
        let then = Self { table, shape, files, ..self.clone() };
        Replay::of(&then)?.check_files(&then.files)?;
        Ok(then)
    }

    /// Returns the snapshot if no checkpoint contradicts the log's entries. Needed if the checkpoint has no checksum of
    /// ours.
    fn checked(self) -> Result<Self, ArchiveError> {
        // If old entries are gone, only the checkpoint is left.
        if self.log.trusts_checkpoint
            && let Some(replay) = Replay::of_complete(&self)?
        {
            replay.check_files(&self.files)?;
        }
        Ok(self)
    }

    /// The newest version.
    pub(crate) fn refresh(&self) -> Result<Self, ArchiveError> {
        let table = caught_in_log(self.path(), || {
            let table = DeltaSnapshot::builder_from(Arc::clone(&self.table));
            let table = table.build(self.engine.as_ref());
            table.map_err(|error| of_log(self.path(), error))
        })?;
        let mut log = Log::clone(&self.log);
        log.read_to(&self.location, table.version())?;
        check_format(self.path(), &table)?;
        let shape = Arc::new(Shape::of(&table.schema())?);
        let files = caught_in_log(self.path(), || {
            files::list(&table, self.engine.as_ref(), &self.location)
        })?;
        Self { table, shape, files, log: Arc::new(log), ..self.clone() }.checked()
    }

    /// The state of the table at an earlier version.
    pub(crate) fn table_at(&self, version: u64) -> Result<SnapshotRef, ArchiveError> {
        caught_in_log(self.path(), || {
            let table = DeltaSnapshot::builder_for(self.location.url().as_str());
            Ok(table.at_version(version).build(self.engine())?)
        })
    }

    /// The checkpoints before the last one that cannot be read or differ from the entries, each with its error.
    pub(crate) fn damaged_checkpoints(&self) -> Result<Vec<(PathBuf, ArchiveError)>, ArchiveError> {
        let (_, mut checkpoints) = entries(&self.location)?;
        checkpoints.pop();
        checkpoints.retain(|version| *version <= self.version());
        let damaged = checkpoints.into_iter().filter_map(|version| {
            let table = self.table_at(version);
            let read =
                table.and_then(|table| caught_in_log(self.path(), || self.with_table(table)));
            let file = checkpoint::file_of(&self.path().join(LOG_FOLDER), version);
            read.err().map(|error| (file, error))
        });
        Ok(damaged.collect())
    }

    /// The data files of an earlier version.
    fn files_at(&self, version: u64) -> Result<Arc<[DataFile]>, ArchiveError> {
        let table = self.table_at(version)?;
        caught_in_log(self.path(), || files::list(&table, self.engine(), &self.location))
    }

    /// The folder of the archive; in an object store, its URL.
    pub(crate) fn path(&self) -> &Path {
        self.location.path()
    }

    /// The location of the archive.
    pub(crate) fn location(&self) -> &Location {
        &self.location
    }

    /// The folder of the archive, for changes.
    pub(crate) fn folder(&self) -> Result<&Path, ArchiveError> {
        self.location.folder()
    }

    /// The number of changes since the archive was created.
    pub(crate) fn version(&self) -> u64 {
        self.table.version()
    }

    /// The number of games.
    pub(crate) fn len(&self) -> u64 {
        self.files.iter().map(|file| file.games).sum()
    }

    /// Differences between the columns of the table and ours.
    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Rejects archives to which no games can be added, because a later version of this library requires a column that
    /// this one does not support.
    pub(crate) fn check_current(&self) -> Result<(), ArchiveError> {
        self.shape.required.as_ref().map_or(Ok(()), |column| Err(self.unknown_column(column)))
    }

    /// Rejects archives whose files are not rewritten, because unknown columns would be lost.
    pub(crate) fn check_rewritable(&self) -> Result<(), ArchiveError> {
        self.shape.unknown.first().map_or(Ok(()), |column| Err(self.unknown_column(column)))
    }

    /// Rejects archives whose files cannot be replaced.
    pub(crate) fn check_changeable(&self) -> Result<(), ArchiveError> {
        self.folder()?;
        self.check_current()?;
        self.check_rewritable()
    }

    fn unknown_column(&self, column: &str) -> ArchiveError {
        ArchiveError::UnknownColumn { path: self.path().to_path_buf(), column: column.to_owned() }
    }

    /// The data files, in the order of their ids.
    pub(crate) fn files(&self) -> &[DataFile] {
        &self.files
    }

    /// The same version with other files: those of an import, which no version has yet.
    pub(crate) fn with_files(&self, files: Vec<DataFile>) -> Self {
        Self { files: files.into(), ..self.clone() }
    }

    /// Checks that the data files in a folder are there, each with its length.
    pub(crate) fn check_there(&self) -> Result<(), ArchiveError> {
        if !self.location.is_folder() {
            return Ok(());
        }
        for file in self.files.iter() {
            file.check_size(&file.open(&self.location)?)?;
        }
        Ok(())
    }

    /// The highest id in use, 0 if there is none.
    pub(crate) fn last_id_in_use(&self) -> i64 {
        self.files.iter().map(|file| file.last_id).max().unwrap_or(0)
    }

    pub(crate) fn table(&self) -> &SnapshotRef {
        &self.table
    }

    pub(crate) fn engine(&self) -> &dyn Engine {
        self.engine.as_ref()
    }
}

impl DataFile {
    /// Opens the file.
    pub(crate) fn open(&self, location: &Location) -> Result<FileReader, ArchiveError> {
        open_data(location, &self.path)
    }

    /// Compares the length of the file with the log.
    pub(crate) fn check_size(&self, opened: &FileReader) -> Result<(), ArchiveError> {
        let found = opened.length().map_err(|error| of_file(&self.path, &error))?;
        if found == self.bytes {
            return Ok(());
        }
        let why = format!("it has {found} bytes, the log says {}", self.bytes);
        Err(ArchiveError::in_file(&self.path, why))
    }
}

/// Opens a data file. A missing file is damage only if the newest version of the archive has it.
pub(crate) fn open_data(location: &Location, file: &Path) -> Result<FileReader, ArchiveError> {
    location.open(file).map_err(|error| {
        let is_outdated = || {
            let newest = Snapshot::open_location(location.path(), location.clone());
            newest.is_ok_and(|newest| newest.files().iter().all(|known| *known.path != *file))
        };
        if error.kind() == std::io::ErrorKind::NotFound && is_outdated() {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            return ArchiveError::Outdated { path: location.path().to_path_buf(), file: name };
        }
        of_file(file, &error)
    })
}

/// Returns true if the log has an entry. A log folder without entries is a leftover of an interrupted creation.
fn has_log(location: &Location) -> Result<bool, ArchiveError> {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    let is_entry = |name: &String| {
        !name.starts_with('.') && (name.ends_with(".json") || name.ends_with(".parquet"))
    };
    match location.names(&location.path().join(LOG_FOLDER)) {
        Ok(names) => Ok(names.iter().any(is_entry)),
        Err(ArchiveError::Io { source, .. })
            if location.is_folder() && matches!(source.kind(), NotFound | NotADirectory) =>
        {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

/// Rejects tables that are not archives, and archives of other formats.
fn check_format(path: &Path, table: &DeltaSnapshot) -> Result<(), ArchiveError> {
    let properties = &table.table_properties().unknown_properties;
    let unknown = |found: &str| ArchiveError::Format {
        path: path.to_owned(),
        found: found.to_owned(),
        known: FORMAT,
    };
    match properties.get(FORMAT_PROPERTY).map(String::as_str) {
        Some(FORMAT) => {
            for (name, expected) in codecs() {
                let found = properties.get(name).map_or("none", String::as_str);
                if found != expected {
                    let column = name.rsplit('.').next().unwrap_or(name);
                    return Err(unknown(&format!("{FORMAT} with {column} of the codec {found}")));
                }
            }
            Ok(())
        }
        Some(format) => Err(unknown(format)),
        None => Err(ArchiveError::NotAnArchive {
            path: path.to_owned(),
            why: format!(
                "it is a Delta table of another program (without the property {FORMAT_PROPERTY})"
            ),
        }),
    }
}
