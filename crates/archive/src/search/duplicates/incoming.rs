//! Compares games that are being imported with each other and with those of the archive.
//!
//! Most of an archive need not be read for that: dates and results are compared first, and then the players and moves
//! of only those games that share them with a new one.

use std::collections::{HashMap, HashSet};

use arrow_array::RecordBatch;
use halfmove_game::tally::Results;

use super::details::{DETAILS, GameDetails, agreeing_in_details};
use super::identity::{Date, Dates, Facts, Sum, Sums, Tags, is_faulty, text, texts_of};
use crate::columns::{Columns, GamePlace, Group, Rows, known};
use crate::error::ArchiveError;

/// The games of an import.
#[derive(Debug, Default)]
pub(crate) struct Incoming {
    sums: Sums,
    /// Sums of their facts, in the order of the import.
    games: Vec<Sum>,
    /// For those whose whole text must be the same, by their numbers: this text, and true if they have a fault.
    texts: HashMap<usize, (Sum, bool)>,
    /// Dates, as far as the columns have them, and results.
    dates: HashSet<(Date, u8)>,
}

/// A game of an import that exists already. Games of an import are numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Twin {
    /// The number of the game in the import.
    pub(crate) number: usize,
    pub(crate) original: Original,
    pub(crate) is_faulty: bool,
}

/// The game of which another one is a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Original {
    /// The game of the archive with this id.
    Archive(i64),
    /// An earlier game of the import.
    Import(usize),
}

impl Incoming {
    /// Adds games.
    pub(crate) fn add(&mut self, batch: &RecordBatch) -> Result<(), ArchiveError> {
        let rows = Rows::of(batch);
        for row in 0..batch.num_rows() {
            let name = |column| Ok::<_, ArchiveError>(self.sums.name(rows.text(column, row)?));
            let date = Date::new(rows.date("date", row)?, rows.int("year", row)?);
            let result = Results::index(rows.text("result", row)?);
            self.dates.insert((date, result));
            let date = if date.is_whole() { date } else { date.with(known(&rows, row)?) };
            let (moves, players) = (rows.bytes("moves", row)?, [name("white")?, name("black")?]);
            let facts = Facts::of(&self.sums, moves, &players, date, result);
            let is_faulty = is_faulty(&rows, row)?;
            if is_faulty || facts.are_weak {
                let text = text(&self.sums, &rows, row)?;
                self.texts.insert(self.games.len(), (text, is_faulty));
            }
            self.games.push(self.sums.of(facts));
        }
        Ok(())
    }

    /// Forgets some games, by their numbers; the games after them move up.
    pub(crate) fn forget(&mut self, is_gone: impl Fn(usize) -> bool) {
        let mut texts = std::mem::take(&mut self.texts);
        let mut number = 0;
        let mut kept = 0;
        let (next, renumbered) = (&mut number, &mut self.texts);
        self.games.retain(|_| {
            let old = *next;
            *next += 1;
            let stays = !is_gone(old);
            if let Some(text) = texts.remove(&old).filter(|_| stays) {
                renumbered.insert(kept, text);
            }
            kept += usize::from(stays);
            stays
        });
    }

    /// The games that are in an archive, or come earlier in the import, in their order. `details` reads those of some games
    /// of the import, by their numbers in ascending order.
    pub(crate) fn twins(
        &self,
        columns: &Columns,
        details: impl FnOnce(&[usize]) -> Result<Vec<GameDetails>, ArchiveError>,
    ) -> Result<Vec<Twin>, ArchiveError> {
        let mut sorted: Vec<u64> = self.games.iter().map(|sum| sum.short()).collect();
        sorted.sort_unstable();
        let repeated = sorted.chunk_by(|one, two| one == two).filter(|same| same.len() > 1);
        let repeated: HashSet<u64> = repeated.map(|same| same[0]).collect();
        let groups = columns.groups()?;
        let there = self.in_archive(columns, &groups, &sorted)?;
        drop(sorted);
        let mut here: HashMap<Same, Vec<usize>> = HashMap::new();
        for (number, sum) in self.games.iter().enumerate() {
            let same = (*sum, self.texts.get(&number).map(|(text, _)| *text));
            if repeated.contains(&sum.short()) || there.contains_key(&same) {
                here.entry(same).or_default().push(number);
            }
        }
        here.retain(|same, numbers| numbers.len() > 1 || there.contains_key(same));
        // What they must not contradict is read of these games only.
        let mut numbers: Vec<usize> = here.values().flatten().copied().collect();
        numbers.sort_unstable();
        let details = details(&numbers)?;
        let stored = here.keys().filter_map(|same| there.get(same)).flatten();
        let mut stored: Vec<(GamePlace, i64)> = stored.copied().collect();
        stored.sort_unstable();
        let places: Vec<GamePlace> = stored.iter().map(|(place, _)| *place).collect();
        let stored_details = columns.at_places(&groups, &places, DETAILS, GameDetails::of)?;
        let mut twins = Vec::new();
        for (same, all) in &here {
            let old = there.get(same).into_iter().flatten().filter_map(|(place, id)| {
                let at = places.binary_search(place).ok()?;
                Some((Original::Archive(*id), stored_details.get(at)?))
            });
            let new = all.iter().filter_map(|number| {
                let at = numbers.binary_search(number).ok()?;
                Some((Original::Import(*number), details.get(at)?))
            });
            let games: Vec<(Original, &GameDetails)> = old.chain(new).collect();
            for group in agreeing_in_details(&games) {
                // The lowest id of the archive comes first, and games of the import in their order.
                let Some((original, copies)) = group.split_first() else { continue };
                for copy in copies {
                    let Original::Import(number) = *copy else { continue };
                    let is_faulty = self.texts.get(&number).is_some_and(|(_, is)| *is);
                    twins.push(Twin { number, original: *original, is_faulty });
                }
            }
        }
        twins.sort_unstable();
        Ok(twins)
    }

    /// The games of an archive that are among the new ones, with their places.
    fn in_archive(
        &self,
        columns: &Columns,
        groups: &[Group],
        sorted: &[u64],
    ) -> Result<HashMap<Same, Vec<(GamePlace, i64)>>, ArchiveError> {
        let numbers: Vec<usize> = (0..groups.len()).collect();
        let found = columns
            .each(&numbers, |number| self.in_group(columns, &groups[*number], *number, sorted))?;
        let found: Vec<Candidate> = found.into_iter().flatten().collect();
        let games: Vec<(GamePlace, bool)> =
            found.iter().map(|found| (found.place, found.is_weak)).collect();
        let texts = texts_of(columns, groups, &self.sums, &games)?;
        let mut there: HashMap<Same, Vec<(GamePlace, i64)>> = HashMap::new();
        for (found, text) in found.iter().zip(texts) {
            there.entry((found.sum, text)).or_default().push((found.place, found.id));
        }
        Ok(there)
    }

    /// The games of a row group with the sum of a new one, in the order of their rows. A few others may be among them.
    fn in_group(
        &self,
        columns: &Columns,
        group: &Group,
        number: usize,
        sorted: &[u64],
    ) -> Result<Vec<Candidate>, ArchiveError> {
        let cache = columns.cache();
        let (dates, results) = (Dates::of(group, cache)?, group.results(cache)?);
        let may_be_new = |row: &u32| {
            let row = *row as usize;
            self.dates.contains(&(dates.at(row), results[row])) && !group.is_deleted(row)
        };
        let rows: Vec<u32> = (0..group.rows() as u32).filter(may_be_new).collect();
        let mut all = Vec::new();
        if rows.is_empty() {
            return Ok(all);
        }
        let mut tags = Tags::of(group, cache, &self.sums)?;
        let known = tags.known(group, rows.iter().copied())?;
        let (moves, ids) = (group.moves(cache, rows.iter().copied())?, group.ids(cache)?);
        for (row, known) in rows.into_iter().zip(known) {
            let at = row as usize;
            let (players, date) = (tags.players(&self.sums, at), tags.date(at).with(known));
            let facts = Facts::of(&self.sums, moves.of(row), &players, date, tags.result(at));
            let sum = self.sums.of(facts);
            if sorted.binary_search(&sum.short()).is_ok() {
                let place = GamePlace { group: number as u32, row };
                all.push(Candidate { place, id: ids.of(row), sum, is_weak: facts.are_weak });
            }
        }
        Ok(all)
    }
}

/// The facts that two copies have in common: a sum of them, and their text if it counts.
type Same = (Sum, Option<Sum>);

/// A game of the archive with the sum of a new one.
struct Candidate {
    place: GamePlace,
    id: i64,
    sum: Sum,
    is_weak: bool,
}
