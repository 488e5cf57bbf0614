//! The arguments of `halfmove perft`, `halfmove moves` and `halfmove position`.

use super::{Counting, Output, SanStyle, Start, threads};
use clap::Args;
use std::num::NonZero;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  halfmove perft --depth 6
  halfmove perft --depth 8 --threads 8 --hash 1024
  halfmove perft --variant makruk --depth 5 --divide")]
pub(crate) struct Perft {
    #[command(flatten)]
    pub(crate) start: Start,
    /// Depth in half-moves
    #[arg(long, value_name = "N")]
    pub(crate) depth: u32,
    /// Show the count for each first move
    #[arg(long)]
    pub(crate) divide: bool,
    /// Number of threads
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads)]
    pub(crate) threads: NonZero<usize>,
    /// Use a hash table of this size in MiB, so that transpositions are counted once
    #[arg(long, value_name = "MIB", default_value_t = 0)]
    pub(crate) hash: usize,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  halfmove moves --fen \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"
  halfmove moves --variant makruk --san thai
  halfmove moves --variant makruk --fen \"8/3k4/8/1F6/8/8/8/2RK4 w 70\"")]
pub(crate) struct Moves {
    #[command(flatten)]
    pub(crate) start: Start,
    /// Style of SAN for Makruk; the default is fairy
    #[arg(long, value_name = "STYLE")]
    pub(crate) san: Option<SanStyle>,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
SAN of Makruk is in Fairy-Stockfish's style. With --counting thai or makruk-js, the moves may have
two more words: `count` starts a count of the side to move, `stop` stops it.

Examples:
  halfmove position --moves \"1. e4 e5 2. Nf3\"
  halfmove position --variant makruk --moves \"e3e4 d6d5 exd5\"
  halfmove position --variant makruk --counting thai --moves \"count Kb6 Kf4 stop\" \\
      --fen \"8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 41\"")]
pub(crate) struct ShowPosition {
    #[command(flatten)]
    pub(crate) start: Start,
    /// Counting rules of Makruk; the default is auto
    #[arg(long, value_name = "POLICY")]
    pub(crate) counting: Option<Counting>,
    #[command(flatten)]
    pub(crate) output: Output,
}
