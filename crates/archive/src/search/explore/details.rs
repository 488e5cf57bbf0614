//! Ratings, dates and games of a position.

use std::collections::{BTreeMap, HashMap};

use halfmove_game::tally::Results;
use halfmove_rules::{AnyPosition, CastlingStyle};

use super::ExplorerMove;
use super::sums::Ranked;
use crate::columns::{Columns, GamePlace};
use crate::error::ArchiveError;
use crate::filter::Period;
use crate::search::listing::{GameSummary, summaries_at};
use crate::search::ratings::{RatingSums, Ratings};

/// Ratings and dates of the games in which a move was played, or a position arose. The side is the one to move there.
///
/// A rating counts if it is a number above zero.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Details {
    /// The mean rating of the players to move; `None` if no rating is known.
    pub average_rating: Option<i32>,
    /// The mean rating of their opponents, in the games that were won, drawn or lost.
    pub average_opponent_rating: Option<i32>,
    /// The performance rating of the players to move: [`average_opponent_rating`](Self::average_opponent_rating), plus
    /// the [`rating_difference`](crate::rating_difference) for their points in the games in which the opponent has a
    /// rating. `None` if fewer than [`PERFORMANCE_GAMES`](crate::PERFORMANCE_GAMES) games count.
    pub performance: Option<i32>,
    /// The date of the last game: a day, or a year if that is all that is known.
    pub last_played: Option<Period>,
    /// The game, if there is only one.
    pub game: Option<GameSummary>,
}

impl Details {
    /// The details for games with these results. Only the id of the only game is filled in.
    pub(crate) fn of(sums: &RatingSums, results: Results) -> Self {
        let only = sums.game.filter(|_| results.games() == 1);
        let ratings = Ratings::of(sums);
        Self {
            average_rating: ratings.average,
            average_opponent_rating: ratings.average_opponent,
            performance: ratings.performance,
            last_played: ratings.last_played,
            game: only.map(|(id, _)| GameSummary { id, ..GameSummary::default() }),
        }
    }
}

/// A game in a list of the explorer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExplorerGame {
    /// The game.
    pub game: GameSummary,
    /// The move that was played in the position, in UCI as in [`ExplorerMove`]; `None` if the game ended there.
    pub uci: Option<String>,
    /// The same move in SAN.
    pub san: Option<String>,
}

/// Games to list, by id.
#[derive(Debug, Default)]
pub(super) struct Shown(BTreeMap<i64, GamePlace>);

impl Shown {
    pub(super) fn add(&mut self, id: i64, place: GamePlace) {
        self.0.insert(id, place);
    }

    /// Reads all of them at once.
    pub(super) fn read(&self, columns: &Columns) -> Result<Summaries, ArchiveError> {
        let places: Vec<GamePlace> = self.0.values().copied().collect();
        summaries_at(columns, &places).map(Summaries)
    }
}

/// Listed games, by id.
#[derive(Debug)]
pub(super) struct Summaries(HashMap<i64, GameSummary>);

impl Summaries {
    /// Games with a position, and the moves that were played there.
    pub(super) fn list(&self, position: &AnyPosition, games: &[Ranked]) -> Vec<ExplorerGame> {
        let game = |ranked: &Ranked| {
            let (game, next) = (self.0.get(&ranked.id())?.clone(), ranked.next());
            let uci = next.map(|mv| mv.uci(CastlingStyle::KingTakesRook).to_string());
            let san = next.map(|mv| position.san(mv).to_string());
            Some(ExplorerGame { game, uci, san })
        };
        games.iter().filter_map(game).collect()
    }

    /// Fills in the only game, of which the id is known.
    pub(super) fn fill(&self, details: Option<&mut Details>) {
        if let Some(game) = details.and_then(|details| details.game.as_mut())
            && let Some(shown) = self.0.get(&game.id)
        {
            game.clone_from(shown);
        }
    }

    pub(super) fn fill_moves(&self, moves: &mut [ExplorerMove]) {
        for mv in moves {
            self.fill(mv.details.as_mut());
            self.fill_moves(&mut mv.next);
        }
    }
}
