//! The arguments of `halfmove import`.

use super::help::RARE;
use super::{Files, Filter, Position, threads};
use clap::{Arg, ArgAction, Args, ValueEnum};
use std::num::NonZero;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(mut_arg("strict", |_| strict()))]
#[command(mut_arg("condition", |condition| condition.hide(true)))]
#[command(after_long_help = "\
Files may be compressed with zstd, gzip or bzip2, packed, or Parquet files with the columns of
Lichess/standard-chess-games: their content decides. A folder stands for the PGN files in it, - for
standard input. A file that is named twice is read once, and a file that was imported before, even
under another name, is skipped (see --again). Either all files are imported, or the archive stays
unchanged. Comments, variations, glyphs, clocks and evaluations are kept with the games.

The moves of a game with a fault, such as an illegal move, end there. The words after it are kept as
text: `show` and `export` write them, but they cannot be searched. The fault is printed, and stored
in the column `fault` of the table `games`, which is null for all other games. The column `source`
has the name of the file, without folders; it is null for standard input.

Games that are already in the archive, or occur twice, are imported, counted and listed as
duplicates; `halfmove duplicates` lists them again, and removes all but the best of each. With
--duplicates skip they are left out: the stored game stays, even if a new one has more annotations.
Names are compared word by word, ignoring case and accents.

With conditions, only the games that meet them are imported, as `search` would find them. The
history keeps the conditions, and the same files can be imported again with others.

An archive holds games of chess, Chess960, Makruk, Makpong and ASEAN chess side by side: the tag
Variant says which. Games of other variants are skipped and counted.

Examples:
  halfmove import club season.pgn
  halfmove import tal masters.pgn --player \"tal, m\" --min-plies 20
  zstdcat dump.pgn.zst | halfmove import club -
  halfmove sql club \"select id, fault from games where fault is not null\"")]
pub(crate) struct Import {
    /// The archive's folder; created if it does not exist
    pub(crate) archive: PathBuf,
    #[command(flatten)]
    pub(crate) files: Files,
    /// Also import files that were imported before
    #[arg(long)]
    pub(crate) again: bool,
    /// Treatment of games that are already in the archive
    #[arg(long, value_name = "WHAT", default_value = "report")]
    pub(crate) duplicates: OnDuplicates,
    /// Number of threads that read games; the default is the number of cores
    #[arg(long, value_name = "N", value_parser = threads, help_heading = RARE)]
    pub(crate) threads: Option<NonZero<usize>>,
    /// Print only errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Its flag `strict` is also that of the import.
    #[command(flatten)]
    pub(crate) position: Position,
    #[command(flatten)]
    pub(crate) filter: Filter,
}

/// The flag of the import in place of that of a position, which it includes.
fn strict() -> Arg {
    let help = "Stop at the first faulty game or impossible FEN, and import nothing; games of other variants are skipped as always";
    Arg::new("strict").long("strict").action(ArgAction::SetTrue).help(help)
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnDuplicates {
    /// Import and list them
    Report,
    /// Leave them out and list them
    Skip,
    /// Import them without checking
    Keep,
}
