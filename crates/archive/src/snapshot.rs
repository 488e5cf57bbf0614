//! The archive as a table on disk: creating it, opening it, adding to it.
//!
//! ```text
//! archive/
//! ├── _delta_log/00000000000000000000.json   created: schema, format
//! │              00000000000000000001.json   first import: which files, how many games, ids from … to …
//! ├── games-6e1f….parquet                    the games, up to a million per file
//! └── _halfmove.lock                         held while committing
//! ```
//!
//! It is a Delta Lake table, so an import is visible as a whole or not at all: it writes its Parquet files under names
//! that nothing refers to, and then adds one entry to the log that names them all. An import that is killed before
//! that leaves files that no reader looks at; the next import removes them.

mod checkpoint;
mod commit;
mod create;
pub(crate) mod engine;
mod files;
mod location;
mod log;
mod objects;
mod place;
mod reader;
mod sums;
mod undo;
mod unfinished;
mod vacuum;

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use datafusion::execution::SessionState;
use datafusion::execution::runtime_env::RuntimeEnv;
use delta_kernel::object_store::ObjectStore;
use delta_kernel::object_store::path::Path as StorePath;
use delta_kernel::{Engine, Snapshot, SnapshotRef};

pub(crate) use commit::{Change, DurableCommitter, NewFile, Told, sync_folder};
pub(crate) use create::{NewFolder, exists, folder_of, make_table};
pub(crate) use files::DataFile;
use location::Given;
pub(crate) use location::Location;
pub use location::is_url;
pub(crate) use log::{LOG_FOLDER, Log, entries, file_of as entry_file};
pub(crate) use objects::Objects;
pub(crate) use reader::{FileReader, FileStream};
pub(crate) use sums::{Summed, Sums, check_entry_of, mismatch, sum_from};
pub use undo::UndoReport;
pub(crate) use undo::fits;
pub(crate) use unfinished::{Lock, Unfinished, data_file_name, lock, sweep};
pub use vacuum::VacuumReport;
pub(crate) use vacuum::data_files;

use crate::error::{ArchiveError, caught_in_log, of_log};
use crate::history::Replay;
use crate::kernel::{Cache, Stop, check_size, open_file};
use crate::options::ArchiveOptions;
use crate::schema::{FORMAT, FORMAT_PROPERTY, Format, Shape, codecs};

/// The name of the writer in the log.
pub(crate) const WRITER: &str = concat!("halfmove/", env!("CARGO_PKG_VERSION"));

/// Held while committing, so that two imports that end at the same time do not conflict again and again.
pub(crate) const LOCK_FILE: &str = "_halfmove.lock";

/// How often to ask for the lock.
pub(crate) const POLL: Duration = Duration::from_millis(20);

/// An archive of games in a folder.
///
/// A value of this type is a snapshot of the archive as it was when it was opened, whatever is imported in the
/// meantime; [`Archive::refresh`] returns a current one. It is cheap to clone.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use halfmove_archive::Archive;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("games");
/// assert!(Archive::open(&path).is_err());
///
/// let archive = Archive::create(&path)?;
/// assert_eq!(archive.len(), 0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Archive {
    location: Location,
    engine: Arc<dyn Engine>,
    snapshot: SnapshotRef,
    format: Format,
    shape: Arc<Shape>,
    files: Arc<[DataFile]>,
    log: Arc<Log>,
    /// Shared by all queries: it caches the footers of files that have been read.
    pub(crate) runtime: Arc<RuntimeEnv>,
    /// Shared by all searches.
    cache: Arc<Cache>,
    /// What sessions of the query engine are made from.
    pub(crate) engine_state: Arc<OnceLock<SessionState>>,
    /// Told when the work of this clone is not wanted any longer.
    pub(crate) stop: Stop,
    options: ArchiveOptions,
}

impl std::fmt::Debug for Archive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Archive")
            .field("path", &self.path())
            .field("version", &self.version())
            .finish_non_exhaustive()
    }
}

impl Archive {
    /// Opens an archive. It is named by the path of its folder, or by a URL:
    ///
    /// - `file:///games/club` is a folder as well;
    /// - `s3://bucket/club` is in an object store, if this crate is built with the feature `object-store`. So are
    ///   URLs that begin with `gs`, `az`, `abfss`, `http` or `https`. Such an archive is only read. What the store wants
    ///   to know is in [`ArchiveOptions::store`].
    ///
    /// A text with `://` behind two or more letters is a URL, and everything else is a path. See [`is_url`].
    ///
    /// # Errors
    ///
    /// [`ArchiveError::NotAnArchive`] if there is no folder, or the folder is not an archive;
    /// [`ArchiveError::Url`] if it is a URL that cannot be opened; [`ArchiveError::Io`] if it cannot be read;
    /// [`ArchiveError::Format`] if a version of this library wrote it that this one does not understand;
    /// [`ArchiveError::Unsupported`] if another program has made it use a feature of Delta Lake that is not known here;
    /// [`ArchiveError::Damaged`] if its log is not as it was written, and [`ArchiveError::Delta`] if it is not a log.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ArchiveError> {
        Self::open_with(path, &ArchiveOptions::default())
    }

    /// Opens an archive, with limits for what questions may use.
    ///
    /// # Errors
    ///
    /// Those of [`Archive::open`].
    pub fn open_with(
        path: impl AsRef<Path>,
        options: &ArchiveOptions,
    ) -> Result<Self, ArchiveError> {
        match Given::parse(path.as_ref())? {
            Given::Folder(path) => Self::open_folder(&path, options),
            Given::Store(url) => {
                let location = Location::of_url(&url, &options.store)?;
                let shown = location.path().clone();
                Self::open_location(&shown, location, options)
            }
        }
    }

    /// Opens an archive as it was at an earlier version, to read it: [`Archive::history`] lists the versions. What changes
    /// an archive changes it as it is now, and so [`Archive::refresh`] returns it as it is now.
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
    /// assert_eq!(Archive::open_at(&path, 0)?.len(), 0);
    /// assert_eq!(Archive::open_at(&path, 1)?.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Archive::open`], and [`ArchiveError::NoSuchVersion`]. Where a [vacuum](Archive::vacuum) has deleted files of
    /// the version, what reads these fails with [`ArchiveError::Damaged`].
    pub fn open_at(path: impl AsRef<Path>, version: u64) -> Result<Self, ArchiveError> {
        let now = Self::open(path)?;
        let no_such =
            |why: String| ArchiveError::NoSuchVersion { path: now.path().to_owned(), version, why };
        if version > now.version() {
            return Err(no_such(format!("its version is {}", now.version())));
        }
        // Opening has read only what came since the last checkpoint.
        Replay::of(&now)?;
        let snapshot = now.snapshot_at(version);
        now.with_snapshot(snapshot.map_err(|error| no_such(error.to_string()))?)
    }

    /// The same archive at an earlier version, if no checkpoint says anything else of it than the entries.
    fn with_snapshot(&self, snapshot: SnapshotRef) -> Result<Self, ArchiveError> {
        let format = format_of(self.path(), &snapshot)?;
        let shape = Arc::new(Shape::of(&snapshot.schema())?);
        let files = files::list(&snapshot, self.engine(), &self.location)?;
        let then = Self { snapshot, format, shape, files, ..self.clone() };
        Replay::of(&then)?.check_files(&then.files)?;
        Ok(then)
    }

    /// Opens the archive in an object store of the caller, below a prefix. It is only read.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::sync::Arc;
    ///
    /// use halfmove_archive::object_store::memory::InMemory;
    /// use halfmove_archive::{Archive, ArchiveError, ArchiveOptions};
    ///
    /// let store = Arc::new(InMemory::new());
    /// let opened = Archive::open_in(store, "games/club", &ArchiveOptions::default());
    /// assert!(matches!(opened, Err(ArchiveError::NotAnArchive { .. })));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Archive::open`]; [`ArchiveError::Url`] if the prefix is not the name of an object.
    pub fn open_in(
        store: Arc<dyn ObjectStore>,
        prefix: &str,
        options: &ArchiveOptions,
    ) -> Result<Self, ArchiveError> {
        let prefix = StorePath::parse(prefix).map_err(|error| ArchiveError::Url {
            url: prefix.to_owned(),
            why: format!("it is not the name of an object ({error})"),
        })?;
        let shown = Path::new(&store.to_string()).join(prefix.as_ref());
        Self::open_location(&shown, Location::of_store(store, prefix, shown.clone())?, options)
    }

    fn open_folder(given: &Path, options: &ArchiveOptions) -> Result<Self, ArchiveError> {
        let refuse =
            |why: &str| ArchiveError::NotAnArchive { path: given.to_owned(), why: why.to_owned() };
        match std::fs::metadata(given) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(refuse("it is a file; an archive is a folder")),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(refuse("there is no such folder"));
            }
            Err(error) => return Err(ArchiveError::io(given, error)),
        }
        Self::open_location(given, Location::of_folder(given)?, options)
    }

    /// `given` is what the caller calls the place.
    fn open_location(
        given: &Path,
        location: Location,
        options: &ArchiveOptions,
    ) -> Result<Self, ArchiveError> {
        if !has_log(&location)? {
            let why = match location.names(location.path())?.is_empty() {
                true => "the folder is empty",
                false => "the folder holds other files and no table (no _delta_log)",
            };
            return Err(ArchiveError::NotAnArchive { path: given.to_owned(), why: why.to_owned() });
        }
        let engine = location.engine();
        let mut log = Log::read_sound(&location)?;
        let snapshot = caught_in_log(given, || {
            let snapshot = Snapshot::builder_for(location.url().as_str()).build(engine.as_ref());
            snapshot.map_err(|error| of_log(given, error))
        })?;
        log.read_to(&location, snapshot.version())?;
        let format = format_of(given, &snapshot)?;
        let shape = Arc::new(Shape::of(&snapshot.schema())?);
        let files = caught_in_log(given, || files::list(&snapshot, engine.as_ref(), &location))?;
        let runtime = options.runtime()?;
        location.register(&runtime);
        let cache = Cache::new(location.clone(), options.cache_bytes);
        let archive = Self {
            location,
            engine,
            snapshot,
            format,
            shape,
            files,
            log: Arc::new(log),
            runtime: Arc::new(runtime),
            cache: Arc::new(cache),
            engine_state: Arc::default(),
            stop: Stop::default(),
            options: options.clone(),
        };
        archive.checked()
    }

    /// The archive, if no checkpoint says anything else than the entries: for one with a checksum that is known.
    fn checked(self) -> Result<Self, ArchiveError> {
        // Where old entries are gone, the checkpoint is all there is.
        if self.log.trusts_checkpoint
            && let Some(replay) = Replay::of_complete(&self)?
        {
            replay.check_files(&self.files)?;
        }
        Ok(self)
    }

    /// The same archive as it is now, including everything that was imported since this value was opened.
    ///
    /// # Errors
    ///
    /// Any error from reading the log.
    pub fn refresh(&self) -> Result<Self, ArchiveError> {
        let snapshot = caught_in_log(self.path(), || {
            let snapshot = Snapshot::builder_from(Arc::clone(&self.snapshot));
            let snapshot = snapshot.build(self.engine.as_ref());
            snapshot.map_err(|error| of_log(self.path(), error))
        })?;
        let mut log = Log::clone(&self.log);
        log.read_to(&self.location, snapshot.version())?;
        let format = format_of(self.path(), &snapshot)?;
        let shape = Arc::new(Shape::of(&snapshot.schema())?);
        let files = caught_in_log(self.path(), || {
            files::list(&snapshot, self.engine.as_ref(), &self.location)
        })?;
        let now = Self { snapshot, format, shape, files, log: Arc::new(log), ..self.clone() };
        now.checked()
    }

    /// The folder of the archive; in an object store, its URL.
    pub fn path(&self) -> &Path {
        self.location.path()
    }

    /// Where the archive is.
    pub(crate) fn location(&self) -> &Location {
        &self.location
    }

    /// The folder of the archive, for what changes it.
    pub(crate) fn folder(&self) -> Result<&Path, ArchiveError> {
        self.location.folder()
    }

    /// The number of changes since the archive was created, 0 for a new one. Every import is one change, and so is what
    /// takes it back.
    pub fn version(&self) -> u64 {
        self.snapshot.version()
    }

    /// How many games there are. Where games were removed, there are gaps between their ids.
    pub fn len(&self) -> u64 {
        self.files.iter().map(|file| file.games).sum()
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same snapshot, of which nothing is in memory.
    pub(crate) fn without_memory(&self) -> Self {
        let cache = Cache::new(self.location.clone(), self.options.cache_bytes);
        Self { cache: Arc::new(cache), ..self.clone() }
    }

    /// The format of the archive.
    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// How the columns of the table differ from ours.
    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Rejects archives that are read but not added to: those of an older format, and those of a later version of this
    /// library in which each game has to have something that we do not know.
    pub(crate) fn check_current(&self) -> Result<(), ArchiveError> {
        match self.format {
            Format::One => match &self.shape.required {
                None => Ok(()),
                Some(column) => Err(self.unknown_column(column)),
            },
            Format::Zero => Err(ArchiveError::OldFormat {
                path: self.path().to_path_buf(),
                found: self.format.name(),
                current: FORMAT,
            }),
        }
    }

    /// Rejects archives whose files are not rewritten, because columns that we do not know would be lost.
    pub(crate) fn check_rewritable(&self) -> Result<(), ArchiveError> {
        self.shape.unknown.first().map_or(Ok(()), |column| Err(self.unknown_column(column)))
    }

    fn unknown_column(&self, column: &str) -> ArchiveError {
        ArchiveError::UnknownColumn { path: self.path().to_path_buf(), column: column.to_owned() }
    }

    /// The data files of this snapshot, in the order of their ids.
    pub(crate) fn files(&self) -> &[DataFile] {
        &self.files
    }

    /// Checks that the data files in a folder are there, each with its length. The engine counts games without opening their
    /// files.
    pub(crate) fn check_there(&self) -> Result<(), ArchiveError> {
        let Location::Folder { .. } = &self.location else { return Ok(()) };
        for file in self.files.iter() {
            check_size(&open_file(&self.location, &file.path)?, file)?;
        }
        Ok(())
    }

    /// The highest id in use, 0 if there is none.
    pub(crate) fn last_id_in_use(&self) -> i64 {
        self.files.iter().map(|file| file.last_id).max().unwrap_or(0)
    }

    pub(crate) fn snapshot(&self) -> &SnapshotRef {
        &self.snapshot
    }

    pub(crate) fn cache(&self) -> &Arc<Cache> {
        &self.cache
    }

    /// How many bytes of games may be gathered to put them in order.
    pub(crate) fn block_bytes(&self) -> u64 {
        self.options.query_bytes as u64 / 8
    }

    /// How many threads work on a question.
    pub(crate) fn threads(&self) -> usize {
        self.options.threads.get()
    }

    /// How many bytes a query may keep.
    pub(crate) fn query_bytes(&self) -> usize {
        self.options.query_bytes
    }

    pub(crate) fn engine(&self) -> &dyn Engine {
        self.engine.as_ref()
    }
}

/// Whether the log has an entry. A log folder without entries is left from an interrupted creation.
fn has_log(location: &Location) -> Result<bool, ArchiveError> {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    let is_entry = |name: &String| {
        !name.starts_with('.') && (name.ends_with(".json") || name.ends_with(".parquet"))
    };
    match location.names(&location.path().join(LOG_FOLDER)) {
        Ok(names) => Ok(names.iter().any(is_entry)),
        Err(ArchiveError::Io { source, .. })
            if matches!(location, Location::Folder { .. })
                && matches!(source.kind(), NotFound | NotADirectory) =>
        {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

/// Rejects tables that are not ours, and archives in other formats.
fn format_of(path: &Path, snapshot: &Snapshot) -> Result<Format, ArchiveError> {
    let properties = &snapshot.table_properties().unknown_properties;
    let unknown = |found: &str| ArchiveError::Format {
        path: path.to_owned(),
        found: found.to_owned(),
        known: FORMAT,
    };
    match properties.get(FORMAT_PROPERTY).map(String::as_str) {
        Some("0") => Ok(Format::Zero),
        Some(FORMAT) => {
            for (name, expected) in codecs() {
                let found = properties.get(name).map_or("none", String::as_str);
                if found != expected {
                    let column = name.rsplit('.').next().unwrap_or(name);
                    return Err(unknown(&format!("{FORMAT} with {column} of the codec {found}")));
                }
            }
            Ok(Format::One)
        }
        Some(format) => Err(unknown(format)),
        None => Err(ArchiveError::NotAnArchive {
            path: path.to_owned(),
            why: format!(
                "it is a Delta table of something else (without the property {FORMAT_PROPERTY})"
            ),
        }),
    }
}
