//! Reading games from the columns of Lichess's data set: Parquet files, or batches of Arrow arrays.

use std::fs::File;
use std::io::{Empty, empty};
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Int16Type, Time32SecondType};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchReader};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::DataType;
use halfmove_game::pgn::{Counts, GameReader, Reading};
use halfmove_game::{Game, GameResult};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::Importer;
use crate::change::watch::ChangeWatch;
use crate::error::ArchiveError;
use crate::lichess::{COLUMNS, unfit};
use crate::snapshot::{ContentSum, ImportedSource};

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

/// The columns that a source must have, for messages.
const EXPECTED: &str = "the columns of Lichess/standard-chess-games";

/// A game of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LichessGame {
    /// The number of its row, from 1.
    pub row: u64,
    /// The game.
    pub game: Game,
    /// The reason why its moves end early.
    pub fault: Option<String>,
    /// The number of moves after the fault.
    pub lost_half_moves: u64,
}

/// Iterates over the games in rows with the columns of [`lichess_schema`](crate::lichess_schema), a few thousand at a time, which are
/// parsed on all cores. `movetext` is required, and has no nulls; other columns may be missing, or have other types of texts, numbers,
/// dates and times whose values fit.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator, StringArray};
/// use halfmove_archive::{Importer, LichessRows};
///
/// let text = |text: &str| -> ArrayRef { Arc::new(StringArray::from(vec![text])) };
/// let rows = [("White", text("Tal")), ("movetext", text("1. e4 e5 2. Ke3 1-0"))];
/// let batch = RecordBatch::try_from_iter(rows)?;
/// let schema = batch.schema();
///
/// let folder = tempfile::tempdir()?;
/// for games in LichessRows::of("a table", RecordBatchIterator::new([Ok(batch.clone())], schema.clone()))? {
///     for row in games? {
///         assert!(row.fault.as_ref().is_some_and(|fault| fault.contains("Ke3")));
///     }
/// }
/// let rows = LichessRows::of("a table", RecordBatchIterator::new([Ok(batch)], schema))?;
/// let mut importer = Importer::open(folder.path().join("games"))?;
/// importer.read_lichess(rows, &mut ())?;
/// assert_eq!(importer.commit()?.plies, 2);
/// # Ok(())
/// # }
/// ```
pub struct LichessRows {
    name: String,
    /// The name of the file, without folders.
    source: Option<Arc<str>>,
    sum: Option<ContentSum>,
    reader: Box<dyn RecordBatchReader + Send>,
    threads: usize,
    /// The number of rows so far.
    rows: u64,
    failed: bool,
}

impl LichessRows {
    /// The rows of a Parquet file.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Io`] if the file cannot be opened, [`ArchiveError::Rows`] if it is not a Parquet file, and those of
    /// [`LichessRows::of`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ArchiveError> {
        let path = path.as_ref();
        let file = File::open(path).map_err(|error| ArchiveError::io(path, error))?;
        let name = path.display().to_string();
        let invalid = |error: parquet::errors::ParquetError| of_rows(&name, &error);
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(invalid)?;
        let known = COLUMNS.iter().map(|(name, ..)| *name);
        let mask = ProjectionMask::columns(builder.parquet_schema(), known);
        let reader = builder.with_projection(mask).with_batch_size(ROWS).build();
        let rows = Self::of(name.clone(), reader.map_err(invalid)?)?;
        let source = path.file_name().map(|name| name.to_string_lossy().into());
        Ok(Self { source, ..rows })
    }

    /// The same rows, with the checksum of the file. It is recorded among the [sources](crate::HistoryEntry::sources) of the
    /// import, to recognize the same content later.
    #[must_use]
    pub fn with_sum(mut self, sum: ContentSum) -> Self {
        self.sum = Some(sum);
        self
    }

    /// The rows of batches. `name` is that of the source, for messages.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Rows`] if there is no column `movetext`, [`ArchiveError::ColumnType`] if a column has another type.
    pub fn of(
        name: impl Into<String>,
        reader: impl RecordBatchReader + Send + 'static,
    ) -> Result<Self, ArchiveError> {
        let name = name.into();
        if reader.schema().index_of("movetext").is_err() {
            let columns: Vec<&str> = COLUMNS.iter().map(|(name, ..)| *name).collect();
            let columns = columns.join(", ");
            let why = format!("no column movetext, expected {EXPECTED}: {columns}");
            return Err(of_rows(&name, &why));
        }
        for (column, _, kind) in &COLUMNS {
            let Ok(field) = reader.schema().field_with_name(column).cloned() else { continue };
            if let Some(expected) = unfit(field.data_type(), kind) {
                let found = field.data_type().clone();
                return Err(ArchiveError::ColumnType { name, column, found, expected });
            }
        }
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let (source, sum) = (None, None);
        Ok(Self { name, source, sum, reader: Box::new(reader), threads, rows: 0, failed: false })
    }

    /// The name of the source.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The games of a batch, parsed by all threads.
    fn games(&mut self, batch: &RecordBatch) -> Result<Vec<LichessGame>, ArchiveError> {
        let columns = &Columns::of(batch).map_err(|why| of_rows(&self.name, &why))?;
        let before = self.rows;
        self.rows += batch.num_rows() as u64;
        let movetext = columns.column("movetext");
        if let Some(row) = movetext.and_then(|it| (0..it.len()).find(|row| it.is_null(*row))) {
            let row = before + row as u64 + 1;
            let why = format!("row {row}: movetext is null, expected the text of a game");
            return Err(of_rows(&self.name, &why));
        }
        let width = batch.num_rows().div_ceil(self.threads).max(1);
        let parse = move |from: usize| {
            let mut memory = Vec::new();
            let rows = from..(from + width).min(batch.num_rows());
            let games = rows.map(|row| {
                let mut found = columns.game(row, &mut memory);
                found.row += before;
                found
            });
            games.collect::<Vec<_>>()
        };
        let starts = (0..batch.num_rows()).step_by(width);
        thread::scope(|scope| {
            let parsers: Vec<_> = starts.map(|from| scope.spawn(move || parse(from))).collect();
            let mut games = Vec::with_capacity(batch.num_rows());
            for parser in parsers {
                games.append(&mut parser.join().map_err(|_| ArchiveError::ThreadLost)?);
            }
            Ok(games)
        })
    }
}

impl Iterator for LichessRows {
    type Item = Result<Vec<LichessGame>, ArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let batch = self.reader.next()?.map_err(|error| of_rows(&self.name, &error));
        let games = batch.and_then(|batch| self.games(&batch));
        self.failed = games.is_err();
        Some(games)
    }
}

impl std::fmt::Debug for LichessRows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LichessRows").field("name", &self.name).finish_non_exhaustive()
    }
}

fn of_rows(name: &str, why: &dyn std::fmt::Display) -> ArchiveError {
    ArchiveError::Rows { name: name.to_owned(), why: why.to_string() }
}

impl Importer {
    /// Adds the games of rows, which are an input of their own. `watch` receives the rows with a fault.
    ///
    /// # Errors
    ///
    /// Those of [`LichessRows`], [`ArchiveError::Stopped`] if `watch` stops the import, [`ArchiveError::Io`] if the files
    /// cannot be written. The import is then lost.
    pub fn read_lichess(
        &mut self,
        rows: LichessRows,
        watch: &mut dyn ChangeWatch,
    ) -> Result<(), ArchiveError> {
        let read = self.read_rows(rows, watch);
        self.failed |= read.is_err();
        read
    }

    fn read_rows(
        &mut self,
        mut rows: LichessRows,
        watch: &mut dyn ChangeWatch,
    ) -> Result<(), ArchiveError> {
        self.hand_over()?;
        let (input, before) = (self.next_input, self.games);
        self.inputs.push((before, Some(input)));
        self.source = rows.source.take();
        rows.threads = self.threads;
        let (mut counts, sum) = (Counts::default(), rows.sum.take());
        for games in rows {
            for found in games? {
                counts.games += 1;
                let fault = match self.push(&found.game, found.fault.as_deref()) {
                    Ok(()) => found.fault,
                    Err(error @ ArchiveError::NotStorable(_)) => Some(error.to_string()),
                    Err(error) => return Err(error),
                };
                let Some(fault) = fault else { continue };
                counts.faulty += 1;
                counts.lost_half_moves += found.lost_half_moves;
                if watch.faulty_row(input, found.row, &fault).is_break() {
                    return Err(ArchiveError::Stopped);
                }
            }
            if watch.tick(self.games).is_break() {
                return Err(ArchiveError::Stopped);
            }
        }
        self.hand_over()?;
        let source = self.source.take();
        if let Some(sum) = sum {
            let source = ImportedSource::new(source.as_deref(), sum, self.games - before);
            self.sources.push((before, source));
        }
        watch.end_of_input(input, &counts);
        self.next_input += 1;
        // Games pushed from here on have no input.
        self.inputs.push((self.games, None));
        Ok(())
    }
}

/// The columns of a batch in the types of the data set; those that it does not have are missing.
struct Columns(Vec<(&'static str, ArrayRef)>);

impl Columns {
    fn of(batch: &RecordBatch) -> Result<Self, String> {
        let columns = COLUMNS.iter().filter_map(|(name, _, kind)| {
            let column = batch.column_by_name(name)?;
            // A value that does not fit is an error, not a missing value.
            let options = CastOptions { safe: false, ..CastOptions::default() };
            let cast = cast_with_options(column, kind, &options);
            Some(
                cast.map(|column| (*name, column))
                    .map_err(|error| format!("{name}: {error}; expected {kind}")),
            )
        });
        columns.collect::<Result<_, _>>().map(Self)
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

    /// The game of a row. `memory` is scratch space.
    fn game(&self, row: usize, memory: &mut Vec<u8>) -> LichessGame {
        let mut text = std::mem::take(memory);
        let movetext = self.column("movetext").and_then(|it| it.as_string_opt::<i32>());
        text.clear();
        // With a tag, whatever follows is a game.
        text.extend_from_slice(b"[Event \"?\"]\n\n");
        text.extend_from_slice(movetext.map_or("", |it| it.value(row)).as_bytes());
        let mut reader: GameReader<Empty> = GameReader::with_text(text, empty());
        let mut game = Game::default();
        // A text in memory has no errors of the source.
        let reading = reader.read(&mut game).ok().flatten();
        let lost_half_moves = reader.counts().lost_half_moves;
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
        *memory = reader.finish().2;
        LichessGame { row: row as u64 + 1, game, fault, lost_half_moves }
    }
}
