//! The order of the games in a list.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, TimestampMicrosecondType};
use arrow_array::{Array, Int32Array, TimestampMicrosecondArray};

use halfmove_functions::words::GAP;

use super::facts::Facts;
use crate::columns::{Cache, Columns, FoldedTexts, Group, Ids, value};
use crate::error::ArchiveError;
use crate::filter::{Sort, SortBy};

/// The order of games, and the maximum number to list.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Order {
    pub(crate) sort: Sort,
    pub(crate) limit: usize,
}

impl Order {
    /// Returns true if the games are listed by ascending id.
    pub(super) fn is_by_id(self) -> bool {
        self.sort == Sort::default()
    }

    /// The ranks of the texts of each row group, if the games are sorted by texts.
    pub(super) fn ranks(
        self,
        columns: &Columns,
        groups: &[Group],
    ) -> Result<Vec<Arc<Ranked>>, ArchiveError> {
        let name = match self.sort.by {
            SortBy::White | SortBy::Black | SortBy::Eco | SortBy::Event if self.limit > 0 => {
                self.sort.by.name()
            }
            _ => return Ok(Vec::new()),
        };
        let numbers: Vec<usize> = (0..groups.len()).collect();
        let texts =
            columns.each(&numbers, |number| groups[*number].words(name, columns.cache()))?;
        let mut all: Vec<&str> = texts.iter().flat_map(|texts| texts.texts()).collect();
        all.sort_unstable();
        all.dedup();
        let rank = |text: &str| match text.trim_matches(GAP).is_empty() {
            true => None,
            false => all.binary_search(&text).ok().map(|rank| rank as i64),
        };
        let ranked =
            texts.iter().map(|texts| Ranked { texts: texts.clone(), ranks: texts.each(rank) });
        Ok(ranked.map(Arc::new).collect())
    }

    /// The sort keys of the games of a row group. `ranked` are the [ranks](Self::ranks) of its texts.
    pub(super) fn keys(
        self,
        group: &Group,
        cache: &Cache,
        ranked: Option<&Arc<Ranked>>,
    ) -> Result<Keys, ArchiveError> {
        let by = match self.sort.by {
            SortBy::Id => SortKeys::Ids(group.ids(cache)?),
            SortBy::Date => {
                let utc = group.read("utc_timestamp", 0..group.rows())?;
                let utc = utc.as_primitive_opt::<TimestampMicrosecondType>().cloned();
                let times = group.read("time_of_day", 0..group.rows())?;
                let times = times.as_primitive_opt::<Int32Type>().cloned();
                SortKeys::Dates {
                    facts: Facts::of(group, cache)?,
                    utc: utc.ok_or_else(|| group.wrong("utc_timestamp"))?,
                    times: times.ok_or_else(|| group.wrong("time_of_day"))?,
                }
            }
            SortBy::Rating => SortKeys::Ratings(Facts::of(group, cache)?),
            SortBy::Plies => SortKeys::Plies(group.numbers("plies", cache)?),
            SortBy::Result => SortKeys::Results(group.results(cache)?),
            SortBy::White | SortBy::Black | SortBy::Eco | SortBy::Event => {
                let ranked = ranked.ok_or_else(|| group.wrong(self.sort.by.name()))?;
                SortKeys::Texts(Arc::clone(ranked))
            }
        };
        Ok(Keys { by, is_descending: self.sort.is_descending })
    }
}

/// The texts of a column in a row group, each with its rank among those of all row groups.
#[derive(Debug)]
pub(super) struct Ranked {
    texts: Arc<FoldedTexts>,
    /// `None` for texts without words.
    ranks: Vec<Option<i64>>,
}

/// More than the largest [`time_of_day`].
const SECONDS: i64 = 1 << 20;

/// A number for a time on a day, above 0: later times are larger. The day is that of the players, the time in
/// microseconds that of UTC, so it may be on the day before or after. Without it, `seconds` since midnight count.
fn time_of_day(day: i64, utc: Option<i64>, seconds: Option<i32>) -> i64 {
    const DAY: i64 = 86_400;
    let utc = utc.map(|micros| micros.div_euclid(1_000_000) - day * DAY);
    let seconds = utc.or(seconds.map(i64::from));
    seconds.map_or(0, |seconds| seconds.clamp(-DAY, 2 * DAY) + DAY + 1)
}

/// The sort keys of the games of a row group.
#[derive(Debug)]
pub(super) struct Keys {
    by: SortKeys,
    is_descending: bool,
}

#[derive(Debug)]
enum SortKeys {
    Ids(Ids),
    Dates { facts: Facts, utc: TimestampMicrosecondArray, times: Int32Array },
    Ratings(Facts),
    Plies(Int32Array),
    Results(Arc<[u8]>),
    Texts(Arc<Ranked>),
}

impl Keys {
    /// The key of a row. Smaller keys come first, and games without a value last.
    pub(super) fn of(&self, row: u32) -> i64 {
        let key = match &self.by {
            SortKeys::Ids(ids) => Some(ids.of(row)),
            SortKeys::Plies(plies) => value(plies, row as usize).map(i64::from),
            SortKeys::Results(results) => {
                Some(i64::from(results[row as usize])).filter(|result| *result < 3)
            }
            SortKeys::Texts(ranked) => ranked.ranks[ranked.texts.number(row as usize)],
            SortKeys::Ratings(facts) => match facts.ratings(row) {
                [Some(white), Some(black)] => Some(i64::from(white) + i64::from(black)),
                _ => None,
            },
            SortKeys::Dates { facts, utc, times } => facts.when(row).map(|when| {
                let time = |day| {
                    let utc = utc.is_valid(row as usize).then(|| utc.value(row as usize));
                    time_of_day(day, utc, value(times, row as usize))
                };
                when.number() * SECONDS + when.day().map_or(0, time)
            }),
        };
        match key {
            Some(key) if self.is_descending => -key,
            Some(key) => key,
            None => i64::MAX,
        }
    }
}
