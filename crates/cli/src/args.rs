//! The command line: verbs and options.

mod change;
mod coded;
mod compact;
mod filter;
mod pgn;
mod position;
mod sql;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use halfmove_archive::Period;
use std::num::NonZero;
use std::path::PathBuf;

pub(crate) use change::{History, Remove, Undo, Vacuum};
pub(crate) use coded::{Codecs, Decode, Dump, Encode, PARTS, legend, tags};
pub(crate) use compact::Compact;
pub(crate) use filter::{Ending, Side, Years};
pub(crate) use pgn::{Check, Files, Normalize, PgnStats, PgnVerb, Summary};
pub(crate) use position::{Counting, Position, SanStyle, Start, Variant};
pub(crate) use sql::Sql;

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
#[command(after_help = "\
Examples:
  halfmove season.pgn
  halfmove import club games/*.pgn.zst
  halfmove explore club --moves \"e4 c5 Nf3\"
  halfmove sql club \"select white, count(*) from games group by white order by 2 desc limit 10\"

Exit codes: 0 done or found, 1 nothing found (search, explore, show, export, remove), faults found
(pgn check), damage found (verify) or games left out (encode), 2 error, 130 or 143 interrupted
(Ctrl-C, SIGTERM).")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

impl Cli {
    /// Whether there is a verb of this name.
    pub(crate) fn has_verb(name: &str) -> bool {
        name == "help" || Self::command().find_subcommand(name).is_some()
    }

    pub(crate) fn has_pgn_verb(name: &str) -> bool {
        let command = Self::command();
        let pgn = command.find_subcommand("pgn");
        pgn.is_some_and(|pgn| pgn.find_subcommand(name).is_some())
    }
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
    /// Find the games that reach a position or match filters
    Search(Search),
    /// Show the moves played in a position, and their results
    Explore(Explore),
    /// Show one game: its board and its PGN
    Show(Show),
    /// Write games as PGN
    Export(Export),
    /// Query the table `games` in SQL
    Sql(Sql),
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
    /// Count the leaves of the game tree
    Perft(Perft),
    /// List the legal moves of a position
    Moves(Moves),
    /// Draw a position, and show check, counting and how the game ended
    Position(ShowPosition),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Files may be compressed with zstd, gzip or bzip2. A folder stands for the PGN files in it, - for
standard input. A file that is named twice is read once, and one that was imported before is passed
over, whatever it is called now (see --again). Either all files are imported, or the archive stays
unchanged; an interrupted import adds nothing. Comments, variations, glyphs, clocks and evaluations
are kept with the games.

The moves of a game with a fault, such as an illegal move, end there; the words from there on are
kept as text, so `show` and `export` give them back, but they cannot be searched. The fault is
printed, and kept in the column `fault` of the table `games`; it is null for all other games. The
column `source` has the name of the file, without folders; it is null for standard input.

An archive holds games of chess, Chess960, Makruk, Makpong and ASEAN chess side by side: the tag
Variant says which. Games of other variants are skipped and counted.

Examples:
  halfmove import club season.pgn
  zstdcat dump.pgn.zst | halfmove import club -
  halfmove sql club \"select id, fault from games where fault is not null\"")]
pub(crate) struct Import {
    /// The archive's folder; created if it does not exist
    pub(crate) archive: PathBuf,
    #[command(flatten)]
    pub(crate) files: Files,
    /// Stop at the first faulty game and import nothing; games of other variants are skipped as ever
    #[arg(long)]
    pub(crate) strict: bool,
    /// Import files once more that were imported before
    #[arg(long)]
    pub(crate) again: bool,
    /// Number of threads that read games; the default is the number of cores
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZero<usize>>,
    /// Print only errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Info {
    /// The archive: its folder, or its URL
    pub(crate) archive: PathBuf,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  halfmove search club --fen \"8/8/8/5k2/8/4K3/4P3/8 w - - 0 1\"
  halfmove search club --moves \"e4 e5 Nf3 Nc6 Bb5 a6\" --player Karpov --limit 5
  halfmove search club --white Capablanca --since 1918 --result 1-0 --count
  halfmove search club --player \"mikhail tal\" --opponent \"Botvinnik, M\" --result win
  halfmove search club --variant makruk --moves \"e4 e5 Sc2\"")]
pub(crate) struct Search {
    /// The archive: its folder, or its URL
    pub(crate) archive: PathBuf,
    #[command(flatten)]
    pub(crate) position: Position,
    /// List at most this many games (all are counted)
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
    /// Only count the games
    #[arg(long)]
    pub(crate) count: bool,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) filter: Filter,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  halfmove explore club
  halfmove explore club --moves \"d4 Nf6 c4\" --since 1980 --format json
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

#[derive(Debug, Args)]
#[command(after_help = "\
Draws the board with White below, names the last move and the position in FEN, and prints the whole
game as PGN: tags, comments, variations and glyphs as they were read. If the moves end at a fault,
the last line says what it was. The exit code is 1 if there is no game with this id.

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

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  halfmove export club > all.pgn
  halfmove export club --player Capablanca --output capablanca.pgn
  halfmove export club --variant chess960 > chess960.pgn")]
pub(crate) struct Export {
    /// The archive: its folder, or its URL
    pub(crate) archive: PathBuf,
    #[command(flatten)]
    pub(crate) position: Position,
    #[command(flatten)]
    pub(crate) to: ToFile,
    #[command(flatten)]
    pub(crate) filter: Filter,
}

#[derive(Debug, Args)]
#[command(after_help = "\
An archive of an older version can be searched and exported as it is, but nothing is imported into
it until it is upgraded. The upgrade checks every move, rewrites all files in the current
format, and makes them the archive in a single change. Games and ids stay the same. Whoever reads
the archive meanwhile sees the old files. An upgrade that fails or is interrupted leaves everything
as it was.

The old files stay for those who still read them, so the archive needs its room a second time;
`halfmove vacuum` frees the old files after seven days. What older versions did not keep, such as
comments and variations, is not in the archive and does not come back: import the PGN files again to
have it. In an archive of this format, only those files are rewritten that lack what this version
computes from the moves; if there are none, it is left alone.

Examples:
  halfmove upgrade club
  halfmove upgrade club && halfmove import club season.pgn")]
pub(crate) struct Upgrade {
    /// The archive's folder
    pub(crate) archive: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The entries of the log, the files and their pages are compared with their checksums, and each game
is decoded. All problems are reported; the exit code is 1 if there are any. Files and entries of
other programs and of earlier versions have no checksums: of these, only the games are checked.

Examples:
  halfmove verify club
  halfmove verify club --format json")]
pub(crate) struct Verify {
    /// The archive: its folder, or its URL
    pub(crate) archive: PathBuf,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
#[command(after_help = "\
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
#[command(after_help = "\
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
#[command(after_help = "\
Moves are in UCI notation or SAN (for Makruk, in Fairy-Stockfish's style); move numbers and a result
are ignored. In Makruk with --counting thai or makruk-js there are two more words: `count` makes the
side to move start counting, `stop` makes the counting side stop.

Examples:
  halfmove position --moves \"1. e4 e5 2. Nf3\"
  halfmove position --variant makruk --moves \"e3e4 d6d5 exd5\"
  halfmove position --variant makruk --counting thai --moves \"count Kb6 Kf4 stop\" \\
      --fen \"8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 41\"")]
pub(crate) struct ShowPosition {
    #[command(flatten)]
    pub(crate) start: Start,
    /// Moves to play from there
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    pub(crate) moves: String,
    /// How Makruk is counted; the default is auto
    #[arg(long, value_name = "POLICY")]
    pub(crate) counting: Option<Counting>,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Conditions on the tags of a game. Names are found by their words, in any order, without case and accents: "jose capablanca",
/// "Tal, M" (a letter is an initial), "kasp*".
#[derive(Debug, Args)]
#[command(next_help_heading = "Filters")]
pub(crate) struct Filter {
    /// Words of the name of White or Black, in any order, without case and accents: "mikhail tal". A
    /// single letter is an initial ("Tal, M"), and kasp* is the beginning of a word
    #[arg(long, value_name = "NAME")]
    pub(crate) player: Option<String>,
    /// Words of the name of the player's opponent
    #[arg(long, value_name = "NAME")]
    pub(crate) opponent: Option<String>,
    /// The color of the player
    #[arg(long = "as", value_name = "COLOR", ignore_case = true)]
    pub(crate) side: Option<Side>,
    /// Words of the name of White
    #[arg(long, value_name = "NAME")]
    pub(crate) white: Option<String>,
    /// Words of the name of Black
    #[arg(long, value_name = "NAME")]
    pub(crate) black: Option<String>,
    /// Words of the event
    #[arg(long, value_name = "NAME")]
    pub(crate) event: Option<String>,
    /// Words of the site
    #[arg(long, value_name = "NAME")]
    pub(crate) site: Option<String>,
    /// The ECO code, or its beginning: B9 matches B90 to B99
    #[arg(long, value_name = "CODE", value_parser = eco)]
    pub(crate) eco: Option<String>,
    /// 1-0 (White won), 0-1, 1/2-1/2 or *; with --player also win, draw or loss of that player
    #[arg(long)]
    pub(crate) result: Option<Ending>,
    /// Played no earlier than this year, month or day: 1924, 1924-03 or 1924-03-23
    #[arg(long, value_name = "DATE")]
    pub(crate) since: Option<Period>,
    /// Played no later than this year, month or day
    #[arg(long, value_name = "DATE")]
    pub(crate) until: Option<Period>,
    /// Played in this year, or in these: 1999 or 1990-1995
    #[arg(long, value_name = "YEARS", conflicts_with_all = ["since", "until"])]
    pub(crate) year: Option<Years>,
    /// Both players have at least this rating
    #[arg(long, value_name = "ELO")]
    pub(crate) min_elo: Option<u16>,
    /// Both players have a rating, and at most this one
    #[arg(long, value_name = "ELO")]
    pub(crate) max_elo: Option<u16>,
    /// Any condition in SQL, such as "plies > 100". For parts of names: "white like '%tal%'"
    #[arg(long = "where", value_name = "SQL")]
    pub(crate) condition: Option<String>,
}

/// The beginning of an ECO code.
fn eco(text: &str) -> Result<String, String> {
    let mut chars = text.chars();
    let has_volume = chars.next().is_some_and(|volume| matches!(volume, 'A'..='E' | 'a'..='e'));
    let number = chars.as_str();
    if has_volume && number.len() <= 2 && number.bytes().all(|digit| digit.is_ascii_digit()) {
        return Ok(text.to_owned());
    }
    Err("expected an ECO code or its beginning, such as B90, B9 or B \
        (for a range: --where \"eco between 'B90' and 'B94'\")"
        .to_owned())
}

/// A file to write to, instead of standard output.
#[derive(Debug, Args)]
pub(crate) struct ToFile {
    /// Write to this file instead of standard output; it is created only when complete
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Output {
    /// Output format
    #[arg(long, default_value = "table")]
    pub(crate) format: Format,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A table for people
    Table,
    /// JSON: an object, or an array where the answer is a list
    Json,
    /// CSV with a header line
    Csv,
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
        check(&Cli::command());
    }
}
