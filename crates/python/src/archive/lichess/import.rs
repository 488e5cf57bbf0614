//! Reading the data set: Parquet files, or Arrow streams, with its columns.

use std::fs::File;
use std::io::{Empty, empty};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::thread;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Int16Type, Time32SecondType};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchReader};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{DataType, Schema};
use halfmove_archive::{ArchiveError, ChangeWatch, Importer};
use halfmove_game::pgn::{GameReader, Reading};
use halfmove_game::{Game, GameResult};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::COLUMNS;
use crate::archive::PyArchive;
use crate::archive::change::{
    MAX_FAULTS, bar_of, cannot, choice_of, close, duplicates_of, files_of, numbers_of,
};
use crate::capsule;
use crate::error::of_archive;
use crate::rows::Reader;

/// The tags of a game, in the order of Lichess's own files.
const TAGS: [&str; 17] = [
    "Event",
    "Site",
    "White",
    "Black",
    "Result",
    "UTCDate",
    "UTCTime",
    "WhiteElo",
    "BlackElo",
    "WhiteRatingDiff",
    "BlackRatingDiff",
    "WhiteTitle",
    "BlackTitle",
    "ECO",
    "Opening",
    "TimeControl",
    "Termination",
];

/// The number of rows that are read at a time.
const ROWS: usize = 8_192;

/// A source of rows.
enum Rows {
    File(PathBuf),
    Stream(Reader),
}

impl Rows {
    /// A reader of the known columns.
    fn open(self) -> PyResult<Reader> {
        let path = match self {
            Self::Stream(reader) => return Ok(reader),
            Self::File(path) => path,
        };
        let file = File::open(&path).map_err(|error| cannot(&path, &error))?;
        let invalid = |error: parquet::errors::ParquetError| {
            PyValueError::new_err(format!("{}: {error}", path.display()))
        };
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(invalid)?;
        let known = COLUMNS.iter().map(|(name, ..)| *name);
        let mask = ProjectionMask::columns(builder.parquet_schema(), known);
        let reader = builder.with_projection(mask).with_batch_size(ROWS).build();
        Ok(Box::new(reader.map_err(invalid)?))
    }

    fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Stream(_) => "stream".to_owned(),
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

/// An error unless a schema has the texts of the games.
fn check(schema: &Schema, name: &str) -> PyResult<()> {
    match schema.index_of("movetext") {
        Ok(_) => Ok(()),
        Err(_) => {
            let columns: Vec<&str> = COLUMNS.iter().map(|(name, ..)| *name).collect();
            Err(PyValueError::new_err(format!(
                "{name}: no column movetext, expected the columns of Lichess/standard-chess-games: {}",
                columns.join(", ")
            )))
        }
    }
}

/// The columns of a batch in the types of the data set; those that it does not have are missing.
struct Columns(Vec<(&'static str, ArrayRef)>);

impl Columns {
    fn of(batch: &RecordBatch) -> PyResult<Self> {
        let columns = COLUMNS.iter().filter_map(|(name, _, kind)| {
            let column = batch.column_by_name(name)?;
            // A value that does not fit is an error, not a missing value.
            let options = CastOptions { safe: false, ..CastOptions::default() };
            let cast = cast_with_options(column, kind, &options);
            Some(cast.map(|column| (*name, column)).map_err(|error| {
                PyValueError::new_err(format!("{name}: {error}; expected {kind}"))
            }))
        });
        Ok(Self(columns.collect::<PyResult<_>>()?))
    }

    fn column(&self, name: &str) -> Option<&ArrayRef> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, column)| column)
    }

    /// The value of a tag, as Lichess writes it.
    fn tag(&self, name: &str, row: usize) -> Option<String> {
        let column = self.column(name).filter(|column| column.is_valid(row))?;
        Some(match column.data_type() {
            DataType::Int16 => {
                let number = column.as_primitive::<Int16Type>().value(row);
                if name.ends_with("Diff") { format!("{number:+}") } else { number.to_string() }
            }
            DataType::Date32 => {
                let day = column.as_primitive::<Date32Type>().value_as_date(row)?;
                day.format("%Y.%m.%d").to_string()
            }
            DataType::Time32(_) => {
                let time = column.as_primitive::<Time32SecondType>().value_as_time(row)?;
                time.format("%H:%M:%S").to_string()
            }
            _ => column.as_string_opt::<i32>()?.value(row).to_owned(),
        })
    }

    /// The game of a row, with the reason why its moves end early.
    fn game(&self, row: usize, text: Vec<u8>) -> (Game, Option<String>, Vec<u8>) {
        let movetext = self.column("movetext").filter(|column| column.is_valid(row));
        let movetext =
            movetext.and_then(|it| it.as_string_opt::<i32>()).map_or("", |it| it.value(row));
        let mut text = text;
        text.clear();
        // With a tag, whatever follows is a game.
        text.extend_from_slice(b"[Event \"?\"]\n\n");
        text.extend_from_slice(movetext.as_bytes());
        let mut reader: GameReader<Empty> = GameReader::with_text(text, empty());
        let mut game = Game::default();
        // A text in memory has no errors of the source.
        let reading = reader.read(&mut game).ok().flatten();
        let mut fault = match reading {
            Some(Reading::Faulty(error)) => {
                Some(format!("move {:#}: {}", error.number, error.kind))
            }
            Some(Reading::Skipped(skip)) => Some(skip.reason.to_string()),
            Some(Reading::Whole) | None => None,
        };
        if fault.is_none() && matches!(reader.read(&mut Game::default()), Ok(Some(_))) {
            fault = Some("more than one game: expected one in movetext".to_owned());
        }
        game.tags.clear();
        for name in TAGS {
            if let Some(value) = self.tag(name, row) {
                game.tags.push(name, &value);
            }
        }
        if game.result.is_none() {
            let result = game.tags.value("Result").map(str::as_bytes);
            game.result = result.and_then(GameResult::from_token);
        }
        (game, fault, reader.finish().2)
    }
}

/// The games of a batch, parsed by all cores.
fn games_of(batch: &RecordBatch, threads: usize) -> PyResult<Vec<(Game, Option<String>)>> {
    let columns = &Columns::of(batch)?;
    let width = batch.num_rows().div_ceil(threads).max(1);
    let parse = move |from: usize| {
        let mut memory = Vec::new();
        let rows = from..(from + width).min(batch.num_rows());
        let games = rows.map(|row| {
            let (game, fault, text) = columns.game(row, std::mem::take(&mut memory));
            memory = text;
            (game, fault)
        });
        games.collect::<Vec<_>>()
    };
    let starts = (0..batch.num_rows()).step_by(width);
    Ok(thread::scope(|scope| {
        let parsers: Vec<_> = starts.map(|from| scope.spawn(move || parse(from))).collect();
        let parsed = parsers.into_iter().map(|it| match it.join() {
            Ok(games) => games,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        parsed.flatten().collect()
    }))
}

/// The observer of an import.
struct Watch {
    progress: Option<Py<PyAny>>,
    /// The number of rows so far.
    rows: u64,
    faults: Vec<String>,
    faulty: u64,
    /// The reason for which the import was stopped.
    stop: Option<PyErr>,
}

impl ChangeWatch for Watch {
    fn tick(&mut self, games: u64) -> ControlFlow<()> {
        let called = Python::attach(|py| {
            py.check_signals()?;
            match &self.progress {
                // The number of all rows is not known.
                Some(progress) => progress.call1(py, (self.rows, 0, games)).map(drop),
                None => Ok(()),
            }
        });
        self.stop = called.err();
        if self.stop.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Watch {
    /// Takes the games of a source into an import.
    fn read(&mut self, source: Rows, importer: &mut Importer, is_strict: bool) -> PyResult<()> {
        let name = source.name();
        let reader = source.open()?;
        check(&reader.schema(), &name)?;
        let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let mut row = 0_u64;
        for batch in reader {
            let batch = batch.map_err(|error| PyValueError::new_err(format!("{name}: {error}")))?;
            for (game, fault) in games_of(&batch, threads)? {
                row += 1;
                let fault = match importer.push(&game, fault.as_deref()) {
                    Ok(()) => fault,
                    Err(error @ ArchiveError::NotStorable(_)) => Some(error.to_string()),
                    Err(error) => return Err(of_archive(error)),
                };
                let Some(fault) = fault else { continue };
                let text = format!("{name}: row {row}: {fault}");
                if is_strict {
                    return Err(PyValueError::new_err(text));
                }
                self.faulty += 1;
                if self.faults.len() < MAX_FAULTS {
                    self.faults.push(text);
                }
            }
            self.rows += batch.num_rows() as u64;
            if self.tick(importer.games()).is_break() {
                return self.stop.take().map_or(Ok(()), Err);
            }
        }
        Ok(())
    }
}

#[pymethods]
impl PyArchive {
    /// Imports games that have the columns of Hugging Face's data set `Lichess/standard-chess-games`, all of them or none: from Parquet
    /// files by their paths (a folder stands for those in it), or from tables and streams of PyArrow, Polars, DuckDB and the like. A few
    /// thousand rows at a time are in memory.
    ///
    /// A row whose `movetext` has a fault is a game up to it; `errors` of the answer names the first ten of them, and `strict` makes them
    /// errors. `progress` is true, or a function of the rows so far, 0, and the games so far. `duplicates`, `strict` and the conditions are those of `import_pgn`.
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
        let bar = bar_of(py, progress)?;
        let archive = self.now();
        let mut watch = Watch {
            progress: bar.as_ref().map(|bar| bar.clone().unbind()),
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
                watch.read(source, &mut importer, strict)?;
            }
            let report = importer.commit_watched(&mut watch);
            let report = report.map_err(|error| match (error, watch.stop.take()) {
                (ArchiveError::Stopped, Some(stop)) => stop,
                (error, _) => of_archive(error),
            })?;
            Ok::<_, PyErr>((archive.refresh().map_err(of_archive)?, report))
        });
        close(bar)?;
        let (archive, report) = imported?;
        self.set(archive);
        let dict = numbers_of(py, Some(&report))?;
        dict.set_item("rows", watch.rows)?;
        dict.set_item("faulty", watch.faulty)?;
        dict.set_item("errors", watch.faults)?;
        Ok(dict)
    }
}
