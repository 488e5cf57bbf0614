//! What filters are made of on the command line.

use clap::ValueEnum;
use halfmove_archive::{Period, PlayerResult};
use halfmove_game::GameResult;
use halfmove_rules::Color;

/// A result, or how a game ended for the player.
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
        let expected = || "expected a year or two, as in 1999 or 1990-1995".to_owned();
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
