//! The arguments of `halfmove selfplay`.

use super::batch::{nodes, some};
use super::{Batch, Variant};
use clap::Args;
use std::num::NonZero;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Each game begins with random moves to a different position that a short search finds balanced; in
Chess960 the start is random, too. The engine plays on for both sides and writes the score of each
of its moves as [%eval]. A game ends by the rules, and every draw that can be claimed is claimed; a
game that is too long ends with *.

The games depend only on --game, --nodes, --hash, --opening and --seed, not on the number of
threads. A larger number of games begins with the same ones.

Unfinished output is in FILE.part, and FILE.journal records its progress (likewise beside an
archive). However the program ends, the same command resumes where it stopped, and the result is the
same to the byte.

Examples:
  halfmove selfplay --game makruk --games 1000 --nodes 10000 --into makruk
  halfmove selfplay --games 100 --seed 7 -o games.pgn.zst
  halfmove sql makruk \"select result, count(*) from games group by result\"")]
pub(crate) struct SelfPlay {
    /// The variant
    #[arg(long, value_name = "GAME", default_value = "chess", ignore_case = true)]
    pub(crate) game: Variant,
    /// Number of games
    #[arg(long, value_name = "N", default_value = "100", value_parser = some)]
    pub(crate) games: NonZero<u32>,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value = "10000", value_parser = nodes)]
    pub(crate) nodes: NonZero<u64>,
    /// Random half-moves at the start
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u8).range(0..=40))]
    pub(crate) opening: u8,
    /// Maximum number of half-moves of a game
    #[arg(long, value_name = "N", default_value = "600", value_parser = some)]
    pub(crate) max_plies: NonZero<u32>,
    /// Seed of the random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) batch: Batch,
}
