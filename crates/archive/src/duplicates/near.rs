//! Games that may be the same although something differs.
//!
//! Games are compared only with those of the same bucket. A bucket has the games with one surname of White, one of Black, and
//! the same first moves; or those with the same moves and one surname. In a bucket, games are in the order of their moves, so
//! those that a game goes on from are on a stack:
//!
//! ```text
//!  e4 e5 Nf3                      stack
//!  e4 e5 Nf3 Nc6      goes on     e4 e5 Nf3
//!  e4 e5 Nf3 Nc6 Bb5  goes on     e4 e5 Nf3 │ e4 e5 Nf3 Nc6
//!  e4 e5 Nf3 Nf6      goes on     e4 e5 Nf3
//! ```
//!
//! Years must not differ; a year that is not known differs from none. Whatever is near through others is in one group. So each
//! game is joined with the last one of its year on the stack and with the last one without a year, which are joined with those
//! before them: the time does not grow with the square of the number of games that are alike.

use std::collections::HashMap;
use std::ops::Range;

use super::identity::{Facts, Name, Sums, is_long, value};
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
    moves: &'a [u8],
    year: Option<i32>,
}

/// Which nodes are in one group.
#[derive(Debug)]
struct Groups(Vec<u32>);

impl Groups {
    fn new(nodes: usize) -> Self {
        Self((0..u32::try_from(nodes).unwrap_or(u32::MAX)).collect())
    }

    fn of(&mut self, node: u32) -> u32 {
        let mut node = node;
        loop {
            let above = self.0[node as usize];
            if above == node {
                return node;
            }
            let next = self.0[above as usize];
            self.0[node as usize] = next;
            node = next;
        }
    }

    fn join(&mut self, one: u32, two: u32) {
        let (one, two) = (self.of(one), self.of(two));
        self.0[one.max(two) as usize] = one.min(two);
    }
}

/// Joins the games of a bucket that are near.
fn join_bucket(nodes: &[Node<'_>], bucket: &mut [u32], groups: &mut Groups) {
    let of = |node: u32| &nodes[node as usize];
    bucket.sort_unstable_by(|one, two| of(*one).moves.cmp(of(*two).moves).then(one.cmp(two)));
    let mut stack: Vec<u32> = Vec::new();
    // The last one on the stack of each year.
    let mut of_year: HashMap<Option<i32>, Vec<u32>> = HashMap::new();
    // So many at the bottom of the stack are in one group.
    let mut joined = 0;
    for &node in &*bucket {
        while let Some(last) = stack.pop_if(|last| !of(node).moves.starts_with(of(*last).moves)) {
            if let Some(nodes) = of_year.get_mut(&of(last).year) {
                nodes.pop();
            }
        }
        joined = joined.min(stack.len());
        match of(node).year {
            None => {
                for other in &stack[joined.saturating_sub(1)..] {
                    groups.join(node, *other);
                }
            }
            year => {
                for year in [year, None] {
                    if let Some(other) = of_year.get(&year).and_then(|nodes| nodes.last()) {
                        groups.join(node, *other);
                    }
                }
            }
        }
        stack.push(node);
        of_year.entry(of(node).year).or_default().push(node);
        if of(node).year.is_none() {
            joined = stack.len();
        }
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
            games
                .iter()
                .map(move |(range, year)| Node { moves: &bytes[range.clone()], year: *year })
        });
        let nodes: Vec<Node<'_>> = nodes.collect();
        let mut joined = Groups::new(nodes.len());
        for bucket in buckets {
            let number = |game: &InBucket| places.binary_search(&game.place).ok();
            let numbers = bucket.iter().filter_map(number);
            let mut numbers: Vec<u32> =
                numbers.filter_map(|number| number.try_into().ok()).collect();
            numbers.dedup();
            join_bucket(&nodes, &mut numbers, &mut joined);
        }
        let mut together: HashMap<u32, Vec<u32>> = HashMap::new();
        for node in 0..nodes.len() as u32 {
            together.entry(joined.of(node)).or_default().push(node);
        }
        let mut together: Vec<Vec<u32>> =
            together.into_values().filter(|nodes| nodes.len() > 1).collect();
        together.sort_unstable();
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
        let columns = &["id", "white", "black", "date", "year", "result"];
        let games = self.at_places(groups, &here, columns, |rows, row| {
            let name = |column| Ok::<_, ArchiveError>(sums.name(rows.text(column, row)?).sum);
            let names = [name("white")?, name("black")?];
            let result = sums.short(rows.text("result", row)?);
            Ok((rows.id(row)?, names, (rows.date("date", row)?, rows.int("year", row)?), result))
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

/// The moves of some games of a row group, one after the other, and their years.
type Games = (Vec<u8>, Vec<(Range<usize>, Option<i32>)>);

fn games_of(archive: &Archive, groups: &[Group], places: &[Place]) -> Result<Games, ArchiveError> {
    let (mut bytes, mut games) = (Vec::new(), Vec::with_capacity(places.len()));
    let Some(group) = places.first().and_then(|place| groups.get(place.group)) else {
        return Ok((bytes, games));
    };
    let moves = group.moves(archive.cache(), places.iter().map(|place| place.row))?;
    let years = group.numbers("year", archive.cache())?;
    for place in places {
        let from = bytes.len();
        bytes.extend_from_slice(moves.of(place.row));
        games.push((from..bytes.len(), value(&years, place.row as usize)));
    }
    Ok((bytes, games))
}
