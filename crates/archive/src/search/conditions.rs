//! Conditions on tags and ids, evaluated on columns in memory: once for each distinct text, then for each row by its
//! index.

use std::ops::RangeInclusive;

use halfmove_functions::words::Words;
use halfmove_game::openings::EcoCodes;
use halfmove_game::tally::Results;
use halfmove_game::{Speed, TimeControl};
use roaring::RoaringTreemap;

use super::eco::Codes;
use super::named::Named;
use super::sides::{Player, Sides};
use crate::columns::{Cache, Group, known_of, value};
use crate::error::ArchiveError;
use crate::filter::{Bound, Filter, Named as NamedOpenings, Sample};

/// The conditions of a search, except those on positions and moves.
#[derive(Debug, Default)]
pub(crate) struct RowConditions {
    /// Conditions on tags, all of them.
    pub(crate) tags: Vec<Condition>,
    /// The player whose games are searched.
    pub(crate) player: Option<Player>,
    /// The ids of the games that may match; `None` for all.
    pub(crate) ids: Option<RoaringTreemap>,
    /// The sample to which they belong; `None` for all.
    pub(crate) sample: Option<Sample>,
}

/// A condition on tags.
#[derive(Debug)]
pub(crate) enum Condition {
    /// The column has the words, or is the name.
    Holds(&'static str, Named),
    /// The column equals the text, in any case.
    Is(&'static str, String),
    /// The tag is one of the codes; if a game's tag is not a code, the code of its opening.
    Eco(EcoCodes),
    /// The opening is one of those named.
    Opening(NamedOpenings),
    /// The game has one of these speeds.
    Speeds(Vec<Speed>),
    /// The first period of the time control is this one.
    TimeControl(TimeControl),
    /// The result has this index in [`Results`].
    Result(u8),
    /// Both players have a rating in this range.
    Rated { least: i32, most: i32 },
    /// Both players have a rating, and the mean of both is in one of these ranges.
    MeanRating(Vec<RangeInclusive<u16>>),
    /// The number of half-moves is in this range.
    Plies { least: i32, most: i32 },
    /// Not before this day, as far as the date is known.
    Since(Bound),
    /// Not after this day, as far as the date is known.
    Until(Bound),
}

impl RowConditions {
    /// The conditions of a filter, except those on positions and moves.
    pub(crate) fn of(filter: &Filter) -> Result<Self, ArchiveError> {
        filter.check()?;
        let (tags, player) = (conditions(filter), Player::of(filter));
        Ok(Self { tags, player, ids: filter.ids.clone(), sample: filter.sample })
    }

    /// Returns true if every game matches.
    pub(crate) fn is_all(&self) -> bool {
        let has_set = self.ids.is_some() || self.sample.is_some();
        self.tags.is_empty() && self.player.is_none() && !has_set
    }

    /// Keeps the rows of a row group that match and are not deleted. Returns the player's side in them, if the filter
    /// has a player and any game may match.
    pub(super) fn retain<T>(
        &self,
        group: &Group,
        cache: &Cache,
        rows: &mut Vec<T>,
        row: impl Fn(&T) -> u32,
    ) -> Result<Option<Sides>, ArchiveError> {
        if group.has_deleted() {
            rows.retain(|item| !group.is_deleted(row(item) as usize));
        }
        if let Some(ids) = &self.ids
            && !rows.is_empty()
        {
            let set = group.ids(cache)?.rows(ids, group.rows());
            rows.retain(|item| set.has(row(item)));
        }
        if let Some(sample) = self.sample
            && !rows.is_empty()
        {
            let ids = group.ids(cache)?;
            rows.retain(|item| sample.has(ids.of(row(item))));
        }
        for condition in &self.tags {
            if rows.is_empty() {
                break;
            }
            condition.retain(group, cache, rows, &row)?;
        }
        let Some(player) = self.player.as_ref().filter(|_| !rows.is_empty()) else {
            return Ok(None);
        };
        let sides = player.sides(group, cache)?;
        rows.retain(|item| sides.of(row(item) as usize).is_some());
        Ok(Some(sides))
    }
}

impl Condition {
    fn retain<T>(
        &self,
        group: &Group,
        cache: &Cache,
        rows: &mut Vec<T>,
        row: impl Fn(&T) -> u32,
    ) -> Result<(), ArchiveError> {
        let at = |item: &T| row(item) as usize;
        match self {
            Self::Holds(column, named) => {
                let texts = group.words(column, cache)?;
                let set = named.are(&texts);
                rows.retain(|item| set[texts.number(at(item))]);
            }
            Self::Is(column, text) => {
                let texts = group.texts(column, cache)?;
                let set = texts.equal(text);
                rows.retain(|item| set[texts.number(at(item))]);
            }
            Self::Eco(codes) => {
                let found = Codes::of(group, cache, rows.iter().map(&row))?;
                rows.retain(|item| found.code(row(item)).is_some_and(|code| codes.has(code)));
            }
            Self::Opening(named) => {
                let openings = group.openings(cache)?;
                rows.retain(|item| named.has(openings.of(at(item))));
            }
            Self::Speeds(speeds) => {
                let texts = group.texts("speed", cache)?;
                let set = texts.each(|text| speeds.iter().any(|speed| speed.name() == text));
                rows.retain(|item| set[texts.number(at(item))]);
            }
            Self::TimeControl(control) => {
                let texts = group.texts("time_control", cache)?;
                let set = texts.each(|text| TimeControl::of_tag(text) == Some(*control));
                rows.retain(|item| set[texts.number(at(item))]);
            }
            Self::Result(result) => {
                let results = group.results(cache)?;
                rows.retain(|item| results[at(item)] == *result);
            }
            Self::Rated { least, most } => {
                let [white, black] =
                    [group.numbers("white_elo", cache)?, group.numbers("black_elo", cache)?];
                let elo = |elos, row| value(elos, row).unwrap_or(UNRATED);
                rows.retain(|item| {
                    let (white, black) = (elo(&white, at(item)), elo(&black, at(item)));
                    white.min(black) >= *least && white.max(black) <= *most
                });
            }
            Self::MeanRating(ranges) => {
                let [white, black] =
                    [group.numbers("white_elo", cache)?, group.numbers("black_elo", cache)?];
                let elo = |elos, row| value(elos, row).filter(|elo| *elo > 0);
                rows.retain(|item| {
                    let (white, black) = (elo(&white, at(item)), elo(&black, at(item)));
                    let mean = white.zip(black).map(|(white, black)| white.midpoint(black));
                    let is_in = |range: &RangeInclusive<u16>, mean: i32| {
                        (i32::from(*range.start())..=i32::from(*range.end())).contains(&mean)
                    };
                    mean.is_some_and(|mean| ranges.iter().any(|range| is_in(range, mean)))
                });
            }
            Self::Plies { least, most } => {
                let plies = group.numbers("plies", cache)?;
                let range = *least..=*most;
                rows.retain(|item| value(&plies, at(item)).is_some_and(|it| range.contains(&it)));
            }
            Self::Since(bound) => {
                retain_dates(*bound, group, cache, rows, row, |found, it| found >= it)?;
            }
            Self::Until(bound) => {
                retain_dates(*bound, group, cache, rows, row, |found, it| found <= it)?;
            }
        }
        Ok(())
    }
}

/// Keeps the rows whose date is, or may be, on the right side of a bound.
fn retain_dates<T>(
    bound: Bound,
    group: &Group,
    cache: &Cache,
    rows: &mut Vec<T>,
    row: impl Fn(&T) -> u32,
    is_within: impl Fn(i32, i32) -> bool,
) -> Result<(), ArchiveError> {
    let (days, years) = (group.numbers("date", cache)?, group.numbers("year", cache)?);
    let (day_of, year_of) =
        (|row: u32| value(&days, row as usize), |row: u32| value(&years, row as usize));
    // Of all others, day or year decide. In the year of the bound, the month may decide, unless all months are within
    // it.
    let all_months = is_within(1, bound.month) && is_within(12, bound.month);
    let is_open =
        |row: &u32| !all_months && day_of(*row).is_none() && year_of(*row) == Some(bound.year);
    let mut open: Vec<u32> = rows.iter().map(&row).filter(is_open).collect();
    open.sort_unstable();
    open.dedup();
    let known = known_of(group, &open)?;
    let month_of = |row: u32| {
        let month = known[open.binary_search(&row).ok()?].month;
        (month > 0).then_some(i32::from(month))
    };
    let may_be_within = |row: u32| match (day_of(row), year_of(row)) {
        (Some(day), _) => is_within(day, bound.day),
        (None, Some(year)) if year == bound.year => {
            month_of(row).is_none_or(|month| is_within(month, bound.month))
        }
        (None, year) => year.is_some_and(|year| is_within(year, bound.year)),
    };
    rows.retain(|item| may_be_within(row(item)));
    Ok(())
}

/// The conditions of a filter on tags, the fastest ones first.
fn conditions(filter: &Filter) -> Vec<Condition> {
    let mut all = Vec::new();
    let variant = filter.required_variant();
    all.extend(variant.map(|variant| Condition::Is("variant", folded(variant.name()))));
    if let Some(result) = filter.result {
        all.push(Condition::Result(Results::index(Some(&result.to_string()))));
    }
    if !filter.speeds.is_empty() {
        all.push(Condition::Speeds(filter.speeds.clone()));
    }
    all.extend(filter.time_control.map(Condition::TimeControl));
    if filter.min_elo.is_some() || filter.max_elo.is_some() {
        // Some programs write zero if there is no rating.
        let least = filter.min_elo.map_or(1, |elo| i32::from(elo).max(1));
        let most = filter.max_elo.map_or(i32::MAX, i32::from);
        all.push(Condition::Rated { least, most });
    }
    if !filter.mean_elo.is_empty() {
        all.push(Condition::MeanRating(filter.mean_elo.clone()));
    }
    if filter.min_plies.is_some() || filter.max_plies.is_some() {
        let plies = |plies| i32::try_from(plies).unwrap_or(i32::MAX);
        let least = filter.min_plies.map_or(0, plies);
        let most = filter.max_plies.map_or(i32::MAX, plies);
        all.push(Condition::Plies { least, most });
    }
    all.extend(filter.since.map(|period| Condition::Since(period.first())));
    all.extend(filter.until.map(|period| Condition::Until(period.last())));
    let names = [("white", &filter.white), ("black", &filter.black)];
    let texts = [("event", &filter.event), ("site", &filter.site)];
    let of_player = |text: &str| Named::of_player(text, filter.exact_names);
    let names = names.map(|(column, text)| (column, text.as_deref().and_then(of_player)));
    let of_text = |text: &str| Words::of_text(text).map(Named::Words);
    let texts = texts.map(|(column, text)| (column, text.as_deref().and_then(of_text)));
    for (column, named) in names.into_iter().chain(texts) {
        all.extend(named.map(|named| Condition::Holds(column, named)));
    }
    // These may have to read moves.
    all.extend(filter.eco.map(Condition::Eco));
    let named = filter.opening.as_deref().and_then(|text| NamedOpenings::parse(text).ok());
    all.extend(named.map(Condition::Opening));
    all
}

/// Below all ratings.
const UNRATED: i32 = i32::MIN;

/// The text in lower case. It is a code of ASCII letters and digits.
fn folded(text: &str) -> String {
    text.to_ascii_lowercase()
}
