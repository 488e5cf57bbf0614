//! Results from the side of a player.

use std::ops::AddAssign;

use halfmove_game::tally::{Results, percent};

/// How the games of a player ended, from the player's side of the board.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Score {
    /// Games that the player won.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that the player lost.
    pub losses: u64,
    /// Games without one of these results.
    pub other: u64,
    /// Games in which the name is that of both players, as in Kasparov against Kasparov. They count in none of the others.
    pub both: u64,
}

impl Score {
    /// All games.
    ///
    /// ```
    /// assert_eq!(halfmove_archive::Score::default().games(), 0);
    /// ```
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses + self.other + self.both
    }

    /// The points, one for a win and half of one for a draw, out of a hundred. `None` if no game was won, drawn or lost.
    ///
    /// ```
    /// let mut score = halfmove_archive::Score::default();
    /// assert_eq!(score.percent(), None);
    /// (score.wins, score.draws, score.losses) = (120, 70, 23);
    /// assert_eq!(format!("{:.1}", score.percent().unwrap()), "72.8");
    /// ```
    pub fn percent(&self) -> Option<f64> {
        percent(self.wins, self.draws, self.losses)
    }

    /// Out of the results of the games in which the player has each of the sides.
    pub(crate) fn of(of_sides: &[Results; Side::COUNT]) -> Self {
        let [white, black, both] = of_sides;
        Self {
            wins: white.white + black.black,
            draws: white.draws + black.draws,
            losses: white.black + black.white,
            other: white.other + black.other,
            both: both.games(),
        }
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, more: Self) {
        self.wins += more.wins;
        self.draws += more.draws;
        self.losses += more.losses;
        self.other += more.other;
        self.both += more.both;
    }
}

/// The side of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    White,
    Black,
    /// The name is that of both players.
    Both,
}

impl Side {
    pub(crate) const ALL: [Self; 3] = [Self::White, Self::Black, Self::Both];
    pub(crate) const COUNT: usize = Self::ALL.len();
}
