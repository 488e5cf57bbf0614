//! Counts the results and the next moves at a position; listeners sum up more values of the games that count.

use halfmove_game::replay::{Candidate, Query};
use halfmove_game::tally::{Results, Tally};
use halfmove_rules::Move;

use super::conditions::RowConditions;
use super::matching::{UNCHECKED, candidates_in, evaluate};
use super::prepared::Prepared;
use super::score::Side;
use crate::columns::{Columns, Group};
use crate::error::ArchiveError;

/// A listener to the games that count. `()` ignores them, and costs nothing.
pub(crate) trait Listener: Send {
    /// Called when the position arises in the game of a row, with the move that comes next.
    fn game(&mut self, row: u32, result: u8, next: Option<Move>);
    /// Called when a move is played there, once for each game.
    fn played(&mut self, row: u32, result: u8, mv: Move);
}

impl Listener for () {
    fn game(&mut self, _: u32, _: u8, _: Option<Move>) {}
    fn played(&mut self, _: u32, _: u8, _: Move) {}
}

/// Results and next moves, by the side of the player in the games. Without a player, all games are in the first entry.
pub(crate) type Tallies = [Tally; Side::COUNT];

/// The results and next moves at a position, and the listeners of the row groups, which `listen` creates from
/// the index of the row group in the snapshot.
pub(crate) fn tally<L: Listener>(
    columns: &Columns,
    query: &Query,
    conditions: &RowConditions,
    listen: impl Fn(usize, &Group) -> Result<L, ArchiveError> + Sync,
) -> Result<(Tallies, Vec<L>), ArchiveError> {
    let groups = columns.groups()?;
    let numbers: Vec<usize> = (0..groups.len()).collect();
    let counted = columns.each(&numbers, |number| {
        let group = &groups[*number];
        let mut tallies = Tallies::default();
        let mut candidates = Vec::new();
        let sides = candidates_in(columns, query, conditions, group, &mut candidates)?;
        if candidates.is_empty() {
            return Ok((tallies, None));
        }
        let mut listener = listen(*number, group)?;
        let Some(sides) = sides else {
            tally_in(columns, query, group, &mut candidates, &mut tallies[0], &mut listener)?;
            return Ok((tallies, Some(listener)));
        };
        for (side, tally) in Side::ALL.into_iter().zip(&mut tallies) {
            let has_side = |candidate: &&Candidate| sides.of(candidate.row as usize) == Some(side);
            let mut some: Vec<Candidate> = candidates.iter().filter(has_side).copied().collect();
            tally_in(columns, query, group, &mut some, tally, &mut listener)?;
        }
        Ok((tallies, Some(listener)))
    })?;
    let (mut all, mut listeners) = (Tallies::default(), Vec::new());
    for (tallies, listener) in counted {
        for (all, tally) in all.iter_mut().zip(&tallies) {
            all.merge(tally);
        }
        listeners.extend(listener);
    }
    Ok((all, listeners))
}

/// The number of games that meet the conditions and in which each of some positions arises. Each row group is visited
/// once, so that its signatures and moves are in the cache for all positions.
pub(crate) fn count_each(
    columns: &Columns,
    queries: &[Prepared],
    conditions: &RowConditions,
) -> Result<Vec<u64>, ArchiveError> {
    let counted = columns.each_group(|group| {
        let (mut counts, mut candidates) = (vec![0; queries.len()], Vec::new());
        for (query, count) in queries.iter().zip(&mut counts) {
            candidates_in(columns, query, conditions, group, &mut candidates)?;
            evaluate(columns, query, group, &candidates, |_, _| *count += 1)?;
        }
        Ok(counts)
    })?;
    let mut all = vec![0; queries.len()];
    for counts in counted {
        all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
    }
    Ok(all)
}

/// Counts those candidates of a row group in which a position arises, and the moves played there.
fn tally_in(
    columns: &Columns,
    query: &Query,
    group: &Group,
    candidates: &mut Vec<Candidate>,
    tally: &mut Tally,
    listener: &mut impl Listener,
) -> Result<(), ArchiveError> {
    if candidates.is_empty() {
        return Ok(());
    }
    let results = group.results(columns.cache())?;
    // Early positions are in the lines of most games, which then contain the next move, too.
    let next_moves = query.next_moves();
    let mut counts = vec![[0; 4]; next_moves.len()];
    candidates.retain(|candidate| match query.only_next(candidate) {
        Some(next) => {
            let result = results[candidate.row as usize];
            counts[next][usize::from(result)] += 1;
            listener.game(candidate.row, result, Some(next_moves[next]));
            listener.played(candidate.row, result, next_moves[next]);
            false
        }
        None => true,
    });
    for (next, counts) in next_moves.iter().zip(counts) {
        tally.add(*next, &Results::from_array(counts));
    }
    let rows = candidates.iter().map(|candidate| candidate.row);
    let moves = group.moves(columns.cache(), rows)?;
    let mut counter = Counter { tally, listener, row: None, played: Vec::new() };
    for some in candidates.chunks(UNCHECKED) {
        columns.check()?;
        let visited = query.visit_all(
            some,
            |candidate| moves.of(candidate.row),
            |candidate, _, next| {
                let row = candidate.row;
                counter.visit(row, results[row as usize], next);
            },
        );
        visited
            .map_err(|(candidate, error)| group.damaged(columns.cache(), candidate.row, &error))?;
    }
    Ok(())
}

/// Counts the visits of a position: a game counts once, and once for each move.
struct Counter<'a, L> {
    tally: &'a mut Tally,
    listener: &'a mut L,
    /// The last game.
    row: Option<u32>,
    /// The moves already counted in it.
    played: Vec<Move>,
}

impl<L: Listener> Counter<'_, L> {
    fn visit(&mut self, row: u32, result: u8, next: Option<Move>) {
        if self.row != Some(row) {
            self.row = Some(row);
            self.played.clear();
            self.tally.position.count(result);
            self.listener.game(row, result, next);
        }
        if let Some(next) = next
            && !self.played.contains(&next)
        {
            self.played.push(next);
            self.tally.of(next).count(result);
            self.listener.played(row, result, next);
        }
    }
}
