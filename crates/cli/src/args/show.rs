//! The arguments of `halfmove show`.

use super::ReadArchive;
use clap::{Args, ValueEnum};
use halfmove_game::MoveNumber;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_long_help = "\
On a terminal, steps through the game: → and ← (or Space and Backspace), Home, End, f to flip the
board, q to quit; beside the board are clock, evaluation, comments and variations. Elsewhere, and
with --format table, draws the board at the end of the game, prints the last move, the position in
FEN and the opening, and the whole game as PGN: tags, comments, variations and glyphs as they were
read. If the moves end at a fault, the last line names it. --novelty names the first half-move after
which no earlier game of the archive has the position, or of another archive with --against. Earlier
are games of an earlier date; for a game without a day those of earlier years, and for one without a
date all others. The exit code is 1 if there is no game
with this id.

Examples:
  halfmove show club 42
  halfmove show club 42 --move 15... --flip --format table
  halfmove show club 42 --novelty
  halfmove show club 42 --against masters --format json")]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) archive: ReadArchive,
    /// The game's id, as listed by `search`
    pub(crate) id: i64,
    /// Draw the board after this many half-moves instead of at the end; on a terminal, begin there
    /// instead of at the start
    #[arg(long, value_name = "N")]
    pub(crate) ply: Option<usize>,
    /// Draw the board after this move instead: 18, or 18... for Black's
    #[arg(long = "move", value_name = "NUMBER", conflicts_with = "ply")]
    pub(crate) mv: Option<MoveNumber>,
    /// Draw the board with Black below
    #[arg(long)]
    pub(crate) flip: bool,
    /// Show the novelty: the first move after which no earlier game has the position
    #[arg(long)]
    pub(crate) novelty: bool,
    /// Show the novelty beside the games of this archive instead
    #[arg(long, value_name = "ARCHIVE")]
    pub(crate) against: Option<PathBuf>,
    /// Output format; the default is to step through the game on a terminal, else table
    #[arg(long)]
    pub(crate) format: Option<GameFormat>,
}

/// The format of one game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GameFormat {
    /// A board and the game, for people
    Table,
    /// The game as PGN
    Pgn,
    /// JSON: the game move by move
    Json,
}
