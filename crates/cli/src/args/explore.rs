//! The arguments of `halfmove explore`.

use super::{Filter, GamesFormat, Position, ReadGames, ToFile};
use clap::Args;
use halfmove_archive::ExploreOptions;
use std::str::FromStr;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Shows for each move: the number of games in which it was played, their share and results; the mean
rating of the players who chose it; their FIDE performance rating, which is the opponents' mean
rating plus the bonus of FIDE's table for the score; and the date when it was last played. With
--player, also the score of that player. In a deeper tree, games are counted by position, whatever
the order of moves: if more games reach the position after a move than have played the move, the
column `reached` has their number, and the replies are counted in these. With --opening, and without
--fen or --moves, the tree begins at that opening. With --format pgn, the tree is one game: the most
frequent moves are its main line, the others its variations, with their numbers as comments.

Examples:
  halfmove explore club
  halfmove explore club --opening najdorf --min-elo 2500
  halfmove explore club --moves \"d4 Nf6 c4\" --since 1980 --format json
  halfmove explore club --isolated d --either-color --player Karpov
  halfmove explore club --player \"tal, m\" --as black --depth 4 --min-games 5
  halfmove explore club --player \"tal, m\" --as white --depth 12 --output repertoire.pgn
  halfmove explore club --variant makruk")]
pub(crate) struct Explore {
    #[command(flatten)]
    pub(crate) archive: ReadGames,
    #[command(flatten)]
    pub(crate) position: Position,
    /// Depth of the tree in half-moves
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=ExploreOptions::MAX_DEPTH as i64))]
    pub(crate) depth: u8,
    /// Leave out moves with fewer games: 20, or 1%
    ///
    /// A percentage is of the games with the position; the default is 1% in a tree of more than one
    /// half-move
    #[arg(long, value_name = "N|N%")]
    pub(crate) min_games: Option<Least>,
    /// Number of top-rated and recent games to list
    #[arg(long, value_name = "N", default_value_t = 4, hide_short_help = true)]
    pub(crate) games: usize,
    /// Output format; the default is that of the ending of --output, else table
    #[arg(long, help_heading = "Output")]
    pub(crate) format: Option<GamesFormat>,
    #[command(flatten)]
    pub(crate) to: ToFile,
    #[command(flatten)]
    pub(crate) filter: Filter,
}

/// The minimum number of games, or their minimum share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Least {
    Games(u64),
    Share(f64),
}

impl FromStr for Least {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let least = match text.strip_suffix('%') {
            Some(percent) => {
                let share = percent.trim().parse::<f64>().ok().map(|percent| percent / 100.0);
                share.filter(|share| (0.0..=1.0).contains(share)).map(Self::Share)
            }
            None => text.parse().ok().map(Self::Games),
        };
        least.ok_or_else(|| {
            "expected a number of games, such as 20, or a percentage, such as 1%".to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_percentages() {
        for (text, expected) in [
            ("20", Some(Least::Games(20))),
            ("0", Some(Least::Games(0))),
            ("1%", Some(Least::Share(0.01))),
            ("0.5 %", Some(Least::Share(0.005))),
            ("101%", None),
            ("-1%", None),
            ("NaN%", None),
            ("1.5", None),
            ("", None),
        ] {
            assert_eq!(text.parse().ok(), expected, "{text}");
        }
    }
}
