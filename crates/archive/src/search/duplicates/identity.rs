//! What makes two games the same, in 40 bytes.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{Array, Int32Array};
use halfmove_functions::words::{GAP, write_words};
use halfmove_game::codec::halfmove::plies;

use super::LEAST_PLIES;
use crate::columns::{Cache, Columns, Distinct, GamePlace, Group, Known, Rows, known_of, value};
use crate::error::ArchiveError;
use crate::search::names::{MOST_WORDS, Parts};

/// For a date or a year that is not there.
const NONE: i32 = i32::MIN;

/// Stands for something that is compared. Two things that differ have different ones: the keys are drawn anew for each search,
/// so nobody can make games that seem to be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Sum([u64; 2]);

impl Sum {
    /// The half of it.
    pub(super) fn short(self) -> u64 {
        self.0[0]
    }
}

/// Makes sums.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    keys: [RandomState; 2],
    /// Names come again and again.
    names: Mutex<HashMap<Box<str>, Name>>,
}

/// The number of names that are remembered before all are forgotten.
const MOST_NAMES: usize = 1 << 19;

impl Sums {
    pub(crate) fn of(&self, what: impl Hash) -> Sum {
        Sum(self.keys.each_ref().map(|keys| keys.hash_one(&what)))
    }

    /// A shorter one, for what is compared only among games that have something else in common.
    pub(super) fn short(&self, what: impl Hash) -> u64 {
        self.keys[0].hash_one(&what)
    }

    /// A short one of moves.
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
        let mut surnames = [0; MOST_WORDS];
        let parts = Parts::of(name);
        surnames.iter_mut().zip(&parts.surnames).for_each(|(sum, word)| *sum = self.short(word));
        let count = parts.surnames.len() as u8;
        let new = Name { sum: self.short(&all), is_known: !all.is_empty(), surnames, count };
        if names.len() >= MOST_NAMES {
            names.clear();
        }
        names.insert(name.into(), new);
        new
    }
}

/// The name of a player.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name {
    /// Of its words in any order.
    sum: u64,
    /// True if there is any word in it.
    is_known: bool,
    /// Of the words that may be the surname, so many of them.
    surnames: [u64; MOST_WORDS],
    count: u8,
}

impl Name {
    /// The words that may be the surname.
    pub(super) fn surnames(&self) -> &[u64] {
        &self.surnames[..usize::from(self.count)]
    }
}

/// What is compared of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Facts {
    /// A sum of them.
    pub(super) moves: u64,
    /// Sums of the names.
    pub(super) players: [u64; 2],
    pub(super) date: Date,
    /// As an index of [`Results`](halfmove_game::tally::Results).
    pub(super) result: u8,
    /// True if they say too little: so few moves are played again and again, and two games of nobody are not of the same.
    /// Such games are the same only if their whole text is.
    pub(super) are_weak: bool,
}

impl Facts {
    pub(super) fn of(
        sums: &Sums,
        moves: &[u8],
        players: &[Name; 2],
        date: Date,
        result: u8,
    ) -> Self {
        let are_weak = players.iter().any(|name| !name.is_known) || plies(moves) < LEAST_PLIES;
        let players = players.each_ref().map(|name| name.sum);
        Self { moves: sums.moves(moves), players, date, result, are_weak }
    }
}

/// A date as it is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Date {
    day: i32,
    year: i32,
    /// Where there is no day.
    known: Known,
}

impl Date {
    /// Out of the columns `date` and `year`, as if no more was known.
    pub(super) fn new(day: Option<i32>, year: Option<i32>) -> Self {
        Self { day: day.unwrap_or(NONE), year: year.unwrap_or(NONE), known: Known::default() }
    }

    /// True if it is a whole one.
    pub(super) fn is_whole(self) -> bool {
        self.day != NONE
    }

    pub(super) fn year(self) -> Option<i32> {
        (self.year != NONE).then_some(self.year)
    }

    /// The same with what else is known.
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

/// All that the text of a game says beside its moves.
pub(crate) fn text(sums: &Sums, rows: &Rows<'_>, row: usize) -> Result<Sum, ArchiveError> {
    let tags = rows.row(row)?.join();
    let tags: Vec<(&str, &str)> = tags.iter().collect();
    let mut parts = Vec::new();
    for column in ["annotations", "clocks", "evaluations"] {
        parts.push(rows.bytes(column, row)?);
    }
    Ok(sums.of((tags, parts)))
}

/// True if a game has a fault. What comes after that is not among its moves, so it may be any game.
pub(crate) fn is_faulty(rows: &Rows<'_>, row: usize) -> Result<bool, ArchiveError> {
    Ok(rows.text("fault", row)?.is_some())
}

/// The whole texts of those games in some places, in ascending order, for which that must be the same: because they have a fault, or
/// [say too little](Facts::are_weak), as each is marked.
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

/// What rows of a row group say beside their moves.
pub(super) struct Tags {
    players: [Names; 2],
    dates: Dates,
    results: Arc<[u8]>,
}

/// The names of a column, and which of them each row has.
struct Names {
    texts: Distinct,
    /// Those that were asked for.
    names: Vec<Option<Name>>,
    /// Where there is none.
    nobody: Name,
}

impl Tags {
    pub(super) fn of(group: &Group, cache: &Cache, sums: &Sums) -> Result<Self, ArchiveError> {
        let names = |column| {
            let texts = group.distinct(column)?;
            let names = vec![None; texts.texts().len()];
            Ok::<_, ArchiveError>(Names { texts, names, nobody: sums.name(None) })
        };
        Ok(Self {
            players: [names("white")?, names("black")?],
            dates: Dates::of(group, cache)?,
            results: group.results(cache)?,
        })
    }

    /// White and Black.
    pub(super) fn players(&mut self, sums: &Sums, row: usize) -> [Name; 2] {
        self.players.each_mut().map(|Names { texts, names, nobody }| match texts.number(row) {
            Some(number) => {
                *names[number].get_or_insert_with(|| sums.name(Some(texts.texts().value(number))))
            }
            None => *nobody,
        })
    }

    /// The date, without what only its [text](Self::known) says.
    pub(super) fn date(&self, row: usize) -> Date {
        self.dates.at(row)
    }

    /// The known parts of the dates of some rows, in ascending order, beside their columns.
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
