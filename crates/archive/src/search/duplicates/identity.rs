//! The identity of a game in 40 bytes: sums of the facts that are compared.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{Array, Int32Array};
use chrono::{Datelike, TimeDelta};
use halfmove_functions::tags::UNIX_EPOCH;
use halfmove_functions::words::{GAP, write_words};
use halfmove_game::codec::halfmove::plies;

use super::LEAST_PLIES;
use crate::columns::{Cache, Columns, Distinct, GamePlace, Group, Known, Rows, known_of, value};
use crate::error::ArchiveError;
use crate::search::names::{MAX_WORDS, Parts};

/// Stands for a missing date or year.
const NONE: i32 = i32::MIN;

/// A keyed hash of facts that are compared. Different facts have different sums: the keys are random for each search,
/// so crafted games cannot collide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Sum([u64; 2]);

impl Sum {
    /// The first half of the sum.
    pub(super) fn short(self) -> u64 {
        self.0[0]
    }
}

/// Computes sums, with the keys of one search.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    keys: [RandomState; 2],
    /// Names, because they recur.
    names: Mutex<HashMap<Box<str>, Name>>,
}

/// The number of names that are remembered before all are forgotten.
const MAX_NAMES: usize = 1 << 17;

impl Sums {
    pub(crate) fn of(&self, what: impl Hash) -> Sum {
        Sum(self.keys.each_ref().map(|keys| keys.hash_one(&what)))
    }

    /// A shorter sum, for facts that are compared only among games that have other facts in common.
    pub(super) fn short(&self, what: impl Hash) -> u64 {
        self.keys[0].hash_one(&what)
    }

    /// A short sum of moves.
    pub(super) fn moves(&self, moves: &[u8]) -> u64 {
        let mut hasher = self.keys[0].build_hasher();
        hasher.write(moves);
        hasher.finish()
    }

    pub(crate) fn name(&self, name: Option<&str>) -> Name {
        let name = name.unwrap_or_default();
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = names.get(name) {
            return *known;
        }
        let mut folded = String::with_capacity(name.len() + 2);
        write_words(name, &mut folded);
        let mut all: Vec<&str> = folded.split(GAP).filter(|word| !word.is_empty()).collect();
        all.sort_unstable();
        let mut surnames = [0; MAX_WORDS];
        let parts = Parts::of(name);
        surnames.iter_mut().zip(&parts.surnames).for_each(|(sum, word)| *sum = self.short(word));
        let count = parts.surnames.len() as u8;
        let new = Name { sum: self.short(&all), is_known: !all.is_empty(), surnames, count };
        if names.len() >= MAX_NAMES {
            names.clear();
        }
        names.insert(name.into(), new);
        new
    }
}

/// The sums of a player's name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name {
    /// The sum of its words in any order.
    sum: u64,
    /// True if it has any word.
    is_known: bool,
    /// The sums of the words that may be the surname.
    surnames: [u64; MAX_WORDS],
    count: u8,
}

impl Name {
    /// The sums of the words that may be the surname.
    pub(super) fn surnames(&self) -> &[u64] {
        &self.surnames[..usize::from(self.count)]
    }
}

/// The facts about a game that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Facts {
    /// The sum of the moves.
    pub(super) moves: u64,
    /// The sums of the names.
    pub(super) players: [u64; 2],
    pub(super) date: Date,
    /// The index in [`Results`](halfmove_game::tally::Results).
    pub(super) result: u8,
    /// True if the facts are too few: short games are often repeated, and two games without names prove nothing.
    /// Such games are the same only if their whole text is.
    pub(super) are_weak: bool,
    /// The number of half-moves.
    pub(super) plies: u32,
}

impl Facts {
    pub(super) fn of(
        sums: &Sums,
        moves: &[u8],
        players: &[Name; 2],
        date: Date,
        result: u8,
    ) -> Self {
        let plies = plies(moves);
        let are_weak = players.iter().any(|name| !name.is_known) || plies < LEAST_PLIES;
        let players = players.each_ref().map(|name| name.sum);
        Self { moves: sums.moves(moves), players, date, result, are_weak, plies }
    }
}

/// A date in the form that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Date {
    day: i32,
    year: i32,
    /// The known parts, if there is no day.
    known: Known,
}

impl Date {
    /// The date from the columns `date` and `year`, as if nothing more were known.
    pub(super) fn new(day: Option<i32>, year: Option<i32>) -> Self {
        Self { day: day.unwrap_or(NONE), year: year.unwrap_or(NONE), known: Known::default() }
    }

    /// Returns true if it has a day.
    pub(super) fn is_whole(self) -> bool {
        self.day != NONE
    }

    pub(super) fn year(self) -> Option<i32> {
        (self.year != NONE).then_some(self.year)
    }

    /// Year, month and day; 0 is unknown.
    pub(super) fn parts(self) -> (i32, u32, u32) {
        let days = TimeDelta::days(i64::from(self.day));
        let day = UNIX_EPOCH.checked_add_signed(days).filter(|_| self.is_whole());
        day.map_or_else(
            || (self.year().unwrap_or(0), u32::from(self.known.month), u32::from(self.known.day)),
            |day| (day.year(), day.month(), day.day()),
        )
    }

    /// The same date with further known parts.
    pub(super) fn with(self, known: Known) -> Self {
        Self { known, ..self }
    }
}

/// The columns of [`text`].
pub(crate) const TEXT: &[&str] = &[
    "event",
    "site",
    "round",
    "white",
    "black",
    "date",
    "year",
    "result",
    "white_elo",
    "black_elo",
    "eco",
    "variant",
    "start_fen",
    "tag_order",
    "other_tags",
    "annotations",
    "clocks",
    "evaluations",
];

/// The sum of the text of a game except its moves.
pub(crate) fn text(sums: &Sums, rows: &Rows<'_>, row: usize) -> Result<Sum, ArchiveError> {
    let tags = rows.row(row)?.join();
    let tags: Vec<(&str, &str)> = tags.iter().collect();
    let mut parts = Vec::new();
    for column in ["annotations", "clocks", "evaluations"] {
        parts.push(rows.bytes(column, row)?);
    }
    Ok(sums.of((tags, parts)))
}

/// The sums of the whole texts of some games, in the order of their places, for those whose whole text must be the
/// same: games with a fault, and games that are marked as having [too few facts](Facts::are_weak).
pub(super) fn texts_of(
    columns: &Columns,
    groups: &[Group],
    sums: &Sums,
    games: &[(GamePlace, bool)],
) -> Result<Vec<Option<Sum>>, ArchiveError> {
    let places: Vec<GamePlace> = games.iter().map(|(place, _)| *place).collect();
    let faulty = columns.by_group(groups, &places, |group, rows| {
        let faults = group.distinct("fault")?;
        Ok(rows.iter().map(|row| faults.number(*row as usize).is_some()).collect())
    })?;
    let is_weak = |number: usize| games[number].1 || faulty[number];
    let weak: Vec<GamePlace> =
        (0..games.len()).filter(|n| is_weak(*n)).map(|number| places[number]).collect();
    let texts = columns.at_places(groups, &weak, TEXT, |rows, row| text(sums, rows, row))?;
    let mut texts = texts.into_iter();
    let all = (0..games.len()).map(|n| if is_weak(n) { texts.next() } else { None });
    Ok(all.collect())
}

/// The columns of a row group that are compared, except the moves.
pub(super) struct Tags {
    players: [Names; 2],
    dates: Dates,
    results: Arc<[u8]>,
}

/// The names of a column, with the index of each row's name.
struct Names {
    texts: Distinct,
    /// The names computed so far.
    names: Vec<Option<Name>>,
    /// The name used for null.
    unknown: Name,
}

impl Tags {
    pub(super) fn of(group: &Group, cache: &Cache, sums: &Sums) -> Result<Self, ArchiveError> {
        let names = |column| {
            let texts = group.distinct(column)?;
            let names = vec![None; texts.texts().len()];
            Ok::<_, ArchiveError>(Names { texts, names, unknown: sums.name(None) })
        };
        Ok(Self {
            players: [names("white")?, names("black")?],
            dates: Dates::of(group, cache)?,
            results: group.results(cache)?,
        })
    }

    /// The names of White and Black.
    pub(super) fn players(&mut self, sums: &Sums, row: usize) -> [Name; 2] {
        self.players.each_mut().map(|Names { texts, names, unknown }| match texts.number(row) {
            Some(number) => {
                *names[number].get_or_insert_with(|| sums.name(Some(texts.texts().value(number))))
            }
            None => *unknown,
        })
    }

    /// The date, without the parts that only its [text](Self::known) has.
    pub(super) fn date(&self, row: usize) -> Date {
        self.dates.at(row)
    }

    /// The known parts of the dates of some rows, in ascending order, in addition to their columns.
    pub(super) fn known(
        &self,
        group: &Group,
        rows: impl Iterator<Item = u32> + Clone,
    ) -> Result<Vec<Known>, ArchiveError> {
        let is_whole = |row: u32| self.date(row as usize).is_whole();
        let others: Vec<u32> = rows.clone().filter(|row| !is_whole(*row)).collect();
        let mut known = known_of(group, &others)?.into_iter();
        let all = rows.map(|row| if is_whole(row) { None } else { known.next() });
        Ok(all.map(Option::unwrap_or_default).collect())
    }

    pub(super) fn result(&self, row: usize) -> u8 {
        self.results[row]
    }
}

/// The dates of a row group.
pub(super) struct Dates {
    days: Int32Array,
    years: Int32Array,
}

impl Dates {
    pub(super) fn of(group: &Group, cache: &Cache) -> Result<Self, ArchiveError> {
        let (days, years) = (group.numbers("date", cache)?, group.numbers("year", cache)?);
        Ok(Self { days, years })
    }

    pub(super) fn at(&self, row: usize) -> Date {
        Date::new(value(&self.days, row), value(&self.years, row))
    }
}
