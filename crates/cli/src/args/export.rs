//! The arguments of `halfmove export`.

use super::{Filter, Position, ToFile};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  halfmove export club > all.pgn
  halfmove export club --player Capablanca --output capablanca.pgn
  halfmove export club --imbalance QvRR --either-color > queen_for_two_rooks.pgn
  halfmove export club --variant chess960 > chess960.pgn")]
pub(crate) struct Export {
    /// The archive: its folder, or its URL
    pub(crate) archive: PathBuf,
    #[command(flatten)]
    pub(crate) position: Position,
    #[command(flatten)]
    pub(crate) to: ToFile,
    #[command(flatten)]
    pub(crate) filter: Filter,
}
