//! Questions about positions and boards, answered without the query engine.
//!
//! ```text
//!  row group ──▶ bounds ──▶ signatures ──▶ candidates ──▶ moves of these ──▶ (game, ply)
//!               (footer)    (cached)       1 in 1,000     (cached, by page)
//! ```
//!
//! Row groups are independent of each other, so all threads work on them side by side.

mod annotated;
mod ask;
mod cache;
mod count;
mod dates;
mod details;
mod distinct;
mod facts;
mod footer;
mod group;
mod moves;
mod openings;
mod pages;
mod players;
mod rows;
mod scan;
mod scored;
mod sort;
mod stop;
mod tags;
mod tally;

use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use halfmove_game::replay::Candidate;
use roaring::RoaringTreemap;

pub(crate) use self::ask::Ask;
use self::ask::Rejects;
pub(crate) use self::cache::Cache;
pub(crate) use self::dates::{Known, known, known_of};
pub(crate) use self::details::{DetailListener, Details as DetailSums, Ranked, Sums};
pub(crate) use self::distinct::Distinct;
pub(crate) use self::facts::{When, rating};
pub(crate) use self::footer::{FileOrder, check_size, open as open_file};
pub(crate) use self::group::Group;
pub(crate) use self::pages::{Pages, raised};
use self::players::Sides;
pub(crate) use self::rows::Place;
pub(crate) use self::scan::{Part, is_kept};
pub(crate) use self::scored::Scored;
pub(crate) use self::sort::Order;
pub(crate) use self::stop::Stop;
pub(crate) use self::tags::{Bound, Wanted};
use crate::error::{ArchiveError, caught};
use crate::score::Score;
use crate::store::Archive;

/// How many games are replayed before a search asks whether anybody still waits for it.
const UNSTOPPED: usize = 1_024;

/// Games of a row group that were found, as rows of the group, in order.
#[derive(Debug)]
pub(crate) struct Hits {
    pub(crate) group: Group,
    pub(crate) rows: Vec<u32>,
}

/// What a search has found.
#[derive(Debug, Default)]
pub(crate) struct Matches {
    pub(crate) count: u64,
    /// The first games in the order that was asked for.
    pub(crate) first: Vec<Match>,
    /// How they ended for the player, if games of a player were wanted and their score was.
    pub(crate) score: Score,
}

/// A game that a search has found. The first one is the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Match {
    /// What decides its place in the order, before its id does.
    key: i64,
    pub(crate) id: i64,
    pub(crate) place: Place,
    /// The ply of the position that was looked for.
    pub(crate) ply: Option<u32>,
}

impl Archive {
    /// How many games are wanted and say yes to all that is asked, and the first of them; the score of a player only if it
    /// is asked for.
    pub(crate) fn matches(
        &self,
        asks: &[Ask],
        wanted: &Wanted,
        order: Order,
        is_scored: bool,
    ) -> Result<Matches, ArchiveError> {
        let limit = order.limit;
        let groups = self.groups()?;
        let numbers: Vec<usize> = (0..groups.len()).collect();
        let found = self.each(&numbers, |number, candidates| {
            self.stop.begin();
            let group = &groups[*number];
            let mut rows = Vec::new();
            let mut count = 0;
            // Where games are in another order, the first may come last.
            let is_sorted = order.is_by_id() && group.is_in_order();
            let most = if limit == 0 || is_sorted { limit } else { usize::MAX };
            let is_scored = is_scored && wanted.player.is_some();
            let mut all_rows = Vec::new();
            let hit = |row, ply| {
                count += 1;
                if is_scored {
                    all_rows.push(row);
                }
                if rows.len() < most {
                    rows.push((row, ply));
                }
            };
            let sides = match asks.is_empty() && wanted.is_all() && limit == 0 {
                true => {
                    count = group.live_rows();
                    None
                }
                false => self.find_in(asks, wanted, group, candidates, hit)?,
            };
            let mut score = Score::default();
            if let Some(sides) = sides.filter(|_| !all_rows.is_empty()) {
                score = sides.score(&all_rows, &group.results(self.cache())?);
            }
            let mut first = Vec::new();
            if !rows.is_empty() {
                let (ids, keys) = (group.ids(self.cache())?, order.keys(group, self.cache())?);
                let hits = rows.into_iter().map(|(row, ply)| Match {
                    key: keys.of(row),
                    id: ids.of(row),
                    place: Place { group: *number as u32, row },
                    ply,
                });
                first = lowest(hits, limit);
            }
            Ok(Matches { count, first, score })
        })?;
        let mut all = Matches::default();
        for some in found {
            all.count += some.count;
            all.score += some.score;
            all.first.extend(some.first);
        }
        all.first.sort_unstable();
        all.first.truncate(limit);
        Ok(all)
    }

    /// The ids of all games that are wanted and say yes to all that is asked.
    pub(crate) fn ids_with(
        &self,
        asks: &[Ask],
        wanted: &Wanted,
    ) -> Result<RoaringTreemap, ArchiveError> {
        let found = self.each_group(|group, candidates| {
            let (rows, _) = self.rows_with(asks, wanted, group, candidates)?;
            if rows.is_empty() {
                return Ok(Vec::new());
            }
            let ids = group.ids(self.cache())?;
            Ok(rows.iter().filter_map(|row| u64::try_from(ids.of(*row)).ok()).collect())
        })?;
        Ok(found.into_iter().flatten().collect())
    }

    /// The rows of a row group that are wanted and say yes to all that is asked; the player's side in them.
    fn rows_with(
        &self,
        asks: &[Ask],
        wanted: &Wanted,
        group: &Group,
        candidates: &mut Vec<Candidate>,
    ) -> Result<(Vec<u32>, Option<Sides>), ArchiveError> {
        let mut rows: Vec<u32> = Vec::new();
        let sides = self.find_in(asks, wanted, group, candidates, |row, _| rows.push(row))?;
        Ok((rows, sides))
    }

    /// The games that say yes to all that is asked, as rows of their row groups.
    pub(crate) fn hits(&self, asks: &[Ask]) -> Result<Vec<Hits>, ArchiveError> {
        let all = Wanted::default();
        self.each_group(|group, candidates| {
            let mut rows = Vec::new();
            self.find_in(asks, &all, group, candidates, |row, _| rows.push(row))?;
            Ok(Hits { group: group.clone(), rows })
        })
    }

    /// The games of a row group that may say yes, and the player's side in them.
    fn candidates(
        &self,
        ask: &impl Rejects,
        wanted: &Wanted,
        group: &Group,
        candidates: &mut Vec<Candidate>,
    ) -> Result<Option<Sides>, ArchiveError> {
        candidates.clear();
        if group.bounds().is_some_and(|bounds| !ask.may_be_in(bounds)) {
            return Ok(None);
        }
        if ask.reads_signatures() {
            ask.candidates(&*group.signatures(self.cache())?, candidates);
        } else {
            candidates.extend((0..group.rows() as u32).map(Candidate::unknown));
        }
        wanted.retain(group, self.cache(), candidates, |candidate| candidate.row)
    }

    /// Calls `hit` with each row of a row group that is wanted and says yes to all that is asked, in order, and with the ply
    /// at which it says yes to the first of it. Returns the player's side in them.
    fn find_in(
        &self,
        asks: &[Ask],
        wanted: &Wanted,
        group: &Group,
        candidates: &mut Vec<Candidate>,
        mut hit: impl FnMut(u32, Option<u32>),
    ) -> Result<Option<Sides>, ArchiveError> {
        let Some((first, others)) = asks.split_first() else {
            let mut rows: Vec<u32> = (0..group.rows() as u32).collect();
            let sides = wanted.retain(group, self.cache(), &mut rows, |row| *row)?;
            rows.into_iter().for_each(|row| hit(row, None));
            return Ok(sides);
        };
        let sides = self.candidates(first, wanted, group, candidates)?;
        if others.is_empty() {
            self.ask_some(first, group, candidates, |row, ply| hit(row, Some(ply)))?;
            return Ok(sides);
        }
        let mut found = Vec::new();
        self.ask_some(first, group, candidates, |row, ply| found.push((row, ply)))?;
        for ask in others {
            if found.is_empty() {
                break;
            }
            self.candidates(ask, &Wanted::default(), group, candidates)?;
            candidates.retain(|candidate| {
                found.binary_search_by_key(&candidate.row, |(row, _)| *row).is_ok()
            });
            let mut rows = Vec::with_capacity(candidates.len());
            self.ask_some(ask, group, candidates, |row, _| rows.push(row))?;
            found.retain(|(row, _)| rows.binary_search(row).is_ok());
        }
        found.into_iter().for_each(|(row, ply)| hit(row, Some(ply)));
        Ok(sides)
    }

    /// Calls `hit` with each candidate of a row group that says yes, in order, and with the ply.
    fn ask_some(
        &self,
        ask: &Ask,
        group: &Group,
        candidates: &[Candidate],
        mut hit: impl FnMut(u32, u32),
    ) -> Result<(), ArchiveError> {
        let annotated = match ask {
            Ask::Comment(words) => Some(self.ask_comments(words, group, candidates)?),
            Ask::Anywhere(anywhere) => Some(self.ask_anywhere(anywhere, group, candidates)?),
            _ => None,
        };
        if let Some(found) = annotated {
            found.into_iter().for_each(|(row, ply)| hit(row, ply));
            return Ok(());
        }
        // Where signatures have decided everything, no moves are read.
        if candidates.iter().all(|candidate| candidate.ply().is_some()) {
            for candidate in candidates {
                hit(candidate.row, candidate.ply().unwrap_or_default());
            }
            return Ok(());
        }
        let unknown = candidates.iter().filter(|candidate| candidate.ply().is_none());
        let moves = group.moves(self.cache(), unknown.map(|candidate| candidate.row))?;
        let game = |candidate: &Candidate| moves.of(candidate.row);
        for some in candidates.chunks(UNSTOPPED) {
            self.stop.check()?;
            let found = ask.find_all(some, game, |candidate, ply| hit(candidate.row, ply));
            found
                .map_err(|(candidate, error)| group.damaged(self.cache(), candidate.row, &error))?;
        }
        Ok(())
    }

    /// Does some work for each row group, on all threads; returns the results in the order of the row groups.
    pub(crate) fn each_group<T: Send>(
        &self,
        work: impl Fn(&Group, &mut Vec<Candidate>) -> Result<T, ArchiveError> + Sync,
    ) -> Result<Vec<T>, ArchiveError> {
        self.each(&self.groups()?, |group, candidates| {
            self.stop.begin();
            work(group, candidates)
        })
    }

    /// Does some work for each of some things, on all threads; returns the results in order.
    pub(crate) fn each<I: Sync, T: Send>(
        &self,
        things: &[I],
        work: impl Fn(&I, &mut Vec<Candidate>) -> Result<T, ArchiveError> + Sync,
    ) -> Result<Vec<T>, ArchiveError> {
        let threads = self.threads().min(things.len());
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::with_capacity(things.len()));
        let run = || {
            let mut candidates = Vec::new();
            let mut mine = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(thing) = things.get(index) else { break };
                let result = self
                    .stop
                    .check()
                    .and_then(|()| caught(self.path(), || work(thing, &mut candidates)));
                if result.is_err() {
                    // The others need not go on.
                    next.store(things.len(), Ordering::Relaxed);
                }
                mine.push((index, result));
            }
            done.lock().unwrap_or_else(PoisonError::into_inner).extend(mine);
        };
        thread::scope(|scope| {
            for _ in 1..threads {
                // With fewer threads it only takes longer.
                let thread = thread::Builder::new().name("halfmove-search".to_owned());
                let _ = thread.spawn_scoped(scope, run);
            }
            run();
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(index, _)| *index);
        done.into_iter().map(|(_, result)| result).collect()
    }
}

/// Some of the lowest values, in whatever order.
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
