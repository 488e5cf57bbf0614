//! Import of PGN files.

use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use halfmove_archive::{
    Archive, ArchiveError, ChangeWatch, ContentSum, Filter, ImportReport, OnDuplicates, PgnInput,
};
use halfmove_game::Input;
use halfmove_game::pgn::{Counts, PgnError, Skip};
use pyo3::exceptions::{PyFileNotFoundError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::PyArchive;
use super::progress::Progress;
use crate::error::{of_archive, of_file};
use crate::filter::Selection;

/// The maximum number of faults to keep.
pub(super) const MAX_FAULTS: usize = 10;

/// The number of bytes read: those of earlier files, and those of the open one.
type Consumed = Arc<Mutex<(u64, Arc<AtomicU64>)>>;

fn bytes_of(consumed: &Consumed) -> u64 {
    let all = consumed.lock().unwrap_or_else(PoisonError::into_inner);
    all.0 + all.1.load(Ordering::Relaxed)
}

/// A file that is read in large pieces, with a look for signals before each.
struct Looking(File);

impl Read for Looking {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| py.check_signals()).map_err(io::Error::other)?;
        self.0.read(into)
    }
}

/// The observer of an import: reports progress, checks for signals, and collects faults.
struct Watch<'a> {
    files: Vec<PathBuf>,
    /// Here `done` and `total` count bytes.
    progress: &'a Progress,
    consumed: Consumed,
    total: u64,
    is_strict: bool,
    faults: Vec<String>,
    counts: Counts,
    /// The reason why the import was stopped.
    stop: Option<PyErr>,
}

impl Watch<'_> {
    fn fault(&mut self, input: usize, error: &dyn std::fmt::Display) -> ControlFlow<()> {
        let name = self.files.get(input).map(|path| path.display().to_string()).unwrap_or_default();
        let text = format!("{name}: {error}");
        if self.is_strict {
            self.stop = Some(PyValueError::new_err(text));
            return ControlFlow::Break(());
        }
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(text);
        }
        ControlFlow::Continue(())
    }
}

impl ChangeWatch for Watch<'_> {
    fn faulty(&mut self, input: usize, error: &PgnError) -> ControlFlow<()> {
        self.fault(input, error)
    }

    fn skipped(&mut self, input: usize, skip: &Skip) -> ControlFlow<()> {
        let is_strict = std::mem::replace(&mut self.is_strict, false);
        let flow = self.fault(input, skip);
        self.is_strict = is_strict;
        flow
    }

    fn end_of_input(&mut self, _input: usize, counts: &Counts) {
        self.counts.add(counts);
    }

    fn tick(&mut self, games: u64) -> ControlFlow<()> {
        match self.progress.report(bytes_of(&self.consumed), self.total, games) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.stop = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

/// The treatment of duplicates with a name.
pub(super) fn duplicates_of(name: &str) -> PyResult<OnDuplicates> {
    Ok(match name {
        "report" => OnDuplicates::Report,
        "skip" => OnDuplicates::Skip,
        "keep" => OnDuplicates::Keep,
        other => {
            return Err(PyValueError::new_err(format!(
                "duplicates=\"{other}\": expected report, skip or keep"
            )));
        }
    })
}

/// The games to keep, and the conditions as words for the history.
pub(super) fn choice_of(
    conditions: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Filter, Option<String>)> {
    let selection = Selection::of(conditions)?;
    let filter = selection.filter(0)?;
    if filter.ids.is_some() || selection.sql.is_some() {
        return Err(PyValueError::new_err(
            "id and where ask the games of an archive, and these are in none yet: expected other conditions",
        ));
    }
    let reason = conditions.filter(|_| !filter.is_empty()).map(|it| it.to_string());
    Ok((filter, reason))
}

/// The numbers of an import; without a report, those of none.
pub(super) fn numbers_of<'py>(
    py: Python<'py>,
    report: Option<&ImportReport>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("games", report.map_or(0, |it| it.games))?;
    dict.set_item("plies", report.map_or(0, |it| it.plies))?;
    let ids = report.filter(|it| it.games > 0).map(|it| (it.first_id, it.last_id));
    dict.set_item("ids", ids)?;
    dict.set_item("bytes", report.map_or(0, |it| it.bytes))?;
    dict.set_item("duplicates", report.map_or(0, |it| it.duplicates))?;
    dict.set_item("left_out", report.map_or(0, |it| it.left_out))?;
    Ok(dict)
}

/// The endings of PGN files.
const PGN: [&str; 4] = [".pgn", ".pgn.zst", ".pgn.gz", ".pgn.bz2"];

/// The files of the paths: a folder stands for the files in it with these endings, which `expected` says in words.
pub(super) fn files_of(
    paths: &[PathBuf],
    endings: &[&str],
    expected: &str,
) -> PyResult<Vec<PathBuf>> {
    let is_one = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        endings.iter().any(|ending| name.ends_with(ending))
    };
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = fs::read_dir(path).map_err(|error| of_file(path, &error))?;
        let mut some: Vec<PathBuf> = entries
            .map(|entry| entry.map(|entry| entry.path()).map_err(|error| of_file(path, &error)))
            .collect::<PyResult<_>>()?;
        some.retain(|path| path.is_file() && is_one(path));
        if some.is_empty() {
            let path = path.display();
            return Err(PyFileNotFoundError::new_err(format!(
                "{path}: no such files in this folder: expected {expected}"
            )));
        }
        some.sort();
        files.append(&mut some);
    }
    Ok(files)
}

#[pymethods]
impl PyArchive {
    /// Imports PGN files, all of them or none: plain, `.zst`, `.gz` or `.bz2`; a folder stands for the PGN files in it. Files
    /// that were imported before are skipped, unless `again` is true.
    ///
    /// `progress` is true for a progress bar on stderr, or a function: `progress(done, total, games)`; here `done` and `total`
    /// count bytes. `duplicates` is `report`, `skip` or `keep`. With conditions, only the games that meet them are imported.
    /// Returns the numbers of the import as a dict, the `paths` of the `files` that were read, and the first ten `errors`.
    ///
    /// >>> import halfmove
    /// >>> club = halfmove.open(copy)
    /// >>> numbers = club.import_pgn(season, again=True, min_plies=3)
    /// >>> numbers["games"], numbers["left_out"], len(club)
    /// (2, 1, 5)
    #[pyo3(signature = (*paths, progress=None, duplicates="report", again=false, strict=false, threads=None, **conditions))]
    #[allow(clippy::too_many_arguments, reason = "they are keyword arguments")]
    fn import_pgn<'py>(
        &self,
        py: Python<'py>,
        paths: &Bound<'py, PyTuple>,
        progress: Option<Bound<'py, PyAny>>,
        duplicates: &str,
        again: bool,
        strict: bool,
        threads: Option<usize>,
        conditions: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let paths: Vec<PathBuf> = paths.extract()?;
        if paths.is_empty() {
            return Err(PyValueError::new_err("no files: expected the paths of PGN files"));
        }
        let duplicates = duplicates_of(duplicates)?;
        let (filter, reason) = choice_of(conditions)?;
        let files = files_of(&paths, &PGN, "*.pgn, also .zst, .gz, .bz2")?;
        let progress = Progress::of(py, progress)?;
        let archive = self.now();
        let mut watch = Watch {
            files: Vec::new(),
            progress: &progress,
            consumed: Consumed::default(),
            total: 0,
            is_strict: strict,
            faults: Vec::new(),
            counts: Counts::default(),
            stop: None,
        };
        let imported = py.detach(|| {
            let archive = archive.refresh().map_err(of_archive)?;
            let mut importer =
                archive.importer().strict_positions(strict).on_duplicates(duplicates);
            if let Some(threads) = threads.and_then(std::num::NonZero::new) {
                importer = importer.threads(threads);
            }
            if let Some(reason) = &reason {
                importer = importer.only(&filter).map_err(of_archive)?.with_reason(reason);
            }
            let known = if again { Vec::new() } else { importer.imports().map_err(of_archive)? };
            let is_known = |sum: &ContentSum| {
                let mut alike =
                    known.iter().filter(|it| it.reason.is_none() || it.reason == reason);
                alike.any(|import| import.sources.iter().any(|source| source.sum == *sum))
            };
            let mut new: Vec<(PathBuf, ContentSum)> = Vec::new();
            for path in files {
                let summed = File::open(&path).and_then(|file| ContentSum::of(Looking(file)));
                let sum = summed.map_err(|error| match error.downcast::<PyErr>() {
                    Ok(error) => error,
                    Err(error) => of_file(&path, &error),
                })?;
                let is_here = !again && new.iter().any(|(_, other)| *other == sum);
                if !is_here && !is_known(&sum) {
                    watch.total += sum.bytes();
                    watch.files.push(path.clone());
                    new.push((path, sum));
                }
            }
            if new.is_empty() {
                return Ok((archive, None));
            }
            let consumed = Arc::clone(&watch.consumed);
            let inputs = new.into_iter().map(move |(path, sum)| {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let input = Input::open(path)?;
                let mut all = consumed.lock().unwrap_or_else(PoisonError::into_inner);
                *all = (all.0 + all.1.load(Ordering::Relaxed), input.consumed());
                Ok(PgnInput::named(name, input).with_sum(sum))
            });
            let read = importer.read_pgn(inputs, &mut watch);
            let done = read.and_then(|()| importer.commit_watched(&mut watch));
            let stop = watch.stop.take();
            let report = done.map_err(|error| match (error, stop) {
                (ArchiveError::Stopped, Some(stop)) => stop,
                (error, _) => of_archive(error),
            })?;
            Ok::<(Archive, Option<ImportReport>), PyErr>((
                archive.refresh().map_err(of_archive)?,
                Some(report),
            ))
        });
        progress.end_bar(py)?;
        let (archive, report) = imported?;
        self.set(archive);
        let dict = numbers_of(py, report.as_ref())?;
        dict.set_item("files", watch.files.len())?;
        dict.set_item("paths", watch.files)?;
        dict.set_item("faulty", watch.counts.faulty)?;
        dict.set_item("errors", watch.faults)?;
        Ok(dict)
    }
}
