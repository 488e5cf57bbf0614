//! Ratings, dates and games of a position.

use std::collections::{BTreeMap, HashMap};

use halfmove_game::tally::Results;
use halfmove_rules::{AnyPosition, CastlingStyle};

use super::ExplorerMove;
use super::sums::{Ranked, Sums};
use crate::columns::{Columns, Place};
use crate::error::ArchiveError;
use crate::filter::Period;
use crate::search::facts::When;
use crate::search::{GameSummary, summaries_at};

/// Ratings and dates of the games in which a move was played, or a position arose. The side is the one to move there.
///
/// A rating counts where it is a number above zero.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Details {
    /// The mean rating of those who had the move; `None` if no rating is known.
    pub average_rating: Option<i32>,
    /// The mean rating of their opponents, in the games that were won, drawn or lost.
    pub average_opponent_rating: Option<i32>,
    /// The performance rating of those who had the move: [`average_opponent_rating`](Self::average_opponent_rating), and
    /// what [`rating_difference`] says of their points in the games in which the opponent has a rating. `None` if fewer than
    /// [`PERFORMANCE_GAMES`] games count.
    pub performance: Option<i32>,
    /// When it was played last: a day, or a year if no more is known of the last year.
    pub last_played: Option<Period>,
    /// The game, if there is only one.
    pub game: Option<GameSummary>,
}

impl Details {
    /// Of games with these results. Of the only game, it has just the id.
    pub(crate) fn of(sums: &Sums, results: Results) -> Self {
        let only = sums.game.filter(|_| results.games() == 1);
        let opponents = sums.opponents.rounded();
        let counted = sums.opponents.count;
        let difference = rating_difference(sums.half_points, 2 * counted);
        let difference = difference.filter(|_| counted >= PERFORMANCE_GAMES);
        Self {
            average_rating: sums.movers.rounded(),
            average_opponent_rating: opponents,
            performance: opponents.zip(difference).map(|(mean, difference)| mean + difference),
            last_played: sums.last.and_then(When::period),
            game: only.map(|(id, _)| GameSummary { id, ..GameSummary::default() }),
        }
    }
}

/// How few games have a performance rating: of fewer it says nothing (one game that was won adds 800 to the opponent's rating).
/// FIDE asks for as many before a player gets a first rating (FIDE Rating Regulations, FIDE Handbook, B.02, 7).
pub const PERFORMANCE_GAMES: u64 = 5;

/// FIDE's conversion of a score into a difference of ratings, for a score of 50 % and more in steps of 1 %.
const DIFFERENCES: [i32; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
    166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366,
    383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
];

/// How much better than their opponents those play who make so many of so many points, in points of rating. The share of the
/// points is rounded to whole percent, one half up. `None` if there are no points to make, or more are made.
///
/// It is the table in 8.1 of the FIDE Rating Regulations (FIDE Handbook, B.02): 0 for 50 %, 193
/// for 75 %, 800 for all points, and the same below zero for the opponents.
///
/// ```
/// use halfmove_archive::rating_difference;
///
/// assert_eq!(rating_difference(3, 4), Some(193));
/// assert_eq!(rating_difference(1, 4), Some(-193));
/// assert_eq!(rating_difference(0, 0), None);
/// ```
pub fn rating_difference(points: u64, of: u64) -> Option<i32> {
    let (points, of) = (u128::from(points), u128::from(of));
    if of == 0 || points > of {
        return None;
    }
    let percent = usize::try_from((200 * points + of) / (2 * of)).ok()?;
    match percent.checked_sub(50) {
        Some(above) => DIFFERENCES.get(above).copied(),
        None => DIFFERENCES.get(50 - percent).map(|difference| -difference),
    }
}

/// A game in a list of the explorer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExplorerGame {
    /// The game.
    pub game: GameSummary,
    /// The move that was played in the position, in UCI as that of [`ExplorerMove`]; `None` if the game ended there.
    pub uci: Option<String>,
    /// The same move in SAN.
    pub san: Option<String>,
}

/// Games that will be shown, by id.
#[derive(Debug, Default)]
pub(super) struct Shown(BTreeMap<i64, Place>);

impl Shown {
    pub(super) fn add(&mut self, id: i64, place: Place) {
        self.0.insert(id, place);
    }

    /// Reads them, all at once.
    pub(super) fn read(&self, columns: &Columns) -> Result<Summaries, ArchiveError> {
        let places: Vec<Place> = self.0.values().copied().collect();
        summaries_at(columns, &places).map(Summaries)
    }
}

/// Games that are shown, by id.
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

    /// Completes the only game, of which the id is known.
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

#[cfg(test)]
mod tests {
    use super::rating_difference;

    /// Lines of FIDE's table.
    #[test]
    fn differences_are_those_of_the_table() {
        for (percent, difference) in [
            (100, 800),
            (99, 677),
            (98, 589),
            (92, 401),
            (91, 383),
            (83, 273),
            (76, 202),
            (75, 193),
            (67, 125),
            (66, 117),
            (58, 57),
            (51, 7),
            (50, 0),
            (49, -7),
            (34, -117),
            (25, -193),
            (17, -273),
            (8, -401),
            (1, -677),
            (0, -800),
        ] {
            assert_eq!(rating_difference(percent, 100), Some(difference), "{percent}");
        }
        // One half is rounded up, on both sides of 50 %.
        assert_eq!(rating_difference(505, 1000), Some(7));
        assert_eq!(rating_difference(504, 1000), Some(0));
        assert_eq!(rating_difference(495, 1000), Some(0));
        assert_eq!(rating_difference(u64::MAX, u64::MAX), Some(800));
        assert_eq!(rating_difference(2, 1), None);
    }
}
