//! Finds games that are in an archive more than once.
//!
//! ```text
//!  first moves ──▶ sort ──▶ families of games that ─┬─▶ moves, players, date, result: copies     Carlsen, Magnus · CARLSEN MAGNUS
//!                           begin alike             ├─▶ moves, surnames, year, result: twins    Carlsen,M · Carlsen, Magnus
//!                           (all others are done)   └─▶ surnames, one continues the other       Carlsen,M · Carlsen, Henrik
//! ```
//!
//! Similar games have the same first moves, so games are compared only within their family, and most families are small.
//!
//! Copies have the same main line, players, date and result. Players are compared as
//! [words](halfmove_functions::words), in any order; a date is the day, or if that is unknown the year and the other
//! known parts. [Twins](twins) are spelled differently. Neither copies nor twins contradict each other in their
//! [details]: round, board, link, FIDE ids and ratings. Near copies differ in one of these facts, and are only
//! listed: only a person can decide whether two games that begin alike are one.
//!
//! A short main line is no evidence, nor are players without a name, and the moves after a fault are unknown. Such
//! games are copies only if their whole text is the same.

mod details;
mod identity;
mod incoming;
mod near;
mod twins;

use std::cmp::Reverse;

use roaring::RoaringTreemap;

use self::details::agreeing_in_details;
use self::details::{DETAILS, GameDetails};
pub(crate) use self::identity::TEXT;
use self::identity::{Facts, Sum, Sums, Tags, texts_of};
pub(crate) use self::incoming::{Original, Twin, repeated};
use self::near::{add_keys, near_of};
use self::twins::twins_of;
use crate::columns::{Columns, GamePlace, Group, Rows};
use crate::error::ArchiveError;

/// The minimum number of half-moves for equal moves to be evidence: openings and quick draws are repeated often.
const LEAST_PLIES: u32 = 20;

/// The number of half-moves from which equal moves and one of the players are evidence.
const LEAST_PLIES_OF_ONE: u32 = 40;

/// The games that are in an archive more than once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Duplicates {
    /// The number of games that were compared.
    pub games: u64,
    /// The version of the archive.
    pub version: u64,
    /// Groups of games that are copies of each other, in the order of their first ids. No game is in two groups.
    pub exact: Vec<ExactDuplicates>,
    /// Groups of the same game in different spellings, in the order of their first ids. No game is in
    /// two groups. Of exact copies, only the best one is included.
    pub twins: Vec<TwinDuplicates>,
    /// Groups of games that may be copies of each other, in the order of their first ids. No game is in two groups: one
    /// that is near games of two groups is in the larger one. Of exact copies and of twins, only the best one is
    /// included.
    pub near: Vec<NearDuplicates>,
}

/// Games with the same main line, players, date and result, whose rounds, boards, links, FIDE ids and ratings do not contradict
/// each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExactDuplicates {
    /// Their ids, in ascending order; at least two.
    pub ids: Vec<i64>,
    /// The id of the most complete one: with the most comments, variations, clocks and evaluations, then with the most
    /// tags; of equally complete ones, the one with the lowest id.
    pub best: i64,
}

/// Games with the same main line, year and result and compatible names of the players: `Larsen B` and `Larsen, Bent`. No part
/// of a date, round, board, link, FIDE id or rating that both of two games have differs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TwinDuplicates {
    /// Their ids, in ascending order; at least two.
    pub ids: Vec<i64>,
    /// The id of the most complete one: with the most comments, variations, clocks and evaluations, then with the most
    /// letters in the names of the players, then with the most complete date, then with the most tags; of equally complete
    /// ones, the one with the lowest id.
    pub best: i64,
    /// The facts that some of them spell differently: players or date.
    pub differences: Differences,
}

/// Games that may be the same although some facts differ. All of them are near to each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NearDuplicates {
    /// Their ids, in ascending order; at least two.
    pub ids: Vec<i64>,
    /// The facts in which some of them differ.
    pub differences: Differences,
}

/// The facts in which some games of a group differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Differences {
    /// One main line is the beginning of another.
    pub moves: bool,
    /// The spelling of the players' names.
    pub players: bool,
    /// The date, within a year, or because one is unknown.
    pub date: bool,
    /// The result.
    pub result: bool,
    /// The round.
    pub round: bool,
    /// The board.
    pub board: bool,
    /// The web address or the id of the game.
    pub link: bool,
    /// The FIDE id of a player.
    pub fide_id: bool,
    /// The rating of a player, by more than 300 points.
    pub rating: bool,
}

impl Differences {
    /// The names of the facts that differ; `text` if none of those compared differs, which happens to games with a
    /// fault and to games of players without a name.
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
        let all = [
            (self.moves, "moves"),
            (self.players, "players"),
            (self.date, "date"),
            (self.result, "result"),
            (self.round, "round"),
            (self.board, "board"),
            (self.link, "link"),
            (self.fide_id, "fide_id"),
            (self.rating, "rating"),
        ];
        let some: Vec<_> = all.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect();
        if some.is_empty() { vec!["text"] } else { some }
    }
}

impl Duplicates {
    /// The number of games to remove to keep only the best one of each exact group.
    pub fn removable(&self) -> u64 {
        self.exact.iter().map(|group| group.ids.len() as u64 - 1).sum()
    }

    /// The number of games that are copies of others: all but the best of each exact group and of each group of twins.
    pub fn copies(&self) -> u64 {
        self.removable() + self.removable_twins()
    }

    /// The number of further games to remove to keep only the best one of each group of twins.
    pub fn removable_twins(&self) -> u64 {
        self.twins.iter().map(|group| group.ids.len() as u64 - 1).sum()
    }
}

/// A game that shares its first moves with another one.
#[derive(Debug, Clone, Copy)]
struct Game {
    id: i64,
    place: GamePlace,
    facts: Facts,
    /// The end of its keys among all keys.
    keys: usize,
}

/// All games that share their first moves with another one, in the order of their places. They are numbered from 0.
#[derive(Debug, Default)]
struct Games {
    all: Vec<Game>,
    /// Sums of the facts that two games must have in common to be [near](add_keys), one game after the other.
    keys: Vec<u64>,
    /// Sums of their first moves, with their numbers, in this order.
    begin: Vec<(u64, u32)>,
}

impl Games {
    fn game(&self, number: u32) -> &Game {
        &self.all[number as usize]
    }

    fn keys(&self, number: u32) -> &[u64] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.all[before].keys);
        &self.keys[start..self.all[number].keys]
    }

    /// Families of games that begin alike, at least two each.
    fn families(&self) -> impl Iterator<Item = &[(u64, u32)]> {
        self.begin.chunk_by(|one, two| one.0 == two.0)
    }
}

/// The completeness of a game: a larger value is more complete.
type Worth = (usize, usize);

/// Finds the games that are in an archive more than once, and those that may be; with ids, only among these games.
pub(crate) fn duplicates(
    columns: &Columns,
    among: Option<&RoaringTreemap>,
) -> Result<Duplicates, ArchiveError> {
    let (groups, sums) = (columns.groups()?, Sums::default());
    let (count, games) = beginning_alike(columns, &groups, among, &sums)?;
    let copies = copies_of(columns, &groups, &sums, &games)?;
    let mut is_left = vec![true; games.all.len()];
    let exact = exact_of(columns, &groups, &games, &copies, &mut is_left)?;
    let twins = twins_of(columns, &groups, &games, &copies, &mut is_left)?;
    let near = near_of(columns, &groups, &games, &is_left)?;
    Ok(Duplicates { games: count, version: columns.snapshot().version(), exact, twins, near })
}

/// The number of games, and the games that share their first moves with another one. Only these can be copies or near.
fn beginning_alike(
    columns: &Columns,
    groups: &[Group],
    among: Option<&RoaringTreemap>,
    sums: &Sums,
) -> Result<(u64, Games), ArchiveError> {
    let numbers: Vec<usize> = (0..groups.len()).collect();
    let read = columns.each(&numbers, |number| {
        let group = &groups[*number];
        let rows = (0..group.rows() as u32).filter(|row| !group.is_deleted(*row as usize));
        let rows: Vec<u32> = match among {
            None => rows.collect(),
            Some(among) => {
                let ids = group.ids(columns.cache())?;
                rows.filter(|row| among.contains(ids.of(*row).unsigned_abs())).collect()
            }
        };
        let moves = group.moves(columns.cache(), rows.iter().copied())?;
        let beginnings = rows.into_iter().map(|row| {
            let place = GamePlace { group: *number as u32, row };
            let moves = moves.of(place.row);
            (sums.moves(moves.get(..LEAST_PLIES as usize).unwrap_or(moves)), place)
        });
        Ok(beginnings.collect::<Vec<_>>())
    })?;
    let mut all: Vec<(u64, GamePlace)> = Vec::with_capacity(read.iter().map(Vec::len).sum());
    read.into_iter().for_each(|some| all.extend(some));
    let count = all.len() as u64;
    all.sort_unstable();
    let families = all.chunk_by(|one, two| one.0 == two.0).filter(|same| same.len() > 1);
    let mut begin: Vec<(u64, u32)> = Vec::new();
    let mut places: Vec<(GamePlace, usize)> = Vec::new();
    for (sum, place) in families.flatten() {
        places.push((*place, begin.len()));
        begin.push((*sum, 0));
    }
    drop(all);
    places.sort_unstable();
    for ((_, at), number) in places.iter().zip(0..) {
        begin[*at].1 = number;
    }
    let places: Vec<GamePlace> = places.into_iter().map(|(place, _)| place).collect();
    let parts: Vec<&[GamePlace]> = places.chunk_by(|one, two| one.group == two.group).collect();
    let read = columns.each(&parts, |part| games_at(columns, groups, part, sums))?;
    let mut games = Games { all: Vec::with_capacity(places.len()), keys: Vec::new(), begin };
    for (some, keys) in read {
        let before = games.keys.len();
        games.all.extend(some.into_iter().map(|game| Game { keys: before + game.keys, ..game }));
        games.keys.extend(keys);
    }
    Ok((count, games))
}

/// Some games of a row group, and their keys.
fn games_at(
    columns: &Columns,
    groups: &[Group],
    places: &[GamePlace],
    sums: &Sums,
) -> Result<(Vec<Game>, Vec<u64>), ArchiveError> {
    let (mut games, mut keys) = (Vec::with_capacity(places.len()), Vec::new());
    let Some(group) = places.first().and_then(|place| groups.get(place.group as usize)) else {
        return Ok((games, keys));
    };
    let mut tags = Tags::of(group, columns.cache(), sums)?;
    let (rows, ids) = (places.iter().map(|place| place.row), group.ids(columns.cache())?);
    let known = tags.known(group, rows.clone())?;
    let moves = group.moves(columns.cache(), rows)?;
    for (place, known) in places.iter().zip(known) {
        let row = place.row as usize;
        let (moves, players) = (moves.of(place.row), tags.players(sums, row));
        let date = tags.date(row).with(known);
        let facts = Facts::of(sums, moves, &players, date, tags.result(row));
        add_keys(moves, facts.moves, &players, &mut keys);
        games.push(Game { id: ids.of(place.row), place: *place, facts, keys: keys.len() });
    }
    Ok((games, keys))
}

/// The numbers of games that are copies of each other, in groups, in ascending order within each group.
fn copies_of(
    columns: &Columns,
    groups: &[Group],
    sums: &Sums,
    games: &Games,
) -> Result<Vec<Vec<u32>>, ArchiveError> {
    // The number of the shared facts, and the number of the game.
    let (mut same, mut family): (Vec<(u32, u32)>, Vec<u32>) = Default::default();
    let mut count = 0;
    for begin in games.families() {
        family.clear();
        family.extend(begin.iter().map(|(_, number)| *number));
        let facts = |number: u32| &games.game(number).facts;
        family.sort_unstable_by(|one, two| facts(*one).cmp(facts(*two)));
        for some in family.chunk_by(|one, two| facts(*one) == facts(*two)) {
            if some.len() > 1 {
                same.extend(some.iter().map(|number| (count, *number)));
                count += 1;
            }
        }
    }
    same.sort_unstable_by_key(|(_, number)| *number);
    let places = same.iter().map(|(_, number)| {
        let Game { place, facts, .. } = games.game(*number);
        (*place, facts.are_weak)
    });
    let places: Vec<(GamePlace, bool)> = places.collect();
    let texts = texts_of(columns, groups, sums, &places)?;
    let places: Vec<GamePlace> = places.into_iter().map(|(place, _)| place).collect();
    let details = columns.at_places(groups, &places, DETAILS, GameDetails::of)?;
    let mut copies: Vec<((u32, Option<Sum>), u32, GameDetails)> = Vec::with_capacity(same.len());
    for (((same, number), text), details) in same.into_iter().zip(texts).zip(details) {
        copies.push(((same, text), number, details));
    }
    copies.sort_unstable();
    let copies = copies.chunk_by(|one, two| one.0 == two.0).filter(|same| same.len() > 1);
    let copies = copies.flat_map(|same| {
        let same: Vec<(u32, &GameDetails)> =
            same.iter().map(|(_, number, details)| (*number, details)).collect();
        agreeing_in_details(&same)
    });
    Ok(copies.collect())
}

/// The groups of copies for the result. All but the best games are cleared in `is_left`.
fn exact_of(
    columns: &Columns,
    groups: &[Group],
    games: &Games,
    copies: &[Vec<u32>],
    is_left: &mut [bool],
) -> Result<Vec<ExactDuplicates>, ArchiveError> {
    let mut numbers: Vec<u32> = copies.iter().flatten().copied().collect();
    numbers.sort_unstable();
    let places: Vec<GamePlace> = numbers.iter().map(|number| games.game(*number).place).collect();
    let read = columns.by_group(groups, &places, worth)?;
    let worth = |number: u32| numbers.binary_search(&number).ok().map(|at| read[at]);
    let mut all = Vec::with_capacity(copies.len());
    for same in copies {
        let id = |number: u32| games.game(number).id;
        let best = same.iter().max_by_key(|number| (worth(**number), Reverse(id(**number))));
        let Some(best) = best else { continue };
        for number in same {
            is_left[*number as usize] = number == best;
        }
        let mut ids: Vec<i64> = same.iter().map(|number| id(*number)).collect();
        ids.sort_unstable();
        all.push(ExactDuplicates { ids, best: id(*best) });
    }
    all.sort_unstable_by(|one, two| one.ids.cmp(&two.ids));
    Ok(all)
}

/// The completeness of some games of a row group.
fn worth(group: &Group, rows: &[u32]) -> Result<Vec<Worth>, ArchiveError> {
    const TEXTS: &[&str] = &["annotations", "clocks", "evaluations"];
    let orders = group.distinct("tag_order")?;
    let order = orders.texts().iter().map(|tags| tags.unwrap_or_default().split(' ').count());
    let tags: Vec<usize> = order.collect();
    let tags = rows.iter().map(|row| orders.number(*row as usize).map_or(1, |order| tags[order]));
    let mut bytes = Vec::with_capacity(rows.len());
    for batch in group.select(rows, TEXTS)? {
        let texts = Rows::of(&batch);
        for row in 0..batch.num_rows() {
            let lengths = TEXTS.iter().map(|column| Ok(texts.bytes(column, row)?.len()));
            bytes.push(lengths.sum::<Result<usize, ArchiveError>>()?);
        }
    }
    if bytes.len() == rows.len() {
        Ok(bytes.into_iter().zip(tags).collect())
    } else {
        Err(group.wrong("annotations"))
    }
}
