//! The arguments of `halfmove stats`.

use super::{Filter, Limit, Order, Output, Position, ReadGames};
use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
#[command(mut_arg("limit", |limit| limit.requires("by")))]
#[command(after_long_help = "\
Counts games by decade, by first letter of the ECO code, and by mean rating of both
players. For PGN files without an archive: halfmove pgn stats

With --by, lists each opening, opponent, year and so on, with the score of --player, or else of
White. Openings and variations are found by the positions of the games, whatever their tags; a code
(eco) is that of --eco: of the tag ECO, or by position if that is not a code. `opponents` is the
mean rating of the opponents, `performance` adds FIDE's difference for the score, from five games
on. Opponents whose names have the same words count as one.

The exit code is 1 if no game meets the conditions.

Examples:
  halfmove stats club
  halfmove stats club --player \"tal, m\" --format csv
  halfmove stats club --moves \"e4 c5\" --since 1980
  halfmove stats club --player \"tal, m\" --as black --by opening
  halfmove stats club --min-elo 2400 --by variation --sort -score --min-games 50")]
pub(crate) struct Stats {
    #[command(flatten)]
    pub(crate) archive: ReadGames,
    /// Score games in groups
    #[arg(long, value_name = "WHAT")]
    pub(crate) by: Option<ScoresBy>,
    /// With --by, sort by games, score or name; after a -, the largest come first
    #[arg(
        long,
        value_name = "KEY",
        default_value = "-games",
        allow_hyphen_values = true,
        hide_short_help = true,
        requires = "by"
    )]
    pub(crate) sort: Order<ScoreSort>,
    /// With --by, leave out groups of fewer games
    #[arg(long, value_name = "N", requires = "by")]
    pub(crate) min_games: Option<u64>,
    #[command(flatten)]
    pub(crate) limit: Limit,
    #[command(flatten)]
    pub(crate) position: Position,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) filter: Filter,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScoresBy {
    /// The name of the opening, by position: its first part
    Opening,
    /// The first two parts of this name
    Variation,
    /// The ECO code: of the tag ECO, or by position if that is not a code
    Eco,
    /// The ECO code by position, whatever the tag
    PositionEco,
    /// The color of the player
    Color,
    /// The opponent of the player
    Opponent,
    /// The year
    Year,
    /// The tag Event
    Event,
    /// The tag TimeControl
    TimeControl,
    /// The speed by this tag: bullet, blitz, rapid …
    Speed,
}

impl From<ScoresBy> for halfmove_archive::ScoresBy {
    fn from(by: ScoresBy) -> Self {
        match by {
            ScoresBy::Opening => Self::Opening,
            ScoresBy::Variation => Self::Variation,
            ScoresBy::Eco => Self::Eco,
            ScoresBy::PositionEco => Self::PositionEco,
            ScoresBy::Color => Self::Color,
            ScoresBy::Opponent => Self::Opponent,
            ScoresBy::Year => Self::Year,
            ScoresBy::Event => Self::Event,
            ScoresBy::TimeControl => Self::TimeControl,
            ScoresBy::Speed => Self::Speed,
        }
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScoreSort {
    Games,
    /// In percent.
    Score,
    Name,
}
