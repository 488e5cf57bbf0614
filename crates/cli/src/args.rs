//! The command line: verbs and options.
//!
//! This is the one list of verbs. Help, completions, the manual, docs/reference/cli.md and hints are made from it.

mod analyze;
mod archive;
mod batch;
mod change;
mod coded;
mod compact;
mod duplicates;
mod engine;
mod explore;
mod export;
mod filter;
mod help;
mod ids;
mod import;
mod info;
mod output;
mod pgn;
mod players;
mod position;
mod rules;
mod search;
mod selfplay;
mod serve;
mod shell;
mod show;
mod sql;
mod stats;
mod topics;
mod verbs;
mod verify;

use clap::{Args, ColorChoice, Parser, Subcommand};
use halfmove_game::openings;
use std::num::NonZero;
use std::sync::LazyLock;

pub(crate) use analyze::Analyze;
pub(crate) use archive::{ChangeArchive, ReadArchive, ReadGames};
pub(crate) use batch::Batch;
pub(crate) use change::{History, Remove, Undo};
pub(crate) use coded::{Decode, Dump, Encode, PARTS, Pack, legend, tags};
pub(crate) use compact::Compact;
pub(crate) use duplicates::{Duplicates, Kind as DuplicateKind};
pub(crate) use engine::Engine;
pub(crate) use explore::{Explore, Least};
pub(crate) use export::Export;
pub(crate) use filter::Filter;
pub(crate) use ids::GameIds;
pub(crate) use import::{Import, OnDuplicates};
pub(crate) use info::Info;
pub(crate) use output::{DryRun, Format, Limit, Output, PARQUET, ToFile};
pub(crate) use pgn::{Check, Files, Normalize, PgnStats, PgnVerb, Summary};
pub(crate) use players::{EventSort, Events, Merge, Order, PlayerSort, Players, PlayersVerb};
pub(crate) use position::{Counting, Position, SanStyle, Start, Variant};
pub(crate) use rules::{Moves, Perft, ShowPosition};
pub(crate) use search::{GamesFormat, Search};
pub(crate) use selfplay::SelfPlay;
#[cfg(feature = "server")]
pub(crate) use serve::Named;
pub(crate) use serve::Serve;
pub(crate) use shell::{Completions, Help, Man};
pub(crate) use show::{GameFormat, Show};
pub(crate) use sql::Sql;
#[cfg(feature = "sql")]
pub(crate) use sql::SqlFormat;
pub(crate) use stats::{ScoreSort, ScoresBy, Stats};
pub(crate) use topics::{TOPICS, Topic};
pub(crate) use verbs::{HELP, command, definitions};
pub(crate) use verify::Verify;

/// Chess games, one byte per half-move: import, search, explore, query, export.
///
/// An archive is a folder. `halfmove import` creates it from PGN files; the other verbs work on an
/// existing archive. `halfmove FILE…` without a verb summarizes PGN files.
///
/// Verbs that only read take a URL too: file:///games/club, or s3://bucket/club if the program is
/// built with the feature object-store.
#[derive(Debug, Parser)]
#[command(name = "halfmove", version, long_version = long_version(), max_term_width = 100, subcommand_required = true)]
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

/// The version, the commit of the program if the build names it in HALFMOVE_COMMIT, and the version of the list of
/// openings: what should be cited with a result.
fn long_version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let (list, day) = (&openings::LIST_COMMIT[..12], openings::LIST_DATE);
        let version = version();
        format!("{version}\nopenings: lichess-org/chess-openings {list} of {day}")
    });
    &VERSION
}

/// The version, and the commit of the program if the build names it.
fn version() -> String {
    let commit = option_env!("HALFMOVE_COMMIT").map(|commit| format!(" ({commit})"));
    env!("CARGO_PKG_VERSION").to_owned() + &commit.unwrap_or_default()
}

/// The program with its version, for the metadata of files.
#[cfg(feature = "sql")]
pub(crate) fn program() -> String {
    format!("halfmove/{}", version())
}

impl Cli {
    /// Returns true if there is a verb with this name.
    pub(crate) fn has_verb(name: &str) -> bool {
        name == "help" || definitions().find_subcommand(name).is_some()
    }

    pub(crate) fn has_pgn_verb(name: &str) -> bool {
        let command = definitions();
        let pgn = command.find_subcommand("pgn");
        pgn.is_some_and(|pgn| pgn.find_subcommand(name).is_some())
    }
}

/// The option `--color`. The module [`color`](crate::color) reads it before the command line is parsed.
#[derive(Debug, Args)]
pub(crate) struct Color {
    /// When to use color
    ///
    /// auto uses color on a terminal, unless NO_COLOR is set; CLICOLOR_FORCE turns it on elsewhere
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_short_help = true,
        help_heading = help::RARE
    )]
    pub(crate) color: ColorChoice,
}

/// Parses a number of threads. More threads than cores gain nothing, and a system may refuse very many.
fn threads(text: &str) -> Result<NonZero<usize>, String> {
    let number = text.parse().ok().filter(|threads: &NonZero<usize>| threads.get() <= 1024);
    number.ok_or_else(|| "expected a number from 1 to 1024".to_owned())
}

/// All verbs, in groups.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    #[command(flatten)]
    Games(GamesVerb),
    #[command(flatten)]
    Archive(ArchiveVerb),
    #[command(flatten)]
    Files(FilesVerb),
    #[command(flatten)]
    Rules(RulesVerb),
    #[command(flatten)]
    Shell(ShellVerb),
}

/// Games in archives.
#[derive(Debug, Subcommand)]
pub(crate) enum GamesVerb {
    /// Import PGN files into an archive, all or nothing
    Import(Import),
    /// Find the games that reach a position or meet other conditions
    Search(Search),
    /// Show the moves played in a position, and their results
    Explore(Explore),
    /// Show one game: its board and its PGN
    Show(Show),
    /// Write games as PGN
    Export(Export),
    /// Pack an archive into one small file, to send or to keep
    Pack(Pack),
    /// Query games, half-moves and the history in SQL
    #[cfg_attr(not(feature = "sql"), command(hide = true))]
    Sql(Sql),
    /// Count games by decade, opening and rating, or score them by opponent, year and more
    Stats(Stats),
    /// List the players of an archive, and merge spellings of names
    Players(Players),
    /// List the events of an archive
    Events(Events),
    /// Show archives in the browser, and answer clients of Lichess's explorer
    #[cfg_attr(not(feature = "server"), command(hide = true))]
    Serve(Serve),
}

/// Maintenance of an archive.
#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "one value a run")]
pub(crate) enum ArchiveVerb {
    /// Summarize an archive
    Info(Info),
    /// List duplicate games of an archive, and remove them
    Duplicates(Duplicates),
    /// Merge the files of an archive and order their games, or delete files of old versions
    Compact(Compact),
    /// Read all of an archive and report damage
    Verify(Verify),
    /// List the changes of an archive
    History(History),
    /// Undo the last changes of an archive
    Undo(Undo),
    /// Remove games from an archive
    Remove(Remove),
}

/// PGN files, and games as bytes.
#[derive(Debug, Subcommand)]
pub(crate) enum FilesVerb {
    /// Check, count or rewrite PGN files, without an archive
    #[command(subcommand)]
    Pgn(PgnVerb),
    /// Encode PGN files in one of several binary codecs
    Encode(Encode),
    /// Decode a file that `encode` or `pack` has written to PGN
    Decode(Decode),
    /// Show the meaning of each byte of a game
    Dump(Dump),
}

/// Positions, rules and the engine.
#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "one value a run")]
pub(crate) enum RulesVerb {
    /// Draw a position, and show check, counting and the outcome
    Position(ShowPosition),
    /// List the legal moves of a position
    Moves(Moves),
    /// Count the leaves of the game tree
    Perft(Perft),
    /// Write the engine's evaluations and better lines into games
    Analyze(Analyze),
    /// Let the engine play against itself, into a file or an archive
    #[command(name = "selfplay")]
    SelfPlay(SelfPlay),
    /// Run the UCI engine, for a GUI
    Engine(Engine),
}

/// The shell.
#[derive(Debug, Subcommand)]
pub(crate) enum ShellVerb {
    /// Print a script that completes commands in a shell
    Completions(Completions),
    /// Print a page of the manual, or write all of them
    Man(Man),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text that is wrapped by hand must fit the width of help, or clap wraps it again.
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
