//! The command line: verbs and options.

mod analyze;
mod batch;
mod change;
mod coded;
mod compact;
mod duplicates;
mod engine;
mod explore;
mod export;
mod filter;
mod ids;
mod import;
mod info;
mod pgn;
mod players;
mod position;
mod question;
mod search;
mod selfplay;
mod shell;
mod show;
mod sql;
mod stats;
mod upgrade;
mod verbs;

use crate::output::Advised;
use anyhow::anyhow;
use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};
use std::num::NonZero;
use std::path::{Path, PathBuf};

pub(crate) use analyze::Analyze;
pub(crate) use batch::Batch;
pub(crate) use change::{History, Remove, Undo, Vacuum};
pub(crate) use coded::{Codecs, Decode, Dump, Encode, PARTS, legend, tags};
pub(crate) use compact::Compact;
pub(crate) use duplicates::{Duplicates, Kind as DuplicateKind};
pub(crate) use engine::Engine;
pub(crate) use explore::{Explore, Least};
pub(crate) use export::Export;
pub(crate) use filter::{Ending, Filter, Years};
pub(crate) use ids::{Ids, condition as condition_of_ids};
pub(crate) use import::{Import, OnDuplicates};
pub(crate) use info::Info;
pub(crate) use pgn::{Check, Files, Normalize, PgnStats, PgnVerb, Summary};
pub(crate) use players::{EventSort, Events, Merge, Order, PlayerSort, Players, PlayersVerb};
pub(crate) use position::{Counting, Position, SanStyle, Start, Variant};
pub(crate) use question::Questions;
pub(crate) use search::{FIELDS, GamesFormat, Search};
pub(crate) use selfplay::SelfPlay;
pub(crate) use shell::{Completions, Man};
pub(crate) use show::{GameFormat, Show};
pub(crate) use sql::{FUNCTIONS, Sql, SqlFormat};
pub(crate) use stats::{ScoreSort, ScoresBy, Stats};
pub(crate) use upgrade::{Upgrade, Verify};
pub(crate) use verbs::command;

/// Chess games, one byte per half-move: import, search, explore, query, export.
///
/// An archive is a folder. `halfmove import` creates it from PGN files; the other verbs work on an
/// existing archive. `halfmove FILE…` without a verb summarizes PGN files.
///
/// Verbs that only read take a URL too: file:///games/club, or s3://bucket/club if the program is
/// built with the feature object-store.
#[derive(Debug, Parser)]
#[command(name = "halfmove", version, max_term_width = 100, subcommand_required = true)]
#[command(override_usage = "halfmove <COMMAND>\n       halfmove FILE…")]
#[command(after_long_help = "\
Examples:
  halfmove season.pgn
  halfmove import club games/*.pgn.zst
  halfmove explore club --moves \"e4 c5 Nf3\"
  halfmove sql club \"select white, count(*) from games group by white order by 2 desc limit 10\"

Exit codes: 0 done or found, 1 nothing found (search, explore, show, export, analyze, stats,
players, players merge, events, duplicates, remove), faults found (pgn check), damage found (verify)
or games left out (encode), 2 error, 130 or 143 interrupted (Ctrl-C, SIGTERM).")]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

impl Cli {
    /// Whether there is a verb of this name.
    pub(crate) fn has_verb(name: &str) -> bool {
        name == "help" || command().find_subcommand(name).is_some()
    }

    pub(crate) fn has_pgn_verb(name: &str) -> bool {
        let command = command();
        let pgn = command.find_subcommand("pgn");
        pgn.is_some_and(|pgn| pgn.find_subcommand(name).is_some())
    }
}

/// Where there is color. It is settled before the command line is understood: see the module of this name.
#[derive(Debug, Args)]
pub(crate) struct Color {
    /// When to use color
    ///
    /// With auto, on a terminal, unless NO_COLOR is set; CLICOLOR_FORCE asks for it elsewhere
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub(crate) color: ColorChoice,
}

/// A number of threads. Many more than there are cores gain nothing, and a system may refuse them.
fn threads(text: &str) -> Result<NonZero<usize>, String> {
    let number = text.parse().ok().filter(|threads: &NonZero<usize>| threads.get() <= 1024);
    number.ok_or_else(|| "expected a number from 1 to 1024".to_owned())
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Import PGN files into an archive, all or nothing
    Import(Import),
    /// Check, count or rewrite PGN files, without an archive
    #[command(subcommand)]
    Pgn(PgnVerb),
    /// Turn PGN files into a file of bytes, in one of several codecs
    Encode(Encode),
    /// Turn a file that `encode` has written back into PGN
    Decode(Decode),
    /// Show what each byte of a game means
    Dump(Dump),
    /// List the codecs and what they hold
    Codecs(Codecs),
    /// Summarize an archive
    Info(Info),
    /// Count games by decade, opening and rating, or score them by opponent, year and more
    Stats(Stats),
    /// Find the games that reach a position or meet other conditions
    Search(Search),
    /// Show the moves played in a position, and their results
    Explore(Explore),
    /// Show one game: its board and its PGN
    Show(Show),
    /// Write games as PGN
    Export(Export),
    /// Query the table `games` in SQL
    Sql(Sql),
    /// List the players of an archive, and merge spellings of names
    Players(Players),
    /// List the events of an archive
    Events(Events),
    /// List games that are in an archive more than once, and remove copies
    Duplicates(Duplicates),
    /// Merge the files of an archive and order their games, to save room and time
    Compact(Compact),
    /// Rewrite an archive of an older version
    Upgrade(Upgrade),
    /// Read all of an archive and report damage
    Verify(Verify),
    /// List the changes of an archive
    History(History),
    /// Take back the last changes of an archive
    Undo(Undo),
    /// Remove games from an archive
    Remove(Remove),
    /// Delete the files that only old versions of an archive need
    Vacuum(Vacuum),
    /// Write the engine's evaluations, and what is better, into the moves of games
    Analyze(Analyze),
    /// Let the engine play against itself, into a file or an archive
    #[command(name = "selfplay")]
    SelfPlay(SelfPlay),
    /// Run the UCI engine, for a GUI
    Engine(Engine),
    /// Count the leaves of the game tree
    Perft(Perft),
    /// List the legal moves of a position
    Moves(Moves),
    /// Draw a position, and show check, counting and how the game ended
    Position(ShowPosition),
    /// Print a script that completes commands in a shell
    Completions(Completions),
    /// Print a page of the manual, or write all of them
    Man(Man),
}

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
SAN of Makruk is in Fairy-Stockfish's style. With --counting thai or makruk-js there are two more
words among the moves: `count` makes the side to move start counting, `stop` makes the counting side
stop.

Examples:
  halfmove position --moves \"1. e4 e5 2. Nf3\"
  halfmove position --variant makruk --moves \"e3e4 d6d5 exd5\"
  halfmove position --variant makruk --counting thai --moves \"count Kb6 Kf4 stop\" \\
      --fen \"8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 41\"")]
pub(crate) struct ShowPosition {
    #[command(flatten)]
    pub(crate) start: Start,
    /// How Makruk is counted; the default is auto
    #[arg(long, value_name = "POLICY")]
    pub(crate) counting: Option<Counting>,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// A file to write to, instead of standard output.
#[derive(Debug, Args)]
pub(crate) struct ToFile {
    /// Write to this file, whole or not at all; - is standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "output", help_heading = "Output", hide_short_help = true)]
    pub(crate) force: bool,
}

impl ToFile {
    /// The format of an answer: the one that is typed, else the one that the name of the file ends in.
    pub(crate) fn format<F: ValueEnum>(&self, typed: Option<F>) -> anyhow::Result<Option<F>> {
        let (Some(path), None) = (self.file(), &typed) else { return Ok(typed) };
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let name = name.strip_suffix(".zst").or(name.strip_suffix(".gz")).unwrap_or(&name);
        let ending = match name.rsplit_once('.') {
            Some((_, "jsonl")) => "ndjson",
            Some((_, ending)) => ending,
            None => return Ok(None),
        };
        match F::from_str(ending, false) {
            Err(_) if ["pgn", "parquet"].contains(&ending) => {
                let error = anyhow!("{}: this answer is not written as {ending}", path.display());
                let hint = match ending {
                    "parquet" => PARQUET,
                    _ => "expected another ending, such as .csv or .json, or --format",
                };
                Err(Advised::new(error, hint).into())
            }
            format => Ok(format.ok()),
        }
    }

    /// The file, if it is not standard output.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }
}

/// What to do about an answer that is wanted as Parquet.
pub(crate) const PARQUET: &str =
    "sql writes Parquet: halfmove sql ARCHIVE \"select … from games\" --output games.parquet";

#[derive(Debug, Args)]
pub(crate) struct Output {
    /// Output format
    #[arg(long, default_value = "table", help_heading = "Output")]
    pub(crate) format: Format,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A table for people
    Table,
    /// JSON: an object, or an array where the answer is a list
    Json,
    /// One JSON object a line: those of the list that the answer is, or the answer itself
    Ndjson,
    /// CSV with a header line
    Csv,
    /// The same with tabs between the cells
    Tsv,
}

/// How many entries of a list are shown: as many as are typed, 0 for all; else 20 in a table, since the other formats are for
/// programs, which would not see that some are missing.
pub(crate) fn most(limit: Option<usize>, is_table: bool) -> usize {
    match limit {
        Some(0) => usize::MAX,
        Some(limit) => limit,
        None if is_table => 20,
        None => usize::MAX,
    }
}

impl Format {
    /// Whether an answer is rows of plain cells for programs.
    pub(crate) fn is_rows(self) -> bool {
        matches!(self, Self::Csv | Self::Tsv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is wrapped by hand fits into the width of help: else it is wrapped again, in the middle of its lines.
    fn check(command: &clap::Command) {
        let texts = [command.get_after_help(), command.get_after_long_help()];
        let width = texts.into_iter().flatten().map(ToString::to_string).collect::<Vec<_>>();
        for line in width.iter().flat_map(|text| text.lines()) {
            assert!(line.chars().count() <= 100, "{}: {line}", command.get_name());
        }
        command.get_subcommands().for_each(check);
    }

    #[test]
    fn help_fits_into_its_width() {
        check(&command());
    }
}
