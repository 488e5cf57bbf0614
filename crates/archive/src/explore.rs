//! The opening tree at a position.

use futures::FutureExt;
use futures::future::BoxFuture;
use halfmove_game::replay::Query;
use halfmove_rules::{AnyPosition, CastlingStyle};

use crate::error::ArchiveError;
use crate::filter::Filter;
pub use crate::functions::explore::Results;
use crate::functions::explore::Tally;
use crate::kernel::Wanted;
use crate::score::Score;
use crate::store::Archive;

/// The results of the games in which a position arose, and the moves played there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explorer {
    /// The games in which the position arose.
    pub results: Results,
    /// How they ended for the player; `None` if the filter names none.
    pub score: Option<Score>,
    /// The moves played there, those with the most games first, then by UCI.
    pub moves: Vec<ExplorerMove>,
}

/// A move that was played in a position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExplorerMove {
    /// The move in UCI; castling is king takes rook, `e1h1`.
    pub uci: String,
    /// The move in SAN.
    pub san: String,
    /// The games in which it was played there.
    pub results: Results,
    /// How they ended for the player; `None` if the filter names none.
    pub score: Option<Score>,
}

impl Archive {
    /// The results and next moves of a position in the games that meet a filter. A game counts once, however often it
    /// returns to the position, and once for each move. Moves are written as in the game of the position.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Query`] if the filter's SQL condition is invalid, [`ArchiveError::Filter`] if the rest makes no sense.
    pub fn explore<'a>(
        &'a self,
        filter: &'a Filter,
        position: impl Into<AnyPosition>,
    ) -> BoxFuture<'a, Result<Explorer, ArchiveError>> {
        self.explore_filtered(filter, position.into()).boxed()
    }

    async fn explore_filtered(
        &self,
        filter: &Filter,
        position: AnyPosition,
    ) -> Result<Explorer, ArchiveError> {
        // A condition that the position implies need not be tested.
        let asked = match &filter.position {
            None => Filter { position: Some(position.clone()), ..filter.clone() },
            Some(_) => filter.clone(),
        };
        let wanted = self.wanted(&asked).await?;
        let has_others = filter.position.is_some() || !filter.questions.is_empty();
        let asks = has_others.then(|| asked.asks());
        let query = Query::new(&position);
        let count = move |archive: &Self| {
            let wanted = match asks {
                None => wanted,
                // Games that say yes to the others as well.
                Some(asks) => Wanted {
                    player: wanted.player.clone(),
                    ids: Some(archive.ids_with(&asks, &wanted)?),
                    ..Wanted::default()
                },
            };
            archive.tally(&query, &wanted)
        };
        let tallies = self.off_thread(count).await?;
        let mut tally = Tally::default();
        tallies.iter().for_each(|some| tally.merge(some));
        tally.sort();
        let is_scored = filter.player.is_some();
        let score = |of: &dyn Fn(&Tally) -> Results| {
            is_scored.then(|| Score::of(&std::array::from_fn(|side| of(&tallies[side]))))
        };
        let moves = tally.moves.iter().map(|(mv, results)| ExplorerMove {
            uci: mv.uci(CastlingStyle::KingTakesRook).to_string(),
            san: position.san(*mv).to_string(),
            results: *results,
            score: score(&|tally| tally.results_of(*mv)),
        });
        let moves = moves.collect();
        Ok(Explorer { results: tally.position, score: score(&|tally| tally.position), moves })
    }
}
