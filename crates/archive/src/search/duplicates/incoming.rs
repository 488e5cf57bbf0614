//! Compares games of an import with each other and with those of the archive.
//!
//! ```text
//!  new games ──▶ sums of their facts ──▶ sort ──▶ repeated, or those of a game of the archive ──▶ text, details
//!               8 bytes each, some                (all others are done)
//!               millions at a time
//! ```
//!
//! A whole collection may be imported again, so of repeated games, too, only sums are kept: of the facts, the text and
//! the details. Where details differ, they are read again and compared, some games at a time.
//!
//! Most of an archive need not be read for that: dates and results are compared first, and then the players and moves
//! of only those games that share them with a new one.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use super::details::{DETAILS, GameDetails, agreeing_in_details};
use super::identity::{Date, Dates, Facts, Sum, Sums, Tags, texts_of};
use crate::columns::{Columns, GamePlace, Group};
use crate::error::ArchiveError;

/// The number of new games whose sums are in memory at a time, 16 bytes each with their places. If there are more, the
/// sums are compared in parts, and the games are read once for each part.
const MAX_AT_ONCE: u64 = 4 * 1024 * 1024;

/// The number of games whose details are in memory at a time, some hundred bytes each.
const MAX_DETAILS: usize = 256 * 1024;

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

/// The games of an import that are in the archive, or come earlier in the import, in their order. `new` are the files of
/// the import, in the order of the games.
pub(crate) fn repeated(new: &Columns, archive: &Columns) -> Result<Vec<Twin>, ArchiveError> {
    let games: u64 = new.files().iter().map(|file| file.games).sum();
    repeated_in_parts(new, archive, games.div_ceil(MAX_AT_ONCE).max(1), MAX_DETAILS)
}

/// Like [`repeated`], with a given number of parts, and a given number of games whose details are in memory at a time.
fn repeated_in_parts(
    new: &Columns,
    archive: &Columns,
    parts: u64,
    max_details: usize,
) -> Result<Vec<Twin>, ArchiveError> {
    let sums = Sums::default();
    let new = Side::of(new)?;
    let archive = Side::of(archive)?;
    let dates = new.dates()?;
    let mut first = 0;
    let firsts: Vec<usize> = new
        .groups
        .iter()
        .map(|group| {
            let this = first;
            first += group.rows();
            this
        })
        .collect();
    let mut twins = Vec::new();
    for part in 0..parts {
        let is_here = |short: u64| short % parts == part;
        let all = new.sums(&sums, first / parts as usize, |_, _| true, is_here)?;
        let is_new = |short: u64| all.binary_search_by_key(&short, |(new, _)| *new).is_ok();
        let old = archive.sums(&sums, 0, |date, result| dates.contains(&(date, result)), is_new)?;
        let there: HashSet<u64> = old.iter().map(|(short, _)| *short).collect();
        let same = all.chunk_by(|one, two| one.0 == two.0);
        let same = same.filter(|same| same.len() > 1 || there.contains(&same[0].0));
        let mut places: Vec<GamePlace> = same.flatten().map(|(_, place)| *place).collect();
        drop(all);
        places.sort_unstable();
        let mut members = new.members(&sums, &places, |place, _| {
            Original::Import(firsts[place.group as usize] + place.row as usize)
        })?;
        let mut places: Vec<GamePlace> = old.into_iter().map(|(_, place)| place).collect();
        places.sort_unstable();
        members.extend(archive.members(&sums, &places, |_, id| Original::Archive(id))?);
        members.sort_unstable_by_key(|member| (member.same, member.game));
        let mut others: Vec<&[Member]> = Vec::new();
        for same in members.chunk_by(|one, two| one.same == two.same) {
            match same.iter().all(|member| member.details == same[0].details) {
                true => twins.extend(copies(same)),
                false => others.push(same),
            }
        }
        let sides = [&new, &archive];
        let mut rest = others.as_slice();
        while !rest.is_empty() {
            let mut games = 0;
            let fitting = rest.iter().take_while(|same| {
                games += same.len();
                games <= max_details
            });
            let (portion, others) = rest.split_at(fitting.count().max(1));
            rest = others;
            for (same, details) in portion.iter().zip(details_of(portion, sides)?) {
                let games: Vec<(usize, &GameDetails)> = details.iter().enumerate().collect();
                for group in agreeing_in_details(&games) {
                    let group: Vec<Member> = group.iter().map(|member| same[*member]).collect();
                    twins.extend(copies(&group));
                }
            }
        }
    }
    twins.sort_unstable();
    Ok(twins)
}

/// The copies among games that are the same. The lowest id of the archive comes first, and games of the import in their
/// order.
fn copies(same: &[Member]) -> impl Iterator<Item = Twin> {
    let original = same.first().map(|member| member.game);
    same.iter().skip(1).filter_map(move |copy| match *copy {
        Member { game: Original::Import(number), is_faulty, .. } => {
            Some(Twin { number, original: original?, is_faulty })
        }
        _ => None,
    })
}

/// The details of some games, of the import and of the archive.
fn details_of(
    games: &[&[Member]],
    sides: [&Side<'_>; 2],
) -> Result<Vec<Vec<GameDetails>>, ArchiveError> {
    let of = |is_new: bool, side: &Side<'_>| {
        let members = games.iter().copied().flatten();
        let members = members.filter(|member| matches!(member.game, Original::Import(_)) == is_new);
        let mut places: Vec<GamePlace> = members.map(|member| member.place).collect();
        places.sort_unstable();
        let details = side.columns.at_places(&side.groups, &places, DETAILS, GameDetails::of)?;
        Ok::<_, ArchiveError>(places.into_iter().zip(details).collect::<HashMap<_, _>>())
    };
    let [new, archive] = sides;
    let (mut new, mut archive) = (of(true, new)?, of(false, archive)?);
    let all = games.iter().map(|same| {
        let details = same.iter().map(|member| match member.game {
            Original::Import(_) => new.remove(&member.place),
            Original::Archive(_) => archive.remove(&member.place),
        });
        details.map(Option::unwrap_or_default).collect()
    });
    Ok(all.collect())
}

/// A game that may be a copy.
#[derive(Clone, Copy)]
struct Member {
    /// A sum of the facts that two copies have in common, and of their text if it counts.
    same: Sum,
    game: Original,
    place: GamePlace,
    /// A sum of the details.
    details: u64,
    is_faulty: bool,
}

/// The games of the import, or those of the archive.
struct Side<'a> {
    columns: &'a Columns,
    groups: Vec<Group>,
}

impl<'a> Side<'a> {
    fn of(columns: &'a Columns) -> Result<Self, ArchiveError> {
        Ok(Self { columns, groups: columns.groups()? })
    }

    /// The dates, as far as the columns have them, with the results.
    fn dates(&self) -> Result<HashSet<(Date, u8)>, ArchiveError> {
        let cache = self.columns.cache();
        let all = Mutex::new(HashSet::new());
        self.columns.each(&self.groups, |group| {
            let (dates, results) = (Dates::of(group, cache)?, group.results(cache)?);
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            all.extend((0..group.rows()).map(|row| (dates.at(row), results[row])));
            Ok(())
        })?;
        Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// The first halves of the sums of the games whose date and result, and then whose sum, match, in ascending
    /// order. About `expected` games are found.
    fn sums(
        &self,
        sums: &Sums,
        expected: usize,
        is_dated: impl Fn(Date, u8) -> bool + Sync,
        is_here: impl Fn(u64) -> bool + Sync,
    ) -> Result<Vec<(u64, GamePlace)>, ArchiveError> {
        let (numbers, cache): (Vec<usize>, _) =
            ((0..self.groups.len()).collect(), self.columns.cache());
        // One list of the right size: joining one list per row group would need twice the memory.
        let all = Mutex::new(Vec::with_capacity(expected));
        self.columns.each(&numbers, |number| {
            let group = &self.groups[*number];
            let (dates, results) = (Dates::of(group, cache)?, group.results(cache)?);
            let rows = (0..group.rows() as u32).filter(|row| {
                let row = *row as usize;
                is_dated(dates.at(row), results[row]) && !group.is_deleted(row)
            });
            let rows: Vec<u32> = rows.collect();
            let facts = self.facts(sums, group, &rows)?;
            let shorts = rows.iter().zip(facts).map(|(row, facts)| {
                let place = GamePlace { group: *number as u32, row: *row };
                (sums.of(facts).short(), place)
            });
            let here: Vec<(u64, GamePlace)> = shorts.filter(|(short, _)| is_here(*short)).collect();
            all.lock().unwrap_or_else(PoisonError::into_inner).extend(here);
            Ok(())
        })?;
        let mut all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        all.sort_unstable();
        Ok(all)
    }

    /// The facts of some games of a row group, in the order of their rows.
    fn facts(&self, sums: &Sums, group: &Group, rows: &[u32]) -> Result<Vec<Facts>, ArchiveError> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let cache = self.columns.cache();
        let mut tags = Tags::of(group, cache, sums)?;
        let known = tags.known(group, rows.iter().copied())?;
        let moves = group.moves(cache, rows.iter().copied())?;
        let facts = rows.iter().zip(known).map(|(row, known)| {
            let at = *row as usize;
            let (players, date) = (tags.players(sums, at), tags.date(at).with(known));
            Facts::of(sums, moves.of(*row), &players, date, tags.result(at))
        });
        Ok(facts.collect())
    }

    /// Sums of everything that is compared of some games, in the order of their places.
    fn members(
        &self,
        sums: &Sums,
        places: &[GamePlace],
        game: impl Fn(&GamePlace, i64) -> Original + Sync,
    ) -> Result<Vec<Member>, ArchiveError> {
        let (columns, groups) = (self.columns, &self.groups);
        let details = columns.at_places(groups, places, DETAILS, |rows, row| {
            Ok(sums.short(GameDetails::of(rows, row)?))
        })?;
        let read = columns.by_group(groups, places, |group, rows| {
            let (ids, faults) = (group.ids(columns.cache())?, group.distinct("fault")?);
            let facts = self.facts(sums, group, rows)?;
            let read = rows.iter().zip(facts).map(|(row, facts)| {
                let is_faulty = faults.number(*row as usize).is_some();
                (sums.of(facts), ids.of(*row), is_faulty, facts.are_weak || is_faulty)
            });
            Ok(read.collect())
        })?;
        let weak = places.iter().zip(&read).filter(|(_, (.., is_weak))| *is_weak);
        let weak: Vec<(GamePlace, bool)> = weak.map(|(place, _)| (*place, true)).collect();
        let mut texts = texts_of(columns, groups, sums, &weak)?.into_iter().flatten();
        let all = places.iter().zip(read).zip(details);
        let all = all.map(|((place, (facts, id, is_faulty, is_weak)), details)| {
            let text = if is_weak { texts.next() } else { None };
            let same = text.map_or(facts, |text| sums.of((facts, text)));
            Member { same, game: game(place, id), place: *place, details, is_faulty }
        });
        Ok(all.collect())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{Archive, ArchiveOptions, Importer};

    /// A game of its own number, with a round.
    fn game(number: usize, round: &str) -> String {
        let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5";
        format!(
            "[White \"A{number}\"]\n[Black \"B\"]\n[Date \"1990.01.01\"]\n[Round \"{round}\"]\n\n{moves} *\n\n"
        )
    }

    fn columns(path: &Path, text: String) -> Result<Columns, ArchiveError> {
        let mut importer = Importer::open(path)?;
        importer.read_pgn([Ok(std::io::Cursor::new(text))], &mut ())?;
        importer.commit()?;
        assert!(!Archive::open(path)?.is_empty());
        Columns::open(path, &ArchiveOptions::default())
    }

    /// The result does not depend on the number of parts.
    #[test]
    fn sums_in_parts() -> Result<(), ArchiveError> {
        let folder = tempfile::tempdir().map_err(ArchiveError::Input)?;
        let old: String = (0..40).map(|number| game(number, "1")).collect();
        let new = (20..60).map(|number| game(number, if number % 4 == 0 { "2" } else { "?" }));
        let new: String = new.chain((50..55).map(|number| game(number, "?"))).collect();
        let old = columns(&folder.path().join("old"), old)?;
        let new = columns(&folder.path().join("new"), new)?;
        let whole = repeated(&new, &old)?;
        // Fifteen of twenty without another round, and five of the last ones.
        let in_archive = whole.iter().filter(|twin| matches!(twin.original, Original::Archive(_)));
        assert_eq!((whole.len(), in_archive.count()), (20, 15));
        for (parts, details) in [(2, 100), (3, 5), (7, 1), (100, 0)] {
            let found = repeated_in_parts(&new, &old, parts, details)?;
            assert_eq!(found, whole, "{parts} parts, {details} details");
        }
        Ok(())
    }
}
