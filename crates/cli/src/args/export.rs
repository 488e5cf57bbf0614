//! The arguments of `halfmove export`.

use super::{Filter, GameIds, Position, ReadGames, ToFile};
use clap::Args;
use halfmove_archive::Sort;

#[derive(Debug, Args)]
#[command(after_long_help = "\
A file whose name ends in .zst or .gz is compressed. With --id, games are written in the order of
the given ids, else by --sort.

Examples:
  halfmove export club > all.pgn
  halfmove export club --player Capablanca --output capablanca.pgn.zst
  halfmove export club --id 42,7,10-20
  halfmove export club --eco B9 --sort -rating --limit 100 --output best.pgn
  halfmove export club --imbalance QvRR --either-color > queen_for_two_rooks.pgn
  halfmove export club --material RPvR --either-color --from-match > rook_endings.pgn
  halfmove export club --variant chess960 > chess960.pgn")]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) archive: ReadGames,
    #[command(flatten)]
    pub(crate) position: Position,
    #[command(flatten)]
    pub(crate) ids: GameIds,
    /// Maximum number of games; 0 for all
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        hide_default_value = true,
        conflicts_with = "id",
        help_heading = "Output"
    )]
    pub(crate) limit: usize,
    /// Sort by date, rating, plies, white, black, result, eco, event or id; after a -, the largest first
    ///
    /// A rating, or elo, is the mean of both. -date lists the newest first. By default, games are in the order of their ids
    #[arg(
        long,
        value_name = "KEY",
        default_value = "id",
        hide_default_value = true,
        allow_hyphen_values = true,
        conflicts_with = "id",
        help_heading = "Output"
    )]
    pub(crate) sort: Sort,
    /// Only the part of each game from the position on that the conditions describe
    ///
    /// The game then begins there, with the tags SetUp and FEN. The position is that of --fen and --moves, else the first in which
    /// the conditions on the board and moves hold
    #[arg(long, conflicts_with = "id", help_heading = "Output")]
    pub(crate) from_match: bool,
    #[command(flatten)]
    pub(crate) to: ToFile,
    #[command(flatten)]
    pub(crate) filter: Filter,
}
