//! What an archive needs of the place where it is. Folders and object stores implement it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use delta_kernel::Engine;
use url::Url;

use super::FileReader;

/// A place with files. Files are named by their paths, which begin with that of the place.
pub(crate) trait Storage: std::fmt::Debug + Send + Sync {
    /// The full path of the folder, or the name of the place for people.
    fn path(&self) -> &Arc<Path>;

    /// A URL for the kernel, which ends with a slash.
    fn url(&self) -> &Url;

    /// True if it is a folder of this machine.
    fn is_folder(&self) -> bool;

    /// The names of what is in a folder of the archive, except for those that are no text.
    fn names(&self, folder: &Path) -> io::Result<Vec<String>>;

    /// The bytes of a small file.
    fn read(&self, file: &Path) -> io::Result<Bytes>;

    /// The bytes of many small files, in their order.
    fn read_all<'a>(
        &'a self,
        files: &'a [PathBuf],
    ) -> Box<dyn Iterator<Item = io::Result<Bytes>> + 'a>;

    /// Opens a data file or a checkpoint. In a store, only reading it shows whether it is there.
    fn open(&self, file: &Path) -> io::Result<FileReader>;

    /// A base for names in the log, so that a name that leads out of the archive is noticed.
    fn base(&self) -> Option<Url>;

    /// The path below the base of a URL.
    fn below(&self, base: &Url, url: &Url) -> Option<PathBuf>;

    /// The reader of the log.
    fn engine(&self) -> Arc<dyn Engine>;
}
