//! Novelties: where a game or a line leaves the games of an archive.

use halfmove_game::Game;
use halfmove_rules::{AnyPosition, Move};

use super::{GameSummary, SearchOptions, count, search};
use crate::columns::{Columns, Row};
use crate::error::ArchiveError;
use crate::filter::{Filter, Period, Sort, SortBy};

/// The place where a line of moves leaves the games of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum Novelty {
    /// A half-move is new: no game has the position after it.
    New(NewMove),
    /// Nothing is new: games have every position of the line.
    AllKnown,
    /// There is nothing to compare with: no game has even the start of the line.
    NoGame,
}

/// The first half-move of a line after which no game has the position.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NewMove {
    /// The number of half-moves of the line, up to and including this one.
    pub ply: usize,
    /// The number of games with the position before it.
    pub games: u64,
    /// The last of these that was played.
    pub last: Option<GameSummary>,
}

impl Novelty {
    /// The half-move that is new, if there is one.
    pub fn new_move(&self) -> Option<&NewMove> {
        match self {
            Self::New(mv) => Some(mv),
            Self::AllKnown | Self::NoGame => None,
        }
    }
}

/// Compares a game with earlier ones, `own` being its id if it is in this archive.
pub(crate) fn novelty(
    columns: &Columns,
    game: &Game,
    own: Option<i64>,
) -> Result<Novelty, ArchiveError> {
    let earlier = earlier_than(game);
    // A game is not earlier than itself.
    let own = own.filter(|_| earlier.is_none());
    let among = Filter { until: earlier, ..Filter::default() };
    left(columns, &among, &game.start, &game.moves, own)
}

/// Compares a line with the games of a filter, whose position is not used.
pub(crate) fn novelty_among(
    columns: &Columns,
    among: &Filter,
    start: &AnyPosition,
    moves: &[Move],
) -> Result<Novelty, ArchiveError> {
    left(columns, among, start, moves, None)
}

/// Looks for the first half-move after which no game has the position. Later positions, as those of endings with few pieces, may
/// arise in others by chance.
fn left(
    columns: &Columns,
    among: &Filter,
    start: &AnyPosition,
    moves: &[Move],
    own: Option<i64>,
) -> Result<Novelty, ArchiveError> {
    let at = |position: &AnyPosition| Filter { position: Some(position.clone()), ..among.clone() };
    let games = |position: &AnyPosition| {
        let all = count(columns, &at(position))?;
        Ok::<_, ArchiveError>(all.saturating_sub(own.is_some().into()))
    };
    let mut here = start.clone();
    let mut before = games(&here)?;
    if before == 0 {
        return Ok(Novelty::NoGame);
    }
    for (ply, mv) in (1..).zip(moves) {
        let last = here.clone();
        here.play_unchecked(*mv);
        let now = games(&here)?;
        if now == 0 {
            let mut options = SearchOptions::first(2);
            options.sort = Sort { by: SortBy::Date, is_descending: true };
            let found = search(columns, &at(&last), &options)?.games;
            let last = found.into_iter().find(|game| Some(game.id) != own);
            return Ok(Novelty::New(NewMove { ply, games: before, last }));
        }
        before = now;
    }
    Ok(Novelty::AllKnown)
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
