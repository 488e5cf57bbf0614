//! The arguments of `halfmove search`.

use super::{Filter, Output, Position};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  halfmove search club --fen \"8/8/8/5k2/8/4K3/4P3/8 w - - 0 1\"
  halfmove search club --moves \"e4 e5 Nf3 Nc6 Bb5 a6\" --player Karpov --limit 5
  halfmove search club --white Capablanca --since 1918 --result 1-0 --count
  halfmove search club --player \"mikhail tal\" --opponent \"Botvinnik, M\" --result win
  halfmove search club --pattern \"8/8/8/3Np3/4P3/8/8/8\" --either-color --for 10
  halfmove search club --material \"RP+vRP+\" --final --player Capablanca
  halfmove search club --variant makruk --moves \"e4 e5 Sc2\"")]
pub(crate) struct Search {
    /// The archive: its folder, or its URL
    pub(crate) archive: PathBuf,
    #[command(flatten)]
    pub(crate) position: Position,
    /// List at most this many games (all are counted)
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
    /// Only count the games
    #[arg(long)]
    pub(crate) count: bool,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) filter: Filter,
}
