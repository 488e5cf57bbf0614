//! Finds games that may be the same although some facts differ.
//!
//! Games are compared only with those of the same bucket. A bucket has the games of a family that share one surname of
//! White and one of Black; or those with the same moves that share one surname. In a bucket, games are sorted by their
//! moves, so that a game comes after those that it continues. A group is a chain of them:
//!
//! ```text
//!  e4 e5 Nf3                      group 1
//!  e4 e5 Nf3 Nc6      continues   group 1
//!  e4 e5 Nf3 Nc6 Bb5  continues   group 1
//!  e4 e5 Nf3 Nf6      continues the first one only: group 2
//! ```
//!
//! Years must not differ; an unknown year matches every year. So all games of a group are near each other. Larger
//! groups take precedence over smaller ones, and a game is in one group only.
//!
//! The time is not quadratic in the number of similar games: a game is compared with the last ones of the
//! chains that it may continue.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use halfmove_game::codec::halfmove::plies;

use super::details::{DETAILS, GameDetails};
use super::identity::Name;
use super::{Differences, Games, LEAST_PLIES, LEAST_PLIES_OF_ONE, NearDuplicates};
use crate::columns::{Columns, GamePlace, Group};
use crate::error::ArchiveError;

/// The number of families that are processed together.
pub(super) const FAMILIES: usize = 1_024;

/// Adds the keys of a game. Games of a family that have a key in common are in a bucket.
pub(super) fn add_keys(moves: &[u8], sum: u64, players: &[Name; 2], keys: &mut Vec<u64>) {
    let plies = plies(moves);
    if plies < LEAST_PLIES {
        return;
    }
    let [white, black] = players.each_ref().map(Name::surnames);
    // These are sums with a secret key, so no two pairs have the same one.
    let pair = |one: &u64, two: &u64| one.rotate_left(1) ^ two;
    for white in white {
        keys.extend(black.iter().map(|black| pair(white, black)));
    }
    if plies >= LEAST_PLIES_OF_ONE {
        keys.extend(white.iter().map(|white| pair(white, &sum)));
        keys.extend(black.iter().map(|black| pair(&sum, black)));
    }
}

/// The numbers of the games in the buckets of a family, if any has two. Buckets with the same games count once.
fn buckets(games: &Games, family: &[(u64, u32)], is_left: &[bool]) -> Option<Vec<Vec<u32>>> {
    let left =
        || family.iter().map(|(_, number)| *number).filter(|number| is_left[*number as usize]);
    // Most families have two games.
    let mut some = left();
    let (one, two) = (some.next()?, some.next()?);
    if some.next().is_none() {
        let is_common = |key: &u64| games.keys(two).contains(key);
        return games.keys(one).iter().any(is_common).then(|| vec![vec![one, two]]);
    }
    let keys = left().flat_map(|number| games.keys(number).iter().map(move |key| (*key, number)));
    let mut keys: Vec<(u64, u32)> = keys.collect();
    keys.sort_unstable();
    keys.dedup();
    let buckets = keys.chunk_by(|one, two| one.0 == two.0).filter(|bucket| bucket.len() > 1);
    let mut buckets: Vec<Vec<u32>> =
        buckets.map(|bucket| bucket.iter().map(|(_, number)| *number).collect()).collect();
    buckets.sort_unstable();
    buckets.dedup();
    (!buckets.is_empty()).then_some(buckets)
}

/// A game that is compared. The games of a family are sorted by their moves.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Node<'a> {
    moves: &'a [u8],
    year: Option<i32>,
    id: i64,
    number: u32,
}

/// Games of one year, each a continuation of the one before.
#[derive(Debug)]
struct Chain {
    nodes: Vec<u32>,
    /// The year of those that have one.
    year: Option<i32>,
    /// True if its last game is not the beginning of the current one.
    is_over: bool,
}

/// The games of a bucket in chains, each game in one, without those that are alone.
fn chains(nodes: &[Node<'_>], bucket: &[u32]) -> Vec<Vec<u32>> {
    let of = |node: u32| &nodes[node as usize];
    // Nearly all buckets are one chain, or have no continuations.
    let goes_on = |pair: &[u32]| of(pair[1]).moves.starts_with(of(pair[0]).moves);
    let years = bucket.iter().filter_map(|node| of(*node).year);
    let are_of_one_year = years.clone().min() == years.max();
    if are_of_one_year && bucket.windows(2).all(goes_on) {
        return vec![bucket.to_vec()];
    }
    if !bucket.windows(2).any(goes_on) {
        return Vec::new();
    }
    let mut all: Vec<Chain> = Vec::new();
    // The last games of chains, each the beginning of the next one, with their chains.
    let mut stack: Vec<(u32, usize)> = Vec::new();
    // The chains on the stack, by their years.
    let mut of_year: HashMap<Option<i32>, Vec<usize>> = HashMap::new();
    for &node in bucket {
        let Node { moves, year, .. } = *of(node);
        while let Some((last, chain)) = stack.last().copied() {
            // Another game may have been added after the last one by now.
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
    all.into_iter().map(|chain| chain.nodes).filter(|chain| chain.len() > 1).collect()
}

/// Groups of games that are near each other, from the buckets of a family.
fn groups(nodes: &[Node<'_>], mut buckets: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    let mut is_taken = vec![false; nodes.len()];
    let mut all = Vec::new();
    // A group that has lost games to a larger one may be near other games that are left.
    loop {
        let mut found: Vec<Vec<u32>> =
            buckets.iter().flat_map(|bucket| chains(nodes, bucket)).collect();
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

/// The moves of some games.
struct Lines {
    bytes: Vec<Vec<u8>>,
    /// The index and the range of the moves of each game in the bytes; empty for games that were not read.
    of: Vec<(u32, Range<usize>)>,
}

impl Lines {
    fn moves(&self, number: u32) -> &[u8] {
        let (part, range) = &self.of[number as usize];
        &self.bytes[*part as usize][range.clone()]
    }
}

/// The groups of near games among those left: copies of another game are not.
pub(super) fn near_of(
    columns: &Columns,
    groups: &[Group],
    games: &Games,
    is_left: &[bool],
) -> Result<Vec<NearDuplicates>, ArchiveError> {
    let families: Vec<&[(u64, u32)]> = games.families().collect();
    let parts: Vec<&[&[(u64, u32)]]> = families.chunks(FAMILIES).collect();
    let read = columns.each(&parts, |part| {
        Ok(part.iter().filter_map(|family| buckets(games, family, is_left)).collect::<Vec<_>>())
    })?;
    let families: Vec<Vec<Vec<u32>>> = read.into_iter().flatten().collect();
    let lines = lines_of(columns, groups, games, families.iter().flatten().flatten().copied())?;
    let parts: Vec<&[Vec<Vec<u32>>]> = families.chunks(FAMILIES).collect();
    let read = columns.each(&parts, |part| {
        Ok(part.iter().flat_map(|buckets| near_in(games, &lines, buckets)).collect::<Vec<_>>())
    })?;
    let found: Vec<Vec<u32>> = read.into_iter().flatten().collect();
    let mut numbers: Vec<u32> = found.iter().flatten().copied().collect();
    numbers.sort_unstable();
    let places: Vec<GamePlace> = numbers.iter().map(|number| games.game(*number).place).collect();
    let details = columns.at_places(groups, &places, DETAILS, GameDetails::of)?;
    let all = found.into_iter().map(|group| {
        let mut differences = differences(games, &group);
        let at = group.iter().filter_map(|number| numbers.binary_search(number).ok());
        at.fold(GameDetails::default(), |known, at| known.with(&details[at], &mut differences));
        let mut ids: Vec<i64> = group.iter().map(|number| games.game(*number).id).collect();
        ids.sort_unstable();
        NearDuplicates { ids, differences }
    });
    let mut all: Vec<NearDuplicates> = all.collect();
    all.sort_unstable_by(|one, two| one.ids.cmp(&two.ids));
    Ok(all)
}

/// The moves of some games.
fn lines_of(
    columns: &Columns,
    groups: &[Group],
    games: &Games,
    numbers: impl Iterator<Item = u32>,
) -> Result<Lines, ArchiveError> {
    let mut is_needed = vec![false; games.all.len()];
    numbers.for_each(|number| is_needed[number as usize] = true);
    let needed = games.all.iter().zip(&is_needed).filter(|(_, is_needed)| **is_needed);
    let places: Vec<GamePlace> = needed.map(|(game, _)| game.place).collect();
    let read = columns.by_group(groups, &places, |group, rows| {
        let moves = group.moves(columns.cache(), rows.iter().copied())?;
        let (mut bytes, mut ends) = (Vec::new(), Vec::with_capacity(rows.len()));
        for row in rows {
            bytes.extend_from_slice(moves.of(*row));
            ends.push(bytes.len());
        }
        Ok(vec![(bytes, ends)])
    })?;
    let (mut bytes, mut ranges) = (Vec::with_capacity(read.len()), Vec::new());
    for ((some, ends), part) in read.into_iter().zip(0..) {
        let starts = [0].into_iter().chain(ends.iter().copied());
        ranges.extend(starts.zip(&ends).map(|(start, end)| (part, start..*end)));
        bytes.push(some);
    }
    let mut ranges = ranges.into_iter();
    let of = is_needed.into_iter().map(|is_needed| {
        let range = if is_needed { ranges.next() } else { None };
        range.unwrap_or_default()
    });
    Ok(Lines { bytes, of: of.collect() })
}

/// The groups of near games in a family, by their numbers.
fn near_in(games: &Games, lines: &Lines, buckets: &[Vec<u32>]) -> Vec<Vec<u32>> {
    if let [bucket] = buckets
        && let [one, two] = bucket[..]
    {
        let [moves, other_moves] = [one, two].map(|number| lines.moves(number));
        let years = [one, two].map(|number| games.game(number).facts.date.year());
        let are_of_one_year = years[0] == years[1] || years.contains(&None);
        let goes_on = moves.starts_with(other_moves) || other_moves.starts_with(moves);
        let near = (goes_on && are_of_one_year).then(|| vec![one, two]);
        return near.into_iter().collect();
    }
    let mut numbers = buckets.concat();
    numbers.sort_unstable();
    numbers.dedup();
    let nodes = numbers.iter().map(|number| {
        let game = games.game(*number);
        let (moves, year) = (lines.moves(*number), game.facts.date.year());
        Node { moves, year, id: game.id, number: *number }
    });
    let mut nodes: Vec<Node<'_>> = nodes.collect();
    nodes.sort_unstable();
    let mut order: Vec<(u32, u32)> =
        nodes.iter().zip(0..).map(|(node, at)| (node.number, at)).collect();
    order.sort_unstable();
    let at = |number: &u32| {
        let at = numbers.binary_search(number).ok()?;
        Some(order[at].1)
    };
    let buckets = buckets.iter().map(|bucket| {
        let mut bucket: Vec<u32> = bucket.iter().filter_map(at).collect();
        bucket.sort_unstable();
        bucket
    });
    let groups = groups(&nodes, buckets.collect());
    groups.iter().map(|group| group.iter().map(|at| nodes[*at as usize].number).collect()).collect()
}

/// The facts in which some games differ.
pub(super) fn differences(games: &Games, numbers: &[u32]) -> Differences {
    let mut all = Differences::default();
    let Some((first, others)) = numbers.split_first() else { return all };
    let one = &games.game(*first).facts;
    for number in others {
        let two = &games.game(*number).facts;
        let Differences { moves, players, date, result, .. } = &mut all;
        *moves |= one.moves != two.moves;
        *players |= one.players != two.players;
        *date |= one.date != two.date;
        *result |= one.result != two.result;
    }
    all
}
