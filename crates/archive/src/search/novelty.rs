//! Novelties: the first half-move of a game after which no earlier game has the position.

use halfmove_game::Game;

use super::{GameSummary, SearchOptions, count, find};
use crate::columns::{Columns, Row};
use crate::error::ArchiveError;
use crate::filter::{Filter, Period, Sort, SortBy};

/// The first half-move of a game after which no earlier game has the position.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Novelty {
    /// The number of half-moves up to and including the new one.
    pub ply: usize,
    /// The number of earlier games with the position before it.
    pub games: u64,
    /// The last of these that was played.
    pub last: Option<GameSummary>,
}

/// Finds the novelty of a game, `own` being its id if it is in this archive. `None` if there is no earlier game with its start,
/// or if all of its positions occur in earlier games.
pub(crate) fn novelty(
    columns: &Columns,
    game: &Game,
    own: Option<i64>,
) -> Result<Option<Novelty>, ArchiveError> {
    let earlier = earlier_than(game);
    // A game is not earlier than itself.
    let own = own.filter(|_| earlier.is_none());
    let at = |ply: usize| Filter { until: earlier, ..Filter::position(game.position(ply)) };
    let games = |ply: usize| {
        let all = count(columns, &at(ply))?;
        Ok::<_, ArchiveError>(all.saturating_sub(own.is_some().into()))
    };
    let mut before = games(0)?;
    if before == 0 {
        return Ok(None);
    }
    for ply in 1..=game.moves.len() {
        let now = games(ply)?;
        if now == 0 {
            let mut options = SearchOptions::first(2);
            options.sort = Sort { by: SortBy::Date, is_descending: true };
            let found = find(columns, &at(ply - 1), &options)?.games;
            let last = found.into_iter().find(|game| Some(game.id) != own);
            return Ok(Some(Novelty { ply, games: before, last }));
        }
        before = now;
    }
    Ok(None)
}

/// The day before a game, or before its year if the day is unknown; `None` if it has no date.
fn earlier_than(game: &Game) -> Option<Period> {
    let row = Row::split(game);
    let day = match row.date {
        Some(day) => day,
        None => Period::of_year(row.year?)?.first().day,
    };
    Period::of_day(day.checked_sub(1)?)
}
