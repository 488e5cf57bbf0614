//! The arguments of `halfmove show`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Draws the board with White below, names the last move, the position in FEN and the opening of the
game, and prints the whole game as PGN: tags, comments, variations and glyphs as they were read. If
the moves end at a fault, the last line says what it was. The exit code is 1 if there is no game with
this id.

Examples:
  halfmove show club 42
  halfmove show club 42 --ply 30")]
pub(crate) struct Show {
    /// The archive: its folder, or its URL
    pub(crate) archive: PathBuf,
    /// The game's id, as listed by `search`
    pub(crate) id: i64,
    /// Draw the board after this many half-moves instead of at the end
    #[arg(long, value_name = "N")]
    pub(crate) ply: Option<usize>,
}
