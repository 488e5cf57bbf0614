//! The arguments of `halfmove show`.

use super::{Filter, Position, ReadGames};
use clap::{Args, ValueEnum};
use halfmove_archive::IdRange;
use halfmove_game::MoveNumber;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_long_help = "\
On a terminal, steps through the games: → and ← (or Space and Backspace), Home, End; v enters a
variation and goes on to the next one, u goes out; 18 and Enter goes to move 18, 18. and Enter to
Black's; PgDn and PgUp to the next game and back; f flips the board, q quits. A game that a position
or moves have found begins there. Elsewhere, and with --format table, draws the board at the end of
the game, or at the position that was found, prints the last move, the position in FEN and the
opening, and the whole game as PGN, as it was read. If the moves end at a fault, the last line names
it.

--novelty names the first half-move after which no earlier game of the archive has the position, or
of another archive with --against. Earlier are games of an earlier date; for a game without a day
those of earlier years, and for one without a date all others. Several games are listed, one line
each. The exit code is 1 if no game is found.

Examples:
  halfmove show club 42
  halfmove show club 42 --move 15... --flip --format table
  halfmove show club --player tal --played \"Bxh7+ Kxh7 Ng5+\"
  halfmove show club 42 --novelty
  halfmove show club --event hastings --year 1995 --novelty
  halfmove show club 42 --against masters --format json")]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) archive: ReadGames,
    /// The ids of games, as listed by `search`: 42,7,10-20
    #[arg(value_name = "ID", value_delimiter = ',')]
    pub(crate) ids: Vec<IdRange>,
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
    /// Show the novelty compared with the games of this archive instead
    #[arg(long, value_name = "ARCHIVE")]
    pub(crate) against: Option<PathBuf>,
    /// Output format; the default is to step through the game on a terminal, else table
    #[arg(long)]
    pub(crate) format: Option<GameFormat>,
    #[command(flatten)]
    pub(crate) position: Position,
    #[command(flatten)]
    pub(crate) filter: Filter,
}

/// The format of whole games.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GameFormat {
    /// A board and the game, for people
    Table,
    /// The games as PGN
    Pgn,
    /// JSON: the game move by move; an array unless one id is given
    Json,
}
