//! Results from the side of a player.

use std::ops::AddAssign;

use halfmove_game::tally::{Results, percent};

/// The results of a player's games, from the player's side.
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
    /// Games in which both players have the name, as in Kasparov against Kasparov. They are not counted above.
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

    /// The score in percent: points, one for a win and half of one for a draw, out of the games won, drawn or lost.
    /// `None` if there are none.
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

    /// The score from the results of the games in which the player has each of the sides.
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
    /// Both players have the name.
    Both,
}

impl Side {
    pub(crate) const ALL: [Self; 3] = [Self::White, Self::Black, Self::Both];
    pub(crate) const COUNT: usize = Self::ALL.len();
}
