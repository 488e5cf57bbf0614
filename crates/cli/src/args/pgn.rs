//! The verbs for PGN files.

use super::{Output, ToFile};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum PgnVerb {
    /// Show all faults of PGN files, with the lines that have them
    Check(Check),
    /// Count the contents of PGN files
    Stats(PgnStats),
    /// Rewrite PGN files in the layout of the standard's export format
    Normalize(Normalize),
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
All moves are played, in main lines and in variations. Faults are errors (illegal, ambiguous or
unreadable moves, comments and variations that are not closed, games of unknown variants) and
warnings (results that are missing or contradict their tag, malformed tags, stray characters, text
between games, and values that a search cannot use: dates, times, clocks, evaluations, ratings, time
controls). In a table, errors come first; warnings of a kind are drawn once, with the places of
others. Files may be compressed with zstd, gzip or bzip2. The exit code is 0 if there are no
faults, 1 if there are some, and 2 if a file cannot be read or is not PGN.

Examples:
  halfmove pgn check season.pgn
  halfmove pgn check games/ --rejects faulty.pgn --limit 5
  zstdcat dump.pgn.zst | halfmove pgn check - --format csv")]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Copy the games with faults to this file unchanged
    #[arg(long, value_name = "FILE")]
    pub(crate) rejects: Option<PathBuf>,
    /// Replace the file of --rejects if it exists
    #[arg(long, requires = "rejects")]
    pub(crate) force: bool,
    /// Maximum number of errors in a table (all are counted), 0 for all errors and warnings, in their order
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
All moves are played, in main lines and in variations, and faults are counted by kind: see
`halfmove pgn check`. Several files are counted together.

Examples:
  halfmove pgn stats season.pgn
  halfmove pgn stats games/ --format json")]
pub(crate) struct PgnStats {
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Comments, variations, glyphs, clocks, evaluations and tags are written as they were read, in lines
of 80 columns, the seven tags of the standard first. Stray characters and text between games are
left out. Games with errors (see `halfmove pgn check`) are copied unchanged, even with --no-comments
and the like. Output is UTF-8. Input files are never overwritten.

Examples:
  halfmove pgn normalize season.pgn --output clean.pgn
  halfmove pgn normalize games/ --no-comments --no-variations > moves_and_glyphs.pgn
  halfmove pgn normalize games/ --reduced > main_lines.pgn")]
pub(crate) struct Normalize {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Write only the main lines and the seven tags of the standard
    #[arg(long)]
    pub(crate) reduced: bool,
    /// Leave out the comments, with their clocks and evaluations
    #[arg(long)]
    pub(crate) no_comments: bool,
    /// Leave out the glyphs: !, ?, $14 …
    #[arg(long)]
    pub(crate) no_nags: bool,
    /// Leave out the variations
    #[arg(long)]
    pub(crate) no_variations: bool,
    #[command(flatten)]
    pub(crate) to: ToFile,
}

/// PGN files to read.
#[derive(Debug, Args)]
pub(crate) struct Files {
    /// PGN files, folders of PGN files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// Summarize PGN files, and suggest the next commands
#[derive(Debug, Parser)]
#[command(name = "halfmove", max_term_width = 100)]
pub(crate) struct Summary {
    #[command(flatten)]
    pub(crate) color: super::Color,
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) output: Output,
}
