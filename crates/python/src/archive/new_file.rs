//! Output files: written completely or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file that gets its name when it is complete. Until then it has a unique temporary name that begins with a dot. A
/// device or a pipe is written directly.
pub(super) enum NewFile {
    Unfinished { file: NamedTempFile, path: PathBuf, overwrite: bool },
    Direct(File),
}

impl NewFile {
    /// Begins a file. An existing one is replaced only with `overwrite`, and keeps its permissions.
    pub(super) fn create(path: &Path, overwrite: bool) -> io::Result<Self> {
        let existing = fs::metadata(path).ok();
        let (path, permissions) = match existing {
            Some(existing) if !existing.is_file() => {
                return Ok(Self::Direct(OpenOptions::new().write(true).open(path)?));
            }
            Some(_) if !overwrite => return Err(io::ErrorKind::AlreadyExists.into()),
            Some(existing) if existing.permissions().readonly() => {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            // The file behind a link.
            Some(existing) => (path.canonicalize()?, Some(existing.permissions())),
            None => (path.to_owned(), None),
        };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut builder = tempfile::Builder::new();
        builder.prefix(".halfmove-").suffix(".part");
        // Without them, a temporary file is private to its owner.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder.unwrap_or(Path::new(".")));
        // The text of this error would name the temporary file.
        let file = file.map_err(|error| io::Error::from(error.kind()))?;
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions)?;
        }
        Ok(Self::Unfinished { file, path, overwrite })
    }

    /// Writes all of some bytes.
    pub(super) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            // The errors of its own `write_all` would name it.
            Self::Unfinished { file, .. } => file.as_file_mut().write_all(bytes),
            Self::Direct(file) => file.write_all(bytes),
        }
    }

    /// Completes the file, and gives it its name.
    pub(super) fn finish(self) -> io::Result<()> {
        let Self::Unfinished { file, path, overwrite } = self else { return Ok(()) };
        file.as_file().sync_all()?;
        let named = if overwrite { file.persist(path) } else { file.persist_noclobber(path) };
        named.map(drop).map_err(|error| error.error)
    }
}
