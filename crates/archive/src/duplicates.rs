//! Games that are in an archive more than once.
//!
//! ```text
//!  first moves ──▶ sort ──▶ games that begin alike ─┬─▶ moves, players, date, result: copies     Carlsen, Magnus · CARLSEN MAGNUS
//!                           (the others are done)   └─▶ surnames, one goes on from the other    Carlsen,M · Carlsen, Magnus
//! ```
//!
//! Copies have the same main line, players, date and result. Players are compared as [words](crate::words), in any order; a date
//! is the day, or where that is not known the year and as much else as is. Near copies differ in one of these, and are only
//! shown: nobody but a reader can say whether two games that begin alike are one.
//!
//! Moves are no evidence if there are few of them, and neither are players without a name; and where moves end at a fault, others
//! follow. Such games are copies only if their whole text is the same.

mod identity;
mod incoming;
mod near;
mod places;

use futures::FutureExt;
use futures::future::BoxFuture;
use roaring::RoaringTreemap;

pub(crate) use self::identity::value;
use self::identity::{Sum, Sums, Tags};
pub(crate) use self::incoming::{Incoming, Original, Twin};
use self::near::{InBucket, buckets};
use crate::error::ArchiveError;
use crate::import::Remover;
use crate::kernel::{Group, Place};
use crate::read::Rows;
use crate::store::Archive;

/// With fewer half-moves, equal moves are no evidence: openings and quick draws are played again and again.
const LEAST_PLIES: u32 = 20;

/// With so many, equal moves and one of the players are.
const LEAST_PLIES_OF_ONE: u32 = 40;

/// Games that are in an archive more than once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Duplicates {
    /// How many games were compared.
    pub games: u64,
    /// The version of the archive.
    pub version: u64,
    /// Games that are copies of each other, in the order of their first ids. No game is in two groups.
    pub exact: Vec<ExactDuplicates>,
    /// Games that may be copies of each other, in the order of their first ids. No game is in two groups: one that is near to games
    /// of two is in the larger one. Of exact copies, only the best is among them.
    pub near: Vec<NearDuplicates>,
}

/// Games with the same main line, players, date and result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExactDuplicates {
    /// Their ids, which rise; at least two.
    pub ids: Vec<i64>,
    /// The one that says most: with the most comments, variations, clocks and evaluations, then with the most tags; of those that
    /// say as much, the one with the lowest id.
    pub best: i64,
}

/// Games that may be the same although something differs. All of them are near to each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NearDuplicates {
    /// Their ids, which rise; at least two.
    pub ids: Vec<i64>,
    /// In what some of them differ.
    pub differences: Differences,
}

/// In what some games of a group differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Differences {
    /// One main line is the beginning of another.
    pub moves: bool,
    /// The names of players are spelled otherwise.
    pub players: bool,
    /// The date, within a year or because one is not known.
    pub date: bool,
    /// The result.
    pub result: bool,
}

impl Differences {
    /// Their names; `text` if nothing of what is compared differs, which happens to games with a fault and to those of players
    /// without a name.
    ///
    /// ```
    /// use halfmove_archive::Differences;
    ///
    /// let mut differences = Differences::default();
    /// assert_eq!(differences.names(), ["text"]);
    /// (differences.moves, differences.result) = (true, true);
    /// assert_eq!(differences.names(), ["moves", "result"]);
    /// ```
    pub fn names(&self) -> Vec<&'static str> {
        let Self { moves, players, date, result } = *self;
        let all = [(moves, "moves"), (players, "players"), (date, "date"), (result, "result")];
        let some: Vec<_> = all.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect();
        if some.is_empty() { vec!["text"] } else { some }
    }
}

impl Duplicates {
    /// How many games would go if of each exact group only the best stayed.
    pub fn removable(&self) -> u64 {
        self.exact.iter().map(|group| group.ids.len() as u64 - 1).sum()
    }
}

/// A game and what it has in common with its copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    sum: Sum,
    place: Place,
    is_weak: bool,
}

/// How much a game says: more is better.
type Worth = (usize, usize);

impl Archive {
    /// Finds the games that are in the archive more than once, and those that may be. Games of fewer than 20 half-moves, those
    /// in which a player has no name, and those with a fault are copies only if their whole text is the same.
    ///
    /// Near duplicates have a surname of White and one of Black in common, years that do not differ, and main lines of at least
    /// 20 half-moves of which one is the beginning of the other; or the same main line of at least 40 half-moves, and one
    /// of the two surnames. Where a name has no comma, each of its words may be the surname.
    ///
    /// Takes some 30 bytes of memory for each game, and for those whose first 20 half-moves another game has, too, as much for
    /// each pair of surnames.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games");
    /// use halfmove_archive::{Archive, Importer};
    ///
    /// let game = |white: &str| format!(
    ///     "[White \"{white}\"]\n[Black \"Short, Nigel\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 \
    ///      6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5 11. d4 1-0\n\n"
    /// );
    /// let text = ["Adams, Michael", "Michael ADAMS", "Adams,M"].map(game).concat();
    /// let mut importer = Importer::open(&path)?;
    /// importer.read_pgn([Ok(std::io::Cursor::new(text))], &mut ())?;
    /// importer.commit()?;
    ///
    /// let archive = Archive::open(&path)?;
    /// let found = tokio::runtime::Runtime::new()?.block_on(archive.duplicates())?;
    /// assert_eq!((&found.exact[0].ids[..], found.exact[0].best), (&[1, 2][..], 1));
    /// assert_eq!((&found.near[0].ids[..], found.near[0].differences.players), (&[1, 3][..], true));
    /// archive.duplicates_remover(&found)?.commit(&mut ())?;
    /// assert_eq!(archive.refresh()?.len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Damaged`] and [`ArchiveError::Io`] if the games cannot be read.
    pub fn duplicates(&self) -> BoxFuture<'_, Result<Duplicates, ArchiveError>> {
        self.off_thread(Self::find_duplicates).boxed()
    }

    /// Removes all games of each exact group but the best, by its [commit](Remover::commit), which
    /// fails with [`ArchiveError::Conflict`] if the archive has changed since: somebody may have removed the best ones.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::ReadOnly`], [`ArchiveError::OldFormat`], [`ArchiveError::UnknownColumn`].
    pub fn duplicates_remover(&self, duplicates: &Duplicates) -> Result<Remover, ArchiveError> {
        let mut ids = RoaringTreemap::new();
        for group in &duplicates.exact {
            let copies = group.ids.iter().filter(|id| **id != group.best);
            ids.extend(copies.filter_map(|id| u64::try_from(*id).ok()));
        }
        Remover::of(self, ids, Some(duplicates.version))
    }

    fn find_duplicates(&self) -> Result<Duplicates, ArchiveError> {
        let (groups, sums) = (self.groups()?, Sums::default());
        let (games, alike) = self.beginning_alike(&groups, &sums)?;
        let parts: Vec<&[Place]> = alike.chunk_by(|one, two| one.group == two.group).collect();
        let read = self.each(&parts, |part, _| self.entries(&groups, part, &sums))?;
        let (mut entries, mut in_buckets) = (Vec::new(), Vec::new());
        for (some, buckets) in read {
            entries.extend(some);
            in_buckets.extend(buckets);
        }
        entries.sort_unstable();
        let mut copies: Vec<Entry> = Vec::new();
        for same in entries.chunk_by(|one, two| one.sum == two.sum) {
            if same.len() > 1 {
                copies.extend(same);
            }
        }
        drop(entries);
        self.tell_apart(&groups, &sums, &mut copies)?;
        let (exact, others) = self.exact(&groups, &copies)?;
        if !others.is_empty() {
            in_buckets.retain(|game: &InBucket| others.binary_search(&game.place).is_err());
        }
        let near = self.near(&groups, &sums, in_buckets)?;
        Ok(Duplicates { games, version: self.version(), exact, near })
    }

    /// How many games there are, and where those are whose first moves another one has, too. Only these can be copies or near.
    fn beginning_alike(
        &self,
        groups: &[Group],
        sums: &Sums,
    ) -> Result<(u64, Vec<Place>), ArchiveError> {
        let numbers: Vec<usize> = (0..groups.len()).collect();
        let read = self.each(&numbers, |number, _| {
            let group = &groups[*number];
            let moves = group.all_moves(self.cache())?;
            let rows = (0..group.rows()).filter(|row| !group.is_deleted(*row));
            let beginnings = rows.map(|row| {
                let place = Place { group: *number, row: row as u32 };
                let moves = moves.of(place.row);
                (sums.short(moves.get(..LEAST_PLIES as usize).unwrap_or(moves)), place)
            });
            Ok(beginnings.collect::<Vec<_>>())
        })?;
        let mut all: Vec<(u64, Place)> = read.into_iter().flatten().collect();
        all.sort_unstable();
        let same = all.chunk_by(|one, two| one.0 == two.0).filter(|same| same.len() > 1);
        let mut alike: Vec<Place> = same.flatten().map(|(_, place)| *place).collect();
        alike.sort_unstable();
        Ok((all.len() as u64, alike))
    }

    /// What copies of some games of a row group have in common with them, and the buckets that the games are in.
    fn entries(
        &self,
        groups: &[Group],
        places: &[Place],
        sums: &Sums,
    ) -> Result<(Vec<Entry>, Vec<InBucket>), ArchiveError> {
        let (mut entries, mut all) = (Vec::with_capacity(places.len()), Vec::new());
        let Some(group) = places.first().and_then(|place| groups.get(place.group)) else {
            return Ok((entries, all));
        };
        let tags = Tags::of(group, self.cache(), sums)?;
        let moves = group.moves(self.cache(), places.iter().map(|place| place.row))?;
        for place in places {
            let facts = tags.facts(place.row as usize, moves.of(place.row));
            entries.push(Entry { sum: facts.sum(sums), place: *place, is_weak: facts.are_weak() });
            buckets(sums, *place, &facts, &mut all);
        }
        Ok((entries, all))
    }

    /// Gives games another sum, which also stands for what else must be the same.
    fn tell_apart(
        &self,
        groups: &[Group],
        sums: &Sums,
        copies: &mut [Entry],
    ) -> Result<(), ArchiveError> {
        copies.sort_unstable_by_key(|entry| entry.place);
        let games: Vec<(Place, bool)> =
            copies.iter().map(|entry| (entry.place, entry.is_weak)).collect();
        let more = self.more(groups, sums, &games)?;
        for (entry, more) in copies.iter_mut().zip(more) {
            entry.sum = sums.of((entry.sum, more));
        }
        copies.sort_unstable();
        Ok(())
    }

    /// The groups of copies, and where those are that are not the best.
    fn exact(
        &self,
        groups: &[Group],
        copies: &[Entry],
    ) -> Result<(Vec<ExactDuplicates>, Vec<Place>), ArchiveError> {
        let mut order: Vec<usize> = (0..copies.len()).collect();
        order.sort_unstable_by_key(|number| copies[*number].place);
        let places: Vec<Place> = order.iter().map(|number| copies[*number].place).collect();
        let columns = &["id", "annotations", "clocks", "evaluations", "tag_order"];
        let read = self.at_places(groups, &places, columns, |rows, row| {
            Ok((rows.id(row)?, worth(rows, row)?))
        })?;
        let mut games: Vec<(i64, Worth)> = vec![(0, Worth::default()); copies.len()];
        for (number, game) in order.into_iter().zip(read) {
            games[number] = game;
        }
        let (mut all, mut others) = (Vec::new(), Vec::new());
        let mut from = 0;
        for same in copies.chunk_by(|one, two| one.sum == two.sum) {
            let here = &games[from..from + same.len()];
            from += same.len();
            let best = here.iter().enumerate();
            let best = best.max_by_key(|(_, (id, worth))| (*worth, std::cmp::Reverse(*id)));
            let Some((at, (best, _))) = best.filter(|_| here.len() > 1) else { continue };
            let rest = same.iter().enumerate().filter(|(number, _)| *number != at);
            others.extend(rest.map(|(_, entry)| entry.place));
            let mut ids: Vec<i64> = here.iter().map(|(id, _)| *id).collect();
            ids.sort_unstable();
            all.push(ExactDuplicates { ids, best: *best });
        }
        all.sort_unstable_by(|one, two| one.ids.cmp(&two.ids));
        others.sort_unstable();
        Ok((all, others))
    }
}

fn worth(rows: &Rows<'_>, row: usize) -> Result<Worth, ArchiveError> {
    let mut bytes = 0;
    for column in ["annotations", "clocks", "evaluations"] {
        bytes += rows.bytes(column, row)?.len();
    }
    let tags = rows.text("tag_order", row)?.unwrap_or_default();
    Ok((bytes, tags.split(' ').count()))
}
