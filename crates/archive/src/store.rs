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
mod files;
mod log;
mod place;
mod sums;
mod undo;
mod unfinished;
mod vacuum;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use datafusion::execution::SessionState;
use datafusion::execution::runtime_env::RuntimeEnv;
use delta_kernel::object_store::local::LocalFileSystem;
use delta_kernel::transaction::CommitResult;
use delta_kernel::transaction::create_table::create_table;
use delta_kernel::{Engine, KernelError, Snapshot, SnapshotRef};
use delta_kernel_default_engine::DefaultEngineBuilder;
use url::Url;

pub(crate) use commit::{Change, DurableCommitter, NewFile, Told, sync_folder};
pub(crate) use files::DataFile;
pub(crate) use log::{LOG_FOLDER, Log, entries};
pub(crate) use sums::{Summed, Sums, mismatch, sum_from};
pub use undo::Undo;
pub(crate) use undo::fits;
use unfinished::UNFINISHED_PREFIX;
pub(crate) use unfinished::{Lock, Unfinished, data_file_name, lock, sweep};
pub use vacuum::Vacuumed;
pub(crate) use vacuum::data_files;

use crate::error::{ArchiveError, of_log};
use crate::kernel::{Cache, Stop};
use crate::options::ArchiveOptions;
use crate::schema::{FORMAT, FORMAT_PROPERTY, Format, Shape, codecs, delta_schema, properties};

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
    path: Arc<Path>,
    url: Url,
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
            .field("path", &self.path)
            .field("version", &self.version())
            .finish_non_exhaustive()
    }
}

impl Archive {
    /// Opens the archive in a folder.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::NotAnArchive`] if there is no folder, or the folder is not an archive;
    /// [`ArchiveError::Format`] if a version of this library wrote it that this one does not understand;
    /// [`ArchiveError::Damaged`] if its log is not as it was written.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ArchiveError> {
        Self::open_with(path, &ArchiveOptions::default())
    }

    /// Opens the archive in a folder, with limits for what questions may use.
    ///
    /// # Errors
    ///
    /// Those of [`Archive::open`].
    pub fn open_with(
        path: impl AsRef<Path>,
        options: &ArchiveOptions,
    ) -> Result<Self, ArchiveError> {
        let given = path.as_ref();
        let refuse = |why: String| ArchiveError::NotAnArchive { path: given.to_owned(), why };
        match std::fs::metadata(given) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(refuse("it is a file; an archive is a folder".to_owned())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(refuse("there is no such folder".to_owned()));
            }
            Err(error) => return Err(ArchiveError::io(given, error)),
        }
        if !has_log(given)? {
            let mut entries =
                std::fs::read_dir(given).map_err(|error| ArchiveError::io(given, error))?;
            let empty = entries.next().is_none();
            return Err(refuse(if empty {
                "the folder is empty".to_owned()
            } else {
                "the folder holds other files and no table (no _delta_log)".to_owned()
            }));
        }
        let (path, url) = locate(given)?;
        let engine = engine();
        let mut log = Log::read_sound(&path)?;
        let snapshot = Snapshot::builder_for(url.as_str()).build(engine.as_ref()).map_err(
            |error| match error {
                KernelError::Backtraced { source, .. } => {
                    refuse(format!("its log cannot be read ({source})"))
                }
                error => refuse(format!("its log cannot be read ({error})")),
            },
        )?;
        log.read_to(&path, snapshot.version())?;
        let format = format_of(given, &snapshot)?;
        let shape = Arc::new(Shape::of(&snapshot.schema())?);
        let files = files::list(&snapshot, engine.as_ref(), &url)?;
        Ok(Self {
            path,
            url,
            engine,
            snapshot,
            format,
            shape,
            files,
            log: Arc::new(log),
            runtime: Arc::new(options.runtime()?),
            cache: Arc::new(Cache::new(options.cache_bytes)),
            engine_state: Arc::default(),
            stop: Stop::default(),
            options: options.clone(),
        })
    }

    /// Creates a new, empty archive and opens it. The folder is created if necessary; if it exists, it must be empty.
    ///
    /// If someone else creates the same archive at the same moment, theirs is opened.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::CannotCreate`] if there is an archive, a file or a nonempty folder at the path.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, ArchiveError> {
        let given = path.as_ref();
        if exists(given)? {
            let why = "there is one already".to_owned();
            return Err(ArchiveError::CannotCreate { path: given.to_owned(), why });
        }
        make(given)?;
        Self::open(given)
    }

    /// Opens the archive in a folder, or creates it if the folder is empty or does not exist.
    ///
    /// # Errors
    ///
    /// Those of [`Archive::open`] and [`Archive::create`].
    pub fn open_or_create(path: impl AsRef<Path>) -> Result<Self, ArchiveError> {
        let given = path.as_ref();
        if !exists(given)? {
            make(given)?;
        }
        Self::open(given)
    }

    /// The same archive as it is now, including everything that was imported since this value was opened.
    ///
    /// # Errors
    ///
    /// Any error from reading the log.
    pub fn refresh(&self) -> Result<Self, ArchiveError> {
        let snapshot =
            Snapshot::builder_from(Arc::clone(&self.snapshot)).build(self.engine.as_ref())?;
        let mut log = Log::clone(&self.log);
        log.read_to(&self.path, snapshot.version())?;
        let format = format_of(&self.path, &snapshot)?;
        let shape = Arc::new(Shape::of(&snapshot.schema())?);
        let files = files::list(&snapshot, self.engine.as_ref(), &self.url)?;
        Ok(Self { snapshot, format, shape, files, log: Arc::new(log), ..self.clone() })
    }

    /// The folder of the archive.
    pub fn path(&self) -> &Path {
        &self.path
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
        Self { cache: Arc::new(Cache::new(self.options.cache_bytes)), ..self.clone() }
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
                Some(column) => Err(self.strange(column)),
            },
            Format::Zero => Err(ArchiveError::OldFormat {
                path: self.path.to_path_buf(),
                found: self.format.name(),
                current: FORMAT,
            }),
        }
    }

    /// Rejects archives whose files are not rewritten, because columns that we do not know would be lost.
    pub(crate) fn check_rewritable(&self) -> Result<(), ArchiveError> {
        self.shape.unknown.first().map_or(Ok(()), |column| Err(self.strange(column)))
    }

    fn strange(&self, column: &str) -> ArchiveError {
        ArchiveError::Format {
            path: self.path.to_path_buf(),
            found: format!("{FORMAT} with the column {column}"),
            known: FORMAT,
        }
    }

    /// The data files of this snapshot, in the order of their ids.
    pub(crate) fn files(&self) -> &[DataFile] {
        &self.files
    }

    /// The highest id in use, 0 if there is none.
    pub(crate) fn last_id_in_use(&self) -> i64 {
        self.files.iter().map(|file| file.last_id).max().unwrap_or(0)
    }

    /// The folder as a URL that ends with a slash.
    fn url(&self) -> &Url {
        &self.url
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

fn engine() -> Arc<dyn Engine> {
    Arc::new(DefaultEngineBuilder::new(Arc::new(LocalFileSystem::new())).build())
}

/// The folder's full path, and the same as a URL that ends with a slash.
fn locate(path: &Path) -> Result<(Arc<Path>, Url), ArchiveError> {
    let full: PathBuf =
        std::fs::canonicalize(path).map_err(|error| ArchiveError::io(path, error))?;
    let url = Url::from_directory_path(&full).map_err(|()| {
        ArchiveError::io(path, std::io::Error::other("the path cannot be written as a URL"))
    })?;
    Ok((full.into(), url))
}

/// Whether the folder's log has an entry. A log folder without entries is left from an interrupted creation.
fn has_log(path: &Path) -> Result<bool, ArchiveError> {
    let log = path.join("_delta_log");
    let entries = match std::fs::read_dir(&log) {
        Ok(entries) => entries,
        Err(error)
            if matches!(
                error.kind(),
                std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
            ) =>
        {
            return Ok(false);
        }
        Err(error) => return Err(ArchiveError::io(&log, error)),
    };
    for entry in entries {
        let name = entry.map_err(|error| ArchiveError::io(&log, error))?.file_name();
        let name = name.as_encoded_bytes();
        if !name.starts_with(b".") && (name.ends_with(b".json") || name.ends_with(b".parquet")) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Creates the folder and the first entry of the log. It is not an error if another program was faster.
fn make(path: &Path) -> Result<(), ArchiveError> {
    make_folder(path)?;
    let _lock = lock(path, || {
        std::thread::sleep(POLL);
        Ok(())
    })?;
    make_table(path)
}

/// The folder of an archive that may come into being. If no archive does, the folders that were created for it go
/// again, with this value.
#[derive(Debug)]
pub(crate) struct NewFolder {
    /// The folder's full path.
    pub(crate) path: Arc<Path>,
    /// The folders that were created, the deepest first.
    created: Vec<PathBuf>,
}

impl NewFolder {
    pub(crate) fn make(path: &Path) -> Result<Self, ArchiveError> {
        let missing = path.ancestors().take_while(|path| {
            !path.as_os_str().is_empty() && std::fs::symlink_metadata(path).is_err()
        });
        let created = missing.map(Path::to_owned).collect();
        make_folder(path)?;
        Ok(Self { path: locate(path)?.0, created })
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        for folder in &self.created {
            // A folder with anything in it stays.
            if std::fs::remove_dir(folder).is_err() {
                return;
            }
        }
    }
}

/// Whether there is an archive in a folder that [`Archive::open`] would look for.
pub(crate) fn exists(path: &Path) -> Result<bool, ArchiveError> {
    Ok(path.is_dir() && has_log(path)?)
}

/// Creates the folder of an archive, and checks that nothing else is in it.
fn make_folder(path: &Path) -> Result<(), ArchiveError> {
    let refuse =
        |why: &str| ArchiveError::CannotCreate { path: path.to_owned(), why: why.to_owned() };
    if path.exists() && !path.is_dir() {
        return Err(refuse("there is a file of that name"));
    }
    std::fs::create_dir_all(path).map_err(|error| ArchiveError::io(path, error))?;
    for entry in std::fs::read_dir(path).map_err(|error| ArchiveError::io(path, error))? {
        let name = entry.map_err(|error| ArchiveError::io(path, error))?.file_name();
        let ours = name == "_delta_log"
            || name == LOCK_FILE
            || name.as_encoded_bytes().starts_with(UNFINISHED_PREFIX.as_bytes());
        if !ours {
            return Err(refuse("the folder is not empty, and what is in it is no archive"));
        }
    }
    Ok(())
}

/// Creates the first entry of the log. The caller holds the lock.
pub(crate) fn make_table(path: &Path) -> Result<(), ArchiveError> {
    let (path, url) = locate(path)?;
    let engine = engine();
    let transaction = create_table(url.as_str(), delta_schema()?, WRITER, true)
        .with_table_properties(properties())
        .build(engine.as_ref(), Box::new(DurableCommitter::new(&path)));
    let transaction = match transaction {
        Err(KernelError::TableAlreadyExistsAtPath(_)) => return Ok(()),
        other => other?,
    };
    match transaction.commit(engine.as_ref()) {
        Ok(CommitResult::Committed(_) | CommitResult::Conflicted(_)) => Ok(()),
        Ok(CommitResult::Retryable(retryable)) => Err(of_log(&path, retryable.error)),
        Err(error) => Err(of_log(&path, error)),
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
