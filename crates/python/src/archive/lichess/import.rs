//! Importing the data set: Parquet files, or Arrow streams, with its columns.

use std::ops::ControlFlow;
use std::path::PathBuf;

use halfmove_archive::{ArchiveError, ChangeWatch, LichessRows};
use halfmove_game::pgn::Counts;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::archive::PyArchive;
use crate::archive::import::{MAX_FAULTS, choice_of, duplicates_of, files_of, numbers_of};
use crate::archive::progress::Progress;
use crate::capsule;
use crate::error::of_archive;
use crate::rows::Reader;

/// A source of rows.
enum Rows {
    File(PathBuf),
    Stream(Reader),
}

impl Rows {
    fn open(self) -> Result<LichessRows, ArchiveError> {
        match self {
            Self::File(path) => LichessRows::open(path),
            Self::Stream(reader) => LichessRows::of("stream", reader),
        }
    }
}

/// The rows of all arguments: paths, and objects with Arrow's stream interface.
fn sources(given: &Bound<'_, PyTuple>) -> PyResult<Vec<Rows>> {
    let mut sources = Vec::new();
    for object in given {
        if let Some(reader) = capsule::take_stream(&object)? {
            sources.push(Rows::Stream(Box::new(reader)));
            continue;
        }
        let path: PathBuf = object.extract().map_err(|_| {
            PyTypeError::new_err(
                "expected the paths of Parquet files, or tables with Arrow's stream interface: of PyArrow, Polars, DuckDB …",
            )
        })?;
        let files = files_of(&[path], &[".parquet"], "*.parquet")?;
        sources.extend(files.into_iter().map(Rows::File));
    }
    match sources.is_empty() {
        true => Err(PyValueError::new_err("no files: expected the paths of Parquet files")),
        false => Ok(sources),
    }
}

/// The observer of an import.
struct Watch<'a> {
    /// Here `done` counts games, and `total` is 0.
    progress: &'a Progress,
    /// The name of the source that is read.
    name: String,
    is_strict: bool,
    /// The number of rows of the sources that are read to their ends.
    rows: u64,
    faults: Vec<String>,
    faulty: u64,
    /// The reason for which the import was stopped.
    stop: Option<PyErr>,
}

impl ChangeWatch for Watch<'_> {
    fn faulty_row(&mut self, _: usize, row: u64, fault: &str) -> ControlFlow<()> {
        let text = format!("{}: row {row}: {fault}", self.name);
        if self.is_strict {
            self.stop = Some(PyValueError::new_err(text));
            return ControlFlow::Break(());
        }
        self.faulty += 1;
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(text);
        }
        ControlFlow::Continue(())
    }

    fn end_of_input(&mut self, _: usize, counts: &Counts) {
        self.rows += counts.games;
    }

    fn tick(&mut self, games: u64) -> ControlFlow<()> {
        // The number of all rows is not known.
        self.stop = self.progress.report(games, 0, games).err();
        if self.stop.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Watch<'_> {
    /// The reason for which an import failed.
    fn why(&mut self, error: ArchiveError) -> PyErr {
        match (error, self.stop.take()) {
            (ArchiveError::Stopped, Some(stop)) => stop,
            (error, _) => of_archive(error),
        }
    }
}

#[pymethods]
impl PyArchive {
    /// Imports games that have the columns of Hugging Face's data set `Lichess/standard-chess-games`, all of them or none: from Parquet
    /// files by their paths (a folder stands for those in it), or from tables and streams of PyArrow, Polars, DuckDB and the like. A few
    /// thousand rows at a time are in memory.
    ///
    /// A row whose `movetext` has a fault is a game up to it, and one whose `movetext` is null an error; `errors` of the answer names the first ten of them, and `strict` makes them
    /// errors. `progress` is true, or a function: `progress(done, total, games)`; here `done` counts games, and `total` is 0. `duplicates`, `strict` and the conditions are those of `import_pgn`.
    /// Returns the numbers of the import as a dict.
    ///
    /// >>> import halfmove
    /// >>> club = halfmove.open(folder)
    /// >>> copy = halfmove.open(folder + "-copy", create=True)
    /// >>> copy.import_lichess(club.to_lichess(player="morphy"))["games"]
    /// 2
    #[pyo3(signature = (*sources, progress=None, duplicates="report", strict=false, **conditions))]
    fn import_lichess<'py>(
        &self,
        py: Python<'py>,
        sources: &Bound<'py, PyTuple>,
        progress: Option<Bound<'py, PyAny>>,
        duplicates: &str,
        strict: bool,
        conditions: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let sources = self::sources(sources)?;
        let duplicates = duplicates_of(duplicates)?;
        let (filter, reason) = choice_of(conditions)?;
        let progress = Progress::of(py, progress)?;
        let archive = self.now();
        let mut watch = Watch {
            progress: &progress,
            name: String::new(),
            is_strict: strict,
            rows: 0,
            faults: Vec::new(),
            faulty: 0,
            stop: None,
        };
        let imported = py.detach(|| {
            let archive = archive.refresh().map_err(of_archive)?;
            let mut importer = archive.importer().on_duplicates(duplicates);
            if let Some(reason) = &reason {
                importer = importer.only(&filter).map_err(of_archive)?.with_reason(reason);
            }
            for source in sources {
                let rows = source.open().map_err(of_archive)?;
                rows.name().clone_into(&mut watch.name);
                let read = importer.read_lichess(rows, &mut watch);
                read.map_err(|error| watch.why(error))?;
            }
            let report = importer.commit_watched(&mut watch);
            let report = report.map_err(|error| watch.why(error))?;
            Ok::<_, PyErr>((archive.refresh().map_err(of_archive)?, report))
        });
        progress.end_bar(py)?;
        let (archive, report) = imported?;
        self.set(archive);
        let dict = numbers_of(py, Some(&report))?;
        dict.set_item("rows", watch.rows)?;
        dict.set_item("faulty", watch.faulty)?;
        dict.set_item("errors", watch.faults)?;
        Ok(dict)
    }
}
