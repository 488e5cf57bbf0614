//! Scores of a player, in groups by opening, opponent, year and the like.

mod groups;

use std::cmp::Reverse;
use std::collections::HashMap;

use halfmove_game::tally::Results;

use self::groups::{Scored, scored_in};
use super::matching::Matcher;
use super::names::sorted_words;
use super::ratings::Ratings;
use super::score::Score;
use crate::columns::Columns;
use crate::error::{ArchiveError, FilterError};
use crate::filter::{Filter, Period};

/// The value by which [`Archive::scores`](crate::Archive::scores) groups games. Games without the value form a group,
/// too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ScoresBy {
    /// The first part of the name of the opening, which is determined by the positions of the game: `Sicilian Defense`.
    Opening,
    /// The first two parts of that name: `Sicilian Defense: Najdorf Variation`.
    Variation,
    /// The ECO code, as in [`Filter::eco`]: `B90`, by the tag `ECO`, or if that is not a code, by the positions.
    Eco,
    /// The ECO code of the opening, by the positions alone. The tag `ECO`, which another program may have written, is not
    /// used.
    PositionEco,
    /// The color of the player: `white`, `black`, or `both` in games between two of that name. Needs [`Filter::player`].
    Color,
    /// The opponent of the player. Names with the same words, in any order, without titles and brackets, are one
    /// opponent; the group has the spelling with the most games. Needs [`Filter::player`].
    ///
    /// In a game between two players of the name, the opponent is unknown.
    Opponent,
    /// The year.
    Year,
    /// The month: `1924-03`. It is unknown in a game of which only the year is known.
    Month,
    /// The tag `Event`, as it is written.
    Event,
    /// The tag `TimeControl`, as it is written.
    TimeControl,
    /// The speed, by the tag `TimeControl`: `blitz`.
    Speed,
}

/// Games with a common value, and their results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScoreGroup {
    /// The common value; `None` if it is unknown. An event or a time control of `?` is unknown.
    pub value: Option<String>,
    /// The results of the games.
    pub results: Results,
    /// The score of the player; `None` if the filter names none.
    pub score: Option<Score>,
    /// The mean rating of the player's opponents, in the games that were won, drawn or lost.
    pub average_opponent_rating: Option<i32>,
    /// The player's performance rating in these games, as that of [`Details::performance`](crate::Details::performance).
    pub performance: Option<i32>,
    /// The date of the last game: a day, or a year if that is all that is known.
    pub last_played: Option<Period>,
}

impl ScoreGroup {
    fn of((value, scored): (Option<String>, Scored), is_scored: bool) -> Self {
        let results = scored.results();
        let ratings = Ratings::of(&scored.sums);
        Self {
            value,
            results,
            score: is_scored.then(|| Score::of(&scored.of_sides)),
            average_opponent_rating: ratings.average_opponent,
            performance: ratings.performance,
            last_played: ratings.last_played,
        }
    }
}

/// The games that match a filter in groups, those with the most games first, then by name.
pub(crate) fn scores(
    columns: &Columns,
    filter: &Filter,
    by: ScoresBy,
) -> Result<Vec<ScoreGroup>, ArchiveError> {
    let of_player = match by {
        ScoresBy::Color => Some("color"),
        ScoresBy::Opponent => Some("opponent"),
        _ => None,
    };
    let is_scored = filter.player.is_some();
    if let Some(field) = of_player.filter(|_| !is_scored) {
        return Err(FilterError::NoPlayer { field }.into());
    }
    let matcher = Matcher::of(filter)?;
    let all = columns.each_group(|group| scored_in(columns, group, by, &matcher))?;
    let mut groups = sum(all.into_iter().flatten());
    if by == ScoresBy::Opponent {
        groups = joined(groups);
    }
    Ok(groups.into_iter().map(|group| ScoreGroup::of(group, is_scored)).collect())
}

type Named = (Option<String>, Scored);

/// Joins adjacent groups of the same name, in order.
fn sum(groups: impl Iterator<Item = Named>) -> Vec<Named> {
    let mut all: HashMap<Option<String>, Scored> = HashMap::new();
    for (name, scored) in groups {
        all.entry(name).or_default().add(&scored);
    }
    let mut all: Vec<Named> = all.into_iter().collect();
    sort(&mut all);
    all
}

/// Sorts by descending number of games, then by name; a group of unknown value comes last among equals.
fn sort(groups: &mut [Named]) {
    groups.sort_unstable_by(|(one, scored), (two, other)| {
        let games = |scored: &Scored| Reverse(scored.results().games());
        let by_games = games(scored).cmp(&games(other));
        by_games.then_with(|| (one.is_none(), one).cmp(&(two.is_none(), two)))
    });
}

/// Joins the names of players that have the same words, under the one that comes first.
fn joined(groups: Vec<Named>) -> Vec<Named> {
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut joined: Vec<Named> = Vec::with_capacity(groups.len());
    for (name, scored) in groups {
        // Without a letter or digit, the name is unknown.
        let words = sorted_words(name.as_deref().unwrap_or_default());
        let name = name.filter(|_| !words.is_empty());
        let number = *known.entry(words).or_insert(joined.len());
        match joined.get_mut(number) {
            Some((_, all)) => all.add(&scored),
            None => joined.push((name, scored)),
        }
    }
    sort(&mut joined);
    joined
}
