//! The explorer's moves as Arrow.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray};

use super::{Details, Explorer, ExplorerMove};
use crate::error::ArchiveError;
use crate::search::games::stream_of;
use crate::search::score::Score;

/// The columns of ratings and dates, with their names in the explorer's JSON.
const DETAILS: [(&str, &str); 4] = [
    ("average_rating", "averageRating"),
    ("average_opponent_rating", "averageOpponentRating"),
    ("performance", "performance"),
    ("last_played", "lastPlayed"),
];

/// A move of the tree.
struct Row<'a> {
    /// The moves from the position to it, in SAN.
    line: String,
    /// Their number.
    ply: i32,
    mv: &'a ExplorerMove,
}

impl Row<'_> {
    /// The moves of a tree, each before the replies to it.
    fn of<'a>(moves: &'a [ExplorerMove], before: &str, ply: i32, rows: &mut Vec<Row<'a>>) {
        for mv in moves {
            let line =
                if before.is_empty() { mv.san.clone() } else { format!("{before} {}", mv.san) };
            rows.push(Row { line: line.clone(), ply, mv });
            Self::of(&mv.next, &line, ply + 1, rows);
        }
    }
}

impl Explorer {
    /// The moves as a batch of rows, each move before the replies to it. The columns are always the same, and null where
    /// they were not requested: `line`, `ply`, `uci`, `san`; the results `games`, `white`, `draws`, `black`, `other`;
    /// `average_rating`, `average_opponent_rating`, `performance`, `last_played`; `reached`; and the score of a player,
    /// `player_wins`, `player_draws`, `player_losses`, `player_other`, `player_both` and `player_score`, in percent.
    ///
    /// ```
    /// use halfmove_archive::Explorer;
    ///
    /// let batch = Explorer::default().to_batch()?;
    /// assert_eq!((batch.num_rows(), batch.num_columns()), (0, 20));
    /// # Ok::<(), halfmove_archive::ArchiveError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Damaged`] if the columns have different lengths, which does not happen.
    pub fn to_batch(&self) -> Result<RecordBatch, ArchiveError> {
        let mut rows = Vec::new();
        Row::of(&self.moves, "", 1, &mut rows);
        let texts = |of: fn(&Row<'_>) -> String| -> ArrayRef {
            Arc::new(StringArray::from_iter_values(rows.iter().map(of)))
        };
        let counts = |of: &dyn Fn(&ExplorerMove) -> Option<u64>| -> ArrayRef {
            let counts = rows.iter().map(|row| i64::try_from(of(row.mv)?).ok());
            Arc::new(counts.collect::<Int64Array>())
        };
        let ratings = |of: fn(&Details) -> Option<i32>| -> ArrayRef {
            let ratings = rows.iter().map(|row| of(row.mv.details.as_ref()?));
            Arc::new(ratings.collect::<Int32Array>())
        };
        let score = |of: fn(&Score) -> u64| counts(&|mv| mv.score.as_ref().map(of));
        let plies = Int32Array::from_iter_values(rows.iter().map(|row| row.ply));
        let last = rows.iter().map(|row| Some(row.mv.details.as_ref()?.last_played?.to_string()));
        let percent = rows.iter().map(|row| row.mv.score.as_ref().and_then(Score::percent));
        let columns: [(&str, ArrayRef); 20] = [
            ("line", texts(|row| row.line.clone())),
            ("ply", Arc::new(plies)),
            ("uci", texts(|row| row.mv.uci.clone())),
            ("san", texts(|row| row.mv.san.clone())),
            ("games", counts(&|mv| Some(mv.results.games()))),
            ("white", counts(&|mv| Some(mv.results.white))),
            ("draws", counts(&|mv| Some(mv.results.draws))),
            ("black", counts(&|mv| Some(mv.results.black))),
            ("other", counts(&|mv| Some(mv.results.other))),
            (DETAILS[0].0, ratings(|details| details.average_rating)),
            (DETAILS[1].0, ratings(|details| details.average_opponent_rating)),
            (DETAILS[2].0, ratings(|details| details.performance)),
            (DETAILS[3].0, Arc::new(last.collect::<StringArray>())),
            ("reached", counts(&|mv| mv.reached)),
            ("player_wins", score(|score| score.wins)),
            ("player_draws", score(|score| score.draws)),
            ("player_losses", score(|score| score.losses)),
            ("player_other", score(|score| score.other)),
            ("player_both", score(|score| score.both)),
            ("player_score", Arc::new(percent.collect::<Float64Array>())),
        ];
        let columns = columns.into_iter().map(|(name, column)| (name, column, true));
        Ok(RecordBatch::try_from_iter_with_nullable(columns)?)
    }

    /// The moves as a stream of Arrow IPC: the columns of [`to_batch`](Self::to_batch) that were requested, with the
    /// names of the explorer's JSON.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::{Archive, Filter};
    /// use halfmove_rules::Chess;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let archive = Archive::create(folder.path().join("games"))?;
    /// let explorer = archive.explore(&Filter::default(), Chess::default())?;
    /// let bytes = explorer.to_arrow()?;
    /// assert!(bytes.starts_with(&[0xff; 4]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Damaged`] if the columns have different lengths, which does not happen.
    pub fn to_arrow(&self) -> Result<Vec<u8>, ArchiveError> {
        let is_reached = self.moves.iter().any(|mv| mv.reached.is_some());
        let batch = self.to_batch()?;
        let schema = batch.schema();
        let columns = schema.fields().iter().zip(batch.columns()).filter_map(|(field, column)| {
            let detail = DETAILS.iter().find(|(name, _)| name == field.name());
            let name = detail.map_or(field.name().as_str(), |(_, of_json)| *of_json);
            let is_requested = match name {
                "reached" => is_reached,
                name if name.starts_with("player_") => self.score.is_some(),
                _ => detail.is_none() || self.details.is_some(),
            };
            is_requested.then(|| (name.to_owned(), Arc::clone(column), true))
        });
        stream_of(&RecordBatch::try_from_iter_with_nullable(columns)?)
    }
}
