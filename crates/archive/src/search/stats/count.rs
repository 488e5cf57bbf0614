//! Counts the games of a row group by what their tags say.

use halfmove_game::replay::Candidate;

use super::ask::Ask;
use super::facts::{Facts, value};
use super::group::Group;
use super::tags::Wanted;
use crate::error::ArchiveError;
use crate::score::Score;
use crate::stats::{RATING_BAND, Stats};
use crate::store::Archive;

impl Archive {
    /// Those that are wanted and say yes to all that is asked, and how they ended for the player.
    pub(crate) fn count_in(
        &self,
        group: &Group,
        asks: &[Ask],
        wanted: &Wanted,
        candidates: &mut Vec<Candidate>,
    ) -> Result<(Stats, Score), ArchiveError> {
        let (mut stats, mut score) = (Stats::default(), Score::default());
        let (rows, sides) = self.rows_with(asks, wanted, group, candidates)?;
        if rows.is_empty() {
            return Ok((stats, score));
        }
        let cache = self.cache();
        let (results, facts) = (group.results(cache)?, Facts::of(group, cache)?);
        let (plies, eco) = (group.numbers("plies", cache)?, group.texts("eco", cache)?);
        let letters = eco.each(letter);
        if let Some(sides) = sides {
            score = sides.score(&rows, &results);
        }
        for row in rows {
            let (at, result) = (row as usize, results[row as usize]);
            stats.results.count(result);
            stats.plies +=
                value(&plies, at).and_then(|plies| u64::try_from(plies).ok()).unwrap_or(0);
            let year = facts.when(row).and_then(|when| Some(when.period()?.year()));
            let decade = year.map(|year| 10 * year.div_euclid(10));
            stats.decades.entry(decade).or_default().count(result);
            stats.eco.entry(letters[eco.number(at)]).or_default().count(result);
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
}

/// The letter of an ECO code in lower case.
fn letter(text: &str) -> Option<char> {
    text.chars()
        .next()
        .filter(|letter| matches!(letter, 'a'..='e'))
        .map(|letter| letter.to_ascii_uppercase())
}
