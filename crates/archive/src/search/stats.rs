//! Games counted by decade, opening and rating.

use std::collections::BTreeMap;

use halfmove_game::openings::EcoCode;
use halfmove_game::tally::Results;

use super::eco::Codes;
use super::facts::Facts;
use super::matching::Matcher;
use super::score::Score;
use crate::columns::{Columns, Group, value};
use crate::error::ArchiveError;
use crate::filter::Filter;

/// Some games in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// The results of the games.
    pub results: Results,
    /// The score of the player; `None` if the filter names none.
    pub score: Option<Score>,
    /// The number of half-moves in these games.
    pub plies: u64,
    /// The results by the first year of the decade; `None` is unknown.
    pub decades: BTreeMap<Option<i32>, Results>,
    /// The results by the first letter of the ECO code, from `A` to `E`: that of the tag, or if it is not a code, that of
    /// the opening, by the positions. `None` if there is neither.
    pub eco: BTreeMap<Option<char>, Results>,
    /// The results by the mean of both ratings, as the lowest rating of a band of [`RATING_BAND`]; `None` if one of
    /// them is unknown.
    pub ratings: BTreeMap<Option<i32>, Results>,
}

/// The width of a band of ratings in [`Stats`].
pub const RATING_BAND: i32 = 200;

impl Stats {
    fn add(&mut self, more: &Self) {
        self.results.add(&more.results);
        self.plies += more.plies;
        add_all(&mut self.decades, &more.decades);
        add_all(&mut self.eco, &more.eco);
        add_all(&mut self.ratings, &more.ratings);
    }
}

fn add_all<K: Ord + Copy>(all: &mut BTreeMap<K, Results>, more: &BTreeMap<K, Results>) {
    for (key, results) in more {
        all.entry(*key).or_default().add(results);
    }
}

/// Counts the games that match a filter by decade, opening and rating.
pub(crate) fn stats(columns: &Columns, filter: &Filter) -> Result<Stats, ArchiveError> {
    let matcher = Matcher::of(filter)?;
    let (mut all, mut score) = (Stats::default(), Score::default());
    for (some, its_score) in columns.each_group(|group| count_in(columns, group, &matcher))? {
        all.add(&some);
        score += its_score;
    }
    all.score = filter.player.is_some().then_some(score);
    Ok(all)
}

/// The games of a row group that match, and the score of the player.
fn count_in(
    columns: &Columns,
    group: &Group,
    matcher: &Matcher,
) -> Result<(Stats, Score), ArchiveError> {
    let (mut stats, mut score) = (Stats::default(), Score::default());
    let (rows, sides) = matcher.rows(columns, group)?;
    if rows.is_empty() {
        return Ok((stats, score));
    }
    let cache = columns.cache();
    let (results, facts) = (group.results(cache)?, Facts::of(group, cache)?);
    let plies = group.numbers("plies", cache)?;
    let codes = Codes::of(group, cache, rows.iter().copied())?;
    if let Some(sides) = sides {
        score = sides.score(&rows, &results);
    }
    for row in rows {
        let (at, result) = (row as usize, results[row as usize]);
        stats.results.count(result);
        stats.plies += value(&plies, at).and_then(|plies| u64::try_from(plies).ok()).unwrap_or(0);
        let year = facts.when(row).and_then(|when| Some(when.period()?.year()));
        let decade = year.map(|year| 10 * year.div_euclid(10));
        stats.decades.entry(decade).or_default().count(result);
        stats.eco.entry(codes.code(row).map(EcoCode::volume)).or_default().count(result);
        let band = match facts.ratings(row) {
            [Some(white), Some(black)] => {
                // Ratings are positive, and their mean is not above the higher one.
                let mean = (i64::from(white) + i64::from(black)) / 2;
                i32::try_from(mean).ok().map(|mean| mean / RATING_BAND * RATING_BAND)
            }
            _ => None,
        };
        stats.ratings.entry(band).or_default().count(result);
    }
    Ok((stats, score))
}
