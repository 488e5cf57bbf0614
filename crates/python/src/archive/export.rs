//! Export to PGN files.

use std::io;
use std::path::PathBuf;

use pyo3::exceptions::PyFileExistsError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::new_file::NewFile;
use super::progress::Progress;
use super::{PyArchive, filter_of};
use crate::error::{of_archive, of_file};
use crate::work;

#[pymethods]
impl PyArchive {
    /// Writes the games that meet conditions to a new PGN file, in the order of their ids, and returns their number. An
    /// existing file is an error unless `overwrite` is true. A file gets its name when it is complete: after Ctrl-C there
    /// is none, or the one that was there.
    ///
    /// `progress` is true for a progress bar on stderr, or a function: `progress(done, total, games)`; here `done` counts games.
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
        let progress = Progress::of(py, progress)?;
        let mut texts = work::on(py, &archive, |archive| archive.pgn(&filter))?;
        let total = texts.games();
        let written = py.detach(|| {
            let failed = |error: io::Error| match error.kind() {
                io::ErrorKind::AlreadyExists => PyFileExistsError::new_err(format!(
                    "{}: the file exists: overwrite=True replaces it",
                    path.display()
                )),
                _ => of_file(&path, &error),
            };
            let mut new = NewFile::create(&path, overwrite).map_err(failed)?;
            let mut done = 0;
            for text in &mut texts {
                let text = text.map_err(of_archive)?;
                new.write_all(&text.text).map_err(failed)?;
                done += text.games;
                progress.report(done, total, done)?;
            }
            new.finish().map_err(failed)
        });
        progress.end_bar(py)?;
        written.map(|()| total)
    }
}
