//! Files that a verb writes: whole or not at all, and never over what it reads.

use crate::interrupt::Removal;
use anyhow::{Context, bail};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that gets its name when it is complete. Until then it has one of its own, which begins with a dot and
/// is nobody else's. A device or a pipe is written directly.
pub(crate) struct NewFile {
    /// As the user has given it.
    path: PathBuf,
    out: BufWriter<Target>,
}

enum Target {
    /// It will replace the file behind the path.
    Unfinished(NamedTempFile, PathBuf),
    Direct(File),
}

impl NewFile {
    /// Begins a file that must be none of `inputs`, and not among the files of an archive.
    pub(crate) fn create(path: &Path, inputs: &[PathBuf]) -> anyhow::Result<Self> {
        let behind = behind_links(path);
        let same = |input: &PathBuf| match input.to_str() {
            Some("-") => is_standard_input(&behind),
            _ => input.canonicalize().is_ok_and(|input| input == behind),
        };
        // A link of the system to a pipe leads to no name.
        let existing = fs::metadata(path).ok();
        let is_regular = existing.as_ref().is_none_or(fs::Metadata::is_file);
        if is_regular && inputs.iter().any(same) {
            bail!("{}: this file is being read, expected another one to write to", path.display());
        }
        let cannot = || format!("cannot write {}", path.display());
        let is_protected =
            existing.as_ref().is_some_and(|data| is_regular && data.permissions().readonly());
        if is_protected {
            bail!("{}: this file is write-protected", path.display());
        }
        let target = if is_regular {
            let folder = behind.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new("."));
            let whole = folder.canonicalize().with_context(|| {
                format!("cannot write {}, because there is no such folder", path.display())
            })?;
            if let Some(archive) = whole.ancestors().find(|f| f.join("_delta_log").is_dir()) {
                bail!(
                    "{}: this folder is an archive, expected a file outside of it",
                    archive.display()
                );
            }
            let mut builder = tempfile::Builder::new();
            builder.prefix(".halfmove-").suffix(".part");
            let permissions =
                existing.map_or_else(usual_permissions, |data| Some(data.permissions()));
            if let Some(permissions) = permissions {
                builder.permissions(permissions);
            }
            let removal = Removal::begin().context("cannot listen to signals")?;
            // The text of this error would name a file that nobody has asked for.
            let file = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()));
            let file = file.with_context(cannot)?;
            removal.of(file.path().to_owned()).context("cannot start a thread")?;
            Target::Unfinished(file, behind)
        } else {
            Target::Direct(File::create(path).with_context(cannot)?)
        };
        Ok(Self { path: path.to_owned(), out: BufWriter::with_capacity(1 << 16, target) })
    }

    /// Everything is written: the file gets its name.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let cannot = || format!("cannot write {}", self.path.display());
        let target = self.out.into_inner().map_err(io::IntoInnerError::into_error);
        if let Target::Unfinished(file, behind) = target.with_context(cannot)? {
            file.as_file().sync_all().with_context(cannot)?;
            file.persist(behind).map_err(|error| error.error).with_context(cannot)?;
        }
        Ok(())
    }
}

impl NewFile {
    /// An error that says which file could not be written.
    fn named(&self, error: io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("cannot write {}: {error}", self.path.display()))
    }
}

/// The file that is meant by a path: behind a link is another one, even if it does not exist yet.
fn behind_links(path: &Path) -> PathBuf {
    let mut behind = path.to_owned();
    // As many links as Linux follows.
    for _ in 0..40 {
        match (behind.canonicalize(), fs::read_link(&behind)) {
            (Ok(file), _) => return file,
            (_, Ok(target)) => behind = behind.with_file_name("").join(target),
            (_, Err(_)) => return behind,
        }
    }
    behind
}

/// Whether a file is what standard input reads.
fn is_standard_input(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        use std::os::unix::fs::MetadataExt;
        let identity = |data: fs::Metadata| (data.dev(), data.ino());
        let input = io::stdin().as_fd().try_clone_to_owned().map(File::from);
        let input = input.and_then(|input| input.metadata()).map(identity);
        let named = fs::metadata(path).map(identity);
        matches!((input, named), (Ok(input), Ok(named)) if input == named)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// Those of any new file; a temporary one is for its owner alone.
fn usual_permissions() -> Option<fs::Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    None
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            // Its own way to write would name it in errors.
            Target::Unfinished(file, _) => file.as_file_mut().write(bytes),
            Target::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Unfinished(file, _) => file.as_file_mut().flush(),
            Target::Direct(file) => file.flush(),
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).map_err(|error| self.named(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().map_err(|error| self.named(error))
    }
}
