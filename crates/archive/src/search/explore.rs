//! The opening tree at a position.

mod arrow;
mod details;
mod sums;

use std::collections::HashMap;
use std::ops::Range;

use halfmove_game::replay::Query;
use halfmove_game::tally::{Results, Tally};
use halfmove_rules::{AnyPosition, CastlingStyle, Move};

use self::details::Shown;
pub use self::details::{Details, ExplorerGame};
use self::sums::{DetailListener, DetailSums};
use super::conditions::RowConditions;
use super::matching::Matcher;
use super::prepared::Prepared;
use super::score::Score;
use super::tally::{count_each, tally};
use crate::columns::{Columns, GamePlace};
use crate::error::ArchiveError;
use crate::filter::Filter;

/// The results of the games in which a position arises, and the moves played there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explorer {
    /// The results of the games in which the position arises.
    pub results: Results,
    /// The score of the player; `None` if the filter names none.
    pub score: Option<Score>,
    /// The moves played there, those with the most games first, then by UCI.
    pub moves: Vec<ExplorerMove>,
    /// Ratings and dates of the games; `None` unless [`ExploreOptions::details`] is set.
    pub details: Option<Details>,
    /// The games with the highest mean ratings, the highest first.
    pub top_games: Vec<ExplorerGame>,
    /// The games with the latest dates, the latest first.
    pub recent_games: Vec<ExplorerGame>,
}

/// A move that was played in a position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExplorerMove {
    /// The move in UCI; castling is king takes rook, `e1h1`.
    pub uci: String,
    /// The move in SAN.
    pub san: String,
    /// The results of the games in which it was played there.
    pub results: Results,
    /// The score of the player; `None` if the filter names none.
    pub score: Option<Score>,
    /// Ratings and dates of these games; `None` unless [`ExploreOptions::details`] is set.
    pub details: Option<Details>,
    /// The number of games in which the position after it arises, by any order of moves: more than in
    /// [`results`](Self::results) if other moves lead there, too. `None` if the tree ends here, unless
    /// [`ExploreOptions::reached`] is set.
    pub reached: Option<u64>,
    /// The moves played after it, in every game in which its position arises; empty if the tree ends here, or has this
    /// position elsewhere.
    pub next: Vec<ExplorerMove>,
    /// True if the tree has the position after it elsewhere, with the moves played there: after fewer moves, or after an
    /// equal number of them by a line of more games.
    pub is_elsewhere: bool,
}

/// The options of [`Archive::explore_with`](crate::Archive::explore_with). The default is results and moves alone.
///
/// ```
/// use halfmove_archive::ExploreOptions;
///
/// // Three half-moves deep, the moves of at least every hundredth game, and the four best and newest games.
/// let mut options = ExploreOptions::default();
/// (options.depth, options.min_share) = (3, 0.01);
/// (options.details, options.games) = (true, 4);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ExploreOptions {
    /// True to sum up ratings and dates.
    pub details: bool,
    /// The maximum number of games to list, of the highest rated and of the latest.
    pub games: usize,
    /// The depth of the tree in half-moves, from 1 to [`MAX_DEPTH`](Self::MAX_DEPTH). Each of its positions is
    /// searched once, so it counts all games with this position, by any order of moves, and has its moves in one place.
    pub depth: usize,
    /// True to count the games in which the position after each move arises, even where the tree ends.
    pub reached: bool,
    /// The minimum number of games of a move.
    pub min_games: u64,
    /// The minimum share of a move in the games with the first position: 0.01 is one percent.
    pub min_share: f64,
}

impl ExploreOptions {
    /// The maximum depth of a tree.
    pub const MAX_DEPTH: usize = 60;
}

impl Default for ExploreOptions {
    fn default() -> Self {
        Self { details: false, games: 0, depth: 1, reached: false, min_games: 0, min_share: 0.0 }
    }
}

/// The results and next moves of a position in the games that match a filter.
pub(crate) fn explore(
    columns: &Columns,
    filter: &Filter,
    position: &AnyPosition,
    options: &ExploreOptions,
) -> Result<Explorer, ArchiveError> {
    // A condition that the position implies need not be tested, and the other conditions are tested on the same game.
    let full = match &filter.position {
        None => Filter { position: Some(position.clone()), ..filter.clone() },
        Some(_) => filter.clone(),
    };
    let mut conditions = RowConditions::of(&full)?;
    if filter.position.is_some() || !filter.conditions.is_empty() {
        // The games that also match the other conditions.
        let ids = Matcher::of(&full)?.ids(columns)?;
        conditions =
            RowConditions { ids: Some(ids), player: conditions.player, ..RowConditions::default() };
    }
    Tree { columns, conditions, options, shown: Shown::default(), games: 0 }.explorer(position)
}

/// A tree under construction.
struct Tree<'a> {
    columns: &'a Columns,
    conditions: RowConditions,
    options: &'a ExploreOptions,
    /// The games to list.
    shown: Shown,
    /// The number of games with the first position.
    games: u64,
}

/// The results of a position.
struct Node {
    results: Results,
    score: Option<Score>,
    moves: Vec<Played>,
    details: Option<DetailSums>,
}

/// A move at a position.
struct Played {
    mv: Move,
    explored: ExplorerMove,
    /// The game, if there is only one and details are requested.
    only: Option<(i64, GamePlace)>,
}

/// A move of a tree, in a list of all of them.
struct Branch {
    explored: ExplorerMove,
    /// The position after it.
    after: AnyPosition,
    /// The moves at this position.
    next: Range<usize>,
}

/// Moves, each with those after it. The depth is limited by that of the tree.
fn taken(tree: &mut [Branch], moves: Range<usize>) -> Vec<ExplorerMove> {
    let mut all = Vec::with_capacity(moves.len());
    for at in moves {
        let next = tree[at].next.clone();
        let next = taken(tree, next);
        all.push(ExplorerMove { next, ..std::mem::take(&mut tree[at].explored) });
    }
    all
}

impl Tree<'_> {
    fn explorer(mut self, position: &AnyPosition) -> Result<Explorer, ArchiveError> {
        let Node { results, score, moves, details } = self.node(position, self.options.games)?;
        self.games = results.games();
        let share = (self.options.min_share * results.games() as f64).ceil();
        // The number of games fits easily.
        let least = self.options.min_games.max(share.max(0.0) as u64);
        let depth = self.options.depth.clamp(1, ExploreOptions::MAX_DEPTH);
        let moves = self.grow(position, moves, least, depth - 1)?;
        let Some(details) = details else {
            return Ok(Explorer { results, score, moves, ..Explorer::default() });
        };
        let [top, recent] = [&details.top, &details.recent];
        top.iter().chain(recent).for_each(|game| self.shown.add(game.id(), game.place));
        let sums = &details.position;
        if let Some((id, place)) = sums.game.filter(|_| results.games() == 1) {
            self.shown.add(id, place);
        }
        let is_detailed = self.options.details;
        let games = self.shown.read(self.columns)?;
        let mut explorer = Explorer {
            results,
            score,
            moves,
            details: is_detailed.then(|| Details::of(sums, results)),
            top_games: games.list(position, top),
            recent_games: games.list(position, recent),
        };
        games.fill(explorer.details.as_mut());
        games.fill_moves(&mut explorer.moves);
        Ok(explorer)
    }

    /// Keeps the moves with enough games, and adds the moves that follow them, to some depth. The tree grows level by level, so
    /// a position has its moves where the fewest half-moves lead to it.
    fn grow(
        &mut self,
        position: &AnyPosition,
        moves: Vec<Played>,
        least: u64,
        depth: usize,
    ) -> Result<Vec<ExplorerMove>, ArchiveError> {
        let mut tree = self.branches(position, moves, least);
        let roots = 0..tree.len();
        let mut level = roots.clone();
        // The positions whose moves are in the tree, with the number of their games.
        let mut seen = HashMap::from([(position.key(), self.games)]);
        for remaining in (0..=depth).rev() {
            for at in level.clone() {
                let key = tree[at].after.key();
                if let Some(games) = seen.get(&key) {
                    tree[at].explored.reached = Some(*games);
                    tree[at].explored.is_elsewhere = true;
                } else if remaining > 0 {
                    let after = tree[at].after.clone();
                    let Node { results, moves, .. } = self.node(&after, 0)?;
                    seen.insert(key, results.games());
                    tree[at].explored.reached = Some(results.games());
                    let next = self.branches(&after, moves, least);
                    tree[at].next = tree.len()..tree.len() + next.len();
                    tree.extend(next);
                }
            }
            if remaining > 0 {
                level = level.end..tree.len();
            }
        }
        if self.options.reached {
            let queries = level.clone().map(|at| Query::new(&tree[at].after).into());
            let queries: Vec<Prepared> = queries.collect();
            let counts = count_each(self.columns, &queries, &self.conditions)?;
            for (at, games) in level.zip(counts) {
                tree[at].explored.reached = Some(games);
            }
        }
        Ok(taken(&mut tree, roots))
    }

    /// The moves of a position with enough games.
    fn branches(&mut self, position: &AnyPosition, moves: Vec<Played>, least: u64) -> Vec<Branch> {
        let enough = moves.into_iter().filter(|played| played.explored.results.games() >= least);
        let branch = |Played { mv, explored, only }| {
            if let Some((id, place)) = only {
                self.shown.add(id, place);
            }
            let mut after = position.clone();
            after.play_unchecked(mv);
            Branch { explored, after, next: 0..0 }
        };
        enough.map(branch).collect()
    }

    /// One position, with its moves and lists of at most `games` games.
    fn node(&self, position: &AnyPosition, games: usize) -> Result<Node, ArchiveError> {
        let (columns, conditions, query) = (self.columns, &self.conditions, Query::new(position));
        let (tallies, details) = if self.options.details || games > 0 {
            let mover = position.side_to_move();
            let (tallies, listeners) = tally(columns, &query, conditions, |number, group| {
                DetailListener::new((number, group), columns.cache(), mover, games)
            })?;
            (tallies, Some(DetailSums::of(listeners, games)))
        } else {
            (tally(columns, &query, conditions, |_, _| Ok(()))?.0, None)
        };
        let mut all = Tally::default();
        tallies.iter().for_each(|some| all.merge(some));
        all.sort();
        let score = |of: &dyn Fn(&Tally) -> Results| {
            let is_scored = conditions.player.is_some();
            is_scored.then(|| Score::of(&std::array::from_fn(|side| of(&tallies[side]))))
        };
        let sums = details.as_ref().filter(|_| self.options.details).map(|sums| &sums.moves);
        let moves = all.moves.iter().map(|(mv, results)| {
            let sums = sums.and_then(|sums| sums.iter().find(|(known, _)| known == mv));
            let only = sums.filter(|_| results.games() == 1).and_then(|(_, sums)| sums.game);
            let explored = ExplorerMove {
                uci: mv.uci(CastlingStyle::KingTakesRook).to_string(),
                san: position.san(*mv).to_string(),
                results: *results,
                score: score(&|tally| tally.results_of(*mv)),
                details: sums.map(|(_, sums)| Details::of(sums, *results)),
                ..ExplorerMove::default()
            };
            Played { mv: *mv, explored, only }
        });
        let moves = moves.collect();
        Ok(Node { results: all.position, score: score(&|tally| tally.position), moves, details })
    }
}
