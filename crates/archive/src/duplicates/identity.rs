//! What makes two games the same, in 16 bytes.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

use datafusion::arrow::array::{Array, Int32Array};
use halfmove_game::codec::halfmove::plies;

use super::LEAST_PLIES;
use crate::error::ArchiveError;
use crate::kernel::{Cache, Distinct, Group, Place};
use crate::names::{MOST_WORDS, Parts, words};
use crate::read::Rows;
use crate::store::Archive;

/// For a date or a year that is not there.
const NONE: i32 = i32::MIN;

/// Stands for something that is compared. Two things that differ have different ones: the keys are drawn anew for each search,
/// so nobody can make games that seem to be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Sum([u64; 2]);

/// Makes sums.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    keys: [RandomState; 2],
    /// Names come again and again.
    names: Mutex<HashMap<Box<str>, Name>>,
}

/// How many names are remembered before all are forgotten.
const MOST_NAMES: usize = 1 << 19;

impl Sums {
    pub(crate) fn of(&self, what: impl Hash) -> Sum {
        Sum(self.keys.each_ref().map(|keys| keys.hash_one(&what)))
    }

    /// A shorter one, for what is looked at again.
    pub(super) fn short(&self, what: impl Hash) -> u64 {
        self.keys[0].hash_one(&what)
    }

    pub(crate) fn name(&self, name: Option<&str>) -> Name {
        let name = name.unwrap_or_default();
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = names.get(name) {
            return *known;
        }
        let mut all = words(name);
        all.sort_unstable();
        let mut surnames = [0; MOST_WORDS];
        let parts = Parts::of(name);
        surnames.iter_mut().zip(&parts.surnames).for_each(|(sum, word)| *sum = self.short(word));
        let count = parts.surnames.len() as u8;
        let new = Name { sum: self.of(&all), is_known: !all.is_empty(), surnames, count };
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
    pub(super) sum: Sum,
    /// Whether there is any word in it.
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
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts<'a> {
    pub(crate) moves: &'a [u8],
    pub(crate) players: [Name; 2],
    pub(crate) day: Option<i32>,
    pub(crate) year: Option<i32>,
    /// As an index of [`Results`](crate::Results).
    pub(crate) result: u8,
}

impl Facts<'_> {
    pub(crate) fn sum(&self, sums: &Sums) -> Sum {
        let Self { moves, players, result, .. } = *self;
        sums.of((moves, players.map(|name| name.sum), date(self.day, self.year), result))
    }

    /// Whether they say too little: so few moves are played again and again, and two games of nobody are not of the same.
    /// Such games are the same only if their whole text is.
    pub(crate) fn are_weak(&self) -> bool {
        self.players.iter().any(|name| !name.is_known) || !is_long(self.moves, LEAST_PLIES)
    }
}

/// Whether a game has so many half-moves.
pub(crate) fn is_long(moves: &[u8], least: u32) -> bool {
    moves.len() >= least as usize && plies(moves) >= least
}

/// A date as it is compared.
pub(crate) fn date(day: Option<i32>, year: Option<i32>) -> (i32, i32) {
    (day.unwrap_or(NONE), year.unwrap_or(NONE))
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

/// As much of a month and a day as is known of a date that is not whole: of `1987.02.??` the month.
pub(crate) type Known = [Option<u32>; 2];

/// The columns of [`known`], and the one that says whether there is a fault.
pub(crate) const KNOWN: &[&str] = &["date", "other_tags", "fault"];

/// What the text of a date says beside the year. Whole dates are in a column, and compared as such.
pub(crate) fn known(rows: &Rows<'_>, row: usize) -> Result<Known, ArchiveError> {
    let mut known = Known::default();
    if rows.date("date", row)?.is_none()
        && let Some((_, date)) = rows.other_tags(row)?.iter().find(|(name, _)| name == "Date")
    {
        let parts = date.split(['.', '-', '/']).skip(1);
        for (known, part) in known.iter_mut().zip(parts) {
            *known = part.trim().parse().ok().filter(|number| *number > 0);
        }
    }
    Ok(known)
}

/// What two games must have in common beside their [sum](Facts::sum): what is known of their dates, and if they say too little,
/// their whole text.
pub(crate) type More = (Known, Option<Sum>);

/// Whether a game has a fault. What comes behind that is not among its moves, so it may be any game.
pub(crate) fn is_faulty(rows: &Rows<'_>, row: usize) -> Result<bool, ArchiveError> {
    Ok(rows.text("fault", row)?.is_some())
}

impl Archive {
    /// What else must be the same of games in some places, which rise. Of each is said whether it [says too
    /// little](Facts::are_weak).
    pub(super) fn more(
        &self,
        groups: &[Group],
        sums: &Sums,
        games: &[(Place, bool)],
    ) -> Result<Vec<More>, ArchiveError> {
        let places: Vec<Place> = games.iter().map(|(place, _)| *place).collect();
        let facts = self.at_places(groups, &places, KNOWN, |rows, row| {
            Ok((known(rows, row)?, is_faulty(rows, row)?))
        })?;
        let is_weak = |number: usize| games[number].1 || facts[number].1;
        let weak: Vec<Place> =
            (0..games.len()).filter(|n| is_weak(*n)).map(|number| places[number]).collect();
        let texts = self.at_places(groups, &weak, TEXT, |rows, row| text(sums, rows, row))?;
        let mut texts = texts.into_iter();
        let more = facts.iter().enumerate().map(|(number, (known, _))| {
            (*known, if is_weak(number) { texts.next() } else { None })
        });
        Ok(more.collect())
    }
}

/// What rows of a row group say beside their moves.
pub(super) struct Tags {
    players: [Names; 2],
    days: Int32Array,
    years: Int32Array,
    results: Arc<[u8]>,
}

/// The names of a column, and which of them each row has.
struct Names {
    texts: Distinct,
    names: Vec<Name>,
    /// Where there is none.
    nobody: Name,
}

impl Tags {
    pub(super) fn of(group: &Group, cache: &Cache, sums: &Sums) -> Result<Self, ArchiveError> {
        let names = |column| {
            let texts = group.distinct(column)?;
            let names = texts.texts().iter().map(|name| sums.name(name)).collect();
            Ok::<_, ArchiveError>(Names { texts, names, nobody: sums.name(None) })
        };
        Ok(Self {
            players: [names("white")?, names("black")?],
            days: group.numbers("date", cache)?,
            years: group.numbers("year", cache)?,
            results: group.results(cache)?,
        })
    }

    pub(super) fn facts<'a>(&self, row: usize, moves: &'a [u8]) -> Facts<'a> {
        let name = |names: &Names| match names.texts.number(row) {
            Some(number) => names.names[number],
            None => names.nobody,
        };
        Facts {
            moves,
            players: self.players.each_ref().map(name),
            day: value(&self.days, row),
            year: value(&self.years, row),
            result: self.results[row],
        }
    }
}

/// A number, `None` for null.
pub(crate) fn value(numbers: &Int32Array, row: usize) -> Option<i32> {
    numbers.is_valid(row).then(|| numbers.value(row))
}
