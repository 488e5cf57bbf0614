//! The arguments of `halfmove explore`.

use super::{Filter, Output, Position};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  halfmove explore club
  halfmove explore club --moves \"d4 Nf6 c4\" --since 1980 --format json
  halfmove explore club --isolated d --either-color --player Karpov
  halfmove explore club --variant makruk")]
pub(crate) struct Explore {
    /// The archive: its folder, or its URL
    pub(crate) archive: PathBuf,
    #[command(flatten)]
    pub(crate) position: Position,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) filter: Filter,
}
