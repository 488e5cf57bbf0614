//! The players of an archive, and which of them may be the same.

mod similar;

use std::cmp::Reverse;
use std::collections::HashMap;

use halfmove_functions::words::{Words, write_words};
use halfmove_game::tally::Results;

pub(in crate::search) use self::similar::Name as Reading;
pub(super) use self::similar::are_several_players;
pub(crate) use self::similar::similar_players;
pub use self::similar::{Likeness, SimilarPlayers};
use super::facts::rating;
use super::score::{Score, Side};
use crate::columns::{Columns, Group, value};
use crate::error::{ArchiveError, FilterError};

/// A player: a name as it is spelled in some games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlayerSummary {
    /// The name.
    pub name: String,
    /// The number of games with this name.
    pub games: u64,
    /// The year of the earliest of them that has one.
    pub first_year: Option<i32>,
    /// The year of the latest of them that has one.
    pub last_year: Option<i32>,
    /// The highest rating.
    pub highest_elo: Option<i32>,
    /// The score of the player.
    pub score: Score,
}

/// The statistics of a name.
#[derive(Debug, Clone, Copy, Default)]
struct Record {
    games: u64,
    years: Option<(i32, i32)>,
    elo: Option<i32>,
    results: [Results; Side::COUNT],
}

impl Record {
    fn count(&mut self, side: Side, result: u8, year: Option<i32>, elo: Option<i32>) {
        self.games += 1;
        self.add_years(year.map(|year| (year, year)));
        self.elo = self.elo.max(elo);
        self.results[side as usize].count(result);
    }

    fn add_years(&mut self, years: Option<(i32, i32)>) {
        self.years = match (self.years, years) {
            (Some(one), Some(two)) => Some((one.0.min(two.0), one.1.max(two.1))),
            (one, two) => one.or(two),
        };
    }

    fn add(&mut self, more: &Self) {
        self.games += more.games;
        self.add_years(more.years);
        self.elo = self.elo.max(more.elo);
        self.results.iter_mut().zip(&more.results).for_each(|(all, more)| all.add(more));
    }

    fn summary(&self, name: String) -> PlayerSummary {
        PlayerSummary {
            name,
            games: self.games,
            first_year: self.years.map(|years| years.0),
            last_year: self.years.map(|years| years.1),
            highest_elo: self.elo,
            score: Score::of(&self.results),
        }
    }
}

/// The players with the most games first; with a text, only those whose names match it.
pub(crate) fn players(
    columns: &Columns,
    name: Option<&str>,
) -> Result<Vec<PlayerSummary>, ArchiveError> {
    let words = words_of(name)?;
    let mut players = all_players(columns)?;
    players.retain(|player| is_match(&player.name, words.as_ref()));
    Ok(players)
}

/// All names that have a word, those with the most games first.
fn all_players(columns: &Columns) -> Result<Vec<PlayerSummary>, ArchiveError> {
    let mut all: HashMap<String, Record> = HashMap::new();
    for some in columns.each_group(|group| records(columns, group))? {
        for (name, record) in some {
            all.entry(name).or_default().add(&record);
        }
    }
    let mut players: Vec<PlayerSummary> =
        all.into_iter().map(|(name, record)| record.summary(name)).collect();
    players.sort_unstable_by(|one, two| {
        let by_games = Reverse(one.games).cmp(&Reverse(two.games));
        by_games.then_with(|| one.name.cmp(&two.name))
    });
    Ok(players)
}

/// The words of a text to search for.
fn words_of(name: Option<&str>) -> Result<Option<Words>, ArchiveError> {
    let words = name.map(|text| {
        Words::of_name(text)
            .ok_or_else(|| FilterError::NoWord { field: "player", text: text.to_owned() })
    });
    Ok(words.transpose()?)
}

fn is_match(name: &str, words: Option<&Words>) -> bool {
    words.is_none_or(|words| {
        let mut folded = String::new();
        write_words(name, &mut folded);
        words.are_in(&folded)
    })
}

/// Returns true if a name has a letter or a digit.
fn is_name(name: &str) -> bool {
    let mut folded = String::new();
    write_words(name, &mut folded);
    !folded.trim().is_empty()
}

/// The statistics of the names in a row group.
fn records(columns: &Columns, group: &Group) -> Result<HashMap<String, Record>, ArchiveError> {
    let cache = columns.cache();
    let [white, black] = [group.distinct("white")?, group.distinct("black")?];
    let [elo_of_white, elo_of_black] =
        [group.numbers("white_elo", cache)?, group.numbers("black_elo", cache)?];
    let years = group.numbers("year", cache)?;
    let results = group.results(cache)?;
    // A name has one number, with either color.
    let mut known: HashMap<&str, usize> = HashMap::new();
    let [of_white, of_black] = [&white, &black].map(|names| {
        let numbers = names.texts().iter().map(|name| {
            let next = known.len();
            *known.entry(name.unwrap_or_default()).or_insert(next)
        });
        numbers.collect::<Vec<usize>>()
    });
    let mut all = vec![Record::default(); known.len()];
    for row in (0..group.rows()).filter(|row| !group.is_deleted(*row)) {
        let (year, result) = (value(&years, row), results[row]);
        let elos = [rating(&elo_of_white, row), rating(&elo_of_black, row)];
        let white = white.number(row).map(|name| of_white[name]);
        let black = black.number(row).map(|name| of_black[name]);
        match (white, black) {
            (Some(one), Some(two)) if one == two => {
                all[one].count(Side::Both, result, year, elos[0].max(elos[1]));
            }
            (white, black) => {
                let sides = [(white, Side::White, elos[0]), (black, Side::Black, elos[1])];
                for (name, side, elo) in sides {
                    if let Some(name) = name {
                        all[name].count(side, result, year, elo);
                    }
                }
            }
        }
    }
    let names = known.into_iter().filter(|(name, number)| all[*number].games > 0 && is_name(name));
    Ok(names.map(|(name, number)| (name.to_owned(), all[number])).collect())
}
