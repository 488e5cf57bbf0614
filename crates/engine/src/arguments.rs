//! What the arguments of several commands have in common: games, and files to write.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use halfmove_rules::Variant;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Reads the name of a game, one of these.
pub(crate) fn variants(known: &[Variant]) -> impl TypedValueParser<Value = Variant> + use<> {
    let names: Vec<_> = known.iter().map(|variant| PossibleValue::new(variant.name())).collect();
    PossibleValuesParser::new(names).map(|name| Variant::from_name(&name).unwrap_or_default())
}

/// A file for results. It is opened before the work begins, so that a mistake costs nothing, and an older one is replaced only
/// once there is something to write: it may be hours of work, or the source of the engine.
#[derive(Debug)]
pub(crate) struct Output {
    path: PathBuf,
    file: File,
    is_new: bool,
    is_written: bool,
}

impl Output {
    /// A new file, or with `force` one that exists. An empty file, as an interrupted run may leave it, a device and a pipe
    /// have nothing to lose.
    pub(crate) fn create(path: &Path, force: bool) -> Result<Self, String> {
        let found = fs::metadata(path).ok();
        let is_kept = found.as_ref().is_some_and(|data| data.is_file() && data.len() > 0);
        if is_kept && !force {
            return Err(format!("{}: the file exists; --force replaces it", path.display()));
        }
        let file = File::options().write(true).create(true).truncate(false).open(path);
        let file = file.map_err(failed(path))?;
        Ok(Self { path: path.to_owned(), file, is_new: found.is_none(), is_written: false })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether two of them are one file, by whatever names.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.is_at(&other.path)
    }

    /// Whether it is the file at a path. A device or a pipe may be used twice.
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        let (Ok(own), Ok(other)) = (self.file.metadata(), fs::metadata(path)) else {
            return false;
        };
        own.is_file() && other.is_file() && are_one((&self.path, &own), (path, &other))
    }
}

#[cfg(unix)]
fn are_one((_, one): (&Path, &Metadata), (_, other): (&Path, &Metadata)) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn are_one((one, _): (&Path, &Metadata), (other, _): (&Path, &Metadata)) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A pipe has no length.
        if !self.is_written && self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        self.is_written = true;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // What was not needed leaves nothing behind. Somebody else may have put a file there meanwhile.
        let is_empty = || fs::metadata(&self.path).is_ok_and(|data| data.len() == 0);
        if self.is_new && !self.is_written && self.is_at(&self.path) && is_empty() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Names the file in an error.
pub(crate) fn failed(path: &Path) -> impl Fn(io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}
