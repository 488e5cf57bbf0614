//! The interface to the location of an archive. Folders and object stores implement it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use delta_kernel::Engine;
use url::Url;

use super::FileReader;

/// A location with files. Files are named by their paths, which begin with that of the location.
pub(crate) trait Storage: std::fmt::Debug + Send + Sync {
    /// The full path of the folder, or the display name of the location.
    fn path(&self) -> &Arc<Path>;

    /// The URL for the kernel, which ends with a slash.
    fn url(&self) -> &Url;

    /// Returns true if it is a local folder.
    fn is_folder(&self) -> bool;

    /// The names of the entries of a folder of the archive, except for those that are not text.
    fn names(&self, folder: &Path) -> io::Result<Vec<String>>;

    /// The bytes of a small file.
    fn read(&self, file: &Path) -> io::Result<Bytes>;

    /// The bytes of many small files, in their order.
    fn read_all<'a>(
        &'a self,
        files: &'a [PathBuf],
    ) -> Box<dyn Iterator<Item = io::Result<Bytes>> + 'a>;

    /// Opens a data file or a checkpoint. In a store, a missing file is noticed only when it is read.
    fn open(&self, file: &Path) -> io::Result<FileReader>;

    /// A base for names in the log, to detect names that lead out of the archive.
    fn base(&self) -> Option<Url>;

    /// The path of a URL relative to the base.
    fn below(&self, base: &Url, url: &Url) -> Option<PathBuf>;

    /// The engine that reads the log.
    fn engine(&self) -> Arc<dyn Engine>;
}
