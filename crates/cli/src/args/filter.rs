//! The conditions of filters on the command line.

use super::Questions;
use clap::{Args, ValueEnum};
use halfmove_archive::{Period, PeriodError, PlayerResult};
use halfmove_game::openings::{EcoCodes, EcoError};
use halfmove_game::{GameResult, Speed, TimeControl};
use halfmove_rules::Color;
use std::time::SystemTime;

/// Conditions on the tags of a game. Names are matched by their words, in any order, ignoring case and accents: "jose capablanca",
/// "Tal, M" (a letter is an initial), "kasp*".
#[derive(Debug, Args)]
#[command(next_help_heading = "Conditions on the game")]
pub(crate) struct Filter {
    /// Words of the name of White or Black: "mikhail tal", "Tal, M", kasp*
    ///
    /// In any order, ignoring case and accents. A single letter is an initial ("Tal, M"), and kasp*
    /// matches words with this beginning
    #[arg(long, value_name = "NAME")]
    pub(crate) player: Option<String>,
    /// Words of the name of the player's opponent
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    pub(crate) opponent: Option<String>,
    /// The color of the player
    #[arg(long = "as", value_name = "COLOR", ignore_case = true)]
    pub(crate) side: Option<Side>,
    /// Words of the name of White
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    pub(crate) white: Option<String>,
    /// Words of the name of Black
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    pub(crate) black: Option<String>,
    /// Names of players are whole names, as they are spelled: --exact --player "Aronian, Levon"
    ///
    /// Only case, accents and punctuation do not matter
    #[arg(long)]
    pub(crate) exact: bool,
    /// Words of the event
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    pub(crate) event: Option<String>,
    /// Words of the site
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub(crate) site: Option<String>,
    /// The ECO code, its beginning, a range or several: B90, B9, E60-E99
    ///
    /// Separate several by commas: B90,B92. The code is that of the tag ECO, or of the opening if a game
    /// has no such tag
    #[arg(long, value_name = "CODE", value_parser = eco)]
    pub(crate) eco: Option<EcoCodes>,
    /// The opening's name contains these words (any move order): "king's indian"
    #[arg(long, value_name = "NAME")]
    pub(crate) opening: Option<String>,
    /// The speed: ultrabullet, bullet, blitz, rapid, classical or correspondence
    ///
    /// By the tag TimeControl, as on Lichess: base + 40 increments, below 30 seconds, 3, 8 and 25
    /// minutes, 6 hours
    #[arg(long, value_name = "SPEED")]
    pub(crate) speed: Option<Speed>,
    /// The time control: 3+2 is 3 minutes and 2 seconds a move, 40/7200 is 40 moves in 7200 seconds
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    pub(crate) time_control: Option<TimeControl>,
    /// 1-0, 0-1, 1/2-1/2 or *; with --player also win, draw or loss
    ///
    /// 1-0 is White's win; win, draw and loss are those of the player
    #[arg(long)]
    pub(crate) result: Option<Ending>,
    /// Played no earlier than this year, month or day: 1924, 1924-03, 1924-03-23, 2y
    ///
    /// 2y, 6m, 3w and 30d count years, months, weeks and days back from today. The date is that of the
    /// first of the tags Date, UTCDate and EventDate with a year
    #[arg(long, value_name = "DATE", value_parser = period)]
    pub(crate) since: Option<Period>,
    /// Played no later than this year, month or day
    #[arg(long, hide_short_help = true, value_name = "DATE", value_parser = period)]
    pub(crate) until: Option<Period>,
    /// Played in this year or range of years: 1999 or 1990-1995
    #[arg(long, value_name = "YEARS", conflicts_with_all = ["since", "until"], hide_short_help = true)]
    pub(crate) year: Option<Years>,
    /// Both players have at least this rating
    #[arg(long, value_name = "ELO")]
    pub(crate) min_elo: Option<u16>,
    /// Both players have a rating, and at most this one
    #[arg(long, value_name = "ELO", hide_short_help = true)]
    pub(crate) max_elo: Option<u16>,
    /// The game has at least this many half-moves
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub(crate) min_plies: Option<u32>,
    /// The game has at most this many half-moves
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub(crate) max_plies: Option<u32>,
    /// A sample of all games, of which the other conditions choose: 1%
    ///
    /// By a hash of the id and of --seed: the same command finds the same games, and later those again
    /// if the archive has grown
    #[arg(long, value_name = "N%", value_parser = share, hide_short_help = true)]
    pub(crate) sample: Option<f64>,
    /// Seed of --sample: another number selects another sample
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        requires = "sample",
        hide_short_help = true
    )]
    pub(crate) seed: u64,
    /// Any condition in SQL, such as "plies > 100"
    ///
    /// For parts of names: "white ilike '%tal%'". The columns are those of the table `games`: halfmove sql ARCHIVE
    /// "describe games"
    #[arg(long = "where", value_name = "SQL")]
    #[cfg_attr(not(feature = "sql"), arg(hide = true))]
    pub(crate) condition: Option<String>,
    // Last, since it begins a new heading of the help.
    #[command(flatten)]
    pub(crate) questions: Questions,
}

/// Parses a date, or one relative to today in UTC.
fn period(text: &str) -> Result<Period, PeriodError> {
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let today = i32::try_from(seconds.as_secs() / 86_400).ok().and_then(Period::of_day);
    today.map_or_else(|| text.parse(), |today| Period::parse_on(today, text))
}

/// Parses a percentage.
fn share(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%').and_then(|percent| percent.trim().parse::<f64>().ok());
    let share =
        percent.map(|percent| percent / 100.0).filter(|share| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| {
        "expected a percentage above 0% and up to 100%, such as 1% or 0.5%".to_owned()
    })
}

/// Parses one ECO code or more.
fn eco(text: &str) -> Result<EcoCodes, String> {
    text.parse().map_err(|error| match error {
        EcoError::Syntax => format!("{error} (for a name: --opening)"),
        _ => error.to_string(),
    })
}

/// A result of the game, or of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Result(GameResult),
    Player(PlayerResult),
}

impl std::str::FromStr for Ending {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let player = match text.to_ascii_lowercase().as_str() {
            "win" => PlayerResult::Win,
            "draw" => PlayerResult::Draw,
            "loss" => PlayerResult::Loss,
            _ => {
                let expected =
                    "expected 1-0, 0-1, 1/2-1/2 or *, or with --player: win, draw or loss";
                return text.parse().map(Self::Result).map_err(|_| expected.to_owned());
            }
        };
        Ok(Self::Player(player))
    }
}

/// The color of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Side {
    White,
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

/// The first and the last of some years.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Years(pub(crate) Period, pub(crate) Period);

impl std::str::FromStr for Years {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected =
            || "expected a year or a range of years, such as 1999 or 1990-1995".to_owned();
        let year = |text: &str| -> Result<Period, String> {
            let is_year = text.len() == 4 && text.bytes().all(|digit| digit.is_ascii_digit());
            text.parse().ok().filter(|_| is_year).ok_or_else(expected)
        };
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last) = (year(first)?, year(last)?);
        match last.is_before(first) {
            true => Err(format!("{last} is before {first}")),
            false => Ok(Self(first, last)),
        }
    }
}
