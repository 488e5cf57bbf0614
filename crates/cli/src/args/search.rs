//! The arguments of `halfmove search`.

use super::{Filter, Format, GameIds, Limit, Position, ReadGames, ToFile};
use crate::command::search;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Args, Command, ValueEnum};
use halfmove_archive::{MORE_COLUMNS, Sort};
use std::ffi::OsStr;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Columns: id, variant, white, black, date, result, ply, event, site, round, eco, white_elo,
black_elo, plies; also opening, year, start_fen, fault, source, tag_order, and any tag, as in
tag:TimeControl. `ply` is the number of half-moves before the position first occurs, `move` the last
of them: 18. Bxh7+. On a terminal, long texts of a table are cut and end with an ellipsis.

Examples:
  halfmove search club --moves \"e4 e5 Nf3 Nc6 Bb5 a6\" --player Karpov --limit 5
  halfmove search club --fen \"8/8/8/5k2/8/4K3/4P3/8 w - - 0 1\"
  halfmove search club --white Capablanca --since 1918 --result 1-0 --count
  halfmove search club --player \"mikhail tal\" --opponent \"Botvinnik, M\" --result win
  halfmove search club --pattern \"8/8/8/3Np3/4P3/8/8/8\" --either-color --for 10
  halfmove search club --material \"RP+vRP+\" --final --player Capablanca
  halfmove search club --sort -date --columns id,white,black,date,tag:TimeControl
  halfmove search club --player tal --output tal.csv
  halfmove search club --eco B9 --sort -rating --limit 100 --format pgn > best.pgn
  halfmove search club --variant makruk --moves \"e4 e5 Sc2\"")]
pub(crate) struct Search {
    #[command(flatten)]
    pub(crate) archive: ReadGames,
    #[command(flatten)]
    pub(crate) position: Position,
    #[command(flatten)]
    pub(crate) ids: GameIds,
    #[command(flatten)]
    pub(crate) limit: Limit,
    /// Skip this many games
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        help_heading = "Output",
        hide_short_help = true
    )]
    pub(crate) offset: usize,
    /// Sort by date, rating, plies, white, black, result, eco, event or id; after a -, the largest first
    ///
    /// A rating, or elo, is the mean of both. -date lists the newest first. By default, games are in the order of their ids
    #[arg(
        long,
        value_name = "KEY",
        default_value = "id",
        hide_default_value = true,
        allow_hyphen_values = true,
        hide_possible_values = true,
        value_parser = Suggested(str::parse::<Sort>, &[SORTS]),
        help_heading = "Output"
    )]
    pub(crate) sort: Sort,
    /// Columns to print, in this order: id,white,black,date
    #[arg(
        long,
        value_name = "COLUMN",
        value_delimiter = ',',
        hide_possible_values = true,
        value_parser = Suggested(StringValueParser::new(), &[search::NAMES, MORE_COLUMNS]),
        help_heading = "Output"
    )]
    pub(crate) columns: Option<Vec<String>>,
    /// Only count the games
    #[arg(long, conflicts_with_all = ["offset", "sort", "columns"], help_heading = "Output")]
    pub(crate) count: bool,
    /// Output format
    ///
    /// The default is that of the ending of --output, else table
    #[arg(long, help_heading = "Output")]
    pub(crate) format: Option<GamesFormat>,
    #[command(flatten)]
    pub(crate) to: ToFile,
    #[command(flatten)]
    pub(crate) filter: Filter,
}

/// The completions of `--sort` in a shell.
const SORTS: &[&str] = &[
    "id", "date", "rating", "plies", "white", "black", "result", "eco", "event", "-id", "-date",
    "-rating", "-plies", "-white", "-black", "-result", "-eco", "-event",
];

/// A parser of values, some of which a shell completes.
#[derive(Debug, Clone)]
struct Suggested<P>(P, &'static [&'static [&'static str]]);

impl<P: TypedValueParser> TypedValueParser for Suggested<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<P::Value, clap::Error> {
        self.0.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.1.iter().copied().flatten().map(PossibleValue::new)))
    }
}

/// The format of a list of games.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum GamesFormat {
    /// A listing of the games.
    Listed(Format),
    /// PGN: the games, or the tree as one game.
    Pgn,
}

impl ValueEnum for GamesFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Listed(Format::Table),
            Self::Listed(Format::Json),
            Self::Listed(Format::Ndjson),
            Self::Listed(Format::Csv),
            Self::Listed(Format::Tsv),
            Self::Pgn,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Listed(format) => format.to_possible_value(),
            Self::Pgn => {
                Some(PossibleValue::new("pgn").help("PGN: the games, or the tree as one game"))
            }
        }
    }
}
