//! The arguments of `halfmove sql`.

#![cfg_attr(
    not(feature = "sql"),
    allow(dead_code, reason = "the verb only says that there is no SQL")
)]

use super::help::RARE;
use super::{ReadGames, ToFile};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_long_help = help())]
pub(crate) struct Sql {
    #[command(flatten)]
    pub(crate) archive: ReadGames,
    /// The query; without one, a prompt on a terminal, otherwise standard input
    ///
    /// `-` always reads standard input
    pub(crate) query: Option<String>,
    /// Read the query from this file
    #[arg(short, long, value_name = "FILE", conflicts_with = "query")]
    pub(crate) file: Option<PathBuf>,
    /// Query this version of the archive, and not the newest; halfmove history lists them
    #[arg(long, value_name = "N")]
    pub(crate) archive_version: Option<u64>,
    /// Memory limit for sorts, groups, joins and the rows of a table: 512M, 4G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = memory, help_heading = RARE)]
    pub(crate) memory: usize,
    /// Output format; the default is that of the ending of --output, else table
    #[arg(long, help_heading = "Output")]
    pub(crate) format: Option<SqlFormat>,
    /// Maximum number of rows of a table, from its beginning and end, 0 for all; on a terminal, the
    /// default is 40
    #[arg(long, value_name = "N", help_heading = "Output")]
    pub(crate) limit: Option<usize>,
    #[command(flatten)]
    pub(crate) to: ToFile,
}

/// A format of the result of a query.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SqlFormat {
    /// A table for people
    Table,
    /// CSV with a header line
    Csv,
    /// Like CSV, with tabs between the cells
    Tsv,
    /// JSON: an array of objects, one per line
    Json,
    /// One JSON object per line
    Ndjson,
    /// A Parquet file, for --output
    #[value(alias = "pq")]
    Parquet,
    /// Arrow IPC: a file for --output (Feather), else a stream
    #[value(alias = "feather")]
    Arrow,
}

impl SqlFormat {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
        }
    }
}

/// The functions, from their table, and the notes.
fn help() -> String {
    format!("{}{NOTES}", halfmove_functions::pages::help())
}

/// The notes below the functions.
const NOTES: &str = "
For other variants, add the variant after the FEN: reaches(moves, 'FEN', 'makruk').

The tables are games, halfmoves (a row for each half-move) and history; describe halfmoves lists
its columns. Queries only read. Several queries, each ended by a semicolon, run in order and print
tables; the other formats take one query. A table is printed when all its rows are known, the
other formats row by row. Without order by, rows come in any order. Beyond --memory, sorts and
groups use temporary files; joins and the like fail. There is no time limit: Ctrl-C ends a query.
At the prompt, .help lists the commands.

Examples:
  halfmove sql club
  halfmove sql club \"select eco, count(*) n from games group by eco order by n desc limit 10\"
  halfmove sql club \"select time_control, count(*) from games group by 1\"
  halfmove sql club --file openings.sql --format csv > openings.csv
  halfmove sql club \"select phase, avg(time_used) from halfmoves group by 1\"
  halfmove sql club \"select id, year, plies from games\" --output games.parquet";

/// Parses a number of bytes: 512M, 4G. The units are powers of 1024.
pub(super) fn memory(text: &str) -> Result<usize, String> {
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

/// The minimum memory limit in bytes, below which most queries fail.
const LEAST_MEMORY: usize = 1 << 20;
