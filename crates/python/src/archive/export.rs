//! Export to PGN files.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process;

use pyo3::exceptions::PyFileExistsError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::change::{bar_of, cannot, close};
use super::{PyArchive, filter_of};
use crate::error::of_archive;
use crate::work;

/// An output file, which is removed unless it is finished. A device or a pipe is written directly.
struct NewFile {
    file: File,
    /// The path of an incomplete file, and that which it gets.
    places: Option<(PathBuf, PathBuf)>,
}

impl NewFile {
    /// Begins a file. An existing one is replaced only with `overwrite`, and not before the new one is complete.
    fn create(path: &Path, overwrite: bool) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true);
        match fs::metadata(path) {
            Ok(old) if overwrite && !old.is_file() => {
                Ok(Self { file: options.open(path)?, places: None })
            }
            Ok(old) if overwrite => {
                let path = path.canonicalize()?;
                let mut name = OsString::from(".");
                name.push(path.file_name().unwrap_or_default());
                name.push(format!(".{}.part", process::id()));
                let part = path.with_file_name(name);
                let file = options.create_new(true).open(&part)?;
                let new = Self { file, places: Some((part, path)) };
                new.file.set_permissions(old.permissions())?;
                Ok(new)
            }
            _ => {
                let file = options.create_new(true).open(path)?;
                Ok(Self { file, places: Some((path.to_owned(), path.to_owned())) })
            }
        }
    }

    /// Completes the file.
    fn finish(mut self) -> io::Result<()> {
        let Some((part, path)) = self.places.as_ref() else { return Ok(()) };
        self.file.sync_all()?;
        if part != path {
            fs::rename(part, path)?;
        }
        self.places = None;
        Ok(())
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some((part, _)) = &self.places {
            // The first error matters more than that of the removal.
            let _ = fs::remove_file(part);
        }
    }
}

#[pymethods]
impl PyArchive {
    /// Writes the games that meet conditions to a new PGN file, in the order of their ids, and returns their number. An
    /// existing file is an error unless `overwrite` is true. A file that is not completed, as after Ctrl-C, is removed.
    ///
    /// `progress` is true for a progress bar on stderr, or a function of the games written, all games, and the games written.
    ///
    /// >>> import halfmove, tempfile
    /// >>> with tempfile.TemporaryDirectory() as place:
    /// ...     halfmove.open(folder).export(place + "/morphy.pgn", player="morphy")
    /// 2
    #[pyo3(signature = (path, *, overwrite=false, progress=None, **conditions))]
    fn export(
        &self,
        py: Python<'_>,
        path: PathBuf,
        overwrite: bool,
        progress: Option<Bound<'_, PyAny>>,
        conditions: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<u64> {
        let archive = self.now();
        let filter = filter_of(py, &archive, conditions)?;
        let bar = bar_of(py, progress)?;
        let texts = work::on(py, &archive, |archive| archive.pgn(&filter))?;
        let games = texts.games();
        let failed = |error: &io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => PyFileExistsError::new_err(format!(
                "{}: the file exists: overwrite=True replaces it",
                path.display()
            )),
            _ => cannot(&path, error),
        };
        let mut new = NewFile::create(&path, overwrite).map_err(|error| failed(&error))?;
        let mut texts = texts;
        let mut done = 0;
        while let Some(text) = py.detach(|| texts.next()) {
            let text = text.map_err(of_archive)?;
            py.detach(|| new.file.write_all(&text.text)).map_err(|error| failed(&error))?;
            py.check_signals()?;
            done += text.games;
            if let Some(bar) = &bar {
                bar.call1((done, games, done))?;
            }
        }
        py.detach(|| new.finish()).map_err(|error| failed(&error))?;
        close(bar)?;
        Ok(games)
    }
}
