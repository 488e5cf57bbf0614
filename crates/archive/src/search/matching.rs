//! Finds the games that match a filter.
//!
//! ```text
//!  row group ──▶ bounds ──▶ signatures ──▶ candidates ──▶ moves of these ──▶ (game, ply)
//!               (footer)    (cached)       1 in 1,000     (cached, by page)
//! ```

mod annotated;

use std::collections::BinaryHeap;
use std::sync::Arc;

use halfmove_functions::comment_with;
use halfmove_game::codec::whole;
use halfmove_game::replay::Candidate;
use roaring::RoaringTreemap;

use super::conditions::RowConditions;
use super::order::{Order, Ranked};
use super::prepared::{Prepared, Rejects, prepare};
use super::score::Score;
use super::sides::Sides;
use crate::columns::scan::GroupMatches;
use crate::columns::{Columns, GamePlace, Group};
use crate::error::ArchiveError;
use crate::filter::Filter;

/// The number of games that are replayed between two checks of the cancellation token.
pub(super) const UNCHECKED: usize = 1_024;

/// A filter, prepared for the columns of a snapshot.
#[derive(Debug, Default)]
pub(crate) struct Matcher {
    /// Conditions on positions and moves; a game must match all of them.
    prepared: Vec<Prepared>,
    /// Conditions on tags and ids.
    pub(super) conditions: RowConditions,
}

/// The games that match: their number, and the first of them.
#[derive(Debug, Default)]
pub(crate) struct FirstMatches {
    pub(crate) count: u64,
    /// The first games in the order of the search.
    pub(crate) first: Vec<Match>,
    /// The score of the player, if the filter names one and the score is requested.
    pub(crate) score: Score,
}

/// A game that matches. The first one in the order is the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Match {
    /// Its sort key; of two games with the same key, the one with the lower id comes first.
    key: i64,
    pub(crate) id: i64,
    pub(crate) place: GamePlace,
    /// The ply at which the first condition matches.
    pub(crate) ply: Option<u32>,
}

impl Matcher {
    pub(crate) fn of(filter: &Filter) -> Result<Self, ArchiveError> {
        Ok(Self { conditions: RowConditions::of(filter)?, prepared: prepare(filter) })
    }

    /// A matcher of all games that match some conditions.
    pub(crate) fn of_prepared(prepared: Vec<Prepared>) -> Self {
        Self { prepared, conditions: RowConditions::default() }
    }

    /// Returns true if every game matches.
    pub(crate) fn is_all(&self) -> bool {
        self.prepared.is_empty() && self.conditions.is_all()
    }

    /// Counts the games that match, and finds the first of them; sums up the score of the player if requested.
    pub(crate) fn matches(
        &self,
        columns: &Columns,
        order: Order,
        is_scored: bool,
    ) -> Result<FirstMatches, ArchiveError> {
        let groups = columns.groups()?;
        let numbers: Vec<usize> = (0..groups.len()).collect();
        let ranks = order.ranks(columns, &groups)?;
        let found = columns.each(&numbers, |number| {
            let group = (*number, &groups[*number]);
            self.matches_in(columns, group, (order, ranks.get(*number)), is_scored)
        })?;
        let mut all = FirstMatches::default();
        for some in found {
            all.count += some.count;
            all.score += some.score;
            all.first.extend(some.first);
        }
        all.first.sort_unstable();
        all.first.truncate(order.limit);
        Ok(all)
    }

    fn matches_in(
        &self,
        columns: &Columns,
        (number, group): (usize, &Group),
        (order, ranks): (Order, Option<&Arc<Ranked>>),
        is_scored: bool,
    ) -> Result<FirstMatches, ArchiveError> {
        let limit = order.limit;
        if self.is_all() && limit == 0 {
            return Ok(FirstMatches { count: group.live_row_count(), ..FirstMatches::default() });
        }
        let mut rows = Vec::new();
        let mut count = 0;
        // In another order of the games, the first one may come last.
        let is_sorted = order.is_by_id() && group.is_in_order();
        let most = if limit == 0 || is_sorted { limit } else { usize::MAX };
        let is_scored = is_scored && self.conditions.player.is_some();
        let mut all_rows = Vec::new();
        let sides = self.find(columns, group, |row, ply| {
            count += 1;
            if is_scored {
                all_rows.push(row);
            }
            if rows.len() < most {
                rows.push((row, ply));
            }
        })?;
        let mut score = Score::default();
        if let Some(sides) = sides.filter(|_| !all_rows.is_empty()) {
            score = sides.score(&all_rows, &group.results(columns.cache())?);
        }
        let mut first = Vec::new();
        if !rows.is_empty() {
            let cache = columns.cache();
            let (ids, keys) = (group.ids(cache)?, order.keys(group, cache, ranks)?);
            let hits = rows.into_iter().map(|(row, ply)| Match {
                key: keys.of(row),
                id: ids.of(row),
                place: GamePlace { group: number as u32, row },
                ply,
            });
            first = lowest(hits, limit);
        }
        Ok(FirstMatches { count, first, score })
    }

    /// The ids of all games that match.
    pub(crate) fn ids(&self, columns: &Columns) -> Result<RoaringTreemap, ArchiveError> {
        let found = columns.each_group(|group| {
            let (rows, _) = self.rows(columns, group)?;
            if rows.is_empty() {
                return Ok(Vec::new());
            }
            let ids = group.ids(columns.cache())?;
            Ok(rows.iter().filter_map(|row| u64::try_from(ids.of(*row)).ok()).collect())
        })?;
        Ok(found.into_iter().flatten().collect())
    }

    /// The rows of a row group that match, and the player's side in them.
    pub(crate) fn rows(
        &self,
        columns: &Columns,
        group: &Group,
    ) -> Result<(Vec<u32>, Option<Sides>), ArchiveError> {
        let mut rows: Vec<u32> = Vec::new();
        let sides = self.find(columns, group, |row, _| rows.push(row))?;
        Ok((rows, sides))
    }

    /// The games that match, as rows of their row groups.
    pub(crate) fn by_group(&self, columns: &Columns) -> Result<Vec<GroupMatches>, ArchiveError> {
        columns.each_group(|group| {
            let (rows, _) = self.rows(columns, group)?;
            Ok(GroupMatches { group: group.clone(), rows })
        })
    }

    /// Calls `hit` with each row of a row group that matches, in order, and with the ply of the first condition.
    /// Returns the player's side in each of them.
    fn find(
        &self,
        columns: &Columns,
        group: &Group,
        mut hit: impl FnMut(u32, Option<u32>),
    ) -> Result<Option<Sides>, ArchiveError> {
        let cache = columns.cache();
        let Some((first, others)) = self.prepared.split_first() else {
            let mut rows: Vec<u32> = (0..group.rows() as u32).collect();
            let sides = self.conditions.retain(group, cache, &mut rows, |row| *row)?;
            rows.into_iter().for_each(|row| hit(row, None));
            return Ok(sides);
        };
        let mut candidates = Vec::new();
        let sides = candidates_in(columns, first, &self.conditions, group, &mut candidates)?;
        if others.is_empty() {
            evaluate(columns, first, group, &candidates, |row, ply| hit(row, Some(ply)))?;
            return Ok(sides);
        }
        let mut found = Vec::new();
        evaluate(columns, first, group, &candidates, |row, ply| found.push((row, ply)))?;
        for condition in others {
            if found.is_empty() {
                break;
            }
            candidates_in(columns, condition, &RowConditions::default(), group, &mut candidates)?;
            candidates.retain(|candidate| {
                found.binary_search_by_key(&candidate.row, |(row, _)| *row).is_ok()
            });
            let mut rows = Vec::with_capacity(candidates.len());
            evaluate(columns, condition, group, &candidates, |row, _| rows.push(row))?;
            found.retain(|(row, _)| rows.binary_search(row).is_ok());
        }
        found.into_iter().for_each(|(row, ply)| hit(row, Some(ply)));
        Ok(sides)
    }
}

/// The candidates for a condition in a row group, and the player's side in each of them.
pub(super) fn candidates_in(
    columns: &Columns,
    condition: &impl Rejects,
    conditions: &RowConditions,
    group: &Group,
    candidates: &mut Vec<Candidate>,
) -> Result<Option<Sides>, ArchiveError> {
    candidates.clear();
    if group.bounds().is_some_and(|bounds| !condition.may_be_in(bounds)) {
        return Ok(None);
    }
    if condition.reads_signatures() {
        condition.candidates(&*group.signatures(columns.cache())?, candidates);
    } else {
        candidates.extend((0..group.rows() as u32).map(Candidate::unknown));
    }
    conditions.retain(group, columns.cache(), candidates, |candidate| candidate.row)
}

/// Calls `hit` with each candidate of a row group that matches a condition, in order, and with the ply.
pub(super) fn evaluate(
    columns: &Columns,
    condition: &Prepared,
    group: &Group,
    candidates: &[Candidate],
    mut hit: impl FnMut(u32, u32),
) -> Result<(), ArchiveError> {
    let annotated = match condition {
        Prepared::Comment(words) => {
            let find = |bytes: &[u8], plies| comment_with(bytes, plies, words);
            Some(annotated::with_annotation(columns, group, candidates, find)?)
        }
        Prepared::Annotated => {
            Some(annotated::with_annotation(columns, group, candidates, whole::first_annotation)?)
        }
        Prepared::Anywhere(anywhere) => {
            Some(annotated::anywhere(columns, anywhere, group, candidates)?)
        }
        _ => None,
    };
    if let Some(found) = annotated {
        found.into_iter().for_each(|(row, ply)| hit(row, ply));
        return Ok(());
    }
    // If the signatures have decided all candidates, no moves are read.
    if candidates.iter().all(|candidate| candidate.ply().is_some()) {
        for candidate in candidates {
            hit(candidate.row, candidate.ply().unwrap_or_default());
        }
        return Ok(());
    }
    let unknown = candidates.iter().filter(|candidate| candidate.ply().is_none());
    let moves = group.moves(columns.cache(), unknown.map(|candidate| candidate.row))?;
    let game = |candidate: &Candidate| moves.of(candidate.row);
    for some in candidates.chunks(UNCHECKED) {
        columns.check()?;
        let found = condition.find_all(some, game, |candidate, ply| hit(candidate.row, ply));
        found
            .map_err(|(candidate, error)| group.damaged(columns.cache(), candidate.row, &error))?;
    }
    Ok(())
}

/// The lowest values, at most `limit` of them, in any order.
fn lowest<T: Ord>(values: impl Iterator<Item = T>, limit: usize) -> Vec<T> {
    let mut lowest = BinaryHeap::new();
    for value in values {
        if lowest.len() < limit {
            lowest.push(value);
        } else if let Some(mut highest) = lowest.peek_mut()
            && value < *highest
        {
            *highest = value;
        }
    }
    lowest.into_vec()
}
