//! Games that are being imported, compared with each other and with those that are in the archive.
//!
//! Most of an archive need not be read for that: first the dates and results are compared, and only of the games that have those
//! of a new one the players and moves.

use std::collections::{HashMap, HashSet};

use datafusion::arrow::array::RecordBatch;

use super::identity::{Facts, More, Sum, Sums, Tags, date, is_faulty, known, text, value};
use crate::error::ArchiveError;
use crate::functions::explore::Results;
use crate::kernel::{Group, Place};
use crate::read::Rows;
use crate::store::Archive;

/// The games of an import.
#[derive(Debug, Default)]
pub(crate) struct Incoming {
    sums: Sums,
    /// In the order of the import: their sums, and whether they have a fault.
    games: Vec<(Sum, bool)>,
    /// What else must be the same, by their numbers; nothing for those that are not here.
    more: HashMap<usize, More>,
    dates: HashSet<((i32, i32), u8)>,
}

/// A game of an import that there is already. Games of an import are numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Twin {
    /// The number of the game in the import.
    pub(crate) number: usize,
    pub(crate) original: Original,
    pub(crate) is_faulty: bool,
}

/// What a game is a copy of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Original {
    /// The game of the archive with this id.
    Archive(i64),
    /// An earlier game of the import.
    Import(usize),
}

impl Incoming {
    /// Takes some more games.
    pub(crate) fn add(&mut self, batch: &RecordBatch) -> Result<(), ArchiveError> {
        let rows = Rows::of(batch);
        for row in 0..batch.num_rows() {
            let name = |column| Ok::<_, ArchiveError>(self.sums.name(rows.text(column, row)?));
            let facts = Facts {
                moves: rows.bytes("moves", row)?,
                players: [name("white")?, name("black")?],
                day: rows.date("date", row)?,
                year: rows.int("year", row)?,
                result: Results::index(rows.text("result", row)?),
            };
            let is_faulty = is_faulty(&rows, row)?;
            let mut more = (known(&rows, row)?, None);
            if is_faulty || facts.are_weak() {
                more.1 = Some(text(&self.sums, &rows, row)?);
            }
            if more != More::default() {
                self.more.insert(self.games.len(), more);
            }
            self.dates.insert((date(facts.day, facts.year), facts.result));
            self.games.push((facts.sum(&self.sums), is_faulty));
        }
        Ok(())
    }

    /// Forgets some games, by their numbers; those behind them move up.
    pub(crate) fn forget(&mut self, gone: &HashSet<usize>) {
        let mut more = std::mem::take(&mut self.more);
        let mut number = 0;
        let mut kept = 0;
        let (next, renumbered) = (&mut number, &mut self.more);
        self.games.retain(|_| {
            let old = *next;
            *next += 1;
            let stays = !gone.contains(&old);
            if let Some(more) = more.remove(&old).filter(|_| stays) {
                renumbered.insert(kept, more);
            }
            kept += usize::from(stays);
            stays
        });
    }

    /// Those that are in an archive, or come earlier in the import, in their order.
    pub(crate) fn twins(&self, archive: &Archive) -> Result<Vec<Twin>, ArchiveError> {
        let mut sorted: Vec<Sum> = self.games.iter().map(|(sum, _)| *sum).collect();
        sorted.sort_unstable();
        let repeated = sorted.chunk_by(|one, two| one == two).filter(|same| same.len() > 1);
        let repeated: HashSet<Sum> = repeated.map(|same| same[0]).collect();
        sorted.dedup();
        let there = self.in_archive(archive, &sorted)?;
        let mut twins = Vec::new();
        let mut first_of: HashMap<Same, usize> = HashMap::new();
        for (number, (sum, is_faulty)) in self.games.iter().enumerate() {
            let same = (*sum, self.more.get(&number).copied().unwrap_or_default());
            let original = match (there.get(&same), first_of.get(&same)) {
                (Some(id), _) => Original::Archive(*id),
                (None, Some(first)) => Original::Import(*first),
                (None, None) => {
                    if repeated.contains(sum) {
                        first_of.insert(same, number);
                    }
                    continue;
                }
            };
            twins.push(Twin { number, original, is_faulty: *is_faulty });
        }
        Ok(twins)
    }

    /// The games of an archive that are among the new ones: the lowest id of each.
    fn in_archive(
        &self,
        archive: &Archive,
        sorted: &[Sum],
    ) -> Result<HashMap<Same, i64>, ArchiveError> {
        let groups = archive.groups()?;
        let numbers: Vec<usize> = (0..groups.len()).collect();
        let found = archive.each(&numbers, |number, _| {
            self.in_group(archive, &groups[*number], *number, sorted)
        })?;
        let found: Vec<Found> = found.into_iter().flatten().collect();
        let games: Vec<(Place, bool)> =
            found.iter().map(|found| (found.place, found.is_weak)).collect();
        let more = archive.more(&groups, &self.sums, &games)?;
        let mut there: HashMap<Same, i64> = HashMap::new();
        for (found, more) in found.iter().zip(more) {
            let id = there.entry((found.sum, more)).or_insert(found.id);
            *id = found.id.min(*id);
        }
        Ok(there)
    }

    /// The games of a row group with the sum of a new one, in the order of their rows.
    fn in_group(
        &self,
        archive: &Archive,
        group: &Group,
        number: usize,
        sorted: &[Sum],
    ) -> Result<Vec<Found>, ArchiveError> {
        let cache = archive.cache();
        let (days, years) = (group.numbers("date", cache)?, group.numbers("year", cache)?);
        let results = group.results(cache)?;
        let may_be_new = |row: &u32| {
            let row = *row as usize;
            let date = date(value(&days, row), value(&years, row));
            self.dates.contains(&(date, results[row])) && !group.is_deleted(row)
        };
        let rows: Vec<u32> = (0..group.rows() as u32).filter(may_be_new).collect();
        let mut all = Vec::new();
        if rows.is_empty() {
            return Ok(all);
        }
        let tags = Tags::of(group, cache, &self.sums)?;
        let (moves, ids) = (group.moves(cache, rows.iter().copied())?, group.ids(cache)?);
        for row in rows {
            let facts = tags.facts(row as usize, moves.of(row));
            let sum = facts.sum(&self.sums);
            if sorted.binary_search(&sum).is_ok() {
                let place = Place { group: number, row };
                all.push(Found { place, id: ids.of(row), sum, is_weak: facts.are_weak() });
            }
        }
        Ok(all)
    }
}

/// What two games have in common that are the same.
type Same = (Sum, More);

/// A game of the archive with the sum of a new one.
struct Found {
    place: Place,
    id: i64,
    sum: Sum,
    is_weak: bool,
}
