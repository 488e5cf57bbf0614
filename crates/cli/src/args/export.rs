//! The arguments of `halfmove export`.

use super::{Filter, Ids, Position, ToFile};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_long_help = "\
A file whose name ends in .zst or .gz is compressed.

Examples:
  halfmove export club > all.pgn
  halfmove export club --player Capablanca --output capablanca.pgn.zst
  halfmove export club --id 42,7,10-20
  halfmove export club --imbalance QvRR --either-color > queen_for_two_rooks.pgn
  halfmove export club --variant chess960 > chess960.pgn")]
pub(crate) struct Export {
    /// The archive: its folder, or its URL
    pub(crate) archive: PathBuf,
    #[command(flatten)]
    pub(crate) position: Position,
    /// Write the games with these ids, in this order: 42,7,10-20
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub(crate) id: Vec<Ids>,
    #[command(flatten)]
    pub(crate) to: ToFile,
    #[command(flatten)]
    pub(crate) filter: Filter,
}
