//! Games that may be the same although something differs.
//!
//! Games are compared only with those of the same bucket. A bucket has the games with one surname of White, one of Black, and
//! the same first moves; or those with the same moves and one surname. In a bucket, games are in the order of their moves, so
//! those that a game goes on from come before it. A group is a chain of them:
//!
//! ```text
//!  e4 e5 Nf3                      group 1
//!  e4 e5 Nf3 Nc6      goes on     group 1
//!  e4 e5 Nf3 Nc6 Bb5  goes on     group 1
//!  e4 e5 Nf3 Nf6      goes on from the first one only: group 2
//! ```
//!
//! Years must not differ; a year that is not known differs from none. So all games of a group are near to each other. Of the groups
//! of all buckets, the largest come first, and a game is in one group only.
//!
//! The time does not grow with the square of the number of games that are alike: a game is compared with the last ones of the
//! chains that it may go on from.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use super::identity::{Facts, Name, Sums, is_long, known, value};
use super::{Differences, LEAST_PLIES, LEAST_PLIES_OF_ONE, NearDuplicates};
use crate::error::ArchiveError;
use crate::kernel::{Group, Place};
use crate::store::Archive;

/// How many bytes of moves make a bucket: each game in it has as many half-moves.
const FIRST: usize = LEAST_PLIES as usize;

/// That a game is in a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct InBucket {
    bucket: u64,
    pub(super) place: Place,
}

/// The buckets of a game.
pub(super) fn buckets(sums: &Sums, place: Place, facts: &Facts<'_>, all: &mut Vec<InBucket>) {
    let moves = facts.moves;
    let Some(first) = moves.get(..FIRST).filter(|_| is_long(moves, LEAST_PLIES)) else { return };
    let [white, black] = facts.players.each_ref().map(Name::surnames);
    let mut add = |bucket| all.push(InBucket { bucket, place });
    if !white.is_empty() && !black.is_empty() {
        let first = sums.short(first);
        for white in white {
            black.iter().for_each(|black| add(sums.short((first, white, black))));
        }
    }
    if is_long(moves, LEAST_PLIES_OF_ONE) {
        let whole = sums.short(moves);
        white.iter().for_each(|white| add(sums.short((whole, "white", white))));
        black.iter().for_each(|black| add(sums.short((whole, "black", black))));
    }
}

/// A game that is compared.
#[derive(Debug)]
struct Node<'a> {
    id: i64,
    moves: &'a [u8],
    year: Option<i32>,
}

/// Games that each go on from the one before, of one year.
#[derive(Debug)]
struct Chain {
    nodes: Vec<u32>,
    /// The year of those that have one.
    year: Option<i32>,
    /// Whether its last game is not the beginning of the one that is looked at.
    is_over: bool,
}

/// The games of a bucket, each in one chain.
fn chains(nodes: &[Node<'_>], bucket: &mut [u32]) -> impl Iterator<Item = Vec<u32>> {
    let of = |node: u32| &nodes[node as usize];
    let order = |node: u32| (of(node).moves, of(node).year, of(node).id);
    bucket.sort_unstable_by(|one, two| order(*one).cmp(&order(*two)));
    let mut all: Vec<Chain> = Vec::new();
    // The last games of chains, each the beginning of the next one, with their chains.
    let mut stack: Vec<(u32, usize)> = Vec::new();
    // The chains on the stack, by their years.
    let mut of_year: HashMap<Option<i32>, Vec<usize>> = HashMap::new();
    for &node in &*bucket {
        let Node { moves, year, .. } = *of(node);
        while let Some((last, chain)) = stack.last().copied() {
            // Another game may have come after the last one by now.
            let is_passed = all[chain].nodes.last() != Some(&last);
            if !is_passed && moves.starts_with(of(last).moves) {
                break;
            }
            stack.pop();
            all[chain].is_over |= !is_passed;
        }
        let open = match year {
            None => stack.last().map(|(_, chain)| *chain),
            _ => [year, None].into_iter().find_map(|year| {
                let chains = of_year.get_mut(&year)?;
                while chains
                    .pop_if(|chain| all[*chain].is_over || all[*chain].year != year)
                    .is_some()
                {}
                chains.last().copied()
            }),
        };
        let chain = open.unwrap_or_else(|| {
            all.push(Chain { nodes: Vec::new(), year: None, is_over: false });
            all.len() - 1
        });
        let into = &mut all[chain];
        into.nodes.push(node);
        let is_new = open.is_none() || into.year.is_none() && year.is_some();
        into.year = into.year.or(year);
        stack.push((node, chain));
        if is_new {
            of_year.entry(into.year).or_default().push(chain);
        }
    }
    all.into_iter().map(|chain| chain.nodes)
}

/// Groups of games that are near to each other, from games in buckets.
fn groups(nodes: &[Node<'_>], mut buckets: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    let mut is_taken = vec![false; nodes.len()];
    let mut all = Vec::new();
    // What is left of a group that has lost games to a larger one may be near to other games that are left.
    loop {
        let mut found: Vec<Vec<u32>> = Vec::new();
        for bucket in &mut buckets {
            found.extend(chains(nodes, bucket).filter(|chain| chain.len() > 1));
        }
        if found.is_empty() {
            return all;
        }
        let ids = |group: &Vec<u32>| {
            let mut ids: Vec<i64> = group.iter().map(|node| nodes[*node as usize].id).collect();
            ids.sort_unstable();
            ids
        };
        found.sort_by_cached_key(|group| (Reverse(group.len()), ids(group)));
        for mut group in found {
            group.retain(|node| !is_taken[*node as usize]);
            if group.len() > 1 {
                group.iter().for_each(|node| is_taken[*node as usize] = true);
                all.push(group);
            }
        }
        for bucket in &mut buckets {
            bucket.retain(|node| !is_taken[*node as usize]);
        }
        buckets.retain(|bucket| bucket.len() > 1);
    }
}

impl Archive {
    /// The groups of games that are near. `all` are the buckets of all games but those that are copies of another one.
    pub(super) fn near(
        &self,
        groups: &[Group],
        sums: &Sums,
        mut all: Vec<InBucket>,
    ) -> Result<Vec<NearDuplicates>, ArchiveError> {
        all.sort_unstable();
        let buckets: Vec<&[InBucket]> = all
            .chunk_by(|one, two| one.bucket == two.bucket)
            .filter(|bucket| bucket.len() > 1)
            .collect();
        let mut places: Vec<Place> =
            buckets.iter().flat_map(|bucket| bucket.iter().map(|game| game.place)).collect();
        places.sort_unstable();
        places.dedup();
        let parts: Vec<&[Place]> = places.chunk_by(|one, two| one.group == two.group).collect();
        let games = self.each(&parts, |part, _| games_of(self, groups, part))?;
        let nodes = games.iter().flat_map(|(bytes, games)| {
            games.iter().map(move |(range, year, id)| Node {
                id: *id,
                moves: &bytes[range.clone()],
                year: *year,
            })
        });
        let nodes: Vec<Node<'_>> = nodes.collect();
        let buckets = buckets.into_iter().map(|bucket| {
            let number = |game: &InBucket| places.binary_search(&game.place).ok();
            let numbers = bucket.iter().filter_map(number);
            let mut numbers: Vec<u32> =
                numbers.filter_map(|number| number.try_into().ok()).collect();
            numbers.dedup();
            numbers
        });
        let mut together = self::groups(&nodes, buckets.collect());
        together.iter_mut().for_each(|group| group.sort_unstable());
        self.told(groups, sums, &places, &nodes, &together)
    }

    /// Which games they are, and in what they differ.
    fn told(
        &self,
        groups: &[Group],
        sums: &Sums,
        places: &[Place],
        nodes: &[Node<'_>],
        together: &[Vec<u32>],
    ) -> Result<Vec<NearDuplicates>, ArchiveError> {
        let mut wanted: Vec<u32> = together.iter().flatten().copied().collect();
        wanted.sort_unstable();
        let here: Vec<Place> = wanted.iter().map(|node| places[*node as usize]).collect();
        let columns = &["id", "white", "black", "date", "year", "other_tags", "result"];
        let games = self.at_places(groups, &here, columns, |rows, row| {
            let name = |column| Ok::<_, ArchiveError>(sums.name(rows.text(column, row)?).sum);
            let names = [name("white")?, name("black")?];
            let result = sums.short(rows.text("result", row)?);
            let date = (rows.date("date", row)?, rows.int("year", row)?, known(rows, row)?);
            Ok((rows.id(row)?, names, date, result))
        })?;
        let mut all = Vec::with_capacity(together.len());
        for group in together {
            let mut near = NearDuplicates::default();
            let games = group.iter().filter_map(|node| {
                let at = wanted.binary_search(node).ok()?;
                Some((nodes[*node as usize].moves, games.get(at)?))
            });
            let games: Vec<_> = games.collect();
            let Some((moves, first)) = games.first() else { continue };
            for (other_moves, other) in &games {
                near.ids.push(other.0);
                let Differences { moves: has_moves, players, date, result } = &mut near.differences;
                *has_moves |= moves != other_moves;
                *players |= first.1 != other.1;
                *date |= first.2 != other.2;
                *result |= first.3 != other.3;
            }
            near.ids.sort_unstable();
            all.push(near);
        }
        all.sort_unstable_by(|one, two| one.ids.cmp(&two.ids));
        Ok(all)
    }
}

/// The moves of some games of a row group, one after the other, their years and their ids.
type Games = (Vec<u8>, Vec<(Range<usize>, Option<i32>, i64)>);

fn games_of(archive: &Archive, groups: &[Group], places: &[Place]) -> Result<Games, ArchiveError> {
    let (mut bytes, mut games) = (Vec::new(), Vec::with_capacity(places.len()));
    let Some(group) = places.first().and_then(|place| groups.get(place.group)) else {
        return Ok((bytes, games));
    };
    let moves = group.moves(archive.cache(), places.iter().map(|place| place.row))?;
    let years = group.numbers("year", archive.cache())?;
    let ids = group.ids(archive.cache())?;
    for place in places {
        let from = bytes.len();
        bytes.extend_from_slice(moves.of(place.row));
        games.push((from..bytes.len(), value(&years, place.row as usize), ids.of(place.row)));
    }
    Ok((bytes, games))
}
