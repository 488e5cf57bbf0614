//! The side of a filter's player, and the results of the player's games.

use std::sync::Arc;

use halfmove_game::tally::Results;
use halfmove_rules::Color;

use super::named::Named;
use super::score::{Score, Side};
use crate::columns::{Cache, FoldedTexts, Group};
use crate::error::ArchiveError;
use crate::filter::{Filter, PlayerResult};

/// A player whose games are searched.
#[derive(Debug, Clone)]
pub(crate) struct Player {
    name: Named,
    opponent: Option<Named>,
    color: Option<Color>,
    result: Option<PlayerResult>,
}

impl Player {
    /// The player of a valid filter.
    pub(super) fn of(filter: &Filter) -> Option<Self> {
        let of_player = |text: &str| Named::of_player(text, filter.exact_names);
        Some(Self {
            name: of_player(filter.player.as_deref()?)?,
            opponent: filter.opponent.as_deref().and_then(of_player),
            color: filter.color,
            result: filter.player_result,
        })
    }

    /// The side of the player in the games of a row group.
    pub(super) fn sides(&self, group: &Group, cache: &Cache) -> Result<Sides, ArchiveError> {
        let seat = |column, color| {
            let texts = group.words(column, cache)?;
            let mut are_player = self.name.are(&texts);
            if self.color.is_some_and(|required| required != color) {
                are_player.fill(false);
            }
            let opponents = self.opponent.as_ref().map(|name| name.are(&texts));
            Ok::<_, ArchiveError>(Seat { texts, are_player, opponents })
        };
        let (white, black) = (seat("white", Color::White)?, seat("black", Color::Black)?);
        let result = match self.result {
            None => None,
            Some(required) => {
                // In the order of `Results`.
                let [for_white, for_black] = match required {
                    PlayerResult::Win => [0, 2],
                    PlayerResult::Draw => [1, 1],
                    PlayerResult::Loss => [2, 0],
                };
                Some((group.results(cache)?, for_white, for_black))
            }
        };
        Ok(Sides { white, black, result })
    }
}

/// The names on one side of the board.
#[derive(Debug)]
struct Seat {
    texts: Arc<FoldedTexts>,
    /// For each text of the column, true if it is the player's name.
    are_player: Vec<bool>,
    /// The same for the opponent's name, if the filter has an opponent.
    opponents: Option<Vec<bool>>,
}

impl Seat {
    fn may_be_opponent(&self, name: usize) -> bool {
        self.opponents.as_ref().is_none_or(|names| names[name])
    }
}

/// The side of the player, game by game.
#[derive(Debug)]
pub(crate) struct Sides {
    white: Seat,
    black: Seat,
    /// The results, and the required ones if the player has White or Black.
    result: Option<(Arc<[u8]>, u8, u8)>,
}

impl Sides {
    /// The side in a row; `None` if the game does not match.
    pub(super) fn of(&self, row: usize) -> Option<Side> {
        let Self { white, black, result } = self;
        let (first, second) = (white.texts.number(row), black.texts.number(row));
        let (mut has_white, mut has_black) = (white.are_player[first], black.are_player[second]);
        if !has_white && !has_black {
            return None;
        }
        has_white &= black.may_be_opponent(second);
        has_black &= white.may_be_opponent(first);
        if let Some((results, for_white, for_black)) = result {
            has_white &= results[row] == *for_white;
            has_black &= results[row] == *for_black;
        }
        match (has_white, has_black) {
            (true, false) => Some(Side::White),
            (false, true) => Some(Side::Black),
            (true, true) => Some(Side::Both),
            (false, false) => None,
        }
    }

    /// The score of the player in some games.
    pub(super) fn score(&self, rows: &[u32], results: &[u8]) -> Score {
        let mut of_sides = [Results::default(); Side::COUNT];
        for row in rows {
            if let Some(side) = self.of(*row as usize) {
                of_sides[side as usize].count(results[*row as usize]);
            }
        }
        Score::of(&of_sides)
    }
}
