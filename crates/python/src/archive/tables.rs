//! The tables of an archive that are computed while they are read: games, and their half-moves.

use std::sync::{Arc, Mutex};

use arrow_array::RecordBatchIterator;
use arrow_schema::ArrowError;
use halfmove_archive::halfmoves::{HALFMOVES, Halfmoves};
use halfmove_archive::{Archive, ArchiveError, Filter};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use super::{PyArchive, filter_of, tree_of};
use crate::capsule;
use crate::error::of_archive;
use crate::filter::plies_of;
use crate::game::RawGame;
use crate::rows::{Batches, Open, Reader, Rows, Skipped, Source};
use crate::work;

pub(super) fn external(error: ArchiveError) -> ArrowError {
    ArrowError::ExternalError(Box::new(of_archive(error)))
}

/// The games that meet conditions: a table of a row a game, and an iterable of games as trees.
///
/// >>> import halfmove
/// >>> games = halfmove.open(folder).games(player="morphy")
/// >>> [game.headers["White"] for game in games]
/// ['Morphy, Paul', 'Anderssen, Adolf']
#[pyclass(module = "halfmove", frozen)]
pub(crate) struct Games {
    archive: Archive,
    filter: Filter,
    source: Source,
}

/// The table of some columns of the games of a filter.
fn games_source(archive: &Archive, filter: &Filter, names: Vec<String>) -> PyResult<Source> {
    let texts: Vec<&str> = names.iter().map(String::as_str).collect();
    let schema = Archive::columns_schema(&texts).map_err(of_archive)?;
    let (archive, filter, of_rows) = (archive.clone(), filter.clone(), Arc::clone(&schema));
    let open: Open = Box::new(move |stop| {
        let archive = archive.with_cancel(&stop.token);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let batches = archive.columns(&filter, &names).map_err(of_archive)?;
        let batches = batches.map(|batch| batch.map_err(external));
        Ok(Box::new(RecordBatchIterator::new(batches, Arc::clone(&of_rows))) as Reader)
    });
    Ok(Source { schema, open })
}

#[pymethods]
impl Games {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.source.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let games = work::on(py, &self.archive, |archive| archive.count(&self.filter))?;
        Ok(usize::try_from(games).unwrap_or(usize::MAX))
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<GameIterator> {
        let games = work::on(py, &self.archive, |archive| archive.games(&self.filter))?;
        Ok(GameIterator { games: Mutex::new(games) })
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        self.source.stream(py)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::give_schema(py, &self.source.schema)
    }

    /// The table in batches.
    ///
    /// >>> import halfmove
    /// >>> games = halfmove.open(folder).games(columns=["id"])
    /// >>> [len(rows) for rows in games.batches()]
    /// [3]
    fn batches(&self) -> PyResult<Batches> {
        let source = games_source(&self.archive, &self.filter, self.column_names())?;
        Ok(Batches { source, skipped: None })
    }

    /// The table in memory.
    ///
    /// >>> import halfmove
    /// >>> halfmove.open(folder).games(columns=["id"]).read_all()["id"]
    /// [1, 2, 3]
    fn read_all(&self, py: Python<'_>) -> PyResult<Rows> {
        self.batches()?.read_all(py)
    }

    fn __repr__(&self) -> String {
        format!("<Games of '{}'>", self.archive.path().display())
    }
}

/// An iteration over games as trees.
#[pyclass(module = "halfmove", frozen)]
pub(crate) struct GameIterator {
    games: Mutex<halfmove_archive::Games>,
}

#[pymethods]
impl GameIterator {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        py.check_signals()?;
        let next = py.detach(|| self.games.lock().unwrap_or_else(|it| it.into_inner()).next());
        let Some(game) = next.transpose().map_err(of_archive)? else { return Ok(None) };
        tree_of(py, RawGame::stored(game.game, game.fault)).map(Some)
    }
}

#[pymethods]
impl PyArchive {
    /// The games that meet conditions, in the order of their ids: as a table of a row a game, with these columns or all
    /// but the signatures, and as an iterable of games as trees (`halfmove.pgn.Game`).
    ///
    /// >>> import halfmove
    /// >>> halfmove.open(folder).games(columns=["id", "white"]).read_all()[0]
    /// {'id': 1, 'white': 'Morphy, Paul'}
    #[pyo3(signature = (*, columns=None, **conditions))]
    fn games(
        &self,
        py: Python<'_>,
        columns: Option<Vec<String>>,
        conditions: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Games> {
        let archive = self.now();
        let filter = filter_of(py, &archive, conditions)?;
        let source = games_source(&archive, &filter, columns.unwrap_or_default())?;
        Ok(Games { archive, filter, source })
    }

    /// A row for each half-move of the games that meet conditions, in the order of `id` and `ply`, computed while it is
    /// read. `columns` names some of the columns of the table `halfmoves`; only these are computed. `ply` chooses half-moves by
    /// their numbers, from 1: a number, a range, or a list of these; only their rows are computed. A game that has none of them,
    /// such as one without a move, has no row; `skipped` counts such games.
    ///
    /// >>> import halfmove
    /// >>> club = halfmove.open(folder)
    /// >>> club.positions(columns=["id", "ply", "san"], id=1).read_all()["san"]
    /// ['e4', 'e5', 'Nf3', 'd6']
    /// >>> club.positions(columns=["san"], ply=[1, range(3, 5)], id=1).read_all()["san"]
    /// ['e4', 'Nf3', 'd6']
    #[pyo3(signature = (*, columns=None, ply=None, **conditions))]
    fn positions(
        &self,
        py: Python<'_>,
        columns: Option<Vec<String>>,
        ply: Option<&Bound<'_, PyAny>>,
        conditions: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Batches> {
        let archive = self.now();
        let filter = filter_of(py, &archive, conditions)?;
        let halfmoves = match &columns {
            Some(names) => Halfmoves::of_names(names.iter().map(String::as_str))
                .map_err(|error| PyValueError::new_err(error.to_string()))?,
            None => Halfmoves::new(&HALFMOVES),
        };
        let halfmoves = halfmoves.with_plies(plies_of(ply)?);
        let schema = Arc::clone(halfmoves.schema());
        let of_rows = Arc::clone(&schema);
        let skipped: Skipped = {
            let (archive, filter, halfmoves) = (archive.clone(), filter.clone(), halfmoves.clone());
            Box::new(move |py| {
                work::on(py, &archive, |archive| archive.halfmoves_skipped(&filter, &halfmoves))
            })
        };
        let open: Open = Box::new(move |stop| {
            let archive = archive.with_cancel(&stop.token);
            let batches = archive.halfmoves(&filter, &halfmoves).map_err(of_archive)?;
            let batches = batches.map(|batch| batch.map_err(external));
            Ok(Box::new(RecordBatchIterator::new(batches, Arc::clone(&of_rows))) as Reader)
        });
        Ok(Batches { source: Source { schema, open }, skipped: Some(skipped) })
    }
}

#[pymethods]
impl PyArchive {
    /// The games that meet conditions as a lazy frame of Polars, with these columns or all of `games`. Only the columns that a query
    /// needs are read; the comparisons that it filters by, and its limit, reach the archive.
    #[pyo3(signature = (*, columns=None, **conditions))]
    fn scan_polars<'py>(
        this: &Bound<'py, Self>,
        columns: Option<Vec<String>>,
        conditions: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("halfmove.frames")?.getattr("scan")?.call((this, columns), conditions)
    }
}
