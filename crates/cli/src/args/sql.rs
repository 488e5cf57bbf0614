//! The command line of `halfmove sql`.

use super::Output;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Functions on the column `moves`:
  plies(moves)                   half-moves
  san(moves [, n])               the main line, or its first n half-moves, as text; also uci
  move_at(moves, n)              the n-th half-move; -1 is the last
  fen_at(moves, ply)             the position after `ply` half-moves; also final_fen(moves)
  positions(moves)               each half-move with the position after it, for unnest
  reaches(moves, 'FEN')          whether the game reaches the position
  ply_of(moves, 'FEN')           the ply at which it first does so
  shows(moves, 'material:RPvR')  whether the board meets conditions, as the flags of `search`
  ply_when(moves, 'for:8 …')     the ply at which it first does so
  plays(moves, 'Bxh7+ Kxh7')     whether these moves follow each other
  ply_played(moves, 'Bxh7+')     the ply after which they first have
  moved(moves, 'N' [, 'white'])  half-moves with a kind of piece
  captures(moves [, 'white'])    how many; also checks and promotions
  castled(moves, 'white')        O-O, O-O-O or null
  ended(moves)                   checkmate, stalemate and the like, or null
  eco(moves), opening(moves)     code and name of the opening, by its positions
  explore(moves, result, 'FEN')  aggregate: results and next moves

And on other columns:
  tag('TimeControl')             the text of any tag
  clock_at(clocks, n)            the clock after the n-th half-move, in seconds
  eval_at(evaluations, n)        the evaluation in centipawns; mate_at: moves to mate
  comments(annotations)          the text of all comments
  has_comment(annotations, 'W')  whether a comment has these words
  reaches_anywhere(moves, annotations, 'FEN')  whether the game or a variation reaches the position

For other variants, add the variant after the FEN: reaches(moves, 'FEN', 'makruk').

Queries only read. A table is printed when all its rows are known; all other formats are written as
the rows come. A query that needs more memory than --memory ends with an error. There is no time limit.

Examples:
  halfmove sql club \"select eco, count(*) n from games group by eco order by n desc limit 10\"
  halfmove sql club \"select tag('TimeControl'), count(*) from games group by 1\"
  halfmove sql club \"select id, san(moves) from games where plies < 10\" --format csv")]
pub(crate) struct Sql {
    /// The archive: its folder, or its URL
    pub(crate) archive: PathBuf,
    /// The query
    pub(crate) query: String,
    /// Memory that sorts, groups, joins and the rows of a table may take: 512M, 4G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = memory)]
    pub(crate) memory: usize,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// A number of bytes: 512M, 4G. The units are powers of 1024.
fn memory(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|char: char| char.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "K" | "KIB" => Some(10),
        "M" | "MIB" => Some(20),
        "G" | "GIB" => Some(30),
        "T" | "TIB" => Some(40),
        _ => None,
    };
    let bytes = digits.parse().ok().zip(shift).and_then(|(number, shift): (usize, u32)| {
        number.checked_mul(1_usize.checked_shl(shift)?).filter(|bytes| *bytes >= LEAST_MEMORY)
    });
    bytes.ok_or_else(|| "expected a size of at least 1M, such as 512M or 4G".to_owned())
}

/// With less than this, the engine does not get far.
const LEAST_MEMORY: usize = 1 << 20;
