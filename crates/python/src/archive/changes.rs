//! Removal, undo, compaction and verification, by the names of the command line.

use std::ops::ControlFlow;
use std::time::{Duration, SystemTime};

use halfmove_archive::{Archive, ArchiveError, ChangeWatch, MergedTag, Problem};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::progress::Progress;
use super::{PyArchive, filter_of};
use crate::error::of_archive;
use crate::work;

/// The time within which `vacuum` keeps the files of old versions.
const KEEP: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The observer of a change: reports progress, and stops at a signal.
struct Watch<'a> {
    /// Here `done` counts games.
    progress: &'a Progress,
    /// The number of all games.
    total: u64,
    /// The exception of a signal, or of the progress.
    stop: Option<PyErr>,
}

impl ChangeWatch for Watch<'_> {
    fn tick(&mut self, games: u64) -> ControlFlow<()> {
        // It is called again while the work is ending.
        if self.stop.is_none() {
            self.stop = self.progress.report(games, self.total, games).err();
        }
        if self.stop.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Runs long work on an archive that reports its progress to a watch, which ends it at a signal.
fn watched<T: Send>(
    py: Python<'_>,
    archive: &Archive,
    progress: Option<Bound<'_, PyAny>>,
    work: impl FnOnce(&mut dyn ChangeWatch) -> Result<T, ArchiveError> + Send,
) -> PyResult<T> {
    let progress = Progress::of(py, progress)?;
    let mut watch = Watch { progress: &progress, total: archive.len(), stop: None };
    let done = py.detach(|| work(&mut watch));
    let stop = watch.stop;
    progress.end_bar(py)?;
    done.map_err(|error| match (error, stop) {
        (ArchiveError::Stopped, Some(stop)) => stop,
        (error, _) => of_archive(error),
    })
}

#[pymethods]
impl PyArchive {
    /// Removes the games that meet conditions, of which there must be one, in one step. All others keep their ids, and `undo` brings the
    /// games back. With `dry_run`, nothing changes. Returns the numbers of games `removed` and `left`, and the new `version`.
    ///
    /// >>> import halfmove
    /// >>> club = halfmove.open(copy)
    /// >>> club.remove(player="steinitz", dry_run=True)
    /// {'removed': 1, 'left': 2, 'version': None, 'dry_run': True}
    /// >>> club.remove(player="steinitz")["version"], len(club)
    /// (2, 2)
    #[pyo3(signature = (*, dry_run=false, **conditions))]
    fn remove<'py>(
        &self,
        py: Python<'py>,
        dry_run: bool,
        conditions: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let archive = self.now();
        let filter = filter_of(py, &archive, conditions)?;
        if filter.is_empty() {
            return Err(PyValueError::new_err(
                "no condition says which games to remove; all games: min_plies=0",
            ));
        }
        let remover = work::on(py, &archive, |archive| archive.remover(&filter))?;
        let reason = conditions.map(|it| it.to_string()).unwrap_or_default();
        let (games, mut version) = (remover.games(), None);
        if !dry_run && games > 0 {
            let removed =
                watched(py, &archive, None, |watch| remover.with_reason(reason).commit(watch))?;
            version = removed.version;
            self.refresh(py)?;
        }
        self.removal(py, games, version, dry_run)
    }

    /// Removes duplicates: of each exact group of `duplicates` all games but the best one, and with `twins` those of each group of twins,
    /// too. With `merge_tags`, the best one gets the tags that only its copies have. With `dry_run`, nothing changes, and `tags` lists these
    /// tags. Returns numbers as `remove` does, and that of the `groups`.
    ///
    /// >>> import halfmove
    /// >>> halfmove.open(copy).remove_duplicates(dry_run=True)
    /// {'removed': 0, 'left': 3, 'version': None, 'dry_run': True, 'groups': 0}
    #[pyo3(signature = (*, twins=false, merge_tags=false, dry_run=false))]
    fn remove_duplicates<'py>(
        &self,
        py: Python<'py>,
        twins: bool,
        merge_tags: bool,
        dry_run: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let archive = self.now();
        let (found, remover) = work::on(py, &archive, |archive| {
            let found = archive.duplicates()?;
            let mut remover = archive.duplicates_remover(&found)?;
            if twins {
                remover = remover.with_twins(&found);
            }
            if merge_tags {
                remover = remover.merging_tags(&found);
            }
            Ok((found, remover))
        })?;
        let games = remover.games();
        let tags = match merge_tags && dry_run {
            true => Some(py.detach(|| remover.merged_tags()).map_err(of_archive)?),
            false => None,
        };
        let mut version = None;
        if !dry_run && games > 0 {
            let reason = if twins { "duplicates and twins" } else { "duplicates" };
            version =
                watched(py, &archive, None, |watch| remover.with_reason(reason).commit(watch))?
                    .version;
            self.refresh(py)?;
        }
        let dict = self.removal(py, games, version, dry_run)?;
        dict.set_item("groups", found.exact.len() + if twins { found.twins.len() } else { 0 })?;
        if let Some(tags) = tags {
            let tags = tags.iter().map(|tag| tag_of(py, tag)).collect::<PyResult<Vec<_>>>()?;
            dict.set_item("tags", tags)?;
        }
        Ok(dict)
    }

    /// Undoes the last change, or all changes after the version `to`, in a new version, which can be undone, too. With `dry_run`, nothing
    /// changes. Returns the versions `from` and `to`, the new `version`, and the numbers `games_before` and `games_after`, `files_added` and
    /// `files_removed`.
    ///
    /// >>> import halfmove
    /// >>> club = halfmove.open(copy)
    /// >>> club.remove(id=3)["left"]
    /// 2
    /// >>> club.undo()["games_after"], len(club)
    /// (3, 3)
    #[pyo3(signature = (*, to=None, dry_run=false))]
    fn undo<'py>(
        &self,
        py: Python<'py>,
        to: Option<u64>,
        dry_run: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let archive = self.now();
        let report = match dry_run {
            true => work::on(py, &archive, |archive| archive.undo_plan(to))?,
            false => watched(py, &archive, None, |watch| archive.undo(to, watch))?,
        };
        if !dry_run {
            self.refresh(py)?;
        }
        let dict = PyDict::new(py);
        dict.set_item("from", report.from)?;
        dict.set_item("to", report.to)?;
        dict.set_item("version", report.version)?;
        dict.set_item("games_before", report.games_before)?;
        dict.set_item("games_after", report.games_after)?;
        dict.set_item("files_added", report.files_added)?;
        dict.set_item("files_removed", report.files_removed)?;
        dict.set_item("dry_run", dry_run)?;
        Ok(dict)
    }

    /// Merges the files of the archive and orders their games by their moves, so that searches read less. Games, ids and results stay the
    /// same. The old files stay on the disk until `vacuum` deletes them. Returns the number of `games` rewritten, `files_before` and
    /// `files_after`, `bytes_before` and `bytes_after`.
    ///
    /// `progress` is true for a progress bar on stderr, or a function: `progress(done, total, games)`; here `done` counts games.
    ///
    /// >>> import halfmove
    /// >>> halfmove.open(copy).compact()["files_after"]
    /// 1
    #[pyo3(signature = (*, progress=None))]
    fn compact<'py>(
        &self,
        py: Python<'py>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let archive = self.now();
        let report = watched(py, &archive, progress, |watch| archive.compact(watch))?;
        self.refresh(py)?;
        let dict = PyDict::new(py);
        dict.set_item("games", report.games)?;
        dict.set_item("files_before", report.files_before)?;
        dict.set_item("files_after", report.files)?;
        dict.set_item("bytes_before", report.bytes_before)?;
        dict.set_item("bytes_after", report.bytes)?;
        Ok(dict)
    }

    /// Deletes the files of versions that are older than `keep`, a timedelta, 7 days without it: `compact --vacuum` of the command line.
    /// `undo` cannot go back to these versions. With `dry_run`, nothing changes. Returns the number of `files`, their `names` and
    /// `bytes`, and the numbers of files `kept` for `undo` and of `foreign` ones.
    ///
    /// >>> import halfmove
    /// >>> halfmove.open(copy).vacuum()["names"]
    /// []
    #[pyo3(signature = (*, keep=None, dry_run=false))]
    fn vacuum<'py>(
        &self,
        py: Python<'py>,
        keep: Option<Duration>,
        dry_run: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let archive = self.now();
        let before = SystemTime::now().checked_sub(keep.unwrap_or(KEEP));
        let before = before.unwrap_or(SystemTime::UNIX_EPOCH);
        let report = match dry_run {
            true => work::on(py, &archive, |archive| archive.vacuum_plan(before))?,
            false => watched(py, &archive, None, |watch| archive.vacuum(before, watch))?,
        };
        let dict = PyDict::new(py);
        dict.set_item("files", report.files.len())?;
        dict.set_item("names", report.files)?;
        dict.set_item("bytes", report.bytes)?;
        dict.set_item("kept", report.kept)?;
        dict.set_item("foreign", report.foreign)?;
        dict.set_item("dry_run", dry_run)?;
        Ok(dict)
    }

    /// Reads all of the archive, compares it with its checksums, and decodes each game. Returns the `problems`, each with the `file`, the
    /// id of the `game` if it is one of a game, and the `problem`, and the numbers of all that was read.
    ///
    /// `progress` is true for a progress bar on stderr, or a function: `progress(done, total, games)`; here `done` counts games.
    ///
    /// >>> import halfmove
    /// >>> verified = halfmove.open(folder).verify()
    /// >>> verified["problems"], verified["games"], verified["plies"]
    /// ([], 3, 9)
    #[pyo3(signature = (*, progress=None))]
    fn verify<'py>(
        &self,
        py: Python<'py>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let archive = self.now();
        let report = watched(py, &archive, progress, |watch| archive.verify(watch))?;
        let problem = |problem: &Problem| -> PyResult<Bound<'py, PyDict>> {
            let dict = PyDict::new(py);
            dict.set_item("file", problem.file.display().to_string())?;
            dict.set_item("game", problem.game)?;
            dict.set_item("problem", &problem.what)?;
            Ok(dict)
        };
        let problems = report.problems.iter().map(problem).collect::<PyResult<Vec<_>>>()?;
        let dict = PyDict::new(py);
        dict.set_item("problems", PyList::new(py, problems)?)?;
        dict.set_item("games", report.games)?;
        dict.set_item("plies", report.plies)?;
        dict.set_item("files", report.files)?;
        dict.set_item("unchecked_files", report.unchecked_files)?;
        dict.set_item("bytes", report.bytes)?;
        dict.set_item("entries", report.entries)?;
        dict.set_item("unchecked_entries", report.unchecked_entries)?;
        Ok(dict)
    }
}

impl PyArchive {
    /// The numbers of a removal.
    fn removal<'py>(
        &self,
        py: Python<'py>,
        games: u64,
        version: Option<u64>,
        dry_run: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let now = self.now().len();
        let dict = PyDict::new(py);
        dict.set_item("removed", games)?;
        dict.set_item("left", if dry_run { now.saturating_sub(games) } else { now })?;
        dict.set_item("version", version)?;
        dict.set_item("dry_run", dry_run)?;
        Ok(dict)
    }
}

/// A tag that a game gets from its copies.
fn tag_of<'py>(py: Python<'py>, tag: &MergedTag) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("id", tag.id)?;
    dict.set_item("tag", &tag.name)?;
    dict.set_item("old", &tag.old)?;
    dict.set_item("new", &tag.new)?;
    Ok(dict)
}
