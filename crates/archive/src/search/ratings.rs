//! Ratings and dates, summed up over games: means, performance ratings, the last date.

use halfmove_rules::Color;

use super::facts::{Facts, When};
use crate::columns::GamePlace;
use crate::filter::Period;

/// Means and the performance rating.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Ratings {
    /// The mean rating of the player's side.
    pub(crate) average: Option<i32>,
    /// The mean rating of the opponents, in the games that were won, drawn or lost.
    pub(crate) average_opponent: Option<i32>,
    /// The performance rating; `None` if fewer than [`PERFORMANCE_GAMES`] games count.
    pub(crate) performance: Option<i32>,
    pub(crate) last_played: Option<Period>,
}

impl Ratings {
    pub(crate) fn of(sums: &RatingSums) -> Self {
        let opponents = sums.opponents.rounded();
        let counted = sums.opponents.count;
        let difference = rating_difference(sums.half_points, 2 * counted);
        let difference = difference.filter(|_| counted >= PERFORMANCE_GAMES);
        Self {
            average: sums.movers.rounded(),
            average_opponent: opponents,
            performance: opponents.zip(difference).map(|(mean, difference)| mean + difference),
            last_played: sums.last.and_then(When::period),
        }
    }
}

/// The minimum number of games for a performance rating. Fewer games give no meaningful one (a single win adds 800 to
/// the opponent's rating). FIDE requires the same number for a player's first rating (FIDE Rating Regulations, FIDE
/// Handbook, B.02, 7).
pub const PERFORMANCE_GAMES: u64 = 5;

/// FIDE's conversion of a score into a difference of ratings, for scores from 50 % in steps of 1 %.
const DIFFERENCES: [i32; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
    166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366,
    383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
];

/// The difference of ratings that FIDE's table gives for `points` out of `of`. The share is rounded to whole percent,
/// one half up. `None` if `of` is 0, or less than `points`.
///
/// The table is in 8.1 of the FIDE Rating Regulations (FIDE Handbook, B.02): 0 for 50 %, 193
/// for 75 %, 800 for all points, and the same numbers, negative, below 50 %.
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

/// Sums over the games in which a move was played, or a position arose.
#[derive(Debug, Clone, Default)]
pub(crate) struct RatingSums {
    /// The ratings of the players of the move.
    pub(crate) movers: Mean,
    /// The ratings of their opponents, in games that were won, drawn or lost.
    pub(crate) opponents: Mean,
    /// The number of half points that the players of the move scored in these games.
    pub(crate) half_points: u64,
    pub(crate) last: Option<When>,
    /// One of the games.
    pub(crate) game: Option<(i64, GamePlace)>,
}

/// A mean of ratings.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Mean {
    pub(crate) count: u64,
    sum: i64,
}

impl Mean {
    #[inline]
    fn count(&mut self, rating: i32) {
        self.count += 1;
        self.sum += i64::from(rating);
    }

    fn add(&mut self, more: Self) {
        self.count += more.count;
        self.sum += more.sum;
    }

    /// The mean, rounded to an integer; `None` if there is no rating.
    pub(crate) fn rounded(self) -> Option<i32> {
        let count = i64::try_from(self.count).ok().filter(|count| *count > 0)?;
        i32::try_from((2 * self.sum + count).div_euclid(2 * count)).ok()
    }
}

/// The values of a game that are summed up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    pub(super) mover: Option<i32>,
    pub(super) opponent: Option<i32>,
    /// The half points of the player of the move.
    pub(super) half_points: Option<u64>,
    pub(super) when: Option<When>,
    pub(super) game: Option<(i64, GamePlace)>,
}

impl Seen {
    /// The values from the side of one of the players, or of neither.
    #[inline]
    pub(crate) fn of(facts: &Facts, row: u32, result: u8, mover: Option<Color>) -> Self {
        let when = facts.when(row);
        let Some(color) = mover else {
            return Self { mover: None, opponent: None, half_points: None, when, game: None };
        };
        let [white, black] = facts.ratings(row);
        let (mover, opponent) = match color {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        // In the order of `Results`.
        let half_points = match (result, color) {
            (0, Color::White) | (2, Color::Black) => Some(2),
            (1, _) => Some(1),
            (0 | 2, _) => Some(0),
            _ => None,
        };
        Self { mover, opponent, half_points, when, game: None }
    }
}

impl RatingSums {
    pub(crate) fn count(&mut self, seen: &Seen) {
        if let Some(rating) = seen.mover {
            self.movers.count(rating);
        }
        if let (Some(rating), Some(half_points)) = (seen.opponent, seen.half_points) {
            self.opponents.count(rating);
            self.half_points += half_points;
        }
        self.last = self.last.max(seen.when);
        self.game = seen.game;
    }

    pub(crate) fn add(&mut self, more: &Self) {
        self.movers.add(more.movers);
        self.opponents.add(more.opponents);
        self.half_points += more.half_points;
        self.last = self.last.max(more.last);
        self.game = self.game.or(more.game);
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
