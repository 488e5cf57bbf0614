//! The explorer's moves as Arrow.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int32Array, RecordBatch, StringArray, UInt64Array};

use super::{Details, Explorer, ExplorerMove};
use crate::error::ArchiveError;
use crate::search::games::stream_of;
use crate::search::score::Score;

impl Explorer {
    /// The moves as a stream of Arrow IPC, one row per move. The names of the columns are those of the explorer's
    /// JSON; ratings, transpositions and the score of a player are included if they were requested.
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
        let moves = || self.moves.iter();
        let texts = |of: fn(&ExplorerMove) -> &str| -> ArrayRef {
            Arc::new(moves().map(|mv| Some(of(mv))).collect::<StringArray>())
        };
        let counts = |of: &dyn Fn(&ExplorerMove) -> Option<u64>| -> ArrayRef {
            Arc::new(moves().map(of).collect::<UInt64Array>())
        };
        let ratings = |of: fn(&Details) -> Option<i32>| -> ArrayRef {
            Arc::new(moves().map(|mv| of(mv.details.as_ref()?)).collect::<Int32Array>())
        };
        let mut columns: Vec<(&str, ArrayRef)> = vec![
            ("uci", texts(|mv| &mv.uci)),
            ("san", texts(|mv| &mv.san)),
            ("white", counts(&|mv| Some(mv.results.white))),
            ("draws", counts(&|mv| Some(mv.results.draws))),
            ("black", counts(&|mv| Some(mv.results.black))),
            ("other", counts(&|mv| Some(mv.results.other))),
        ];
        if self.details.is_some() {
            let dates = moves().map(|mv| Some(mv.details.as_ref()?.last_played?.to_string()));
            columns.extend([
                ("averageRating", ratings(|details| details.average_rating)),
                ("averageOpponentRating", ratings(|details| details.average_opponent_rating)),
                ("performance", ratings(|details| details.performance)),
                ("lastPlayed", Arc::new(dates.collect::<StringArray>()) as ArrayRef),
            ]);
        }
        if self.moves.iter().any(|mv| mv.reached.is_some()) {
            columns.push(("reached", counts(&|mv| mv.reached)));
        }
        if self.score.is_some() {
            let score = |of: fn(&Score) -> u64| counts(&|mv| mv.score.as_ref().map(of));
            columns.extend([
                ("player_wins", score(|score| score.wins)),
                ("player_draws", score(|score| score.draws)),
                ("player_losses", score(|score| score.losses)),
                ("player_other", score(|score| score.other)),
                ("player_both", score(|score| score.both)),
            ]);
        }
        stream_of(&RecordBatch::try_from_iter_with_nullable(
            columns.into_iter().map(|(name, column)| (name, column, true)),
        )?)
    }
}
