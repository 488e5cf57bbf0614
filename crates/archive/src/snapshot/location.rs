//! The location of an archive, and reading from it: a local folder, or an object store.
//!
//! ```text
//!  club, file:///games/club   ──▶ Folder    open files
//!  s3://bucket/club           ──▶ Objects   requests, on separate threads
//! ```
//!
//! Everything that reads an archive passes through here. Changes first request its folder
//! ([`Location::folder`]), because archives in object stores are read-only.
//!
//! Files are named by their paths below that of the archive. In an object store these are display names, from which the
//! names of objects are made.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use delta_kernel::Engine;
use url::Url;

use super::FileReader;
use super::engine::folder_engine;
use super::storage::Storage;
use crate::error::ArchiveError;
use crate::options::StoreOptions;

/// The parsed name of an archive.
#[derive(Debug)]
pub(crate) enum Given<'a> {
    Folder(Cow<'a, Path>),
    Store(Url),
}

/// Returns true if the name of an archive is a URL: `scheme://…`, with a scheme of at least two letters. Everything
/// else is a path.
///
/// ```
/// use std::path::Path;
///
/// use halfmove_archive::is_url;
///
/// assert!(is_url(Path::new("s3://bucket/club")));
/// // A Windows drive, and folders whose names look like a scheme.
/// assert!(!is_url(Path::new(r"C:\club")));
/// assert!(!is_url(Path::new("s3:")));
/// assert!(!is_url(Path::new("s3:/club")));
/// ```
pub fn is_url(path: &Path) -> bool {
    let scheme = path.to_str().and_then(|text| text.split_once("://")).map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        scheme.len() >= 2
            && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|char| char.is_ascii_alphanumeric() || "+-.".contains(char))
    })
}

impl<'a> Given<'a> {
    pub(crate) fn parse(given: &'a Path) -> Result<Self, ArchiveError> {
        let text = match given.to_str() {
            Some(text) if is_url(given) => text,
            _ => return Ok(Self::Folder(given.into())),
        };
        let refuse =
            |why: &str| Err(ArchiveError::Url { url: text.to_owned(), why: why.to_owned() });
        let url = match Url::parse(text) {
            Ok(url) => url,
            Err(error) => return refuse(&format!("it is not a URL ({error})")),
        };
        if url.query().is_some() || url.fragment().is_some() {
            return refuse("it has a ? or a #, which are written %3F and %23 in a name");
        }
        match url.scheme() {
            "file" => match url.to_file_path() {
                Ok(path) => Ok(Self::Folder(path.into())),
                Err(()) => refuse("expected file:/// and the full path of a folder"),
            },
            _ => Ok(Self::Store(url)),
        }
    }

    /// The folder, for changes.
    pub(crate) fn folder(self) -> Result<Cow<'a, Path>, ArchiveError> {
        match self {
            Self::Folder(path) => Ok(path),
            Self::Store(url) => Err(ArchiveError::ReadOnly { path: url.as_str().into() }),
        }
    }
}

/// The schemes of object stores.
const SCHEMES: [&str; 10] =
    ["s3", "s3a", "gs", "az", "azure", "adl", "abfs", "abfss", "http", "https"];

/// Returns an error if a URL is not one of an object store.
fn check_scheme(url: &Url) -> Result<(), ArchiveError> {
    if SCHEMES.contains(&url.scheme()) {
        return Ok(());
    }
    let why = format!("its scheme is unknown, expected one of file, {}", SCHEMES.join(", "));
    Err(ArchiveError::Url { url: url.to_string(), why })
}

/// The location of an archive.
#[derive(Debug, Clone)]
pub(crate) struct Location(Arc<dyn Storage>);

/// A local folder.
#[derive(Debug)]
struct Folder {
    /// Its full path.
    path: Arc<Path>,
    url: Url,
}

impl Storage for Folder {
    fn path(&self) -> &Arc<Path> {
        &self.path
    }

    fn url(&self) -> &Url {
        &self.url
    }

    fn is_folder(&self) -> bool {
        true
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            names.extend(entry?.file_name().into_string().ok());
        }
        Ok(names)
    }

    fn read(&self, file: &Path) -> io::Result<Bytes> {
        check_is_file(file)?;
        std::fs::read(file).map(Bytes::from)
    }

    fn read_all<'a>(
        &'a self,
        files: &'a [PathBuf],
    ) -> Box<dyn Iterator<Item = io::Result<Bytes>> + 'a> {
        Box::new(files.iter().map(|file| self.read(file)))
    }

    fn open(&self, file: &Path) -> io::Result<FileReader> {
        check_is_file(file)?;
        File::open(file).map(FileReader::from)
    }

    fn base(&self) -> Option<Url> {
        Some(self.url.clone())
    }

    fn below(&self, base: &Url, url: &Url) -> Option<PathBuf> {
        Some(url.to_file_path().ok()?.strip_prefix(base.to_file_path().ok()?).ok()?.to_owned())
    }

    fn engine(&self) -> Arc<dyn Engine> {
        folder_engine()
    }
}

/// Rejects a pipe, which would block, and a device, which may be endless.
fn check_is_file(file: &Path) -> io::Result<()> {
    match file.metadata()?.is_file() {
        true => Ok(()),
        false => Err(io::Error::other("it is not a file")),
    }
}

impl Location {
    /// A folder that exists.
    pub(crate) fn of_folder(path: &Path) -> Result<Self, ArchiveError> {
        let full = std::fs::canonicalize(path).map_err(|error| ArchiveError::io(path, error))?;
        let url =
            url_of(&full).ok_or_else(|| ArchiveError::io(path, io::Error::other(UNUSABLE)))?;
        Ok(Self(Arc::new(Folder { path: full.into(), url })))
    }

    /// A location in the store that a URL names.
    #[cfg(feature = "object-store")]
    pub(crate) fn of_url(url: &Url, options: &StoreOptions) -> Result<Self, ArchiveError> {
        check_scheme(url)?;
        let (store, prefix) = super::objects::store_of(url, options)?;
        let shown = url.as_str().trim_end_matches('/');
        Self::of_store(store, prefix, shown.into())
    }

    /// Without object stores, no URL can be opened.
    #[cfg(not(feature = "object-store"))]
    pub(crate) fn of_url(url: &Url, _: &StoreOptions) -> Result<Self, ArchiveError> {
        check_scheme(url)?;
        let why = "this program was built without object stores: build it with the feature \
                   object-store, or copy the archive to a folder";
        Err(ArchiveError::Url { url: url.to_string(), why: why.to_owned() })
    }

    /// A location in a store; `shown` is its display name.
    #[cfg(feature = "object-store")]
    pub(crate) fn of_store(
        store: Arc<dyn object_store::ObjectStore>,
        prefix: object_store::path::Path,
        shown: PathBuf,
    ) -> Result<Self, ArchiveError> {
        Ok(Self(Arc::new(super::objects::Objects::new(store, prefix, shown)?)))
    }

    /// The full path of the folder, or the display name of the location in the store.
    pub(crate) fn path(&self) -> &Arc<Path> {
        self.0.path()
    }

    /// The URL for the kernel, which ends with a slash.
    pub(crate) fn url(&self) -> &Url {
        self.0.url()
    }

    /// Returns true if it is a local folder.
    pub(crate) fn is_folder(&self) -> bool {
        self.0.is_folder()
    }

    /// The folder, for changes of the archive.
    pub(crate) fn folder(&self) -> Result<&Path, ArchiveError> {
        match self.0.is_folder() {
            true => Ok(self.path()),
            false => Err(ArchiveError::ReadOnly { path: self.path().to_path_buf() }),
        }
    }

    /// The names of the entries of a folder of the archive, except for those that are not text.
    pub(crate) fn names(&self, folder: &Path) -> Result<Vec<String>, ArchiveError> {
        self.0.names(folder).map_err(|error| ArchiveError::io(folder, error))
    }

    /// Returns true if the file exists.
    pub(crate) fn has(&self, file: &Path) -> bool {
        self.open(file).and_then(|file| file.length()).is_ok()
    }

    /// The bytes of a small file.
    pub(crate) fn read(&self, file: &Path) -> io::Result<Bytes> {
        self.0.read(file)
    }

    /// The bytes of many small files, one after another; from a store, several at a time.
    pub(crate) fn read_all<'a>(
        &'a self,
        files: &'a [PathBuf],
    ) -> Box<dyn Iterator<Item = io::Result<Bytes>> + 'a> {
        self.0.read_all(files)
    }

    /// Opens a data file or a checkpoint. In a store, a missing file is noticed only when it is read.
    pub(crate) fn open(&self, file: &Path) -> io::Result<FileReader> {
        self.0.open(file)
    }

    /// The path of a file, from its name in the log; `None` if it is not in the archive.
    pub(crate) fn inside(&self, name: &str) -> Option<PathBuf> {
        if name.starts_with(['/', '\\']) || Url::parse(name).is_ok() {
            return None;
        }
        let base = self.0.base()?;
        let url = base.join(name).ok()?;
        // An encoded name may still contain dots and slashes.
        let below = self.0.below(&base, &url)?;
        let mut parts = below.components().peekable();
        let is_inside = parts.peek().is_some()
            && parts.all(|part| matches!(part, Component::Normal(_)))
            && !below.as_os_str().as_encoded_bytes().contains(&0)
            && url.query().is_none()
            && url.fragment().is_none();
        is_inside.then(|| self.path().join(below))
    }

    /// The engine that reads the log.
    pub(crate) fn engine(&self) -> Arc<dyn Engine> {
        self.0.engine()
    }
}

/// The reason why a folder cannot hold an archive.
pub(super) const UNUSABLE: &str = "the path has a control character, a backslash, a sequence such as %20, or bytes that are no text: give the folder another name";

/// The URL of a folder, from its full path, ending with a slash. `None` if readers of Delta tables would look for it
/// elsewhere, because some decode a URL to a name and encode that again.
pub(super) fn url_of(folder: &Path) -> Option<Url> {
    let text = folder.to_str()?;
    let bytes = text.as_bytes();
    let is_escape = |at: usize| {
        bytes[at] == b'%'
            && bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit))
    };
    let is_usable = !text.contains(|char: char| char.is_control() || char == '\\')
        && !(0..bytes.len()).any(is_escape);
    if is_usable { Url::from_directory_path(folder).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<String, String> {
        match Given::parse(Path::new(text)) {
            Ok(Given::Folder(path)) => Ok(format!("folder {}", path.display())),
            Ok(Given::Store(url)) => Ok(format!("store {url}")),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn everything_but_a_url_is_a_path() {
        for path in
            ["club", "./club", "/games/club", "C:\\games", "C://games", "s3:", "s3:/a", "://a"]
        {
            assert_eq!(parse(path), Ok(format!("folder {path}")));
        }
        assert_eq!(parse("s3://bucket/club"), Ok("store s3://bucket/club".to_owned()));
        assert_eq!(parse("S3://bucket"), Ok("store s3://bucket".to_owned()));
        for url in ["file://other/club", "s3://bucket/club?a", "s3://bucket/club#a", "http://[/"] {
            let refused = parse(url).expect_err(url);
            assert!(refused.contains(url), "{refused}");
        }
    }

    /// No archive is created in a folder that the engines would look for elsewhere.
    #[cfg(unix)]
    #[test]
    fn some_names_of_folders_are_rejected() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;

        let url = |name: &[u8]| url_of(&Path::new("/games").join(OsStr::from_bytes(name)));
        for name in ["club", "a b", "que?", "ha#sh", "ü", "*", "[x]", "a:b", "%", "\"q\"", "a|b"] {
            assert!(url(name.as_bytes()).is_some(), "{name}");
        }
        for name in [&b"new\nline"[..], b"a\tb", b"\x01", b"bad\xffname", b"%20", b"%ff", b"a\\b"] {
            assert_eq!(url(name), None, "{name:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn urls_of_files_are_paths() {
        assert_eq!(parse("file:///games/a%20b"), Ok("folder /games/a b".to_owned()));
        assert_eq!(parse("file://localhost/games"), Ok("folder /games".to_owned()));
    }

    /// The log must not decide which files of a machine or of a bucket are read.
    #[test]
    fn names_in_the_log_do_not_lead_out_of_the_archive() {
        let folder = tempfile::tempdir().expect("a folder");
        let locations = [
            Location::of_folder(folder.path()).expect("a folder"),
            #[cfg(feature = "object-store")]
            {
                let store = Arc::new(object_store::memory::InMemory::new());
                let prefix = object_store::path::Path::from("a/club");
                Location::of_store(store, prefix, "memory://club".into()).expect("a store")
            },
        ];
        for location in locations {
            let path = location.path().clone();
            for (name, expected) in [
                ("a.parquet", "a.parquet"),
                ("year=2000/a%20b.parquet", "year=2000/a b.parquet"),
                ("a/../b.parquet", "b.parquet"),
            ] {
                assert_eq!(location.inside(name), Some(path.join(expected)), "{name}");
            }
            for name in [
                "",
                "..",
                "../a",
                "/a",
                "\\a",
                "%2e%2e/a",
                "a%2f..%2f..%2f..%2fb",
                "file:///etc/a",
                "s3://other/a",
                "a?b",
                "a#b",
                "a%00b",
            ] {
                assert_eq!(location.inside(name), None, "{name} in {location:?}");
            }
        }
    }
}
