//! The facade: the type [`Archive`]. Its methods are here and in the files of the folder `archive`; they delegate to the layers. May
//! import all layers.

mod changes;
mod names;
mod reads;
mod streams;

use std::num::NonZero;
use std::path::Path;
#[cfg(feature = "object-store")]
use std::sync::Arc;

use crate::columns::{CancelToken, Columns};
use crate::error::ArchiveError;
use crate::options::ArchiveOptions;
use crate::snapshot::{HistoryEntry, Replay, exists, folder_of, imports, make};
#[cfg(feature = "object-store")]
use crate::snapshot::{Location, Snapshot};

/// An archive of games in a folder.
///
/// A value of this type is a snapshot: later changes of the archive do not affect it. [`Archive::refresh`] returns a
/// current one. Cloning is cheap; clones share the cached columns.
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
    pub(crate) columns: Columns,
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
    /// Creates a new, empty archive and opens it. The folder is created if necessary; if it exists, it must be empty.
    ///
    /// If another program creates the same archive at the same time, that archive is opened.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::CannotCreate`] if there is an archive, a file or a nonempty folder at the path;
    /// [`ArchiveError::ReadOnly`] if it is the URL of an object store.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, ArchiveError> {
        Self::create_with(path, &ArchiveOptions::default())
    }

    /// Like [`Archive::create`], with limits on resources.
    ///
    /// # Errors
    ///
    /// Same as [`Archive::create`].
    pub fn create_with(
        path: impl AsRef<Path>,
        options: &ArchiveOptions,
    ) -> Result<Self, ArchiveError> {
        let given = &*folder_of(path.as_ref())?;
        if exists(given)? {
            let why = "an archive exists already".to_owned();
            return Err(ArchiveError::CannotCreate { path: given.to_owned(), why });
        }
        make(given)?;
        Self::open_with(given, options)
    }

    /// Opens the archive in a folder, or creates it if the folder is empty or does not exist.
    ///
    /// # Errors
    ///
    /// Same as [`Archive::open`] and [`Archive::create`].
    pub fn open_or_create(path: impl AsRef<Path>) -> Result<Self, ArchiveError> {
        Self::open_or_create_with(path, &ArchiveOptions::default())
    }

    /// Like [`Archive::open_or_create`], with limits on resources.
    ///
    /// # Errors
    ///
    /// Same as [`Archive::open_or_create`].
    pub fn open_or_create_with(
        path: impl AsRef<Path>,
        options: &ArchiveOptions,
    ) -> Result<Self, ArchiveError> {
        let given = &*folder_of(path.as_ref())?;
        if !exists(given)? {
            make(given)?;
        }
        Self::open_with(given, options)
    }

    /// Opens an archive, given the path of its folder or a URL:
    ///
    /// - `file:///games/club` is a folder as well;
    /// - `s3://bucket/club` is in an object store, if this crate is built with the feature `object-store`. So are URLs
    ///   that begin with `gs`, `az`, `abfss`, `http` or `https`. Such an archive is read-only. Credentials and other
    ///   settings of the store go into [`ArchiveOptions::store`].
    ///
    /// A name with `://` after two or more letters is a URL; everything else is a path. See [`is_url`](crate::is_url).
    ///
    /// # Errors
    ///
    /// [`ArchiveError::NotAnArchive`] if there is no folder, or the folder is not an archive; [`ArchiveError::Url`] if
    /// it is a URL that cannot be opened; [`ArchiveError::Io`] if it cannot be read; [`ArchiveError::Format`] if
    /// another version of this library wrote it in an unknown format; [`ArchiveError::Unsupported`] if another program
    /// has enabled an unsupported feature of Delta Lake; [`ArchiveError::Damaged`] if its log has been altered, and
    /// [`ArchiveError::Delta`] if it is not a valid log.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ArchiveError> {
        Self::open_with(path, &ArchiveOptions::default())
    }

    /// Opens an archive, with limits on resources.
    ///
    /// # Errors
    ///
    /// Same as [`Archive::open`].
    pub fn open_with(
        path: impl AsRef<Path>,
        options: &ArchiveOptions,
    ) -> Result<Self, ArchiveError> {
        Ok(Self { columns: Columns::open(path.as_ref(), options)? })
    }

    /// Opens an earlier version of an archive for reading: [`Archive::history`] lists the versions. Changes apply to the
    /// newest version, and [`Archive::refresh`] returns it.
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
    /// Those of [`Archive::open`], and [`ArchiveError::NoSuchVersion`]. If a [vacuum](Archive::vacuum) has deleted
    /// files of the version, reading them fails with [`ArchiveError::Damaged`].
    pub fn open_at(path: impl AsRef<Path>, version: u64) -> Result<Self, ArchiveError> {
        Self::open(path)?.at_version(version)
    }

    /// An earlier version of this archive for reading, as [`open_at`](Self::open_at) opens it.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::NoSuchVersion`], and any error from reading the log.
    pub fn at_version(&self, version: u64) -> Result<Self, ArchiveError> {
        let then = self.columns.snapshot().at_version(version)?;
        Ok(Self { columns: self.columns.with_snapshot(then) })
    }

    /// Opens the archive below a prefix in an object store provided by the caller. It is read-only.
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
    #[cfg(feature = "object-store")]
    pub fn open_in(
        store: Arc<dyn object_store::ObjectStore>,
        prefix: &str,
        options: &ArchiveOptions,
    ) -> Result<Self, ArchiveError> {
        let prefix =
            object_store::path::Path::parse(prefix).map_err(|error| ArchiveError::Url {
                url: prefix.to_owned(),
                why: format!("it is not the name of an object ({error})"),
            })?;
        let shown = Path::new(&store.to_string()).join(prefix.as_ref());
        let location = Location::of_store(store, prefix, shown.clone())?;
        Ok(Self { columns: Columns::new(Snapshot::open_location(&shown, location)?, options) })
    }

    /// The newest version of the archive.
    ///
    /// # Errors
    ///
    /// Any error from reading the log.
    pub fn refresh(&self) -> Result<Self, ArchiveError> {
        Ok(Self { columns: self.columns.refresh()? })
    }

    /// The same archive, with a cancellation token for its queries and their iterators. To stop a change, use its
    /// [watch](crate::ChangeWatch).
    #[must_use]
    pub fn with_cancel(&self, token: &CancelToken) -> Self {
        Self { columns: self.columns.with_cancel(token) }
    }

    /// The cancellation token of the queries.
    pub fn cancel_token(&self) -> &CancelToken {
        self.columns.cancel()
    }

    /// The same archive, with this number of threads that work on a query: fewer where many queries run at once.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::num::NonZero;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let archive = halfmove_archive::Archive::create(folder.path().join("games"))?;
    /// let on_one_thread = archive.with_threads(NonZero::<usize>::MIN);
    /// assert_eq!(on_one_thread.count(&halfmove_archive::Filter::default())?, 0);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_threads(&self, threads: NonZero<usize>) -> Self {
        Self { columns: self.columns.with_threads(threads) }
    }

    /// The folder of the archive; in an object store, its URL.
    pub fn path(&self) -> &Path {
        self.columns.path()
    }

    /// The number of changes since the archive was created, 0 for a new one. An import is one change, and so is undoing
    /// it.
    pub fn version(&self) -> u64 {
        self.columns.snapshot().version()
    }

    /// The number of games. Removed games leave gaps between the ids.
    pub fn len(&self) -> u64 {
        self.columns.snapshot().len()
    }

    /// Returns true if there are no games.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The highest id of a game, 0 if there is none.
    pub fn last_id(&self) -> i64 {
        self.columns.snapshot().last_id_in_use()
    }

    /// All changes of the archive up to this version, oldest first. If another program has deleted old entries, the
    /// changes before them are missing; [`Archive::undo`] may still go back to a version with a checkpoint.
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
    /// let history = Archive::open(&path)?.history()?;
    /// assert_eq!((history[0].what.as_str(), history[1].what.as_str()), ("create", "import"));
    /// assert_eq!((history[1].games_added, history[1].ids), (1, Some((1, 1))));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Io`] if the log cannot be read, and [`ArchiveError::Damaged`] if an entry was altered, or one is
    /// missing after the first one present.
    pub fn history(&self) -> Result<Vec<HistoryEntry>, ArchiveError> {
        Ok(Replay::of(self.columns.snapshot())?.history)
    }

    /// The imports that make up this version of the archive, oldest first, without those that were undone. Their
    /// [sources](HistoryEntry::sources) identify files that have already been imported. Imports by earlier versions of
    /// this library have none.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games");
    /// use halfmove_archive::{Archive, ContentSum, Importer, PgnInput};
    ///
    /// let text = "1. e4 e5 *";
    /// let sum = ContentSum::of(text.as_bytes())?;
    /// let mut importer = Importer::open(&path)?;
    /// let input = PgnInput::named("a.pgn", text.as_bytes()).with_sum(sum);
    /// importer.read_pgn([Ok(input)], &mut ())?;
    /// importer.commit()?;
    ///
    /// let imports = Archive::open(&path)?.imports()?;
    /// assert_eq!((imports[0].sources[0].sum, imports[0].sources[0].games), (sum, 1));
    /// Archive::open(&path)?.undo(None, &mut ())?;
    /// assert!(Archive::open(&path)?.imports()?.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Same as [`Archive::history`].
    pub fn imports(&self) -> Result<Vec<HistoryEntry>, ArchiveError> {
        imports(self.columns.snapshot())
    }
}
