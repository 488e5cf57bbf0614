//! Games in the columns of the data set `Lichess/standard-chess-games`, for notebooks that were written for it, and back.

mod import;

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader, StringArray};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef, TimeUnit};
use halfmove_archive::{Archive, ArchiveError, Filter};
use halfmove_game::Game;
use halfmove_game::pgn::write_game;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{PyArchive, filter_of};
use crate::error::of_archive;
use crate::rows::{Batches, Open, Reader, Source};

/// The origin of a column.
enum Origin {
    /// The tag of the same name, as it is written.
    Tag,
    /// A column of the archive.
    Column(&'static str),
    /// The text of the game.
    Movetext,
}

/// The columns of the data set.
const COLUMNS: [(&str, Origin, DataType); 18] = [
    ("Event", Origin::Tag, DataType::Utf8),
    ("Site", Origin::Tag, DataType::Utf8),
    ("White", Origin::Tag, DataType::Utf8),
    ("Black", Origin::Tag, DataType::Utf8),
    ("Result", Origin::Column("result"), DataType::Utf8),
    ("WhiteTitle", Origin::Tag, DataType::Utf8),
    ("BlackTitle", Origin::Tag, DataType::Utf8),
    ("WhiteElo", Origin::Column("white_elo"), DataType::Int16),
    ("BlackElo", Origin::Column("black_elo"), DataType::Int16),
    ("WhiteRatingDiff", Origin::Column("white_rating_diff"), DataType::Int16),
    ("BlackRatingDiff", Origin::Column("black_rating_diff"), DataType::Int16),
    ("UTCDate", Origin::Column("date"), DataType::Date32),
    ("UTCTime", Origin::Column("time_of_day"), DataType::Time32(TimeUnit::Second)),
    ("ECO", Origin::Tag, DataType::Utf8),
    ("Opening", Origin::Tag, DataType::Utf8),
    ("Termination", Origin::Tag, DataType::Utf8),
    ("TimeControl", Origin::Tag, DataType::Utf8),
    ("movetext", Origin::Movetext, DataType::Utf8),
];

fn schema() -> SchemaRef {
    let fields = COLUMNS.iter().map(|(name, _, kind)| Field::new(*name, kind.clone(), true));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// The games of a filter, as columns and as whole games, both in the order of their ids.
struct LichessReader {
    schema: SchemaRef,
    columns: halfmove_archive::Batches,
    games: halfmove_archive::Games,
}

impl LichessReader {
    fn of(archive: &Archive, filter: &Filter) -> Result<Self, ArchiveError> {
        let names: Vec<&str> = COLUMNS
            .iter()
            .filter_map(|(_, origin, _)| match origin {
                Origin::Column(name) => Some(*name),
                _ => None,
            })
            .collect();
        let (columns, games) = (archive.columns(filter, &names)?, archive.games(filter)?);
        Ok(Self { schema: schema(), columns, games })
    }

    fn batch(&mut self, columns: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let missing = || ArrowError::ExternalError("the archive has changed".into());
        let mut games = Vec::with_capacity(columns.num_rows());
        for _ in 0..columns.num_rows() {
            games.push(self.games.next().ok_or_else(missing)?.map_err(external)?.game);
        }
        let mut typed = columns.columns().iter();
        let column =
            |(name, origin, kind): &(&str, Origin, DataType)| -> Result<ArrayRef, ArrowError> {
                Ok(match origin {
                    Origin::Column(_) => cast(typed.next().ok_or_else(missing)?, kind)?,
                    Origin::Tag => {
                        Arc::new(StringArray::from_iter(games.iter().map(|it| it.tags.value(name))))
                    }
                    Origin::Movetext => {
                        let texts = games.iter().map(|game| movetext(game).map(Some));
                        Arc::new(texts.collect::<Result<StringArray, _>>()?)
                    }
                })
            };
        let arrays = COLUMNS.iter().map(column).collect::<Result<Vec<_>, _>>()?;
        RecordBatch::try_new(Arc::clone(&self.schema), arrays)
    }
}

fn external(error: ArchiveError) -> ArrowError {
    ArrowError::ExternalError(Box::new(of_archive(error)))
}

/// The moves of a game with everything between them, on one line.
fn movetext(game: &Game) -> Result<String, ArrowError> {
    let text = write_game(game).map_err(|error| {
        ArrowError::ExternalError(Box::new(PyValueError::new_err(error.to_string())))
    })?;
    // A blank line ends the tags; a game without tags has none.
    let moves = match game.tags.is_empty() {
        true => text.as_str(),
        false => text.split_once("\n\n").map_or("", |(_, moves)| moves),
    };
    Ok(moves.trim().replace('\n', " "))
}

impl Iterator for LichessReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let columns = self.columns.next()?.map_err(external);
        Some(columns.and_then(|columns| self.batch(&columns)))
    }
}

impl RecordBatchReader for LichessReader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

#[pymethods]
impl PyArchive {
    /// The games that meet conditions with the columns of Hugging Face's data set `Lichess/standard-chess-games`, so that
    /// notebooks written for it run on one's own games. Computed while it is read.
    ///
    /// >>> import halfmove
    /// >>> halfmove.open(folder).to_lichess(id=3).read_all()["movetext"]
    /// ['1. e4 e6 1/2-1/2']
    #[pyo3(signature = (**conditions))]
    fn to_lichess(
        &self,
        py: Python<'_>,
        conditions: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Batches> {
        let archive = self.now();
        let filter = filter_of(py, &archive, conditions)?;
        let open: Open = Box::new(move |stop| {
            let archive = archive.with_cancel(&stop.token);
            Ok(Box::new(LichessReader::of(&archive, &filter).map_err(of_archive)?) as Reader)
        });
        Ok(Batches { source: Source { schema: schema(), open } })
    }
}
