//! `Archive`: games on disk.

mod changes;
mod compare;
mod export;
mod import;
mod lichess;
mod lists;
mod new_file;
mod progress;
mod tables;
mod training;

pub(crate) use self::tables::Games;
pub(crate) use self::training::{Training, TrainingIterator};

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use halfmove_archive::{Archive, ArchiveOptions, Filter};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::of_archive;
use crate::filter::Selection;
use crate::game::RawGame;
use crate::work;

/// An archive of games in a folder.
///
/// Conditions are keyword arguments with the names of the command line's flags, with `_` for `-`; `as` and `for`, which
/// are words of Python, end with `_`. `help(halfmove.Archive.search)` lists them all.
///
/// >>> import halfmove
/// >>> club = halfmove.open(folder)
/// >>> len(club), club.count(player="morphy")
/// (3, 2)
/// >>> club.search(player="morphy", limit=1)["white"]
/// ['Morphy, Paul']
#[pyclass(name = "Archive", module = "halfmove", frozen)]
pub(crate) struct PyArchive {
    archive: Mutex<Archive>,
}

impl PyArchive {
    /// The archive as it is now.
    pub(crate) fn now(&self) -> Archive {
        self.archive.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, archive: Archive) {
        *self.archive.lock().unwrap_or_else(PoisonError::into_inner) = archive;
    }
}

/// The filter of conditions on an archive: ids and a condition in SQL become a set of ids.
pub(crate) fn on(py: Python<'_>, archive: &Archive, selection: &Selection) -> PyResult<Filter> {
    #[allow(unused_mut, reason = "only SQL changes it")]
    let mut filter = selection.filter(archive.last_id())?;
    if let Some(sql) = &selection.sql {
        #[cfg(feature = "sql")]
        filter.restrict(crate::sql::ids_where(py, archive, sql)?);
        #[cfg(not(feature = "sql"))]
        {
            let _ = (py, sql);
            return Err(PyValueError::new_err("this build of halfmove has no SQL: where needs it"));
        }
    }
    Ok(filter)
}

/// The filter of the keyword arguments of a call on an archive.
fn filter_of(
    py: Python<'_>,
    archive: &Archive,
    given: Option<&Bound<'_, PyDict>>,
) -> PyResult<Filter> {
    on(py, archive, &Selection::of(given)?)
}

/// Opens the archive in a folder, given its path or a URL `file://…`. With `create`, it is created if there is none.
///
/// >>> import halfmove
/// >>> halfmove.open(folder)
/// <Archive: 3 games in '...'>
#[pyfunction]
#[pyo3(signature = (path, *, create=false, threads=None, cache_bytes=None))]
pub(crate) fn open(
    py: Python<'_>,
    path: PathBuf,
    create: bool,
    threads: Option<usize>,
    cache_bytes: Option<u64>,
) -> PyResult<PyArchive> {
    let mut options = ArchiveOptions::default();
    if let Some(threads) = threads {
        let expected = || PyValueError::new_err("threads: expected at least 1");
        options.threads = std::num::NonZero::new(threads).ok_or_else(expected)?;
    }
    options.cache_bytes = cache_bytes.unwrap_or(options.cache_bytes);
    let opened = py.detach(|| match create {
        true => Archive::open_or_create_with(&path, &options),
        false => Archive::open_with(&path, &options),
    });
    Ok(PyArchive { archive: Mutex::new(opened.map_err(of_archive)?) })
}

#[pymethods]
impl PyArchive {
    /// The folder.
    #[getter]
    fn path(&self) -> PathBuf {
        self.now().path().to_owned()
    }

    /// The number of changes since the archive was created.
    #[getter]
    fn version(&self) -> u64 {
        self.now().version()
    }

    fn __len__(&self) -> usize {
        usize::try_from(self.now().len()).unwrap_or(usize::MAX)
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self) -> String {
        let archive = self.now();
        format!("<Archive: {} games in '{}'>", archive.len(), archive.path().display())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (PathBuf,))> {
        Ok((py.import("halfmove")?.getattr("open")?, (self.path(),)))
    }

    /// Takes up what other programs have changed since the archive was opened.
    ///
    /// >>> import halfmove
    /// >>> club = halfmove.open(copy)
    /// >>> halfmove.open(copy).import_pgn(season, again=True)["games"]
    /// 3
    /// >>> club.refresh()
    /// >>> len(club)
    /// 6
    fn refresh(&self, py: Python<'_>) -> PyResult<()> {
        let archive = self.now();
        self.set(py.detach(|| archive.refresh()).map_err(of_archive)?);
        Ok(())
    }

    /// The archive as it was at an earlier version, for reading.
    ///
    /// >>> import halfmove
    /// >>> len(halfmove.open(folder).at_version(0))
    /// 0
    fn at_version(&self, py: Python<'_>, version: u64) -> PyResult<Self> {
        let archive = self.now();
        let then = py.detach(|| archive.at_version(version)).map_err(of_archive)?;
        Ok(Self { archive: Mutex::new(then) })
    }

    /// The number of games that meet conditions.
    ///
    /// >>> import halfmove
    /// >>> halfmove.open(folder).count(player="morphy", result="win")
    /// 2
    #[pyo3(signature = (**conditions))]
    fn count(&self, py: Python<'_>, conditions: Option<&Bound<'_, PyDict>>) -> PyResult<u64> {
        let archive = self.now();
        let filter = filter_of(py, &archive, conditions)?;
        work::on(py, &archive, |archive| archive.count(&filter))
    }

    /// The ids of the games that meet conditions, in ascending order.
    ///
    /// >>> import halfmove
    /// >>> halfmove.open(folder).ids(moves="e4 e5")
    /// [1]
    #[pyo3(signature = (**conditions))]
    fn ids(&self, py: Python<'_>, conditions: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<u64>> {
        let archive = self.now();
        let filter = filter_of(py, &archive, conditions)?;
        let ids = work::on(py, &archive, |archive| archive.ids(&filter))?;
        Ok(ids.iter().collect())
    }

    /// A game as a tree (`halfmove.pgn.Game`), by its id.
    ///
    /// >>> halfmove.open(folder).game(1).headers["White"]
    /// 'Morphy, Paul'
    fn game<'py>(&self, py: Python<'py>, id: i64) -> PyResult<Bound<'py, PyAny>> {
        let game = work::on(py, &self.now(), |archive| archive.game(id))?;
        tree_of(py, RawGame::stored(game.game, game.fault))
    }
}

/// The tree of a game.
pub(crate) fn tree_of(py: Python<'_>, game: RawGame) -> PyResult<Bound<'_, PyAny>> {
    py.import("halfmove.pgn")?.getattr("Game")?.call_method1("_of", (game,))
}
