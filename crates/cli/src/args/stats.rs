//! The arguments of `halfmove stats`.

use super::{Filter, Output, Position};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Decades are those of the tag Date, openings the first letters of the tag ECO, and ratings the means
of both. For PGN files without an archive: halfmove pgn stats

Examples:
  halfmove stats club
  halfmove stats club --player \"tal, m\" --format csv
  halfmove stats club --moves \"e4 c5\" --since 1980")]
pub(crate) struct Stats {
    /// The archive: its folder, or its URL
    pub(crate) archive: PathBuf,
    #[command(flatten)]
    pub(crate) position: Position,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) filter: Filter,
}
