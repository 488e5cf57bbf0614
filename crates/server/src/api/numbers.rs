//! Counts of results, from White's side and from a player's.

use halfmove_archive::{Results, Score};
use serde::Serialize;
use utoipa::ToSchema;

/// Games by their result.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub(super) struct Counts {
    /// Games that White won
    white: u64,
    /// Drawn games
    draws: u64,
    /// Games that Black won
    black: u64,
    /// Games without one of these results
    other: u64,
}

impl From<Results> for Counts {
    fn from(results: Results) -> Self {
        let Results { white, draws, black, other, .. } = results;
        Self { white, draws, black, other }
    }
}

/// The results of the player that the filter names; absent if it names none.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub(super) struct PlayerScore {
    player_wins: u64,
    player_draws: u64,
    player_losses: u64,
    /// Games without one of these results
    player_other: u64,
    /// Games in which both players have the name
    player_both: u64,
    /// The points out of the games won, drawn or lost, in percent
    player_percent: Option<f64>,
}

impl From<Score> for PlayerScore {
    fn from(score: Score) -> Self {
        Self {
            player_wins: score.wins,
            player_draws: score.draws,
            player_losses: score.losses,
            player_other: score.other,
            player_both: score.both,
            player_percent: score.percent().map(tenth),
        }
    }
}

/// A number to one decimal.
pub(super) fn tenth(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
