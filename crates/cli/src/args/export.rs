//! The arguments of `halfmove export`.

use super::{Filter, GameIds, Position, ReadArchive, ToFile};
use clap::Args;

#[derive(Debug, Args)]
#[command(after_long_help = "\
A file whose name ends in .zst or .gz is compressed. With --id, games are written in the order of
the given ids.

Examples:
  halfmove export club > all.pgn
  halfmove export club --player Capablanca --output capablanca.pgn.zst
  halfmove export club --id 42,7,10-20
  halfmove export club --imbalance QvRR --either-color > queen_for_two_rooks.pgn
  halfmove export club --variant chess960 > chess960.pgn")]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) archive: ReadArchive,
    #[command(flatten)]
    pub(crate) position: Position,
    #[command(flatten)]
    pub(crate) ids: GameIds,
    #[command(flatten)]
    pub(crate) to: ToFile,
    #[command(flatten)]
    pub(crate) filter: Filter,
}
