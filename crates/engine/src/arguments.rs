//! What the arguments of several commands have in common: games, and files to write.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use halfmove_rules::Variant;
use std::fs::{self, File};
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
    /// A new file, or with `force` one that exists.
    pub(crate) fn create(path: &Path, force: bool) -> Result<Self, String> {
        let new = File::create_new(path);
        let is_new = new.is_ok();
        let file = match new {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && force => {
                File::options().write(true).open(path)
            }
            new => new,
        };
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => {
                format!("{}: the file exists; --force replaces it", path.display())
            }
            _ => failed(path)(error),
        })?;
        Ok(Self { path: path.to_owned(), file, is_new, is_written: false })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether two of them are one file, by whatever names. A device or a pipe may be used twice.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let real = |output: &Self| {
            let is_file = output.file.metadata().is_ok_and(|data| data.is_file());
            is_file.then(|| fs::canonicalize(&output.path).ok()).flatten()
        };
        real(self).is_some() && real(self) == real(other)
    }
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
        // What was not needed leaves nothing behind.
        if self.is_new && !self.is_written {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Names the file in an error.
pub(crate) fn failed(path: &Path) -> impl Fn(io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}
